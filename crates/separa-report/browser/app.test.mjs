// `separa app` in Debian's Chromium: from a dropped table to labels that equal the command line's, switches, hostile files,
// strangers, a fit that is stopped, two tabs, two runs side by side, the map; keyboard, phone, dark, no accessibility violations.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { columnsOpen, desk, finished, fit, give, newContext, noViolations, open, picture, row, server, tab, taken, wine } from "./app_page.mjs";
import { clouds } from "./tables.mjs";

const separa = (command) => execFileSync("sh", ["-c", `"$SEPARA_CLI" ${command.replace(/^separa /, "")} -q`], { cwd: desk, env: process.env });

test("a dropped table ends in labels that equal the command line's", async () => {
  const { page, trouble, close } = await open();
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "wine.csv", { type: "text/csv" }));
    return transfer;
  }, wine);
  const dropped = Date.now();
  await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("178 rows"));
  await columnsOpen(page);
  await row(page, "cultivar").locator("select").nth(1).selectOption("truth");
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("13 features"));
  await page.fill("#k", "3");
  await fit(page);
  console.log(`# from drop to verdict on wine: ${((Date.now() - dropped) / 1000).toFixed(2)} s, with two choices on the way`);
  await tab(page, "take");
  writeFileSync(join(desk, "wine.csv"), wine);
  const command = await page.textContent("#command");
  separa(command);
  for (const file of ["labels.csv", "rule.separa"])
    assert.deepEqual(await taken(page, `[id="take-${file}"]`), readFileSync(join(desk, file)), file);
  for (const file of ["labels.parquet", "labels.xlsx"]) {
    separa(command.replace("labels.csv", file));
    assert.deepEqual(await taken(page, `[id="take-${file}"]`), readFileSync(join(desk, file)), file);
  }
  for (const dialect of ["duckdb", "postgres"]) {
    await page.selectOption("#dialect", dialect);
    const sql = await taken(page, `[id="take-rule.sql"]`);
    const wanted = execFileSync(process.env.SEPARA_CLI, ["export", "rule.separa", "--to", "sql", "--dialect", dialect], { cwd: desk });
    assert.deepEqual(sql, wanted, dialect);
  }
  await tab(page, "report");
  const frame = await (await page.waitForSelector("#report")).contentFrame();
  await frame.waitForSelector("#points path");
  assert.match(await frame.textContent("body"), /wine\.csv/);
  assert.deepEqual(trouble, []);

  // Without a column, beside the run before; then under names.
  await row(page, "hue").locator("input").uncheck();
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("12 features"));
  await fit(page);
  await tab(page, "compare");
  await page.waitForSelector("#agreement");
  assert.match(await page.textContent("#agreement"), /of 178 rows have the same cluster; adjusted Rand index 0\.\d+/);
  assert.match(await page.textContent("#panel-compare"), /columns left out: hue in run 2, none in run 1/);
  assert.equal(await page.locator("#beside svg.small").count(), 2);
  const cells = await page.locator("#beside tbody td").allTextContents();
  assert.equal(cells.reduce((sum, cell) => sum + Number(cell), 0), 178, "every row is in one cell");
  await picture(page, "app-compare");
  await tab(page, "clusters");
  await page.fill("#name-1", "strong <b>ones</b>");
  await page.click("#rename");
  await tab(page, "take");
  await page.waitForFunction(() => document.getElementById("command").textContent.includes("--names="));
  assert.ok((await page.textContent("#command")).includes("--drop=hue"));
  assert.deepEqual(trouble, []);
  await close();
});

test("on the map: colour by a feature, brush a region, find a row, see why it is there", async () => {
  const { page, trouble, close } = await open();
  const ids = wine.trim().split("\n").map((line, i) => (i ? `bottle-${i},${line}` : `id,${line}`)).join("\n");
  await give(page, "bottles.csv", ids);
  await columnsOpen(page);
  await row(page, "cultivar").locator("select").nth(1).selectOption("truth");
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("13 features"));
  await fit(page);
  const marks = (selector) => page.evaluate((s) => [...document.querySelectorAll(s)].reduce((n, p) => n + (p.getAttribute("d")?.match(/M/g) ?? []).length, 0), selector);
  await page.waitForSelector("#points [data-group] path[d]");
  assert.equal(await marks("#points path"), 178);
  await page.selectOption("#colour", { label: "proline" });
  assert.equal(await marks("#points g.shade path"), 178, "every row has a shade");
  assert.equal(await marks("#points [data-group] path"), 0);
  await picture(page, "app-colour");
  await page.selectOption("#colour", "-1");
  // The left third of the map.
  const box = await page.locator("#plot figure svg").boundingBox();
  await page.mouse.move(box.x + 0.1 * box.width, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.5 * box.height, { steps: 5 });
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.9 * box.height, { steps: 5 });
  await page.mouse.up();
  await page.waitForSelector("#selected");
  const inside = await marks("#points path:not(.out)");
  assert.ok(inside > 5 && inside < 178, `${inside} rows`);
  assert.ok((await page.textContent("#selected")).includes(`${inside} of the 178`));
  await picture(page, "app-brush");
  const saved = String(await taken(page, "#save-selection")).trim().split("\n");
  assert.equal(saved.length, inside + 1);
  assert.match(saved[0], /^id,cluster,alcohol,/);
  // The profile of the selection against sums over the rows themselves.
  const first = await page.locator("#side tbody tr").first().locator("th, td").allTextContents();
  const column = saved[0].split(",").indexOf(first[0]);
  const mean = saved.slice(1).reduce((sum, line) => sum + Number(line.split(",")[column]), 0) / inside;
  assert.ok(Math.abs(mean - Number(first[1].replaceAll(",", ""))) <= 0.006 * Math.abs(mean), `${first} against ${mean}`);
  // The keyboard: Escape ends the selection, the arrows walk, Enter explains, Shift selects.
  await page.focus("#plot figure svg");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.getElementById("selected"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForSelector("#selected");
  await page.keyboard.press("Escape");
  await page.fill("#find", "bottle-60");
  await page.click("#found button");
  await page.waitForSelector("#side .why");
  assert.match(await page.textContent("#side .why"), /bottle-60 /);
  // The contributions are those of the command line.
  await tab(page, "take");
  writeFileSync(join(desk, "bottles.csv"), ids);
  writeFileSync(join(desk, "bottles.separa"), await taken(page, `[id="take-rule.separa"]`));
  const said = JSON.parse(execFileSync(process.env.SEPARA_CLI, ["explain", "bottles.separa", "bottles.csv", "--row-id", "bottle-60", "--json", "-q"], { cwd: desk }));
  await tab(page, "map");
  const shown = await page.locator("#side tbody tr").first().locator("th, td").allTextContents();
  const wanted = said.explanations[0].contributions[0];
  assert.equal(shown[0], wanted.column);
  assert.ok(Math.abs(Number(shown[2].replace("−", "-")) - wanted.contribution) <= 0.006 * Math.abs(wanted.contribution), `${shown} against ${wanted.contribution}`);
  await picture(page, "app-why");
  assert.deepEqual(trouble, []);
  await close();
});

test("a messy table: switches change what is done and what is found", async () => {
  const { page, trouble, close } = await open();
  const lines = ["customer,joined,segment,income,visits,empty,note"];
  for (let i = 0; i < 120; i++) {
    const high = i % 2;
    const income = i % 17 === 0 ? "n/a" : `"${(high ? 81 : 21) + (i % 9)},${100 + (i % 7)}"`;
    lines.push(`c${i},2024-0${1 + (i % 9)}-11,${["basic", "plus", "pro"][i % 3]},${income},${(high ? 40 : 5) + (i % 4)},,${high ? "calls often" : ""}`);
  }
  await give(page, "messy.csv", lines.join("\n"));
  await columnsOpen(page);
  const before = await page.textContent("#seen");
  assert.match(before, /120 rows/);
  assert.match(await row(page, "customer").textContent(), /id/);
  assert.match(await row(page, "empty").getAttribute("class"), /off/);
  for (const column of ["joined", "segment", "note"]) await row(page, column).locator("input").uncheck();
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("2 features"));
  await page.evaluate(() => (document.querySelector("#settings details").open = true));
  await page.selectOption("#missing", "drop");
  await page.waitForFunction(() => !document.getElementById("notices").textContent.includes("similar rows"));
  await fit(page);
  await tab(page, "take");
  const command = await page.textContent("#command");
  assert.ok(command.includes("--missing=drop") && command.includes("--drop=joined,segment,note"), command);
  writeFileSync(join(desk, "messy.csv"), lines.join("\n"));
  separa(command);
  const labels = await taken(page, `[id="take-labels.csv"]`);
  assert.deepEqual(labels, readFileSync(join(desk, "labels.csv")));
  assert.equal(String(labels).trim().split("\n").length, 1 + 120 - 8, "rows with gaps are left out");
  // The other way round: a column as a category.
  await row(page, "visits").locator("select").first().selectOption("categorical");
  await page.waitForFunction(() => [...document.querySelectorAll("#columns tbody tr")].some((tr) => tr.textContent.includes("visits") && tr.cells[2].textContent !== "number"));
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
  for (const name of ["map", "clusters", "rows", "compare", "take"]) await tab(page, name);
  await page.waitForSelector("#take-rule\\.sql");
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.ok((await page.textContent("#columns")).includes(bad));
  assert.ok((await page.textContent("#panel-clusters")).includes(bad));
  assert.deepEqual(trouble, []);
  await close();
});

test("a broken file and 200 MB are a sentence or a table, and the server lives", async () => {
  const { page, close } = await open();
  await page.setInputFiles("#file", { name: "broken.parquet", mimeType: "", buffer: Buffer.from("PAR1 nothing") });
  await page.waitForSelector("#said:not([hidden])");
  assert.match(await page.textContent("#said"), /broken\.parquet/);
  // 200 MB of one line that never ends.
  const path = join(desk, "endless.csv");
  const file = openSync(path, "w");
  for (let i = 0; i < 200; i++) writeSync(file, Buffer.alloc(1 << 20, "x"));
  closeSync(file);
  await page.setInputFiles("#file", path);
  await page.waitForFunction(() => /endless\.csv/.test(document.getElementById("said").textContent), null, { timeout: 120_000 });
  await give(page, "wine.csv", wine);
  await fit(page);
  await close();
});

test("a fit can be stopped, and a second tab sees it", async () => {
  const [one, two] = [await open(), await open()];
  await give(one.page, "large.csv", clouds(30, 3000, 12, 2));
  await columnsOpen(one.page);
  await row(one.page, "class").locator("input").uncheck();
  await one.page.fill("#k", "40");
  await one.page.click("#fit");
  await one.page.waitForSelector("#working:not([hidden]) .steps .now");
  await two.page.click("[id^=stop-]", { timeout: 20_000 });
  const said = await one.page.waitForFunction(() => {
    const text = document.getElementById("facts").textContent;
    return /Stopped: the best so far/.test(text) && text;
  }, null, { timeout: 60_000 });
  assert.match(await said.jsonValue(), /40 clusters/);
  // The second tab opens it, too.
  await two.page.click("#runs button");
  await two.page.waitForSelector("#result:not([hidden]) .verdict", { timeout: 20_000 });
  assert.match(await two.page.textContent("#facts"), /Stopped: the best so far/);
  assert.deepEqual([...one.trouble, ...two.trouble], []);
  await one.close();
  await two.close();
});

test("stability is shown beside what each cluster is like", async () => {
  const { page, trouble, close } = await open();
  await give(page, "wine.csv", wine);
  await page.fill("#k", "3");
  await page.evaluate(() => document.getElementById("stability").click());
  await fit(page);
  await tab(page, "clusters");
  const lines = await page.locator("#stability-found tbody tr").allTextContents();
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /(0\.\d\d|1\.00)(stable|doubtful|unstable)$/);
  await noViolations(page);
  assert.deepEqual(trouble, []);
  await close();
});

test("other pages and other tokens are refused", async () => {
  const { address } = server;
  const context = await newContext();
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
  for (const options of [{}, { viewport: { width: 360, height: 740 } }, { viewport: { width: 1400, height: 950 }, colorScheme: "dark" }, { viewport: { width: 360, height: 740 }, colorScheme: "dark" }]) {
    const { page, close } = await open(options);
    const name = `app-${options.viewport?.width === 360 ? "phone" : "desktop"}-${options.colorScheme ?? "light"}`;
    await noViolations(page);
    await give(page, "wine.csv", wine);
    await columnsOpen(page);
    await noViolations(page);
    await finished(page, async () => {
      await page.focus("#k");
      await page.keyboard.type("3");
      await page.keyboard.press("Enter");
    });
    await page.waitForSelector("#points [data-group] path[d]");
    await picture(page, `${name}-map`);
    await page.focus("#tab-map");
    for (const panel of ["map", "clusters", "rows", "compare", "report", "take"]) {
      await page.waitForSelector(`#panel-${panel}:not([hidden]) > :not([role=status])`);
      await noViolations(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name}, ${panel}: ${wide} pixels too wide`);
      if (panel !== "map") await picture(page, `${name}-${panel}`);
      await page.keyboard.press("ArrowRight");
    }
    await close();
  }
});
