//! A few eigenpairs of a symmetric operator, every copy of a repeated eigenvalue among them.

use super::krylov::{Run, Task, run};
use super::{SymOp, dot_lanes, fix_sign, product, product_nt, sym_eig};
use crate::error::Result;
use crate::matrix::Dense;
use crate::rng::Rng;
use std::cmp::Ordering;

/// Which end of the spectrum is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// The algebraically largest ones.
    #[default]
    Largest,
    /// The algebraically smallest ones.
    Smallest,
    /// Those with the largest absolute value.
    LargestMagnitude,
}

impl Which {
    /// Larger is better.
    pub(super) fn rank(self, value: f64) -> f64 {
        match self {
            Which::Largest => value,
            Which::Smallest => -value,
            Which::LargestMagnitude => value.abs(),
        }
    }

    /// Best first; of two with equal rank the positive one.
    pub(super) fn compare(self, a: f64, b: f64) -> Ordering {
        self.rank(b).total_cmp(&self.rank(a)).then(b.total_cmp(&a))
    }
}

/// How a few eigenpairs are sought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EigOptions {
    /// A pair is done at ‖Av − θv‖ ≤ tol · max|θ|.
    pub tol: f64,
    /// Products with one vector, after which the best at hand is returned.
    pub max_products: usize,
    /// Vectors that share one pass over the operator; 0 chooses from the number of pairs.
    pub block: usize,
    /// Of the first vectors.
    pub seed: u64,
}

impl Default for EigOptions {
    fn default() -> Self {
        Self { tol: 1e-10, max_products: 20_000, block: 0, seed: 0 }
    }
}

/// Eigenpairs, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigs {
    /// In the order of the vectors.
    pub values: Vec<f64>,
    /// Row i belongs to value i: of length one, its largest entry positive.
    pub vectors: Dense,
    /// ‖Av − θv‖ as the solver knows it.
    pub residuals: Vec<f64>,
    /// False where the products were used up first.
    pub converged: bool,
    /// Products with one vector that were made.
    pub products: usize,
}

/// Up to this size, or for a third of all pairs, the full decomposition is cheaper.
const SMALL: usize = 96;

/// Eigenvalues closer than this fraction of the largest one count as copies.
const SAME: f64 = 1e-6;

/// The `k` best eigenpairs of a symmetric operator (all of them where it has fewer).
///
/// Problem   A v = θ v.      Given  products with A (see [`SymOp`]), a seed for the first block.
/// Returns   pairs with ‖Av − θv‖ ≤ tol · max|θ|, best first, vectors orthonormal.
/// Cost      block Lanczos with full orthogonalisation (`krylov.rs`).
///
/// A block of b random vectors reaches at most b copies of an eigenvalue, and reaches that many. So
/// the copies are complete unless b equal values turned up. Then what was found is locked and a
/// fresh block is run beside it, as often as that finds b equal values better than the k-th.
pub fn eig_few(op: &dyn SymOp, k: usize, which: Which, options: &EigOptions) -> Result<Eigs> {
    let n = op.dim();
    let free = n - op.excluded().map_or(0, Dense::rows);
    let k = k.min(free);
    if k == 0 {
        return Ok(Found { which, pairs: Vec::new() }.into_eigs(0, n, true, 0));
    }
    if n <= SMALL || 3 * k >= free {
        return dense_few(op, k, which);
    }
    // Inside the pool the many short parallel steps need no messages between threads to start.
    rayon::scope(|_| krylov_few(op, k, which, options))
}

/// Runs until no copy can be missing.
fn krylov_few(op: &dyn SymOp, k: usize, which: Which, options: &EigOptions) -> Result<Eigs> {
    let n = op.dim();
    let block = if options.block > 0 { options.block } else { (k / 4 + 1).clamp(2, 4) };
    let mut rng = Rng::new(options.seed, 0x6569);
    let mut locked = op.excluded().map_or_else(Vec::new, |e| e.data().to_vec());
    let mut found = Found { which, pairs: Vec::new() };
    let (mut products, mut scale) = (0, 0.0);
    let converged = loop {
        let task = Task {
            op,
            which,
            want: k.min(n - locked.len() / n),
            floor: (found.pairs.len() >= k).then(|| which.rank(found.pairs[k - 1].value)),
            block: block.min(n - locked.len() / n),
            tol: options.tol.max(4.0 * f64::EPSILON),
            scale,
            max_products: options.max_products.saturating_sub(products),
        };
        let run = run(&task, &locked, &mut rng)?;
        products += run.products;
        scale = run.scale;
        let settled = run.settled;
        let again = settled && copies(&run, options.tol) >= block;
        locked.extend_from_slice(&run.vectors);
        found.add(run, n);
        if !again || locked.len() / n == n {
            break settled;
        }
    };
    Ok(found.into_eigs(k, n, converged, products))
}

/// The largest number of nearly equal values in a run.
fn copies(run: &Run, tol: f64) -> usize {
    let mut values = run.values.clone();
    values.sort_by(f64::total_cmp);
    let gap = SAME.max(100.0 * tol) * run.scale;
    values.chunk_by(|a, b| b - a <= gap).map(<[f64]>::len).max().unwrap_or(0)
}

struct Pair {
    value: f64,
    residual: f64,
    vector: Vec<f64>,
}

/// What all runs found, best first.
struct Found {
    which: Which,
    pairs: Vec<Pair>,
}

impl Found {
    fn add(&mut self, run: Run, n: usize) {
        let lines = run.vectors.chunks_exact(n);
        for ((value, residual), vector) in run.values.into_iter().zip(run.residuals).zip(lines) {
            self.pairs.push(Pair { value, residual, vector: vector.to_vec() });
        }
        self.pairs.sort_by(|a, b| self.which.compare(a.value, b.value));
    }

    fn into_eigs(mut self, k: usize, n: usize, converged: bool, products: usize) -> Eigs {
        self.pairs.truncate(k);
        let mut vectors = Dense::zeros(self.pairs.len(), n);
        for (i, pair) in self.pairs.iter().enumerate() {
            vectors.row_mut(i).copy_from_slice(&pair.vector);
            fix_sign(vectors.row_mut(i));
        }
        let values = self.pairs.iter().map(|p| p.value).collect();
        let residuals = self.pairs.iter().map(|p| p.residual).collect();
        Eigs { values, vectors, residuals, converged, products }
    }
}

/// All pairs of the explicit matrix, of which the best k are kept.
fn dense_few(op: &dyn SymOp, k: usize, which: Which) -> Result<Eigs> {
    let n = op.dim();
    let mut a = Dense::zeros(n, n);
    op.apply_rows(Dense::identity(n).data(), a.data_mut());
    let (values, vectors) = match op.excluded().filter(|e| e.rows() > 0) {
        None => {
            let eig = sym_eig(&a)?;
            (eig.values, eig.vectors)
        }
        Some(away) => {
            let basis = complement(away)?;
            let inner = product_nt(product(basis.view(), a.view()).view(), basis.view());
            let eig = sym_eig(&inner)?;
            (eig.values, product(eig.vectors.view(), basis.view()))
        }
    };
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| which.compare(values[i], values[j]));
    let mut found = Found { which, pairs: Vec::new() };
    for &i in &order[..k] {
        let (value, v) = (values[i], vectors.row(i));
        let gaps = (0..n).map(|j| dot_lanes(a.row(j), v) - value * v[j]);
        let residual = gaps.map(|g| g * g).sum::<f64>().sqrt();
        found.pairs.push(Pair { value, residual, vector: v.to_vec() });
    }
    Ok(found.into_eigs(k, n, true, n))
}

/// An orthonormal basis of what is orthogonal to the orthonormal rows `away`: the eigenvectors of
/// the projection I − Σ ccᵀ with eigenvalue 1.
fn complement(away: &Dense) -> Result<Dense> {
    let (n, q) = (away.cols(), away.rows());
    let mut projection = Dense::identity(n);
    for c in (0..q).map(|i| away.row(i)) {
        (0..n).for_each(|i| (0..n).for_each(|j| projection[(i, j)] -= c[i] * c[j]));
    }
    let all = sym_eig(&projection)?.vectors;
    Dense::from_vec(n - q, n, all.data()[q * n..].to_vec())
}
