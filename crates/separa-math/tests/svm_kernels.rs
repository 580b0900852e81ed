//! The SVM dual over kernels whose rows are made on demand.

use separa_math::kernel::gram_rows::GramRows;
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::Precision;
use separa_math::matrix::Dense;
use separa_math::optim::svm_smo::{Dual, SvmOptions, solve};
use separa_math::rng::Rng;

fn clouds(n: usize, d: usize) -> (Dense, Dual) {
    let mut rng = Rng::new(5, 0);
    let mut x = Dense::zeros(n, d);
    for i in 0..n {
        (0..d).for_each(|j| x[(i, j)] = rng.normal());
        x[(i, 0)] += if i % 2 == 0 { 0.6 } else { -0.6 };
    }
    let labels: Vec<bool> = (0..n).map(|i| i % 2 == 0).collect();
    (x, Dual::classes(&labels, &vec![1.0; n]).unwrap())
}

#[test]
fn answers_are_equal_bit_for_bit_at_any_number_of_threads() {
    // Rows long enough for several threads.
    let (x, dual) = clouds(700, 400);
    let made = GramRows::new(Kernel::Rbf { gamma: 1e-3 }, &x);
    let [one, many] = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&made, &dual, None, &SvmOptions::default()).unwrap())
    });
    assert_eq!(one, many);
    assert!(one.converged && one.steps > 100);
}

#[test]
fn stored_packed_and_made_kernels_have_one_answer_in_any_memory() {
    let (x, dual) = clouds(400, 4);
    for kernel in [Kernel::Rbf { gamma: 0.3 }, Kernel::Laplacian { gamma: 0.2 }, Kernel::Linear] {
        let fine = SvmOptions { tol: 1e-7, shrink_every: 100, ..SvmOptions::default() };
        let want = solve(&kernel.matrix(&x, &x), &dual, None, &fine).unwrap();
        assert!(want.converged && want.gap < 1e-4, "{kernel:?}: {}", want.gap);
        let packed = kernel.symmetric(&x, Precision::Double);
        let made = GramRows::new(kernel, &x);
        for cache_bytes in [0, 50_000, 10_000_000] {
            let options = SvmOptions { cache_bytes, ..fine };
            assert_eq!(solve(&packed, &dual, None, &options).unwrap(), want, "{kernel:?}");
            assert_eq!(solve(&made, &dual, None, &options).unwrap(), want, "{kernel:?}");
        }
    }
}
