//! A document as a small piece of HTML that needs no style sheet, for notebooks.

use crate::document::{Block, Cell, Document, Medium, Table};
use crate::html::Html;
use crate::svg::alone;
use base64::prelude::{BASE64_STANDARD, Engine};

/// Sections that a reader wants to see at once, beside those that a terminal shows, too.
const OPEN: [&str; 2] = ["separation", "features"];

/// What a notebook shows in place of an object: its facts, the verdict, the map and the short tables.
pub fn render(document: &Document) -> String {
    let mut html = Html::new();
    html.raw("<div style=\"max-width:46em\">");
    for (name, said) in &document.facts {
        html.raw("<div><b>").text(name).raw("</b>: ").text(said).raw("</div>");
    }
    for warning in &document.warnings {
        html.raw("<div><b>warning:</b> ").text(warning).raw("</div>");
    }
    if !document.verdict.is_empty() {
        html.raw(match document.good {
            Some(true) => "<p style=\"border-left:4px solid #1fa76a;padding-left:.6em\">",
            Some(false) => "<p style=\"border-left:4px solid #e57300;padding-left:.6em\">",
            None => "<p>",
        });
        html.text(&document.verdict).raw("</p>");
    }
    for section in &document.sections {
        let mut body = Html::new();
        section.on(Medium::Notebook).for_each(|found| block(&mut body, found));
        if !body.is_empty() {
            let brief = section.on(Medium::Terminal).next().is_some() || OPEN.contains(&section.id);
            html.raw(if brief { "<details open><summary>" } else { "<details><summary>" });
            html.raw(section.title).raw("</summary>").add(&body);
            html.raw("</details>");
        }
    }
    html.raw("</div>");
    html.into_string()
}

fn block(html: &mut Html, block: &Block) {
    match block {
        Block::Text(said) | Block::Missing(said) => {
            html.raw("<p>").text(said).raw("</p>");
        }
        Block::List(all) => all.iter().for_each(|said| {
            html.raw("<p>").text(said).raw("</p>");
        }),
        Block::Code { code, .. } => {
            html.raw("<pre>").text(code).raw("</pre>");
        }
        Block::Table(found) => table(html, found),
        Block::Plot { drawing, caption, .. } => plot(html, drawing, caption),
        _ => {}
    }
}

/// A drawing as an image of its own: its style must not reach the rest of the notebook.
fn plot(html: &mut Html, drawing: &Html, caption: &str) {
    let image = BASE64_STANDARD.encode(alone::standalone(drawing));
    html.raw("<figure style=\"margin:0\"><img style=\"width:100%;max-width:36em\" alt=\"map of the clusters\" ");
    html.raw("src=\"data:image/svg+xml;base64,").text(&image).raw("\"><figcaption>");
    html.text(caption).raw("</figcaption></figure>");
}

fn table(html: &mut Html, table: &Table) {
    let places = table.columns_on(Medium::Notebook);
    let (rows, hidden) = table.rows_on(Medium::Notebook);
    let rest = table.rest.clone().unwrap_or_else(|| vec![Cell::Name(format!("{hidden} more"))]);
    html.raw("<table>");
    if places.iter().any(|c| !table.columns[*c].name.is_empty()) {
        html.raw("<thead><tr>");
        places.iter().for_each(|c| {
            html.raw("<th>").name(&table.columns[*c].name).raw("</th>");
        });
        html.raw("</tr></thead>");
    }
    html.raw("<tbody>");
    for row in rows.iter().chain((hidden > 0).then_some(&rest)).chain(&table.footer) {
        html.raw("<tr>");
        places.iter().filter_map(|c| row.get(*c)).for_each(|found| cell(html, found));
        html.raw("</tr>");
    }
    html.raw("</tbody></table>");
}

fn cell(html: &mut Html, cell: &Cell) {
    match cell {
        Cell::Bar(fraction, _) => {
            html.raw(
                "<td><div style=\"width:8em\"><div style=\"background:#5b8def;height:.7em;width:",
            );
            html.number(fraction.clamp(0.0, 1.0) * 100.0).raw("%\"></div></div></td>");
        }
        Cell::Text(text) | Cell::Note(text) => {
            html.raw("<td style=\"text-align:left\">").text(text).raw("</td>");
        }
        _ => {
            html.raw("<td>").name(cell.words()).raw("</td>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Legend, On, Section};
    use crate::svg::Sheet;

    #[test]
    fn a_notebook_shows_what_is_for_it_and_no_markup_of_the_data() {
        let mut document = Document { verdict: "a <b> verdict".into(), ..Document::default() };
        document.facts = vec![("<i>table</i>".into(), "2 rows".into())];
        let mut section = Section::new("s", "Sizes");
        section.say(On::Page, "long").say(On::Terminal, "screen").say(On::Html, "both");
        let mut table = Table::new("").text("name");
        table.row(vec![Cell::Name("<script>".into())]);
        document.add(section.table(table).clone());
        let legend = Legend { title: "Clusters", items: Vec::new() };
        let drawing = Sheet::new(10.0, 20.0, "a map").finish();
        let plot = Block::Plot { drawing, caption: "a <i> map".into(), legend };
        document.add(Section::new("separation", "Map").add(On::Html, plot).clone());
        let mut other = Section::new("p", "Page only");
        document.add(other.say(On::Page, "x").clone());
        let html = render(&document);
        for part in ["&lt;i&gt;table", "a &lt;b&gt; verdict", "both", "&lt;script&gt;", "Sizes"] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(
            html.contains("<details open><summary>Map</summary>")
                && html.contains("a &lt;i&gt; map")
        );
        let image = html.split("base64,").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let image = String::from_utf8(BASE64_STANDARD.decode(image).unwrap()).unwrap();
        assert!(image.starts_with("<svg xmlns=") && image.contains("a map"), "{image}");
        for part in ["long", "screen", "Page only", "<script"] {
            assert!(!html.contains(part), "{part}: {html}");
        }
    }
}
