use super::*;
use crate::gauss::unpack;
use crate::linalg::{product_nt, quadratic, sym_eig, times};
use crate::rng::Rng;
use proptest::prelude::*;

fn random(m: usize, d: usize, shape: Shape, seed: u64) -> Gaussians {
    let mut rng = Rng::new(seed, 0);
    let mut g = Gaussians {
        shape,
        weights: (0..m).map(|_| 0.1 + rng.uniform()).collect(),
        means: Dense::from_vec(m, d, (0..m * d).map(|_| rng.normal()).collect()).unwrap(),
        covs: Dense::zeros(m, shape.len(d)),
    };
    for k in 0..m {
        let b =
            Dense::from_vec(d, d + 2, (0..d * (d + 2)).map(|_| rng.normal()).collect()).unwrap();
        let cov = product_nt(b.view(), b.view());
        for i in 0..d {
            match shape {
                Shape::Diag => g.covs[(k, i)] = 0.2 + cov[(i, i)],
                Shape::Full => (0..=i).for_each(|j| {
                    g.covs[(k, i * (i + 1) / 2 + j)] = cov[(i, j)] + if i == j { 0.2 } else { 0.0 };
                }),
            }
        }
    }
    g
}

fn covariance(g: &Gaussians, k: usize) -> Dense {
    match g.shape {
        Shape::Full => unpack(g.covs.row(k), g.d()),
        Shape::Diag => {
            let mut out = Dense::zeros(g.d(), g.d());
            (0..g.d()).for_each(|j| out[(j, j)] = g.covs[(k, j)]);
            out
        }
    }
}

fn inverse(a: &Dense) -> Dense {
    let chol = Chol::new(a.clone()).unwrap();
    let mut out = Dense::identity(a.rows());
    chol.solve_rows(&mut out);
    out
}

fn determinant(a: &Dense) -> f64 {
    let chol = Chol::new(a.clone()).unwrap();
    (0..a.rows()).map(|i| chol.row(i)[i].powi(2)).product()
}

/// P·N(z; μ, Σ) by its definition.
fn density(g: &Gaussians, k: usize, z: &[f64]) -> f64 {
    let cov = covariance(g, k);
    let gap: Vec<f64> = z.iter().zip(g.means.row(k)).map(|(a, b)| a - b).collect();
    let norm = (2.0 * PI).powf(-0.5 * z.len() as f64) / determinant(&cov).sqrt();
    g.weights[k] * norm * (-0.5 * quadratic(&inverse(&cov), &gap)).exp()
}

/// ∫ p_k^ρ p_l^ρ by the trapezoidal rule, which converges geometrically here.
fn integrated(g: &Gaussians, k: usize, l: usize, rho: f64) -> f64 {
    let (reach, step) = (60.0, if g.d() == 1 { 0.01 } else { 0.3 });
    let ticks = (2.0 * reach / step) as i64;
    let at = |i: i64| -reach + step * i as f64;
    let value = |z: &[f64]| (density(g, k, z) * density(g, l, z)).powf(rho);
    match g.d() {
        1 => (0..=ticks).map(|i| value(&[at(i)]) * step).sum(),
        _ => (0..=ticks)
            .map(|i| (0..=ticks).map(|j| value(&[at(i), at(j)]) * step * step).sum::<f64>())
            .sum(),
    }
}

#[test]
fn equation_8_is_the_integral_in_one_and_two_dimensions_for_any_rho() {
    for (d, shape) in [(1, Shape::Diag), (1, Shape::Full), (2, Shape::Diag), (2, Shape::Full)] {
        let g = random(2, d, shape, 5 + d as u64);
        for rho in [0.5, 1.0, 1.7] {
            let found = LogGram::new(&g, rho).unwrap().logs[(1, 0)].exp();
            let want = integrated(&g, 0, 1, rho);
            assert!((found / want - 1.0).abs() < 1e-6, "d {d} rho {rho}: {found} {want}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    /// Equation (9) term by term, with Σ̃⁻¹ the name of (Σk⁻¹ + Σl⁻¹)⁻¹.
    #[test]
    fn equation_9_as_printed_is_the_kernel_at_rho_1(d in 1usize..6, seed in 0u64..500) {
        let g = random(2, d, Shape::Full, seed);
        let (a, b) = (covariance(&g, 0), covariance(&g, 1));
        let (ia, ib) = (inverse(&a), inverse(&b));
        let mut sum = ia.clone();
        sum.data_mut().iter_mut().zip(ib.data()).for_each(|(x, y)| *x += y);
        let tilde = inverse(&sum);
        let mut mean = times(&ia, g.means.row(0));
        mean.iter_mut().zip(times(&ib, g.means.row(1))).for_each(|(x, y)| *x += y);
        let exponent = quadratic(&ia, g.means.row(0)) + quadratic(&ib, g.means.row(1))
            - quadratic(&tilde, &mean);
        let want = g.weights[0] * g.weights[1] * (2.0 * PI).powf(-0.5 * d as f64)
            * (determinant(&tilde) / (determinant(&a) * determinant(&b))).sqrt()
            * (-0.5 * exponent).exp();
        let found = LogGram::new(&g, 1.0).unwrap().logs[(0, 1)].exp();
        prop_assert!((found / want - 1.0).abs() < 1e-9, "{} {}", found, want);
    }

    /// Equation (10): the closed form of the diagonal case.
    #[test]
    fn equation_10_is_the_kernel_of_diagonal_covariances(d in 1usize..8, seed in 0u64..500) {
        let g = random(2, d, Shape::Diag, seed);
        let mut want = g.weights[0] * g.weights[1];
        for j in 0..d {
            let s = g.covs[(0, j)] + g.covs[(1, j)];
            let gap = g.means[(0, j)] - g.means[(1, j)];
            want *= (-0.5 * gap * gap / s).exp() / (2.0 * PI * s).sqrt();
        }
        let found = LogGram::new(&g, 1.0).unwrap().logs[(1, 0)].exp();
        prop_assert!((found / want - 1.0).abs() < 1e-11);
    }

    #[test]
    fn normalised_kernels_have_ones_on_the_diagonal_and_no_negative_eigenvalue(
        m in 1usize..9, d in 1usize..6, seed in 0u64..500, full: bool, rho in 0.4f64..2.0,
    ) {
        let shape = if full { Shape::Full } else { Shape::Diag };
        let logs = LogGram::new(&random(m, d, shape, seed), rho).unwrap();
        for form in [
            Form::Rbf { gamma: 1.0 },
            Form::Poly { gamma: 1.0, degree: 3, coef0: 1.0 },
            Form::RbfLiteral { gamma: 0.7 },
            Form::Linear { top: 0.0 },
        ] {
            let gram = logs.gram(form);
            if let Form::Rbf { .. } | Form::RbfLiteral { .. } = form {
                (0..m).for_each(|k| assert!((gram[(k, k)] - 1.0).abs() < 1e-12));
            }
            let eig = sym_eig(&gram).unwrap();
            prop_assert!(eig.values[0] > -1e-10 * eig.values[m - 1].abs(), "{form:?} {:?}", eig.values);
        }
    }
}

#[test]
fn full_covariances_that_are_diagonal_give_the_diagonal_kernel() {
    let diag = random(5, 4, Shape::Diag, 2);
    let mut full = Gaussians { shape: Shape::Full, covs: Dense::zeros(5, 10), ..diag.clone() };
    for k in 0..5 {
        (0..4).for_each(|j| full.covs[(k, Shape::Full.diagonal(j))] = diag.covs[(k, j)]);
    }
    for rho in [0.5, 1.0] {
        let (a, b) = (LogGram::new(&diag, rho).unwrap(), LogGram::new(&full, rho).unwrap());
        assert!(a.logs.data().iter().zip(b.logs.data()).all(|(x, y)| (x - y).abs() < 1e-11));
    }
}

#[test]
fn equation_11_is_the_density_of_each_cluster_at_the_point() {
    for shape in [Shape::Diag, Shape::Full] {
        let g = random(4, 3, shape, 8);
        let z = [0.3, -0.7, 1.1];
        let mut row = vec![0.0; 4];
        Against::new(&g, None, 1.0).unwrap().log_row(&z, &mut row, &mut [0.0; 3]);
        for (k, v) in row.iter().enumerate() {
            assert!((v - density(&g, k, &z).ln()).abs() < 1e-12);
        }
    }
}

#[test]
fn a_point_with_a_covariance_is_a_gaussian_of_weight_one() {
    for (shape, rho) in [(Shape::Diag, 0.5), (Shape::Full, 1.0), (Shape::Full, 1.5)] {
        let mut g = random(4, 3, shape, 8);
        g.weights[3] = 1.0;
        let logs = LogGram::new(&g, rho).unwrap();
        let points = Against::new(&g.pick(&[0, 1, 2]), Some(g.covs.row(3)), rho).unwrap();
        let mut row = vec![0.0; 3];
        points.log_row(g.means.row(3), &mut row, &mut [0.0; 3]);
        (0..3).for_each(|k| assert!((row[k] - logs.logs[(3, k)]).abs() < 1e-12));
        assert!((points.own() - logs.logs[(3, 3)]).abs() < 1e-12);
    }
}

#[test]
fn logarithms_are_finite_at_d_2000_where_values_are_not() {
    let g = random(3, 2000, Shape::Diag, 1);
    let logs = LogGram::new(&g, 1.0).unwrap();
    assert!(logs.logs.data().iter().all(|v| v.is_finite()));
    assert_eq!(logs.logs[(0, 1)].exp(), 0.0);
    let gamma = logs.median_gamma(false);
    let gram = logs.gram(Form::Rbf { gamma });
    assert!(gram[(0, 1)] > 0.1 && gram[(0, 1)] < 0.9, "{}", gram[(0, 1)]);
    let top = logs.own().into_iter().fold(f64::NEG_INFINITY, f64::max);
    assert!(logs.gram(Form::Linear { top }).data().iter().all(|v| v.is_finite()));
}

#[test]
fn tanh_and_poly_are_functions_of_the_normalised_kernel() {
    let logs = LogGram::new(&random(3, 2, Shape::Diag, 6), 1.0).unwrap();
    let plain = logs.gram(Form::Rbf { gamma: 1.0 });
    let tanh = logs.gram(Form::Tanh { gamma: 2.0, coef0: -0.5 });
    let poly = logs.gram(Form::Poly { gamma: 2.0, degree: 2, coef0: 0.5 });
    for (k, v) in plain.data().iter().enumerate() {
        assert!((tanh.data()[k] - (2.0 * v - 0.5).tanh()).abs() < 1e-15);
        assert!((poly.data()[k] - (2.0 * v + 0.5).powi(2)).abs() < 1e-14);
    }
}
