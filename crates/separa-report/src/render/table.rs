//! Tables and legends of the page: numbers to the right, columns that a script can sort.

use crate::document::{Cell, Legend, Medium, Table};
use crate::html::Html;
use crate::svg::palette;
use crate::svg::path::{CROSS, Mark};

/// Rows up to which a table is shown whole.
const LONG: usize = 60;

pub(super) fn table(html: &mut Html, table: &Table) {
    let places = table.columns_on(Medium::Page);
    // Only what would be a page by itself has a height of its own.
    let long = if table.rows.len() > LONG { " long" } else { "" };
    html.raw("<div class=\"scroll")
        .raw(long)
        .raw("\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html.text(&table.caption).raw("\"><p class=\"caption\">").text(&table.caption);
    html.raw("</p><table><thead><tr>");
    for column in places.iter().map(|c| &table.columns[*c]) {
        if column.name.is_empty() {
            html.raw("<td></td>");
            continue;
        }
        html.raw("<th scope=\"col\"");
        class(html, if column.number { "n" } else { "" }, column.wide);
        html.raw(">").name(&column.name).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for row in table.rows.iter().chain(&table.footer) {
        html.raw("<tr>");
        for c in &places {
            match row.get(*c) {
                Some(found) => cell(html, found, table.columns[*c].wide),
                None => html.raw("<td></td>"),
            };
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

/// The class of a cell, if it has any; `wide` ones are left out on narrow screens.
fn class<'a>(html: &'a mut Html, class: &'static str, wide: bool) -> &'a mut Html {
    match (class, wide) {
        ("", false) => html,
        ("", true) => html.raw(" class=\"wide\""),
        (_, false) => html.raw(" class=\"").raw(class).raw("\""),
        (_, true) => html.raw(" class=\"").raw(class).raw(" wide\""),
    }
}

fn cell<'a>(html: &'a mut Html, cell: &Cell, wide: bool) -> &'a mut Html {
    html.raw("<td");
    class(html, kind(cell), wide);
    match cell {
        Cell::Name(text) | Cell::Title(text) => html.raw(">").name(text),
        Cell::Text(text) | Cell::Note(text) | Cell::Shaded(text, _) => html.raw(">").text(text),
        Cell::Judged(word, _) => html.raw(">").raw(word),
        Cell::Number(text, value) => {
            html.raw(" data-v=\"").text(&value.to_string()).raw("\">").text(text)
        }
        Cell::Cluster(label, name) => {
            html.raw(" data-v=\"").text(&label.to_string()).raw("\">");
            match usize::try_from(*label) {
                Ok(c) => key(html, c, name),
                Err(_) => html.text(cell.words()),
            }
        }
        Cell::Bar(fraction, c) => {
            html.raw(" data-v=\"").number(*fraction * 100.0);
            html.raw("\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" ");
            html.raw("aria-hidden=\"true\"><g class=\"").raw(palette::class(*c));
            html.raw("\"><rect class=\"bar\" width=\"").number(fraction.clamp(0.0, 1.0) * 100.0);
            html.raw("\" height=\"10\"/></g></svg>")
        }
    }
    .raw("</td>")
}

/// The class that the style sheet knows a cell by.
fn kind(cell: &Cell) -> &'static str {
    match cell {
        Cell::Text(_) | Cell::Note(_) => "t",
        Cell::Number(..) => "n",
        Cell::Bar(..) => "b",
        Cell::Shaded(_, fraction) => {
            let level = (fraction.clamp(0.0, 1.0) * 8.0).ceil() as usize;
            ["n s0", "n s1", "n s2", "n s3", "n s4", "n s5", "n s6", "n s7", "n s8"][level]
        }
        Cell::Name(_) | Cell::Title(_) | Cell::Cluster(..) | Cell::Judged(..) => "",
    }
}

/// What clusters or classes look like in the figures.
pub(super) fn legend(html: &mut Html, legend: &Legend) {
    html.raw("<ul class=\"legend\" aria-label=\"").raw(legend.title).raw("\">");
    for (label, name) in &legend.items {
        html.raw("<li data-group=\"").text(&label.to_string()).raw("\">");
        match usize::try_from(*label) {
            Ok(c) => key(html, c, name),
            Err(_) => {
                html.raw("<span class=\"named\">").raw(KEY).raw(CROSS);
                html.raw("\" class=\"aside\"/></svg>").name(name).raw("</span>")
            }
        };
        html.raw("</li>");
    }
    html.raw("</ul>");
}

const KEY: &str = "<svg class=\"key\" viewBox=\"-4 -4 8 8\" aria-hidden=\"true\"><path d=\"M0 0";

/// A name after the mark that stands for it in the figures.
fn key<'a>(html: &'a mut Html, c: usize, name: &str) -> &'a mut Html {
    let mark = Mark::of(c);
    html.raw("<span class=\"named ").raw(palette::class(c)).raw("\">").raw(KEY).raw(mark.outline());
    html.raw("\" class=\"").raw(mark.class()).raw("\"/></svg>").name(name).raw("</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_columns_can_be_left_out_on_narrow_screens() {
        let mut table = Table::new("").number("mean").number("others").wide();
        table = table.text("interval").wide();
        let interval = Cell::Name("+1.0 to +2.0".into());
        table.row(vec![Cell::Number("2".into(), 2.0), Cell::Number("3".into(), 3.0), interval]);
        let mut html = Html::new();
        self::table(&mut html, &table);
        let html = html.into_string();
        for part in [
            "<th scope=\"col\" class=\"n\"><bdi>mean",
            "<th scope=\"col\" class=\"n wide\"><bdi>others",
            "<td class=\"n\" data-v=\"2\">2</td>",
            "<td class=\"n wide\" data-v=\"3\">3</td>",
            "<td class=\"wide\"><bdi>+1.0 to +2.0</bdi></td>",
        ] {
            assert!(html.contains(part), "{part} is missing in {html}");
        }
    }

    #[test]
    fn a_legend_shows_the_marks_of_the_figures() {
        let items = [(0, "pike"), (1, "roach"), (-1, "outliers")];
        let items = items.map(|(c, name)| (c, name.to_owned())).to_vec();
        let mut html = Html::new();
        legend(&mut html, &Legend { title: "Clusters", items });
        let html = html.into_string();
        for (c, outline) in [(0, Mark::Dot.outline()), (1, Mark::Square.outline()), (-1, CROSS)] {
            let item = html.split(&format!("data-group=\"{c}\"")).nth(1).unwrap();
            let item = item.split("</li>").next().unwrap();
            assert!(item.contains(&format!("d=\"M0 0{outline}\"")), "{item}");
        }
    }
}
