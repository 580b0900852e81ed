use super::*;
use crate::linalg::{dot, product_nt, times};
use crate::matrix::Dense;
use crate::rng::Rng;
use proptest::prelude::*;

fn on(_: &Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// ½(x − c)ᵀA(x − c) with eigenvalues of A from about `least` on.
struct Quadratic {
    a: Dense,
    centre: Vec<f64>,
}

impl Quadratic {
    fn new(n: usize, least: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed, 3);
        let data = (0..n * n).map(|_| rng.normal()).collect();
        let b = Dense::from_vec(n, n, data).unwrap();
        let mut a = product_nt(b.view(), b.view());
        (0..n).for_each(|i| a[(i, i)] += least);
        Self { a, centre: (0..n).map(|_| rng.normal()).collect() }
    }

    fn at(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let gap = difference(x, &self.centre);
        gradient.copy_from_slice(&times(&self.a, &gap));
        0.5 * dot(&gap, gradient)
    }
}

fn rosenbrock(x: &[f64], g: &mut [f64]) -> f64 {
    g.fill(0.0);
    let mut value = 0.0;
    for i in 0..x.len() - 1 {
        let (bend, short) = (x[i + 1] - x[i] * x[i], 1.0 - x[i]);
        value += 100.0 * bend * bend + short * short;
        g[i] += -400.0 * x[i] * bend - 2.0 * short;
        g[i + 1] += 200.0 * bend;
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_quadratic_ends_after_n_exact_searches(n in 1usize..12, seed in 0u64..10_000) {
        let q = Quadratic::new(n, n as f64, seed);
        let mut first = vec![0.0; n];
        q.at(&vec![0.0; n], &mut first);
        // Directions are conjugate to the accuracy of the searches.
        let tol = 1e-7 * largest(&first);
        let options = LbfgsOptions { memory: n, tol, curvature: 1e-10, ..LbfgsOptions::default() };
        let found = minimise(|x, g| q.at(x, g), vec![0.0; n], &options, on);
        prop_assert!(found.converged && found.iterations <= n, "{found:?}");
    }

    #[test]
    fn quadratics_and_valleys_end_at_the_minimum_from_anywhere(
        n in 2usize..30, seed in 0u64..10_000, memory in 1usize..20
    ) {
        let mut rng = Rng::new(seed, 4);
        let start: Vec<f64> = (0..n).map(|_| 2.0 * rng.normal()).collect();
        let q = Quadratic::new(n, 0.1, seed);
        let options = LbfgsOptions { memory, tol: 1e-8, max_iter: 20_000, ..LbfgsOptions::default() };
        let found = minimise(|x, g| q.at(x, g), start.clone(), &options, on);
        prop_assert!(found.converged, "{found:?}");
        prop_assert!(largest(&difference(&found.x, &q.centre)) < 1e-6);
        let found = minimise(rosenbrock, start, &options, on);
        // Its bent floor has a second minimum for n ≥ 4, near x₁ = −1.
        prop_assert!(found.converged && found.gradient <= 1e-8);
        let one = largest(&found.x.iter().map(|v| v - 1.0).collect::<Vec<_>>());
        prop_assert!(one < 1e-6 || (n >= 4 && found.x[0] < 0.0), "{found:?}");
    }

    #[test]
    fn values_never_rise_and_the_answer_is_a_function_of_the_input(seed in 0u64..10_000) {
        let mut rng = Rng::new(seed, 5);
        let start: Vec<f64> = (0..6).map(|_| 3.0 * rng.normal()).collect();
        // Many minima and regions of negative curvature.
        let waves = |x: &[f64], g: &mut [f64]| {
            x.iter().zip(g).map(|(x, g)| {
                *g = 0.2 * x + 3.0 * (3.0 * x).cos();
                0.1 * x * x + (3.0 * x).sin()
            }).sum()
        };
        let mut values = Vec::new();
        let run = |values: &mut Vec<f64>| {
            minimise(waves, start.clone(), &LbfgsOptions::default(), |p| {
                values.push(p.value);
                ControlFlow::Continue(())
            })
        };
        let found = run(&mut values);
        prop_assert!(found.converged, "{found:?}");
        prop_assert!(values.windows(2).all(|v| v[1] <= v[0] + 1e-12), "{values:?}");
        prop_assert_eq!(values.len(), found.iterations + 1);
        prop_assert_eq!(run(&mut Vec::new()), found);
    }
}

#[test]
fn the_valley_takes_few_calls() {
    let found = minimise(
        rosenbrock,
        vec![-1.2, 1.0],
        &LbfgsOptions { tol: 1e-8, ..LbfgsOptions::default() },
        on,
    );
    assert!(found.converged && found.calls < 60, "{} calls", found.calls);
}

#[test]
fn a_start_at_the_optimum_stays_there() {
    let q = Quadratic::new(5, 1.0, 8);
    let found = minimise(|x, g| q.at(x, g), q.centre.clone(), &LbfgsOptions::default(), on);
    assert!(found.converged && found.iterations == 0 && found.calls == 1 && found.x == q.centre);
    let empty = minimise(|_, _| 3.0, Vec::new(), &LbfgsOptions::default(), on);
    assert!(empty.converged && empty.value == 3.0);
}

#[test]
fn values_that_are_not_finite_are_backed_off_from() {
    // −log x − log(1 − x): the first steps from near 0 leave the interval, where logarithms are NaN.
    let barrier = |x: &[f64], g: &mut [f64]| {
        g[0] = -1.0 / x[0] + 1.0 / (1.0 - x[0]);
        -x[0].ln() - (1.0 - x[0]).ln()
    };
    let found =
        minimise(barrier, vec![1e-6], &LbfgsOptions { tol: 1e-9, ..LbfgsOptions::default() }, on);
    assert!(found.converged && (found.x[0] - 0.5).abs() < 1e-9, "{found:?}");
    // exp overflows to infinity on a long step.
    let steep = |x: &[f64], g: &mut [f64]| {
        g[0] = x[0].exp() - 1e-3;
        x[0].exp() - 1e-3 * x[0]
    };
    let found =
        minimise(steep, vec![-300.0], &LbfgsOptions { tol: 1e-12, ..LbfgsOptions::default() }, on);
    assert!(found.converged && (found.x[0] - 1e-3_f64.ln()).abs() < 1e-6, "{found:?}");
    let nowhere = minimise(
        |_, g| {
            g.fill(1.0);
            f64::NAN
        },
        vec![1.0],
        &LbfgsOptions::default(),
        on,
    );
    assert!(!nowhere.converged && nowhere.iterations == 0);
}

#[test]
fn the_observer_stops_and_so_do_the_iterations() {
    let start = vec![-1.2; 10];
    let stop = |p: &Progress<'_>| match p.iterations {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = minimise(rosenbrock, start.clone(), &LbfgsOptions::default(), stop);
    assert!(!stopped.converged && stopped.iterations == 3);
    let short = LbfgsOptions { max_iter: 3, ..LbfgsOptions::default() };
    assert_eq!(minimise(rosenbrock, start, &short, on), stopped);
}

#[test]
fn a_function_without_a_minimum_ends() {
    let down = |x: &[f64], g: &mut [f64]| {
        g[0] = -1.0;
        -x[0]
    };
    let found =
        minimise(down, vec![0.0], &LbfgsOptions { max_iter: 50, ..LbfgsOptions::default() }, on);
    assert!(!found.converged && found.x[0] > 1e3);
    // A kink: the slope jumps from −1 to 2 at 0, no gradient is small.
    let kink = |x: &[f64], g: &mut [f64]| {
        g[0] = if x[0] < 0.0 { -1.0 } else { 2.0 };
        g[0] * x[0]
    };
    let found = minimise(kink, vec![-5.3], &LbfgsOptions::default(), on);
    assert!(!found.converged && found.x[0].abs() < 1e-3, "{found:?}");
}

#[test]
fn told_one_value_at_a_time_it_visits_the_same_points() {
    for (n, tol, max_iter) in [(2, 1e-9, 500), (12, 1e-8, 500), (12, 1e-8, 7)] {
        let options = LbfgsOptions { tol, max_iter, ..LbfgsOptions::default() };
        let start = vec![-1.2; n];
        let (mut seen, mut values) = (Vec::new(), Vec::new());
        let found = minimise(
            |x, g| {
                seen.push(x.to_vec());
                rosenbrock(x, g)
            },
            start.clone(),
            &options,
            |at| {
                values.push(at.value);
                ControlFlow::Continue(())
            },
        );
        let mut asked = AskedLbfgs::new(start, options);
        let (mut points, mut told, mut g) = (Vec::new(), Vec::new(), vec![0.0; n]);
        while let Some(x) = asked.asks().map(<[f64]>::to_vec) {
            let value = rosenbrock(&x, &mut g);
            points.push(x);
            if asked.tell(value, &g) {
                told.push(asked.best().1);
            }
            // Through a file and back.
            asked = AskedLbfgs::from_numbers(&asked.numbers(), options).unwrap();
        }
        assert_eq!((points, told), (seen, values), "n = {n}");
        assert_eq!((asked.best().0, asked.iterations()), (&found.x[..], found.iterations));
        assert_eq!(asked.converged(), found.converged);
    }
}

#[test]
fn numbers_that_are_no_search_are_refused() {
    let options = LbfgsOptions::default();
    let mut asked = AskedLbfgs::new(vec![1.0, 2.0], options);
    asked.tell(3.0, &[1.0, 0.5]);
    let good = asked.numbers();
    assert!(AskedLbfgs::from_numbers(&good, options).is_some());
    let none = LbfgsOptions { memory: 0, ..options };
    for (i, wrong) in [(0, 3.0), (0, -1.0), (2, 1e11), (3, 1.0), (4, 2.0), (5, 0.5), (0, f64::NAN)]
    {
        let mut bad = good.clone();
        bad[i] = wrong;
        assert!(AskedLbfgs::from_numbers(&bad, options).is_none(), "{i}: {wrong}");
        assert!(AskedLbfgs::from_numbers(&bad, none).is_none());
    }
    assert!(AskedLbfgs::from_numbers(&good[..5], options).is_none());
}
