//! MSP and its bounds: the theorems of Huang, Zhang, Song & Chen (2015) as properties.

use proptest::prelude::*;
use separa::quality::{bounds, msp, pairwise_msp};
use separa::{CsrRef, Dataset, Dense, DenseRef};
use separa_math::linalg::{dot, quadratic, sym_eig};
use separa_math::optim::mpm::{self, Mpm, Side};
use separa_testkit::clouds::{Source, blobs, two_gaussians};
use separa_testkit::naive;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

/// Two clusters of differing shape, size and distance.
fn random(n: usize, d: usize, seed: u64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(seed);
    let share = 0.2 + 0.6 * source.uniform();
    let cloud = two_gaussians(n, d, share, 4.0 * source.uniform(), seed);
    let mut labels = cloud.labels;
    // Both clusters have more rows than columns, so that λ = 0 stays finite.
    (0..4 * d).for_each(|i| labels[i] = (i % 2) as i32);
    let mut x = cloud.x;
    x.iter_mut().zip(0..).filter(|(_, i)| i % 3 == 0).for_each(|(v, _)| *v = *v * 2.5 + 1.0);
    (x, labels)
}

/// Means and plain covariances of clusters 0 and 1, and of all rows, by loops in raw units.
struct Raw {
    mean: [Vec<f64>; 2],
    cov: [Dense; 2],
    total: Dense,
    share: f64,
}

fn raw(x: &[f64], d: usize, labels: &[i32]) -> Raw {
    let dense = |v: Vec<f64>| Dense::from_vec(d, d, v).unwrap();
    let [(m0, c0), (m1, c1)] = [0, 1].map(|c| naive::moments(&naive::rows_of(x, d, labels, c), d));
    let share = labels.iter().filter(|l| **l == 0).count() as f64 / labels.len() as f64;
    let total = dense(naive::moments(x, d).1);
    Raw { mean: [m0, m1], cov: [dense(c0), dense(c1)], total, share }
}

impl Raw {
    fn raised(&self, a: &Dense, reg: f64) -> Dense {
        let mut out = a.clone();
        (0..a.rows()).for_each(|j| out[(j, j)] += reg * self.total[(j, j)]);
        out
    }
    fn solve(&self, reg: f64) -> Mpm {
        let [a, b] = [&self.cov[0], &self.cov[1]].map(|c| self.raised(c, reg));
        let (one, two) =
            (Side { mean: &self.mean[0], cov: &a }, Side { mean: &self.mean[1], cov: &b });
        mpm::solve(one, two).unwrap()
    }
    /// (gap, total) of Theorem 2 along w.
    fn along(&self, w: &[f64], reg: f64) -> (f64, f64) {
        let gap = dot(w, &self.mean[0]) - dot(w, &self.mean[1]);
        (gap, quadratic(&self.raised(&self.total, reg), w))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn msp_is_the_minimax_machine_on_raw_moments_with_lambda_diag(
        d in 1usize..6, power in -3i32..3, seed in 0u64..9999
    ) {
        let (x, labels) = random(120, d, seed);
        let reg = 10f64.powi(power);
        let want = raw(&x, d, &labels).solve(reg).p();
        prop_assert!((msp(&data(&x, d), &labels, reg).unwrap() - want).abs() < 1e-9);
    }

    #[test]
    fn theorem_1_msp_is_invariant_under_feature_scaling(
        d in 1usize..7, lambda in prop::sample::select(vec![0.0, 1e-3, 1.0, 100.0]), seed in 0u64..9999
    ) {
        let (x, labels) = random(100, d, seed);
        let mut source = Source::new(seed + 1);
        let factors: Vec<f64> =
            (0..d).map(|_| 10f64.powf(12.0 * source.uniform() - 6.0)).collect();
        let y: Vec<f64> = x.iter().enumerate().map(|(i, v)| v * factors[i % d]).collect();
        let (a, b) = (msp(&data(&x, d), &labels, lambda), msp(&data(&y, d), &labels, lambda));
        prop_assert!((a.unwrap() - b.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn theorem_1_msp_is_invariant_under_any_invertible_map_at_lambda_zero(
        d in 1usize..6, seed in 0u64..9999
    ) {
        let (x, labels) = random(100, d, seed);
        let mut map = Source::new(seed + 1).normals(d * d);
        (0..d).for_each(|j| map[j * d + j] += 3.0);
        let row = |r: &[f64]| -> Vec<f64> {
            (0..d).map(|j| (0..d).map(|i| r[i] * map[i * d + j]).sum()).collect()
        };
        let y: Vec<f64> = x.chunks_exact(d).flat_map(row).collect();
        let (a, b) = (msp(&data(&x, d), &labels, 0.0), msp(&data(&y, d), &labels, 0.0));
        // The map's condition, near 1e3 at worst, squared into the covariances.
        prop_assert!((a.unwrap() - b.unwrap()).abs() < 1e-7);
    }

    #[test]
    fn theorem_2_bound_is_below_kappa_squared(
        d in 1usize..6, lambda in prop::sample::select(vec![0.0, 0.1, 1.0]), seed in 0u64..9999
    ) {
        let (x, labels) = random(90, d, seed);
        let raw = raw(&x, d, &labels);
        let best = raw.solve(lambda);
        // Along any w: (4) is below κ²(w), and κ²(w) below the optimum.
        let w = Source::new(seed + 1).normals(d);
        for w in [&w, &best.w] {
            let (gap, total) = raw.along(w, lambda);
            let sigma = [0, 1].map(|c| quadratic(&raw.raised(&raw.cov[c], lambda), w).sqrt());
            let kappa2 = (gap / (sigma[0] + sigma[1])).powi(2);
            prop_assert!(bounds::theorem_2(gap, total, raw.share) <= kappa2 * (1.0 + 1e-9));
        }
        let bound = bounds::separation_bound(&data(&x, d), &labels, lambda).unwrap();
        let (gap, total) = raw.along(&best.w, lambda);
        let at_best = bounds::theorem_2(gap, total, raw.share);
        // The bound's own maximum is above its value at the machine's w, and below MSP.
        prop_assert!(bound >= at_best / (1.0 + at_best) - 1e-9);
        prop_assert!(bound <= best.p() + 1e-9);
    }

    #[test]
    fn theorem_2_is_an_equality_for_clusters_of_equal_size_and_spread(
        d in 1usize..6, shift in 0.1f64..5.0, seed in 0u64..9999
    ) {
        // The second cluster is the first one moved: equal sizes, equal covariances.
        let first = Source::new(seed).normals(30 * d);
        let moved: Vec<f64> = first.iter().map(|v| v + shift).collect();
        let x = [first, moved].concat();
        let labels: Vec<i32> = (0..60).map(|i| i / 30).collect();
        for lambda in [0.0, 0.5] {
            let bound = bounds::separation_bound(&data(&x, d), &labels, lambda).unwrap();
            let value = msp(&data(&x, d), &labels, lambda).unwrap();
            prop_assert!((bound - value).abs() < 1e-9, "{bound} {value}");
        }
    }

    #[test]
    fn theorem_4_margin_bound_is_below_msp(d in 1usize..5, gap in 0.01f64..6.0, seed in 0u64..9999) {
        // A slab of the given width between the clusters along the first feature.
        let mut x = Source::new(seed).normals(80 * d);
        x.chunks_exact_mut(d).for_each(|r| r[0] += gap / 2.0 * r[0].signum());
        let labels: Vec<i32> = x.chunks_exact(d).map(|r| i32::from(r[0] > 0.0)).collect();
        let first = |c: i32| -> Vec<f64> {
            naive::rows_of(&x, d, &labels, c).chunks_exact(d).map(|r| r[0]).collect()
        };
        let margin = first(1).into_iter().fold(f64::INFINITY, f64::min)
            - first(0).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let raw = raw(&x, d, &labels);
        let sigma = sym_eig(&raw.total).unwrap().values[d - 1].sqrt();
        let bound = bounds::theorem_4(margin, sigma, raw.share);
        prop_assert!(bound <= msp(&data(&x, d), &labels, 0.0).unwrap() + 1e-9);
    }

    #[test]
    fn theorem_5_bounds_the_share_within_the_margin_at_the_midpoint(
        d in 1usize..5, rho in 0.0f64..1.0, seed in 0u64..9999
    ) {
        let (x, labels) = random(150, d, seed);
        let raw = raw(&x, d, &labels);
        let best = raw.solve(0.0);
        let outside = 1.0 - bounds::theorem_5(best.p(), rho);
        let [m0, m1] = [0, 1].map(|c| dot(&best.w, &raw.mean[c]));
        let margin = rho * (m0 - m1) / 2.0;
        for (c, sign) in [(0, 1.0), (1, -1.0)] {
            let rows = naive::rows_of(&x, d, &labels, c);
            let y = rows.chunks_exact(d).map(|r| sign * (dot(&best.w, r) - 0.5 * (m0 + m1)));
            let kept = y.filter(|y| *y >= margin - 1e-12).count() as f64;
            prop_assert!(kept / (rows.len() / d) as f64 >= outside - 1e-12);
        }
    }

    #[test]
    fn msp_falls_with_lambda(d in 1usize..6, seed in 0u64..9999) {
        let (x, labels) = random(100, d, seed);
        let values = [0.0, 0.01, 0.1, 1.0, 10.0].map(|reg| msp(&data(&x, d), &labels, reg).unwrap());
        prop_assert!(values.windows(2).all(|w| w[1] <= w[0] + 1e-12), "{values:?}");
    }
}

#[test]
fn theorem_5_at_its_ends() {
    assert_eq!(bounds::theorem_5(1.0, 0.3), 0.0);
    assert_eq!(bounds::theorem_5(0.7, 1.0), 1.0);
    assert_eq!(bounds::theorem_5(1.0, 1.0), 1.0);
    assert!((bounds::theorem_5(0.8, 0.0) - 0.5).abs() < 1e-12);
}

#[test]
fn one_gaussian_cut_in_half_scores_two_over_pi() {
    let x = Source::new(5).normals(200_000);
    let labels: Vec<i32> = x.chunks_exact(2).map(|r| i32::from(r[0] > 0.0)).collect();
    let value = msp(&data(&x, 2), &labels, 0.0).unwrap();
    assert!((value - std::f64::consts::FRAC_2_PI).abs() < 0.005, "{value}");
}

#[test]
fn pairs_of_wide_tables_are_bounded_below_by_the_discriminant_subspace() {
    let narrow = blobs(300, 100, 4, 6.0, 3);
    // The same blobs with 60 columns of noise: beyond the width that is solved in full.
    let noise = Source::new(9).normals(300 * 60);
    let wide: Vec<f64> = narrow
        .x
        .chunks_exact(100)
        .zip(noise.chunks_exact(60))
        .flat_map(|(a, b)| a.iter().chain(b).copied())
        .collect();
    let (ids, matrix) = pairwise_msp(&data(&wide, 160), &narrow.labels, 1.0).unwrap();
    assert_eq!(ids, [0, 1, 2, 3]);
    for a in 0..4 {
        assert_eq!(matrix[(a, a)], 0.0);
        for b in 0..a {
            let both = |l: &i32| *l == a as i32 || *l == b as i32;
            let labels: Vec<i32> =
                narrow.labels.iter().map(|l| if both(l) { *l } else { -1 }).collect();
            assert!(
                matrix[(a, b)] > 0.0 && matrix[(a, b)] < 1.0 && matrix[(a, b)] == matrix[(b, a)]
            );
            assert!(msp(&data(&wide, 160), &labels, 1.0).unwrap() > 0.5 * matrix[(a, b)]);
        }
    }
}

#[test]
fn weights_count_like_repeated_rows_and_sparse_like_dense() {
    let (x, labels) = random(60, 3, 8);
    let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 3)).collect();
    let repeated: Vec<usize> = (0..60).flat_map(|i| vec![i; i % 3]).collect();
    let y: Vec<f64> = repeated.iter().flat_map(|i| x[i * 3..i * 3 + 3].to_vec()).collect();
    let again: Vec<i32> = repeated.iter().map(|i| labels[*i]).collect();
    let weighted = msp(&data(&x, 3).with_weights(&weights).unwrap(), &labels, 1.0).unwrap();
    assert!((weighted - msp(&data(&y, 3), &again, 1.0).unwrap()).abs() < 1e-12);
    let indptr: Vec<usize> = (0..=60).map(|i| 3 * i).collect();
    let indices: Vec<u32> = (0..180).map(|i| i % 3).collect();
    let sparse = CsrRef::new(3, &indptr, &indices, &x).unwrap();
    let sparse = Dataset::new(sparse.into()).unwrap();
    assert_eq!(msp(&sparse, &labels, 1.0).unwrap(), msp(&data(&x, 3), &labels, 1.0).unwrap());
}

#[test]
fn degenerate_labelings_have_defined_values() {
    let x = [1.0, 5.0, 2.0, 5.0, 3.0, 5.0, 4.0, 5.0];
    let value = |labels: &[i32], reg| msp(&data(&x, 2), labels, reg).unwrap();
    assert_eq!(value(&[0, 0, 0, 0], 1.0), 0.0);
    assert_eq!(value(&[0, -1, -1, -1], 1.0), 0.0);
    assert_eq!(value(&[0, -1, -1, 7], 0.0), 1.0);
    assert_eq!(value(&[0, 1, 1, 0], 1.0), 0.0);
    assert!(value(&[3, 3, 9, 9], 1.0) > 0.0);
    let flat = [2.0; 8];
    assert_eq!(msp(&data(&flat, 2), &[0, 0, 1, 1], 1.0).unwrap(), 0.0);
    assert!(msp(&data(&x, 2), &[-1; 4], 1.0).unwrap_err().to_string().starts_with("no row has"));
    assert!(msp(&data(&x, 2), &[0, 1], 1.0).is_err());
    let e = msp(&data(&x, 2), &[0, 0, 1, 1], -1.0).unwrap_err().to_string();
    assert!(e.ends_with("must be a finite number that is not negative, got -1"), "{e}");
}
