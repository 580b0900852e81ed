//! A document as one file of HTML that needs no network.

use super::table;
use crate::document::{Block, Document, Medium, Section};
use crate::html::Html;
use crate::svg::alone;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("../assets/dom.js"),
    include_str!("../assets/words.js"),
    include_str!("../assets/page.js"),
    include_str!("../assets/map.js"),
    include_str!("../assets/select.js")
);
/// The map alone, for other pages: a function `makeMap(plot, data, words)`.
pub const MAP_SCRIPT: &str = concat!(
    "const makeMap = (() => {\n",
    include_str!("../assets/dom.js"),
    include_str!("../assets/map.js"),
    "return makeMap;\n})();\n"
);
/// The SHA-256 of the script in base64, by which the page names the one script that may run. A test compares it.
const SCRIPT_HASH: &str = "sha256-QGHVHsS+CNF7ellwKboDv4iVsNgGKR+rwM24p9EXLnA=";

/// What only few readers want, at the end of the page.
const APPENDIX: [&str; 6] = ["steps", "convergence", "apply", "settings", "names", "glossary"];

/// The whole file: `verdict` after the warnings, before everything else.
pub fn render(document: &Document) -> String {
    let mut html = Html::new();
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // The browser itself refuses every request and every other script, should one ever get in.
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.raw("style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src '");
    html.raw(SCRIPT_HASH).raw("'\">\n");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html.text(&document.title).raw(" · separa</title>\n<style>\n");
    html.add(&alone::style()).raw(STYLE).raw("</style>\n</head>\n<body>\n<header>");
    html.raw("<p class=\"kicker\">separa ").raw(env!("CARGO_PKG_VERSION")).raw(" · ");
    html.text(&document.kind);
    if !document.made.is_empty() {
        html.raw(" · ").text(&document.made);
    }
    html.raw("</p><h1>").name(&document.title);
    html.raw("</h1></header>\n<main>\n");
    if !document.warnings.is_empty() {
        html.raw("<div class=\"warnings\" role=\"note\"><h2>Warnings</h2>");
        list(&mut html, &document.warnings);
        html.raw("</div>\n");
    }
    html.raw("<h2 class=\"quiet\">Summary</h2>");
    html.raw(match document.good {
        Some(true) => "<p class=\"verdict good\">",
        Some(false) => "<p class=\"verdict doubt\">",
        None => "<p class=\"verdict\">",
    });
    html.text(&document.verdict).raw("</p>\n<nav aria-label=\"Sections\">");
    let shown = |section: &&Section| section.on(Medium::Page).next().is_some();
    let (appendix, main): (Vec<&Section>, Vec<&Section>) =
        document.sections.iter().filter(shown).partition(|s| APPENDIX.contains(&s.id));
    for Section { id, title, .. } in main.iter().chain(&appendix) {
        html.raw("<a href=\"#").raw(id).raw("\">").raw(title).raw("</a> ");
    }
    html.raw("</nav>\n");
    main.into_iter().for_each(|s| section(&mut html, s));
    if !appendix.is_empty() {
        html.raw("<h2 class=\"part\">Appendix</h2>\n");
    }
    appendix.into_iter().for_each(|s| section(&mut html, s));
    html.raw("</main>\n<footer><p>Written by separa ").raw(env!("CARGO_PKG_VERSION"));
    html.raw(". One file, no network: keep it, print it, send it.</p></footer>\n");
    if let Some(data) = &document.data {
        html.raw("<script type=\"application/json\" id=\"data\">").json(data).raw("</script>\n");
    }
    html.raw("<script>").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
    html.into_string()
}

fn section(html: &mut Html, section: &Section) {
    let id = section.id;
    html.raw("<section id=\"").raw(id).raw("\" aria-labelledby=\"").raw(id);
    html.raw("-title\"><h2 id=\"").raw(id).raw("-title\">").raw(section.title).raw("</h2>");
    section.on(Medium::Page).for_each(|found| block(html, found));
    html.raw("</section>\n");
}

fn block(html: &mut Html, block: &Block) {
    match block {
        Block::Text(said) => {
            html.raw("<p>").text(said).raw("</p>");
        }
        Block::Missing(said) => {
            html.raw("<p class=\"missing\">").text(said).raw("</p>");
        }
        Block::List(all) => list(html, all),
        Block::Code { title, code } => {
            if !title.is_empty() {
                html.raw("<h3>").raw(title).raw("</h3>");
            }
            html.raw("<pre tabindex=\"0\"><code>").text(code).raw("</code></pre>");
        }
        Block::Table(found) => table::table(html, found),
        Block::Figure { drawing, caption } => figure(html, drawing, caption),
        Block::Histogram(found) => figure(html, &found.drawing, &found.caption),
        Block::Gallery(drawings) => {
            html.raw("<div class=\"multiples\">");
            drawings.iter().for_each(|drawing| {
                html.add(drawing);
            });
            html.raw("</div>");
        }
        Block::Plot { drawing, caption, legend } => {
            html.raw("<div id=\"plot\">");
            figure(html, drawing, caption);
            table::legend(html, legend);
            html.raw("</div>");
        }
        Block::Legend(found) => table::legend(html, found),
    }
}

fn list(html: &mut Html, sentences: &[String]) {
    html.raw("<ul>");
    sentences.iter().for_each(|said| {
        html.raw("<li>").text(said).raw("</li>");
    });
    html.raw("</ul>");
}

fn figure(html: &mut Html, drawing: &Html, caption: &str) {
    html.raw("<figure>").add(drawing).raw("<figcaption>").text(caption);
    html.raw("</figcaption></figure>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_names_the_script_by_its_digest() {
        let digest = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{digest}"), "the script changed, so does its name");
    }
}
