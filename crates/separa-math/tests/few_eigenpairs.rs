//! The eigen room against the full decomposition, on spectra where few-pair solvers fail.

use separa_math::linalg::{
    EigOptions, Eigs, Precision, Projected, SparseSym, Squared, SymMatrix, SymOp, Which, dot,
    eig_few, norm, orthonormalise, product, product_nt, sym_eig, times,
};
use separa_math::matrix::Dense;
use separa_math::rng::Rng;

const ENDS: [Which; 3] = [Which::Largest, Which::Smallest, Which::LargestMagnitude];

fn tight() -> EigOptions {
    EigOptions { tol: 1e-12, ..EigOptions::default() }
}

fn random(rows: usize, cols: usize, seed: u64) -> Dense {
    let mut rng = Rng::new(seed, 3);
    Dense::from_vec(rows, cols, (0..rows * cols).map(|_| rng.normal()).collect()).unwrap()
}

fn symmetric(n: usize, seed: u64) -> Dense {
    let mut a = random(n, n, seed);
    (0..n).for_each(|i| (0..i).for_each(|j| a[(j, i)] = a[(i, j)]));
    a
}

/// A matrix with the given eigenvalues.
fn with_spectrum(values: &[f64], seed: u64) -> Dense {
    let n = values.len();
    let mut basis = random(n, n, seed);
    orthonormalise(&mut basis);
    let mut scaled = basis.clone();
    (0..n).for_each(|i| scaled.row_mut(i).iter_mut().for_each(|v| *v *= values[i]));
    let mut a = product(basis.transposed().view(), scaled.view());
    (0..n).for_each(|i| (0..i).for_each(|j| a[(j, i)] = a[(i, j)]));
    a
}

fn ranked(mut values: Vec<f64>, which: Which) -> Vec<f64> {
    let rank = |v: f64| match which {
        Which::Largest => v,
        Which::Smallest => -v,
        Which::LargestMagnitude => v.abs(),
    };
    values.sort_by(|a, b| rank(*b).total_cmp(&rank(*a)));
    values
}

/// Residuals, orthonormality, order: what any answer must satisfy.
fn assert_sound(op: &dyn SymOp, got: &Eigs, scale: f64, bar: f64) {
    assert!(got.converged);
    for i in 0..got.values.len() {
        let v = got.vectors.row(i);
        let mut image = vec![0.0; op.dim()];
        op.apply(v, &mut image);
        image.iter_mut().zip(v).for_each(|(a, v)| *a -= got.values[i] * v);
        assert!(norm(&image) <= bar * scale, "pair {i}: residual {}", norm(&image));
        for j in 0..=i {
            let want = if i == j { 1.0 } else { 0.0 };
            let gap = (dot(v, got.vectors.row(j)) - want).abs();
            assert!(gap < 1e-12 * (op.dim() as f64 + 1.0).sqrt(), "rows {i} {j}: {gap}");
        }
    }
}

fn assert_values(got: &[f64], want: &[f64], bar: f64) {
    assert_eq!(got.len(), want.len());
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= bar, "value {i}: {g} for {w}\n{got:?}\n{want:?}");
    }
}

#[test]
fn pairs_equal_the_full_decomposition_for_every_size_from_0_to_64_and_beyond() {
    for n in (0..=64).chain([96, 97, 130, 300]) {
        let a = symmetric(n, n as u64);
        let full = sym_eig(&a).unwrap();
        let scale = full.values.iter().fold(0.0f64, |s, v| s.max(v.abs()));
        for which in ENDS {
            for k in [0, 1, 4, n / 2, n, n + 3] {
                let got = eig_few(&a, k, which, &tight()).unwrap();
                assert_sound(&a, &got, scale, 1e-11);
                let all = ranked(full.values.clone(), which);
                assert_values(&got.values, &all[..k.min(n)], 1e-11 * scale);
                assert_eq!((got.vectors.rows(), got.residuals.len()), (k.min(n), k.min(n)));
            }
        }
    }
}

#[test]
fn largest_magnitude_picks_negative_eigenvalues() {
    let mut values: Vec<f64> = (0..250).map(|i| f64::from(i) / 100.0).collect();
    values.extend([-9.0, 5.0, -4.0]);
    let a = with_spectrum(&values, 1);
    let got = eig_few(&a, 3, Which::LargestMagnitude, &tight()).unwrap();
    assert_values(&got.values, &[-9.0, 5.0, -4.0], 1e-10);
}

#[test]
fn identity_zero_and_rank_one_end_with_exact_answers() {
    for n in [1, 2, 3, 50, 150, 400] {
        for k in [1, 2, 7, 30] {
            let k = k.min(n);
            for which in ENDS {
                let identity = eig_few(&Dense::identity(n), k, which, &tight()).unwrap();
                assert_sound(&Dense::identity(n), &identity, 1.0, 1e-12);
                assert_values(&identity.values, &vec![1.0; k], 1e-13);
                let zero = eig_few(&Dense::zeros(n, n), k, which, &tight()).unwrap();
                assert_sound(&Dense::zeros(n, n), &zero, 1.0, 1e-300);
                assert_values(&zero.values, &vec![0.0; k], 0.0);
                let u = random(1, n, 8);
                let one = product(u.transposed().view(), u.view());
                let scale = dot(u.row(0), u.row(0));
                let got = eig_few(&one, k, which, &tight()).unwrap();
                assert_sound(&one, &got, scale, 1e-11);
                let mut all = vec![0.0; n];
                all[0] = scale;
                assert_values(&got.values, &ranked(all, which)[..k], 1e-11 * scale);
            }
        }
    }
}

/// A graph whose parts are cycles with chords: (matrix of the Laplacian, number of parts).
fn laplacian(sizes: &[usize], chords: usize) -> SparseSym {
    let mut rng = Rng::new(4, 0);
    let (mut edges, mut start) = (Vec::new(), 0u32);
    let mut join = |i: u32, j: u32| {
        if i != j {
            edges.extend([(i, j, -1.0), (i, i, 1.0), (j, j, 1.0)]);
        }
    };
    for &size in sizes {
        for i in 0..size {
            join(start + i as u32, start + ((i + 1) % size) as u32);
            (0..chords).for_each(|_| join(start + i as u32, start + rng.below(size) as u32));
        }
        start += size as u32;
    }
    SparseSym::from_edges(start as usize, &edges).unwrap()
}

fn explicit(op: &dyn SymOp) -> Dense {
    let n = op.dim();
    let mut a = Dense::zeros(n, n);
    op.apply_rows(Dense::identity(n).data(), a.data_mut());
    a
}

fn assert_all_zeros_found(sizes: &[usize], chords: usize, k: usize) {
    let graph = laplacian(sizes, chords);
    let full = sym_eig(&explicit(&graph)).unwrap().values;
    let scale = full[full.len() - 1];
    for seed in 0..5 {
        let options = EigOptions { seed, ..EigOptions::default() };
        let got = eig_few(&graph, k, Which::Smallest, &options).unwrap();
        assert_sound(&graph, &got, scale, 1e-9);
        let zeros = got.values.iter().filter(|v| v.abs() < 1e-8).count();
        assert_eq!(zeros, sizes.len());
        assert_values(&got.values, &full[..k], 1e-9 * scale);
    }
}

#[test]
fn all_nine_components_of_different_sizes_are_found() {
    assert_all_zeros_found(&[5, 9, 14, 20, 33, 40, 51, 60, 70], 2, 12);
}

#[test]
fn all_twenty_five_components_of_a_neighbour_graph_are_found() {
    assert_all_zeros_found(&[24; 25], 4, 30);
    let mixed: Vec<usize> = (0..25).map(|i| 12 + i).collect();
    assert_all_zeros_found(&mixed, 3, 30);
}

#[test]
fn every_copy_is_found_whatever_the_block() {
    let mut values: Vec<f64> = (0..300).map(|i| f64::from(i) / 400.0).collect();
    values.extend([1.0; 11]);
    values.extend([0.9; 6]);
    values.push(0.8);
    let a = with_spectrum(&values, 2);
    let want = ranked(values, Which::Largest);
    for block in [1, 2, 3, 4, 7] {
        for k in [3, 11, 13, 18, 20] {
            let got = eig_few(&a, k, Which::Largest, &EigOptions { block, ..tight() }).unwrap();
            assert_sound(&a, &got, 1.0, 1e-11);
            assert_values(&got.values, &want[..k], 1e-11);
        }
    }
}

#[test]
fn a_block_affinity_has_one_eigenvalue_a_block() {
    // Blocks of ones, as an affinity with perfectly separated groups: n_b once, else 0.
    let sizes = [40, 40, 40, 40, 40, 40, 25, 25, 10];
    let n: usize = sizes.iter().sum();
    let mut a = Dense::zeros(n, n);
    let mut start = 0;
    for size in sizes {
        (start..start + size).for_each(|i| a.row_mut(i)[start..start + size].fill(1.0));
        start += size;
    }
    let got = eig_few(&a, 12, Which::Largest, &tight()).unwrap();
    assert_sound(&a, &got, 40.0, 1e-11);
    let want = [40., 40., 40., 40., 40., 40., 25., 25., 10., 0., 0., 0.];
    assert_values(&got.values, &want, 1e-10);
}

#[test]
fn a_clustered_spectrum_is_resolved_to_the_tolerance() {
    let mut values: Vec<f64> = (0..290).map(|i| 0.5 * (f64::from(i) / 290.0)).collect();
    values.extend((0..10).map(|i| 1.0 - 1e-9 * f64::from(i)));
    let a = with_spectrum(&values, 5);
    let want = ranked(values, Which::Largest);
    for k in [2, 5, 10, 12] {
        let got = eig_few(&a, k, Which::Largest, &EigOptions::default()).unwrap();
        assert_sound(&a, &got, 1.0, 2e-10);
        // A residual r means an eigenvalue within r; within the cluster any is right to its width.
        assert_values(&got.values, &want[..k], 1e-8);
    }
}

#[test]
fn answers_have_the_same_bits_on_any_number_of_threads() {
    let dense = SymMatrix::from_dense(&symmetric(1500, 6), Precision::Double);
    let graph = laplacian(&[700, 400, 1500], 5);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let options = EigOptions { tol: 1e-6, ..EigOptions::default() };
            let a = eig_few(&dense, 3, Which::LargestMagnitude, &options).unwrap();
            let b = eig_few(&graph, 5, Which::Largest, &options).unwrap();
            (a, b)
        })
    };
    let one = run(1);
    assert!(one.0.converged && one.1.converged);
    assert!([2, 4].into_iter().all(|t| run(t) == one));
}

#[test]
fn single_storage_is_close_to_double() {
    let points = random(600, 3, 7);
    let mut a = Dense::zeros(600, 600);
    for i in 0..600 {
        for j in 0..600 {
            let gap = points.row(i).iter().zip(points.row(j)).map(|(x, y)| (x - y) * (x - y));
            a[(i, j)] = gap.sum::<f64>().sqrt();
        }
    }
    let [single, double] = [Precision::Single, Precision::Double].map(|precision| {
        let op = SymMatrix::from_dense(&a, precision);
        let got = eig_few(&op, 2, Which::LargestMagnitude, &tight()).unwrap();
        assert_sound(&op, &got, got.values[0].abs(), 1e-11);
        got
    });
    let full = ranked(sym_eig(&a).unwrap().values, Which::LargestMagnitude);
    assert_values(&double.values, &full[..2], 1e-10 * full[0]);
    // Entries are rounded by 6e-8 of their size.
    assert_values(&single.values, &double.values, 1e-7 * full[0]);
    let cosine = dot(single.vectors.row(1), double.vectors.row(1)).abs();
    assert!(1.0 - cosine < 1e-10, "{cosine}");
}

/// Rows: an orthonormal basis of what is orthogonal to `c`.
fn null_space(c: &Dense) -> Dense {
    let (q, n) = (c.rows(), c.cols());
    let mut rows = c.data().to_vec();
    rows.extend_from_slice(random(n - q, n, 12).data());
    let mut all = Dense::from_vec(n, n, rows).unwrap();
    (0..2).for_each(|_| orthonormalise(&mut all));
    Dense::from_vec(n - q, n, all.data()[q * n..].to_vec()).unwrap()
}

#[test]
fn projected_equals_the_explicit_null_space() {
    for (n, q) in [(3, 1), (10, 2), (90, 3), (97, 1), (240, 1), (240, 3)] {
        let a = symmetric(n, 20);
        let c = random(q, n, 21);
        let basis = null_space(&c);
        for squared in [false, true] {
            let square = Squared(&a);
            let inner: &dyn SymOp = if squared { &square } else { &a };
            let middle = product(basis.view(), explicit(inner).view());
            let full = sym_eig(&product_nt(middle.view(), basis.view())).unwrap();
            let scale = full.values.iter().fold(0.0f64, |s, v| s.max(v.abs()));
            let projected = Projected::new(inner, &c);
            for which in ENDS {
                let k = 3.min(n - q);
                let got = eig_few(&projected, k, which, &tight()).unwrap();
                assert_sound(&projected, &got, scale, 1e-11);
                let want = ranked(full.values.clone(), which);
                assert_values(&got.values, &want[..k], 1e-10 * scale);
                for i in 0..k {
                    let v = got.vectors.row(i);
                    (0..q).for_each(|j| assert!(dot(c.row(j), v).abs() < 1e-10));
                    let at = full.values.iter().position(|w| *w == want[i]).unwrap();
                    let explicit = times(&basis.transposed(), full.vectors.row(at));
                    assert!((dot(&explicit, v).abs() - 1.0).abs() < 1e-10, "{n} {q} {which:?} {i}");
                }
            }
        }
    }
}

#[test]
fn excluded_vectors_do_not_stand_in_for_a_zero_eigenvalue() {
    // Negative definite beside c: the largest eigenvalue outside c is -1, though P A P has 0 at c.
    for n in [60, 200] {
        let values: Vec<f64> = (0..n).map(|i| -1.0 - f64::from(i)).collect();
        let a = with_spectrum(&values, 9);
        let c = random(2, n as usize, 10);
        let got = eig_few(&Projected::new(&a, &c), 2, Which::Largest, &tight()).unwrap();
        assert!(got.values.iter().all(|v| *v < -0.9), "{:?}", got.values);
    }
}

#[test]
fn used_up_products_return_the_best_at_hand() {
    let a = symmetric(400, 3);
    let options = EigOptions { max_products: 30, ..tight() };
    let got = eig_few(&a, 3, Which::Largest, &options).unwrap();
    assert!(!got.converged && got.values.len() == 3);
    assert!(got.products <= 30 + 3, "{}", got.products);
    let top = sym_eig(&a).unwrap().values[399];
    assert!(got.values[0] > 0.8 * top && got.values[0] <= top * (1.0 + 1e-12));
}
