// The map: axes to choose, a feature to colour by, clusters to hide, rows to name, a region to select.
const makeMap = (plot, data, words) => {
  const svg = plot.querySelector("figure svg");
  const layer = (id) => svg.querySelector("#" + id);
  const hidden = new Set();
  // Which rows pass the filters, and what happens when a cluster, a row or a region is picked: others have their say.
  const map = { passes: () => true, pick: () => {}, picked: () => {}, selected: () => {} };
  const shown = (i) => !hidden.has(data.labels[i]) && map.passes(i);
  let chosen = [0, 1];
  let places = [];
  // Corners of the region that is selected, in the units of the figure; none if everything is.
  let region = null;
  const inside = (i) => {
    if (!region) return true;
    const [[a, b], [c, d], [x, y]] = [...region, places[i]];
    return x >= Math.min(a, c) && x <= Math.max(a, c) && y >= Math.min(b, d) && y <= Math.max(b, d);
  };
  // The feature that colours stand for, by its axis; none for clusters.
  const SHADES = 8;
  let coloured = -1;

  const scale = (values, [from, to]) => {
    const sorted = values.filter((v) => v !== null).sort((a, b) => a - b);
    let [low, high] = sorted.length ? [sorted[0], sorted[sorted.length - 1]] : [0, 1];
    const cut = Math.floor(sorted.length / 200);
    if (sorted.length) {
      const [a, b] = [sorted[cut], sorted[sorted.length - 1 - cut]];
      const reach = 1.5 * (b - a);
      if (reach > 0) [low, high] = [Math.max(low, a - reach), Math.min(high, b + reach)];
    }
    const room = 0.03 * (high - low) || Math.max(0.1 * Math.abs(low), 0.5);
    [low, high] = [low - room, high + room];
    const at = (v) => from + Math.min(1, Math.max(0, (v - low) / (high - low))) * (to - from);
    return { low, high, at };
  };
  // As number::tick of the engine writes it.
  const written = (v, step) => {
    const size = Math.max(Math.abs(v), step);
    if (Math.abs(v) < step * 1e-6) return "0";
    const digits = (u, s) => u.toFixed(Math.min(17, Math.max(0, Math.ceil(-Math.log10(s) - 1e-9))));
    if (size < 1e-4 || size >= 1e15) {
      const places = Math.min(16, Math.max(0, Math.ceil(Math.log10(Math.abs(v) / step))));
      const [number, power] = v.toExponential(places).replace("+", "").split("e");
      return (number.includes(".") ? number.replace(/\.?0+$/, "") : number) + "e" + power;
    }
    for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"]])
      if (size >= unit && step >= unit / 1000) return digits(v / unit, step / unit) + letter;
    return digits(v, step);
  };
  const ticks = ({ low, high }, most = 5) => {
    const least = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find((f) => f * power >= least * (1 - 1e-12)) * power;
    const found = [];
    for (let i = Math.ceil(low / step); i <= Math.floor(high / step) && found.length < 20; i++) found.push(i * step);
    return found.map((v) => [v, written(v, step)]);
  };
  const longest = (found) => Math.max(0, ...found.map(([, text]) => text.length));
  const ticksWithin = (scale, room) => {
    const choices = [5, 3, 2].map((most) => ticks(scale, most));
    return choices.find((found) => found.length * (longest(found) + 1) <= room) ?? choices[2];
  };

  const short = (text) => ([...text].length > 44 ? [...text].slice(0, 43).join("") + "…" : text);

  // Where every row lies; what the page shows at first lies there already.
  const place = () => {
    const [x, y] = chosen.map((i) => data.axes[i]);
    const [sx, sy] = [scale(x.values, data.across), scale(y.values, data.up)];
    places = data.rows.map((_, i) => [sx.at(x.values[i]), sy.at(y.values[i])]);
    return { x, y, sx, sy };
  };

  const redraw = () => {
    const { x, y, sx, sy } = place();
    const [left, right] = data.across;
    const [bottom, top] = data.up;
    const [room, beside] = data.room;
    for (const id of ["frame", "strip", "boundary", "middles"]) layer(id).replaceChildren();
    const frame = layer("frame");
    if (!x.blank) for (const [v, text] of ticksWithin(sx, room)) {
      shape("line", frame, { class: "grid", x1: sx.at(v), x2: sx.at(v), y1: bottom, y2: top });
      shape("text", frame, { class: "tick", x: sx.at(v), y: bottom + 18, "text-anchor": "middle" }, text);
    }
    const upward = y.blank ? [] : ticks(sy);
    const within = longest(upward) > beside;
    for (const [v, text] of upward) {
      const at = sy.at(v);
      shape("line", frame, { class: "grid", x1: left, x2: right, y1: at, y2: at });
      const where = within ? { x: left + 4, y: at - 4, "text-anchor": "start" } : { x: left - 6, y: at + 5, "text-anchor": "end" };
      shape("text", frame, { class: "tick", ...where }, text);
    }
    shape("line", frame, { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom });
    shape("line", frame, { class: "axis", x1: left, x2: left, y1: bottom, y2: top });
    if (!x.blank) shape("text", frame, { class: "name", x: (left + right) / 2, y: data.height - 10, "text-anchor": "middle" }, short(x.name));
    if (!y.blank) shape("text", frame, { class: "name", x: left - 6, y: top - 10, "text-anchor": "start" }, "↑ " + short(y.name));
    if (x.decision && sx.low <= 0 && sx.high >= 0) {
      if (data.strip) {
        const [a, b] = data.strip.map(sx.at);
        shape("rect", layer("strip"), { class: "strip", x: a, y: top, width: Math.max(0, b - a), height: bottom - top });
      }
      shape("line", layer("boundary"), { class: "boundary", x1: sx.at(0), x2: sx.at(0), y1: bottom, y2: top });
    }
    if (y.decision && sy.low <= 0 && sy.high >= 0)
      shape("line", layer("boundary"), { class: "boundary", x1: left, x2: right, y1: sy.at(0), y2: sy.at(0) });
    layer("regions").setAttribute("visibility", chosen.join() === "0,1" ? "visible" : "hidden");
    drawPoints();
    drawRegion();
    if (data.k > 2 && data.k <= 60) {
      const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
      for (let c = 0; c < data.k; c++) {
        const mine = places.filter((_, i) => data.labels[i] === c && shown(i));
        if (mine.length)
          shape("text", layer("middles"), { class: "middle", x: median(mine.map((p) => p[0])), y: median(mine.map((p) => p[1])) + 5, "text-anchor": "middle" }, String(c));
      }
    }
    point(-1);
  };

  // Rows by cluster, or by the shade of a feature; those outside the region are faint.
  const drawPoints = () => {
    const paths = new Map();
    const { low, high } = coloured < 0 ? {} : scale(data.axes[coloured].values, [0, 1]);
    const shade = (i) => {
      const v = data.axes[coloured].values[i];
      return v === null ? null : Math.min(SHADES - 1, Math.max(0, Math.floor((SHADES * (v - low)) / (high - low))));
    };
    places.forEach(([px, py], i) => {
      const group = data.labels[i];
      const at = "M" + Math.round(px * 10) / 10 + " " + Math.round(py * 10) / 10;
      const mark = group < 0 ? data.cross : data.marks[group % data.marks.length];
      const key = [coloured < 0 ? group : (shade(i) ?? "none"), mark === "h0" ? "dots" : "marks", inside(i)].join();
      if (shown(i)) paths.set(key, (paths.get(key) ?? "") + at + mark);
    });
    const found = (...key) => paths.get(key.join()) ?? "";
    const byCluster = coloured < 0;
    const outside = (g) => g.querySelector(".out") ?? shape("path", g, { class: g.firstChild.getAttribute("class") + " out" });
    layer("points").querySelector(".aside")?.setAttribute("d", byCluster ? found(-1, "marks", true) + found(-1, "marks", false) : "");
    for (const g of layer("points").querySelectorAll("[data-group]")) {
      const [group, kind] = [Number(g.dataset.group), g.firstChild.getAttribute("class")];
      g.firstChild.setAttribute("d", byCluster ? found(group, kind, true) : "");
      if (region || g.querySelector(".out")) outside(g).setAttribute("d", byCluster ? found(group, kind, false) : "");
    }
    shades.replaceChildren();
    if (byCluster) return;
    for (const s of ["none", ...Array(SHADES).keys()])
      for (const kind of ["dots", "marks"])
        for (const within of [false, true]) {
          const d = found(s, kind, within);
          if (d) shape("path", shape("g", shades, { class: "shade q" + s }), { d, class: kind + (within ? "" : " out") });
        }
  };
  const drawRegion = () => {
    brush.setAttribute("visibility", region ? "visible" : "hidden");
    if (!region) return;
    const [[a, b], [c, d]] = region;
    const box = { x: Math.min(a, c), y: Math.min(b, d), width: Math.abs(a - c), height: Math.abs(b - d) };
    for (const key in box) brush.setAttribute(key, box[key]);
  };
  const select = (corners) => {
    region = corners;
    drawPoints();
    drawRegion();
    map.selected();
  };

  const controls = make("div");
  controls.className = "controls";
  plot.prepend(controls);
  const choice = (name, options, value, change) => {
    const label = make("label", name + " ", controls);
    const list = make("select", "", label);
    for (const [i, text] of options) {
      const option = make("option", text, list);
      option.value = i;
      option.selected = i === value;
    }
    list.addEventListener("change", () => change(Number(list.value)));
    return list;
  };
  const axes = data.axes.map((axis, i) => [i, axis.name]);
  [words.across, words.up].forEach((name, which) =>
    choice(name, axes, chosen[which], (i) => {
      chosen[which] = i;
      region = null;
      redraw();
      map.selected();
    }),
  );
  const features = axes.filter(([i]) => !data.axes[i].blank);
  const ramp = make("span");
  ramp.className = "ramp";
  ramp.hidden = true;
  const colourBy = (i) => {
    coloured = i;
    ramp.hidden = i < 0;
    ramp.replaceChildren();
    if (i >= 0) {
      const { low, high } = scale(data.axes[i].values, [0, 1]);
      const step = (high - low) / 100;
      const bar = shape("svg", ramp, { viewBox: "0 0 80 8", "aria-hidden": "true" });
      for (let s = 0; s < SHADES; s++) shape("rect", bar, { class: "shade q" + s, x: 10 * s, y: 0, width: 10, height: 8 });
      const ends = { low: written(low, step), high: written(high, step) };
      ramp.append(" " + words.scale.replace(/\{(\w+)\}/g, (_, key) => ends[key]));
    }
    drawPoints();
  };
  choice(words.colour, [[-1, words.cluster], ...features], -1, colourBy).id = "colour";
  controls.append(ramp);

  // The legend turns into switches, and its names into buttons.
  const legend = plot.querySelector(".legend");
  for (const item of legend.children) {
    const group = Number(item.dataset.group);
    const box = make("input");
    box.type = "checkbox";
    box.checked = true;
    box.setAttribute("aria-label", words.show + (group < 0 ? "" : words.cluster + " ") + item.textContent);
    const name = make("button");
    name.type = "button";
    name.append(...item.childNodes);
    if (group < 0) name.disabled = true;
    else name.setAttribute("aria-pressed", "false");
    name.addEventListener("click", () => map.pick(group));
    item.append(box, " ", name);
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(group);
      else hidden.add(group);
      redraw();
    });
  }
  if (data.k > 2) {
    const all = make("button", words.all, controls);
    all.type = "button";
    all.className = "copy";
    all.addEventListener("click", () => {
      const show = hidden.size > 0;
      hidden.clear();
      for (const item of legend.children) {
        item.querySelector("input").checked = show;
        if (!show) hidden.add(Number(item.dataset.group));
      }
      redraw();
    });
  }

  // The row under the pointer, or under the arrow keys, is named below.
  const hover = make("p");
  hover.id = "hover";
  hover.setAttribute("aria-live", "polite");
  plot.querySelector("figure").after(hover);
  const shades = shape("g", layer("points"), {});
  const brush = shape("rect", svg, { class: "brush", visibility: "hidden" });
  const halo = shape("circle", svg, { class: "halo", r: 7, visibility: "hidden" });
  let current = -1;
  const point = (i) => {
    current = i;
    halo.setAttribute("visibility", i < 0 ? "hidden" : "visible");
    hover.replaceChildren();
    if (i < 0) {
      hover.textContent = words.hint.replaceAll("{thing}", data.thing);
      return;
    }
    halo.setAttribute("cx", places[i][0]);
    halo.setAttribute("cy", places[i][1]);
    hover.append(data.thing + " ");
    make("bdi", String(data.rows[i]), make("b", "", hover));
    const group = data.labels[i];
    hover.append(group < 0 ? words.outlier : words.of + group);
    for (const a of chosen) {
      if (data.axes[a].blank) continue;
      hover.append("; ");
      make("bdi", data.axes[a].name, hover);
      hover.append(" " + data.axes[a].values[i]);
    }
  };
  const visible = () => places.map((_, i) => i).filter(shown);
  // Where a pointer is, in the units of the figure.
  const under = (event) => {
    const box = svg.getBoundingClientRect();
    const unit = data.width / box.width;
    return [(event.clientX - box.left) * unit, (event.clientY - box.top) * unit];
  };
  const nearest = (event) => {
    const [x, y] = under(event);
    let [best, least] = [-1, 20 * 20];
    for (const i of visible()) {
      const far = (places[i][0] - x) ** 2 + (places[i][1] - y) ** 2;
      if (far < least) [best, least] = [i, far];
    }
    if (best !== current) point(best);
  };
  // A tap has no move, and a finger that is lifted leaves: what it named stays. A mouse that is dragged selects.
  let from = null;
  let dragged = false;
  svg.addEventListener("pointermove", (event) => {
    const to = under(event);
    if (from && (dragged || Math.hypot(to[0] - from[0], to[1] - from[1]) > 6)) {
      dragged = true;
      region = [from, to];
      drawRegion();
    } else nearest(event);
  });
  svg.addEventListener("pointerdown", (event) => {
    nearest(event);
    dragged = false;
    from = event.pointerType === "touch" ? null : under(event);
    if (from) svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointerup", (event) => {
    if (dragged) select([from, under(event)]);
    from = null;
  });
  svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && !from && point(-1));
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && current >= 0) picked(current);
    if (event.key === "Escape") {
      map.pick(-1);
      if (region) select(null);
    }
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && event.shiftKey) {
      event.preventDefault();
      grow(way);
      return;
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const order = visible().sort((a, b) => places[a][0] - places[b][0]);
    if (!order.length) return;
    const at = order.indexOf(current);
    point(order[Math.min(order.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
  });
  svg.addEventListener("click", () => {
    if (dragged) return;
    if (region) select(null);
    if (current >= 0) picked(current);
  });
  const picked = (i) => {
    map.pick(data.labels[i]);
    map.picked(i);
  };
  // The region from the keyboard: around the row that is named, wider at one side with every key.
  const grow = ([x, y]) => {
    if (!region && current < 0) return;
    const [px, py] = places[Math.max(0, current)];
    const [[a, b], [c, d]] = region ?? [[px - 10, py - 10], [px + 10, py + 10]];
    select([[x < 0 ? a - 20 : a, y < 0 ? b - 20 : b], [x > 0 ? c + 20 : c, y > 0 ? d + 20 : d]]);
  };
  place();
  point(-1);
  const chosenRows = () => visible().filter(inside);
  return Object.assign(map, { redraw, point, visible, chosenRows, hasRegion: () => region !== null, clear: () => select(null), legend, svg, hover });
};
