//! How the number of groups was found.

use super::{Cell, Table};
use crate::figures::{figure, tree};
use crate::html::Html;
use crate::number;
use separa::{Counted, Step};

/// Steps that are listed, the last ones.
const LISTED: usize = 30;

/// What to say where the runs disagree: the number is uncertain, however real the gaps are.
pub fn doubt(found: &Counted) -> Option<String> {
    let (least, most) = (found.k_by_seed.iter().min()?, found.k_by_seed.iter().max()?);
    let runs = number::counted(found.k_by_seed.len(), "run");
    found
        .is_uncertain()
        .then(|| format!("The number is uncertain: {runs} found from {least} to {most}."))
}

pub fn section(found: &Counted) -> Html {
    let how = match found.k_by_seed.len() {
        0 => "(Nearly) all rows are equal.".to_owned(),
        runs => format!(
            "{} on {} found {}.",
            number::counted(runs, "run"),
            number::counted(found.rows, "row"),
            found.runs()
        ),
    };
    let groups = number::counted(found.k, "group");
    let mut said = format!("The number was not given but found: {groups}. {how}");
    if let Some(doubt) = doubt(found) {
        said = format!("{said} {doubt}");
    }
    let mut html = Html::new();
    html.raw("<p>").text(&said).raw("</p>");
    if let Some(drawing) = tree::draw(found) {
        html.add(&figure(&drawing, &caption(found)));
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

fn caption(found: &Counted) -> String {
    let until = match found.k == found.k_max {
        true => format!(
            "until every gap is real and no more than {} are left, the most that were looked for: the last pieces \
             may have been joined across a real gap",
            found.k_max
        ),
        false => "until every gap is real".to_owned(),
    };
    format!(
        "Each line is a piece of the rows. Many small pieces (left) are joined where there is no gap between them \
         (dots) and cut where there is one within (rings), {until}; the lines that reach the right edge are the \
         groups."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::Decision;

    fn found(k_by_seed: &[usize], k_max: usize) -> Counted {
        let step =
            |k| Decision { step: Step::Merge, pieces: [0, 1], whole: 5, sizes: [3, 1], p: 0.2, k };
        let spread = k_by_seed.iter().max().unwrap() - k_by_seed.iter().min().unwrap();
        let k_by_seed = k_by_seed.to_vec();
        let path = vec![step(3)];
        Counted { k: 3, k_by_seed, spread, k_max, p: 0.01, rows: 70, path, ..Counted::default() }
    }

    #[test]
    fn runs_that_disagree_are_told() {
        let said = "The number is uncertain: 4 runs found from 2 to 4.";
        assert_eq!(doubt(&found(&[2, 3, 4, 3], 24)).as_deref(), Some(said));
        assert!(section(&found(&[2, 3, 4, 3], 24)).as_str().contains(said));
        assert_eq!(doubt(&found(&[3, 3, 4], 24)), None);
        assert!(!section(&found(&[3, 3, 3], 24)).as_str().contains("uncertain"));
    }

    #[test]
    fn equal_rows_have_no_runs_to_tell() {
        let none = Counted { k: 1, k_max: 24, p: 1.0, ..Counted::default() };
        assert!(section(&none).as_str().contains("found: 1 group. (Nearly) all rows are equal."));
    }

    #[test]
    fn pieces_joined_for_the_limit_are_not_called_gapless() {
        let limited = section(&found(&[3, 3, 3], 3));
        assert!(
            limited.as_str().contains("no more than 3 are left, the most that were looked for")
        );
        assert!(section(&found(&[3, 3, 3], 24)).as_str().contains("until every gap is real; the"));
    }
}
