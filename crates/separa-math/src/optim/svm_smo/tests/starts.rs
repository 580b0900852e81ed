//! Warm starts.

use super::*;

fn from(solution: &SvmSolution) -> Start<'_> {
    Start { beta: &solution.beta, scores: Some(&solution.scores) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_numbers_are_repaired_and_lead_to_the_same_optimum(
        n in 4usize..60, seed in 0u64..10_000, bounded in any::<bool>()
    ) {
        let cloud = Cloud::new(n, 3, 0.6, seed);
        let k = cloud.rbf(0.5);
        let mut dual = cloud.dual();
        if bounded {
            dual = dual.bounded(1.2).unwrap();
        }
        let cold = solve(&k, &dual, None, &exact()).unwrap();
        let mut rng = Rng::new(seed, 13);
        let beta: Vec<f64> = (0..n).map(|_| 3.0 * rng.normal()).collect();
        let start = Start { beta: &beta, scores: None };
        // The start itself is feasible already.
        let first = solve(&k, &dual, Some(&start), &SvmOptions { max_steps: 0, ..exact() }).unwrap();
        assert_sound(&k, &dual, &first);
        let found = solve(&k, &dual, Some(&start), &exact()).unwrap();
        assert_sound(&k, &dual, &found);
        prop_assert!(found.converged && near(found.objective, cold.objective, 1e-8));
        // With its scores it is the same start.
        let scores = times(&k, &beta);
        let start = Start { beta: &beta, scores: Some(&scores) };
        let told = solve(&k, &dual, Some(&start), &exact()).unwrap();
        assert_sound(&k, &dual, &told);
        prop_assert!(near(told.objective, cold.objective, 1e-8));
    }

    #[test]
    fn the_solution_is_its_own_end(n in 4usize..60, seed in 0u64..10_000, bounded in any::<bool>()) {
        let cloud = Cloud::new(n, 3, 0.6, seed);
        let k = cloud.rbf(0.5);
        let mut dual = cloud.dual();
        if bounded {
            dual = dual.bounded(1.1).unwrap();
        }
        let cold = solve(&k, &dual, None, &exact()).unwrap();
        let again = solve(&k, &dual, Some(&from(&cold)), &exact()).unwrap();
        prop_assert!(again.steps == 0 && again.converged);
        prop_assert_eq!(again.beta, cold.beta);
    }
}

#[test]
fn after_a_few_labels_changed_the_last_solution_saves_most_steps() {
    let mut cloud = Cloud::new(600, 5, 0.9, 21);
    cloud.c.fill(0.25);
    let k = cloud.rbf(0.1);
    let options = SvmOptions { tol: 1e-6, ..SvmOptions::default() };
    let first = solve(&k, &cloud.dual(), None, &options).unwrap();
    let dual = Dual::classes(&cloud.flipped(100), &cloud.c).unwrap();
    let cold = solve(&k, &dual, None, &options).unwrap();
    let warm = solve(&k, &dual, Some(&from(&first)), &options).unwrap();
    assert_sound(&k, &dual, &warm);
    assert!(near(cold.objective, warm.objective, 1e-6));
    assert!(2 * warm.steps < cold.steps, "{} of {}", warm.steps, cold.steps);
}

#[test]
fn a_chain_of_label_changes_stays_exact() {
    let cloud = Cloud::new(150, 3, 0.5, 22);
    let k = cloud.rbf(0.5);
    let mut last = solve(&k, &cloud.dual(), None, &exact()).unwrap();
    for each in 2..30 {
        let dual = Dual::classes(&cloud.flipped(each), &cloud.c).unwrap();
        last = solve(&k, &dual, Some(&from(&last)), &exact()).unwrap();
        assert_sound(&k, &dual, &last);
        let cold = solve(&k, &dual, None, &exact()).unwrap();
        assert!(near(last.objective, cold.objective, 1e-8), "{each}");
        assert!(last.converged && (last.b - cold.b).abs() < 1e-5);
    }
}

#[test]
fn a_start_of_another_length_is_refused() {
    let cloud = Cloud::new(10, 2, 0.5, 23);
    let (k, dual) = (cloud.rbf(0.5), cloud.dual());
    let short = Start { beta: &[0.0; 9], scores: None };
    assert!(solve(&k, &dual, Some(&short), &exact()).is_err());
    let short = Start { beta: &[0.0; 10], scores: Some(&[0.0; 3]) };
    assert!(solve(&k, &dual, Some(&short), &exact()).is_err());
}
