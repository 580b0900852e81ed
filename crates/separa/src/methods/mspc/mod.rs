//! Maximin separation probability clustering (Huang, Zhang, Song & Chen, AAAI 2015).
//!
//! Problem   max over labels y and hyperplanes w of κ = |wᵀ(μ₁−μ₂)| / Σₖ √wᵀ(Σₖ+λΛ)w (3).
//! Given     rows, the number of clusters, λ; Λ = diag(Σ), which is I in the standardised space
//!           where everything below happens.
//! Returns   labels, a rule for new rows, and p = κ²/(1+κ²).
//! Cost      one pass for the moments, then N·d an iteration and, for two clusters, d³/3 a few times.
//!
//! Beyond the paper: a robust scaler, initializations that never see units, a held-out choice between
//! them, and K > 2. docs/methods/mspc.md says why and gives the measurements.

mod initializations;
mod kernel;
mod model;
mod params;
mod passes;
mod rivals;
mod rule;
mod two;

pub use model::MspcModel;
pub use params::{KernelName, Mspc, Outliers, Solver};

use crate::assign::{self, known::distinct_rows};
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::method::{Fit, Method};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes, thousands};
use crate::params::{Checked, Init, Params, Scaling, bad_param};
use crate::pass::PassRule;
use crate::progress::Event;
use crate::report::{InitializationReport, Report, Stop};
use crate::start::iterations::{self, Settled};
use crate::start::scaling::{self, Distances};
use crate::start::span::Span;
use crate::start::standardised::Standardised;
use rule::MspcRule;
use separa_math::kernel::feature_map::FeatureMap;
use separa_math::matrix::{Dense, Rows};
use separa_math::par;
use separa_math::scaling::{RobustFit, Scaler};
use std::collections::HashSet;

use initializations::{
    Chosen, Kind, Rival, Spaces, floor_of, runs_over, smallest_share, try_initializations,
};
use kernel::kernel_features;
use rivals::End;
use two::TwoClusters;

impl Method for Mspc {
    type Model = MspcModel;
    const SCALES: bool = true;
    const SUGGESTIONS: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<MspcModel>> {
        check_data(p, data, ctx)?;
        let distinct = distinct_rows(data, p.n_clusters);
        if (2..p.n_clusters).contains(&distinct) && !matches!(p.init, Init::Labels(_)) {
            return run_with_fewer(p, data, distinct, ctx);
        }
        ctx.emit(Event::Phase { name: "scaling columns" });
        let mut fit = RobustFit::of(data.x(), data.weights(), p.robust, ctx.seed);
        let curved = p.kernel != KernelName::Linear;
        let choice = match p.scaling {
            Scaling::Auto if curved || initializations::need_scaling(p) => {
                Some(scaling::choose(data, p.n_clusters, ctx)?)
            }
            _ => None,
        };
        let scaling = choice.map_or(p.scaling, scaling::Choice::scaling);
        let ratio = (scaling == Scaling::Contraharmonic)
            .then(|| fit.contraharmonic(data.x(), data.weights()));
        fit.scaler.weigh_features(data.features());
        if let (true, Some(ratio)) = (curved, &ratio) {
            fit.scaler.stretch_each(ratio);
        }
        let categories = data.features().is_some_and(has_repeats);
        let scaler = &fit.scaler;
        let mark = p.outliers == Outliers::Mark;
        if p.n_clusters == 1 {
            let scaler = scaler.clone();
            let model = MspcModel { scaler, features: None, rule: MspcRule::One, mark };
            return finish(p, data, &fit, model, Report::idle(), ctx);
        }
        if scaler.columns.is_empty() {
            return Err(Error::ConstantTable);
        }
        let weights = scaling::without(data.weights(), data.n(), &fit.outliers);
        let view = scaler.view(data.x());
        let kept = keep(&view);
        let z: &dyn Rows = match &kept {
            Some(table) => table,
            None => &view,
        };
        ctx.emit(Event::Phase { name: "moments" });
        let (features, rule, mut report) = match space(p, z, weights.as_deref(), ctx)? {
            Space::Columns => {
                let lengths = scaler.scales();
                let squared = ratio.as_ref().map(|r| r.iter().map(|r| r * r).collect::<Vec<_>>());
                let spaces = Spaces {
                    categories,
                    scaling,
                    contraharmonic: ratio.as_deref().map(Distances::Lengths),
                    squared: squared.as_deref().map(Distances::Lengths),
                    raw: Some(Distances::Lengths(&lengths)),
                };
                let (rule, report) = fit_in(p, z, weights.as_deref(), spaces, ctx)?;
                (None, rule, report)
            }
            Space::Span(span) => {
                let seen = |scaler: &Scaler| Span::of(&scaler.view(data.x()));
                let raw = initializations::wants(p, scaling, Kind::Raw)
                    .then(|| seen(&scaler.unscaled()))
                    .transpose()?;
                let stretched = |ratio: &Vec<f64>| {
                    let mut other = scaler.clone();
                    other.stretch_each(ratio);
                    seen(&other)
                };
                let asked = initializations::wants(p, scaling, Kind::Contraharmonic);
                let other = ratio.as_ref().filter(|_| asked).map(stretched).transpose()?;
                let spaces = Spaces {
                    categories,
                    scaling,
                    contraharmonic: other.as_ref().map(|s| Distances::Rows(&s.coordinates)),
                    // Another span of all rows costs more than it brings.
                    squared: None,
                    raw: raw.as_ref().map(|s| Distances::Rows(&s.coordinates)),
                };
                let (rule, report) = fit_in(p, &span.coordinates, weights.as_deref(), spaces, ctx)?;
                (None, leave_span(rule, &span), report)
            }
            Space::Kernel(map) => {
                let spaces =
                    Spaces { categories, scaling, contraharmonic: None, squared: None, raw: None };
                let (rule, report) = fit_in(p, &map.apply(z), weights.as_deref(), spaces, ctx)?;
                (Some(map), rule, report)
            }
        };
        report.notes.extend(choice.map(scaling::Choice::note));
        let model = MspcModel { scaler: scaler.clone(), features, rule, mark };
        finish(p, data, &fit, model, report, ctx)
    }

    fn load(tensors: &Tensors) -> Result<MspcModel> {
        MspcModel::load(tensors)
    }

    fn passes(p: &Checked<Self>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        passes::begin(p, tensors)
    }
}

/// As many clusters as there are different rows, and a word about it.
fn run_with_fewer(
    p: &Checked<Mspc>,
    data: &Dataset<'_>,
    distinct: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Fit<MspcModel>> {
    // It has more clusters than these.
    ctx.suggested = None;
    let fewer = Checked::new(Mspc { n_clusters: distinct, ..(**p).clone() })?;
    let mut fit = Mspc::run(&fewer, data, ctx)?;
    let text = format!(
        "found {distinct} clusters instead of {}: the table has no more distinct rows",
        p.n_clusters
    );
    fit.report.notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
    Ok(fit)
}

fn check_data(p: &Checked<Mspc>, data: &Dataset<'_>, ctx: &Ctx<'_>) -> Result<()> {
    let (n, d, k) = (data.n(), data.d(), p.n_clusters);
    if k > n {
        return bad_param::<Mspc, ()>("n_clusters", format!("at most the number of rows ({n})"), k);
    }
    if k > 2 && p.solver != Solver::Mpm {
        return bad_param::<Mspc, ()>(
            "solver",
            "mpm for more than two clusters (the others need n_clusters = 2)",
            format!("{:?}", p.solver).to_lowercase(),
        );
    }
    if let Init::Labels(labels) = &p.init
        && labels.len() != n
    {
        return bad_param::<Mspc, ()>(
            "init",
            format!("one label per row ({n})"),
            format!("{} labels", labels.len()),
        );
    }
    let kernel = p.kernel != KernelName::Linear;
    let width = if kernel { p.landmarks.min(n) } else { d.min(n) };
    let table = if kernel {
        2 * n * width
    } else if d > n {
        2 * n * d + 2 * n * n
    } else {
        0
    };
    // Moments in flight, their factors, projections and scores.
    let kept = (n * d).min(KEPT_BYTES / 8);
    let words = table + kept + 10 * width * width + n * (k + 8);
    let remedy = if kernel {
        Remedy::FewerLandmarks.or(Remedy::RaiseMemory)
    } else {
        Remedy::DropColumns.or(Remedy::RaiseMemory)
    };
    ctx.memory.require(Mspc::NAME, 8 * words as u64, remedy)
}

/// Standardised rows up to this size are kept, larger ones are mapped again in every pass.
const KEPT_BYTES: usize = 64 << 20;

fn keep(view: &dyn Rows) -> Option<Dense> {
    let (n, d) = (view.n_rows(), view.n_cols());
    if 8 * n * d > KEPT_BYTES {
        return None;
    }
    let mut table = Dense::zeros(n, d);
    par::fill_chunks(table.data_mut(), d, |range, part| {
        range.zip(part.chunks_exact_mut(d)).for_each(|(i, row)| view.copy_row(i, row));
    });
    Some(table)
}

/// Where the fit happens.
enum Space {
    Columns,
    Span(Span),
    Kernel(FeatureMap),
}

fn space(p: &Mspc, z: &dyn Rows, weights: Option<&[f64]>, ctx: &Ctx<'_>) -> Result<Space> {
    if p.kernel != KernelName::Linear {
        return Ok(Space::Kernel(kernel_features(z, weights, p, ctx.seed)?));
    }
    if z.n_cols() > z.n_rows() {
        return Ok(Space::Span(Span::of(z)?));
    }
    Ok(Space::Columns)
}

fn has_repeats(features: &[usize]) -> bool {
    features.iter().collect::<HashSet<_>>().len() < features.len()
}

/// Rules of the span's coordinates are rules of the columns.
fn leave_span(rule: MspcRule, span: &Span) -> MspcRule {
    match rule {
        MspcRule::Plane { w, b, swap } => {
            let w = Dense::from_vec(1, w.len(), w).expect("one row of weights");
            MspcRule::Plane { w: span.directions(&w).into_vec(), b, swap }
        }
        MspcRule::Vote { basis, vote, order } => {
            MspcRule::Vote { basis: span.directions(&basis), vote, order }
        }
        MspcRule::One => MspcRule::One,
    }
}

/// Initializations, choice, iterations: the method itself, on standardised rows.
fn fit_in(
    p: &Mspc,
    rows: &dyn Rows,
    weights: Option<&[f64]>,
    spaces: Spaces<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<(MspcRule, Report)> {
    let shared = Standardised::new(rows, weights, p.reg, ctx.seed)?;
    if matches!(p.solver, Solver::Eig | Solver::EigPaper) {
        let printed = match (p.solver, spaces.raw) {
            (Solver::Eig, _) => None,
            (_, Some(Distances::Lengths(lengths))) => Some(lengths),
            _ => {
                let expected = "eig, mpm or gep with a kernel or with more columns than rows";
                return bad_param::<Mspc, _>("solver", expected, "eig-paper");
            }
        };
        return Ok(planar(two::by_eig(&shared, printed, ctx.seed)?, Vec::new()));
    }
    if let Init::Labels(labels) = &p.init {
        let start = given(p, &shared, labels)?;
        return if p.n_clusters == 2 {
            let plane = solve_two(p, &shared, start, ctx)?;
            Ok(planar(plane, vec![lone_start("given")]))
        } else {
            let settled =
                iterations::improve(&shared, start, p.n_clusters, p.max_iter, p.tol, ctx)?;
            Ok(voted(settled, vec![lone_start("given")]))
        };
    }
    let Chosen { rivals, mut initializations } = try_initializations(p, &shared, spaces, ctx)?;
    let mut ends = Vec::with_capacity(rivals.len());
    for Rival { place, lead, gaps, settled } in rivals {
        if ends.is_empty() || !ctx.cancelled() {
            let (rule, report, labels) = go_on_from(p, &shared, settled, gaps, ctx)?;
            ends.push(End { place, lead, rule, report, labels });
        }
    }
    let (best, note) = rivals::decide(&shared, spaces.chosen(), &ends, ctx, &mut initializations)?;
    let End { rule, mut report, .. } = ends.swap_remove(best);
    report.initializations = initializations;
    report.notes.extend(note);
    Ok((rule, report))
}

/// An initialization's rule, iterated to its end, and the labels of all rows.
fn go_on_from(
    p: &Mspc,
    shared: &Standardised<'_>,
    settled: Settled,
    gaps: bool,
    ctx: &mut Ctx<'_>,
) -> Result<(MspcRule, Report, Vec<u32>)> {
    if p.n_clusters > 2 {
        let settled = go_on(p, shared, settled, ctx)?;
        let labels = settled.labels.clone();
        let (rule, report) = voted(settled, Vec::new());
        return Ok((rule, report, labels));
    }
    // A small cluster behind a wide gap must neither shrink to a few of its rows nor grow over the gap.
    let before = smallest_share(shared, &settled.labels, 2);
    let floor = match floor_of(p, shared.total_weight()) {
        floor if before < floor => 0.5 * before,
        floor => floor,
    };
    let plane = solve_two(p, shared, settled.labels.clone(), ctx)?;
    let after = smallest_share(shared, &plane.labels, 2);
    if after < floor || gaps && runs_over(before, after) {
        let text = "the full-dimensional iterations ran over a gap or into a few rows; the initialization's own rule is kept";
        let labels = settled.labels.clone();
        let (rule, mut report) = planar(as_plane(settled), Vec::new());
        report.notes.push(Note::warning(codes::SMALL_CLUSTER, text));
        return Ok((rule, report, labels));
    }
    let labels = plane.labels.clone();
    let (rule, report) = planar(plane, Vec::new());
    Ok((rule, report, labels))
}

/// The chosen initialization's iterations, to their end on all rows; iterations on a sample do not count.
fn go_on(
    p: &Mspc,
    shared: &Standardised<'_>,
    before: Settled,
    ctx: &mut Ctx<'_>,
) -> Result<Settled> {
    let whole = before.labels.len() == before.tried;
    let done = if whole { before.iterations } else { 0 };
    if (whole && before.stop != Stop::MaxIter) || done >= p.max_iter || ctx.cancelled() {
        return Ok(before);
    }
    let left = p.max_iter - done;
    let mut after = iterations::improve(shared, before.labels, p.n_clusters, left, p.tol, ctx)?;
    after.iterations += done;
    after.trace.splice(0..0, before.trace[..done].iter().copied());
    Ok(after)
}

fn solve_two(
    p: &Mspc,
    shared: &Standardised<'_>,
    start: Vec<u32>,
    ctx: &mut Ctx<'_>,
) -> Result<TwoClusters> {
    match p.solver {
        Solver::Gep => two::by_gep(shared, start, p.max_iter, ctx),
        _ => two::by_mpm(shared, start, p.max_iter, ctx),
    }
}

/// Given labels as 0..k; every cluster must be named.
fn given(p: &Mspc, shared: &Standardised<'_>, labels: &[i32]) -> Result<Vec<u32>> {
    let (canonical, order) = assign::canonical(labels);
    if order.len() != p.n_clusters || canonical.contains(&-1) {
        let found = match canonical.iter().position(|l| *l < 0) {
            Some(i) => format!("{} for row {}", labels[i], i + 1),
            None => format!("{} clusters", order.len()),
        };
        let expected = format!("labels of exactly {} clusters, none negative", p.n_clusters);
        return bad_param::<Mspc, _>("init", expected, found);
    }
    let start: Vec<u32> = canonical.into_iter().map(|l| l as u32).collect();
    if smallest_share(shared, &start, p.n_clusters) <= 0.0 {
        let expected = "labels that give every cluster a row of positive weight that is no outlier";
        return bad_param::<Mspc, _>("init", expected, "a cluster without one");
    }
    Ok(start)
}

fn lone_start(name: &str) -> InitializationReport {
    InitializationReport { name: name.into(), score: 0.0, iterations: 0, chosen: true }
}

/// The vote between two clusters is one hyperplane; cluster 0 is its upper side.
fn as_plane(settled: Settled) -> TwoClusters {
    let q = settled.basis.rows();
    let rule = settled.vote.pairs().row(0);
    let mut w = vec![0.0; settled.basis.cols()];
    for r in 0..q {
        w.iter_mut().zip(settled.basis.row(r)).for_each(|(x, v)| *x += rule[r] * v);
    }
    TwoClusters {
        w,
        b: rule[q],
        labels: settled.labels,
        objective: settled.vote.worst,
        iterations: settled.iterations,
        stop: settled.stop,
        trace: settled.trace,
    }
}

fn planar(plane: TwoClusters, initializations: Vec<InitializationReport>) -> (MspcRule, Report) {
    let TwoClusters { w, b, objective, iterations, stop, trace, .. } = plane;
    let report = Report { objective, iterations, stop, initializations, trace, ..Report::idle() };
    (MspcRule::Plane { w, b, swap: false }, report)
}

fn voted(settled: Settled, initializations: Vec<InitializationReport>) -> (MspcRule, Report) {
    let Settled { basis, vote, iterations, stop, trace, .. } = settled;
    let report = Report {
        objective: vote.worst,
        iterations,
        stop,
        initializations,
        trace,
        ..Report::idle()
    };
    let order = (0..vote.n_clusters()).collect();
    (MspcRule::Vote { basis, vote, order }, report)
}

/// Labels by the model's own rule, numbered by first appearance, and what the user should know.
fn finish(
    p: &Mspc,
    data: &Dataset<'_>,
    fit: &RobustFit,
    mut model: MspcModel,
    mut report: Report,
    ctx: &Ctx<'_>,
) -> Result<Fit<MspcModel>> {
    if ctx.cancelled() {
        report.stop = Stop::Cancelled;
    }
    let (_, seen) = assign::canonical(&model.predict(data.x())?);
    match &mut model.rule {
        MspcRule::One => {}
        MspcRule::Plane { swap, .. } => *swap = seen.first() == Some(&1),
        MspcRule::Vote { order, .. } => {
            let unseen: Vec<usize> = (0..order.len()).filter(|c| !seen.contains(c)).collect();
            *order = seen.iter().copied().chain(unseen).collect();
        }
    }
    let labels = model.predict(data.x())?;
    let k = model.n_clusters();
    let sizes = assign::sizes(&labels, k);
    remark(p, data, fit, &sizes, &mut report);
    Ok(Fit { model, labels, report })
}

fn remark(p: &Mspc, data: &Dataset<'_>, fit: &RobustFit, sizes: &[usize], report: &mut Report) {
    let dropped = fit.scaler.dropped();
    if !dropped.is_empty() {
        let names: Vec<String> = dropped.iter().take(5).map(|&j| data.column_name(j)).collect();
        let more = dropped.len().saturating_sub(5);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let text = format!(
            "{} column{} with one value in (nearly) all rows left out: {}{tail}",
            dropped.len(),
            if dropped.len() == 1 { "" } else { "s" },
            names.join(", "),
        );
        let remedy = p.robust.then(|| Remedy::set("robust", false));
        report.notes.push(Note { remedy, ..Note::notice(codes::CONSTANT_COLUMNS, text) });
    }
    if !fit.outliers.is_empty() {
        report.outliers.clone_from(&fit.outliers);
        let mark = p.outliers == Outliers::Mark;
        let text = format!(
            "{} rows are outliers in most columns; they did not take part in the fit, are left out of its quality and were {}",
            thousands(fit.outliers.len()),
            if mark { "labelled -1" } else { "labelled by the rule" }
        );
        let other = Remedy::set("outliers", "mark").or(Remedy::set("robust", false));
        let remedy = (!mark).then_some(other);
        report.notes.push(Note { remedy, ..Note::notice(codes::OUTLIERS, text) });
    }
    let smallest = sizes.iter().copied().min().unwrap_or(0);
    let share = smallest as f64 / data.n() as f64;
    if share < floor_of(p, data.n() as f64) {
        let text = format!(
            "the smallest cluster holds {} of {} rows ({:.2} %), less than min_cluster_size asks: it may be outliers rather than a cluster",
            thousands(smallest),
            thousands(data.n()),
            100.0 * share
        );
        let remedy = Remedy::FewerClusters.or(Remedy::set("outliers", "mark"));
        report.notes.push(Note::warning(codes::SMALL_CLUSTER, text).with(remedy));
    }
    if report.stop == Stop::MaxIter {
        let text = format!("labels still changed after {} iterations", report.iterations);
        let remedy = Remedy::raise("max_iter");
        report.notes.push(Note::warning(codes::NOT_CONVERGED, text).with(remedy));
    }
}
