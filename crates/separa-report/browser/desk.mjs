// What the tests of pages share: a folder to work in, a browser, tables that become reports.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
export const wine = readFileSync(join(here, "../../../examples/data/wine.csv"), "utf8");
export const desk = mkdtempSync(join(tmpdir(), "separa-reports-"));
// Where the pictures go that people look at; none are kept by default.
export const pictures = process.env.SEPARA_PICTURES;

let browser;
export const make = (name, { table, command }) => {
  writeFileSync(join(desk, `${name}.csv`), table);
  const words = command.split(" ");
  run([...words, "--report", `${name}.html`, "--quiet"]);
  return join(desk, `${name}.html`);
};
export const run = (words) => execFileSync(process.env.SEPARA_CLI, words, { cwd: desk, stdio: ["ignore", "pipe", "pipe"] });

export const open = async (file, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => (trouble.push("a dialog"), dialog.dismiss()));
  page.on("request", (request) => request.url() !== pathToFileURL(file).href && trouble.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, trouble, close: () => context.close() };
};
// A page of a server; what it asks for besides itself is its own affair.
export const browse = async (address, options = {}) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(address);
  return { page, close: () => context.close() };
};
export const picture = async (page, name) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};
export const violations = async (page) => {
  // Added by the debugger, which a page's own policy does not bind.
  const client = await page.context().newCDPSession(page);
  await client.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3)}`);
};
export const visible = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("#points path")].reduce((n, p) => n + (p.getAttribute("d").match(/M/g) ?? []).length, 0),
  );

before(async () => {
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
});
after(async () => {
  await browser?.close();
  rmSync(desk, { recursive: true, force: true });
});
