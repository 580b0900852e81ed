//! The pairs of more than two clusters, the closest first.

use super::importance;
use crate::document::{Cell, On, Section, Table};
use crate::figures::{kinship, pairs};
use crate::number;
use separa::quality::{Pair, Quality};

/// Pairs that are listed, and those of them that are shown where room is scarce.
const LISTED: usize = 8;
const SHOWN: usize = 5;

/// `k` clusters; `name` gives each its name.
pub fn section(q: &Quality, k: usize, name: &dyn Fn(i32) -> String) -> Section {
    let mut section = Section::new("pairs", "Pairs of clusters");
    let mut caption = "MSP of every pair: faint pairs are hard to separate.".to_owned();
    if q.pairs.len() < k * (k - 1) / 2 {
        caption.push_str(
            " Each cluster is compared with its nearest ones; blank pairs are further apart.",
        );
    }
    section.figure(pairs::draw(&q.pairs, k), caption);
    if let Some(drawing) = kinship::draw(&q.pairs) {
        let caption = "Clusters that are close are merged first: the further right, the better the closest pair of \
                       the two sides is separated. This tree orders the clusters that were found; it is not how \
                       they were found.";
        section.figure(drawing, caption);
    }
    let mut closest: Vec<&Pair> = q.pairs.iter().collect();
    closest.sort_by(|a, b| a.msp.total_cmp(&b.msp));
    let mut table = Table::new("The closest pairs").text("cluster").text("and").number("MSP");
    table = table.column("p (single Gaussian)", true, On::Html).wide().number("p (unimodal)");
    table = table.text("most important feature").shown(SHOWN);
    for pair in closest.iter().take(LISTED) {
        let features = q.importance.iter().find(|i| (i.a, i.b) == (pair.a, pair.b));
        table.row(vec![
            Cell::Cluster(pair.a, name(pair.a)),
            Cell::Cluster(pair.b, name(pair.b)),
            Cell::Number(number::fraction(pair.msp), pair.msp),
            Cell::number(pair.p_gauss, number::p_value),
            Cell::number(pair.p_unimodal, number::p_value),
            Cell::Text(features.map_or_else(String::new, importance::leading)),
        ]);
    }
    let rest = closest.len().saturating_sub(SHOWN);
    table.rest = Some(vec![Cell::Name(format!("{rest} more"))]);
    section.table(table).clone()
}
