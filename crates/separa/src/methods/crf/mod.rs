//! CRF clustering: sequences are segmented so that their states are sure.
//!
//! Problem   min H(Y|X) + λ·‖W, b‖² + λ'·‖A‖² − β·H(ȳ),  P(y|x) ∝ exp(Σₜ f(xₜ, yₜ) + Σₜ A[yₜ, yₜ₊₁]) for each
//!           sequence, f = W·z + b, z the columns centred and scaled; H(Y|X) is that of whole sequences
//!           over the number of rows, ȳ the mean of the marginals.
//! Given     sequences of rows; rows without sequences are sequences of one. λ as a fraction `reg` of
//!           λ_c = λ_max(ZᵀZ/n)/(2k), λ' as a fraction `transition_reg` of (steps/n)/(2k²): above these w = 0
//!           is stable.
//! Returns   the lowest of n_init searches: down a path of falling λ, and from k-means.
//! Cost      n·k·(d + k) an evaluation, some hundreds of them; beyond 8192 rows they are made on windows
//!           of the sequences and some tens on all rows.
//! See       Dai & Hu (2010), (5)-(7), with one λ for all weights: a small one lets sequences freeze.

mod model;
mod params;
mod posterior;
mod sample;

pub use model::CrfModel;
pub use params::{Crf, Decoding};

use crate::assign::number;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::entropy::{
    Affine, Conditional, EntropyMinimum, EntropySearch, Scene, Settings, Trial, check_init, report,
    top_variance,
};
use crate::error::{Error, Result};
use crate::method::{Fit, Method};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, Params, check_counts};
use crate::progress::Event;
use crate::report::{InitializationReport, Report};
use posterior::{ChainPosterior, Stiffness};
use sample::windows;
use separa_math::chain::Sequences;
use separa_math::matrix::{Rows, Stored};
use separa_math::scaling::{ColumnStats, Scaler, ScalingKind};

impl Method for Crf {
    type Model = CrfModel;
    const SEQUENCES: bool = true;
    const PROBA: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<CrfModel>> {
        let s = p.settings().sized(data);
        check_counts::<Self>(data, p.n_clusters, 0)?;
        check_init::<Self, _>(&s, data)?;
        plan(p, data, ctx)?;
        let mut notes = Vec::new();
        if data.sequences().is_none() {
            let remedy = Remedy::NameGroups { kind: "sequence".into() };
            notes.push(Note::notice(codes::UNRELATED_ROWS, UNRELATED).with(remedy));
        }
        ctx.emit(Event::Phase { name: "columns" });
        let table = Searched::new(data)?;
        let scaler = ColumnStats::of(data.x(), &table.shares).scaler(ScalingKind::Shared);
        if p.n_clusters == 1 || scaler.columns.iter().all(|c| c.factor == 0.0) {
            return one_state(p, data, notes);
        }
        let outcome = search(p, &s, &table, scaler, ctx)?;
        let ((weights, intercepts), transitions) = outcome.rule;
        let transitions = data.sequences().map(|_| transitions);
        let mut model = CrfModel::new(weights, intercepts, transitions, p.decoding);
        let labels = number(&mut model, |m| m.predict_on(data), CrfModel::reorder)?;
        let report = report(&s, data, model.n_clusters(), &labels, outcome.found, notes, ctx);
        Ok(Fit {
            model,
            labels,
            report: Report { initializations: outcome.initializations, ..report },
        })
    }

    fn load(tensors: &Tensors) -> Result<CrfModel> {
        CrfModel::load(tensors)
    }
}

const UNRELATED: &str = "the rows are treated as unrelated, each a sequence of its own";

/// Buffers of the posterior, of all rows and of the windows; gradients and steps of L-BFGS.
fn plan(p: &Crf, data: &Dataset<'_>, ctx: &Ctx<'_>) -> Result<()> {
    let (n, d, k) = (data.n(), data.d(), p.n_clusters);
    let weights = (k * (d + 1 + k)) as u64;
    let windows = ChainPosterior::bytes(n.min(1 << 14), k) + 16 * (n.min(1 << 14) * d) as u64;
    let needed = ChainPosterior::bytes(n, k) + windows + 8 * weights * 40 + 40 * n as u64;
    let remedy = Remedy::FewerClusters.or(Remedy::RaiseMemory);
    ctx.memory.require(Crf::NAME, needed, remedy)
}

/// One state was asked for, or all rows are equal.
fn one_state(p: &Crf, data: &Dataset<'_>, mut notes: Vec<Note>) -> Result<Fit<CrfModel>> {
    let model = CrfModel::single(data.d(), data.sequences().is_some(), p.decoding);
    if p.n_clusters > 1 {
        let text = format!("found 1 cluster instead of {}: all rows are equal", p.n_clusters);
        notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
    }
    let labels = model.predict_on(data)?;
    Ok(Fit { model, labels, report: Report { notes, ..Report::idle() } })
}

/// The table as a search sees it.
struct Searched<'a> {
    data: &'a Dataset<'a>,
    sequences: Sequences,
    /// Of every row, summing to 1.
    shares: Vec<f64>,
    /// Of every sequence: the fraction of each of its rows.
    weights: Vec<f64>,
}

impl<'a> Searched<'a> {
    fn new(data: &'a Dataset<'a>) -> Result<Self> {
        let sequences = match data.sequences() {
            Some(ranges) => Sequences::new(ranges.to_vec()),
            None => Sequences::unrelated(data.n()),
        };
        // A weight counts whole sequences; one of its rows cannot count twice.
        for (s, range) in sequences.ranges().iter().enumerate() {
            let first = data.weight(range.start);
            if let Some(i) = range.clone().find(|&i| data.weight(i) != first) {
                let (sequence, row) = (s + 1, i - range.start + 1);
                return Err(Error::SequenceWeights { sequence, row, found: data.weight(i), first });
            }
        }
        let total: f64 = (0..data.n()).map(|i| data.weight(i)).sum();
        let shares: Vec<f64> = (0..data.n()).map(|i| data.weight(i) / total).collect();
        let weights = sequences.ranges().iter().map(|range| shares[range.start]).collect();
        Ok(Self { data, sequences, shares, weights })
    }
}

/// What a search led to.
struct Outcome {
    found: EntropyMinimum,
    initializations: Vec<InitializationReport>,
    /// Weights and intercepts for rows as they are stored, and transitions.
    rule: ((separa_math::matrix::Dense, Vec<f64>), Vec<f64>),
}

/// All initializations, on windows where there are many rows; then all rows.
fn search(
    p: &Crf,
    s: &Settings,
    table: &Searched<'_>,
    mut scaler: Scaler,
    ctx: &mut Ctx<'_>,
) -> Result<Outcome> {
    let (x, k) = (table.data.x(), p.n_clusters);
    let windows = windows(&table.sequences, &table.weights, ctx.seed);
    let few = windows.as_ref().map(|w| (w, Stored::of(&x, &w.index)));
    let matrix = few.as_ref().map_or(x, |(_, rows)| rows.matrix());
    let (sequences, weights) = few
        .as_ref()
        .map_or((&table.sequences, &table.weights), |(w, _)| (&w.sequences, &w.weights));
    let lengths = sequences.ranges().iter().map(std::ops::Range::len);
    let shares: Vec<f64> =
        weights.iter().zip(lengths).flat_map(|(w, n)| std::iter::repeat_n(*w, n)).collect();
    let stretched = scaler.uncentred().apply(matrix);
    // One unit for all: the largest variance is 1, so that λ_c is 1/2k and the bias a column like it.
    let top = top_variance(&matrix, &scaler, &shares, ctx.seed)?;
    let unit = if top > 0.0 { top.sqrt().recip() } else { 1.0 };
    scaler.stretch(unit);
    let search = EntropySearch::of(s, p.reg, 1.0 / (2.0 * k as f64));
    let stiffness = stiffness(p, &search, &table.sequences, &table.weights);
    let affine = |rows| Affine { rows, scaler: &scaler, k };
    let scene = Scene { rows: stretched.as_ref(), shares: &shares, seed: ctx.seed };
    let rows: &dyn Rows = &matrix;
    let mut posterior = ChainPosterior::new(affine(rows), sequences, weights, stiffness);
    let index = few.as_ref().map(|(w, _)| w.index.as_slice());
    let trial = Trial { params: s, search: &search, scene: &scene };
    let (mut found, initializations) = trial.best(&mut posterior, index, ctx)?;
    drop(posterior);
    let whole: &dyn Rows = &x;
    if few.is_some() && !ctx.cancelled() {
        let (sequences, weights) = (&table.sequences, &table.weights);
        let mut posterior = ChainPosterior::new(affine(whole), sequences, weights, stiffness);
        // Windows without a step leave transitions to all rows.
        found.w.resize(posterior.n_params(), 0.0);
        found = trial.last_word(&mut posterior, found, ctx);
    }
    let transitions = match &found.w[k * (x.cols() + 1)..] {
        [] => vec![0.0; k * k],
        found => found.to_vec(),
    };
    let rule = (affine(whole).rule(&found.w), transitions);
    Ok(Outcome { found, initializations, rule })
}

/// Transitions have a critical λ of their own: without emissions, the entropy of a step falls by
/// ‖A‖²/(2k²) near A = 0.
fn stiffness(p: &Crf, search: &EntropySearch, sequences: &Sequences, weights: &[f64]) -> Stiffness {
    let steps: f64 =
        sequences.ranges().iter().zip(weights).map(|(r, w)| w * (r.len() - 1) as f64).sum();
    let critical = steps / (2 * p.n_clusters * p.n_clusters) as f64;
    Stiffness {
        last: p.transition_reg * critical,
        slope: 2.0 * critical / search.critical,
        reg: search.strengths.reg,
    }
}

#[cfg(test)]
mod tests;
