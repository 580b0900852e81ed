//! Feature importance: how much of the separation each feature makes.

use crate::document::{Cell, On, Section, Table};
use crate::html::shortened;
use crate::number;
use separa::quality::{Importance, ImportanceMethod, Quality};

/// Features of two clusters, and those shown where room is scarce.
const FEATURES: usize = 12;
const SHOWN: usize = 8;
/// Pairs of more clusters, and features of each.
const PAIRS: usize = 6;
const EACH: usize = 4;
/// Letters of the name of a feature beside a pair.
const LETTERS: usize = 24;
/// Features to look at.
const TELLING: usize = 10;

const EXACT: &str = "A feature’s importance is exact: how much of the distance between two clusters across their \
                     boundary it makes. All sum to 100 %; a negative one works against the others.";
const PERMUTED: &str = "A feature’s importance is what the rule loses when the two clusters exchange their values of \
                        it. All sum to 100 %.";
const DIFFERENCE: &str = " The difference is the mean of the first cluster minus that of the second, in the \
                          feature’s own unit.";

/// The features with the largest importance over all pairs, the largest first; none if no feature has any.
pub fn telling(q: &Quality) -> Option<Vec<usize>> {
    let mut largest = std::collections::BTreeMap::new();
    for share in q.importance.iter().flat_map(|pair| &pair.features) {
        let best = largest.entry(share.feature).or_insert(0.0f64);
        *best = best.max(share.fraction.abs());
    }
    let mut order: Vec<(usize, f64)> = largest.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let columns: Vec<usize> = order.into_iter().take(TELLING).map(|(column, _)| column).collect();
    (!columns.is_empty()).then_some(columns)
}

/// "proline 41 %".
pub fn leading(pair: &Importance) -> String {
    match pair.features.first() {
        None => "no feature separates them".to_owned(),
        Some(s) => {
            let name = s.name.clone().unwrap_or_else(|| format!("column {}", s.feature + 1));
            format!("{} {}", shortened(&name, LETTERS), number::percent(s.fraction))
        }
    }
}

/// The features of two clusters, or of the closest pairs of more; empty if nothing separates. On a terminal the
/// most important ones of pairs stand beside the pairs.
pub fn section(
    q: &Quality,
    column: &dyn Fn(usize) -> String,
    name: &dyn Fn(i32) -> String,
) -> Section {
    let mut section = Section::new("importance", "Feature importance");
    let msp = |pair: &Importance| {
        let found = q.pairs.iter().find(|p| (p.a, p.b) == (pair.a, pair.b));
        found.map_or(f64::INFINITY, |p| p.msp)
    };
    let told = |pair: &&Importance| !pair.features.is_empty();
    let mut pairs: Vec<&Importance> = q.importance.iter().filter(told).collect();
    pairs.sort_by(|a, b| msp(a).total_cmp(&msp(b)));
    let Some(first) = pairs.first() else { return section };
    let two = q.pairs.len() == 1;
    let (most, caption, minus) = match two {
        true => (
            FEATURES,
            "Importance of each feature",
            format!("mean of {} minus {}", name(first.a), name(first.b)),
        ),
        false => (
            EACH,
            "Feature importance, closest pairs first",
            "mean of first minus second".to_owned(),
        ),
    };
    let on = if two { On::Everywhere } else { On::Page };
    let mut table = Table::new(caption).column("cluster", false, On::Page);
    table = table.column("and", false, On::Page).text("feature").number("importance").text("");
    table = table.number(minus).shown(SHOWN);
    let sizes = pairs.iter().take(PAIRS).flat_map(|p| &p.features).map(|s| s.fraction.abs());
    let largest = sizes.fold(f64::MIN_POSITIVE, f64::max);
    for pair in pairs.iter().take(PAIRS) {
        for share in pair.features.iter().take(most) {
            table.row(vec![
                Cell::Cluster(pair.a, name(pair.a)),
                Cell::Cluster(pair.b, name(pair.b)),
                Cell::Name(column(share.feature)),
                Cell::percent(share.fraction),
                Cell::Bar(share.fraction.abs() / largest, pair.b.max(0) as usize),
                Cell::Number(number::computed(share.difference), share.difference),
            ]);
        }
    }
    // Those beyond the table, too.
    let (shown, known) = (first.features.len().min(SHOWN), first.features.len() + first.rest);
    let said: f64 = first.features.iter().take(SHOWN).map(|s| s.fraction).sum();
    let rest = vec![
        Cell::Name(String::new()),
        Cell::Name(String::new()),
        Cell::Name(format!("{} more", known - shown)),
        Cell::percent(1.0 - said),
    ];
    table.rest = Some(rest);
    let method = if first.method == ImportanceMethod::Exact { EXACT } else { PERMUTED };
    let brief = match first.method {
        ImportanceMethod::Exact => "Exact: the part of the distance across the boundary.",
        ImportanceMethod::Permutation => "By permutation: what an exchange of values costs.",
    };
    if two {
        section.say(On::Terminal, brief);
    }
    section
        .say(On::Page, format!("{method}{DIFFERENCE}"))
        .add(on, crate::document::Block::Table(table));
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, Medium};
    use crate::render::terminal;
    use separa::quality::{FeatureImportance, Pair};

    fn pair(a: i32, b: i32, shares: &[(usize, f64)]) -> Importance {
        let share = |&(feature, fraction): &(usize, f64)| FeatureImportance {
            feature,
            name: None,
            fraction,
            difference: -1234.5678,
        };
        Importance {
            a,
            b,
            method: ImportanceMethod::Exact,
            features: shares.iter().map(share).collect(),
            rest: 0,
        }
    }

    fn quality(importance: Vec<Importance>) -> Quality {
        let pair = |i: &Importance| Pair {
            a: i.a,
            b: i.b,
            msp: 0.1 * f64::from(i.b),
            p_gauss: None,
            p_unimodal: None,
        };
        Quality {
            agreement: None,
            agreement_chance: None,
            msp: 0.5,
            msp_null: None,
            p_gauss: None,
            p_unimodal: None,
            msp_held_out: None,
            min_fraction: 0.3,
            pairs: importance.iter().map(pair).collect(),
            importance,
        }
    }

    fn shown(q: &Quality) -> String {
        let mut document = Document::default();
        document.add(section(q, &|j| format!("f{j}"), &|c| c.to_string()));
        terminal::render(&document, 80)
    }

    #[test]
    fn the_features_of_the_largest_importance_for_any_pair_are_shown() {
        let q =
            quality(vec![pair(0, 1, &[(7, 0.6), (2, -0.1)]), pair(0, 2, &[(2, -0.9), (3, 0.2)])]);
        assert_eq!(telling(&q), Some(vec![2, 7, 3]));
        assert_eq!(telling(&Quality { importance: Vec::new(), ..q }), None);
    }

    #[test]
    fn two_clusters_have_a_row_for_each_feature_and_the_rest_is_summed() {
        let shares: Vec<(usize, f64)> = (0..10).map(|f| (f, 0.1)).collect();
        let mut one = pair(0, 1, &shares);
        let text = shown(&quality(vec![one.clone()]));
        assert!(text.contains("f7") && !text.contains("f8"), "{text}");
        assert!(text.contains("2 more          20 %"), "{text}");
        assert!(text.contains("mean of 0 minus 1") && text.contains("-1,230"), "{text}");
        one.rest = 5;
        assert!(shown(&quality(vec![one])).contains("7 more          20 %"));
    }

    #[test]
    fn features_of_many_pairs_stand_beside_the_pairs() {
        let all = (1..9).rev().map(|b| pair(0, b, &[(3, 0.7), (4, 0.3)])).collect();
        let q = quality(all);
        assert_eq!(shown(&q), "", "the page lists them");
        let section = section(&q, &|j| format!("f{j}"), &|c| c.to_string());
        assert_eq!(section.on(Medium::Page).count(), 2);
        assert_eq!(leading(&q.importance[0]), "column 4 70 %");
        assert_eq!(leading(&pair(0, 1, &[])), "no feature separates them");
    }

    #[test]
    fn nothing_is_said_where_nothing_separates() {
        assert_eq!(shown(&quality(vec![])), "");
        assert_eq!(shown(&quality(vec![pair(0, 1, &[])])), "");
    }
}
