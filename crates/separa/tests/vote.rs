//! How much the neighbours of a row know of its cluster.

use proptest::prelude::*;
use separa::quality::{Neighbourhood, separation_score};
use separa::{CsrRef, Dataset, DenseRef};
use separa_testkit::Covariance;
use separa_testkit::clouds::{Source, blobs, gaussian, two_gaussians};
use separa_testkit::naive;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

/// Rows along the eigenvectors of their covariance, which Jacobi's rotations find, each divided by the fourth root of its
/// eigenvalue.
fn half_whitened(z: &[f64], d: usize) -> Vec<f64> {
    let (_, mut s) = naive::moments(z, d);
    let mut axes: Vec<f64> = (0..d * d).map(|i| f64::from(i % (d + 1) == 0)).collect();
    for _ in 0..30 {
        for (p, q) in (0..d).flat_map(|p| (p + 1..d).map(move |q| (p, q))) {
            let angle = 0.5 * (2.0 * s[p * d + q]).atan2(s[q * d + q] - s[p * d + p]);
            let (sin, cos) = angle.sin_cos();
            let turn = |m: &mut [f64], at: &dyn Fn(usize, usize) -> usize| {
                for i in 0..d {
                    let (a, b) = (m[at(i, p)], m[at(i, q)]);
                    m[at(i, p)] = cos * a - sin * b;
                    m[at(i, q)] = sin * a + cos * b;
                }
            };
            turn(&mut s, &|i, j| i * d + j);
            turn(&mut s, &|i, j| j * d + i);
            turn(&mut axes, &|i, j| i * d + j);
        }
    }
    let along = |row: &[f64], j: usize| -> f64 {
        let value: f64 = (0..d).map(|c| row[c] * axes[c * d + j]).sum();
        value / s[j * d + j].powf(0.25)
    };
    z.chunks(d).flat_map(|row| (0..d).map(|j| along(row, j)).collect::<Vec<_>>()).collect()
}

/// The definition by loops: all distances, sorted lists, dense weights.
fn slow(x: &[f64], d: usize, labels: &[i32], k: usize) -> f64 {
    let z = half_whitened(&naive::z_scored(x, d), d);
    let n = z.len() / d;
    let distance = |i: usize, j: usize| -> f64 {
        (0..d).map(|c| (z[i * d + c] - z[j * d + c]).powi(2)).sum::<f64>().sqrt()
    };
    let nearest: Vec<Vec<usize>> = (0..n)
        .map(|i| {
            let mut others: Vec<usize> = (0..n).filter(|j| *j != i).collect();
            others.sort_by(|a, b| distance(i, *a).total_cmp(&distance(i, *b)).then(a.cmp(b)));
            others.truncate(5);
            others
        })
        .collect();
    let scale: Vec<f64> = (0..n).map(|i| distance(i, nearest[i][4])).collect();
    let mut joint = vec![vec![0.0; k + 1]; k];
    for i in 0..n {
        let mut weight = vec![0.0; k];
        for j in (0..n).filter(|j| *j != i) {
            let edges = usize::from(nearest[i].contains(&j)) + usize::from(nearest[j].contains(&i));
            let factor = [0.0, 0.1, 1.1][edges];
            let w = (-distance(i, j).powi(2) / (scale[i] * scale[j])).exp();
            weight[labels[j] as usize] += factor * w;
        }
        let best = (1..k).fold(0, |b, c| if weight[c] > weight[b] { c } else { b });
        joint[labels[i] as usize][best] += 1.0 / n as f64;
    }
    let of_label: Vec<f64> = joint.iter().map(|row| row.iter().sum()).collect();
    let of_vote: Vec<f64> = (0..=k).map(|v| joint.iter().map(|row| row[v]).sum()).collect();
    let mut sum = 0.0;
    for l in 0..k {
        for v in 0..=k {
            let p: f64 = joint[l][v];
            if p > 0.0 {
                sum += p * (p / of_label[l] / of_vote[v]).ln();
            }
        }
    }
    let by_chance = expected(&of_label, &of_vote, n as f64);
    let entropy: f64 = of_label.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum();
    (sum - by_chance) / (((k as f64).ln() * entropy).sqrt() - by_chance)
}

/// The mean information of two labellings with these fractions, over all orders of one: joint counts are
/// hypergeometric, each probability from the one before.
fn expected(of_label: &[f64], of_vote: &[f64], n: f64) -> f64 {
    let mut sum = 0.0;
    for a in of_label.iter().map(|p| (p * n).round()) {
        for b in of_vote.iter().map(|p| (p * n).round()) {
            let (mut m, mut p) = ((a + b - n).max(0.0), 1.0);
            let (mut mass, mut of_pair) = (0.0, 0.0);
            while m <= a.min(b) {
                mass += p;
                if m > 0.0 {
                    of_pair += p * m / n * (n * m / (a * b)).ln();
                }
                p *= (a - m) * (b - m) / ((m + 1.0) * (n - a - b + m + 1.0));
                m += 1.0;
            }
            sum += of_pair / mass;
        }
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn scores_equal_their_definition(d in 1usize..6, k in 2usize..5, seed in 0u64..9999) {
        let cloud = blobs(90, d, k, 3.0, seed);
        let found = separation_score(&data(&cloud.x, d), &cloud.labels, 0).unwrap();
        prop_assert!((found - slow(&cloud.x, d, &cloud.labels, k)).abs() < 1e-9);
    }

    #[test]
    fn units_do_not_matter(d in 1usize..6, seed in 0u64..9999) {
        let cloud = two_gaussians(120, d, 0.4, 3.0, seed);
        let mut source = Source::new(seed + 1);
        // Powers of two: other factors round, and may break ties of distances another way.
        let factors: Vec<f64> = (0..d).map(|_| 2f64.powi(source.below(40) as i32 - 20)).collect();
        let y: Vec<f64> = cloud.x.iter().enumerate().map(|(i, v)| v * factors[i % d]).collect();
        let before = separation_score(&data(&cloud.x, d), &cloud.labels, 0).unwrap();
        prop_assert_eq!(before, separation_score(&data(&y, d), &cloud.labels, 0).unwrap());
    }
}

#[test]
fn far_blobs_score_one_random_labels_nothing_and_one_cluster_exactly_nothing() {
    let cloud = blobs(400, 3, 4, 40.0, 1);
    let table = data(&cloud.x, 3);
    let score = |labels: &[i32]| separation_score(&table, labels, 0).unwrap();
    let sizes = (0..4).map(|c| cloud.labels.iter().filter(|l| **l == c).count() as f64 / 400.0);
    // Neighbours always know: what is left is the entropy of the sizes.
    let entropy: f64 = sizes.map(|p| -p * p.ln()).sum::<f64>() / 4f64.ln();
    let found = score(&cloud.labels);
    assert!(found > entropy.sqrt() - 1e-9 && found < entropy.sqrt() + 1e-3, "{found} {entropy}");
    let mut source = Source::new(2);
    let random: Vec<i32> = (0..400).map(|_| source.below(4) as i32).collect();
    assert!(score(&random) < 0.1, "{}", score(&random));
    assert_eq!(score(&[0; 400]), 0.0);
    assert_eq!(score(&[-1; 400]), 0.0);
}

#[test]
fn a_few_outliers_against_the_rest_score_little() {
    let cloud = two_gaussians(400, 4, 0.5, 5.0, 3);
    let mut x = cloud.x.clone();
    x[..12].iter_mut().for_each(|v| *v += 1e3);
    let outliers: Vec<i32> = (0..400).map(|i| i32::from(i >= 3)).collect();
    let score = |labels: &[i32]| separation_score(&data(&x, 4), labels, 0).unwrap();
    assert!(score(&outliers) < 0.3 && score(&cloud.labels) > 0.5);
}

#[test]
fn missing_clusters_count_and_rows_set_aside_do_not() {
    let cloud = blobs(300, 3, 3, 40.0, 4);
    let hood = Neighbourhood::new(&data(&cloud.x, 3), 0).unwrap();
    assert!(hood.score(&cloud.labels, 6) < hood.score(&cloud.labels, 3));
    let marked: Vec<i32> =
        cloud.labels.iter().enumerate().map(|(i, l)| if i % 10 == 0 { -1 } else { *l }).collect();
    assert!((hood.score(&marked, 3) - hood.score(&cloud.labels, 3)).abs() < 0.02);
}

#[test]
fn many_rows_are_sampled_and_threads_sparse_rows_and_weights_change_nothing() {
    let cloud = blobs(6000, 2, 3, 8.0, 5);
    let table = data(&cloud.x, 2);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| separation_score(&table, &cloud.labels, 7).unwrap())
    };
    assert_eq!(run(1), run(3));
    assert!(run(1) > 0.9);

    let small = blobs(200, 5, 2, 3.0, 6);
    let indptr: Vec<usize> = (0..=200).map(|i| 5 * i).collect();
    let indices: Vec<u32> = (0..1000).map(|i| (i % 5) as u32).collect();
    let sparse = CsrRef::new(5, &indptr, &indices, &small.x).unwrap();
    let sparse = Dataset::new(sparse.into()).unwrap();
    let dense = data(&small.x, 5);
    let score = |table: &Dataset<'_>| separation_score(table, &small.labels, 0).unwrap();
    assert_eq!(score(&sparse), score(&dense));

    // Rows of weight 0 are not there.
    let weights: Vec<f64> = (0..200).map(|i| f64::from(i < 150)).collect();
    let part = separation_score(&data(&small.x[..750], 5), &small.labels[..150], 0).unwrap();
    assert_eq!(score(&dense.with_weights(&weights).unwrap()), part);
}

#[test]
fn equal_rows_constant_columns_and_few_rows_are_scored() {
    for (x, d, labels) in [
        (vec![1.0; 12], 1, vec![0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
        (vec![0.0, 1.0], 1, vec![0, 1]),
        (vec![0.0, 5.0, 0.1, 5.0, 9.0, 5.0], 2, vec![0, 0, 1]),
    ] {
        let score = separation_score(&data(&x, d), &labels, 0).unwrap();
        assert!((0.0..=1.0).contains(&score), "{score}");
    }
    assert!(separation_score(&data(&[0.0, 1.0], 1), &[0], 0).is_err());
}

#[test]
fn labels_at_random_score_nothing_however_many_they_are() {
    for (n, k) in [(100, 2), (100, 20), (100, 50), (400, 4), (400, 100), (1000, 10)] {
        let x = gaussian(n, 3, Covariance::Spherical, n as u64 + k as u64);
        let mean = (0..20).map(|seed| {
            let mut source = Source::new(seed);
            let labels: Vec<i32> = (0..n).map(|_| source.below(k) as i32).collect();
            separation_score(&data(&x, 3), &labels, 0).unwrap()
        });
        let mean = mean.sum::<f64>() / 20.0;
        assert!(mean.abs() < 0.02, "{n} rows, {k} labels: {mean}");
    }
    // Every row its own cluster: neighbours know nothing.
    let x = gaussian(100, 3, Covariance::Spherical, 1);
    let alone: Vec<i32> = (0..100).collect();
    assert!(separation_score(&data(&x, 3), &alone, 0).unwrap().abs() < 0.02);
}
