// One run, looked at: its map, rows to check, why a row is where it is, what a selection has in common.
const nameOf = (run, cluster) => {
  const name = new Map(run.result.names).get(cluster);
  return name ? `${name} (${cluster})` : String(cluster);
};

/** The frame that the map is drawn into. */
const mapFrame = (run, data) => {
  const outliers = data.labels.includes(-1);
  const clusters = [...Array(data.k).keys()];
  const mark = (c) => data.marks[c % data.marks.length];
  const group = (c) => svg("g", { class: `g g${c % 12}`, "data-group": c }, svg("path", { class: mark(c) === "h0" ? "dots" : "marks" }));
  const layer = (id, ...children) => svg("g", { id }, children);
  const figure = svg("svg", { viewBox: `0 0 ${data.width} ${data.height}`, role: "img", "aria-label": say(WORDS.mapSays, { n: data.rows.length, k: data.k }) },
    layer("regions"), layer("strip"), layer("frame"), layer("boundary"),
    layer("points", outliers ? svg("path", { class: "aside" }) : [], clusters.map(group)), layer("middles"));
  const item = (c) => make("li", { "data-group": c }, key(c, c < 0 ? data.cross : mark(c)), make("span", {}, c < 0 ? WORDS.map.outlier.slice(2) : nameOf(run, c)));
  return make("div", { id: "plot" },
    make("figure", {}, figure, make("figcaption", {}, data.caption)),
    make("ul", { className: "legend", "aria-label": WORDS.clusters }, clusters.map(item), outliers ? item(-1) : null));
};

const drawMap = async (run, panel) => {
  panel.replaceChildren(make("p", { role: "status" }, WORDS.drawing));
  const data = await get(`/api/runs/${run.run}/map`).catch((error) => error);
  if (data instanceof Error) {
    panel.replaceChildren(make("p", {}, say(WORDS.noMap, { why: data.message })), finder(run));
    return;
  }
  const plot = mapFrame(run, data);
  const side = make("div", { id: "side" });
  panel.replaceChildren(make("div", { className: "two" }, plot, make("div", {}, finder(run), side)));
  const map = makeMap(plot, data, WORDS.map);
  map.redraw();
  rest(side);
  map.picked = (i) => explain(run, data.places[i], side);
  map.pick = (cluster) => {
    for (const g of map.svg.querySelectorAll("#points [data-group]"))
      g.classList.toggle("dim", false);
    for (const item of map.legend.children) {
      const pressed = Number(item.dataset.group) === cluster && cluster >= 0 && item.querySelector("button").getAttribute("aria-pressed") !== "true";
      item.querySelector("button").setAttribute("aria-pressed", String(pressed));
      if (pressed) {
        for (const g of map.svg.querySelectorAll("#points [data-group]")) g.classList.toggle("dim", Number(g.dataset.group) !== cluster);
        profileOf(run, cluster).then((found) => found && side.replaceChildren(found));
      }
    }
  };
  map.selected = () => {
    if (!map.hasRegion()) return rest(side);
    const places = map.chosenRows().map((i) => data.places[i]);
    attempt(() => selection(run, places, data.rows.length, side, map.clear));
  };
};
const rest = (side) => side.replaceChildren(make("p", { className: "soft" }, WORDS.explainHint), make("p", { className: "soft" }, WORDS.noSelection));

/** What selected rows have in common. */
const selection = async (run, places, drawn, side, clear) => {
  const found = await send(`/api/runs/${run.run}/selection`, { rows: places });
  const sizes = found.sizes.map((rows, cluster) => [rows, cluster]).filter(([rows]) => rows);
  side.replaceChildren(
    make("h3", { id: "selected" }, say(WORDS.selection, { rows: count(found.rows), drawn: count(drawn) })),
    make("ul", { className: "plain" }, sizes.map(([rows, cluster]) =>
      make("li", {}, key(cluster), say(WORDS.selectionSizes, { cluster: nameOf(run, cluster), rows: count(rows) })))),
    found.features ? features(WORDS.selectionApart, found.features) : "",
    make("p", {},
      button(WORDS.saveSelection, () => save(post(`/api/runs/${run.run}/selection.csv`, { rows: places }), "selection.csv"), { id: "save-selection" }),
      button(WORDS.clearSelection, clear)),
  );
};

/** Features with what they are in some rows and in all others. */
const features = (title, list) =>
  make("div", {}, make("h3", {}, title),
    sheet(title, [WORDS.feature, WORDS.mean, WORDS.others, WORDS.effect, ""], list.map((f) =>
      [f.name, digits(f.mean), digits(f.others), f.effect.toFixed(1), bar(f.effect / 3, true)]), [1, 2, 3]));

const finder = (run) => {
  const answer = make("ul", { className: "plain", "aria-live": "polite", id: "found" });
  const input = make("input", { type: "search", id: "find", placeholder: WORDS.findHint, autocomplete: "off" });
  let last = 0;
  const look = () =>
    attempt(async () => {
      const mine = ++last;
      const text = input.value.trim();
      const found = text ? await send(`/api/runs/${run.run}/find`, { text }) : { rows: [], more: 0 };
      if (mine !== last) return;
      const items = found.rows.map((row) => make("li", {}, rowButton(run, row, say(WORDS.found, { name: row.name, cluster: nameOf(run, row.cluster) }))));
      if (found.more) items.push(make("li", {}, say(WORDS.foundMore, { more: count(found.more) })));
      answer.replaceChildren(...(text && !items.length ? [make("li", {}, WORDS.foundNone)] : items));
    });
  input.addEventListener("input", look);
  return make("div", { className: "finder" }, make("label", { htmlFor: "find" }, WORDS.find), input, answer);
};
const rowButton = (run, row, text) =>
  button(text, (event) => {
    const panel = event.target.closest("[role=tabpanel]");
    let side = panel.querySelector("#side, .side");
    explain(run, row.place, side);
  }, { className: "link" });

/** Why a row is where it is. */
const explain = (run, place, side) =>
  attempt(async () => {
    const found = await get(`/api/runs/${run.run}/explain/${place}`);
    const most = Math.max(...found.adds.map(({ adds }) => Math.abs(adds)), 1e-300);
    const title = say(found.outlier ? WORDS.whyOutlier : WORDS.why, { name: found.name, cluster: nameOf(run, found.cluster) });
    side.replaceChildren(
      make("h3", { className: "why", tabIndex: -1 }, title),
      ...found.said.slice(0, 1).map((text) => make("p", {}, text)),
      sheet(WORDS.adds, [WORDS.column, WORDS.values, WORDS.adds, ""], found.adds.map(({ column, value, adds }) =>
        [column, value, digits(adds), bar(adds / most, true)]), [1, 2]),
      ...found.said.slice(1).map((text) => make("p", { className: "soft" }, text)),
    );
    side.querySelector(".why").focus({ preventScroll: false });
  });

const drawRows = async (run, panel) => {
  panel.replaceChildren(make("p", { role: "status" }, WORDS.drawing));
  const found = await get(`/api/runs/${run.run}/rows`).catch((error) => error);
  const side = make("div", { className: "side" }, make("p", { className: "soft" }, WORDS.explainHint));
  if (found instanceof Error) return panel.replaceChildren(make("p", {}, found.message));
  const list = (title, rows, text, id) => !rows.length ? "" : make("div", {}, make("h3", {}, title),
    make("ol", { className: "plain", id }, rows.map((row) => make("li", {}, key(row.cluster), rowButton(run, row, say(text, {
      name: row.name, cluster: nameOf(run, row.cluster), other: nameOf(run, row.other), p: row.p === undefined ? "" : digits(row.p) }))))));
  const odd = found.odd;
  panel.replaceChildren(make("div", { className: "two" }, make("div", {},
    finder(run),
    found.outliers ? make("p", {}, say(WORDS.outliers, { count: count(found.outliers) })) : "",
    odd ? list(WORDS.odd, odd.rows.slice(0, 10), WORDS.oddLine, "odd") : "",
    odd ? make("p", { className: "soft" }, say(WORDS.oddCount, { count: count(odd.count), limit: digits(odd.limit) })) : "",
    list(WORDS.close, found.close, WORDS.closeLine, "close"),
    list(WORDS.typical, found.typical, WORDS.typicalLine, "typical")), side));
};
