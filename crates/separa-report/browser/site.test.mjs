// Every page of the documentation site, checked for people who cannot see or use a mouse: `./run site` after
// `docs/serve --build`. Not part of `./run`: opening all pages twice takes a minute or two.

import assert from "node:assert/strict";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse, violations } from "./desk.mjs";

const site = fileURLToPath(new URL("../../../target/site/", import.meta.url));
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png" };
const pages = existsSync(site)
  ? readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("figures")).sort()
  : [];

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

test("the site is built", () => assert.ok(pages.length > 20, "build it first: docs/serve --build"));

for (const [name, options] of Object.entries({
  desktop: { viewport: { width: 1280, height: 900 } },
  "phone, dark": { viewport: { width: 390, height: 800 }, colorScheme: "dark" },
})) {
  test(`no page has a violation: ${name}`, async () => {
    const found = [];
    const at = (page) => `http://127.0.0.1:${server.address().port}/${page}`;
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
}
