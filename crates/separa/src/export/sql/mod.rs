//! The rule as one query: steps of a CTE, from the columns of a table to a label.

mod cells;
mod choose;
mod dialect;
mod lend;

pub use dialect::Dialect;

use super::PortableRule;
use crate::error::{Error, Result};
use crate::flat_rule::LabelChoice;
use crate::preparation::Encoding;

/// Columns that a step of a query may have: PostgreSQL takes 1,664, SQLite 2,000.
const MOST_COLUMNS: usize = 1_500;
/// Terms of a sum that stand side by side: SQLite nests expressions 1,000 deep at most.
const SIDE_BY_SIDE: usize = 200;

/// How the query is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlOptions {
    /// For which system.
    pub dialect: Dialect,
    /// The table that holds the rows; points separate schema and name.
    pub table: String,
    /// Columns to repeat beside the label; by default the one that names the rows, or all that the rule looks at.
    pub keep: Vec<String>,
}

impl SqlOptions {
    /// For a table called `data`.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, table: "data".to_owned(), keep: Vec::new() }
    }
}

impl PortableRule {
    /// One query that labels the rows of a table: the kept columns, and `cluster` (`class` for a classifier).
    pub fn to_sql(&self, options: &SqlOptions) -> Result<String> {
        let width = self.features.len().max(self.scaled.len()).max(self.intercepts.len());
        if width > MOST_COLUMNS {
            return Err(Error::Export(format!(
                "the rule has {width} features or scores, expected at most {MOST_COLUMNS} in a query; write it in another language, or fit fewer columns"
            )));
        }
        if options.table.split('.').any(|part| part.trim().is_empty()) {
            return Err(Error::Export(format!(
                "\"{}\" is no name of a table, expected one such as customers or shop.customers",
                options.table
            )));
        }
        Ok(Query::new(self, options).text())
    }
}

/// A query in the making.
struct Query<'a> {
    rule: &'a PortableRule,
    dialect: Dialect,
    table: String,
    keep: Vec<String>,
    steps: Vec<(String, String)>,
}

impl<'a> Query<'a> {
    fn new(rule: &'a PortableRule, options: &SqlOptions) -> Self {
        let dialect = options.dialect;
        let inputs = || rule.inputs.iter().map(|input| input.name.clone()).collect();
        let keep = match (&options.keep[..], &rule.id) {
            ([], Some(id)) => vec![id.clone()],
            ([], None) => inputs(),
            (some, _) => some.to_vec(),
        };
        let parts = options.table.split('.').map(|part| dialect.quoted(part.trim()));
        let table = parts.collect::<Vec<_>>().join(".");
        Self { rule, dialect, table, keep, steps: Vec::new() }
    }

    fn text(mut self) -> String {
        self.cells();
        self.values();
        self.features();
        if !self.rule.donors.is_empty() {
            lend::lend(&mut self);
        }
        self.scaled();
        self.scores();
        let votes = matches!(self.rule.choice, LabelChoice::Votes { .. });
        if votes {
            self.votes();
        }
        let step = |(name, body): &(String, String)| format!("{name} AS (\n{body}\n)");
        let steps: Vec<String> = self.steps.iter().map(step).collect();
        let kept = |(i, name): (usize, &String)| format!("k{i} AS {}", self.dialect.quoted(name));
        let mut columns: Vec<String> = self.keep.iter().enumerate().map(kept).collect();
        let label =
            self.dialect.quoted(if self.rule.is_classifier() { "class" } else { "cluster" });
        columns.push(format!("{} AS {label}", self.label()));
        let last = if votes { "separa_votes" } else { "separa_scores" };
        format!("WITH\n{}\nSELECT\n  {}\nFROM {last}\n", steps.join(",\n"), columns.join(",\n  "))
    }

    /// The names that pass through all steps: kept columns and, where rows can lack a label, whether they do.
    fn carried(&self) -> Vec<String> {
        (0..self.keep.len()).map(|i| format!("k{i}")).collect()
    }

    fn step(&mut self, name: &str, columns: Vec<String>, from: &str) {
        let list = columns.join(",\n    ");
        self.steps.push((name.to_owned(), format!("  SELECT\n    {list}\n  FROM {from}")));
    }

    fn cells(&mut self) {
        let (dialect, rule) = (self.dialect, self.rule);
        let kept = |(i, name): (usize, &String)| format!("t.{} AS k{i}", dialect.quoted(name));
        let mut columns: Vec<String> = self.keep.iter().enumerate().map(kept).collect();
        let cell = |(j, input)| format!("{} AS c{j}", cells::cell(dialect, input));
        columns.extend(rule.inputs.iter().enumerate().map(cell));
        let from = format!("{} AS t", self.table);
        self.step("separa_cells", columns, &from);
    }

    fn values(&mut self) {
        let (dialect, rule) = (self.dialect, self.rule);
        let mut columns = self.carried();
        let value =
            |(j, input)| format!("{} AS v{j}", cells::value(dialect, input, &format!("c{j}")));
        columns.extend(rule.inputs.iter().enumerate().map(value));
        self.step("separa_values", columns, "separa_cells");
    }

    /// Features, with constants in the place of missing values, and which were missing.
    fn features(&mut self) {
        let (dialect, rule) = (self.dialect, self.rule);
        let mut columns = self.carried();
        let (least, most) = (dialect.number(f64::MIN), dialect.number(f64::MAX));
        // Neither nothing nor NaN nor an infinity lies between.
        let present = |j: usize| format!("v{j} BETWEEN {least} AND {most}");
        for (j, (input, range)) in rule.inputs.iter().zip(rule.ranges()).enumerate() {
            columns.push(format!("CASE WHEN {} THEN 0 ELSE 1 END AS g{j}", present(j)));
            let filled = |fill: f64| {
                format!("CASE WHEN {} THEN v{j} ELSE {} END", present(j), dialect.number(fill))
            };
            match &input.encoding {
                Encoding::Number { fill, .. }
                | Encoding::Boolean { fill, .. }
                | Encoding::Ordered { fill, .. } => {
                    columns.push(format!("{} AS f{}", filled(finite(*fill)), range.start));
                }
                Encoding::OneHot { levels, fill, .. } => {
                    // A word that has no feature, because it is one of two, has the place behind the last.
                    let place = levels.iter().position(|l| l == fill).unwrap_or(levels.len());
                    let (one, zero) = (dialect.number(1.0), dialect.number(0.0));
                    columns.extend(range.clone().enumerate().map(|(i, f)| {
                        format!("CASE WHEN COALESCE(v{j}, {place}) = {i} THEN {one} ELSE {zero} END AS f{f}")
                    }));
                }
                Encoding::Date { origin, cycles, fill, .. } => {
                    let seconds = format!("({})", filled(finite(*fill)));
                    let day = dialect.number(86_400.0);
                    let origin = dialect.number(*origin);
                    columns.push(format!("({seconds} - {origin}) / {day} AS f{}", range.start));
                    for (i, cycle) in cycles.iter().enumerate() {
                        let turns =
                            format!("({seconds} / {day} / {})", dialect.number(cycle.days()));
                        let tau = dialect.number(std::f64::consts::TAU);
                        for (p, function) in ["SIN", "COS"].iter().enumerate() {
                            let f = range.start + 1 + 2 * i + p;
                            columns.push(format!(
                                "{function}({tau} * ({turns} - FLOOR({turns}))) AS f{f}"
                            ));
                        }
                    }
                }
            }
        }
        self.step("separa_features", columns, "separa_values");
    }

    /// Whether any value of a row is missing.
    fn any_gap(&self) -> String {
        let gaps = (0..self.rule.inputs.len()).map(|j| format!("g{j}")).collect();
        format!("{} > 0", sum(gaps))
    }

    fn scaled(&mut self) {
        let (dialect, rule) = (self.dialect, self.rule);
        let mut columns = self.carried();
        if !rule.fills_gaps() {
            columns.push(format!("CASE WHEN {} THEN 1 ELSE 0 END AS gap", self.any_gap()));
        }
        if rule.marks_outliers {
            let beyond = |c: &super::ScaledFeature| {
                let below = c.lo.map(|lo| format!("f{} < {}", c.feature, dialect.number(lo)));
                let above = c.hi.map(|hi| format!("f{} > {}", c.feature, dialect.number(hi)));
                let either: Vec<String> = below.into_iter().chain(above).collect();
                (!either.is_empty())
                    .then(|| format!("CASE WHEN {} THEN 1 ELSE 0 END", either.join(" OR ")))
            };
            let beyond: Vec<String> = rule.scaled.iter().filter_map(beyond).collect();
            columns.push(format!(
                "{} AS outside",
                if beyond.is_empty() { "0".into() } else { sum(beyond) }
            ));
        }
        for (i, c) in rule.scaled.iter().enumerate() {
            let mut x = format!("f{}", c.feature);
            if let Some(lo) = c.lo {
                x = dialect.extreme(true, &[x, dialect.number(lo)]);
            }
            if let Some(hi) = c.hi {
                x = dialect.extreme(false, &[x, dialect.number(hi)]);
            }
            if c.shift != 0.0 {
                x = format!("({x} - {})", dialect.number(c.shift));
            }
            if c.factor != 1.0 {
                x = format!("{x} * {}", dialect.number(c.factor));
            }
            columns.push(format!("{x} AS z{i}"));
        }
        let from = if rule.donors.is_empty() { "separa_features" } else { "separa_filled" };
        self.step("separa_scaled", columns, from);
    }

    /// What passes on from the scaled features: kept columns and flags.
    fn flags(&self) -> Vec<String> {
        let mut columns = self.carried();
        columns.extend((!self.rule.fills_gaps()).then(|| "gap".to_owned()));
        columns.extend(self.rule.marks_outliers.then(|| "outside".to_owned()));
        columns
    }

    fn scores(&mut self) {
        let (dialect, rule) = (self.dialect, self.rule);
        let mut columns = self.flags();
        for (p, (weights, b)) in rule.weights.iter().zip(&rule.intercepts).enumerate() {
            let term = |(i, w): (usize, &f64)| format!("{} * z{i}", dialect.number(*w));
            let terms: Vec<String> =
                weights.iter().enumerate().filter(|(_, w)| **w != 0.0).map(term).collect();
            let terms = if terms.is_empty() { dialect.number(0.0) } else { sum(terms) };
            columns.push(format!("{terms} + {} AS s{p}", dialect.number(*b)));
        }
        if columns.is_empty() {
            columns.push("0 AS s0".to_owned());
        }
        self.step("separa_scores", columns, "separa_scaled");
    }
}

/// Terms added from left to right, in brackets that keep long sums flat.
fn sum(terms: Vec<String>) -> String {
    if terms.len() <= SIDE_BY_SIDE {
        return terms.join(" + ");
    }
    let parts = terms.chunks(SIDE_BY_SIDE).map(|part| format!("({})", part.join(" + ")));
    parts.collect::<Vec<_>>().join(" + ")
}

/// A constant that is never used if it is not finite.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
