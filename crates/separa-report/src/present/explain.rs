//! The document of rows that are explained.

use crate::document::{Cell, Document, On, Section, Table};
use crate::number;
use separa::explain::{
    CellValue, Change, ContributionMethod, Counterfactual, ExemplarSource, Explanation,
};

/// Columns of a row that a terminal shows, and changes of one column.
const SHOWN: usize = 8;
const SINGLE: usize = 3;

/// What a front end knows about explained rows.
pub struct Explained<'a> {
    /// What the table is called.
    pub input: &'a str,
    /// The method, and what it is.
    pub method: &'a str,
    /// What rows are called, by their place.
    pub row: &'a dyn Fn(usize) -> String,
    /// What clusters are called: "cluster 1".
    pub cluster: &'a dyn Fn(i32) -> String,
    /// The rows.
    pub rows: &'a [Explanation],
}

impl std::fmt::Debug for Explained<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explained").field("input", &self.input).finish_non_exhaustive()
    }
}

/// A section for each row.
pub fn document(all: &Explained<'_>) -> Document {
    let facts = vec![
        (all.input.to_owned(), format!("{} explained", number::counted(all.rows.len(), "row"))),
        ("model".to_owned(), all.method.to_owned()),
    ];
    let mut document = Document {
        title: all.input.to_owned(),
        kind: "explain".to_owned(),
        facts,
        ..Document::default()
    };
    all.rows.iter().for_each(|found| document.add(section(all, found)));
    document
}

fn section(all: &Explained<'_>, found: &Explanation) -> Section {
    let mut section = Section::new("row", "Row");
    section.remark = format!("{}: {}", (all.row)(found.row), (all.cluster)(found.cluster));
    section.say(On::Everywhere, decided(all, found)).table(contributions(found));
    section.say(On::Everywhere, method(found));
    let runner_up = (all.cluster)(found.runner_up);
    section.say(On::Everywhere, moves(&runner_up, found.counterfactual.as_ref()));
    if !found.single_changes.is_empty() {
        let changes: Vec<String> = found.single_changes.iter().take(SINGLE).map(change).collect();
        section.say(On::Everywhere, format!("Or by one column alone: {}.", changes.join("; ")));
    }
    if !found.exemplars.is_empty() {
        let rows: Vec<String> = found.exemplars.iter().map(|near| (all.row)(near.row)).collect();
        let what = match found.exemplars_from {
            ExemplarSource::Model => "exemplars",
            ExemplarSource::Table => "rows",
        };
        section.say(
            On::Everywhere,
            format!(
                "Most like it in {}: {what} {}.",
                (all.cluster)(found.cluster),
                rows.join(", ")
            ),
        );
    }
    section
}

fn decided(all: &Explained<'_>, found: &Explanation) -> String {
    let outlier = match found.outlier {
        true => "An outlier; without that mark: ",
        false => "",
    };
    let sure = match found.confidence {
        Some(p) => format!(" (confidence {})", number::percent(p)),
        None => String::new(),
    };
    format!(
        "{outlier}{}{sure}, runner-up {}, margin {}.",
        (all.cluster)(found.cluster),
        (all.cluster)(found.runner_up),
        number::value(found.margin)
    )
}

fn contributions(found: &Explanation) -> Table {
    let caption = "What each column adds to the margin: positive for the cluster, negative for the runner-up; beside it the \
                   value of the row, and the mean on the boundary of the two";
    let mut table = Table::new(caption).text("column").number("value").number("boundary");
    table = table.number("adds").shown(SHOWN);
    for c in &found.contributions {
        table.row(vec![
            Cell::Name(c.column.clone()),
            value(&c.value),
            match c.boundary {
                Some(v) => Cell::Number(number::value(v), v),
                None => Cell::Name(String::new()),
            },
            Cell::Number(signed(c.contribution), c.contribution),
        ]);
    }
    let listed = found.contributions.len().min(SHOWN);
    let more = found.contributions.len() - listed + found.rest.columns;
    let others = found.contributions[listed..].iter().map(|c| c.contribution).sum::<f64>();
    let others = others + found.rest.contribution;
    let blank = || Cell::Name(String::new());
    let rest = vec![
        Cell::Name(format!("{more} more")),
        blank(),
        blank(),
        Cell::Number(signed(others), others),
    ];
    table.rest = Some(rest);
    table
}

fn method(found: &Explanation) -> String {
    match (found.method, found.samples) {
        (ContributionMethod::Exact, _) => {
            "Together they are the margin, exactly: the rule is linear between the two.".to_owned()
        }
        (ContributionMethod::Sampled, samples) => format!(
            "Together with {} for the boundary itself they are the margin. Which column has which part is sampled ({} of \
             the columns): the rule is not linear.",
            number::value(found.base),
            number::counted(samples.unwrap_or_default(), "order")
        ),
    }
}

fn moves(runner_up: &str, found: Option<&Counterfactual>) -> String {
    let Some(found) = found else {
        return format!("No change was found that would move it to {runner_up}.");
    };
    let listed: Vec<String> = found.changes.iter().take(SHOWN).map(change).collect();
    let more = match found.changes.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} smaller ones"),
    };
    let size = if found.smallest { "The smallest change" } else { "A small change" };
    format!(
        "{size} that moves it to {runner_up}: {}{more} ({} standard deviations in all).",
        listed.join(", "),
        number::value(found.distance)
    )
}

fn change(change: &Change) -> String {
    match (&change.from, &change.to) {
        (CellValue::Number(from), CellValue::Number(to)) => {
            // As many digits as tell the two apart.
            let step = (to - from).abs() / 100.0;
            let [from, to] = [from, to].map(|v| number::value_to(*v, step));
            format!("{} {from} → {to}", change.column)
        }
        (from, to) => format!("{} {from} → {to}", change.column),
    }
}

fn value(value: &CellValue) -> Cell {
    match value {
        CellValue::Number(v) => Cell::Number(number::value(*v), *v),
        CellValue::Word(word) => Cell::Name(word.clone()),
    }
}

fn signed(v: f64) -> String {
    format!("{}{}", if v > 0.0 { "+" } else { "" }, number::value(v))
}
