//! Machines whose answer is known.

use super::oracle::{libsvm, primal_value};
use super::*;
use crate::error::Error;

#[test]
fn two_points_meet_in_the_middle_or_stop_at_the_box() {
    for (a, b, c) in [(1.0, -1.0, 10.0), (3.0, 1.0, 10.0), (0.2, 0.1, 5.0)] {
        let x = Dense::from_vec(2, 1, vec![a, b]).unwrap();
        let k = product_nt(x.view(), x.view());
        let dual = Dual::classes(&[true, false], &[c, c]).unwrap();
        let found = solve(&k, &dual, None, &exact()).unwrap();
        let gap: f64 = a - b;
        let alpha = (2.0 / (gap * gap)).min(c);
        assert!(near(found.beta[0], alpha, 1e-12) && near(found.beta[1], -alpha, 1e-12));
        assert!(near(found.objective, 0.5 * (alpha * gap).powi(2) - 2.0 * alpha, 1e-12));
        // Where α < c the plane is in the middle.
        if alpha < c {
            assert!(near(found.b, -alpha * gap * (a + b) / 2.0, 1e-12), "{}", found.b);
        }
        assert!(found.gap.abs() < 1e-9, "{}", found.gap);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn values_and_biases_are_those_of_libsvm(
        n in 6usize..80, seed in 0u64..10_000, c in 0.05..20.0_f64, other in 0.05..20.0_f64
    ) {
        let cloud = Cloud::new(n, 3, 0.6, seed);
        let k = cloud.rbf(0.4);
        let weights: Vec<f64> = cloud.labels.iter().map(|l| if *l { c } else { other }).collect();
        let dual = Dual::classes(&cloud.labels, &weights).unwrap();
        let found = solve(&k, &dual, None, &exact()).unwrap();
        assert_sound(&k, &dual, &found);
        let (value, b) = libsvm(&k, &cloud.labels, [other, c]);
        prop_assert!(near(found.objective, value, 1e-5), "{} {value}", found.objective);
        let free = (0..n).any(|i| dual.low[i] < found.beta[i] && found.beta[i] < dual.high[i]
            && found.beta[i] != 0.0);
        // Without a free row the bias is not unique.
        prop_assert!(!free || (found.b - b).abs() < 1e-4, "{} {b}", found.b);
    }

    #[test]
    fn a_row_of_weight_two_counts_as_two_rows(n in 4usize..40, seed in 0u64..10_000) {
        let cloud = Cloud::new(n, 2, 0.5, seed);
        let twice: Vec<f64> = cloud.c.iter().map(|c| 2.0 * c).collect();
        let heavy = Dual::classes(&cloud.labels, &twice).unwrap();
        let one = solve(&cloud.rbf(0.7), &heavy, None, &exact()).unwrap();
        let rows: Vec<usize> = (0..n).chain(0..n).collect();
        let x = crate::matrix::pick(&cloud.x, &rows);
        let labels: Vec<bool> = rows.iter().map(|&i| cloud.labels[i]).collect();
        let c: Vec<f64> = rows.iter().map(|&i| cloud.c[i]).collect();
        let k = rbf(&x, 0.7);
        let dual = Dual::classes(&labels, &c).unwrap();
        let two = solve(&k, &dual, None, &exact()).unwrap();
        assert_sound(&k, &dual, &two);
        prop_assert!(one.converged && two.converged);
        prop_assert!(near(one.objective, two.objective, 1e-8));
        for i in 0..n {
            prop_assert!((one.scores[i] - two.scores[i]).abs() < 1e-6);
        }
    }

    #[test]
    fn a_bound_on_f_holds_and_its_pressure_is_the_slope_of_the_value(
        n in 6usize..40, seed in 0u64..10_000, bound in 1.0..1.6_f64
    ) {
        let cloud = Cloud::new(n, 3, 1.0, seed);
        let k = cloud.linear();
        let at = |bound: f64| {
            let dual = cloud.dual().bounded(bound).unwrap();
            let found = solve(&k, &dual, None, &exact()).unwrap();
            assert_sound(&k, &dual, &found);
            assert!(found.converged);
            found
        };
        let found = at(bound);
        let top = found.scores.iter().fold(0.0, |top: f64, s| top.max((s + found.b).abs()));
        prop_assert!(top <= bound + 1e-7, "{top} {bound}");
        let want = primal_value(&cloud.x, &cloud.dual().bounded(bound).unwrap());
        prop_assert!(near(-found.objective, want, 1e-6), "{} {want}", found.objective);
        // The value is convex in the bound: its slopes on both sides hold the pressure between them.
        let step = 1e-3;
        let (right, left) = (at(bound + step), at((bound - step).max(1.0)));
        let slope = |a: &SvmSolution, b: &SvmSolution, h: f64| (a.objective - b.objective) / h;
        prop_assert!(slope(&right, &found, step) <= found.pressure + 1e-4);
        if bound - step >= 1.0 {
            prop_assert!(slope(&found, &left, step) >= found.pressure - 1e-4);
        }
        // A bound that binds nowhere changes nothing.
        let free = solve(&k, &cloud.dual(), None, &exact()).unwrap();
        let far = at(1e6);
        prop_assert!(far.pressure == 0.0 && near(far.objective, free.objective, 1e-9));
    }
}

#[test]
fn tiny_weights_put_every_row_of_the_smaller_side_at_its_box() {
    let mut cloud = Cloud::new(60, 3, 0.5, 3);
    cloud.c.fill(1e-8);
    let found = solve(&cloud.rbf(0.5), &cloud.dual(), None, &exact()).unwrap();
    assert!(found.converged);
    let negative = cloud.labels.iter().filter(|l| !**l).count() as f64;
    let total: f64 = found.beta.iter().map(|v| v.abs()).sum();
    assert!(near(total / (2e-8 * negative), 1.0, 1e-9));
}

#[test]
fn huge_weights_find_the_hard_margin_where_there_is_one() {
    let mut cloud = Cloud::new(60, 2, 6.0, 4);
    cloud.c.fill(1e8);
    let k = cloud.linear();
    let found = solve(&k, &cloud.dual(), None, &exact()).unwrap();
    assert!(found.converged);
    assert_sound(&k, &cloud.dual(), &found);
    let sign = |l: bool| if l { 1.0 } else { -1.0 };
    let margins = (0..60).map(|i| sign(cloud.labels[i]) * (found.scores[i] + found.b));
    assert!((margins.fold(f64::INFINITY, f64::min) - 1.0).abs() < 1e-6);
}

#[test]
fn equal_rows_on_both_sides_are_no_trouble() {
    let n = 30;
    let k = Dense::from_vec(n, n, vec![1.0; n * n]).unwrap();
    let labels: Vec<bool> = (0..n).map(|i| i % 3 == 0).collect();
    let dual = Dual::classes(&labels, &vec![1.0; n]).unwrap();
    let found = solve(&k, &dual, None, &exact()).unwrap();
    assert!(found.converged);
    assert_sound(&k, &dual, &found);
    // w = 0 and the larger side is right: a loss of 2 for each of the ten others.
    assert!(near(found.objective, -20.0, 1e-12) && near(found.b, -1.0, 1e-12));
    let zero = Dense::zeros(n, n);
    let found = solve(&zero, &dual, None, &exact()).unwrap();
    assert!(found.converged && near(found.objective, -20.0, 1e-12));
}

#[test]
fn one_class_is_an_error_and_so_are_a_low_bound_and_wrong_lengths() {
    let one = Dual::classes(&[true; 4], &[1.0; 4]).unwrap_err();
    assert_eq!(one, Error::OneClass { rows: 4 });
    assert_eq!(
        one.to_string(),
        "all rows with a weight are on one side (4 rows), expected two classes"
    );
    let weightless = Dual::classes(&[true, false, true], &[1.0, 0.0, 1.0]).unwrap_err();
    assert_eq!(weightless, Error::OneClass { rows: 2 });
    assert_eq!(Dual::classes(&[], &[]).unwrap_err(), Error::OneClass { rows: 0 });
    let two = Dual::classes(&[true, false], &[1.0, 1.0]).unwrap();
    let low = two.clone().bounded(0.9).unwrap_err().to_string();
    assert_eq!(low, "the bound on |f| is 0.9, expected at least 1");
    assert!(Dual::classes(&[true, false], &[1.0]).is_err());
    assert!(solve(&Dense::zeros(3, 3), &two, None, &exact()).is_err());
}
