//! Gaps filled from the most similar of some complete rows, as the preparation of new rows does it.
//!
//! Rows with gaps meet every donor; the five nearest by the features that are there stay, and each lacking column takes their
//! median, or the features of the one that is nearest to their mean where it has several.

use super::{Query, sum};
use crate::export::portable::NEAREST;

/// Adds the steps from `separa_features` to `separa_filled`.
pub(super) fn lend(query: &mut Query<'_>) {
    donors(query);
    lacking(query);
    near(query);
    ranked(query);
    lent(query);
    filled(query);
}

fn features(query: &Query<'_>) -> Vec<String> {
    (0..query.rule.features.len()).map(|f| format!("f{f}")).collect()
}

fn gaps(query: &Query<'_>) -> Vec<String> {
    (0..query.rule.inputs.len()).map(|j| format!("g{j}")).collect()
}

fn donors(query: &mut Query<'_>) {
    let dialect = query.dialect;
    let row = |(i, donor): (usize, &Vec<f64>)| {
        let value = |(f, v): (usize, &f64)| format!("{} AS d{f}", dialect.number(*v));
        let values: Vec<String> = donor.iter().enumerate().map(value).collect();
        format!("  SELECT {i} AS donor, {}", values.join(", "))
    };
    let rows: Vec<String> = query.rule.donors.iter().enumerate().map(row).collect();
    query.steps.push(("separa_donors".to_owned(), rows.join("\n  UNION ALL\n")));
}

/// Rows with a gap, each with a number that holds it together.
fn lacking(query: &mut Query<'_>) {
    let mut columns = [query.carried(), gaps(query), features(query)].concat();
    columns.push("ROW_NUMBER() OVER (ORDER BY f0) AS separa_row".to_owned());
    let from = format!("separa_features WHERE {}", query.any_gap());
    query.step("separa_lacking", columns, &from);
}

/// Every such row with its nearest donors.
fn near(query: &mut Query<'_>) {
    let rule = query.rule;
    let off = |(j, range): (usize, std::ops::Range<usize>)| {
        let square = |f: usize| {
            let scale = query.dialect.number(rule.donor_scales[f]);
            let gap = format!("((f{f} - d{f}) * {scale})");
            format!("{gap} * {gap}")
        };
        format!("CASE WHEN g{j} = 1 THEN 0 ELSE {} END", sum(range.map(square).collect()))
    };
    let distance = sum(rule.ranges().into_iter().enumerate().map(off).collect());
    let lent: Vec<String> = (0..rule.features.len()).map(|f| format!("d{f}")).collect();
    let own = [query.carried(), gaps(query), features(query), vec!["separa_row".into()]].concat();
    let all =
        [&own[..], &lent[..], &["donor".to_owned(), format!("{distance} AS distance")]].concat();
    query.step("separa_pairs", all, "separa_lacking CROSS JOIN separa_donors");
    let place =
        "ROW_NUMBER() OVER (PARTITION BY separa_row ORDER BY distance, donor) AS place".to_owned();
    query.step("separa_near", [own, lent, vec![place]].concat(), "separa_pairs");
}

/// The rank of each lent value among the five; of several features their distance from the mean.
fn ranked(query: &mut Query<'_>) {
    let rule = query.rule;
    let lent = (0..rule.features.len()).map(|f| format!("d{f}"));
    let own = [query.carried(), gaps(query), features(query), vec!["separa_row".into()]].concat();
    let mut columns: Vec<String> = own.iter().cloned().chain(lent.clone()).collect();
    columns.push("place".to_owned());
    let mut last = columns.clone();
    for (j, range) in rule.ranges().into_iter().enumerate() {
        if range.len() == 1 {
            let f = range.start;
            last.push(format!("ROW_NUMBER() OVER (PARTITION BY separa_row ORDER BY d{f}) AS r{j}"));
            continue;
        }
        let means = range.clone().map(|f| {
            let total = format!("SUM(d{f}) OVER (PARTITION BY separa_row)");
            format!("{total} / {} AS a{f}", query.dialect.number(NEAREST as f64))
        });
        columns.extend(means);
        let off = range.map(|f| format!("(d{f} - a{f}) * (d{f} - a{f})")).collect();
        last.push(format!(
            "ROW_NUMBER() OVER (PARTITION BY separa_row ORDER BY {}, place) AS r{j}",
            sum(off)
        ));
    }
    query.step("separa_five", columns, &format!("separa_near WHERE place <= {NEAREST}"));
    query.step("separa_ranked", last, "separa_five");
}

/// One row again: its own features where it has them.
fn lent(query: &mut Query<'_>) {
    let mut columns = query.carried();
    for (j, range) in query.rule.ranges().into_iter().enumerate() {
        let wanted = if range.len() == 1 { NEAREST.div_ceil(2) } else { 1 };
        columns.extend(range.map(|f| {
            format!("MAX(CASE WHEN g{j} = 0 THEN f{f} WHEN r{j} = {wanted} THEN d{f} END) AS f{f}")
        }));
    }
    let by = [vec!["separa_row".to_owned()], query.carried()].concat().join(", ");
    query.step("separa_lent", columns, &format!("separa_ranked GROUP BY {by}"));
}

fn filled(query: &mut Query<'_>) {
    let columns = [query.carried(), features(query)].concat().join(", ");
    let body = format!(
        "  SELECT {columns} FROM separa_features WHERE NOT ({})\n  UNION ALL\n  SELECT {columns} FROM separa_lent",
        query.any_gap()
    );
    query.steps.push(("separa_filled".to_owned(), body));
}
