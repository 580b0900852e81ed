// Pages of the documentation site, checked for people who cannot see or use a mouse; `docs/serve --build` makes it. A page
// of each kind, and every page in `./run site`, which takes minutes.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse, violations } from "./desk.mjs";

const site = fileURLToPath(new URL("../../../target/site/", import.meta.url));
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png" };
const all = existsSync(site)
  ? readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("figures")).sort()
  : [];
// The first page, the one of a dead link, a method, wide tables, Rust. The reference of the Python package is left to
// `./run site`: it takes longer than these together.
const kinds = ["index", "404", "methods/logistic/index", "tables/index", "tutorials/rust/index"].map((name) => `${name}.html`);
const every = process.env.SEPARA_SITE === "every";
const pages = every ? all : kinds;
const skip = !every && !all.length && "the site is not built: docs/serve --build";

let server;
before(() => {
  server = createServer((request, answer) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const file = join(site, path.endsWith("/") ? `${path}index.html` : path);
    if (relative(site, file).startsWith("..") || !existsSync(file)) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", done));
});
after(() => server.close());

test("the site is built", { skip }, () => {
  assert.ok(all.length > 20, "build it first: docs/serve --build");
  assert.deepEqual(kinds.filter((page) => !all.includes(page)), [], "pages that are gone");
});

for (const [name, options] of Object.entries({
  desktop: { viewport: { width: 1280, height: 900 } },
  "phone, dark": { viewport: { width: 390, height: 800 }, colorScheme: "dark" },
})) {
  const at = (page) => `http://127.0.0.1:${server.address().port}/${page}`;
  // What opens moves and fades in before it can be read: a violation counts if it is still there seconds later.
  const settled = async (page) => {
    for (let left = 20; ; left--) {
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map((a) => a.finished)));
      const found = await violations(page);
      if (!found.length || !left) return found;
      await page.waitForTimeout(500);
    }
  };

  test(`no page has a violation: ${name}`, { skip }, async () => {
    const found = [];
    const opened = await browse(at(pages[0]), options);
    opened.page.setDefaultTimeout(120_000);
    for (const page of pages) {
      await opened.page.goto(at(page));
      for (const violation of await violations(opened.page)) found.push(`${page}: ${violation}`);
    }
    await opened.close();
    console.log(`${pages.length} pages, ${found.length} violations`);
    assert.deepEqual(found, []);
  });

  test(`neither has what opens over a page: ${name}`, { skip }, async () => {
    const { page, close } = await browse(at("methods/logistic/"), options);
    page.setDefaultTimeout(120_000);
    const drawer = page.locator('label.md-header__button[for="__drawer"]');
    if (await drawer.isVisible()) {
      await drawer.click();
      assert.deepEqual(await settled(page), [], "the drawer");
      await page.reload();
    }
    // The page listens once its script has started, which is also when code gets its buttons. It listens to keys: text that is
    // filled in by other means is not searched for.
    await page.locator(".md-code__nav").first().waitFor({ state: "attached" });
    await page.keyboard.press("/");
    await page.locator(".md-search__input").pressSequentially("cluster");
    await page.locator(".md-search-result__item").first().waitFor();
    assert.deepEqual(await settled(page), [], "what the search found");
    await close();
  });
}
