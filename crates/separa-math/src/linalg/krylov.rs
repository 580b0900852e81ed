//! One run of thick-restart block Lanczos, outside the span of what is locked.

use super::block::{add_combinations, length_of, next_block, subtract_span};
use super::{Eig, SymOp, Which, sym_eig};
use crate::error::Result;
use crate::matrix::Dense;
use crate::rng::Rng;

/// What a run is asked for.
pub(super) struct Task<'a> {
    pub(super) op: &'a dyn SymOp,
    pub(super) which: Which,
    /// How many pairs, at most.
    pub(super) want: usize,
    /// With it, only pairs that rank above it are wanted.
    pub(super) floor: Option<f64>,
    /// Vectors that go through the operator together.
    pub(super) block: usize,
    pub(super) tol: f64,
    /// The largest |eigenvalue| that earlier runs saw: beside it, what is left may be rounding.
    pub(super) scale: f64,
    pub(super) max_products: usize,
}

/// Eigenpairs, best first; vectors one after the other.
#[derive(Default)]
pub(super) struct Run {
    pub(super) values: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    pub(super) vectors: Vec<f64>,
    pub(super) settled: bool,
    pub(super) products: usize,
    /// The largest |eigenvalue| seen: what the tolerance is relative to.
    pub(super) scale: f64,
}

/// Steps before a run may conclude from a rough residual that nothing ranks above its floor, and
/// how small that residual must be: a random first vector needs a few products to show what it holds.
const PROBE_STEPS: usize = 8;
const PROBE_RESIDUAL: f64 = 1e-4;

/// Problem   A v = θ v, v orthogonal to the rows of `locked`.      Given  products with A.
/// Returns   the wanted pairs with ‖Av − θv‖ ≤ tol · max|θ|, or the best at hand when the products
/// are used up.   Cost  one block product and one orthogonalisation a step.
/// See       Golub & Underwood (1977) for blocks, Wu & Simon (2000) for the restart; the projected
/// matrix is formed from the whole basis (Rayleigh-Ritz), so a restart needs no special case.
pub(super) fn run(task: &Task<'_>, locked: &[f64], rng: &mut Rng) -> Result<Run> {
    let n = task.op.dim();
    let (fixed, block) = (locked.len() / n, task.block);
    let room = capacity(task.want, block).min(n - fixed);
    let mut out = Run { scale: task.scale, ..Run::default() };
    // `held` is what every new row is orthogonal to: the locked rows, then the basis.
    let mut held = locked.to_vec();
    let mut projected = Dense::zeros(room + block, room + block);
    let mut next = next_block(&vec![0.0; block * n], &held, n, 0.0, rng);
    let (mut steps, mut examined) = (0, 0);
    loop {
        // Expand: the new rows, their images, and what of the images leaves the basis.
        let fresh = next.rows.len() / n;
        let mut images = vec![0.0; next.rows.len()];
        task.op.apply_rows(&next.rows, &mut images);
        out.products += fresh;
        steps += 1;
        out.scale = images.chunks_exact(n).map(length_of).fold(out.scale, f64::max);
        held.extend_from_slice(&next.rows);
        let size = held.len() / n - fixed;
        let h = subtract_span(&mut images, &held, n);
        for (c, i) in (size - fresh..size).enumerate() {
            (0..=i).for_each(|j| projected[(i, j)] = h[(fixed + j, c)]);
        }
        // Twice is enough: the second pass removes what rounding left of the first.
        subtract_span(&mut images, &held, n);
        next = next_block(&images, &held, n, 4.0 * f64::EPSILON * out.scale, rng);

        // Look at the basis when it is full, and before that whenever it grew by an eighth.
        let full = size + next.rows.len() / n > room || next.rows.is_empty();
        let spent = out.products >= task.max_products;
        if !(full || spent || size >= task.want.min(room) && size >= examined + examined / 8) {
            continue;
        }
        examined = size;
        let ritz = Ritz::new(task.which, leading(&projected, size), &next.weights)?;
        out.scale = ritz.values.iter().fold(out.scale, |s, v| s.max(v.abs()));
        let whole = size + fixed == n;
        let verdict = ritz.judge(task, steps, out.scale);
        if verdict.settled || spent || whole {
            out.settled = verdict.settled || whole;
            ritz.lift(verdict.count, &held[locked.len()..], n, &mut out);
            return Ok(out);
        }

        // Restart: the best half of the basis goes on; it diagonalises the projected matrix.
        if full {
            let spare = size.saturating_sub(verdict.count) / 2;
            let keep = (verdict.count + spare).min(room.saturating_sub(2 * block)).max(1);
            let kept = ritz.combine(keep, &held[locked.len()..], n);
            held.truncate(locked.len());
            held.extend_from_slice(&kept);
            projected.data_mut().fill(0.0);
            (0..keep).for_each(|i| projected[(i, i)] = ritz.values[i]);
            examined = keep;
        }
    }
}

/// Rows of the basis before it restarts. Longer saves products, shorter saves orthogonalisation.
fn capacity(want: usize, block: usize) -> usize {
    (2 * want + 16 * block).max(40)
}

fn leading(projected: &Dense, size: usize) -> Dense {
    let mut out = Dense::zeros(size, size);
    (0..size).for_each(|i| out.row_mut(i)[..=i].copy_from_slice(&projected.row(i)[..=i]));
    out
}

/// Approximate pairs within the span of the basis, best first.
struct Ritz {
    which: Which,
    values: Vec<f64>,
    residuals: Vec<f64>,
    /// Row i combines the basis to vector i.
    turns: Dense,
}

struct Verdict {
    settled: bool,
    /// How many of the best pairs are the answer.
    count: usize,
}

impl Ritz {
    /// `weights` say how far the images of the newest rows leave the basis, which is all that keeps
    /// a pair from being exact.
    fn new(which: Which, projected: Dense, weights: &Dense) -> Result<Self> {
        let Eig { values, vectors } = sym_eig(&projected)?;
        let m = values.len();
        let mut order: Vec<usize> = (0..m).collect();
        order.sort_by(|&a, &b| which.compare(values[a], values[b]));
        let mut turns = Dense::zeros(m, m);
        let mut residuals = Vec::with_capacity(m);
        for (r, &i) in order.iter().enumerate() {
            let turn = vectors.row(i);
            turns.row_mut(r).copy_from_slice(turn);
            let newest = &turn[m - weights.rows()..];
            let gap = (0..weights.cols())
                .map(|c| newest.iter().enumerate().map(|(f, y)| y * weights[(f, c)]).sum::<f64>());
            residuals.push(gap.map(|g| g * g).sum::<f64>().sqrt());
        }
        let values = order.iter().map(|&i| values[i]).collect();
        Ok(Self { which, values, residuals, turns })
    }

    fn judge(&self, task: &Task<'_>, steps: usize, scale: f64) -> Verdict {
        let bar = task.tol * scale;
        let small = |i: usize| self.residuals[i] <= bar;
        let Some(floor) = task.floor else {
            let count = task.want.min(self.values.len());
            return Verdict { settled: count == task.want && (0..count).all(small), count };
        };
        let rank = |i: usize| self.which.rank(self.values[i]);
        let above = (0..self.values.len()).take_while(|&i| rank(i) > floor + bar).count();
        let count = above.min(task.want);
        // The first pair below the floor must be known well enough to say that it is below.
        let below = above == self.values.len()
            || small(above)
            || (steps >= PROBE_STEPS
                && self.residuals[above] <= PROBE_RESIDUAL * scale
                && rank(above) + self.residuals[above] < floor);
        Verdict { settled: (0..count).all(small) && (below || count == task.want), count }
    }

    fn combine(&self, count: usize, basis: &[f64], n: usize) -> Vec<f64> {
        let mut out = vec![0.0; count * n];
        add_combinations(&mut out, basis, n, |r, j| self.turns[(r, j)]);
        out
    }

    fn lift(&self, count: usize, basis: &[f64], n: usize, out: &mut Run) {
        out.values = self.values[..count].to_vec();
        out.residuals = self.residuals[..count].to_vec();
        out.vectors = self.combine(count, basis, n);
    }
}
