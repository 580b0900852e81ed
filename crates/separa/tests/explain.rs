//! Why a row is where it is: contributions add up, and every change that is said to move a row moves it.

use separa::explain::{CellValue, Change, ContributionMethod, Explanation};
use separa::prelude::*;
use separa::{Dense, ExplainOptions, Fitted};
use separa_math::rng::Rng;

/// Three clouds in four columns of very different units, the last one noise.
fn clouds(n: usize) -> Vec<[f64; 4]> {
    let mut rng = Rng::new(11, 0);
    (0..n)
        .map(|i| {
            let (x, y) = [(0.0, 0.0), (5.0, 1.0), (1.0, 6.0)][i % 3];
            [
                1000.0 * (x + rng.normal()),
                1e-3 * (y + rng.normal()),
                x - y + rng.normal(),
                rng.normal(),
            ]
        })
        .collect()
}

/// A ring around a cluster.
fn ring(n: usize) -> Vec<[f64; 2]> {
    let mut rng = Rng::new(2, 0);
    (0..n)
        .map(|i| {
            let (angle, radius) =
                (rng.uniform() * std::f64::consts::TAU, if i % 2 == 0 { 5.0 } else { 0.5 });
            [radius * angle.cos() + 0.2 * rng.normal(), radius * angle.sin() + 0.2 * rng.normal()]
        })
        .collect()
}

fn moved<const D: usize>(row: &[f64; D], changes: &[Change]) -> [f64; D] {
    let mut row = *row;
    for change in changes {
        let j: usize = change.column.trim_start_matches("column ").parse().unwrap();
        let CellValue::Number(to) = change.to else { panic!("numbers only") };
        assert_eq!(change.from, CellValue::Number(row[j - 1]));
        row[j - 1] = to;
    }
    row
}

/// What must be true of every explanation.
fn check<const D: usize>(fitted: &Fitted, rows: &[[f64; D]], found: &Explanation) {
    let row = &rows[found.row];
    assert_eq!(fitted.predict(&[*row]).unwrap()[0], found.cluster);
    assert_ne!(found.cluster, found.runner_up);
    let sum: f64 = found.contributions.iter().map(|c| c.contribution).sum();
    let size: f64 = found.contributions.iter().map(|c| c.contribution.abs()).sum();
    let gap = found.base + sum + found.rest.contribution - found.margin;
    assert!(gap.abs() <= 1e-10 * (1.0 + size), "{gap} of {}", found.margin);
    let all = found.counterfactual.as_ref().map(|c| c.changes.as_slice());
    let single = found.single_changes.iter().map(std::slice::from_ref);
    for changes in single.chain(all) {
        let there = moved(row, changes);
        assert_eq!(fitted.predict(&[there]).unwrap()[0], found.runner_up, "{changes:?}");
    }
    assert!(found.single_changes.is_sorted_by(|a, b| a.distance <= b.distance));
    let own = fitted.predict(rows).unwrap();
    for near in &found.exemplars {
        assert!(near.row != found.row && own[near.row] == found.cluster);
    }
}

#[test]
fn contributions_to_linear_rules_are_exact_and_add_up_to_the_margin() {
    let rows = clouds(150);
    let asked: Vec<usize> = (0..30).collect();
    let requests = [
        Clusterer::new(KMeans::new(3)),
        Clusterer::new(KMeans::new(2)),
        Clusterer::new(Mspc::new(2)),
        Clusterer::new(Mspc::new(3)),
        Clusterer::new(FuzzyKMeans::new(3)),
        Clusterer::new(Logistic::new(3)),
    ];
    for request in requests {
        let fitted = request.quality(false).fit(&rows).unwrap();
        let name = fitted.method_name().to_owned();
        let decision = fitted.decision(&rows).unwrap();
        let sure = fitted.confidence(&rows).unwrap();
        for found in fitted.explain(&rows, &asked, &ExplainOptions::default()).unwrap() {
            check(&fitted, &rows, &found);
            assert_eq!(found.method, ContributionMethod::Exact, "{name}");
            let [a, b] = [found.cluster, found.runner_up].map(|c| c as usize);
            // The boundary's own margin is nothing but rounding: contributions alone add up.
            assert!(
                found.base.abs() <= 1e-10 * (1.0 + found.margin.abs()),
                "{name} {}",
                found.base
            );
            assert!(found.margin >= 0.0);
            if fitted.is_linear() {
                let line = decision.row(found.row);
                let margin = if line.len() == 1 { line[0].abs() } else { line[a] - line[b] };
                let close = (found.margin - margin).abs() <= 1e-10 * (1.0 + margin);
                assert!(close, "{name}: {} {margin}", found.margin);
            }
            // Asked about one row instead of all: sums in another order.
            let close = (found.confidence.unwrap() - sure.confidence[found.row]).abs() < 1e-9;
            assert!(close, "{name}: {:?} {}", found.confidence, sure.confidence[found.row]);
            assert!(found.counterfactual.is_some(), "{name} row {}", found.row);
        }
    }
}

#[test]
fn the_smallest_change_of_a_linear_rule_is_the_distance_to_its_plane() {
    let rows = clouds(150);
    let fitted = KMeans::new(2).fit(&rows).unwrap();
    let (weights, _) = fitted.model().linear().unwrap();
    let n = rows.len() as f64;
    let deviation = |j: usize| {
        let mean = rows.iter().map(|r| r[j]).sum::<f64>() / n;
        (rows.iter().map(|r| (r[j] - mean).powi(2)).sum::<f64>() / n).sqrt()
    };
    let scaled = (0..4).map(|j| (weights[(0, j)] * deviation(j)).powi(2)).sum::<f64>().sqrt();
    for found in fitted.explain(&rows, &[0, 1, 2, 7], &ExplainOptions::default()).unwrap() {
        let value = fitted.decision(&rows[found.row..=found.row]).unwrap()[(0, 0)].abs();
        let change = found.counterfactual.unwrap();
        let expected = value / scaled;
        assert!(change.smallest, "row {}", found.row);
        assert!(
            (change.distance - expected).abs() < 1e-6 * (1.0 + expected),
            "{}",
            change.distance
        );
        for single in &found.single_changes {
            assert!(single.distance >= change.distance);
        }
    }
}

#[test]
fn sampled_contributions_add_up_and_do_not_depend_on_threads() {
    let rows: Vec<[f64; 3]> = {
        let mut rng = Rng::new(4, 0);
        ring(200).into_iter().map(|[x, y]| [x, y, rng.normal()]).collect()
    };
    let fitted = Clusterer::new(KernelKMeans::new(2)).quality(false).fit(&rows).unwrap();
    let options = ExplainOptions::default();
    let found = fitted.explain(&rows, &[0, 1, 2, 3], &options).unwrap();
    for found in &found {
        check(&fitted, &rows, found);
        assert_eq!((found.method, found.samples), (ContributionMethod::Sampled, Some(64)));
        assert!(found.base.abs() <= 1e-9 * (1.0 + found.margin.abs()), "{}", found.base);
    }
    // The same seed, the same answer, on any number of threads.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| fitted.explain(&rows, &[0, 1, 2, 3], &options).unwrap()), found);
}

#[test]
fn exact_contributions_are_the_terms_of_the_rule() {
    let rows = clouds(120);
    let exact = Clusterer::new(KMeans::new(2)).quality(false).fit(&rows).unwrap();
    let found = &exact.explain(&rows, &[5], &ExplainOptions::default()).unwrap()[0];
    let (weights, _) = exact.model().linear().unwrap();
    let sign = if found.cluster == 1 { 1.0 } else { -1.0 };
    for c in &found.contributions {
        let j = c.column.trim_start_matches("column ").parse::<usize>().unwrap() - 1;
        let term = sign * weights[(0, j)] * (rows[5][j] - c.boundary.unwrap());
        assert!((term - c.contribution).abs() <= 1e-10 * (1.0 + term.abs()));
    }
}

#[test]
fn values_beyond_the_clip_count_as_the_clip() {
    let mut rows = clouds(150);
    rows[4][0] = 1e9;
    let fitted = Clusterer::new(Mspc::new(2)).quality(false).fit(&rows).unwrap();
    let found = fitted.explain(&rows, &[4], &ExplainOptions::default()).unwrap().remove(0);
    check(&fitted, &rows, &found);
    let value = fitted.decision(&rows[4..5]).unwrap()[(0, 0)].abs();
    assert!((found.margin - value).abs() <= 1e-10 * (1.0 + value), "{} {value}", found.margin);
}

#[test]
fn rows_are_compared_with_those_that_are_given() {
    let rows = clouds(150);
    let fitted = Clusterer::new(KMeans::new(3)).quality(false).fit(&rows).unwrap();
    let background = Dense::from_vec(150, 4, rows.concat()).unwrap();
    let background = Dataset::new(background.view().into()).unwrap();
    let options = ExplainOptions { background: Some(&background), seed: 0 };
    let alone = fitted.explain(&rows[7..8], &[0], &options).unwrap().remove(0);
    let whole = fitted.explain(&rows, &[7], &ExplainOptions::default()).unwrap().remove(0);
    assert_eq!(alone.contributions, whole.contributions);
    assert_eq!(alone.exemplars[0].row, 7, "the row itself is one of the others");
    // Without other rows a linear rule still has terms.
    let lonely = fitted.explain(&rows[7..8], &[0], &ExplainOptions::default()).unwrap().remove(0);
    assert_eq!(lonely.method, ContributionMethod::Exact);
    assert!((lonely.margin - whole.margin).abs() < 1e-9);
}

#[test]
fn a_row_alone_is_explained_as_it_is_among_the_training_rows() {
    let rows = clouds(300);
    let found = Mspc::new(3).fit(&rows).unwrap();
    let options = ExplainOptions::default();
    for at in [0, 1, 2, 40] {
        let among = &found.explain(&rows, &[at], &options).unwrap()[0];
        let alone = &found.explain(&[rows[at]], &[0], &options).unwrap()[0];
        assert_eq!((among.cluster, among.runner_up), (alone.cluster, alone.runner_up));
        assert_eq!(among.margin, alone.margin);
        // Centres are those of the middle rows, and deviations those of quantiles: about the same.
        for one in &among.contributions {
            let other = alone.contributions.iter().find(|c| c.column == one.column).unwrap();
            let gap = (one.contribution - other.contribution).abs();
            assert!(gap < 0.1 * among.margin.abs().max(0.1), "{one:?} {other:?}");
        }
    }
}

#[test]
fn what_cannot_be_explained_says_why() {
    let rows = clouds(60);
    let fitted = Clusterer::new(KMeans::new(3)).quality(false).fit(&rows).unwrap();
    let options = ExplainOptions::default();
    let said = |e: separa::Error| e.to_string();
    let e = said(fitted.explain(&rows, &[60], &options).unwrap_err());
    assert_eq!(e, "row 61 is not in the table, expected a number from 1 to 60");
    let e = said(fitted.explain(&[[1.0, 2.0]], &[0], &options).unwrap_err());
    assert!(e.contains("2 feature columns, but the model was fitted on 4"), "{e}");
    let one = Clusterer::new(KMeans::new(1)).quality(false).fit(&rows).unwrap();
    let e = said(one.explain(&rows, &[0], &options).unwrap_err());
    assert!(e.contains("one cluster"), "{e}");
    let curved = Clusterer::new(KernelKMeans::new(2)).quality(false).fit(&ring(100)).unwrap();
    let e = said(curved.explain(&[[0.0, 0.0]], &[0], &options).unwrap_err());
    assert!(e.contains("nothing to compare"), "{e}");
}

#[test]
fn rows_of_sequences_are_explained_where_they_stand() {
    let rows = clouds(90);
    let x = Dense::from_vec(90, 4, rows.concat()).unwrap();
    let ranges: Vec<std::ops::Range<usize>> = (0..9).map(|s| 10 * s..10 * (s + 1)).collect();
    let data = Dataset::new(x.view().into()).unwrap().with_sequences(&ranges).unwrap();
    let fitted = Clusterer::new(Crf::new(3)).quality(false).fit(&data).unwrap();
    let asked: Vec<usize> = (0..90).step_by(8).collect();
    let found = fitted.explain(&data, &asked, &ExplainOptions::default()).unwrap();
    let labels = fitted.predict(&data).unwrap();
    for found in found {
        assert_eq!(found.cluster, labels[found.row]);
        // Changes are made where the row stands, between its neighbours.
        let all = found.counterfactual.as_ref();
        for changes in
            found.single_changes.iter().map(std::slice::from_ref).chain(all.map(|c| &c.changes[..]))
        {
            let mut other = rows.clone();
            other[found.row] = moved(&rows[found.row], changes);
            let x = Dense::from_vec(90, 4, other.concat()).unwrap();
            let data = Dataset::new(x.view().into()).unwrap().with_sequences(&ranges).unwrap();
            assert_eq!(fitted.predict(&data).unwrap()[found.row], found.runner_up, "{changes:?}");
        }
        if let Some(one) = found.single_changes.first() {
            assert!(all.is_some_and(|all| all.distance <= one.distance), "row {}", found.row);
        }
        assert_eq!(found.method, ContributionMethod::Sampled);
        let sum: f64 = found.contributions.iter().map(|c| c.contribution).sum();
        assert!((found.base + sum - found.margin).abs() <= 1e-10 * (1.0 + found.margin.abs()));
        assert!(found.confidence.unwrap() > 1.0 / 3.0);
    }
}
