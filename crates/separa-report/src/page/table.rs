//! Tables: numbers to the right, columns that a script can sort.

use crate::html::Html;
use crate::svg::palette;
use crate::svg::path::{CROSS, Mark};

/// One cell.
#[derive(Debug, Clone)]
pub enum Cell {
    /// A name from the data.
    Name(String),
    /// A sentence, however long.
    Text(String),
    /// What is shown, and what it is sorted by.
    Number(String, f64),
    /// A group with its colour.
    Group(i32),
    /// Two groups.
    Pair(i32, i32),
    /// A share of the largest as a bar, with the group whose colour it has.
    Bar(f64, usize),
    /// A number on paper that is the darker the larger its share.
    Shaded(String, f64),
}

/// A table being filled.
#[derive(Debug)]
pub struct Table {
    html: Html,
}

impl Table {
    /// `caption` says what is in it.
    pub fn new(caption: &str, heads: &[(&str, bool)]) -> Self {
        let mut html = Html::new();
        html.raw("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"")
            .text(caption);
        html.raw("\"><p class=\"caption\">").text(caption).raw("</p><table><thead><tr>");
        for (head, number) in heads {
            if head.is_empty() {
                html.raw("<td></td>");
                continue;
            }
            html.raw(if *number { "<th scope=\"col\" class=\"n\">" } else { "<th scope=\"col\">" });
            html.name(head).raw("</th>");
        }
        html.raw("</tr></thead><tbody>");
        Self { html }
    }

    pub fn row(&mut self, cells: &[Cell]) -> &mut Self {
        self.html.raw("<tr>");
        cells.iter().for_each(|cell| self.cell(cell));
        self.html.raw("</tr>");
        self
    }

    pub fn finish(mut self) -> Html {
        self.html.raw("</tbody></table></div>");
        self.html
    }

    fn cell(&mut self, cell: &Cell) {
        let html = &mut self.html;
        match cell {
            Cell::Name(text) => html.raw("<td>").name(text).raw("</td>"),
            Cell::Text(text) => html.raw("<td class=\"t\">").text(text).raw("</td>"),
            Cell::Number(text, value) => {
                html.raw("<td class=\"n\" data-v=\"").text(&value.to_string()).raw("\">");
                html.text(text).raw("</td>")
            }
            Cell::Group(label) => {
                html.raw("<td data-v=\"").text(&label.to_string()).raw("\">");
                group(html, *label);
                html.raw("</td>")
            }
            Cell::Pair(a, b) => {
                html.raw("<td data-v=\"").text(&format!("{a}.{b:06}")).raw("\">");
                group(html, *a);
                html.raw(" ");
                group(html, *b);
                html.raw("</td>")
            }
            Cell::Bar(share, c) => {
                html.raw("<td class=\"b\" data-v=\"").number(*share * 100.0);
                html.raw(
                    "\"><svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" ",
                );
                html.raw("aria-hidden=\"true\"><g class=\"").raw(palette::class(*c));
                html.raw("\"><rect class=\"bar\" width=\"").number(share.clamp(0.0, 1.0) * 100.0);
                html.raw("\" height=\"10\"/></g></svg></td>")
            }
            Cell::Shaded(text, share) => {
                let level = (share.clamp(0.0, 1.0) * 8.0).ceil() as usize;
                let class = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"][level];
                html.raw("<td class=\"n ").raw(class).raw("\">").text(text).raw("</td>")
            }
        };
    }
}

/// A group's number with a mark of its colour; −1 are rows set aside.
pub fn group(html: &mut Html, label: i32) {
    match usize::try_from(label) {
        Ok(c) => key(html, c, &c.to_string()),
        Err(_) => html.raw("set aside"),
    };
}

/// What groups or classes look like: their numbers and names. Rows set aside have the number −1.
pub fn legend(title: &str, items: impl IntoIterator<Item = (i32, String)>) -> Html {
    let mut html = Html::new();
    html.raw("<ul class=\"legend\" aria-label=\"").text(title).raw("\">");
    for (label, name) in items {
        html.raw("<li data-group=\"").text(&label.to_string()).raw("\">");
        match usize::try_from(label) {
            Ok(c) => key(&mut html, c, &name),
            Err(_) => html.raw(KEY).raw(CROSS).raw("\" class=\"aside\"/></svg>").name(&name),
        };
        html.raw("</li>");
    }
    html.raw("</ul>");
    html
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
        let items = [(1, "pike"), (8, "roach"), (-1, "set aside")];
        let html = legend("Groups", items.map(|(c, name)| (c, name.to_owned()))).into_string();
        for (c, outline) in [(1, Mark::Dot.outline()), (8, Mark::Square.outline()), (-1, CROSS)] {
            let item = html.split(&format!("data-group=\"{c}\"")).nth(1).unwrap();
            let item = item.split("</li>").next().unwrap();
            assert!(item.contains(&format!("d=\"M0 0{outline}\"")), "{item}");
        }
    }
}
