// A selection of rows: a cluster that is picked shows its profile, features have ranges, rows are found by name, and what
// is selected can be saved.
const makeSelection = (plot, data, map) => {
  const ranges = new Map();
  let picked = -1;
  const counted = (n) => n.toLocaleString("en") + " " + data.thing + (n === 1 ? "" : "s");
  const nameOf = (group) => [...map.legend.children].find((item) => Number(item.dataset.group) === group).textContent.trim();

  const tools = make("details");
  tools.className = "tools";
  make("summary", "Find, filter and save " + data.thing + "s", tools);
  const field = (name, kind, inside) => {
    const label = make("label", name + " ", inside);
    const input = make("input", "", label);
    input.type = kind;
    return input;
  };
  const line = () => {
    const element = make("div", "", tools);
    element.className = "controls";
    return element;
  };
  const button = (name, inside, act) => {
    const element = make("button", name, inside);
    element.type = "button";
    element.className = "copy";
    element.addEventListener("click", act);
    return element;
  };

  // A cluster: the others fade, its profile is shown.
  const panel = make("div");
  panel.id = "picked";
  panel.setAttribute("role", "status");
  map.hover.after(panel, tools);
  const profile = () => {
    panel.replaceChildren();
    if (picked < 0) return;
    const found = data.profile[picked];
    const title = make("h3", "Cluster ", panel);
    make("bdi", nameOf(picked), title);
    if (found.name) {
      title.append(": ");
      make("bdi", found.name, title);
    }
    make("p", found.size, panel);
    if (found.features.length) {
      const holder = make("div", "", panel);
      holder.className = "scroll";
      holder.tabIndex = 0;
      const table = make("table", "", holder);
      table.setAttribute("aria-label", "What sets the cluster apart");
      const head = make("tr", "", make("thead", "", table));
      ["feature", "mean", "others", "effect"].forEach((name, j) => (make("th", name, head).className = j ? "n" : ""));
      const body = make("tbody", "", table);
      for (const feature of found.features) {
        const row = make("tr", "", body);
        feature.forEach((text, j) => (make("td", text, row).className = j ? "n" : "t"));
      }
    }
    button("All clusters", panel, () => map.pick(-1));
  };
  map.pick = (group) => {
    picked = group === picked ? -1 : group;
    for (const g of map.svg.querySelectorAll("#points [data-group]"))
      g.classList.toggle("dim", picked >= 0 && Number(g.dataset.group) !== picked);
    for (const item of map.legend.children)
      item.querySelector("button").setAttribute("aria-pressed", String(picked >= 0 && Number(item.dataset.group) === picked));
    profile();
    tell();
  };

  // A row by its name or number.
  const finding = line();
  const wanted = field("Find " + data.thing, "search", finding);
  const answer = make("span", "", finding);
  answer.setAttribute("role", "status");
  const find = () => {
    const text = wanted.value.trim().toLowerCase();
    const names = data.rows.map((name) => String(name).toLowerCase());
    let place = names.indexOf(text);
    if (place < 0) place = names.findIndex((name) => name.includes(text));
    if (!text || place < 0) {
      map.point(-1);
      answer.textContent = text ? "No " + data.thing + " that is drawn is called so." : "";
      return;
    }
    map.point(place);
    const more = names.filter((name) => name.includes(text)).length - 1;
    const exact = names[place] === text;
    answer.textContent = "Found" + (!exact && more > 0 ? ", and " + more + " more with these letters." : ".");
  };
  wanted.addEventListener("input", find);

  // Ranges of features; every feature keeps its own.
  const filtering = line();
  const label = make("label", "Filter by ", filtering);
  const feature = make("select", "", label);
  data.axes.forEach((axis, i) => !axis.blank && (make("option", axis.name, feature).value = i));
  const [low, high] = ["from", "to"].map((name) => Object.assign(field(name, "number", filtering), { step: "any" }));
  const ends = (i) => {
    const known = data.axes[i].values.filter((v) => v !== null);
    return known.length ? [Math.min, Math.max].map((end) => known.reduce((a, b) => end(a, b))) : ["", ""];
  };
  const showRange = () => {
    const i = Number(feature.value);
    const [a, b] = ranges.get(i) ?? ["", ""];
    [low.value, high.value] = [a, b];
    [low.placeholder, high.placeholder] = ends(i);
  };
  const changed = () => {
    const i = Number(feature.value);
    if (low.value === "" && high.value === "") ranges.delete(i);
    else ranges.set(i, [low.value, high.value]);
    map.redraw();
    tell();
  };
  feature.addEventListener("change", showRange);
  for (const input of [low, high]) input.addEventListener("input", changed);
  map.passes = (i) =>
    [...ranges].every(([axis, [a, b]]) => {
      const v = data.axes[axis].values[i];
      return v !== null && (a === "" || v >= Number(a)) && (b === "" || v <= Number(b));
    });
  button("No filter", filtering, () => {
    ranges.clear();
    showRange();
    map.redraw();
    tell();
  });

  // What is selected, as a file.
  const saving = line();
  const selected = () => map.chosenRows().filter((i) => picked < 0 || data.labels[i] === picked);
  const count = make("span", "", saving);
  count.id = "selected";
  count.setAttribute("role", "status");
  const tell = () => {
    const filters = [...ranges].map(([i, [a, b]]) => data.axes[i].name + (a === "" ? "" : " from " + a) + (b === "" ? "" : " to " + b));
    count.replaceChildren(counted(selected().length) + " of " + counted(data.rows.length) + " drawn are selected");
    if (map.hasRegion()) count.append(", within the rectangle");
    if (picked >= 0) count.append(", cluster ", make("bdi", nameOf(picked)));
    for (const said of filters) count.append(", ", make("bdi", said));
  };
  const cell = (value) => (/[",\n\r]/.test(String(value)) ? '"' + String(value).replaceAll('"', '""') + '"' : String(value ?? ""));
  button("Save as CSV", saving, () => {
    const axes = data.axes.filter((axis) => !axis.blank);
    const lines = [[data.thing, "cluster", ...axes.map((axis) => axis.name)]];
    for (const i of selected()) lines.push([data.rows[i], data.labels[i] < 0 ? -1 : nameOf(data.labels[i]), ...axes.map((axis) => axis.values[i])]);
    const text = lines.map((values) => values.map(cell).join(",") + "\n").join("");
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "selection.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  map.selected = () => tell();
  showRange();
  tell();
};

{
  const [plot, holder] = ["plot", "data"].map((id) => document.getElementById(id));
  if (plot && holder) {
    const data = JSON.parse(holder.textContent);
    makeSelection(plot, data, makeMap(plot, data, MAP_WORDS));
  }
}
