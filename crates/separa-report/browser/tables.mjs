// Tables to make reports from: each from a seed, so that every run sees the same.

// Park and Miller's numbers, summed to something near a normal.
const source = (seed) => {
  let state = seed;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const normal = () => Array.from({ length: 12 }, uniform).reduce((a, b) => a + b, -6);
  return { uniform, normal };
};

const csv = (names, rows) => {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return [names, ...rows].map((row) => row.map((v) => cell(String(v))).join(",")).join("\n") + "\n";
};

/** k clouds of n rows in d columns, the class in the last column. */
export const clouds = (k, n, d, apart, seed = 7) => {
  const { normal } = source(seed);
  const centres = Array.from({ length: k }, () => Array.from({ length: d }, () => apart * normal()));
  const rows = [];
  for (let i = 0; i < n * k; i++) rows.push([...centres[i % k].map((c) => (c + normal()).toFixed(4)), `class ${i % k}`]);
  return csv([...Array.from({ length: d }, (_, j) => `f${j}`), "class"], rows);
};

/** Clouds of classes whose names are long and begin or end alike. */
export const soils = () => {
  const names = ["red soil", "cotton crop", "grey soil", "damp grey soil", "soil with vegetation stubble", "very damp grey soil", "MMMMMMMM WWWWWWWW"];
  return clouds(names.length, 40, 4, 2).replaceAll(/class (\d)/g, (_, c) => names[c]);
};

/** Two clouds in columns that are far from 0, or tiny: places, pressures, seconds, masses. */
export const far = (n) => {
  const { normal } = source(19);
  const columns = { latitude: [52.4, 0.2, 6], pressure: [101325.1, 0.8, 3], second: [1700000000, 90, 2], cell: [2.0e6, 5e4, 0], mass: [1e-7, 2e-7, 11], ratio: [1.00001, 2e-5, 9] };
  const rows = Array.from({ length: n }, (_, i) => {
    const along = (i % 2) * 0.7 + 0.15 + 0.05 * normal();
    return Object.values(columns).map(([low, wide, digits]) => (low + wide * (along + 0.03 * normal())).toFixed(digits));
  });
  return csv(Object.keys(columns), rows);
};

/** Text that must stay text: every way out of HTML, attributes, JSON, scripts and SVG that we know of. */
export const hostile = [
  "<script>window.hit=1</script>",
  "<img src=x onerror=window.hit=1>",
  "\"><svg onload=window.hit=1>",
  "' onmouseover='window.hit=1",
  "</script><script>window.hit=1</script>",
  "</style></title></textarea><script>window.hit=1</script>",
  "<!-- <script> -->",
  "javascript:window.hit=1",
  "\\u003cscript\\u003ewindow.hit=1",
  "${window.hit=1}`'\"",
  "مرحبا بالعالم ‮cba",
  "👩‍👩‍👧 🏳️‍🌈",
  "x".repeat(1000),
  "a&lt;b&amp;c",
  "]]>--><![CDATA[<b>",
];

/** Hostile names of columns, rows and classes. */
export const hostileTable = () => {
  const { normal } = source(3);
  const names = [...hostile, "the <i>id</i>", "the <b>class</b>"];
  const rows = Array.from({ length: 90 }, (_, i) => {
    const values = hostile.map((_, j) => (normal() + 6 * ((i % 3) * (j % 2) + (i % 2) * (j % 3))).toFixed(3));
    return [...values, `${hostile[i % hostile.length]} ${i}`, hostile[i % 3]];
  });
  return csv(names, rows);
};

/** Two half moons, for rules that are not straight. */
export const moons = (n) => {
  const { uniform, normal } = source(11);
  const rows = Array.from({ length: n }, (_, i) => {
    const t = Math.PI * uniform();
    const [x, y] = i % 2 ? [1 - Math.cos(t), 0.5 - Math.sin(t)] : [Math.cos(t), Math.sin(t)];
    return [(x + 0.1 * normal()).toFixed(4), (y + 0.1 * normal()).toFixed(4), i % 2 ? "lower" : "upper"];
  });
  return csv(["east", "north", "moon"], rows);
};
