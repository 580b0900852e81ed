// What every part of the page uses. What comes from the server is shown as text, never as markup.
const token = new URLSearchParams(location.search).get("token") ?? "";
const at = (id) => document.getElementById(id);
const say = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
const digits = (value) => (typeof value === "number" ? Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 20 }) : value);
const count = (value) => value.toLocaleString("en");
const percent = (value) => (value > 0 && value < 0.005 ? "< 1 %" : value >= 0.995 && value < 1 ? "> 99 %" : `${Math.round(100 * value)} %`);

/** An element with attributes and children; text is text. */
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
};
const svg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat(Infinity));
  return element;
};
const button = (text, act, attributes = {}) => make("button", { type: "button", className: "plain", onclick: act, ...attributes }, text);

/** A bar from the middle for a signed fraction, or from the left. */
const bar = (fraction, signed = false) => {
  const length = 100 * Math.min(1, Math.abs(fraction));
  const x = signed ? (fraction < 0 ? 50 - length / 2 : 50) : 0;
  return svg("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    signed ? [svg("line", { x1: 50, x2: 50, y1: 0, y2: 8, class: "axis" })] : [],
    svg("rect", { x, y: 1, width: signed ? length / 2 : length, height: 6, class: fraction < 0 ? "dull" : "good" }));
};

/** A table that scrolls by itself. */
const sheet = (label, heads, rows, numbers = []) =>
  make("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": label },
    make("table", {},
      make("thead", {}, make("tr", {}, heads.map((head, j) => head ? make("th", { scope: "col", className: numbers.includes(j) ? "number" : "" }, head) : make("td")))),
      make("tbody", {}, rows.map((cells) => make("tr", {}, cells.map((cell, j) =>
        j || cell === "" ? make("td", { className: numbers.includes(j) ? "number" : "" }, cell) : make("th", { scope: "row" }, cell)))))));

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
const get = async (path) => (await ask(path)).json();
const post = (path, value) => ask(path, { method: "POST", body: JSON.stringify(value) });
const send = async (path, value) => (await post(path, value)).json();
const attempt = async (work) => {
  try {
    complain("");
    return await work();
  } catch (error) {
    complain(error.message);
  }
};
/** Keeps an answer as a file. */
const save = (answer, file) =>
  attempt(async () => {
    const href = URL.createObjectURL(await (await answer).blob());
    make("a", { href, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
const options = (words, value) =>
  Object.entries(words).map(([key, text]) => make("option", { value: key, selected: key === value }, text));

/** A mark in the colour of a cluster. */
const key = (cluster, mark = "h0") =>
  svg("svg", { class: "key", viewBox: "-4 -4 8 8", "aria-hidden": "true" },
    svg("g", { class: `g${((cluster % 12) + 12) % 12}` }, svg("path", { d: `M0 0${mark}`, class: mark === "h0" ? "dots" : "marks" })));
