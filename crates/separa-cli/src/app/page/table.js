// The table: what is in it, and what is chosen about it.
let table = null;
let looked = null;
let suggested = null;
const dropped = new Set();
const types = new Map();
const roles = new Map();
// Columns in the order of the table; one that is left out stays in its place.
let rows = [];

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
    stability: at("stability").checked,
  };
};

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
  chooseMethod(suggested?.methods[0] ?? "mspc");
};

// The last choice counts, however long an earlier one takes.
let asked = 0;
const again = () =>
  attempt(async () => {
    const mine = ++asked;
    const found = await send("/api/look", { table, choices: choices() });
    if (mine === asked) show(found);
  });

const show = (found) => {
  looked = found.look;
  suggested = found.suggested;
  document.body.classList.remove("empty");
  const missing = looked.columns.reduce((sum, column) => sum + column.missing, 0);
  at("seen").textContent = say(WORDS.seen, {
    name: found.name,
    rows: count(looked.rows),
    columns: count(looked.columns.length),
    features: count(looked.features),
    missing: count(missing),
    copies: count(looked.duplicate_rows),
  });
  at("notices").replaceChildren(...looked.notices.slice(0, 6).map((text) => make("li", {}, text)));
  const known = new Map(looked.columns.map((column) => [column.name, column]));
  for (const name of dropped) if (!known.has(name)) known.set(name, { name, missing: "" });
  rows.forEach((name) => known.has(name) || known.set(name, { name, missing: "" }));
  if (!rows.length || ![...known.keys()].every((name) => rows.includes(name))) rows = [...known.keys()];
  const prepared = new Map(looked.preparation.columns.map((column) => [column.name, column]));
  const focus = document.activeElement?.id;
  at("columns").hidden = !rows.length;
  at("settings").hidden = false;
  at("columns").querySelector("tbody").replaceChildren(
    ...rows.map((name, i) => line(known.get(name), prepared.get(name), i)),
  );
  if (focus) at(focus)?.focus();
  hint();
};

/** Columns that become features. */
const used = () => looked.preparation.columns.filter((column) => column.role === "feature").map((column) => column.name);

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
    make("select", { id: `${kind}-${i}`, "aria-label": `${column.name}: ${WORDS[kind]}`, onchange: change }, options(words, value));
  const why = [prepared?.done, prepared?.why].filter(Boolean).join(": ");
  return make(
    "tr",
    { className: used && prepared?.role !== "left_out" ? "" : "off" },
    make("td", {}, make("input", { type: "checkbox", id: `use-${i}`, checked: used, "aria-label": `${column.name}: ${WORDS.use}`, onchange: flip })),
    make("th", { scope: "row" }, column.name),
    make("td", {}, prepared?.type ?? ""),
    make("td", {}, range(column)),
    make("td", { className: "number" }, column.missing === "" ? "" : count(column.missing)),
    make("td", {}, why),
    make("td", {}, select("as", WORDS.types, types.get(column.name) ?? "", (event) => choose(types, event.target.value))),
    make("td", {}, select("role", WORDS.roles, roles.get(column.name) ?? "feature", (event) => {
      const role = event.target.value;
      for (const [name, found] of roles) if (found === role) roles.delete(name);
      choose(roles, role === "feature" ? "" : role);
    })),
  );
};
const range = (column) => {
  const far = column.outliers ? `; ${say(WORDS.far, { count: count(column.outliers) })}` : "";
  if (column.range) return say(WORDS.range, { low: digits(column.range[0]), high: digits(column.range[2]) }) + far;
  const [word, rows] = column.most_frequent ?? [];
  return word === undefined ? "" : say(WORDS.often, { word: word.slice(0, 24), rows: count(rows) });
};

// Methods: the one that suits the table first, and why.
let methods = [];
const chooseMethod = (value) => {
  const first = suggested?.methods ?? ["mspc"];
  const order = [...first, ...methods.map(({ name }) => name).filter((name) => !first.includes(name))];
  at("method").replaceChildren(...order.map((name, i) =>
    make("option", { value: name, selected: name === value }, i ? name : say(WORDS.suggested, { name }))));
  hint();
};
const hint = () => {
  const name = at("method").value;
  const about = name === "mspc" ? WORDS.methodHint : (methods.find((method) => method.name === name)?.about ?? "");
  const best = suggested?.methods[0];
  const why = !best ? "" : say(best === name ? WORDS.suggestedHint : WORDS.notSuggested, { name: best, kind: suggested.kind });
  at("method-hint").textContent = [why, about].filter(Boolean).join(" ");
};
