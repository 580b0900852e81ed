// The page: what is chosen goes to the server as it is, and what comes back is shown as text, never as markup.
const token = new URLSearchParams(location.search).get("token") ?? "";
const at = (id) => document.getElementById(id);
const say = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
const digits = (value) => (typeof value === "number" ? Number(value.toPrecision(4)).toLocaleString("en") : value);
const percent = (value) => `${(100 * value).toFixed(1)} %`;

/** An element with attributes and children; text is text. */
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const complain = (text) => {
  at("said").textContent = text;
  at("said").hidden = !text;
};

/** Asks the server; a refusal is an error with its sentence. */
const ask = async (path, options = {}) => {
  let answer;
  try {
    answer = await fetch(path, { ...options, headers: { "x-separa-token": token, ...options.headers } });
  } catch {
    throw new Error(WORDS.gone);
  }
  if (!answer.ok) {
    const { error } = await answer.json().catch(() => ({ error: { message: answer.statusText } }));
    throw new Error([error.message, error.remedy].filter(Boolean).join("; "));
  }
  return answer;
};
const send = async (path, value) => (await ask(path, { method: "POST", body: JSON.stringify(value) })).json();
const attempt = async (work) => {
  try {
    complain("");
    return await work();
  } catch (error) {
    complain(error.message);
  }
};

// What is chosen.
let table = null;
let looked = null;
const dropped = new Set();
const types = new Map();
const roles = new Map();
// Columns in the order of the table; one that is left out stays in its place.
let rows = [];
let chosen = null;

const choices = () => {
  const of = (kind) => [...types].filter(([, type]) => type === kind).map(([name]) => name);
  const role = (kind) => [...roles].find(([, found]) => found === kind)?.[0];
  const taken = new Set([...dropped, role("id"), role("truth")]);
  const typed = (kind) => of(kind).filter((name) => !taken.has(name));
  return {
    k: at("k").value ? Number(at("k").value) : undefined,
    method: at("method").value === "mspc" ? undefined : at("method").value,
    drop: [...dropped],
    categorical: typed("categorical"),
    numeric: typed("numeric"),
    date: typed("date"),
    text: typed("text"),
    id: role("id"),
    truth: role("truth"),
    missing: at("missing").value || undefined,
    scaling: at("scaling").value || undefined,
    seed: Number(at("seed").value) || 0,
  };
};

// The table and its columns.
const give = (file) =>
  attempt(async () => {
    at("seen").textContent = say(WORDS.reading, { name: file.name });
    const headers = { "x-separa-name": encodeURIComponent(file.name), "content-type": "application/octet-stream" };
    const answer = await ask("/api/tables", { method: "POST", body: file, headers }).catch((error) => {
      at("seen").textContent = "";
      throw error;
    });
    begin(await answer.json());
  });

const begin = (found) => {
  table = found.table;
  rows = [];
  [dropped, types, roles].forEach((kept) => kept.clear());
  at("k").value = "";
  show(found);
};

const again = () => attempt(async () => show(await send("/api/look", { table, choices: choices() })));

const show = (found) => {
  looked = found.look;
  const missing = looked.columns.reduce((sum, column) => sum + column.missing, 0);
  at("seen").textContent = say(WORDS.seen, {
    name: found.name,
    rows: digits(looked.rows),
    columns: digits(looked.columns.length),
    features: digits(looked.features),
    missing: digits(missing),
    copies: digits(looked.duplicate_rows),
  });
  const known = new Map(looked.columns.map((column) => [column.name, column]));
  for (const name of dropped) if (!known.has(name)) known.set(name, { name, missing: "" });
  rows.forEach((name) => known.has(name) || known.set(name, { name, missing: "" }));
  if (!rows.length || ![...known.keys()].every((name) => rows.includes(name))) rows = [...known.keys()];
  const prepared = new Map(looked.preparation.columns.map((column) => [column.name, column]));
  const focus = document.activeElement?.id;
  at("columns").hidden = false;
  at("settings").hidden = false;
  at("columns").querySelector("tbody").replaceChildren(
    ...rows.map((name, i) => line(known.get(name), prepared.get(name), i)),
  );
  if (focus) at(focus)?.focus();
};

const line = (column, prepared, i) => {
  const used = !dropped.has(column.name);
  const flip = (event) => {
    dropped[event.target.checked ? "delete" : "add"](column.name);
    again();
  };
  const choose = (kept, value) => {
    if (value) kept.set(column.name, value);
    else kept.delete(column.name);
    again();
  };
  const select = (kind, words, value, change) =>
    make("select", { id: `${kind}-${i}`, "aria-label": `${column.name}: ${WORDS[kind]}`, onchange: change }, ...options(words, value));
  return make(
    "tr",
    { className: used && prepared?.role !== "left_out" ? "" : "off" },
    make("td", {}, make("input", { type: "checkbox", id: `use-${i}`, checked: used, "aria-label": `${column.name}: ${WORDS.use}`, onchange: flip })),
    make("th", { scope: "row" }, column.name),
    make("td", {}, prepared?.type ?? ""),
    make("td", {}, range(column)),
    make("td", { className: "number" }, String(digits(column.missing ?? ""))),
    make("td", {}, [prepared?.done, prepared?.why].filter(Boolean).join(": ")),
    make("td", {}, select("as", WORDS.types, types.get(column.name) ?? "", (event) => choose(types, event.target.value))),
    make("td", {}, select("role", WORDS.roles, roles.get(column.name) ?? "feature", (event) => {
      const role = event.target.value;
      for (const [name, found] of roles) if (found === role) roles.delete(name);
      choose(roles, role === "feature" ? "" : role);
    })),
  );
};
const range = (column) => {
  if (column.range) return say(WORDS.range, { low: digits(column.range[0]), high: digits(column.range[2]) });
  const [word, count] = column.most_frequent ?? [];
  return word === undefined ? "" : say(WORDS.often, { word: word.slice(0, 24), rows: digits(count) });
};
const options = (words, value) =>
  Object.entries(words).map(([key, text]) => make("option", { value: key, selected: key === value }, text));

// Runs.
const fit = () =>
  attempt(async () => {
    const { run } = await send("/api/runs", { table, choices: choices() });
    chosen = run;
    drawn = null;
    await refresh();
  });

let drawn = null;
let pending = false;
const refresh = async () => {
  const state = await (await ask("/api/state")).json();
  pending = state.runs.some((run) => ["waiting", "running"].includes(run.state));
  list(state.runs);
  const run = state.runs.find((found) => found.run === chosen);
  if (run?.state === "done") await result(run);
  else at("result").hidden = true;
  return state;
};

const called = (run) =>
  say(WORDS.runName, {
    run: run.run,
    file: run.file,
    k: run.choices.k ? say(WORDS.given, { k: run.choices.k }) : WORDS.auto,
    method: run.choices.method ?? "mspc",
  });
const doing = ({ progress }) => {
  const steps = [say(WORDS.running, { phase: progress.phase, seconds: progress.seconds.toFixed(1) })];
  if (progress.start) steps.push(say(WORDS.start, progress.start));
  if (progress.iteration) steps.push(say(WORDS.iteration, progress.iteration));
  return steps.join(" · ");
};
let listed = "";
const list = (runs) => {
  const now = JSON.stringify([chosen, runs]);
  if (now === listed) return;
  listed = now;
  const focus = document.activeElement?.id;
  const item = (run) => {
    const open = make("button", { type: "button", className: "plain", id: `run-${run.run}`, onclick: () => choose(run.run) }, called(run));
    const stop = make("button", { type: "button", id: `stop-${run.run}`, onclick: () => attempt(() => send(`/api/runs/${run.run}/stop`, {})) }, WORDS.stop);
    const parts = {
      waiting: () => [open, ` ${WORDS.waiting} `, stop],
      running: () => [open, ` ${doing(run)} `, stop],
      failed: () => [open, ` ${WORDS.failed}: ${run.error}`],
      done: () => [open, ` ${run.result.verdict.text}`],
    };
    return make("li", { value: run.run, className: run.run === chosen ? "chosen" : "" }, ...parts[run.state]());
  };
  at("runs").replaceChildren(...(runs.length ? runs.map(item).reverse() : [make("li", {}, WORDS.noRuns)]));
  if (focus) at(focus)?.focus();
};
const choose = (run) => {
  chosen = run;
  drawn = null;
  attempt(refresh);
};

// One result.
const result = async (run) => {
  const key = JSON.stringify([run.run, run.result.names]);
  at("result").hidden = false;
  if (drawn === key) return;
  drawn = key;
  const found = run.result;
  const agreement = await (await ask(`/api/runs/${run.run}/agreement`)).json();
  const names = new Map(found.names);
  at("facts").replaceChildren(
    make("p", { className: "verdict" }, found.verdict.text),
    make("p", {}, say(WORDS.summary, { ...found, k: found.k, n: digits(found.n), seconds: found.seconds.toFixed(2) })),
    found.stopped ? make("p", {}, WORDS.stopped) : "",
    found.truth ? make("p", {}, say(WORDS.truth, { accuracy: percent(found.truth.accuracy), ari: found.truth.ari.toFixed(3) })) : "",
    clusters(run, names),
    ...(agreement.length ? [make("h3", {}, WORDS.agreement), make("ul", {}, ...agreement.map(agrees))] : []),
    make("h3", {}, WORDS.take),
    make("p", {}, ...Object.entries(WORDS.files).map(([file, text]) =>
      make("button", { type: "button", className: "plain", id: `take-${file}`, onclick: () => take(run.run, file) }, text))),
    make("h3", {}, WORDS.command),
    make("pre", { id: "command", tabIndex: 0 }, found.command ?? ""),
    make("h3", {}, WORDS.python),
    make("pre", { id: "python", tabIndex: 0 }, found.python ?? WORDS.noPython),
  );
  at("report").src = `/report/${run.run}?token=${token}`;
};
const agrees = ({ run, equal, ari }) =>
  make("li", {}, say(WORDS.agreementLine, { run, equal: percent(equal), ari: ari.toFixed(3) }));
const clusters = (run, names) => {
  const inputs = run.result.sizes.map((size, i) =>
    make("input", { id: `name-${i}`, value: names.get(i) ?? "", "aria-label": `${WORDS.name} ${i}` }));
  const save = (event) => {
    event.preventDefault();
    const given = inputs.map((input, i) => [i, input.value.trim()]).filter(([, name]) => name);
    attempt(async () => (await send(`/api/runs/${run.run}/names`, { names: given }), refresh()));
  };
  const head = [WORDS.sizes, WORDS.size, WORDS.name].map((word) => make("th", { scope: "col" }, word));
  const body = run.result.sizes.map((size, i) =>
    make("tr", {}, make("th", { scope: "row" }, String(i)), make("td", {}, digits(size)), make("td", {}, inputs[i])));
  return make("form", { onsubmit: save },
    make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)),
    make("p", {}, make("button", { type: "submit", className: "plain", id: "rename" }, WORDS.rename)));
};
const take = (run, file) =>
  attempt(async () => {
    const href = URL.createObjectURL(await (await ask(`/api/runs/${run}/${file}`)).blob());
    make("a", { href, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });

// Once, at the beginning.
const fillIn = (state) => {
  document.querySelectorAll("[data-word]").forEach((element) => (element.textContent = WORDS[element.dataset.word]));
  at("report").title = WORDS.report;
  const heads = ["use", "column", "type", "values", "missing", "done", "as", "role"];
  at("columns").querySelector("thead tr").replaceChildren(...heads.map((word) => make("th", { scope: "col" }, WORDS[word])));
  at("method").replaceChildren(...state.methods.map(({ name }) => make("option", { value: name }, name)));
  const hint = () => {
    const about = state.methods.find(({ name }) => name === at("method").value)?.about;
    at("method-hint").textContent = at("method").value === "mspc" ? WORDS.methodHint : (about ?? "");
  };
  at("method").addEventListener("change", hint);
  hint();
  at("missing").replaceChildren(...options(WORDS.fills, ""));
  at("scaling").replaceChildren(...options(WORDS.scalings, ""));
};
const listen = () => {
  at("file").addEventListener("change", (event) => event.target.files[0] && give(event.target.files[0]));
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
  setTimeout(watch, pending ? 250 : 3000);
};

await attempt(async () => {
  const state = await (await ask("/api/state")).json();
  fillIn(state);
  listen();
  watch();
  const last = state.tables.at(-1);
  if (last) begin(await send("/api/look", { table: last.table }));
});
