// Five tasks of a newcomer in `separa app`, as scripts that count clicks (typing and picking from a list count as one each).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Person, columnsOpen, desk, finished, open, row, taken } from "./app_page.mjs";

/** Customers of three kinds, who differ in three of four columns, and one who is like no other. */
const customers = () => {
  let state = 5;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const normal = () => Array.from({ length: 12 }, uniform).reduce((a, b) => a + b, -6);
  const kinds = [[20, 2, 50], [60, 9, 300], [35, 20, 120]];
  const lines = ["customer,age,visits,spend,height"];
  const kind = [];
  for (let i = 0; i < 240; i++) {
    kind.push(i % 3);
    const [age, visits, spend] = kinds[i % 3];
    const odd = i === 100;
    lines.push([`c${i}`, (age + 3 * normal() + (odd ? 25 : 0)).toFixed(1), (visits + normal()).toFixed(1), (spend + 12 * normal() - (odd ? 160 : 0)).toFixed(1), (170 + 8 * normal()).toFixed(1)].join(","));
  }
  return { text: lines.join("\n"), kind };
};
const { text, kind } = customers();
const begun = async () => {
  const { page, trouble, close } = await open();
  const person = new Person(page);
  await person.give("customers.csv", text);
  await person.fit();
  return { page, trouble, person, close };
};
const end = async (task, most, { person, trouble, close }) => {
  console.log(`# ${task}: ${person.clicks} clicks`);
  assert.ok(person.clicks <= most, `${task}: ${person.clicks} clicks, at most ${most}`);
  assert.deepEqual(trouble, []);
  await close();
};

test("how many kinds of customers are there", async () => {
  const session = await begun();
  assert.match(await session.page.textContent(".verdict"), /^3 clusters: /);
  await end("how many kinds of customers", 2, session);
});

test("which rows are odd", async () => {
  const session = await begun();
  await session.person.click("#tab-rows");
  await session.page.waitForSelector("#odd li");
  assert.match(await session.page.locator("#odd li").first().textContent(), /c100/);
  await session.person.click("#odd li button");
  await session.page.waitForSelector(".side .why");
  assert.match(await session.page.textContent(".side .why"), /c100/);
  await end("which rows are odd, and why", 4, session);
});

test("what makes cluster 2", async () => {
  const session = await begun();
  await session.person.click("#tab-clusters");
  await session.page.waitForSelector("#profile-2");
  const lines = await session.page.locator("#profile-2 tbody tr").allTextContents();
  // Clusters are numbered by first appearance: 2 is the third kind, who visit most and are of no special height.
  assert.match(lines[0], /^visits/);
  assert.ok(!lines.slice(0, 2).some((line) => line.startsWith("height")));
  await end("what makes cluster 2", 3, session);
});

test("rerun without a column", async () => {
  const session = await begun();
  const { page, person } = session;
  await person.click("#h-columns");
  person.clicks += 1;
  await row(page, "height").locator("input").uncheck();
  await page.waitForFunction(() => document.getElementById("seen").textContent.includes("3 features"));
  await person.fit();
  await person.click("#tab-compare");
  await page.waitForSelector("#agreement");
  const ari = Number((await page.textContent("#agreement")).match(/index (\d\.\d+)/)[1]);
  assert.ok(ari > 0.9, `height says nothing: ${ari}`);
  await end("rerun without a column, and compare", 6, session);
});

test("hand the rule to a colleague", async () => {
  const session = await begun();
  const { page, person } = session;
  await person.click("#tab-take");
  person.clicks += 1;
  const model = await taken(page, `[id="take-rule.separa"]`);
  writeFileSync(join(desk, "rule.separa"), model);
  writeFileSync(join(desk, "new.csv"), text);
  execFileSync(process.env.SEPARA_CLI, ["predict", "rule.separa", "new.csv", "-o", "given.csv", "-q"], { cwd: desk });
  const labels = readFileSync(join(desk, "given.csv"), "utf8").trim().split("\n").slice(1).map((line) => Number(line.split(",")[1]));
  const wrong = labels.filter((label, i) => label !== kind[i]).length;
  assert.ok(wrong <= 2, `${wrong} of 240 are of another kind`);
  await end("hand the rule to a colleague", 4, session);
});
