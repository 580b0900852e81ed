//! Two clusters: the paper's three solvers, in full dimension.

use super::rule::plane_values;
use crate::context::Ctx;
use crate::error::Result;
use crate::progress::Event;
use crate::report::Stop;
use crate::start::standardised::Standardised;
use separa_math::kmeans::Tally;
use separa_math::linalg::{EigOptions, Which, dot, eig_few};
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Side};

/// Deviations beyond this have squares that no model file takes.
const LARGE: f64 = 1e100;

/// A hyperplane and how it was reached; side 1 (label 1) is where wᵀz + b ≥ 0.
pub struct TwoClusters {
    pub w: Vec<f64>,
    pub b: f64,
    pub labels: Vec<u32>,
    pub objective: f64,
    pub iterations: usize,
    pub stop: Stop,
    pub trace: Vec<f64>,
}

fn sides(values: &[f64]) -> Vec<u32> {
    values.iter().map(|v| u32::from(*v >= 0.0)).collect()
}

/// Approach 1: solve the minimax machine, relabel by its sign, repeat until no label changes.
///
/// The label step is no ascent step, so the last hyperplane is kept, not the one of largest κ.
/// Moments follow the rows that change sides; the smaller side is summed, the other is the rest.
pub fn by_mpm(
    shared: &Standardised<'_>,
    mut labels: Vec<u32>,
    max_iter: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TwoClusters> {
    let mut one = members(shared, &labels, 1);
    let mut s = 0.5;
    let mut trace = Vec::new();
    loop {
        let mut two = shared.total.clone();
        two.subtract(&one);
        let covs = [&one, &two].map(|m| m.covariance_plus(shared.reg));
        let solved = mpm::solve_near(
            Side { mean: one.mean(), cov: &covs[0] },
            Side { mean: two.mean(), cov: &covs[1] },
            s,
        )?;
        s = solved.s;
        trace.push(solved.p());
        let next = if solved.kappa == 0.0 {
            // Equal means: no direction tells the sides apart, and none is made up.
            labels.clone()
        } else {
            sides(&plane_values(shared.rows, &solved.w, solved.b))
        };
        let changed: Vec<usize> = (0..labels.len()).filter(|&i| next[i] != labels[i]).collect();
        let weighty = changed.iter().filter(|&&i| shared.weight(i) > 0.0).count();
        let event = Event::Iteration {
            iteration: trace.len(),
            max_iter,
            objective: solved.p(),
            changed: weighty,
        };
        let stop = match () {
            () if ctx.emit(event) => Some(Stop::Cancelled),
            () if weighty == 0 => Some(Stop::Converged),
            () if trace.len() >= max_iter => Some(Stop::MaxIter),
            () => None,
        };
        update(shared, &mut one, &next, &changed);
        labels = next;
        let empty = one.n() <= 0.0 || one.n() >= shared.total.n();
        if let Some(stop) = stop.or(empty.then_some(Stop::Stalled)) {
            let (iterations, objective) = (trace.len(), solved.p());
            let (w, b) = (solved.w, solved.b);
            return Ok(TwoClusters { w, b, labels, objective, iterations, stop, trace });
        }
    }
}

fn members(shared: &Standardised<'_>, labels: &[u32], side: u32) -> Moments {
    let (ours, others): (Vec<usize>, Vec<usize>) =
        (0..labels.len()).partition(|&i| labels[i] == side);
    if ours.len() <= others.len() {
        return Moments::of_rows(shared.rows, &ours, shared.weights);
    }
    let mut rest = shared.total.clone();
    rest.subtract(&Moments::of_rows(shared.rows, &others, shared.weights));
    rest
}

/// Moves the changed rows in or out of side 1; sums anew where that is cheaper.
fn update(shared: &Standardised<'_>, one: &mut Moments, next: &[u32], changed: &[usize]) {
    if 4 * changed.len() > next.len() {
        *one = members(shared, next, 1);
        return;
    }
    let (came, went): (Vec<usize>, Vec<usize>) = changed.iter().partition(|&&i| next[i] == 1);
    one.merge(&Moments::of_rows(shared.rows, &came, shared.weights));
    one.subtract(&Moments::of_rows(shared.rows, &went, shared.weights));
}

/// Approach 2: w = (Σ+λI)⁻¹(μ₁−μ₂) with one factor for all iterations, then the cut of the sorted
/// projections that is best for the bound (4). The bound never falls.
pub fn by_gep(
    shared: &Standardised<'_>,
    mut labels: Vec<u32>,
    max_iter: usize,
    ctx: &mut Ctx<'_>,
) -> Result<TwoClusters> {
    let mut trace: Vec<f64> = Vec::new();
    let mut best: Option<(Vec<f64>, f64)> = None;
    loop {
        let (n, means) = Tally::of(shared.rows, shared.weights, &labels, 2).means();
        let mut w: Vec<f64> = (0..means.cols()).map(|j| means[(1, j)] - means[(0, j)]).collect();
        let gap = w.clone();
        shared.chol.solve(&mut w);
        let spread = dot(&w, &gap);
        let cut = (n[0] > 0.0 && n[1] > 0.0 && spread > 0.0)
            .then(|| best_cut(shared, &plane_values(shared.rows, &w, 0.0), spread))
            .flatten();
        let Some(Cut { threshold, bound }) = cut else {
            // Equal means or equal projections: the last cut stands.
            let (w, b) = best.unwrap_or_else(|| (vec![0.0; means.cols()], 0.0));
            let iterations = trace.len();
            let objective = trace.last().copied().unwrap_or(0.0);
            let stop = Stop::Stalled;
            return Ok(TwoClusters { w, b, labels, objective, iterations, stop, trace });
        };
        let next = sides(&plane_values(shared.rows, &w, -threshold));
        let changed =
            (0..labels.len()).filter(|&i| next[i] != labels[i] && shared.weight(i) > 0.0).count();
        labels = next;
        trace.push(mpm::probability(bound.sqrt()));
        let iteration = trace.len();
        let objective = trace[iteration - 1];
        let event = Event::Iteration { iteration, max_iter, objective, changed };
        let stop = match () {
            () if ctx.emit(event) => Some(Stop::Cancelled),
            () if changed == 0 => Some(Stop::Converged),
            () if iteration >= max_iter => Some(Stop::MaxIter),
            () => None,
        };
        if let Some(stop) = stop {
            let b = -threshold;
            return Ok(TwoClusters { w, b, labels, objective, iterations: iteration, stop, trace });
        }
        best = Some((w, -threshold));
    }
}

struct Cut {
    threshold: f64,
    /// The right-hand side of (4): at most κ².
    bound: f64,
}

/// The best of all cuts between distinct projections, the first of equals.
fn best_cut(shared: &Standardised<'_>, t: &[f64], spread: f64) -> Option<Cut> {
    let mut order: Vec<usize> = (0..t.len()).filter(|&i| shared.weight(i) > 0.0).collect();
    order.sort_unstable_by(|&a, &b| t[a].total_cmp(&t[b]).then(a.cmp(&b)));
    let total: f64 = shared.total.n();
    let centre = dot_mean(shared, t, &order);
    let mut best: Option<Cut> = None;
    let (mut n, mut sum) = (0.0, 0.0);
    for pair in order.windows(2) {
        let (i, j) = (pair[0], pair[1]);
        n += shared.weight(i);
        sum += shared.weight(i) * (t[i] - centre);
        if t[i] == t[j] {
            continue;
        }
        let r = n / total;
        // Centred sums: mean above − mean below = −sum/n · 1/(1−r).
        let gap = (sum / n) / (1.0 - r);
        let (small, large) = (r.min(1.0 - r), r.max(1.0 - r));
        let bound = gap * gap / (2.0 / small * spread - 2.0 * large * gap * gap);
        if best.as_ref().is_none_or(|b| bound > b.bound) {
            let middle = 0.5 * (t[i] + t[j]);
            best = Some(Cut { threshold: if middle > t[i] { middle } else { t[j] }, bound });
        }
    }
    best
}

fn dot_mean(shared: &Standardised<'_>, t: &[f64], order: &[usize]) -> f64 {
    order.iter().map(|&i| shared.weight(i) * t[i]).sum::<f64>() / shared.total.n()
}

/// Approach 3: the first principal direction of the standardised rows; labels by sign(q).
/// `lengths` (the columns' deviations) gives sign(XXᵀq) as printed instead.
pub fn by_eig(
    shared: &Standardised<'_>,
    lengths: Option<&[f64]>,
    seed: u64,
) -> Result<TwoClusters> {
    let cov = shared.total.covariance();
    let options = EigOptions { tol: 1e-12, seed, ..EigOptions::default() };
    let first = eig_few(&cov, 1, Which::Largest, &options)?;
    let mut w = first.vectors.row(0).to_vec();
    if let Some(lengths) = lengths {
        // A power of two changes no digit and no side.
        let largest = lengths.iter().copied().fold(0.0, f64::max);
        let unit = if largest > LARGE { (-largest.log2().floor()).exp2() } else { 1.0 };
        w.iter_mut().zip(lengths).for_each(|(v, s)| *v *= (s * unit).powi(2));
    }
    let b = -dot(&w, shared.total.mean());
    let labels = sides(&plane_values(shared.rows, &w, b));
    let one = members(shared, &labels, 1);
    let mut two = shared.total.clone();
    two.subtract(&one);
    let covs = [&one, &two].map(|m| m.covariance_plus(shared.reg));
    let objective = mpm::solve(
        Side { mean: one.mean(), cov: &covs[0] },
        Side { mean: two.mean(), cov: &covs[1] },
    )?
    .p();
    let stop = Stop::Converged;
    Ok(TwoClusters { w, b, labels, objective, iterations: 1, stop, trace: vec![objective] })
}
