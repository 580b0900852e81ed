//! Head, sections and foot of a page.

use super::digest;
use crate::html::Html;
use crate::svg::alone;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/script.js");

/// What stands above everything.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    pub input: &'a str,
    /// The method, or what else the page is about.
    pub kind: &'a str,
    pub warnings: &'a [String],
}

/// A page being put together.
#[derive(Debug, Default)]
pub struct Page {
    body: Html,
    links: Html,
    data: Option<serde_json::Value>,
}

impl Page {
    pub fn section(&mut self, id: &'static str, title: &'static str, content: &Html) {
        if content.is_empty() {
            return;
        }
        self.links.raw("<a href=\"#").raw(id).raw("\">").raw(title).raw("</a> ");
        self.body
            .raw("<section id=\"")
            .raw(id)
            .raw("\" aria-labelledby=\"")
            .raw(id)
            .raw("-title\"><h2 id=\"");
        self.body.raw(id).raw("-title\">").raw(title).raw("</h2>").add(content).raw("</section>\n");
    }

    /// What the script may use.
    pub fn data(&mut self, value: serde_json::Value) {
        self.data = Some(value);
    }

    /// The whole file: `verdict` after the warnings, before everything else.
    pub fn finish(self, head: &Head<'_>, verdict: &str, real: Option<bool>) -> String {
        let mut html = Html::new();
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        // The browser itself refuses every request and every other script, should one ever get in.
        html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
        html.raw("style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src '");
        html.text(&digest::source(SCRIPT)).raw("'\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
        html.text(head.input).raw(" · separa</title>\n<style>\n");
        html.add(&alone::style()).raw(STYLE).raw("</style>\n</head>\n<body>\n<header>");
        html.raw("<p class=\"kicker\">separa ")
            .raw(env!("CARGO_PKG_VERSION"))
            .raw(" · ")
            .text(head.kind);
        html.raw("</p><h1>").name(head.input).raw("</h1></header>\n<main>\n");
        if !head.warnings.is_empty() {
            html.raw("<div class=\"warnings\" role=\"note\"><h2>Warnings</h2><ul>");
            head.warnings.iter().for_each(|w| {
                html.raw("<li>").text(w).raw("</li>");
            });
            html.raw("</ul></div>\n");
        }
        html.raw(match real {
            Some(true) => "<p class=\"verdict good\">",
            Some(false) => "<p class=\"verdict doubt\">",
            None => "<p class=\"verdict\">",
        });
        html.text(verdict)
            .raw("</p>\n<nav aria-label=\"Sections\">")
            .add(&self.links)
            .raw("</nav>\n");
        html.add(&self.body).raw("</main>\n<footer><p>Written by separa ");
        html.raw(env!("CARGO_PKG_VERSION"))
            .raw(". One file, no network: keep it, print it, send it.</p></footer>\n");
        if let Some(data) = &self.data {
            html.raw("<script type=\"application/json\" id=\"data\">")
                .json(data)
                .raw("</script>\n");
        }
        html.raw("<script>").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
        html.into_string()
    }
}

/// A paragraph that says why something is not on the page.
pub fn missing(why: &str) -> Html {
    let mut html = Html::new();
    html.raw("<p class=\"missing\">").text(why).raw("</p>");
    html
}
