//! `variant = "paper"`: Algorithm 1 as printed.

use super::objective::{AlphaProblem, Point};
use super::{Learnt, METHOD, Rows, Similarities, Watch, uniform};
use crate::error::{Error, Result};
use crate::report::Stop;
use separa_math::linalg::{SymOp, SymRows, absolute};
use separa_math::matrix::Dense;
use separa_math::optim::simplex_qp;
use separa_math::rng::Rng;

/// Where λ comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Lambda {
    /// At most 2, so that S ≥ 0 for all α.
    Value(f64),
    /// The paper's rule: of 0.05, 0.10, …, 0.50 the one whose Y on a tenth of the rows has the least
    /// mean entropy of softmax(Yᵢ). The entropies differ by little more than noise.
    Entropy,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Paper {
    pub lambda: Lambda,
    /// The weight of the spectral term: 1 as in (12), ½ as in (10).
    pub h: f64,
    /// M.
    pub max_iter: usize,
    /// Done when α moves by less than this in sum.
    pub tol: f64,
    /// The paper rounds plain rows of Y.
    pub rows: Rows,
    pub seed: u64,
}

impl Default for Paper {
    fn default() -> Self {
        let lambda = Lambda::Entropy;
        Self { lambda, h: 1.0, max_iter: 20, tol: 1e-6, rows: Rows::Plain, seed: 0 }
    }
}

/// One draw of its own for the rows on which λ is chosen.
const TASK: u64 = 0x6c61;

/// Alternates between (11) and (12); a last (11) makes Y belong to the α returned.
pub(crate) fn learn_paper(
    k: &dyn Similarities,
    held: Option<&dyn Similarities>,
    n_clusters: usize,
    options: &Paper,
    watch: Watch<'_>,
) -> Result<Learnt> {
    let lambda = match options.lambda {
        Lambda::Value(lambda) if lambda > 0.0 && lambda <= 2.0 => lambda,
        Lambda::Value(lambda) => {
            let expected = "above 0 and at most 2, or no similarity is sure to be positive".into();
            let found = lambda.to_string();
            return Err(Error::Param { method: METHOD, name: "lambda", expected, found });
        }
        Lambda::Entropy => by_entropy(k, held.is_some(), n_clusters, options)?,
    };
    let problem = AlphaProblem::new(k, n_clusters, lambda, options.h, options.seed);
    let problem = problem.held_by(held.map(|held| held as &dyn SymOp));
    // (11) at first.
    let start = problem.weigh(uniform(k.dim()));
    problem.check(&start)?;
    let mut point = problem.at(start)?;
    let mut trace = vec![point.q];
    let mut stop = Stop::MaxIter;
    for iteration in 1..=options.max_iter {
        // (12), without its constraint: no solver in α alone can keep YᵀDY = I.
        let alpha = twelve(&problem, held.unwrap_or(k), &point);
        // (11).
        let moved: f64 = alpha.iter().zip(&point.weights.alpha).map(|(a, b)| (a - b).abs()).sum();
        let weights = problem.weigh(alpha);
        problem.check(&weights)?;
        point = problem.at(weights)?;
        trace.push(point.q);
        if watch(iteration, point.q) {
            stop = Stop::Cancelled;
            break;
        }
        if moved <= options.tol {
            stop = Stop::Converged;
            break;
        }
    }
    let point = problem.refine(point)?;
    Ok(Learnt::new(point, lambda, options.rows, (trace, stop)))
}

/// α of (12): min (2h·m − k)ᵀα + λαᵀ(K − hM)α on the simplex, from the α at hand; `k` of the second
/// term is what holds the weights apart.
pub(super) fn twelve(problem: &AlphaProblem<'_>, k: &dyn Similarities, point: &Point) -> Vec<f64> {
    let y = point.embedding(Rows::Plain);
    let m = distances(problem.k, &problem.sums, &y);
    let linear: Vec<f64> =
        m.iter().zip(&problem.sums).map(|(m, k)| 2.0 * problem.h * m - k).collect();
    let quadratic = Twelve { k, y: &y, lambda: problem.lambda, h: problem.h };
    let options = simplex_qp::SimplexQpOptions::default();
    simplex_qp::solve(&quadratic, &linear, &point.weights.alpha, &options).x
}

/// m = (K∘P)1 for the squared distances P between the rows of Y, by products alone.
pub(super) fn distances(k: &dyn SymOp, sums: &[f64], y: &Dense) -> Vec<f64> {
    let (n, c) = (y.rows(), y.cols());
    let squares: Vec<f64> = (0..n).map(|i| y.row(i).iter().map(|v| v * v).sum()).collect();
    let mut given = y.transposed().into_vec();
    given.extend_from_slice(&squares);
    let mut image = vec![0.0; given.len()];
    k.apply_rows(&given, &mut image);
    (0..n)
        .map(|i| {
            let cross: f64 = (0..c).map(|t| y[(i, t)] * image[t * n + i]).sum();
            squares[i] * sums[i] + image[c * n + i] - 2.0 * cross
        })
        .collect()
}

/// 2λ(K − hM): the second derivative of (12).
pub(super) struct Twelve<'a> {
    pub k: &'a dyn Similarities,
    pub y: &'a Dense,
    pub lambda: f64,
    pub h: f64,
}

impl SymRows for Twelve<'_> {
    fn size(&self) -> usize {
        self.y.rows()
    }
    fn diagonal(&self, out: &mut [f64]) {
        self.k.diagonal(out);
        out.iter_mut().for_each(|v| *v *= 2.0 * self.lambda);
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        self.k.copy_row(i, out);
        let mine = self.y.row(i);
        for (j, o) in out.iter_mut().enumerate() {
            let square: f64 = mine.iter().zip(self.y.row(j)).map(|(a, b)| (a - b) * (a - b)).sum();
            *o *= 2.0 * self.lambda * (1.0 - self.h * square);
        }
    }
}

/// The paper's choice of λ.
fn by_entropy(
    k: &dyn Similarities,
    indefinite: bool,
    n_clusters: usize,
    options: &Paper,
) -> Result<f64> {
    let n = k.dim();
    let count = n.div_ceil(10).max(2 * n_clusters).min(n);
    let rows = Rng::new(options.seed, TASK).sample(n, count);
    let part = submatrix(k, &rows);
    let held = indefinite.then(|| absolute(&part)).transpose()?;
    let held = held.as_ref().map(|held| held as &dyn Similarities);
    let mut best = (f64::INFINITY, 0.05);
    for step in 1..=10 {
        let lambda = 0.05 * step as f64;
        let options = Paper { lambda: Lambda::Value(lambda), rows: Rows::Plain, ..options.clone() };
        let learnt = learn_paper(&part, held, n_clusters, &options, &mut |_, _| false)?;
        let entropy = mean_entropy(&learnt.embedding);
        if entropy < best.0 {
            best = (entropy, lambda);
        }
    }
    Ok(best.1)
}

fn submatrix(k: &dyn Similarities, rows: &[usize]) -> Dense {
    let mut out = Dense::zeros(rows.len(), rows.len());
    let mut line = vec![0.0; k.size()];
    for (r, &i) in rows.iter().enumerate() {
        k.copy_row(i, &mut line);
        out.row_mut(r).iter_mut().zip(rows).for_each(|(o, &j)| *o = line[j]);
    }
    out
}

/// Mean over the rows of the entropy of softmax(row).
pub(super) fn mean_entropy(y: &Dense) -> f64 {
    let entropy = |row: &[f64]| -> f64 {
        let top = row.iter().fold(f64::MIN, |top, v| top.max(*v));
        let total: f64 = row.iter().map(|v| (v - top).exp()).sum();
        // −Σ p log p with log p = v − top − log total.
        row.iter().map(|v| (v - top).exp() / total * (top + total.ln() - v)).sum()
    };
    (0..y.rows()).map(|i| entropy(y.row(i))).sum::<f64>() / y.rows().max(1) as f64
}
