// What the theme's own script adds to a page, made usable without a mouse: wide tables can be scrolled by the keyboard, and
// the buttons of each block of code have a name of their own.
const mend = () => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
  document.querySelectorAll(".md-code__nav").forEach((nav, at) => nav.setAttribute("aria-label", `Code ${at + 1}`));
};
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
mend();
