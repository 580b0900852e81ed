//! Did any method find something? One p-value and one sentence for all of them.

use super::{Comparison, MethodResult, Status};
use crate::k_auto;
use crate::note::{Note, codes};
use crate::quality::{Quality, labels_as_given};

/// The first method has half of the level, the others share the rest (Bonferroni, weighted): ranks do not
/// look at p-values, but they look at the same rows.
pub(super) fn conclude(results: Vec<MethodResult>) -> Comparison {
    let asked: Vec<(usize, f64)> = results
        .iter()
        .enumerate()
        .filter_map(|(rank, result)| Some((rank, p_value(result)?)))
        .collect();
    let speaks = together(&asked);
    let best = results.first().map_or("", |result| result.method);
    let first = asked.first().filter(|(place, _)| *place == 0).copied();
    let speaks = match first {
        // Others may speak louder; the first method's own gap is enough.
        Some((_, p)) if p * if asked.len() > 1 { 2.0 } else { 1.0 } <= Quality::LEVEL => {
            speaks.map(|(_, least)| (0, least))
        }
        _ => speaks,
    };
    let closest = results.first().and_then(|result| result.quality()?.closest());
    let verdict = match speaks {
        Some((0, p)) if p <= Quality::LEVEL => {
            let doubt = doubt(results.first());
            format!("{best} comes first, with a gap between its clusters ({} over all methods){doubt}", shown(p))
        }
        Some((rank, p)) if p <= Quality::LEVEL => format!(
            "{best} comes first, but the gap is between the clusters of {} ({} over all methods): look at both",
            results[rank].method,
            shown(p)
        ),
        Some((_, p)) if closest.is_some() => format!(
            "{best} comes first; some of its clusters have a gap between them, but not all (over all methods, {}): k \
             may be too large",
            shown(p)
        ),
        Some((_, p)) => format!(
            "no method found clusters with a gap between them (over all methods, {}): the rows may be one \
             population",
            shown(p)
        ),
        None => "nothing can be said about gaps: too few rows, one cluster, or methods that were stopped"
            .to_owned(),
    };
    let p_unimodal = speaks.map(|(_, p)| p);
    let gap_found = p_unimodal.is_some_and(|p| p <= Quality::LEVEL);
    Comparison { results, gap_found, p_unimodal, verdict, auto: None }
}

/// The place of the method that speaks most, and the p-value of all: half of the level is for the first
/// place, the other places share the rest.
fn together(asked: &[(usize, f64)]) -> Option<(usize, f64)> {
    let others = asked.iter().filter(|(place, _)| *place > 0).count() as f64;
    let shares = |place: usize| match place {
        _ if asked.len() == 1 => 1.0,
        0 => 2.0,
        _ if others == asked.len() as f64 => others,
        _ => 2.0 * others,
    };
    let corrected = asked.iter().map(|(place, p)| (*place, (p * shares(*place)).min(1.0)));
    corrected.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Is there no gap between a method's clusters? One that was stopped has no p-value that holds.
fn p_value(result: &MethodResult) -> Option<f64> {
    result.quality().filter(|_| result.status == Status::Done)?.p_unimodal
}

/// Clusters that are no better apart than a single Gaussian, split in the same place: outliers among them do that, or
/// a gap that they do not follow.
fn doubt(result: Option<&MethodResult>) -> &'static str {
    match result.and_then(MethodResult::quality) {
        Some(q) if !q.beyond_one_cloud() => {
            "; but by their means and spreads the clusters are no better separated than a single Gaussian: look for outliers"
        }
        _ => "",
    }
}

fn shown(p: f64) -> String {
    if p < 1e-3 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// What limits this verdict: how the number of clusters was found, what ranks and p-values are worth.
pub(super) fn cautions(comparison: &Comparison) -> Vec<Note> {
    let many = comparison.results.iter().any(|result| result.k().is_some_and(|k| k > 2));
    let mut cautions = Vec::new();
    if let Some(counted) = &comparison.auto {
        let runs = counted.runs();
        let runs = if runs.is_empty() { runs } else { format!(" (in runs: {runs})") };
        let said = format!("the number of clusters was found: {}{runs}", counted.k);
        cautions.push(Note::notice(codes::NUMBER_FOUND, said));
        cautions.extend(k_auto::notes(counted));
    }
    if !comparison.results.is_empty() {
        cautions.push(Note::notice(codes::RANKED, RANKED));
    }
    cautions.extend(many.then(labels_as_given));
    cautions
}

const RANKED: &str = "ranked by how much the nearest neighbours of a row know of its cluster, and a little by how far the other \
                      methods agree; a rank is no proof that there are clusters";

#[cfg(test)]
mod tests {
    use super::together;
    use separa_testkit::clouds::Source;

    #[test]
    fn the_first_place_has_half_of_the_level_and_the_others_the_rest() {
        assert_eq!(together(&[]), None);
        assert_eq!(together(&[(0, 0.04)]), Some((0, 0.04)));
        assert_eq!(together(&[(0, 0.02), (1, 0.015), (2, 0.9)]), Some((0, 0.04)));
        assert_eq!(together(&[(0, 0.8), (1, 0.5), (3, 0.01)]), Some((3, 0.04)));
        // The first was stopped: the others have the whole level.
        assert_eq!(together(&[(1, 0.5), (3, 0.01)]), Some((3, 0.02)));
    }

    #[test]
    fn p_values_without_a_gap_speak_as_seldom_as_they_should() {
        let mut source = Source::new(1);
        let draws = 20_000;
        for methods in [1, 2, 5, 10] {
            let mut draw = || {
                let asked: Vec<(usize, f64)> =
                    (0..methods).map(|i| (i, source.uniform())).collect();
                together(&asked).unwrap().1 <= 0.05
            };
            let share = (0..draws).filter(|_| draw()).count() as f64 / draws as f64;
            // Four standard errors above; independent p-values come near the bound.
            assert!(share < 0.0562 && share > 0.04, "{methods}: {share}");
        }
    }
}
