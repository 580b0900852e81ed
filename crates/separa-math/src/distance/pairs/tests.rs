use super::*;
use crate::linalg::{Precision, SymMatrix};
use crate::matrix::pick;
use crate::rng::Rng;
use crate::test_tables::{SparseCopy, sparse_copy};
use proptest::prelude::*;

const METRICS: [Metric; 6] = [
    Metric::Euclidean,
    Metric::SqEuclidean,
    Metric::Manhattan,
    Metric::Chebyshev,
    Metric::Cosine,
    Metric::Correlation,
];

const KERNELS: [Kernel; 6] = [
    Kernel::Linear,
    Kernel::Rbf { gamma: 0.07 },
    Kernel::Laplacian { gamma: 0.03 },
    Kernel::Poly { gamma: 0.5, degree: 3, coef0: 1.0 },
    Kernel::Tanh { gamma: 0.1, coef0: 0.2 },
    Kernel::Cosine,
];

fn measures() -> Vec<Measure> {
    let mut all: Vec<Measure> = METRICS.map(Measure::from).to_vec();
    all.extend(KERNELS.map(Measure::from));
    all.extend(KERNELS.map(Kernel::distance));
    all
}

/// Normal numbers, a fraction of them zero, with a few rows of zeros and copies of earlier rows.
fn table(n: usize, d: usize, zeros: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 0);
    let mut x = Dense::zeros(n, d);
    for i in 0..n {
        let row: Vec<f64> = match rng.below(12) {
            0 if i > 0 => x.row(rng.below(i)).to_vec(),
            1 => vec![0.0; d],
            _ => (0..d).map(|_| if rng.below(zeros) > 0 { 0.0 } else { rng.normal() }).collect(),
        };
        x.row_mut(i).copy_from_slice(&row);
    }
    x
}

fn cosine(a: &[f64], b: &[f64]) -> Option<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let scale = (dot(a, a) * dot(b, b)).sqrt();
    (scale > 0.0).then(|| dot(a, b) / scale)
}

fn angle(a: &[f64], b: &[f64]) -> f64 {
    let blank = |v: &[f64]| v.iter().all(|x| *x == 0.0);
    cosine(a, b).map_or(if blank(a) && blank(b) { 0.0 } else { 1.0 }, |c| 1.0 - c)
}

fn naive_metric(metric: Metric, a: &[f64], b: &[f64]) -> f64 {
    let gaps = || a.iter().zip(b).map(|(x, y)| (x - y).abs());
    let centred = |v: &[f64]| -> Vec<f64> {
        let mean = v.iter().sum::<f64>() / v.len() as f64;
        let constant = v.iter().all(|x| *x == v[0]);
        v.iter().map(|x| if constant { 0.0 } else { x - mean }).collect()
    };
    match metric {
        Metric::Euclidean => gaps().map(|g| g * g).sum::<f64>().sqrt(),
        Metric::SqEuclidean => gaps().map(|g| g * g).sum(),
        Metric::Manhattan => gaps().sum(),
        Metric::Chebyshev => gaps().fold(0.0, f64::max),
        Metric::Cosine => angle(a, b),
        Metric::Correlation => angle(&centred(a), &centred(b)),
    }
}

fn naive_kernel(kernel: Kernel, a: &[f64], b: &[f64]) -> f64 {
    let dot = a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    match kernel {
        Kernel::Linear => dot,
        Kernel::Rbf { gamma } => (-gamma * naive_metric(Metric::SqEuclidean, a, b)).exp(),
        Kernel::Laplacian { gamma } => (-gamma * naive_metric(Metric::Manhattan, a, b)).exp(),
        Kernel::Poly { gamma, degree, coef0 } => (gamma * dot + coef0).powi(degree as i32),
        Kernel::Tanh { gamma, coef0 } => (gamma * dot + coef0).tanh(),
        Kernel::Cosine => cosine(a, b).unwrap_or(0.0),
    }
}

/// The value, and the size of the numbers that were added and subtracted on the way.
fn naive(measure: Measure, a: &[f64], b: &[f64]) -> (f64, f64) {
    match measure {
        Measure::Metric(metric) => (naive_metric(metric, a, b), 1.0 + a.len() as f64),
        Measure::Kernel(kernel) => {
            let value = naive_kernel(kernel, a, b);
            (value, 1.0 + a.len() as f64 + value.abs())
        }
        Measure::Induced(kernel) => {
            let [x, y, k] = [(a, a), (b, b), (a, b)].map(|(a, b)| naive_kernel(kernel, a, b));
            ((x + y - 2.0 * k).max(0.0).sqrt(), 1.0 + x.abs() + y.abs())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn every_measure_equals_its_formula_dense_and_sparse(
        n in 1usize..30, m in 1usize..40, d in 1usize..40, zeros in 1usize..30, seed in 0u64..1000
    ) {
        let (x, y) = (table(n, d, zeros, seed), table(m, d, zeros, seed + 1));
        let (sx, sy) = (sparse_copy(&x), sparse_copy(&y));
        for measure in measures() {
            let out = measure.matrix(&x, &y);
            prop_assert_eq!(&measure.matrix(&sx.view(), &sy.view()), &out);
            prop_assert_eq!(&measure.matrix(&sx.view(), &y), &out);
            prop_assert_eq!(&measure.matrix(&x, &sy.view()), &out);
            for i in 0..n {
                for j in 0..m {
                    let (want, size) = naive(measure, x.row(i), y.row(j));
                    // Squares are compared: a root turns 1e-16 into 1e-8 where the formula cancels.
                    let root = matches!(measure, Measure::Induced(_));
                    let (got, want) = if root {
                        (out[(i, j)].powi(2), want.powi(2))
                    } else {
                        (out[(i, j)], want)
                    };
                    prop_assert!((got - want).abs() < 1e-13 * size, "{measure:?} {got} {want}");
                }
            }
        }
    }

    #[test]
    fn a_value_depends_on_its_two_rows_alone(n in 2usize..60, d in 1usize..50, seed in 0u64..1000) {
        let x = table(n, d, 2, seed);
        for measure in measures() {
            let whole = measure.matrix(&x, &x);
            let symmetric = measure.symmetric(&x, Precision::Double);
            let mut rng = Rng::new(seed, 1);
            for _ in 0..20 {
                let (i, j) = (rng.below(n), rng.below(n));
                let alone = measure.matrix(&pick(&x, &[i]), &pick(&x, &[j]))[(0, 0)];
                prop_assert_eq!(alone, whole[(i, j)]);
                prop_assert_eq!(alone, whole[(j, i)]);
                prop_assert_eq!(alone, symmetric.get(i, j));
            }
        }
    }

    #[test]
    fn metrics_are_symmetric_and_obey_the_triangle_inequality(
        d in 1usize..20, seed in 0u64..1000
    ) {
        let x = table(12, d, 2, seed);
        for metric in METRICS {
            let mut a = metric.matrix(&x, &x);
            if matches!(metric, Metric::SqEuclidean | Metric::Cosine | Metric::Correlation) {
                a.data_mut().iter_mut().for_each(|v| *v = v.sqrt());
            }
            for (i, j, l) in (0..12).flat_map(|i| (0..144).map(move |p| (i, p / 12, p % 12))) {
                prop_assert_eq!(a[(i, j)], a[(j, i)]);
                let slack = 1e-9 * (a[(i, l)] + a[(l, j)]) + 1e-12;
                let far = a[(i, j)];
                prop_assert!(far <= a[(i, l)] + a[(l, j)] + slack, "{metric:?}");
            }
        }
    }
}

fn is_distance(measure: &Measure) -> bool {
    !matches!(measure, Measure::Kernel(_))
}

#[test]
fn coincident_rows_are_at_distance_zero_wherever_they_stand() {
    let mut x = table(700, 37, 3, 5);
    // Far from the origin, where xᵀx + yᵀy − 2xᵀy keeps no digit.
    x.data_mut().iter_mut().for_each(|v| *v += 1e5);
    let twins = [(0, 699), (3, 4), (255, 256), (128, 640), (511, 512)];
    for (i, j) in twins {
        let row = x.row(i).to_vec();
        x.row_mut(j).copy_from_slice(&row);
    }
    for measure in measures().into_iter().filter(is_distance) {
        for a in
            [measure.symmetric(&x, Precision::Double), measure.symmetric(&x, Precision::Single)]
        {
            for (i, j) in twins {
                assert_eq!((a.get(i, j), a.get(j, i), a.get(i, i)), (0.0, 0.0, 0.0), "{measure:?}");
            }
        }
    }
}

#[test]
fn near_rows_far_from_the_origin_keep_their_digits() {
    let mut x = table(40, 20, 1, 6);
    x.data_mut().iter_mut().for_each(|v| *v += 1e7);
    let out = Metric::Euclidean.matrix(&x, &x);
    let bent = Kernel::Rbf { gamma: 1e-9 }.distance().matrix(&x, &x);
    for i in 0..40 {
        for j in 0..40 {
            let want = naive_metric(Metric::Euclidean, x.row(i), x.row(j));
            assert!((out[(i, j)] - want).abs() <= 1e-14 * want, "{} {want}", out[(i, j)]);
            let want = (-2.0 * (-1e-9 * want * want).exp_m1()).sqrt();
            assert!((bent[(i, j)] - want).abs() <= 1e-14 * want);
        }
    }
}

#[test]
fn nearly_parallel_rows_keep_the_digits_of_their_angle() {
    let x = Dense::from_vec(2, 2, vec![1.0, 0.0, 3.0, 3e-7]).unwrap();
    let out = Metric::Cosine.matrix(&x, &x);
    // 1 − cos(1e-7) = 5e-15 but for terms of the fourth power.
    assert!((out[(0, 1)] / 5e-15 - 1.0).abs() < 1e-9, "{}", out[(0, 1)]);
}

fn on(threads: usize, measure: Measure, x: &dyn Rows) -> (SymMatrix, Dense) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| (measure.symmetric(x, Precision::Double), measure.matrix(x, x)))
}

#[test]
fn threads_and_sparse_storage_change_no_bit() {
    let x = table(530, 45, 6, 9);
    // Thin enough for products by feature.
    let thin = table(530, 300, 60, 9);
    for x in [&x, &thin] {
        let sparse: SparseCopy = sparse_copy(x);
        for measure in measures() {
            let one = on(1, measure, x);
            assert_eq!(one, on(2, measure, x));
            assert_eq!(one, on(4, measure, x));
            assert_eq!(one, on(2, measure, &sparse.view()), "{measure:?}");
        }
    }
}

#[test]
fn wide_tables_are_packed_in_parts() {
    let d = PACKED / FEWEST + 1;
    let x = table(30, d, 50, 2);
    let sparse = sparse_copy(&x);
    for measure in [Measure::from(Metric::Euclidean), Metric::Manhattan.into()] {
        let whole = measure.matrix(&x, &x);
        assert_eq!(measure.matrix(&sparse.view(), &sparse.view()), whole);
        let symmetric = measure.symmetric(&x, Precision::Double);
        for (i, j) in [(0, 0), (29, 0), (3, 25), (29, 29)] {
            assert_eq!(whole[(i, j)], symmetric.get(i, j));
            let (want, _) = naive(measure, x.row(i), x.row(j));
            assert!((whole[(i, j)] - want).abs() < 1e-10 * (1.0 + want));
        }
    }
}

#[test]
fn tables_without_rows_or_columns_have_a_matrix_too() {
    for measure in measures() {
        assert_eq!(measure.symmetric(&Dense::zeros(0, 3), Precision::Double).n(), 0);
        assert_eq!(measure.matrix(&Dense::zeros(2, 3), &Dense::zeros(0, 3)).cols(), 0);
        let none = measure.matrix(&Dense::zeros(2, 0), &Dense::zeros(3, 0));
        assert!(!is_distance(&measure) || none.data() == [0.0; 6], "{measure:?}");
    }
}

#[test]
fn single_precision_rounds_the_same_values() {
    let x = table(40, 6, 2, 3);
    let (single, double) = (
        Metric::Euclidean.symmetric(&x, Precision::Single),
        Metric::Euclidean.symmetric(&x, Precision::Double),
    );
    for (i, j) in (0..1600).map(|p| (p / 40, p % 40)) {
        assert_eq!(single.get(i, j), f64::from(double.get(i, j) as f32));
    }
}
