// One run: its verdict, its clusters, another run beside it, what can be taken away.
const details = new Map();
const detailsOf = async (run) => {
  if (!details.has(run.run)) details.set(run.run, get(`/api/runs/${run.run}/details`));
  return details.get(run.run);
};

const clustersOf = (run) => (run.result.k === 1 ? WORDS.oneCluster : say(WORDS.clusterCount, { k: run.result.k }));
const facts = (run) => {
  const found = run.result;
  const tone = found.good === true ? "good" : found.good === false || found.k === 1 ? "doubt" : "";
  const k = clustersOf(run);
  at("facts").replaceChildren(
    make("p", { className: `verdict ${tone}` }, make("b", {}, k), `: ${found.verdict.text}`),
    make("p", { className: "soft" }, say(WORDS.summary, { ...found, k, n: count(found.n), seconds: found.seconds.toFixed(2) })),
    found.stopped ? make("p", { className: "stopped" }, WORDS.stopped) : "",
    found.truth ? make("p", {}, say(WORDS.truth, { column: found.truth.column, accuracy: percent(found.truth.accuracy), ari: found.truth.ari.toFixed(3) })) : "",
  );
};

const profileOf = async (run, cluster) => {
  const profile = (await detailsOf(run)).profile?.clusters.find((found) => found.cluster === cluster);
  return profile ? features(say(WORDS.profile, { cluster: nameOf(run, cluster) }), profile.features.slice(0, 8)) : null;
};

const drawClusters = async (run, panel) => {
  const found = await detailsOf(run);
  const inputs = run.result.sizes.map((_, i) =>
    make("input", { id: `name-${i}`, value: new Map(run.result.names).get(i) ?? "", "aria-label": say(WORDS.nameOf, { cluster: i }) }));
  const rename = (event) => {
    event.preventDefault();
    const names = inputs.map((input, i) => [i, input.value.trim()]).filter(([, name]) => name);
    attempt(async () => (await send(`/api/runs/${run.run}/names`, { names }), refresh()));
  };
  const about = (i) => found.profile?.clusters.find((p) => p.cluster === i)?.name ?? "";
  const part = (i) => run.result.sizes[i] / run.result.n;
  const lines = run.result.sizes.map((size, i) => [make("span", {}, key(i), String(i)), count(size), percent(part(i)), bar(part(i)), about(i), inputs[i]]);
  const profiles = found.profile?.clusters ?? [];
  panel.replaceChildren(
    make("form", { onsubmit: rename },
      sheet(WORDS.clusterTable, [WORDS.cluster, WORDS.size, WORDS.part, "", WORDS.looks, WORDS.name], lines, [1, 2]),
      make("p", {}, make("button", { type: "submit", className: "plain", id: "rename" }, WORDS.rename))),
    profiles.length ? make("p", { className: "soft" }, WORDS.profileHint) : "",
    make("div", { className: "cards" }, profiles.map((p) =>
      make("section", { className: "card", id: `profile-${p.cluster}` }, features(say(WORDS.profile, { cluster: nameOf(run, p.cluster) }), p.features.slice(0, 6))))),
    importance(run, found),
    stability(run, found),
    notes(found),
  );
};
const importance = (run, found) => {
  const pairs = found.importance.filter((pair) => pair.features.length).slice(0, 8);
  if (!pairs.length) return "";
  const lines = pairs.flatMap((pair) => pair.features.slice(0, pairs.length === 1 ? 12 : 4).map((f, i) =>
    [i ? "" : say(WORDS.pair, { a: nameOf(run, pair.a), b: nameOf(run, pair.b) }), f.name ?? found.columns[f.feature], percent(f.fraction), bar(f.fraction)]));
  return make("div", {}, make("h3", {}, WORDS.importance), make("p", { className: "soft" }, WORDS.importanceHint),
    sheet(WORDS.importance, [WORDS.clusters, WORDS.feature, WORDS.importance, ""], lines, [2]));
};
const stability = (run, found) => {
  const measured = found.stability;
  if (!measured) return "";
  const lines = measured.jaccard.map((value, i) => [nameOf(run, i), value.toFixed(2), bar(value), WORDS.stable[value >= 0.75 ? "yes" : value >= 0.6 ? "perhaps" : "no"]]);
  const said = say(WORDS.stabilityHint, { refits: measured.refits, uncertain: count(measured.uncertain), n: count(run.result.n) });
  return make("div", { id: "stability-found" }, make("h3", {}, WORDS.stability), make("p", { className: "soft" }, said),
    sheet(WORDS.stability, [WORDS.cluster, WORDS.jaccard, "", ""], lines, [1]));
};
const notes = (found) => !found.notes.length ? "" : make("div", {}, make("h3", {}, WORDS.notes),
  make("ul", {}, found.notes.map(({ text, warning }) => make("li", { className: warning ? "warning" : "" }, text))));

// Two runs side by side: the same rows in the same places, in the colours of each.
const drawCompare = async (run, panel, runs) => {
  const others = runs.filter((other) => other.state === "done" && other.table === run.table && other.run !== run.run);
  const more = make("div", { className: "again" }, make("p", {}, [run.result.k - 1, run.result.k + 1].filter((k) => k > 1).map((k) =>
    button(say(WORDS.runAgain, { k }), () => rerun(run, { k }), { id: `again-${k}` }))), without(run));
  if (!others.length) return panel.replaceChildren(make("p", { className: "soft" }, WORDS.nothingToCompare), more);
  const area = make("div", { id: "beside" });
  const select = make("select", { id: "other", onchange: () => attempt(() => beside(run, others.find((o) => o.run === Number(select.value)), area)) },
    others.map((other) => make("option", { value: other.run, selected: other === others.at(-1) }, called(other))));
  panel.replaceChildren(make("p", { className: "field" }, make("label", { htmlFor: "other" }, WORDS.compareWith), select), area, more);
  await beside(run, others.find((o) => o.run === Number(select.value)), area);
};
/** The same run without one more column. */
const without = (run) => {
  const left = run.table === table ? used().filter((name) => !run.choices.drop.includes(name)) : [];
  if (left.length < 2) return "";
  const column = make("select", { id: "without" }, left.map((name) => make("option", { value: name }, name)));
  const again = () => {
    const gone = (list) => list.filter((name) => name !== column.value);
    const { categorical, numeric, date, text } = run.choices;
    rerun(run, { drop: [...run.choices.drop, column.value], categorical: gone(categorical), numeric: gone(numeric), date: gone(date), text: gone(text) });
  };
  return make("p", { className: "field" }, make("label", { htmlFor: "without" }, WORDS.leaveOut), column, button(WORDS.runWithout, again, { id: "again-without" }));
};
const beside = async (run, other, area) => {
  const [found, data] = await Promise.all([
    get(`/api/runs/${run.run}/beside/${other.run}`),
    get(`/api/runs/${run.run}/map`).catch(() => null),
  ]);
  const colours = matched(found.table);
  const own = (c) => c;
  const theirs = (c) => (c < 0 ? -1 : colours[c]);
  const column = (one, labels, colour) => make("section", { className: "card" },
    make("h3", {}, called(one)),
    data ? smallMap(data, labels, colour, called(one)) : "",
    make("p", {}, make("b", {}, clustersOf(one)), `: ${one.result.verdict.text}`),
    make("ul", { className: "plain" }, one.result.sizes.map((size, c) => make("li", {}, key(colour(c)), `${nameOf(one, c)}: ${count(size)}`))));
  const heads = [say("{one} \\ {other}", { one: run.run, other: other.run }), ...other.result.sizes.map((_, c) => nameOf(other, c))];
  const cross = say(WORDS.cross, { one: run.run, other: other.run });
  area.replaceChildren(
    make("p", { id: "agreement", className: "verdict" }, say(WORDS.agreement, { equal: percent(found.equal), rows: count(found.rows), ari: found.ari.toFixed(3) })),
    make("h3", {}, WORDS.differs), make("ul", {}, differences(run, other)),
    make("div", { className: "pair" }, column(run, data?.labels, own), column(other, found.labels, theirs)),
    make("h3", {}, cross),
    sheet(cross, heads, found.table.map((line, a) => [nameOf(run, a), ...line.map(count)]), other.result.sizes.map((_, c) => c + 1)),
  );
};
/** The cluster of the first run that most rows of each cluster of the second are in; each at most once. */
const matched = (table) => {
  const cells = table.flatMap((line, a) => line.map((n, b) => [n, a, b])).sort((x, y) => y[0] - x[0]);
  const [taken, colours] = [new Set(), []];
  for (const [, a, b] of cells) if (!taken.has(a) && colours[b] === undefined) (colours[b] = a), taken.add(a);
  let next = table.length;
  return Array.from({ length: table[0]?.length ?? 0 }, (_, b) => colours[b] ?? next++);
};
const smallMap = (data, labels, colour, name) => {
  const [x, y] = data.axes;
  const place = (axis, from, to) => {
    const sorted = axis.values.filter((v) => v !== null).sort((a, b) => a - b);
    const [low, high] = [sorted[Math.floor(sorted.length / 200)], sorted[sorted.length - 1 - Math.floor(sorted.length / 200)]];
    return (v) => from + Math.min(1, Math.max(0, high > low ? (v - low) / (high - low) : 0.5)) * (to - from);
  };
  const [px, py] = [place(x, 6, 314), place(y, 214, 6)];
  const paths = new Map();
  data.rows.forEach((_, i) => {
    const c = labels[i] < 0 ? -1 : colour(labels[i]);
    paths.set(c, `${paths.get(c) ?? ""}M${px(x.values[i]).toFixed(1)} ${py(y.values[i]).toFixed(1)}${c < 0 ? data.cross : "h0"}`);
  });
  return svg("svg", { class: "small", viewBox: "0 0 320 220", role: "img", "aria-label": name },
    [...paths].map(([c, d]) => svg("g", { class: c < 0 ? "" : `g${c % 12}` }, svg("path", { d, class: c < 0 ? "aside" : "dots" }))));
};
const differences = (run, other) => {
  const keys = [...new Set([...Object.keys(run.choices), ...Object.keys(other.choices)])];
  const none = (value) => value === null || value === undefined || value === "" || value === false || value.length === 0;
  const text = (name, value) => none(value) ? WORDS.choices[name][1] : value === true ? WORDS.yes : [value].flat().join(", ");
  const found = keys.filter((name) => String(run.choices[name] ?? "") !== String(other.choices[name] ?? ""));
  const item = (name) => make("li", {}, say(WORDS.difference, {
    what: WORDS.choices[name][0], one: run.run, own: text(name, run.choices[name]), other: other.run, theirs: text(name, other.choices[name]) }));
  return found.length ? found.map(item) : [make("li", {}, WORDS.sameChoices)];
};

const drawReport = (run, panel) =>
  panel.replaceChildren(make("iframe", { id: "report", title: WORDS.report, sandbox: "allow-scripts allow-downloads", src: `/report/${run.run}?token=${token}` }));

const drawTake = (run, panel) => {
  const take = (file, text) => button(text, () => save(ask(`/api/runs/${run.run}/${file}`), file), { id: `take-${file}` });
  const dialect = make("select", { id: "dialect" }, options(WORDS.dialects, "duckdb"));
  const sql = button(WORDS.takeSql, () => save(ask(`/api/runs/${run.run}/rule.${dialect.value}.sql`), "rule.sql"), { id: "take-rule.sql" });
  const code = (id, title, text) => {
    const copy = button(WORDS.copy, () => attempt(async () => {
      await navigator.clipboard.writeText(text);
      copy.textContent = WORDS.copied;
    }));
    return [make("h3", {}, title), make("pre", { id, tabIndex: 0 }, text), copy];
  };
  panel.replaceChildren(
    make("h3", {}, WORDS.take),
    make("p", {}, Object.entries(WORDS.files).map(([file, text]) => take(file, text))),
    make("p", { className: "field" }, make("label", { htmlFor: "dialect" }, WORDS.sql), dialect, sql),
    ...code("command", WORDS.command, run.result.command ?? ""),
    ...(run.result.python ? code("python", WORDS.python, run.result.python) : [make("h3", {}, WORDS.python), make("p", { id: "python" }, WORDS.noPython)]),
  );
};
