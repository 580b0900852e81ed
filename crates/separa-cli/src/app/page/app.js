// Runs, tabs, and the beginning.
let chosen = null;
let tab = "map";
let pending = false;
let known = [];
let stages = [];

const fit = () => rerun(null, {});
/** The same again with other choices; those of the page if there is no run. */
const rerun = (run, changes) =>
  attempt(async () => {
    const wanted = { ...(run?.choices ?? choices()), ...changes };
    const { run: number } = await send("/api/runs", { table: run?.table ?? table, choices: wanted });
    chosen = number;
    await refresh();
    at(pending ? "working" : "result").scrollIntoView({ block: "nearest" });
  });

const refresh = async () => {
  const state = await get("/api/state");
  [known, stages] = [state.runs, state.stages];
  pending = known.some(busy);
  list(known);
  const run = known.find((found) => found.run === chosen);
  working(run);
  at("result").hidden = run?.state !== "done";
  if (run?.state === "done") result(run);
  return state;
};

const busy = (run) => ["waiting", "running"].includes(run.state);
const called = (run) => `${say(WORDS.runName, { run: run.run })}: ${about(run)}`;
const about = (run) =>
  say(WORDS.runAbout, {
    k: run.choices.k ? say(WORDS.given, { k: run.choices.k }) : WORDS.auto,
    method: run.choices.method ?? "mspc",
    without: run.choices.drop.length ? say(WORDS.without, { columns: run.choices.drop.join(", ").slice(0, 60) }) : "",
  });

/** What ends a run: with the best so far, then, for those who do not wait for it, at once. */
const ending = (run, id) => {
  if (!busy(run)) return null;
  const stopping = run.progress.stopping;
  const act = (what) => async ({ target }) => {
    target.disabled = true;
    await attempt(() => send(`/api/runs/${run.run}/${what}`, {}));
    await attempt(refresh);
  };
  if (stopping === null) return button(run.state === "waiting" ? WORDS.stopWaiting : WORDS.stop, act("stop"), { id });
  return stopping > IMPATIENT ? button(WORDS.endNow, act("end"), { id: `${id}-now` }) : null;
};
const IMPATIENT = 3;
const impatient = (run) => (run.progress.stopping ?? 0) > IMPATIENT;

let listed = "";
const list = (runs) => {
  const changes = (run) => [run.run, run.state, run.result?.verdict, run.error, run.progress.stage, run.progress.stopping !== null, impatient(run)];
  const now = JSON.stringify([chosen, alike.run, alike.found.size, runs.map(changes)]);
  if (now === listed) return;
  listed = now;
  const focus = document.activeElement?.id;
  const item = (run) => {
    const text = {
      waiting: () => WORDS.waiting,
      running: () => (run.progress.stopping === null ? `${WORDS.stages[stages[run.progress.stage]]} …` : WORDS.stopping),
      failed: () => `${WORDS.failed}: ${run.error}`,
      done: () => [clustersOf(run), alike.found.has(run.run) ? ` · ${say(WORDS.agreementShort, { run: alike.run, ari: alike.found.get(run.run).toFixed(3) })}` : ""].join(""),
    };
    const open = button(say(WORDS.runName, { run: run.run }), () => choose(run.run), { id: `run-${run.run}`, "aria-current": run.run === chosen ? "true" : "false" });
    return make("li", { value: run.run, className: run.run === chosen ? "chosen" : "" }, open,
      make("span", {}, text[run.state](), make("br"), make("span", { className: "soft" }, `${about(run)} · ${run.file}`)), ending(run, `stop-${run.run}`));
  };
  at("runs").replaceChildren(...(runs.length ? runs.map(item).reverse() : [make("li", { className: "none" }, WORDS.noRuns)]));
  if (focus) at(focus)?.focus();
};
const choose = (run) => {
  chosen = run;
  attempt(async () => {
    // A page that has no table yet takes the one of the run.
    const { table: its } = known.find((found) => found.run === run);
    if (table === null) await send("/api/look", { table: its }).then(begin, () => document.body.classList.remove("empty"));
    await refresh();
  });
};
// How far the other runs on the same table agree with the chosen one.
const alike = { run: null, found: new Map() };
const agreements = async (run) => {
  const found = await get(`/api/runs/${run.run}/agreement`).catch(() => []);
  [alike.run, alike.found] = [run.run, new Map(found.map((other) => [other.run, other.ari]))];
};

// A run on its way: its steps, how long it takes, and the way out.
let worked = "";
const working = (run) => {
  const area = at("working");
  area.hidden = !["waiting", "running", "failed"].includes(run?.state);
  const { stage, verdict, stopping } = run?.progress ?? {};
  // Buttons stay where they are while they are pressed: only what counts time changes all the time.
  const now = area.hidden ? "" : JSON.stringify([run.run, run.state, stage, verdict, stopping === null, impatient(run)]);
  if (now !== worked) {
    worked = now;
    const focus = document.activeElement?.id;
    area.replaceChildren(...(area.hidden ? [] : run.state === "failed" ? [make("p", {}, `${called(run)}: ${run.error}`)] : steps(run)));
    if (focus) at(focus)?.focus();
  }
  if (!area.hidden && run.state !== "failed") remaining(run);
};
const steps = (run) => {
  const { stage, verdict, stopping } = run.progress;
  return [
    make("p", {}, make("b", {}, called(run))),
    verdict ? make("p", { className: "verdict", id: "first" }, verdict) : "",
    make("ol", { className: "steps" }, stages.map((name, i) => make("li", { className: i < stage ? "over" : i === stage ? "now" : "" }, WORDS.stages[name]))),
    make("progress", { max: 1, id: "meter", "aria-label": called(run) }),
    make("p", { id: "remaining" }),
    stopping === null ? "" : make("p", { className: "stopped" }, WORDS.stopping),
    ending(run, "stop") ?? "",
  ];
};
const remaining = (run) => {
  const { start, seconds, left, stopping } = run.progress;
  const said = [say(WORDS.elapsed, { seconds: seconds.toFixed(1) })];
  const foretold = left !== null && stopping === null;
  if (foretold) said.push(say(WORDS.left, { left: left < 1 ? 1 : Math.ceil(left) }));
  if (start) said.push(say(WORDS.start, start));
  at("remaining").textContent = run.state === "waiting" ? WORDS.waiting : said.join(" · ");
  if (foretold) at("meter").value = seconds / (seconds + left);
  else at("meter").removeAttribute("value");
};

// One result, tab by tab; each is drawn when it is looked at.
let drawn = "";
const result = (run) => {
  const now = JSON.stringify([run.run, run.result.names, known.filter((other) => other.state === "done").length]);
  const same = drawn && JSON.parse(drawn).slice(0, 2).join() === JSON.parse(now).slice(0, 2).join();
  if (drawn === now) return;
  drawn = now;
  agreements(run).then(() => list(known));
  if (same && tab !== "compare") return filled.delete("compare");
  facts(run);
  filled.clear();
  openTab(run, tab);
};
const filled = new Set();
const draws = { map: drawMap, clusters: drawClusters, rows: drawRows, compare: (run, panel) => drawCompare(run, panel, known), report: drawReport, take: drawTake };
const openTab = (run, name) => {
  tab = name;
  for (const each of Object.keys(WORDS.tabs)) {
    const on = each === name;
    at(`tab-${each}`).setAttribute("aria-selected", String(on));
    at(`tab-${each}`).tabIndex = on ? 0 : -1;
    at(`panel-${each}`).hidden = !on;
  }
  if (filled.has(name)) return;
  filled.add(name);
  attempt(() => draws[name](run, at(`panel-${name}`)));
};
const makeTabs = () => {
  const names = Object.keys(WORDS.tabs);
  const current = () => known.find((run) => run.run === chosen);
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(tab) + step + names.length) % names.length];
    openTab(current(), next);
    at(`tab-${next}`).focus();
  };
  at("tabs").setAttribute("aria-label", WORDS.result);
  at("tabs").replaceChildren(...names.map((name) =>
    make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => openTab(current(), name), onkeydown: move }, WORDS.tabs[name])));
  at("panels").replaceChildren(...names.map((name) =>
    make("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, hidden: true })));
};

// Once, at the beginning.
const fillIn = (state) => {
  document.querySelectorAll("[data-word]").forEach((element) => (element.textContent = WORDS[element.dataset.word]));
  const heads = ["use", "column", "type", "values", "missing", "done", "as", "role"];
  at("columns").querySelector("thead tr").replaceChildren(...heads.map((word) => make("th", { scope: "col" }, WORDS[word])));
  methods = state.methods;
  chooseMethod("mspc");
  at("missing").replaceChildren(...options(WORDS.fills, ""));
  at("scaling").replaceChildren(...options(WORDS.scalings, ""));
  makeTabs();
};
const listen = () => {
  at("file").addEventListener("change", (event) => event.target.files[0] && give(event.target.files[0]));
  at("method").addEventListener("change", hint);
  at("missing").addEventListener("change", again);
  document.querySelector("#settings form").addEventListener("submit", (event) => (event.preventDefault(), fit()));
  const over = (event) => (event.preventDefault(), at("drop").classList.toggle("over", event.type === "dragover"));
  ["dragover", "dragleave"].forEach((name) => document.addEventListener(name, over));
  document.addEventListener("drop", (event) => {
    over(event);
    const file = event.dataTransfer?.files[0];
    if (file) give(file);
  });
};
const watch = async () => {
  await refresh().catch((error) => complain(error.message));
  setTimeout(watch, pending ? 150 : 3000);
};

await attempt(async () => {
  const state = await get("/api/state");
  fillIn(state);
  listen();
  const last = state.tables.at(-1);
  if (last) begin(await send("/api/look", { table: last.table }));
  watch();
});
