//! The fit that `logistic` and `mrmc` share.
//!
//! A large table is searched on some of its rows, drawn by the seed; all rows then have the last word
//! at the last λ.

use super::anneal::{EntropyMinimum, EntropySearch};
use super::features::{ALL, KernelFeatures, SOME};
use super::initializations::{self, Scene, initializations};
use super::model::{LinearSpace, RowModel};
use super::posterior::{Link, Posterior, bytes};
use super::settings::{Reg, RowParams};
use super::variance::top_variance;
use super::{Affine, Conditional};
use crate::assign::number;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::kmeans::{check_labels, refuse_empty};
use crate::method::Fit;
use crate::model::{Labels, Model};
use crate::note::{Note, Remedy, codes};
use crate::params::{Init, KernelChoice, Params, check_counts};
use crate::progress::Event;
use crate::report::{InitializationReport, Report, Stop};
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored};
use separa_math::rng::Rng;
use separa_math::scaling::{ColumnStats, Scaler, ScalingKind, means};

/// Rows that are searched before all of them are.
const SAMPLE: usize = 4096;
/// λ comes down by this factor where a cluster has no rows, to this fraction of the first one.
const DOWN: f64 = 0.3;
const DOWN_TO: f64 = 0.003;
/// Objectives closer than this are the same.
const SAME: f64 = 1e-7;
/// A split gains more than this on none: a search that ends at w = 0 ends within the square of its slope.
const GAIN: f64 = 1e-6;

/// Fits the posterior of link `L`.
pub(super) fn run<L: Link>(
    s: &RowParams<L>,
    data: &Dataset<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Fit<RowModel<L>>> {
    let s = &s.sized(data);
    check_counts::<RowParams<L>>(data, s.n_clusters, s.landmarks)?;
    check_init::<RowParams<L>, L>(s, data)?;
    let mut notes = Vec::new();
    let count = plan(s, data, ctx, &mut notes)?;
    ctx.emit(Event::Phase { name: "columns" });
    let shares = shares_of(data);
    let stats = ColumnStats::of(data.x(), &shares);
    let scaler = stats.scaler(ScalingKind::Shared);
    let moving = scaler.columns.iter().filter(|c| c.factor > 0.0).count();
    if s.n_clusters == 1 || (moving == 0 && s.kernel != KernelChoice::Precomputed) {
        return one_cluster(s, data, notes);
    }
    let x = data.x();
    let (sums, weights, intercepts, outcome) = if s.kernel == KernelChoice::Linear {
        let table = Searched {
            rows: &x,
            x: Some((x, &scaler)),
            mean: Some(stats.mean_variance(&scaler)),
            shares: &shares,
        };
        let outcome = search(s, &table, scaler.clone(), ctx)?;
        let seen = Affine { rows: &x, scaler: &outcome.scaler, k: s.n_clusters };
        let (weights, intercepts) = seen.rule(&outcome.found.w);
        (None, weights, intercepts, outcome)
    } else {
        ctx.emit(Event::Phase { name: "kernel" });
        let scaler = Scaler::identity(x.cols());
        let kernel = KernelFeatures::of(s, data, scaler, &shares, count, ctx.seed)?;
        let features = &kernel.features;
        let centre = Scaler::centred(&means(features, &shares), &vec![1.0; features.cols()]);
        let table = Searched { rows: features, x: None, mean: None, shares: &shares };
        let outcome = search(s, &table, centre, ctx)?;
        let seen = Affine { rows: features, scaler: &outcome.scaler, k: s.n_clusters };
        let (of_features, intercepts) = seen.rule(&outcome.found.w);
        let weights = kernel.weights(&of_features);
        (kernel.sums, weights, intercepts, outcome)
    };
    let mut model = RowModel::<L>::new(sums, &weights, &intercepts);
    if s.kernel == KernelChoice::Linear {
        let scaler = outcome.scaler.clone();
        model = model.with_space(LinearSpace { scaler, reg: outcome.reg });
    }
    let labels = number(&mut model, |m| m.predict(x), RowModel::reorder)?;
    notes.extend(outcome.lowered.map(|reg| {
        let text = format!(
            "reg auto came down to {reg:.2e}: at larger values one of the {} clusters had no rows",
            s.n_clusters
        );
        Note::notice(codes::REG_LOWERED, text)
    }));
    let report = report(s, data, model.n_clusters(), &labels, outcome.found, notes, ctx);
    Ok(Fit { model, labels, report: Report { initializations: outcome.initializations, ..report } })
}

/// Fractions of the rows, summing to 1.
fn shares_of(data: &Dataset<'_>) -> Vec<f64> {
    let total: f64 = (0..data.n()).map(|i| data.weight(i)).sum();
    (0..data.n()).map(|i| data.weight(i) / total).collect()
}

/// Refuses given labels that do not fit, or that leave a cluster without a row.
pub(crate) fn check_init<P: Params, L>(s: &RowParams<L>, data: &Dataset<'_>) -> Result<()> {
    let Init::Labels(labels) = &s.init else { return Ok(()) };
    check_labels::<P>(labels, data.n(), s.n_clusters)?;
    let used = |c: usize| (0..data.n()).any(|i| labels[i] == c as i32 && data.weight(i) > 0.0);
    match (0..s.n_clusters).find(|&c| !used(c)) {
        Some(c) => refuse_empty::<P, _>(s.n_clusters, c),
        None => Ok(()),
    }
}

/// How many points stand for the kernel, and whether everything fits the memory.
fn plan<L: Link>(
    s: &RowParams<L>,
    data: &Dataset<'_>,
    ctx: &Ctx<'_>,
    notes: &mut Vec<Note>,
) -> Result<usize> {
    let (n, d, k) = (data.n(), data.d() as u64, s.n_clusters as u64);
    // Buffers of the posterior; gradients and steps of L-BFGS; sums of the chunks under way.
    let search = |columns: u64| {
        let threads = rayon::current_num_threads() as u64;
        bytes(n as u64, k) + 8 * k * (columns + 1) * (28 + 2 * threads)
    };
    match s.kernel {
        KernelChoice::Linear => {
            let sample = 16 * (SAMPLE.min(n) as u64) * d.min(1 << 20);
            let needed = search(d) + if n > SAMPLE { sample } else { 0 };
            ctx.memory.require(L::NAME, needed, Remedy::FewerClusters.or(Remedy::RaiseMemory))?;
            Ok(0)
        }
        _ => {
            let given = s.kernel == KernelChoice::Precomputed;
            let count = match (s.landmarks, given) {
                (0, true) => n,
                (0, false) if n > ALL => SOME,
                (0, false) => n,
                (m, _) => m,
            };
            if !given && s.landmarks == 0 && n > ALL {
                let text = format!(
                    "{n} rows are many for a kernel of all pairs: it is approximated with {SOME} landmarks"
                );
                notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::change("landmarks")));
            }
            let m = count as u64;
            let initializations = initializations::bytes(n.min(SAMPLE));
            let needed = search(m) + initializations + 8 * (2 * n as u64 * m + 5 * m * m + m * d);
            let remedy = match given {
                true => Remedy::RaiseMemory,
                false => Remedy::FewerLandmarks.or(Remedy::RaiseMemory),
            };
            ctx.memory.require(L::NAME, needed, remedy)?;
            Ok(count)
        }
    }
}

/// What is searched: rows as they are stored.
struct Searched<'a> {
    rows: &'a dyn Rows,
    /// The table itself with its scaler, where columns are searched and not a kernel's features.
    x: Option<(MatrixRef<'a>, &'a Scaler)>,
    /// The mean variance of the scaled columns, likewise.
    mean: Option<f64>,
    shares: &'a [f64],
}

/// What a search led to.
struct Outcome {
    found: EntropyMinimum,
    scaler: Scaler,
    /// λ.
    reg: f64,
    initializations: Vec<InitializationReport>,
    /// The fraction of the critical λ that `reg=auto` came down to, where it had to.
    lowered: Option<f64>,
}

/// All initializations, on some rows where there are many; then all rows.
fn search<L: Link>(
    s: &RowParams<L>,
    table: &Searched<'_>,
    mut scaler: Scaler,
    ctx: &mut Ctx<'_>,
) -> Result<Outcome> {
    let n = table.rows.n_rows();
    let counted: Vec<usize> = (0..n).filter(|&i| table.shares[i] > 0.0).collect();
    let index: Option<Vec<usize>> = (counted.len() > SAMPLE).then(|| {
        let drawn = Rng::new(ctx.seed, 0x73616d).sample(counted.len(), SAMPLE);
        drawn.into_iter().map(|r| counted[r]).collect()
    });
    let few = index.as_ref().map(|index| Stored::of(table.rows, index));
    let (rows, shares): (&dyn Rows, Vec<f64>) = match (&few, &index) {
        (Some(few), Some(index)) => {
            let total: f64 = index.iter().map(|&i| table.shares[i]).sum();
            (few, index.iter().map(|&i| table.shares[i] / total).collect())
        }
        _ => (table.rows, table.shares.to_vec()),
    };
    // One unit for all: the largest variance is 1, so that λ_c is 1/2k and the bias a column like it.
    let top = top_variance(rows, &scaler, &shares, ctx.seed)?;
    let unit = if top > 0.0 { top.sqrt().recip() } else { 1.0 };
    scaler.stretch(unit);
    let critical = L::STEEPNESS * L::STEEPNESS / (2.0 * s.n_clusters as f64);
    let stretched = table.x.map(|(x, columns)| match &few {
        Some(few) => columns.uncentred().apply(few.matrix()),
        None => columns.uncentred().apply(x),
    });
    let scene =
        Scene { rows: stretched.as_deref().unwrap_or(rows), shares: &shares, seed: ctx.seed };
    let mut posterior = Posterior::<L>::new(rows, &scaler, &shares, s.n_clusters);
    let moving = scaler.columns.iter().filter(|c| c.factor > 0.0).count();
    let room = moving as f64 / (s.n_clusters - 1) as f64;
    let first = s.reg.share(table.mean.map(|mean| top / mean), room);
    let mut run = |reg: f64, ctx: &mut Ctx<'_>| -> Result<Searching> {
        let search = EntropySearch::of(s, reg, critical);
        let trial = Trial { params: s, search: &search, scene: &scene };
        let (found, initializations) = trial.best(&mut posterior, index.as_deref(), ctx)?;
        let alive = posterior.smallest(&found.w) > 0.0;
        Ok(Searching { search, found, initializations, alive, reg })
    };
    let mut best = run(first, ctx)?;
    // Where λ was ours to choose, it comes down until every cluster has rows.
    let mut reg = first;
    while s.reg == Reg::Auto && !best.alive && reg > first * DOWN_TO && !ctx.cancelled() {
        reg *= DOWN;
        let lower = run(reg, ctx)?;
        if lower.alive {
            best = lower;
        }
    }
    let lowered = (best.reg < first).then_some(best.reg);
    let Searching { search, mut found, initializations, .. } = best;
    drop(posterior);
    if index.is_some() && !ctx.cancelled() {
        let trial = Trial { params: s, search: &search, scene: &scene };
        let mut whole = Posterior::<L>::new(table.rows, &scaler, table.shares, s.n_clusters);
        found = trial.last_word(&mut whole, found, ctx);
    }
    Ok(Outcome { found, scaler, reg: search.strengths.reg, initializations, lowered })
}

/// What the initializations led to at one λ.
struct Searching {
    search: EntropySearch,
    found: EntropyMinimum,
    initializations: Vec<InitializationReport>,
    /// Whether every cluster has rows.
    alive: bool,
    /// λ as a fraction of the critical one.
    reg: f64,
}

/// All initializations of a search.
#[allow(missing_debug_implementations)]
pub(crate) struct Trial<'a, L> {
    pub params: &'a RowParams<L>,
    pub search: &'a EntropySearch,
    pub scene: &'a Scene<'a>,
}

impl<L> Trial<'_, L> {
    /// The start of least objective, the first of equals; one that leaves a cluster nearly empty only
    /// wins against its like. `sample` says which rows of the table these are, where not all.
    pub fn best(
        &self,
        model: &mut dyn Conditional,
        sample: Option<&[usize]>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(EntropyMinimum, Vec<InitializationReport>)> {
        let mut least = f64::INFINITY;
        let initializations = initializations(
            self.params,
            self.scene,
            sample,
            ctx.suggested.as_deref(),
            model,
            self.search,
        );
        best_of(ctx, initializations, |ctx, start| {
            let found = start.run(model, self.search, self.scene, &mut self.watch(ctx));
            if found.objective < least - SAME {
                least = found.objective;
            }
            let refused = model.smallest(&found.w) < self.params.min_cluster_size.fraction(1.0);
            let score = -found.objective.max(least) - if refused { 1e6 } else { 0.0 };
            Ok(Candidate { score, iterations: found.iterations, value: found })
        })
    }

    /// All rows, at the last λ, from what some of them led to: ten times as exact, for there the way from
    /// the optimum of a sample to that of all is long and flat.
    pub fn last_word(
        &self,
        model: &mut dyn Conditional,
        found: EntropyMinimum,
        ctx: &mut Ctx<'_>,
    ) -> EntropyMinimum {
        ctx.emit(Event::Phase { name: "all rows" });
        let search = EntropySearch { tol: 0.1 * self.search.tol, ..*self.search };
        search.settle(model, found.w, found.iterations, &mut self.watch(ctx))
    }

    fn watch(&self, ctx: &mut Ctx<'_>) -> impl FnMut(usize, f64) -> bool {
        move |iteration, objective| {
            let max_iter = self.params.max_iter.max(iteration);
            ctx.emit(Event::Iteration { iteration, max_iter, objective, changed: 0 })
        }
    }
}

/// How a search went that led to `k` clusters.
pub(crate) fn report<L>(
    s: &RowParams<L>,
    data: &Dataset<'_>,
    k: usize,
    labels: &Labels,
    found: EntropyMinimum,
    mut notes: Vec<Note>,
    ctx: &Ctx<'_>,
) -> Report {
    // At w = 0 all posteriors are 1/k: every entropy is log k, by Shannon or Rényi.
    let none = (1.0 - s.balance_weight) * (s.n_clusters as f64).ln();
    let gained = ctx.cancelled() || found.objective < none - GAIN;
    if !gained {
        let text = format!(
            "at reg = {} no split was found that is better than none: the objective is not below that of probabilities all near 1/{}, so the labels say little",
            s.reg, s.n_clusters
        );
        notes.push(Note::warning(codes::NO_SPLIT, text).with(Remedy::lower("reg")));
    }
    if k < s.n_clusters {
        let text =
            format!("found {k} clusters instead of {}: the others hold no rows", s.n_clusters);
        let remedy = gained.then(|| Remedy::lower("reg").or(Remedy::FewerClusters));
        notes.push(Note { remedy, ..Note::warning(codes::FEWER_CLUSTERS, text) });
    } else if k > 1 {
        notes.extend(too_small(s, data, labels, k));
    }
    let stop = match (ctx.cancelled(), found.converged) {
        (true, _) => Stop::Cancelled,
        (false, true) => Stop::Converged,
        (false, false) => Stop::MaxIter,
    };
    Report {
        objective: found.objective,
        iterations: found.iterations,
        stop,
        trace: found.trace,
        notes,
        ..Report::idle()
    }
}

/// What is wrong with the smallest cluster, if anything is.
fn too_small<L>(s: &RowParams<L>, data: &Dataset<'_>, labels: &Labels, k: usize) -> Option<Note> {
    let mut held = vec![0.0; k];
    labels.iter().enumerate().for_each(|(i, &l)| held[l as usize] += data.weight(i));
    let least = held.iter().copied().fold(f64::INFINITY, f64::min) / held.iter().sum::<f64>();
    let rows = if data.weights().is_some() { "weight of the rows" } else { "rows" };
    let text = || {
        format!(
            "the smallest cluster holds {:.2} % of the {rows}, less than min_cluster_size asks; no initialization led to a more even split",
            100.0 * least
        )
    };
    (least < s.min_cluster_size.fraction(1.0)).then(|| Note::warning(codes::SMALL_CLUSTER, text()))
}

/// One cluster was asked for, or all rows are equal.
fn one_cluster<L: Link>(
    s: &RowParams<L>,
    data: &Dataset<'_>,
    mut notes: Vec<Note>,
) -> Result<Fit<RowModel<L>>> {
    let width = data.d();
    let model = RowModel::new(None, &Dense::zeros(1, width), &[0.0]);
    if s.n_clusters > 1 {
        let text = format!("found 1 cluster instead of {}: all rows are equal", s.n_clusters);
        notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
    }
    let labels = model.predict(data.x())?;
    Ok(Fit { model, labels, report: Report { notes, ..Report::idle() } })
}
