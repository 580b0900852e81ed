// The selection on the map: what is picked, found, filtered and saved is compared with the table and the labels that the
// command line wrote.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { desk, make, open, picture, run, violations, visible, wine } from "./desk.mjs";
import { clouds } from "./tables.mjs";

const [header, ...lines] = wine.trim().split("\n").map((line) => line.split(","));
const place = (name) => header.indexOf(name);
// Names that a file has to quote.
const id = (i) => `wine "${i + 1}", hall ${(i % 7) + 1}`;
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// Python's csv.reader in short: quotes are doubled.
const parsed = (text) =>
  text.trimEnd().split("\n").map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, q, plain]) => (q === undefined ? plain : q.replaceAll('""', '"'))));

let file, labels, told;
before(() => {
  const table = [["id", ...header], ...lines.map((line, i) => [quoted(id(i)), ...line])];
  writeFileSync(join(desk, "pick.csv"), table.map((line) => line.join(",")).join("\n") + "\n");
  const words = "cluster pick.csv -k 3 --drop cultivar --id id -o labels.csv --report pick.html --json -q";
  told = JSON.parse(run(words.split(" ")));
  const [head, ...found] = parsed(readFileSync(join(desk, "labels.csv"), "utf8"));
  labels = found.map((line) => Number(line[head.indexOf("cluster")]));
  assert.deepEqual(found.map((line) => line[head.indexOf("id")]), lines.map((_, i) => id(i)));
  assert.ok(labels.every((label) => [0, 1, 2].includes(label)), labels.join());
  file = join(desk, "pick.html");
});

const rowsOf = (test) => lines.map((_, i) => i).filter(test);
const filter = async (page, name, from, to) => {
  await page.locator(".tools select").selectOption({ label: name });
  await page.getByLabel("from", { exact: true }).fill(from);
  await page.getByLabel("to", { exact: true }).fill(to);
};

test("a cluster that is picked in the legend shows its profile, by keyboard", async () => {
  const { page, trouble, close } = await open(file);
  const name = page.locator(".legend button").nth(1);
  await name.focus();
  await page.keyboard.press("Enter");
  assert.equal(await name.getAttribute("aria-pressed"), "true");
  const cluster = told.profile.clusters[1];
  assert.equal(await page.textContent("#picked h3"), `Cluster 1: ${cluster.name}`);
  assert.match(await page.textContent("#picked p"), new RegExp(`^${told.sizes[1]} rows, `));
  const shown = await page.locator("#picked tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(shown.map(([feature]) => feature), cluster.features.slice(0, 4).map((f) => f.name));
  shown.forEach(([, mean, , effect], i) => {
    assert.equal(effect, (cluster.features[i].effect > 0 ? "+" : "") + cluster.features[i].effect.toFixed(1));
    assert.ok(Math.abs(Number(mean.replaceAll(",", "")) / cluster.features[i].mean - 1) < 0.01, mean);
  });
  const faded = await page.locator("#points .dim").evaluateAll((all) => all.map((g) => Number(g.dataset.group)).sort());
  assert.deepEqual(faded, [0, 2]);
  assert.equal(await visible(page), lines.length, "the others are still there");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#picked").evaluate((p) => p.children.length), 0);
  assert.equal(await page.locator("#points .dim").count(), 0);
  assert.deepEqual(trouble, []);
  await close();
});

test("a click or Enter on the map picks the cluster of the row, Escape lets it go", async () => {
  const { page, trouble, close } = await open(file);
  await page.focus("#plot figure svg");
  await page.keyboard.press("ArrowRight");
  const cluster = (await page.textContent("#hover")).match(/cluster (\d)/)[1];
  await page.keyboard.press("Enter");
  assert.match(await page.textContent("#picked h3"), new RegExp(`^Cluster ${cluster}: `));
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#picked h3").count(), 0);
  await page.locator("#plot figure svg").scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => {
    const d = document.querySelector("#points [data-group='2'] path").getAttribute("d").match(/M([\d.]+) ([\d.]+)/);
    const box = document.querySelector("#plot figure svg").getBoundingClientRect();
    return [box.left + (d[1] * box.width) / 480, box.top + (d[2] * box.width) / 480];
  });
  await page.mouse.move(...at);
  const under = (await page.textContent("#hover")).match(/cluster (\d)/)[1];
  await page.mouse.click(...at);
  assert.match(await page.textContent("#picked h3"), new RegExp(`^Cluster ${under}: `));
  assert.deepEqual(trouble, []);
  await close();
});

test("ranges of features leave the rows of the table that lie in them", async () => {
  const { page, trouble, close } = await open(file);
  await page.locator(".tools summary").click();
  const options = await page.locator(".tools option").allTextContents();
  const [one, two] = options.filter((name) => header.includes(name));
  const middle = (name) => lines.map((line) => Number(line[place(name)])).sort((a, b) => a - b)[89];
  await filter(page, one, String(middle(one)), "");
  const first = rowsOf((i) => Number(lines[i][place(one)]) >= middle(one));
  assert.equal(await visible(page), first.length);
  await filter(page, two, "", String(middle(two)));
  const both = first.filter((i) => Number(lines[i][place(two)]) <= middle(two));
  assert.ok(both.length > 0 && both.length < first.length);
  assert.equal(await visible(page), both.length);
  assert.match(await page.textContent("#selected"), new RegExp(`^${both.length} rows? of 178 rows drawn are selected, ${one} from ${middle(one)}, ${two} to ${middle(two)}$`));
  await page.locator(".tools select").selectOption({ label: one });
  assert.equal(await page.getByLabel("from", { exact: true }).inputValue(), String(middle(one)), "a feature keeps its range");
  await page.getByRole("button", { name: "No filter" }).click();
  assert.equal(await visible(page), lines.length);
  assert.deepEqual(trouble, []);
  await close();
});

test("a row is found by its name", async () => {
  const { page, close } = await open(file);
  await page.locator(".tools summary").click();
  const search = page.getByLabel("Find row");
  await search.fill(id(41).toUpperCase());
  assert.ok((await page.textContent("#hover")).startsWith(`row ${id(41)}, cluster ${labels[41]};`));
  assert.equal(await page.locator(".halo").getAttribute("visibility"), "visible");
  await search.fill("hall 3");
  const there = rowsOf((i) => id(i).includes("hall 3"));
  assert.match(await page.textContent("#hover"), /hall 3/);
  assert.equal(await search.evaluate((input) => input.parentNode.nextSibling.textContent), `Found, and ${there.length - 1} more with these letters.`);
  await search.fill("no such wine");
  assert.match(await search.evaluate((input) => input.parentNode.nextSibling.textContent), /^No row that is drawn/);
  assert.equal(await page.locator(".halo").getAttribute("visibility"), "hidden");
  await close();
});

test("what is selected is saved as CSV, without a request", async () => {
  const { page, trouble, close } = await open(file, { acceptDownloads: true });
  await page.locator(".legend button").nth(0).click();
  await page.locator(".tools summary").click();
  const name = (await page.locator(".tools option").allTextContents()).find((option) => header.includes(option));
  const column = place(name);
  // In the middle of the cluster, so that a part of it is selected.
  const inside = rowsOf((i) => labels[i] === 0).map((i) => Number(lines[i][column]));
  const cut = inside.sort((a, b) => a - b)[Math.floor(inside.length / 2)];
  await filter(page, name, String(cut), "");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).focus().then(() => page.keyboard.press("Enter"))]);
  assert.equal(download.suggestedFilename(), "selection.csv");
  const [head, ...saved] = parsed(readFileSync(await download.path(), "utf8"));
  assert.deepEqual(head.slice(0, 2), ["row", "cluster"]);
  const wanted = rowsOf((i) => labels[i] === 0 && Number(lines[i][column]) >= cut);
  assert.ok(wanted.length > 0 && wanted.length < told.sizes[0]);
  assert.deepEqual(saved.map(([row]) => row), wanted.map(id));
  const at = head.indexOf(name);
  saved.forEach((line, i) => {
    assert.equal(line[1], "0");
    const value = Number(lines[wanted[i]][column]);
    assert.ok(Math.abs(Number(line[at]) - value) <= 1e-3 * Math.abs(value), `${line[at]} ${value}`);
  });
  assert.deepEqual(trouble.filter((said) => !said.startsWith("blob:")), []);
  await close();
});

test("the tools are accessible and fit a phone, with one cluster and with many", async () => {
  const many = { table: clouds(40, 12, 3, 30), command: "cluster crowd.csv -k 40 -m kmeans --drop class" };
  const single = { table: clouds(1, 60, 2, 1), command: "cluster alone.csv -k 1 -m kmeans --drop class" };
  const pages = { pick: file, crowd: make("crowd", many), alone: make("alone", single) };
  const looks = { light: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 360, height: 740 } } };
  for (const [name, look] of [["pick", "light"], ["pick", "dark"], ["pick", "phone"], ["crowd", "phone"], ["alone", "light"]]) {
    const { page, trouble, close } = await open(pages[name], looks[look]);
    await page.locator(".legend button").first().click();
    await page.locator(".tools summary").click();
    await picture(page, `${name}-tools-${look}`);
    assert.deepEqual(await violations(page), [], `${name} ${look}`);
    const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(width <= room, `${name} ${look}: ${width} on ${room}`);
    assert.deepEqual(trouble, [], `${name} ${look}`);
    await close();
  }
});
