//! How the number of groups was found.

use super::{Cell, Table};
use crate::figures::{figure, tree};
use crate::html::Html;
use crate::number;
use separa::{Counted, Step};

/// Steps that are listed, the last ones.
const LISTED: usize = 30;

pub fn section(found: &Counted) -> Html {
    let runs: Vec<String> = found.k_by_seed.iter().map(usize::to_string).collect();
    let said = format!(
        "The number was not given but found: {}. {} on {} found {}.",
        number::counted(found.k, "group"),
        number::counted(runs.len(), "run"),
        number::counted(found.rows, "row"),
        runs.join(", ")
    );
    let mut html = Html::new();
    html.raw("<p>").text(&said).raw("</p>");
    if let Some(drawing) = tree::draw(found) {
        let caption = "Each line is a piece of the rows. Many small pieces (left) are joined where there is no gap \
                       between them (dots) and cut where there is one within (rings), until every gap is real; \
                       the lines that reach the right edge are the groups.";
        html.add(&figure(&drawing, caption));
    }
    if found.path.is_empty() {
        return html;
    }
    let heads =
        [("step", true), ("what", false), ("pieces", true), ("rows", true), ("p of the gap", true)];
    let hidden = found.path.len().saturating_sub(LISTED);
    let caption = match hidden {
        0 => "The steps".to_owned(),
        _ => format!("The last {LISTED} of {} steps", found.path.len()),
    };
    let mut table = Table::new(&caption, &heads);
    for (i, step) in found.path.iter().enumerate().skip(hidden) {
        let [a, b] = step.sizes.map(number::count);
        table.row(&[
            Cell::Number((i + 1).to_string(), (i + 1) as f64),
            Cell::Text(if step.step == Step::Merge { "joined".into() } else { "cut".into() }),
            Cell::Number(step.k.to_string(), step.k as f64),
            Cell::Number(format!("{a} + {b}"), step.sizes.iter().sum::<usize>() as f64),
            Cell::Number(number::p_value(step.p), step.p),
        ]);
    }
    html.add(&table.finish());
    html
}
