// What the tests of `separa app` share: a server of its own, a browser, and a person who clicks.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
export const wine = readFileSync(join(here, "../../../examples/data/wine.csv"), "utf8");
export const desk = mkdtempSync(join(tmpdir(), "separa-app-test-"));
const pictures = process.env.SEPARA_PICTURES;

export const server = {};
let browser;
before(async () => {
  server.process = spawn(process.env.SEPARA_CLI, ["app", "--no-open"], { cwd: desk, stdio: ["ignore", "pipe", "ignore"] });
  server.address = await new Promise((found) => server.process.stdout.once("data", (line) => found(String(line).match(/http:\S+/)[0])));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server.process?.kill();
  rmSync(desk, { recursive: true, force: true });
});

export const newContext = (options) => browser.newContext(options);
export const open = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1400, height: 950 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => (trouble.push("a dialog"), dialog.dismiss()));
  page.on("request", (request) => !request.url().startsWith(new URL(server.address).origin) && !/^(data|blob):/.test(request.url()) && trouble.push(request.url()));
  await page.goto(server.address);
  await page.waitForSelector("#runs li", { state: "attached" });
  return { page, trouble, close: () => context.close() };
};

/** A table is given. */
export const give = async (page, name, text) => {
  await page.setInputFiles("#file", { name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.waitForFunction((name) => document.getElementById("seen").textContent.startsWith(`${name}:`), name);
};
export const row = (page, column) => page.locator("#columns tbody tr", { has: page.locator("th", { hasText: new RegExp(`^${column}$`) }) });
export const columnsOpen = (page) => page.evaluate(() => (document.getElementById("columns").open = true));
const newest = (page) => page.evaluate(() => Math.max(0, ...[...document.querySelectorAll("#runs li")].map((item) => item.value)));
/** Does what asks for a run and waits for its end. */
export const finished = async (page, act) => {
  const before = await newest(page);
  await act();
  await page.waitForFunction((before) => Math.max(...[...document.querySelectorAll("#runs li")].map((item) => item.value)) > before, before);
  const run = await newest(page);
  await page.waitForSelector(`#runs li[value="${run}"]:not(:has([id^=stop-]))`, { timeout: 120_000 });
  await page.waitForSelector("#result:not([hidden]) .verdict", { timeout: 20_000 });
  return run;
};
export const fit = (page) => finished(page, () => page.click("#fit"));
export const tab = async (page, name) => {
  await page.click(`#tab-${name}`);
  await page.waitForSelector(`#panel-${name}:not([hidden]) > *`);
};
export const taken = async (page, selector) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
  return readFileSync(await download.path());
};
export const picture = async (page, name) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};
export const noViolations = async (page) => {
  const client = await page.context().newCDPSession(page);
  await client.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: ["iframe"] }));
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3)}`), []);
};

/** A person who clicks, and counts it; picking a file is one click. */
export class Person {
  clicks = 0;
  constructor(page) {
    this.page = page;
  }
  async give(name, text) {
    this.clicks += 1;
    await give(this.page, name, text);
  }
  async click(selector) {
    this.clicks += 1;
    await this.page.click(selector);
  }
  async fit() {
    return finished(this.page, () => this.click("#fit"));
  }
}
