// `separa app` in Debian's Chromium: from a dropped table to labels that equal the command line's, hostile names, strangers,
// a fit that is stopped, two tabs; keyboard, phone, dark, and no accessibility violations.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { clouds } from "./tables.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const axe = readFileSync(join(here, "node_modules/axe-core/axe.min.js"), "utf8");
const wine = readFileSync(join(here, "../../../examples/data/wine.csv"), "utf8");
const desk = mkdtempSync(join(tmpdir(), "separa-app-test-"));
const pictures = process.env.SEPARA_PICTURES;

let browser, app, address;
before(async () => {
  app = spawn(process.env.SEPARA_CLI, ["app", "--no-open"], { cwd: desk, stdio: ["ignore", "pipe", "ignore"] });
  address = await new Promise((found) => app.stdout.once("data", (line) => found(String(line).match(/http:\S+/)[0])));
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  app?.kill();
  rmSync(desk, { recursive: true, force: true });
});

const open = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && trouble.push(message.text()));
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("dialog", (dialog) => (trouble.push("a dialog"), dialog.dismiss()));
  page.on("request", (request) => !request.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(request.url()) && trouble.push(request.url()));
  await page.goto(address);
  await page.waitForSelector("#runs li");
  return { page, trouble, close: () => context.close() };
};
const give = async (page, name, text) => {
  await page.setInputFiles("#file", { name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.waitForFunction((name) => document.getElementById("seen").textContent.startsWith(`${name}:`), name);
};
const fit = async (page) => {
  const before = await page.locator("#runs button.plain").count();
  await page.click("#fit");
  await page.waitForFunction((before) => document.querySelectorAll("#runs button.plain").length > before, before);
};
const finished = (page) => page.waitForSelector("#result:not([hidden]) .verdict", { timeout: 60_000 });
const taken = async (page, file) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[id="take-${file}"]`)]);
  return readFileSync(await download.path());
};

test("a dropped table ends in labels that equal the command line's", async () => {
  const { page, trouble, close } = await open();
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "wine.csv", { type: "text/csv" }));
    return transfer;
  }, wine);
  await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("178 rows"));
  const row = page.locator("#columns tr", { has: page.locator("th", { hasText: "cultivar" }) });
  await row.locator("select").nth(1).selectOption("truth");
  await page.fill("#k", "3");
  await fit(page);
  await finished(page);
  const command = await page.textContent("#command");
  writeFileSync(join(desk, "wine.csv"), wine);
  execFileSync(process.env.SEPARA_CLI, [...command.split(" ").slice(1), "-q"], { cwd: desk });
  assert.deepEqual(await taken(page, "labels.csv"), readFileSync(join(desk, "labels.csv")));
  assert.deepEqual(await taken(page, "rule.separa"), readFileSync(join(desk, "rule.separa")));
  const frame = page.frames().find((frame) => frame.url().includes("/report/"));
  await frame.waitForSelector("#points path");
  assert.match(await frame.textContent("body"), /wine\.csv/);
  assert.deepEqual(trouble, []);

  // Without a column, beside the run before; then under names.
  await page.locator("#columns tr", { has: page.locator("th", { hasText: "hue" }) }).locator("input").uncheck();
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("12 features"));
  await fit(page);
  await page.waitForFunction(() => document.getElementById("facts").textContent.includes("adjusted Rand index"));
  await page.waitForFunction(() => document.getElementById("command").textContent.includes("--drop=hue"));
  await page.fill("#name-1", "strong <b>ones</b>");
  await page.click("#rename");
  await page.waitForFunction(() => document.getElementById("command").textContent.includes("--names="));
  if (pictures) await page.screenshot({ path: join(pictures, "app.png"), fullPage: true });
  assert.deepEqual(trouble, []);
  await close();
});

test("names with scripts are text", async () => {
  const { page, trouble, close } = await open();
  const bad = `<img src=x onerror=alert(1)>`;
  const rows = Array.from({ length: 40 }, (_, i) => `${i % 2 ? 9 + (i % 5) : i % 7},${i % 2 ? 80 + i : i},"<script>alert(${i % 3})</script>"`);
  await give(page, `${bad}.csv`, `"${bad}","--drop=x","</script><script>alert(2)</script>"\n${rows.join("\n")}\n`);
  await page.fill("#k", "2");
  await fit(page);
  await finished(page);
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.ok((await page.textContent("#columns")).includes(bad));
  assert.deepEqual(trouble, []);
  await close();
});

test("a broken file is a sentence", async () => {
  const { page, close } = await open();
  await page.setInputFiles("#file", { name: "broken.parquet", mimeType: "", buffer: Buffer.from("PAR1 nothing") });
  await page.waitForSelector("#said:not([hidden])");
  assert.match(await page.textContent("#said"), /broken\.parquet/);
  await close();
});

test("a fit can be stopped, and a second tab sees it", async () => {
  const [one, two] = [await open(), await open()];
  await give(one.page, "large.csv", clouds(30, 3000, 12, 2));
  await one.page.locator("#columns tr", { has: one.page.locator("th", { hasText: "class" }) }).locator("input").uncheck();
  await one.page.fill("#k", "40");
  await fit(one.page);
  await two.page.waitForSelector("[id^=stop-]", { timeout: 20_000 });
  await two.page.click("[id^=stop-]");
  await finished(one.page);
  assert.match(await one.page.textContent("#facts"), /best so far/);
  await one.close();
  await two.close();
});

test("other pages and other tokens are refused", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  assert.equal((await page.goto(address.replace(/token=.*/, "token=0"))).status(), 403);
  assert.equal((await page.goto(address.replace("127.0.0.1", "localhost"))).status(), 200);
  // A page of another origin: it can neither read nor frame this one.
  const other = new URL(address);
  await page.route("http://stranger.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${address}"></iframe>` }));
  await page.goto("http://stranger.example/");
  const read = await page.evaluate(
    ([url, token]) => fetch(`${url}api/state`, { headers: { "x-separa-token": token } }).then(() => "read", () => "refused"),
    [`${other.origin}/`, other.searchParams.get("token")],
  );
  assert.equal(read, "refused");
  assert.equal(await page.frames()[1].locator("#fit").count().catch(() => 0), 0);
  await context.close();
});

test("keyboard, phone and dark: no violations, nothing wider than the screen", async () => {
  for (const options of [{}, { viewport: { width: 360, height: 740 }, colorScheme: "dark" }]) {
    const { page, close } = await open(options);
    await give(page, "wine.csv", wine);
    await page.focus("#k");
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    await finished(page);
    const client = await page.context().newCDPSession(page);
    await client.send("Page.setBypassCSP", { enabled: true });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: ["iframe"] }));
    assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3)}`), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    if (pictures) await page.screenshot({ path: join(pictures, `app-${options.colorScheme ?? "light"}.png`), fullPage: true });
    await close();
  }
});
