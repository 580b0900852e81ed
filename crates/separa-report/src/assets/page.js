// Everything here adds to a page that is complete without it. The files follow one another in one script: dom.js, words.js,
// page.js, map.js, select.js.
// Tables: a click on a head sorts.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!head.textContent) return;
    const button = make("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = (row) => {
        const cell = row.cells[column];
        const text = cell.dataset.v ?? cell.textContent.replaceAll(",", "");
        const number = Number(text);
        return text.trim() !== "" && !Number.isNaN(number) ? number : text;
      };
      const order = (a, b) => {
        const [x, y] = [value(a), value(b)];
        if (typeof x === "number" && typeof y === "number") return x - y;
        if (typeof x === "number") return -1;
        if (typeof y === "number") return 1;
        return x.localeCompare(y);
      };
      const rows = [...body.rows].sort(order);
      if (down) rows.reverse();
      body.append(...rows);
    });
  });
}

// Commands: a button copies them.
for (const block of document.querySelectorAll("pre")) {
  const button = make("button", "Copy");
  button.type = "button";
  button.className = "copy";
  block.after(button);
  button.addEventListener("click", async () => {
    const text = block.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", text, document.body);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}
