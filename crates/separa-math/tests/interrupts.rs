//! Work ends at a check and nowhere else, and the work between two checks is bounded, whatever the size: counted in
//! multiply-adds.

use separa_math::distance::Metric;
use separa_math::interrupt::{self, Interrupt, carried, catch, check, ended};
use separa_math::kernel::mercer::Kernel;
use separa_math::kmeans::{KMeansData, Limits, Seeding};
use separa_math::linalg::{EigOptions, Precision, Which, eig_few};
use separa_math::matrix::Dense;
use separa_math::moments::Moments;
use separa_math::neighbours::Neighbours;
use separa_math::par;
use separa_math::rng::Rng;
use std::time::Instant;

/// About a twentieth of a second.
const MOST: u64 = 1 << 26;

fn normals(n: usize, d: usize) -> Dense {
    let mut rng = Rng::new(22, 0);
    Dense::from_vec(n, d, (0..n * d).map(|_| rng.normal()).collect()).unwrap()
}

/// Does the work on a pool of so many threads that carry the handle.
fn on<T: Send>(
    threads: usize,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let given = interrupt.clone();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| interrupt::carry(Some(given.clone())))
        .build()
        .unwrap();
    pool.install(|| catch(work))
}

fn often_enough(what: &str, multiply_adds: u64, work: impl FnOnce() + Send) {
    let handle = Interrupt::at_check(u64::MAX, 0);
    on(1, &handle, work).expect("nobody ends it");
    let made = handle.checks();
    assert!(made * MOST >= multiply_adds, "{what}: {made} checks in {multiply_adds} multiply-adds");
    assert!(made > 4, "{what}: {made} checks");
}

#[test]
fn long_steps_ask_often_enough_whether_to_end() {
    let (n, d) = (6000_u64, 40_u64);
    let x = normals(n as usize, d as usize);
    often_enough("neighbours", n * n * d / 2, || {
        drop(Neighbours::among(Metric::Euclidean, &x, 10))
    });
    let few = normals(700, d as usize);
    often_enough("nearest points", n * 700 * d, || {
        drop(Neighbours::between(Metric::Euclidean, &x, &few, 3));
    });
    let kernel = Kernel::Rbf { gamma: 0.01 };
    often_enough("a kernel matrix", n * n * d / 2, || {
        drop(kernel.symmetric(&x, Precision::Single))
    });
    often_enough("a panel", n * 700 * d, || drop(Metric::Euclidean.matrix(&x, &few)));
    often_enough("moments", n * d * d, || drop(Moments::of(&x, None)));
    let table = KMeansData::new(&x, None);
    let centers = table.seed(20, Seeding::Random, &mut Rng::new(1, 1));
    let limits = Limits { max_iter: 30, tol: 0.0 };
    often_enough("k-means", n * 20 * d * 30, || {
        drop(table.lloyd(centers.clone(), limits, &mut |_, _, _| false));
    });
    let gram = kernel.symmetric(&x, Precision::Double);
    let options = EigOptions::default();
    often_enough("a few eigenvectors", n * n * 8, || {
        drop(eig_few(&gram, 3, Which::Largest, &options));
    });
}

#[test]
fn loops_over_chunks_end_at_the_check_and_not_before() {
    let n = 10 * par::CHUNK;
    let sum = || {
        let mut sum = 0;
        par::fold_chunks(n, |range| range.len(), |part| sum += part);
        sum
    };
    for threads in [1, 3] {
        assert_eq!(on(threads, &Interrupt::at_check(11, 0), sum), Some(n));
        let ended = Interrupt::at_check(4, 0);
        assert_eq!(on(threads, &ended, sum), None);
        assert!(ended.ended() && ended.checks() >= 4 && ended.checks() < 4 + threads as u64);
    }
    let mut out = vec![0_u8; n];
    assert!(
        on(2, &Interrupt::at_check(4, 0), || par::fill_chunks(&mut out, 1, |_, _| ())).is_none()
    );
}

#[test]
fn grace_lets_short_work_finish_and_is_given_again_to_what_follows() {
    let ten = || (0..10).for_each(|_| check());
    assert!(on(1, &Interrupt::at_check(3, 20), ten).is_some());
    let both = || {
        let first = catch(|| (0..30).for_each(|_| check()));
        (first.is_none(), catch(ten).is_some())
    };
    assert_eq!(on(1, &Interrupt::at_check(3, 20), both), Some((true, true)));
}

#[test]
fn without_a_handle_nothing_ends_and_panics_are_passed_on() {
    check();
    assert!(!ended() && carried().is_none());
    let panicked = std::panic::catch_unwind(|| catch(|| panic!("a bug")));
    assert!(panicked.is_err());
}

#[test]
fn time_is_up_for_work_that_goes_on() {
    let interrupt = Interrupt::default();
    interrupt.end();
    let began = Instant::now();
    let endless = || {
        loop {
            check();
        }
    };
    assert!(on::<()>(1, &interrupt, endless).is_none());
    // It had its part of a second before.
    assert!(began.elapsed().as_millis() >= 250);
}
