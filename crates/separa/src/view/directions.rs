//! Directions that show most: Fisher's discriminants, and the main direction of what others leave.
//!
//! The covariance within clusters is raised a little by its diagonal, so that discriminants exist for more columns
//! than rows and know no units.

use super::group_means;
use crate::error::Result;
use separa_math::discriminant::{Ridge, factor};
use separa_math::linalg::{dot, fix_sign, norm, sym_eig};
use separa_math::matrix::{Dense, project};
use separa_math::moments::Moments;
use separa_math::rng::Rng;

/// Up to this width the columns' correlations count for discriminants.
const FULL: usize = 256;
/// What the covariance within clusters is raised by.
const RIDGE: Ridge = Ridge::Relative(0.1);
/// A direction that explains less than this fraction of the first one shows rounding.
const NOTHING: f64 = 1e-9;
const ROUNDS: usize = 50;

/// The scores along the two directions that separate clusters best, as many as there are.
pub fn discriminants(z: &Dense, labels: &[i32], k: usize) -> Result<Vec<Vec<f64>>> {
    let (mut means, counts) = group_means(z, labels, k);
    let (n, d): (f64, usize) = (counts.iter().sum(), z.cols());
    if k < 2 || n == 0.0 || d == 0 {
        return Ok(Vec::new());
    }
    let mut within = Within::of(z, labels, &means);
    let middle: Vec<f64> =
        (0..d).map(|j| (0..k).map(|c| counts[c] * means[(c, j)]).sum::<f64>() / n).collect();
    for c in 0..k {
        let weight = (counts[c] / n).sqrt();
        means.row_mut(c).iter_mut().zip(&middle).for_each(|(m, all)| *m = weight * (*m - all));
    }
    // B w = λ W w with B = MᵀM is solved by w = W⁻¹Mᵀu for (M W⁻¹ Mᵀ) u = λ u: k x k instead of d x d.
    let mut solved = means.clone();
    within.solve_rows(&mut solved)?;
    let mut small = Dense::zeros(k, k);
    for a in 0..k {
        for b in 0..=a {
            let v = dot(means.row(a), solved.row(b));
            (small[(a, b)], small[(b, a)]) = (v, v);
        }
    }
    let eig = sym_eig(&small)?;
    let mut order: Vec<usize> = (0..k).collect();
    order.sort_by(|a, b| eig.values[*b].total_cmp(&eig.values[*a]));
    let first = eig.values[order[0]];
    let mut found = Vec::new();
    for &e in order.iter().take(2) {
        if first <= 0.0 || eig.values[e] <= NOTHING * first {
            break;
        }
        let mut w = vec![0.0; d];
        for c in 0..k {
            let u = eig.vectors[(e, c)];
            w.iter_mut().zip(solved.row(c)).for_each(|(w, s)| *w += u * s);
        }
        fix_sign(&mut w);
        let w = Dense::from_vec(1, d, w).expect("one weight a column");
        found.push(project(z, w.view(), &[0.0]).into_vec());
    }
    Ok(found)
}

/// The covariance within clusters; of wide tables its diagonal, raised.
#[derive(Debug)]
enum Within {
    Full(Dense),
    Diagonal(Vec<f64>),
}

impl Within {
    fn of(z: &Dense, labels: &[i32], means: &Dense) -> Self {
        let used: Vec<usize> = (0..z.rows()).filter(|i| labels[*i] >= 0).collect();
        let mut centred = Dense::zeros(used.len(), z.cols());
        for (r, &i) in used.iter().enumerate() {
            let pairs = z.row(i).iter().zip(means.row(labels[i] as usize));
            centred.row_mut(r).iter_mut().zip(pairs).for_each(|(c, (v, m))| *c = v - m);
        }
        if z.cols() > FULL {
            let mut sums = vec![0.0; z.cols()];
            (0..centred.rows())
                .for_each(|r| sums.iter_mut().zip(centred.row(r)).for_each(|(s, v)| *s += v * v));
            let n = used.len().max(1) as f64;
            return Self::Diagonal(sums.into_iter().map(|s| RIDGE.raise(s / n)).collect());
        }
        Self::Full(Moments::of(&centred, None).covariance())
    }

    /// Each row times the inverse.
    fn solve_rows(&mut self, x: &mut Dense) -> Result<()> {
        match self {
            Self::Full(cov) => factor(cov.clone(), RIDGE)?.solve_rows(x),
            Self::Diagonal(v) => (0..x.rows())
                .for_each(|r| x.row_mut(r).iter_mut().zip(&*v).for_each(|(x, v)| *x /= v)),
        }
        Ok(())
    }
}

/// Scores along the first principal direction of what is uncorrelated with the `known` scores; none where
/// nothing is left. Power iteration on the scores: no d x d matrix is formed.
pub fn main_scores(z: &Dense, known: &[&[f64]], seed: u64) -> Option<Vec<f64>> {
    let n = z.rows();
    let mut basis = vec![vec![(1.0 / n.max(1) as f64).sqrt(); n]];
    for scores in known {
        // From the mean first: values may be far from 0.
        let mean = scores.iter().sum::<f64>() / n as f64;
        let mut v: Vec<f64> = scores.iter().map(|s| s - mean).collect();
        let length = norm(&v);
        remove(&basis, &mut v);
        if norm(&v) > NOTHING * length {
            scale(&mut v);
            basis.push(v);
        }
    }
    let mut rng = Rng::new(seed, 0x5EE);
    let mut u: Vec<f64> = (0..n).map(|_| rng.normal()).collect();
    let mut length = 0.0;
    for _ in 0..ROUNDS {
        remove(&basis, &mut u);
        scale(&mut u);
        let mut w = vec![0.0; z.cols()];
        (0..n).for_each(|i| w.iter_mut().zip(z.row(i)).for_each(|(w, v)| *w += u[i] * v));
        u = (0..n).map(|i| dot(z.row(i), &w)).collect();
        remove(&basis, &mut u);
        length = norm(&u);
    }
    let size: f64 = z.data().iter().map(|v| v * v).sum();
    if length.is_nan() || length <= NOTHING * size {
        return None;
    }
    // σ² after Z Zᵀ u with |u| = 1; scores have length σ.
    let factor = length.sqrt() / length;
    u.iter_mut().for_each(|v| *v *= factor);
    fix_sign(&mut u);
    Some(u)
}

/// Takes out of `v` what lies along orthonormal vectors; twice, for rounding.
fn remove(basis: &[Vec<f64>], v: &mut [f64]) {
    for _ in 0..2 {
        for b in basis {
            let along = dot(b, v);
            v.iter_mut().zip(b).for_each(|(v, b)| *v -= along * b);
        }
    }
}

fn scale(v: &mut [f64]) {
    let length = norm(v);
    if length > 0.0 {
        v.iter_mut().for_each(|v| *v /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::linalg::Chol;
    use separa_testkit::clouds::Source;

    fn normal(n: usize, d: usize, seed: u64) -> Dense {
        let mut source = Source::new(seed);
        Dense::from_vec(n, d, (0..n * d).map(|_| source.normal()).collect()).unwrap()
    }

    fn correlation(a: &[f64], b: &[f64]) -> f64 {
        let centred = |v: &[f64]| {
            let mean = v.iter().sum::<f64>() / v.len() as f64;
            v.iter().map(|x| x - mean).collect::<Vec<f64>>()
        };
        let (a, b) = (centred(a), centred(b));
        dot(&a, &b) / (norm(&a) * norm(&b))
    }

    #[test]
    fn the_upward_axis_is_the_main_direction_of_what_the_first_leaves() {
        let mut z = normal(300, 5, 3);
        for i in 0..300 {
            z[(i, 1)] = 3.0 * z[(i, 1)] + z[(i, 0)];
        }
        let x: Vec<f64> = (0..300).map(|i| 2.0 * z[(i, 0)] + 7.0 + 0.3 * z[(i, 2)]).collect();
        let y = main_scores(&z, &[&x], 0).unwrap();
        assert!(correlation(&x, &y).abs() < 1e-9);
        // Another way: residuals of the regression on x, their covariance, its largest eigenvector.
        let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
        let (mx, xx) = (mean(&x), x.iter().map(|v| (v - mean(&x)).powi(2)).sum::<f64>());
        let mut residual = z.clone();
        for j in 0..5 {
            let column = z.column(j);
            let m = mean(&column);
            let slope = (0..300).map(|i| (x[i] - mx) * (column[i] - m)).sum::<f64>() / xx;
            (0..300).for_each(|i| residual[(i, j)] = column[i] - m - slope * (x[i] - mx));
        }
        let eig = sym_eig(&Moments::of(&residual, None).covariance()).unwrap();
        let last = (0..5).max_by(|a, b| eig.values[*a].total_cmp(&eig.values[*b])).unwrap();
        let w = eig.vectors.row(last).to_vec();
        let scores: Vec<f64> = (0..300).map(|i| dot(residual.row(i), &w)).collect();
        assert!(correlation(&scores, &y).abs() > 0.9999);
    }

    #[test]
    fn discriminants_solve_their_eigenproblem() {
        let (n, d, k) = (240, 4, 4);
        let mut z = normal(n, d, 8);
        let labels: Vec<i32> = (0..n as i32).map(|i| i % k as i32).collect();
        for i in 0..n {
            z[(i, i % 4 / 2)] += 4.0;
            z[(i, 2)] += 2.0 * (i % 2) as f64;
        }
        let found = discriminants(&z, &labels, k).unwrap();
        assert_eq!(found.len(), 2);
        // The ratio of variance between groups to that within (raised) falls when w is moved.
        let (means, _) = group_means(&z, &labels, k);
        let Within::Full(mut within) = Within::of(&z, &labels, &means) else { unreachable!() };
        (0..d).for_each(|j| within[(j, j)] = RIDGE.raise(within[(j, j)]));
        let between = Moments::of(&means, None).covariance();
        let quotient = |w: &[f64]| {
            separa_math::linalg::quadratic(&between, w) / separa_math::linalg::quadratic(&within, w)
        };
        // The direction from its scores: least squares is exact, for the scores are linear.
        let cov = Moments::of(&z, None).covariance();
        let t = &found[0];
        let mut w: Vec<f64> = (0..d)
            .map(|j| {
                let c = z.column(j);
                let mean = c.iter().sum::<f64>() / n as f64;
                (0..n).map(|i| t[i] * (c[i] - mean)).sum::<f64>() / n as f64
            })
            .collect();
        Chol::new(cov).unwrap().solve(&mut w);
        let best = quotient(&w);
        for j in 0..d {
            for step in [-0.05, 0.05] {
                let mut moved = w.clone();
                moved[j] += step * norm(&w);
                assert!(quotient(&moved) < best, "column {j}");
            }
        }
    }

    #[test]
    fn where_nothing_is_left_there_is_no_direction() {
        let z = Dense::from_vec(4, 1, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        assert!(main_scores(&z, &[&[0.0, 1.0, 2.0, 3.0]], 0).is_none());
        assert!(main_scores(&Dense::zeros(4, 3), &[], 0).is_none());
    }
}
