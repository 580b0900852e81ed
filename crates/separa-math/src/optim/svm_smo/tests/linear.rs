//! One row at a time.

use super::*;
use crate::matrix::CsrRef;

fn passes() -> LinearOptions {
    LinearOptions { gap: 1e-8, max_passes: 20_000, seed: 3 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn passes_over_rows_end_where_pairs_of_the_gram_matrix_do(
        n in 4usize..80, d in 1usize..8, seed in 0u64..10_000, b in prop::option::of(1.2..3.0_f64)
    ) {
        let cloud = Cloud::new(n, d, 0.6, seed);
        let mut dual = cloud.dual();
        if let Some(b) = b {
            dual = dual.bounded(b).unwrap();
        }
        let k = cloud.linear();
        let pairs = solve(&k, &dual, None, &exact()).unwrap();
        let gap = 1e-6;
        let options = LinearOptions { gap, max_passes: 200, ..passes() };
        let rows = solve_linear(cloud.x.view().into(), &dual, None, &options).unwrap();
        prop_assert!(rows.solution.converged, "{:?}", rows.solution);
        let primal = rows.solution.gap - rows.solution.objective;
        prop_assert!(rows.solution.gap <= gap * primal);
        // Both are feasible, so they differ by their gaps at most.
        let apart = (rows.solution.objective - pairs.objective).abs();
        prop_assert!(apart <= gap * primal + pairs.gap.abs() + 1e-9, "{apart} {primal}");
        assert_feasible(&k, &dual, &rows.solution);
        // w is the plane of β.
        let scores = times(&cloud.x, &rows.w);
        let gap = scores.iter().zip(&rows.solution.scores).map(|(a, b)| (a - b).abs());
        prop_assert!(gap.fold(0.0, f64::max) < 1e-9);
    }
}

#[test]
fn a_gap_of_a_millionth_is_reached_where_more_rows_than_are_paired_move() {
    for (n, d) in [(500, 2), (3000, 5), (3000, 40)] {
        for (apart, bound) in [(0.3, None), (1.5, None), (0.3, Some(1.2)), (1.5, Some(1.5))] {
            let cloud = Cloud::new(n, d, apart, 5);
            let mut dual = cloud.dual();
            if let Some(bound) = bound {
                dual = dual.bounded(bound).unwrap();
            }
            let options = LinearOptions { gap: 1e-6, max_passes: 300, seed: 1 };
            let found = solve_linear(cloud.x.view().into(), &dual, None, &options).unwrap();
            let SvmSolution { gap, objective, steps, converged, .. } = found.solution;
            assert!(
                converged,
                "{n} x {d}, {apart}, {bound:?}: {} after {steps}",
                gap / (gap - objective)
            );
        }
    }
}

#[test]
fn sparse_rows_give_the_plane_of_dense_ones_and_any_start_leads_there() {
    let mut cloud = Cloud::new(400, 6, 0.8, 4);
    cloud.x.data_mut().iter_mut().filter(|v| v.abs() < 0.5).for_each(|v| *v = 0.0);
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..400 {
        let stored = cloud.x.row(i).iter().enumerate().filter(|(_, v)| **v != 0.0);
        stored.for_each(|(j, v)| {
            places.push(j as u32);
            values.push(*v);
        });
        starts.push(values.len());
    }
    let copy = CsrRef::new(6, &starts, &places, &values).unwrap();
    let dual = cloud.dual();
    let dense = solve_linear(cloud.x.view().into(), &dual, None, &passes()).unwrap();
    let sparse = solve_linear(copy.into(), &dual, None, &passes()).unwrap();
    assert!(near(dense.solution.objective, sparse.solution.objective, 1e-7));
    let start = Some((&dense.solution.beta[..], dense.solution.b));
    let again = solve_linear(cloud.x.view().into(), &dual, start, &passes()).unwrap();
    assert!(again.solution.steps == 0 && again.solution.converged);
    let dual = Dual::classes(&cloud.flipped(100), &cloud.c).unwrap();
    let cold = solve_linear(cloud.x.view().into(), &dual, None, &passes()).unwrap();
    let warm = solve_linear(cloud.x.view().into(), &dual, start, &passes()).unwrap();
    assert!(warm.solution.converged && cold.solution.converged);
    assert!(near(warm.solution.objective, cold.solution.objective, 1e-7));
}

#[test]
fn passes_that_are_used_up_leave_a_feasible_point_and_say_so() {
    let cloud = Cloud::new(200, 3, 0.5, 7);
    let dual = cloud.dual();
    let few = LinearOptions { max_passes: 10, gap: 0.0, ..passes() };
    let found = solve_linear(cloud.x.view().into(), &dual, None, &few).unwrap();
    assert!(!found.solution.converged && found.solution.steps == 10);
    assert_feasible(&cloud.linear(), &dual, &found.solution);
}
