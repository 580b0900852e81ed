//! Which features separate: shares against closed forms, units, threads, curved rules.

use proptest::prelude::*;
use separa::methods::{Mspc, Spectral};
use separa::quality::{
    AssessOptions, DecisionFunction, Importance, ImportanceMethod, assess, exchange, importance,
};
use separa::{CsrRef, Dataset, Dense, DenseRef, MatrixRef, Method};
use separa_math::linalg::dot;
use separa_math::matrix::Rows;
use separa_math::optim::mpm::{self, Side};
use separa_testkit::clouds::{Source, blobs, two_gaussians};
use separa_testkit::naive;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

/// Shares in the order of the columns.
fn by_column(pair: &Importance, d: usize) -> Vec<f64> {
    let mut out = vec![0.0; d];
    pair.features.iter().for_each(|s| out[s.feature] = s.fraction);
    out
}

/// w_j(μ₀ − μ₁)_j / wᵀ(μ₀ − μ₁) by loops in the units of the table, w from the minimax machine there.
fn slow(x: &[f64], d: usize, labels: &[i32], reg: f64) -> Vec<f64> {
    let dense = |v: Vec<f64>| Dense::from_vec(d, d, v).unwrap();
    let total = naive::moments(x, d).1;
    let [(m0, s0), (m1, s1)] = [0, 1].map(|c| {
        let (mean, mut cov) = naive::moments(&naive::rows_of(x, d, labels, c), d);
        (0..d).for_each(|j| cov[j * d + j] += reg * total[j * d + j]);
        (mean, dense(cov))
    });
    let (one, two) = (Side { mean: &m0, cov: &s0 }, Side { mean: &m1, cov: &s1 });
    let w = mpm::solve(one, two).unwrap().w;
    let gap: Vec<f64> = m0.iter().zip(&m1).map(|(a, b)| a - b).collect();
    let whole = dot(&w, &gap);
    w.iter().zip(&gap).map(|(w, g)| w * g / whole).collect()
}

fn cloud(n: usize, d: usize, seed: u64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(seed);
    let cloud =
        two_gaussians(n, d, 0.2 + 0.6 * source.uniform(), 1.0 + 4.0 * source.uniform(), seed);
    let mut labels = cloud.labels;
    // Both clusters have more rows than columns.
    (0..4 * d).for_each(|i| labels[i] = (i % 2) as i32);
    (cloud.x, labels)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn shares_are_those_of_the_minimax_machine_in_raw_units_and_sum_to_one(
        d in 1usize..7, lambda in prop::sample::select(vec![0.0, 0.1, 1.0, 10.0]), seed in 0u64..9999
    ) {
        let (x, labels) = cloud(120, d, seed);
        let found = importance(&data(&x, d), &labels, lambda, d).unwrap();
        let shares = by_column(&found[0], d);
        prop_assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        for (a, b) in shares.iter().zip(slow(&x, d, &labels, lambda)) {
            prop_assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} {b}");
        }
        prop_assert!(found[0].features.windows(2).all(|w| w[0].fraction.abs() >= w[1].fraction.abs()));
    }

    #[test]
    fn theorem_1_shares_are_invariant_under_feature_scaling(d in 1usize..7, seed in 0u64..9999) {
        let (x, labels) = cloud(100, d, seed);
        let mut source = Source::new(seed + 1);
        let scale: Vec<(f64, f64)> = (0..d)
            .map(|_| (10f64.powf(8.0 * source.uniform() - 4.0), source.normal()))
            .collect();
        let change = |(i, v): (usize, &f64)| (v + scale[i % d].1) * scale[i % d].0;
        let y: Vec<f64> = x.iter().enumerate().map(change).collect();
        let before = importance(&data(&x, d), &labels, 1.0, d).unwrap();
        let after = importance(&data(&y, d), &labels, 1.0, d).unwrap();
        for (a, b) in by_column(&before[0], d).iter().zip(by_column(&after[0], d)) {
            prop_assert!((a - b).abs() < 1e-8, "{a} {b}");
        }
        // Differences are in the units of the table.
        for share in &after[0].features {
            let same = before[0].features.iter().find(|s| s.feature == share.feature).unwrap();
            let want = same.difference * scale[share.feature].0;
            prop_assert!((share.difference - want).abs() <= 1e-8 * (1.0 + want.abs()));
        }
    }

    #[test]
    fn an_exchange_over_a_linear_rule_gives_the_shares_of_its_weights(d in 1usize..6, seed in 0u64..9999) {
        // All 40 rows of either cluster are drawn, so the sample's means are the clusters' means.
        let cloud = two_gaussians(80, d, 0.5, 3.0, seed);
        let labels: Vec<i32> = (0..80).map(|i| i % 2).collect();
        let w = Source::new(seed + 1).normals(d);
        let decision = |x: MatrixRef<'_>| {
            let mut row = vec![0.0; d];
            let value = |i: usize| {
                x.copy_row(i, &mut row);
                dot(&row, &w) + 0.3
            };
            let values: Vec<f64> = (0..x.rows()).map(value).collect();
            Ok(Dense::from_vec(x.rows(), 1, values).unwrap())
        };
        let rule = DecisionFunction { decision: &decision, cost: d as f64, seed };
        let flat = importance(&data(&cloud.x, d), &labels, 1.0, d).unwrap();
        let found = exchange(&data(&cloud.x, d), &labels, &flat, &rule).unwrap().unwrap();
        let means = naive::group_means(&cloud.x, d, &labels, 2);
        let parts: Vec<f64> = (0..d).map(|j| w[j] * (means[1][j] - means[0][j])).collect();
        let (total, size) = parts.iter().fold((0.0, 0.0), |(t, s), p| (t + p, s + p.abs()));
        if total > 1e-3 * size {
            for (a, b) in by_column(&found[0], d).iter().zip(&parts) {
                prop_assert!((a - b / total).abs() < 1e-7 * size / total, "{a} {b}");
            }
        } else if total < -1e-3 * size {
            // A rule that favours the wrong side tells nothing apart.
            prop_assert!(found[0].features.is_empty());
        }
    }
}

#[test]
fn only_the_feature_that_differs_has_a_large_share() {
    let mut x = Source::new(1).normals(400 * 5);
    x.chunks_exact_mut(5).take(200).for_each(|row| row[3] += 6.0);
    let labels: Vec<i32> = (0..400).map(|i| i32::from(i >= 200)).collect();
    let found = importance(&data(&x, 5), &labels, 1.0, 5).unwrap();
    let first = &found[0].features[0];
    assert!(first.feature == 3 && first.fraction > 0.95, "{found:?}");
    assert!((first.difference - 6.0).abs() < 0.5, "{found:?}");
}

#[test]
fn a_feature_that_only_takes_out_noise_has_a_negative_share() {
    // x0 = signal + noise, x1 = noise + a little of the signal: w₁ < 0 while its means differ the same way.
    let mut source = Source::new(2);
    let x: Vec<f64> = (0..600)
        .flat_map(|i| {
            let (side, noise) = (f64::from(i % 2), source.normal());
            [3.0 * side + 3.0 * noise + 0.1 * source.normal(), noise + 0.2 * side]
        })
        .collect();
    let labels: Vec<i32> = (0..600).map(|i| i % 2).collect();
    let found = importance(&data(&x, 2), &labels, 0.0, 2).unwrap();
    let shares = by_column(&found[0], 2);
    assert!(shares[0] > 1.0 && shares[1] < 0.0, "{shares:?}");
}

#[test]
fn many_clusters_have_shares_for_every_pair_in_wide_tables_too() {
    // More than 128 columns: pairs are solved in the discriminant subspace and lifted back.
    let (n, d) = (600, 150);
    let mut x = Source::new(3).normals(n * d);
    for (i, row) in x.chunks_exact_mut(d).enumerate() {
        row[10 + i % 3] += 9.0;
    }
    let labels: Vec<i32> = (0..n).map(|i| (i % 3) as i32).collect();
    let found = importance(&data(&x, d), &labels, 1.0, d).unwrap();
    assert_eq!(found.len(), 3);
    for pair in &found {
        let shares = by_column(pair, d);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{}", shares.iter().sum::<f64>());
        let mut top: Vec<usize> = pair.features[..2].iter().map(|s| s.feature).collect();
        top.sort_unstable();
        assert_eq!(top, [10 + pair.a as usize, 10 + pair.b as usize], "{pair:?}");
        let of_a = pair.features[..2].iter().find(|s| s.feature == 10 + pair.a as usize).unwrap();
        assert!((of_a.difference - 9.0).abs() < 0.5, "{of_a:?}");
    }
}

#[test]
fn the_quality_keeps_the_largest_shares_and_counts_the_rest() {
    let cloud = blobs(900, 40, 30, 9.0, 4);
    let d = data(&cloud.x, 40);
    let q = assess(&d, &cloud.labels, &AssessOptions::default()).unwrap();
    assert_eq!(q.importance.len(), q.pairs.len());
    let whole = importance(&d, &cloud.labels, 1.0, usize::MAX).unwrap();
    let most = 20.max(4000 / q.pairs.len());
    for ((kept, all), pair) in q.importance.iter().zip(&whole).zip(&q.pairs) {
        assert_eq!((kept.a, kept.b), (pair.a, pair.b));
        assert_eq!(kept.features, all.features[..most]);
        assert_eq!((kept.rest, all.rest), (40 - most, 0));
    }
}

#[test]
fn constant_columns_equal_means_and_single_clusters_have_no_shares() {
    let x = [0.0, 7.0, 1.0, 7.0, 10.0, 7.0, 11.0, 7.0];
    let found = importance(&data(&x, 2), &[0, 0, 1, 1], 1.0, 9).unwrap();
    assert_eq!(found[0].features.len(), 1);
    assert_eq!((found[0].features[0].feature, found[0].features[0].fraction), (0, 1.0));
    let equal = [1.0, -1.0, 1.0, -1.0];
    assert!(importance(&data(&equal, 1), &[0, 0, 1, 1], 1.0, 9).unwrap()[0].features.is_empty());
    assert!(importance(&data(&equal, 1), &[0, 0, 0, 0], 1.0, 9).unwrap().is_empty());
    assert!(importance(&data(&equal, 1), &[0, 0, 0], 1.0, 9).is_err());
    assert!(importance(&data(&equal, 1), &[0, 0, 1, 1], -1.0, 9).is_err());
}

#[test]
fn names_weights_threads_and_sparse_rows() {
    let cloud = blobs(500, 30, 4, 5.0, 6);
    let names: Vec<String> = (0..30).map(|j| format!("f{j}")).collect();
    let dense = DenseRef::new(500, 30, &cloud.x).unwrap();
    let named = Dataset::with_names(dense.into(), Some(&names)).unwrap();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| importance(&named, &cloud.labels, 1.0, 5).unwrap())
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert!(
        one.iter().flat_map(|p| &p.features).all(|s| s.name == Some(format!("f{}", s.feature)))
    );

    let (mut indptr, mut indices) = (vec![0], Vec::new());
    for _ in 0..500 {
        indices.extend(0..30u32);
        indptr.push(indices.len());
    }
    let sparse = CsrRef::new(30, &indptr, &indices, &cloud.x).unwrap();
    let sparse = Dataset::with_names(sparse.into(), Some(&names)).unwrap();
    assert_eq!(one, importance(&sparse, &cloud.labels, 1.0, 5).unwrap());

    // A weight of two counts as two equal rows.
    let (x, labels) = self::cloud(60, 3, 9);
    let weights: Vec<f64> = (0..60).map(|i| f64::from(1 + i % 2)).collect();
    let weighted = data(&x, 3).with_weights(&weights).unwrap();
    let twice = |i: usize| vec![x[3 * i..3 * i + 3].to_vec(); weights[i] as usize].concat();
    let (many, both): (Vec<f64>, Vec<i32>) = (
        (0..60).flat_map(twice).collect(),
        (0..60).flat_map(|i| vec![labels[i]; weights[i] as usize]).collect(),
    );
    let (a, b) = (
        by_column(&importance(&weighted, &labels, 1.0, 3).unwrap()[0], 3),
        by_column(&importance(&data(&many, 3), &both, 1.0, 3).unwrap()[0], 3),
    );
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
}

/// A ring around a cluster in the first two columns, noise in a third: the means agree.
fn ring(n: usize, seed: u64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(seed);
    let row = |i: usize| {
        let radius = if i.is_multiple_of(2) { 5.0 } else { 0.0 };
        let angle = std::f64::consts::TAU * source.uniform();
        [
            radius * angle.cos() + 0.3 * source.normal(),
            radius * angle.sin() + 0.3 * source.normal(),
            source.normal(),
        ]
    };
    ((0..n).flat_map(row).collect(), (0..n).map(|i| (i % 2) as i32).collect())
}

#[test]
fn a_ring_has_shares_by_exchange_that_flat_boundaries_cannot_have() {
    let (x, truth) = ring(300, 5);
    let table = data(&x, 3);
    let found = Spectral::new(2).fit(&table).unwrap();
    let agreed = found.labels().iter().zip(&truth).filter(|(a, b)| a == b).count();
    assert!(agreed == 300 || agreed == 0, "{agreed}");
    let pair = &found.quality().unwrap().importance[0];
    assert_eq!(pair.method, ImportanceMethod::Permutation);
    let shares = by_column(pair, 3);
    assert!(shares[0] > 0.3 && shares[1] > 0.3 && shares[2].abs() < 0.1, "{shares:?}");
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
    let again = Spectral::new(2).fit(&table).unwrap();
    assert_eq!(again.quality().unwrap().importance[0], *pair);
}

#[test]
fn flat_methods_keep_their_boundaries_and_dear_rules_are_not_asked() {
    let cloud = two_gaussians(200, 4, 0.5, 6.0, 1);
    let table = data(&cloud.x, 4);
    let flat = importance(&table, &cloud.labels, 1.0, 4).unwrap();
    let decision = |_: MatrixRef<'_>| unreachable!("too dear");
    let rule = DecisionFunction { decision: &decision, cost: 1e9, seed: 0 };
    assert_eq!(exchange(&table, &cloud.labels, &flat, &rule).unwrap(), None);
    assert_eq!(exchange(&table, &cloud.labels, &[], &rule).unwrap(), None);
    let found = Mspc::new(2).fit(&table).unwrap();
    assert_eq!(found.quality().unwrap().importance[0].method, ImportanceMethod::Exact);
}
