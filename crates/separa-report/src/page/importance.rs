//! Which columns separate the groups, by their share of the separation.

use super::{Cell, Table};
use crate::html::Html;
use crate::number;
use separa::quality::{By, Importance, Quality};

/// Columns of two groups.
const FEATURES: usize = 12;
/// Pairs of more groups, and columns of each.
const PAIRS: usize = 6;
const EACH: usize = 4;
/// Columns to look at.
const TELLING: usize = 10;

const BY_BOUNDARY: &str = "A column’s share is exact: how much of the distance between two groups across their \
                           boundary it makes. Shares of all columns sum to 100 %; a negative one works against \
                           the others.";
const BY_EXCHANGE: &str = "A column’s share is what the rule loses when the two groups exchange their values of \
                           it. Shares of all columns sum to 100 %.";
const DIFFERENCE: &str = " The difference is the mean of the first group minus that of the second, in the \
                          column’s own unit.";

/// The columns with the largest shares over all pairs, the largest first; none where nothing has a share.
pub fn telling(q: &Quality) -> Option<Vec<usize>> {
    let mut largest = std::collections::BTreeMap::new();
    for share in q.importance.iter().flat_map(|pair| &pair.features) {
        let best = largest.entry(share.feature).or_insert(0.0f64);
        *best = best.max(share.share.abs());
    }
    let mut order: Vec<(usize, f64)> = largest.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let columns: Vec<usize> = order.into_iter().take(TELLING).map(|(column, _)| column).collect();
    (!columns.is_empty()).then_some(columns)
}

/// The shares of the closest pairs.
pub fn table(q: &Quality, name: &dyn Fn(usize) -> String) -> Html {
    let msp = |pair: &Importance| {
        let found = q.pairs.iter().find(|p| (p.a, p.b) == (pair.a, pair.b));
        found.map_or(f64::INFINITY, |p| p.msp)
    };
    let told = |pair: &&Importance| !pair.features.is_empty();
    let mut pairs: Vec<&Importance> = q.importance.iter().filter(told).collect();
    pairs.sort_by(|a, b| msp(a).total_cmp(&msp(b)));
    let Some(first) = pairs.first() else { return Html::new() };
    let (most, caption) = match q.pairs.len() {
        1 => (FEATURES, "Share of the separation"),
        _ => (EACH, "Share of the separation, closest pairs first"),
    };
    let minus = match q.pairs.len() {
        1 => format!("mean of {} minus {}", first.a, first.b),
        _ => "mean of first minus second".to_owned(),
    };
    let heads = [
        ("groups", false),
        ("column", false),
        ("share", true),
        ("", false),
        (minus.as_str(), true),
    ];
    let mut table = Table::new(caption, &heads);
    let sizes = pairs.iter().take(PAIRS).flat_map(|p| &p.features).map(|s| s.share.abs());
    let largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
    for pair in pairs.iter().take(PAIRS) {
        for share in pair.features.iter().take(most) {
            table.row(&[
                Cell::Pair(pair.a, pair.b),
                Cell::Name(name(share.feature)),
                Cell::Number(number::percent(share.share), share.share),
                Cell::Bar(share.share.abs() / largest, pair.b.max(0) as usize),
                Cell::Number(number::value(share.difference), share.difference),
            ]);
        }
    }
    let mut html = Html::new();
    html.raw("<p>");
    html.raw(if first.by == By::Boundary { BY_BOUNDARY } else { BY_EXCHANGE }).raw(DIFFERENCE);
    html.raw("</p>").add(&table.finish());
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::quality::Share;

    fn pair(a: i32, b: i32, shares: &[(usize, f64)]) -> Importance {
        let share = |&(feature, share): &(usize, f64)| Share {
            feature,
            name: None,
            share,
            difference: 1.0,
        };
        Importance { a, b, by: By::Boundary, features: shares.iter().map(share).collect(), rest: 0 }
    }

    #[test]
    fn the_columns_with_the_largest_share_of_any_pair_are_shown() {
        let q = Quality {
            msp: 0.5,
            msp_null: None,
            p_gauss: None,
            p_unimodal: None,
            cross_fitted_msp: None,
            min_share: 0.3,
            pairs: Vec::new(),
            importance: vec![
                pair(0, 1, &[(7, 0.6), (2, -0.1)]),
                pair(0, 2, &[(2, -0.9), (3, 0.2)]),
            ],
        };
        assert_eq!(telling(&q), Some(vec![2, 7, 3]));
        assert_eq!(telling(&Quality { importance: Vec::new(), ..q }), None);
    }
}
