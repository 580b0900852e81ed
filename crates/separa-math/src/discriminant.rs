//! The regularised linear discriminant: which direction tells two classes apart.
//!
//! Problem   max (wᵀδ)² / wᵀ(S + R)w  over w, with δ = m₁ − m₀ the difference of two class means, S a
//!           covariance (within the classes, or of all rows: the direction is the same) and R the ridge.
//! Returns   w = (S + R)⁻¹δ, not normalised.
//! Cost      d³/3 for the factor, d² for each direction; wide tables 2·n·d for each step of
//!           conjugate gradients.
//! See       Fisher (1936); Friedman (1989), Regularized discriminant analysis.

use crate::error::Result;
use crate::linalg::{Chol, dot, dot_lanes};
use crate::matrix::Dense;
use crate::moments::Moments;

/// What is added to the diagonal of a covariance, so that it has an inverse and noise does not decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ridge {
    /// This value on every entry: λ for standardised columns, or the mean variance for columns that
    /// share a unit.
    Constant(f64),
    /// As `Constant`, and where the matrix has no Cholesky factor (λ = 0, too few rows) the least of
    /// 1e-12, 1e-10, … of the mean variance that gives it one.
    AtLeast(f64),
    /// Each entry raised by this fraction of itself, 1 where it is not positive: knows no units.
    Relative(f64),
}

impl Ridge {
    /// One entry of the diagonal, with the ridge.
    pub fn raise(self, entry: f64) -> f64 {
        match self {
            Self::Constant(tau) | Self::AtLeast(tau) => entry + tau,
            Self::Relative(fraction) if entry > 0.0 => entry * (1.0 + fraction),
            Self::Relative(_) => 1.0,
        }
    }
}

/// The Cholesky factor of a covariance with its ridge.
pub fn factor(mut cov: Dense, ridge: Ridge) -> Result<Chol> {
    let Ridge::AtLeast(tau) = ridge else {
        (0..cov.rows()).for_each(|j| cov[(j, j)] = ridge.raise(cov[(j, j)]));
        return Chol::new(cov);
    };
    let d = cov.rows();
    let trace: f64 = (0..d).map(|i| cov[(i, i)]).sum();
    let unit = if trace > 0.0 { trace / d as f64 } else { 1.0 };
    let mut more = 0.0;
    loop {
        let mut raised = cov.clone();
        (0..d).for_each(|i| raised[(i, i)] += tau + more * unit);
        match Chol::new(raised) {
            Ok(chol) => return Ok(chol),
            Err(e) if more > 1e-3 => return Err(e),
            Err(_) => more = if more == 0.0 { 1e-12 } else { more * 100.0 },
        }
    }
}

/// (S + R)⁻¹(high − low) by the factor of S + R.
pub fn direction(factor: &Chol, low: &[f64], high: &[f64]) -> Vec<f64> {
    let mut w: Vec<f64> = high.iter().zip(low).map(|(a, b)| a - b).collect();
    factor.solve(&mut w);
    w
}

/// The covariance within classes, each with its fraction of the rows.
pub fn within(classes: &[&Moments]) -> Dense {
    let n: f64 = classes.iter().map(|m| m.n()).sum();
    let d = classes.first().map_or(0, |m| m.d());
    let mut out = Dense::zeros(d, d);
    for m in classes {
        let fraction = m.n() / n;
        out.data_mut().iter_mut().zip(m.covariance().data()).for_each(|(a, b)| *a += fraction * b);
    }
    out
}

/// As [`direction`] with the covariance within two classes and [`Ridge::Constant`], for fewer rows than
/// columns: conjugate gradients on the centred rows, without a d x d matrix. A direction off by a
/// percent is as valid, so few steps do.
pub fn wide_direction(mut classes: [Dense; 2], ridge: f64) -> Vec<f64> {
    const STEPS: usize = 30;
    const CLOSE: f64 = 1e-3;
    let d = classes[0].cols();
    let means = [&classes[0], &classes[1]].map(column_means);
    for (rows, mean) in classes.iter_mut().zip(&means) {
        for i in 0..rows.rows() {
            rows.row_mut(i).iter_mut().zip(mean).for_each(|(v, m)| *v -= m);
        }
    }
    let n = (classes[0].rows() + classes[1].rows()) as f64;
    let times = |v: &[f64]| -> Vec<f64> {
        let mut out: Vec<f64> = v.iter().map(|x| ridge * x).collect();
        for row in classes.iter().flat_map(|p| p.data().chunks_exact(d)) {
            let scale = dot_lanes(row, v) / n;
            out.iter_mut().zip(row).for_each(|(o, x)| *o += scale * x);
        }
        out
    };
    let mut r: Vec<f64> = means[1].iter().zip(&means[0]).map(|(a, b)| a - b).collect();
    let (mut w, mut p, mut rr) = (vec![0.0; d], r.clone(), dot(&r, &r));
    let enough = CLOSE * CLOSE * rr;
    for _ in 0..STEPS {
        if rr <= enough {
            break;
        }
        let ap = times(&p);
        let step = rr / dot(&p, &ap);
        w.iter_mut().zip(&p).for_each(|(x, y)| *x += step * y);
        r.iter_mut().zip(&ap).for_each(|(x, y)| *x -= step * y);
        let next = dot(&r, &r);
        p.iter_mut().zip(&r).for_each(|(x, y)| *x = y + next / rr * *x);
        rr = next;
    }
    w
}

fn column_means(x: &Dense) -> Vec<f64> {
    let mut mean = vec![0.0; x.cols()];
    (0..x.rows()).for_each(|i| mean.iter_mut().zip(x.row(i)).for_each(|(m, v)| *m += v));
    mean.iter_mut().for_each(|m| *m /= x.rows() as f64);
    mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{norm, times};
    use crate::matrix::pick;
    use crate::test_tables::normals;

    /// Two classes of rows, and their moments.
    fn classes(n: usize, d: usize) -> ([Dense; 2], [Moments; 2]) {
        let mut x = normals(n, d, 3);
        (0..n / 3).for_each(|i| x[(i, 0)] += 2.0);
        let parts = [(0..n / 3).collect::<Vec<_>>(), (n / 3..n).collect()].map(|i| pick(&x, &i));
        let moments = [&parts[0], &parts[1]].map(|p| Moments::of(p, None));
        (parts, moments)
    }

    #[test]
    fn the_direction_solves_its_equations() {
        let (_, [low, high]) = classes(90, 4);
        for ridge in [Ridge::Constant(0.3), Ridge::AtLeast(0.3), Ridge::Relative(0.2)] {
            let mut raised = within(&[&low, &high]);
            let w = direction(&factor(raised.clone(), ridge).unwrap(), low.mean(), high.mean());
            (0..4).for_each(|j| raised[(j, j)] = ridge.raise(raised[(j, j)]));
            for (j, v) in times(&raised, &w).into_iter().enumerate() {
                assert!((v - (high.mean()[j] - low.mean()[j])).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn conjugate_gradients_find_the_direction_of_the_factor() {
        let (parts, [low, high]) = classes(30, 60);
        let exact = direction(
            &factor(within(&[&low, &high]), Ridge::Constant(1.0)).unwrap(),
            low.mean(),
            high.mean(),
        );
        let found = wide_direction(parts, 1.0);
        // The residual is below a thousandth, and the smallest eigenvalue is the ridge.
        let gap: Vec<f64> = exact.iter().zip(&found).map(|(a, b)| a - b).collect();
        assert!(norm(&gap) < 5e-3 * norm(&exact));
    }

    #[test]
    fn a_singular_covariance_is_raised_just_enough() {
        let cov = Dense::from_vec(2, 2, vec![1.0, 1.0, 1.0, 1.0]).unwrap();
        assert!(factor(cov.clone(), Ridge::Constant(0.0)).is_err());
        assert!(factor(cov, Ridge::AtLeast(0.0)).is_ok());
        assert!(factor(Dense::zeros(2, 2), Ridge::Relative(0.1)).is_ok());
    }
}
