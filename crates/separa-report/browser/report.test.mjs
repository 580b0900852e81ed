// Reports of several tables in Debian's Chromium: they open from disk, ask for nothing, show every figure, do what
// they promise with and without a script, fit a phone, and have no accessibility violations.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { desk, make, open, picture, pictures, run, violations, visible, wine } from "./desk.mjs";
import { clouds, far, hostile, hostileTable, moons, soils } from "./tables.mjs";

const cases = {
  wine: { table: wine, command: "cluster wine.csv -k 3 --truth cultivar --model wine.separa" },
  two: { table: clouds(2, 400, 5, 3), command: "cluster two.csv -k 2 --truth class" },
  cloud: { table: clouds(1, 500, 3, 1), command: "cluster cloud.csv -k 2 --drop class" },
  many: { table: clouds(100, 25, 8, 30), command: "cluster many.csv -k 100 -m kmeans --truth class" },
  wide: { table: clouds(2, 40, 10000, 1), command: "cluster wide.csv -k 2 -m kmeans --drop class" },
  long: { table: clouds(3, 33334, 4, 3), command: "cluster long.csv -k 3 -m kmeans --truth class" },
  one: { table: clouds(2, 60, 1, 3), command: "cluster one.csv -k 2 --drop class" },
  single: { table: clouds(1, 60, 2, 1), command: "cluster single.csv -k 1 -m kmeans --drop class" },
  equal: { table: "a,b\n" + "1,2\n".repeat(20), command: "cluster equal.csv -k 1 -m kmeans" },
  auto: { table: clouds(4, 120, 3, 6), command: "cluster auto.csv -k auto --truth class" },
  curved: { table: moons(400), command: "cluster curved.csv -k 2 -m spectral --truth moon" },
  far: { table: far(300), command: "cluster far.csv -k 2 -m kmeans" },
  nine: { table: clouds(9, 40, 3, 9), command: "cluster nine.csv -k 9 -m kmeans --drop class" },
  train: { table: moons(400), command: "train train.csv --target moon -m mpm --set kernel=rbf --cv 3 --model t.separa" },
  compare: { table: wine, command: "compare compare.csv -k 3 --truth cultivar --methods mspc,kmeans,spectral,logistic" },
  classes: { table: wine, command: "train classes.csv --target cultivar" },
  soils: { table: soils(), command: "train soils.csv --target class" },
  stable: { table: wine, command: "cluster stable.csv -k 3 --drop cultivar --stability 6" },
};

for (const [name, made] of Object.entries(cases)) {
  describe(name, () => {
    let file;
    before(() => (file = make(name, made)));

    test("is one small file without addresses", () => {
      const text = readFileSync(file, "utf8");
      assert.ok(statSync(file).size < 2_000_000, `${statSync(file).size} bytes`);
      assert.ok(!/(src|href)="(?!#)/.test(text), "something is fetched");
      assert.ok(!/url\(|@import|https?:\/\/(?!www\.w3\.org\/2000\/svg)/.test(text), "an address");
    });

    test("opens without trouble, figures have size, nothing sticks out", async () => {
      for (const [looks, options] of Object.entries({
        light: {},
        dark: { colorScheme: "dark" },
        phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
        plain: { javaScriptEnabled: false },
      })) {
        const { page, trouble, close } = await open(file, options);
        await picture(page, `${name}-${looks}`);
        const sizes = await page.locator("figure svg").evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect()).map((b) => [b.width, b.height]));
        assert.ok(sizes.every(([w, h]) => w > 200 && h > 60), `${looks}: ${sizes}`);
        const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        assert.ok(width <= room, `${looks}: ${width} on ${room}`);
        assert.deepEqual(trouble, [], looks);
        await close();
      }
    });

    test("has no accessibility violations", async () => {
      for (const colorScheme of ["light", "dark"]) {
        const { page, close } = await open(file, { colorScheme });
        assert.deepEqual(await violations(page), [], colorScheme);
        await close();
      }
    });

    test("prints on paper", async () => {
      const { page, close } = await open(file, { colorScheme: "dark" });
      const pdf = await page.pdf({ format: "A4", printBackground: true });
      if (pictures) writeFileSync(join(pictures, `${name}.pdf`), pdf);
      assert.ok(pdf.length > 10_000);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(paper, "rgb(255, 255, 255)");
      await close();
    });
  });
}

test("the page says the essentials", () => {
  const text = (name) => readFileSync(make(name, cases[name]), "utf8");
  assert.match(text("two"), /Two clusters, 50 % and 50 % of rows: (over )?\d+ % of rows left out of the fit get the same cluster \(by chance 5\d %\); a gap between the clusters \(p &lt; 0.001\)/);
  assert.match(text("cloud"), /no better separated than a single Gaussian|no gap between the clusters/);
  assert.match(text("long"), /random sample of 2,\d{3} of 100,002 rows/);
  assert.match(text("wine"), /separa predict wine.separa NEW.csv/);
  assert.match(text("train"), /ROC of the training rows/);
  assert.match(text("curved"), /The ground has the colour of the cluster/);
  assert.match(text("stable"), />Stability<[^]*Mean Jaccard index over 6 refits/);
  assert.match(text("single"), /One cluster of 60 rows\./);
});

// What the plot shows: places of all marks and the texts of its frame.
const plot = (page) =>
  page.evaluate(() => ({
    marks: [...document.querySelectorAll("#points path")].map((path) => path.getAttribute("d")).join(),
    texts: [...document.querySelectorAll("#frame text")].map((text) => [text.getAttribute("class"), text.textContent]),
  }));

test("the script starts from what the page shows, and draws it again as it was", async () => {
  for (const name of ["far", "wine", "nine", "equal"]) {
    const file = make(name, cases[name]);
    const still = await open(file, { javaScriptEnabled: false });
    const shown = await plot(still.page);
    await still.close();
    const { page, trouble, close } = await open(file);
    assert.deepEqual(await plot(page), shown, name);
    const box = page.locator(".legend input").first();
    await box.uncheck();
    await box.check();
    const again = await plot(page);
    assert.deepEqual(again.texts, shown.texts, name);
    // The script knows values to a part in ten thousand, so a mark may move by a tenth of a unit.
    const places = (marks) => marks.match(/M[\d.]+ [\d.]+/g).map((m) => m.slice(1).split(" ").map(Number));
    const [before, after] = [places(shown.marks), places(again.marks)];
    assert.equal(after.length, before.length, name);
    before.forEach(([x, y], i) => assert.ok(Math.hypot(after[i][0] - x, after[i][1] - y) < 0.3, `${name}: ${before[i]} ${after[i]}`));
    assert.deepEqual(trouble, [], name);
    await close();
  }
});

test("columns far from 0 keep their places and have ticks that differ", async () => {
  const { page, close } = await open(make("far", cases.far));
  const options = await page.locator("#plot > .controls select").first().locator("option").allTextContents();
  for (const name of ["latitude", "pressure", "second", "cell", "mass", "ratio"]) {
    const index = options.indexOf(name);
    assert.ok(index >= 0, name);
    for (const select of await page.locator("#plot > .controls select").all()) await select.selectOption(String(index));
    const { marks, texts } = await plot(page);
    const across = new Set(marks.match(/M[\d.]+/g));
    assert.ok(across.size > (name === "second" ? 50 : 150), `${name}: ${across.size} places`);
    const ticks = texts.filter(([kind]) => kind === "tick").map(([, text]) => text);
    const half = [...new Set(ticks)];
    assert.ok(half.length >= 3 && ticks.every((t) => ticks.filter((u) => u === t).length <= 2), `${name}: ${ticks}`);
    assert.ok(half.every((t) => !t.includes("…")), `${name}: ${ticks}`);
    await picture(page, `far-${name}`);
  }
  await close();
});

test("sides of long class names differ and stay within their figure", async () => {
  for (const name of ["soils", "classes"]) {
    const { page, close } = await open(make(name, cases[name]), { viewport: { width: 400, height: 800 } });
    const svg = page.locator("#bounds figure svg");
    const said = await svg.locator("text").evaluateAll((all) => all.map((t) => [t.firstChild.textContent, t.getBoundingClientRect().left]));
    const left = (await svg.boundingBox()).x;
    const sides = said.filter(([text]) => text.includes("|"));
    assert.ok(sides.length >= 6 && new Set(sides.map(([text]) => text)).size === sides.length, `${sides}`);
    sides.forEach(([text, at]) => assert.ok(at >= left, `${name}: ${text} begins at ${at}, the figure at ${left}`));
    await close();
  }
});

test("on a phone effects are in sight, bars have their whole names, and tables show all their rows", async () => {
  const { page, close } = await open(make("wine", cases.wine), { viewport: { width: 400, height: 800 } });
  const effect = await page.locator("#features th", { hasText: "effect" }).boundingBox();
  assert.ok(effect.x + effect.width <= 400, `effects end at ${effect.x + effect.width}`);
  assert.equal(await page.locator("#features th", { hasText: "interval" }).isVisible(), false);
  const figure = page.locator("#quality figure svg").first();
  const left = (await figure.boundingBox()).x;
  const names = await figure.locator("text.name").evaluateAll((all) => all.map((t) => [t.firstChild.textContent, t.getBoundingClientRect().left]));
  assert.ok(names.length === 5 && names.every(([, at]) => at >= left), `${names} in a figure that begins at ${left}`);
  const hidden = await page.locator(".scroll").evaluateAll((all) => all.filter((box) => box.scrollHeight > box.clientHeight + 1).length);
  assert.equal(hidden, 0, "tables with rows out of sight");
  await close();
});

test("on paper nothing is cut, heads of tables can be repeated, and no row is out of sight", async () => {
  for (const [name, made] of Object.entries({ stable: cases.stable, nine: cases.nine, soils: cases.soils })) {
    // A4 less the margins of the page, in CSS pixels.
    const { page, close } = await open(make(name, made), { viewport: { width: 688, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    const cut = await page.locator(".scroll").evaluateAll((all) =>
      all.filter((box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1).map((box) => box.getAttribute("aria-label")));
    assert.deepEqual(cut, [], name);
    // A button in a head keeps Chromium from repeating it on the next page.
    const heads = await page.locator("th button").evaluateAll((all) => all.map((button) => getComputedStyle(button).display));
    assert.ok(heads.length && heads.every((display) => display === "contents"), `${name}: ${heads}`);
    await close();
  }
});

test("tables of up to 60 rows are shown whole", async () => {
  const { page, close } = await open(make("nine", cases.nine), { viewport: { width: 1280, height: 800 } });
  const hidden = await page.locator(".scroll").evaluateAll((all) => all.filter((box) => box.scrollHeight > box.clientHeight + 1).map((box) => box.getAttribute("aria-label")));
  assert.deepEqual(hidden, [], "tables with rows out of sight");
  await close();
});

test("a tap names the row", async () => {
  const file = make("two", cases.two);
  const { page, trouble, close } = await open(file, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.locator("#plot figure svg").scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => {
    const d = document.querySelector("#points path:not(.aside)").getAttribute("d").match(/M([\d.]+) ([\d.]+)/);
    const box = document.querySelector("#plot figure svg").getBoundingClientRect();
    return [box.left + (d[1] * box.width) / 480, box.top + (d[2] * box.width) / 480];
  });
  await page.touchscreen.tap(...at);
  await page.waitForTimeout(300);
  assert.match(await page.textContent("#hover"), /^row \d+, cluster \d/);
  assert.deepEqual(trouble, []);
  await close();
});

test("marks in the legend are those of the plot", async () => {
  const { page, close } = await open(make("nine", cases.nine));
  const marks = await page.locator("#plot .legend path").evaluateAll((all) => all.map((p) => p.getAttribute("d")));
  assert.equal(marks.length, 9);
  assert.equal(new Set(marks).size, 4, "four marks take turns");
  const sizes = await page.locator("#plot .legend svg").evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect().width));
  assert.ok(sizes.every((w) => w > 8 && w < 24), `${sizes}`);
  await close();
});

test("regions lie below their own columns only", async () => {
  const { page, close } = await open(make("curved", cases.curved));
  const seen = () => page.locator("#regions").evaluate((g) => getComputedStyle(g.querySelector("rect")).visibility);
  assert.equal(await seen(), "visible");
  const select = page.locator("#plot > .controls select").first();
  await select.selectOption("2");
  assert.equal(await seen(), "hidden");
  await select.selectOption("0");
  assert.equal(await seen(), "visible");
  await close();
});

test("hover names the row, keys walk, axes change, groups hide, tables sort, commands are copied", async () => {
  const file = make("wine", cases.wine);
  const { page, trouble, close } = await open(file, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#plot figure svg").scrollIntoViewIfNeeded();
  const first = await page.evaluate(() => {
    const d = document.querySelector("#points path").getAttribute("d").match(/M([\d.]+) ([\d.]+)/);
    const box = document.querySelector("#plot figure svg").getBoundingClientRect();
    return [box.left + (d[1] * box.width) / 480, box.top + (d[2] * box.width) / 480];
  });
  await page.mouse.move(...first);
  assert.match(await page.textContent("#hover"), /^row \d+, cluster \d/);
  await page.focus("#plot figure svg");
  await page.keyboard.press("ArrowRight");
  const one = await page.textContent("#hover");
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await page.textContent("#hover"), one);

  const all = await visible(page);
  assert.equal(all, 178);
  await page.locator(".legend input").first().uncheck();
  const fewer = await visible(page);
  assert.ok(fewer > 0 && fewer < all);
  await page.locator(".legend input").first().check();

  const before = await page.getAttribute("#points path:not(.aside)", "d");
  await page.locator("#plot > .controls select").first().selectOption({ index: 3 });
  assert.notEqual(await page.getAttribute("#points path:not(.aside)", "d"), before);
  const name = await page.textContent("#frame .name");
  const header = wine.split("\n")[0].split(",");
  assert.ok(header.includes(name), name);

  const column = () => page.locator("#sizes tbody td:nth-child(2)").evaluateAll((cells) => cells.map((c) => Number(c.textContent)));
  const head = page.locator("#sizes th:nth-child(2) button");
  await head.click();
  const up = await column();
  await head.click();
  assert.deepEqual(await column(), up.toReversed());
  assert.deepEqual(up, up.toSorted((a, b) => a - b));

  await page.locator("#apply .copy").first().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^separa predict wine.separa/);
  assert.deepEqual(trouble, []);
  await close();
});

test("no text from data becomes more than text", async () => {
  // The names of the table, its columns, its rows, its classes, the model and every file are hostile.
  const table = "<img src=x onerror=window.hit=1>'\"&.csv";
  const model = "</script><script>window.hit=1<'\"&.separa".replaceAll("/", "∕");
  writeFileSync(join(desk, table), hostileTable());
  const [id, truth] = ["the <i>id</i>", "the <b>class</b>"];
  const jobs = {
    cluster: ["cluster", table, "-k", "3", "--id", id, "--truth", truth, "--model", model, "--report", "h1.html", "-q"],
    compare: ["compare", table, "-k", "3", "--methods", "mspc,kmeans", "--truth", truth, "--drop", id, "--report", "h3.html", "-q"],
    train: ["train", table, "--target", truth, "--id", id, "--model", model, "--report", "h2.html", "-q"],
  };
  for (const [verb, words] of Object.entries(jobs)) {
    run(words);
    const file = join(desk, words[words.indexOf("--report") + 1]);
    const { page, trouble, close } = await open(file);
    for (const select of await page.locator("#plot > .controls select").all()) {
      for (const option of await select.locator("option").all()) {
        await select.selectOption(await option.getAttribute("value"));
      }
    }
    if (verb === "cluster") {
      await page.focus("#plot figure svg");
      for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.locator(".tools summary").click();
      await page.getByLabel("Find row").fill("<");
      for (const option of await page.locator(".tools option").all()) {
        await page.locator(".tools select").selectOption(await option.getAttribute("value"));
        await page.getByLabel("from", { exact: true }).fill("-1000");
      }
    }
    for (const button of await page.locator("th button").all()) await button.click();
    assert.equal(await page.evaluate(() => window.hit), undefined, verb);
    const strange = await page.evaluate(() => document.querySelectorAll("img, iframe, i, main script, [onerror], [onload], [onmouseover]").length);
    assert.equal(strange, 0, verb);
    const shown = await page.evaluate(() => document.body.textContent);
    assert.ok(shown.includes(verb === "compare" ? table : hostile[0]), "the name is shown as it is");
    assert.deepEqual(trouble, [], verb);
    await picture(page, `hostile-${verb}`);
    assert.deepEqual(await violations(page), [], verb);
    await close();
  }
});
