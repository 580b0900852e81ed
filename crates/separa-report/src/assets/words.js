// What the map says.
const MAP_WORDS = {
  across: "Across",
  up: "Up",
  colour: "Colour by",
  cluster: "cluster",
  show: "show ",
  all: "All or none",
  hint: "Point at a mark, or tap it, to see its {thing}; the arrow keys walk along. A click or Enter picks its cluster. Drag a rectangle, or hold Shift with the arrow keys, to select {thing}s.",
  outlier: ", outlier",
  of: ", cluster ",
  scale: "from {low} to {high}",
};

