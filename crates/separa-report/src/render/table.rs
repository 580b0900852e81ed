//! Tables and legends of the page: numbers to the right, columns that a script can sort.

use crate::document::{Cell, Legend, Medium, Table};
use crate::html::Html;
use crate::svg::palette;
use crate::svg::path::{CROSS, Mark};

pub(super) fn table(html: &mut Html, table: &Table) {
    let places = table.columns_on(Medium::Page);
    html.raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html.text(&table.caption).raw("\"><p class=\"caption\">").text(&table.caption);
    html.raw("</p><table><thead><tr>");
    for column in places.iter().map(|c| &table.columns[*c]) {
        if column.name.is_empty() {
            html.raw("<td></td>");
            continue;
        }
        html.raw(if column.number {
            "<th scope=\"col\" class=\"n\">"
        } else {
            "<th scope=\"col\">"
        });
        html.name(&column.name).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for row in table.rows.iter().chain(&table.footer) {
        html.raw("<tr>");
        for c in &places {
            match row.get(*c) {
                Some(found) => cell(html, found),
                None => html.raw("<td></td>"),
            };
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div>");
}

fn cell<'a>(html: &'a mut Html, cell: &Cell) -> &'a mut Html {
    match cell {
        Cell::Name(text) | Cell::Title(text) => html.raw("<td>").name(text).raw("</td>"),
        Cell::Text(text) | Cell::Note(text) => html.raw("<td class=\"t\">").text(text).raw("</td>"),
        Cell::Judged(word, _) => html.raw("<td>").raw(word).raw("</td>"),
        Cell::Number(text, value) => {
            html.raw("<td class=\"n\" data-v=\"").text(&value.to_string()).raw("\">");
            html.text(text).raw("</td>")
        }
        Cell::Cluster(label, name) => {
            html.raw("<td data-v=\"").text(&label.to_string()).raw("\">");
            match usize::try_from(*label) {
                Ok(c) => key(html, c, name),
                Err(_) => html.text(cell.words()),
            }
            .raw("</td>")
        }
        Cell::Bar(fraction, c) => {
            html.raw("<td class=\"b\" data-v=\"").number(*fraction * 100.0);
            html.raw("\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" ");
            html.raw("aria-hidden=\"true\"><g class=\"").raw(palette::class(*c));
            html.raw("\"><rect class=\"bar\" width=\"").number(fraction.clamp(0.0, 1.0) * 100.0);
            html.raw("\" height=\"10\"/></g></svg></td>")
        }
        Cell::Shaded(text, fraction) => {
            let level = (fraction.clamp(0.0, 1.0) * 8.0).ceil() as usize;
            let class = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"][level];
            html.raw("<td class=\"n ").raw(class).raw("\">").text(text).raw("</td>")
        }
    }
}

/// What clusters or classes look like in the figures.
pub(super) fn legend(html: &mut Html, legend: &Legend) {
    html.raw("<ul class=\"legend\" aria-label=\"").raw(legend.title).raw("\">");
    for (label, name) in &legend.items {
        html.raw("<li data-group=\"").text(&label.to_string()).raw("\">");
        match usize::try_from(*label) {
            Ok(c) => key(html, c, name),
            Err(_) => html.raw(KEY).raw(CROSS).raw("\" class=\"aside\"/></svg>").name(name),
        };
        html.raw("</li>");
    }
    html.raw("</ul>");
}

const KEY: &str = "<svg class=\"key\" viewBox=\"-4 -4 8 8\" aria-hidden=\"true\"><path d=\"M0 0";

/// A name after the mark that stands for it in the figures.
fn key<'a>(html: &'a mut Html, c: usize, name: &str) -> &'a mut Html {
    let mark = Mark::of(c);
    html.raw("<span class=\"").raw(palette::class(c)).raw("\">").raw(KEY).raw(mark.outline());
    html.raw("\" class=\"").raw(mark.class()).raw("\"/></svg>").name(name).raw("</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

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
