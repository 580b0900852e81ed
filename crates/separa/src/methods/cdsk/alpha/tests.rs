use super::objective::{AlphaProblem, Point};
use super::operator::Discriminative;
use super::paper::{Twelve, distances, mean_entropy, twelve};
use super::*;
use crate::error::Result;
use proptest::prelude::*;
use separa_math::linalg::{
    Precision, SparseSym, SymMatrix, absolute, dot, product, quadratic, sym_eig, times,
};
use separa_math::optim::simplex;
use separa_math::rng::Rng;

/// Rows in `centers` clouds along a line, `gap` apart.
fn cloud(n: usize, centers: usize, gap: f64, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 9);
    let mut x = Dense::zeros(n, 2);
    for i in 0..n {
        x[(i, 0)] = rng.normal() + gap * (i % centers) as f64;
        x[(i, 1)] = rng.normal();
    }
    x
}

fn gaussian(x: &Dense, width: f64) -> Dense {
    let n = x.rows();
    let mut k = Dense::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            let d: f64 = x.row(i).iter().zip(x.row(j)).map(|(a, b)| (a - b) * (a - b)).sum();
            k[(i, j)] = (-d / (2.0 * width * width)).exp();
        }
    }
    k
}

/// Weights inside the simplex, between a third and thrice of 1/n before they are scaled.
fn weights(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 4);
    let mut alpha: Vec<f64> = (0..n).map(|_| 3f64.powf(2.0 * rng.uniform() - 1.0)).collect();
    let total: f64 = alpha.iter().sum();
    alpha.iter_mut().for_each(|a| *a /= total);
    alpha
}

/// A similarity with negative eigenvalues: near rows alone are similar.
fn indefinite(n: usize, seed: u64) -> Dense {
    let mut k = gaussian(&cloud(n, 3, 3.0, seed), 1.0);
    k.data_mut().iter_mut().filter(|v| **v < 0.2).for_each(|v| *v = 0.0);
    k
}

/// (8), entry by entry.
fn explicit(k: &Dense, alpha: &[f64], lambda: f64) -> Dense {
    explicit_split(k, k, alpha, lambda)
}

/// (6), entry by entry, `held` = S⁺ + S⁻.
fn explicit_split(k: &Dense, held: &Dense, alpha: &[f64], lambda: f64) -> Dense {
    let mut s = k.clone();
    for i in 0..k.rows() {
        for j in 0..k.rows() {
            let apart = lambda * alpha[i] * alpha[j] * held[(i, j)];
            s[(i, j)] = 2.0 * ((alpha[i] + alpha[j]) * k[(i, j)] - apart);
        }
    }
    s
}

/// Q from the explicit matrix and its full decomposition.
fn slow_q(k: &Dense, alpha: &[f64], lambda: f64, h: f64, c: usize) -> f64 {
    slow_q_split(k, k, alpha, lambda, h, c)
}

fn slow_q_split(k: &Dense, held: &Dense, alpha: &[f64], lambda: f64, h: f64, c: usize) -> f64 {
    let n = alpha.len();
    let s = explicit_split(k, held, alpha, lambda);
    let d: Vec<f64> = (0..n).map(|i| s.row(i).iter().sum()).collect();
    let top = d.iter().copied().fold(0.0, f64::max);
    // A row whose similarities cancel stands alone.
    let scale = |i: usize| if d[i] > 1e-14 * top { 1.0 / d[i].sqrt() } else { 0.0 };
    let mut l = Dense::identity(n);
    (0..n).for_each(|i| (0..n).for_each(|j| l[(i, j)] -= s[(i, j)] * scale(i) * scale(j)));
    let cut: f64 = sym_eig(&l).unwrap().values[..c].iter().sum();
    let sums = times(k, &vec![1.0; n]);
    h * cut - dot(&sums, alpha) + lambda * quadratic(held, alpha)
}

fn at<'a>(
    k: &'a dyn SymOp,
    alpha: &[f64],
    lambda: f64,
    h: f64,
    c: usize,
) -> (AlphaProblem<'a>, Point) {
    let problem = AlphaProblem::new(k, c, lambda, h, 0);
    let point = problem.at(problem.weigh(alpha.to_vec())).unwrap();
    (problem, point)
}

fn quiet(k: &dyn SymOp, c: usize, options: &Exact) -> Result<Learnt> {
    learn_exact(k, None, c, options, &mut |_, _| false)
}

/// The largest difference between ∇Q and central differences along random directions of the
/// simplex, relative to the slope.
fn slope_error(k: &Dense, alpha: &[f64], lambda: f64, h: f64, c: usize, seed: u64) -> f64 {
    let n = alpha.len();
    let (problem, point) = at(k, alpha, lambda, h, c);
    let gradient = problem.gradient(&point);
    let mut rng = Rng::new(seed, 6);
    let mut worst = 0.0f64;
    for _ in 0..4 {
        let mut way: Vec<f64> = (0..n).map(|i| alpha[i] * rng.normal()).collect();
        let mean = way.iter().sum::<f64>() / n as f64;
        way.iter_mut().for_each(|v| *v -= mean);
        let eps = 1e-5;
        let moved =
            |t: f64| -> Vec<f64> { alpha.iter().zip(&way).map(|(a, v)| a + t * v).collect() };
        let slope = (slow_q(k, &moved(eps), lambda, h, c) - slow_q(k, &moved(-eps), lambda, h, c))
            / (2.0 * eps);
        worst = worst.max((slope - dot(&gradient, &way)).abs() / slope.abs().max(1e-2));
    }
    worst
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn products_with_s_equal_those_of_the_explicit_matrix(
        n in 2usize..50, seed in 0u64..1000, rho in 0.1f64..0.6
    ) {
        let k = gaussian(&cloud(n, 2, 3.0, seed), 1.0);
        let (alpha, lambda) = (weights(n, seed), rho * n as f64);
        let s = explicit(&k, &alpha, lambda);
        let ones = vec![1.0; n];
        let op = Discriminative::new(&k, &alpha, lambda, &ones);
        let mut rng = Rng::new(seed, 1);
        let x: Vec<f64> = (0..3 * n).map(|_| rng.normal()).collect();
        let mut out = vec![0.0; 3 * n];
        op.apply_rows(&x, &mut out);
        for (x, out) in x.chunks(n).zip(out.chunks(n)) {
            for (a, b) in times(&s, x).iter().zip(out) {
                prop_assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }
        let problem = AlphaProblem::new(&k, 2, lambda, 1.0, 0);
        let degrees = problem.weigh(alpha.clone()).degrees;
        prop_assert!(times(&s, &ones).iter().zip(&degrees).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn q_is_that_of_the_full_decomposition_and_its_gradient_matches_central_differences(
        n in 6usize..40, seed in 0u64..1000, rho in 0.15f64..0.5, h in 0.3f64..20.0
    ) {
        let k = gaussian(&cloud(n, 3, 3.0, seed), 1.0);
        let (alpha, lambda) = (weights(n, seed), rho * n as f64);
        let (_, point) = at(&k, &alpha, lambda, h, 3);
        prop_assert!((point.q - slow_q(&k, &alpha, lambda, h, 3)).abs() < 1e-9 * n as f64);
        let error = slope_error(&k, &alpha, lambda, h, 3, seed);
        prop_assert!(error < 1e-4, "{error}");
    }

    #[test]
    fn prop_c_2_holds_in_the_exact_mode_q_never_rises(
        n in 4usize..60, seed in 0u64..1000, rho in 0.2f64..0.5, h in 0.5f64..30.0
    ) {
        let k = gaussian(&cloud(n, 3, 4.0, seed), 1.0);
        let options = Exact { rho, h, max_iter: 40, ..Exact::default() };
        let learnt = quiet(&k, 3.min(n), &options).unwrap();
        prop_assert!(learnt.objective.windows(2).all(|w| w[1] < w[0]), "{:?}", learnt.objective);
        prop_assert_eq!(learnt.iterations + 1, learnt.objective.len());
        prop_assert!((learnt.alpha.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let top = learnt.alpha.iter().fold(0.0, |t: f64, a| t.max(*a));
        prop_assert!(top <= 2.0 / learnt.lambda && learnt.alpha.iter().all(|a| *a >= 0.0));
        let q = slow_q(&k, &learnt.alpha, learnt.lambda, h, 3.min(n));
        let last = learnt.objective[learnt.iterations];
        prop_assert!((q - last).abs() < 1e-7 * (1.0 + q.abs()), "{q} {last}");
    }

    #[test]
    fn the_trace_of_12_is_2mta_less_lambda_atma(n in 4usize..40, seed in 0u64..1000) {
        let k = gaussian(&cloud(n, 2, 3.0, seed), 1.0);
        let (alpha, lambda) = (weights(n, seed), 0.4 * n as f64);
        let mut rng = Rng::new(seed, 8);
        let y = Dense::from_vec(n, 3, (0..3 * n).map(|_| rng.normal()).collect()).unwrap();
        let s = explicit(&k, &alpha, lambda);
        let mut l = Dense::zeros(n, n);
        for i in 0..n {
            (0..n).for_each(|j| l[(i, j)] = -s[(i, j)]);
            l[(i, i)] += s.row(i).iter().sum::<f64>();
        }
        let inner = product(y.transposed().view(), product(l.view(), y.view()).view());
        let trace: f64 = (0..3).map(|t| inner[(t, t)]).sum();
        let m = distances(&k, &times(&k, &vec![1.0; n]), &y);
        // λ·2(K − hM) at λ = ½ and h = 1 is K − M.
        let matrix = Twelve { k: &k, y: &y, lambda: 0.5, h: 1.0 };
        let (mut row, mut am) = (vec![0.0; n], 0.0);
        for i in 0..n {
            matrix.copy_row(i, &mut row);
            let part: f64 = (0..n).map(|j| (k[(i, j)] - row[j]) * alpha[j]).sum();
            am += alpha[i] * part;
        }
        let want = 2.0 * dot(&m, &alpha) - lambda * am;
        prop_assert!((trace - want).abs() < 1e-9 * (1.0 + trace.abs()), "{trace} {want}");
    }

    #[test]
    fn the_step_of_12_is_optimal_where_k_less_hm_is_semidefinite(
        n in 4usize..40, seed in 0u64..1000, lambda in 0.1f64..2.0
    ) {
        // A narrow kernel and a small h: K − hM is close to the identity.
        let k = gaussian(&cloud(n, 2, 6.0, seed), 0.3);
        let (h, alpha) = (0.01, weights(n, seed));
        let (problem, point) = at(&k, &alpha, lambda, h, 2);
        let y = point.embedding(Rows::Plain);
        let matrix = Twelve { k: &k, y: &y, lambda, h };
        let mut a = Dense::zeros(n, n);
        (0..n).for_each(|i| matrix.copy_row(i, a.row_mut(i)));
        prop_assume!(sym_eig(&a).unwrap().values[0] > 0.0);
        let found = twelve(&problem, &k, &point);
        let m = distances(&k, &problem.sums, &y);
        let gradient: Vec<f64> = times(&a, &found)
            .iter()
            .enumerate()
            .map(|(i, v)| v + 2.0 * h * m[i] - problem.sums[i])
            .collect();
        // x is optimal where it is its own projection along the gradient.
        let mut moved: Vec<f64> = found.iter().zip(&gradient).map(|(x, g)| x - g).collect();
        simplex::project(&mut moved, f64::INFINITY);
        let worst = moved.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        prop_assert!(worst < 1e-6, "{worst}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn an_indefinite_similarity_is_learnt_through_its_eigen_split_as_6_has_it(
        n in 8usize..40, seed in 0u64..1000, rho in 0.15f64..0.5, h in 0.3f64..5.0
    ) {
        let k = indefinite(n, seed);
        prop_assume!(sym_eig(&k).unwrap().values[0] < -1e-3);
        let held = absolute(&k).unwrap();
        let (alpha, lambda) = (weights(n, seed), rho * n as f64);
        // Products.
        let s = explicit_split(&k, &held, &alpha, lambda);
        let ones = vec![1.0; n];
        let op = Discriminative::new(&k, &alpha, lambda, &ones).held_by(Some(&held));
        let mut rng = Rng::new(seed, 1);
        let x: Vec<f64> = (0..2 * n).map(|_| rng.normal()).collect();
        let mut out = vec![0.0; 2 * n];
        op.apply_rows(&x, &mut out);
        for (x, out) in x.chunks(n).zip(out.chunks(n)) {
            prop_assert!(times(&s, x).iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-11));
        }
        // Q and its slope along a direction within the simplex.
        let problem = AlphaProblem::new(&k, 3, lambda, h, 0).held_by(Some(&held));
        let start = problem.weigh(alpha.clone());
        prop_assert!(times(&s, &ones).iter().zip(&start.degrees).all(|(a, b)| (a - b).abs() < 1e-11));
        prop_assume!(start.degrees.iter().all(|d| *d > 1e-6));
        let point = problem.at(start).unwrap();
        let q = |alpha: &[f64]| slow_q_split(&k, &held, alpha, lambda, h, 3);
        prop_assert!((point.q - q(&alpha)).abs() < 1e-8 * n as f64);
        let gap = point.values[2] - sym_eig(&normal(&s)).unwrap().values[n - 4];
        prop_assume!(gap > 1e-3);
        let gradient = problem.gradient(&point);
        let mut way: Vec<f64> = (0..n).map(|i| alpha[i] * rng.normal()).collect();
        let mean = way.iter().sum::<f64>() / n as f64;
        way.iter_mut().for_each(|v| *v -= mean);
        let moved = |t: f64| -> Vec<f64> { alpha.iter().zip(&way).map(|(a, v)| a + t * v).collect() };
        let slope = (q(&moved(1e-5)) - q(&moved(-1e-5))) / 2e-5;
        let error = (slope - dot(&gradient, &way)).abs() / slope.abs().max(1e-2);
        prop_assert!(error < 1e-3, "{error}");
        // Descent.
        let options = Exact { rho, h, max_iter: 15, ..Exact::default() };
        let learnt = learn_exact(&k, Some(&held), 3, &options, &mut |_, _| false).unwrap();
        prop_assert!(learnt.objective.windows(2).all(|w| w[1] < w[0]), "{:?}", learnt.objective);
        let degrees = times(&explicit_split(&k, &held, &learnt.alpha, learnt.lambda), &ones);
        prop_assert!(degrees.iter().all(|d| *d > 0.0), "{degrees:?}");
        let (q, last) = (slow_q_split(&k, &held, &learnt.alpha, learnt.lambda, h, 3), learnt.objective[learnt.iterations]);
        prop_assert!((q - last).abs() < 1e-6 * (1.0 + q.abs()), "{q} {last}");
    }
}

/// D^{-½}SD^{-½}.
fn normal(s: &Dense) -> Dense {
    let d: Vec<f64> = (0..s.rows()).map(|i| s.row(i).iter().sum()).collect();
    let mut out = s.clone();
    for i in 0..s.rows() {
        (0..s.rows()).for_each(|j| out[(i, j)] /= (d[i] * d[j]).sqrt());
    }
    out
}

#[test]
fn the_gradient_holds_where_leading_eigenvalues_repeat() {
    // Three equal groups, tied alike: λ₂ = λ₃ at uniform weights, and the gap is behind them.
    let (groups, size) = (3, 8);
    let n = groups * size;
    let mut k = Dense::identity(n);
    for i in 0..n {
        for j in (0..n).filter(|j| *j != i) {
            k[(i, j)] = if i / size == j / size { 0.6 } else { 0.05 };
        }
    }
    let alpha = uniform(n);
    let (_, point) = at(&k, &alpha, 0.3 * n as f64, 5.0, 3);
    assert!((point.values[1] - point.values[2]).abs() < 1e-12);
    let error = slope_error(&k, &alpha, 0.3 * n as f64, 5.0, 3, 1);
    assert!(error < 1e-4, "{error}");
}

#[test]
fn uniform_weights_are_optimal_at_lambda_n_half_without_the_spectral_term() {
    let k = gaussian(&cloud(60, 3, 4.0, 1), 1.0);
    let (problem, point) = at(&k, &uniform(60), 30.0, 0.0, 3);
    assert!(problem.gradient(&point).iter().all(|g| g.abs() < 1e-12));
    let options = Exact { rho: 0.5, h: 0.0, ..Exact::default() };
    let learnt = quiet(&k, 3, &options).unwrap();
    assert_eq!((learnt.iterations, learnt.stop), (0, Stop::Converged));
    assert_eq!(learnt.alpha, uniform(60));
}

#[test]
fn at_uniform_weights_unit_rows_are_the_embedding_of_ng_jordan_and_weiss() {
    let n = 45;
    let k = gaussian(&cloud(n, 3, 4.0, 7), 1.0);
    let (_, point) = at(&k, &uniform(n), 0.3 * n as f64, 1.0, 3);
    let y = point.embedding(Rows::Unit);
    let d: Vec<f64> = (0..n).map(|i| k.row(i).iter().sum()).collect();
    let mut walk = k.clone();
    (0..n).for_each(|i| (0..n).for_each(|j| walk[(i, j)] /= (d[i] * d[j]).sqrt()));
    let eig = sym_eig(&walk).unwrap();
    let mut njw = Dense::zeros(n, 3);
    for i in 0..n {
        (0..3).for_each(|t| njw[(i, t)] = eig.vectors[(n - 1 - t, i)]);
        let length = dot(njw.row(i), njw.row(i)).sqrt();
        njw.row_mut(i).iter_mut().for_each(|v| *v /= length);
    }
    // Equal up to a rotation: the inner products are.
    for i in 0..n {
        for j in 0..n {
            assert!((dot(y.row(i), y.row(j)) - dot(njw.row(i), njw.row(j))).abs() < 1e-7);
        }
    }
    // Plain rows satisfy YᵀDY = I.
    let (plain, degrees) = (point.embedding(Rows::Plain), &point.weights.degrees);
    for a in 0..3 {
        for b in 0..3 {
            let inner: f64 = (0..n).map(|i| degrees[i] * plain[(i, a)] * plain[(i, b)]).sum();
            assert!((inner - f64::from(u8::from(a == b))).abs() < 1e-7);
        }
    }
}

#[test]
fn any_store_gives_the_same_weights() {
    let n = 130;
    let full = gaussian(&cloud(n, 2, 5.0, 3), 1.0);
    let mut edges: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, 1.0)).collect();
    let mut dense = Dense::identity(n);
    for i in 0..n {
        for j in (0..i).filter(|j| full[(i, *j)] > 0.3) {
            edges.push((i as u32, j as u32, full[(i, j)]));
            (dense[(i, j)], dense[(j, i)]) = (full[(i, j)], full[(i, j)]);
        }
    }
    let sparse = SparseSym::from_edges(n, &edges).unwrap();
    let options = Exact { rho: 0.3, max_iter: 10, ..Exact::default() };
    let a = quiet(&sparse, 2, &options).unwrap();
    let b = quiet(&dense, 2, &options).unwrap();
    let c = quiet(&SymMatrix::from_dense(&dense, Precision::Double), 2, &options).unwrap();
    for other in [b, c] {
        let worst = a.alpha.iter().zip(&other.alpha).map(|(x, y)| (x - y).abs());
        assert!(worst.fold(0.0, f64::max) < 1e-6);
    }
}

#[test]
fn the_answer_has_the_same_bits_on_any_number_of_threads() {
    let k = SymMatrix::from_dense(&gaussian(&cloud(1100, 3, 4.0, 3), 1.0), Precision::Double);
    let run = |threads: usize| {
        let options = Exact { rho: 0.3, h: 50.0, max_iter: 3, ..Exact::default() };
        crate::Threads(Some(threads)).install(|| quiet(&k, 3, &options).unwrap())
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(
        (one.alpha, one.embedding, one.objective),
        (two.alpha, two.embedding, two.objective)
    );
}

#[test]
fn the_printed_algorithm_collapses_and_says_so() {
    let k = gaussian(&cloud(80, 2, 5.0, 1), 1.0);
    let options = Paper { lambda: Lambda::Value(0.5), ..Paper::default() };
    let learnt = learn_paper(&k, None, 2, &options, &mut |_, _| false).unwrap();
    assert!(learnt.collapsed, "{:?}", learnt.alpha);
    let exact = quiet(&k, 2, &Exact::default()).unwrap();
    assert!(!exact.collapsed);
    assert!(exact.effective_rows() > 20.0 && learnt.effective_rows() < 4.0);
    assert_eq!((learnt.embedding.rows(), learnt.embedding.cols()), (80, 2));
}

#[test]
fn lambda_by_entropy_is_on_the_printed_grid_and_repeats() {
    let k = gaussian(&cloud(120, 2, 5.0, 2), 1.0);
    let run = || learn_paper(&k, None, 2, &Paper::default(), &mut |_, _| false).unwrap();
    let learnt = run();
    let place = learnt.lambda / 0.05;
    assert!((place - place.round()).abs() < 1e-9 && (1.0..=10.5).contains(&place));
    assert_eq!(run().alpha, learnt.alpha);
    let flat = Dense::from_vec(2, 4, vec![1.0; 8]).unwrap();
    assert!((mean_entropy(&flat) - 4f64.ln()).abs() < 1e-15);
    let sure = Dense::from_vec(1, 2, vec![900.0, 0.0]).unwrap();
    assert_eq!(mean_entropy(&sure), 0.0);
}

#[test]
fn a_watcher_ends_the_work_and_keeps_what_was_reached() {
    let k = gaussian(&cloud(60, 3, 4.0, 5), 1.0);
    let options = Exact { rho: 0.3, ..Exact::default() };
    let learnt = learn_exact(&k, None, 3, &options, &mut |iteration, _| iteration == 2).unwrap();
    assert_eq!((learnt.iterations, learnt.stop), (2, Stop::Cancelled));
}

#[test]
fn negative_similarities_and_a_wild_lambda_are_refused_with_the_remedy() {
    let mut k = gaussian(&cloud(10, 2, 4.0, 5), 1.0);
    (1..10).for_each(|j| (k[(0, j)], k[(j, 0)]) = (-1.0, -1.0));
    let sentence = quiet(&k, 2, &Exact::default()).unwrap_err().to_string();
    assert!(sentence.contains("row 1") && sentence.contains("rho"), "{sentence}");
    let k = Dense::identity(4);
    let problem = AlphaProblem::new(&k, 2, 3.0, 1.0, 0);
    let lone = problem.weigh(vec![1.0, 0.0, 0.0, 0.0]);
    let sentence = problem.check(&lone).unwrap_err().to_string();
    assert!(sentence.contains("at most 2.0000"), "{sentence}");
    for rho in [0.0, f64::NAN, 1.5] {
        let error = quiet(&k, 2, &Exact { rho, ..Exact::default() }).unwrap_err();
        assert!(error.to_string().contains("`rho`"), "{error}");
    }
    let options = Paper { lambda: Lambda::Value(2.5), ..Paper::default() };
    let error = learn_paper(&k, None, 2, &options, &mut |_, _| false).unwrap_err();
    assert!(error.to_string().contains("`lambda`"), "{error}");
}

#[test]
fn the_smallest_tables_are_learnt() {
    for n in 1..5 {
        let k = gaussian(&cloud(n, 2, 4.0, 1), 1.0);
        for c in 1..=n {
            let learnt = quiet(&k, c, &Exact::default()).unwrap();
            assert_eq!((learnt.embedding.rows(), learnt.embedding.cols()), (n, c));
            let options = Paper { lambda: Lambda::Value(0.5), ..Paper::default() };
            learn_paper(&k, None, c, &options, &mut |_, _| false).unwrap();
        }
    }
    // Rows joined to no other row.
    let learnt = quiet(&Dense::identity(6), 2, &Exact::default()).unwrap();
    assert!(learnt.embedding.data().iter().all(|v| v.is_finite()));
}
