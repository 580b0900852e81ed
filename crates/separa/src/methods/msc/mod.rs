//! Maximal separation clustering: clusters far from a boundary in the space of distances.
//!
//! Problem   max Σᵢ f(xᵢ)²  over f(x) = Σⱼ wⱼ d(x, xⱼ), ‖w‖ = 1, Σᵢ αᵢf(xᵢ) = 0; rows go by f(x) ≥ t.
//! Given     any distance d of two rows, weights α.
//! Returns   a tree of such functions, one split after the other until there are n_clusters parts.
//! Cost      n²·d/2 for the distances and a few dozen products with them a split; n·m·d with m
//!           landmarks. Memory n²/2 numbers, or n·m.
//! See       Chen & Bi, Clustering by Maximizing Sum-of-Squared Separation Distance.

mod bags;
mod choices;
mod cut;
mod direction;
mod model;
mod params;
mod plan;
mod scaled;
mod source;
mod split;
mod stored;
mod tree;
mod width;

pub use choices::{GammaOrAuto, MetricChoice, MscSplit, Objective, RowWeights, Threshold};
pub use model::MscModel;
pub use params::Msc;

use crate::assign::canonical;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::method::{Fit, Method};
use crate::model::{Labels, Model};
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, bad_param, check_counts};
use crate::progress::Event;
use crate::report::{InitializationReport, Report};
use bags::{Bagged, StoredBags, Things};
use model::{MscNode, TrainingPoints};
use separa_math::distance::{Measure, check_distances, gower_factors};
use separa_math::matrix::{Dense, Stored, pick};
use separa_math::scaling::Scaler;
use source::DistanceSource;
use split::Setting;
use tree::MscTree;

impl Method for Msc {
    type Model = MscModel;

    const BAGS: bool = true;
    const FLAT: bool = false;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<MscModel>> {
        refuse(p, data)?;
        if p.metric == MetricChoice::Gower {
            return fit_gower(p, data, ctx);
        }
        fit_rows(p, data, ctx)
    }

    fn load(tensors: &Tensors) -> Result<MscModel> {
        MscModel::load(tensors)
    }
}

/// Gower's distance is the Manhattan distance of rows on a scale of their own, which the model keeps.
fn fit_gower(p: &Msc, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<MscModel>> {
    let scaler = Scaler::from_factors(&gower_factors(&data.x(), data.features()));
    let rows = scaler.stored(&data.x());
    let mut fit = fit_rows(p, &data.rescaled(rows.matrix()), ctx)?;
    fit.model.scaler = Some(scaler);
    Ok(fit)
}

fn fit_rows(p: &Msc, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<MscModel>> {
    let mut notes = Vec::new();
    let kept: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    let plan = plan::choose(p, data, kept.len(), ctx, &mut notes)?;
    let (counts, mean) = relative(kept.iter().map(|&i| data.weight(i)));
    let alpha = match &p.weights {
        RowWeights::Given(alpha) => Some(relative(kept.iter().map(|&i| alpha[i])).0),
        _ => None,
    };

    // Rows without weight take no part.
    let some = kept.len() < data.n();
    let extents: Option<Vec<_>> =
        data.bags().map(|all| kept.iter().map(|&i| all[i].clone()).collect());
    let gathered = (some && extents.is_none()).then(|| Stored::of(&data.x(), &kept));
    let x = gathered.as_ref().map_or(data.x(), Stored::matrix);
    let things = match &extents {
        Some(extents) => Things::Bags(Bagged { x, extents }),
        None => Things::Rows(x),
    };
    let table =
        if p.metric == MetricChoice::Precomputed { Some(distances(data, &kept)?) } else { None };
    let (source, initializations) = match &table {
        Some(table) => (DistanceSource::Given(table), Vec::new()),
        None => {
            let (measure, initializations) = measure(p, things, &counts, alpha.as_deref(), ctx)?;
            (things.by(measure), initializations)
        }
    };
    notes.extend(initializations.iter().find(|s| s.chosen).map(|s| {
        let (of, name) = (initializations.len(), &s.name);
        let text = format!("the kernel width was chosen by the margin of {of} widths: {name}");
        Note::notice(codes::KERNEL_WIDTH_CHOSEN, text)
    }));
    let setting = Setting {
        params: p,
        source,
        counts: &counts,
        unit: match p.objective {
            Objective::Separation => mean * mean,
            Objective::Dcut => mean,
        },
        alpha: alpha.as_deref(),
        plan,
        seed: ctx.seed,
    };
    let tree = tree::grow(&setting, p.n_clusters, ctx)?;
    let report = report(p, &tree, kept.len(), data.things(), initializations, notes, ctx);
    let (model, labels) = finish(&setting, tree, &kept, data)?;
    Ok(Fit { model, labels, report })
}

/// What the table rules out.
fn refuse(p: &Msc, data: &Dataset<'_>) -> Result<()> {
    let n = data.n();
    check_counts::<Msc>(data, p.n_clusters, p.landmarks)?;
    if data.bags().is_some() && p.metric == MetricChoice::Precomputed {
        let expected = "a distance of two rows where bags are clustered (bags are measured by it; a table of their distances is given without bags)";
        return bad_param::<Msc, _>("metric", expected, "\"precomputed\"");
    }
    match &p.weights {
        RowWeights::Given(alpha) if alpha.len() != n => {
            let expected = format!("one number a {} ({n})", data.things().trim_end_matches('s'));
            bad_param::<Msc, _>("weights", expected, format!("{} numbers", alpha.len()))
        }
        _ => Ok(()),
    }
}

/// Numbers over their mean, and the mean.
fn relative(numbers: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, f64) {
    // The largest goes first, so that the sum stays within range.
    let top = numbers.clone().fold(0.0, f64::max);
    let shares: Vec<f64> = numbers.map(|v| v / top).collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    (shares.iter().map(|v| v / mean).collect(), top * mean)
}

/// The table as distances between the rows that take part.
fn distances(data: &Dataset<'_>, kept: &[usize]) -> Result<Dense> {
    let all: Vec<usize> = (0..data.n()).collect();
    let table = pick(&data.x(), &all);
    check_distances(&table)?;
    if kept.len() == data.n() {
        return Ok(table);
    }
    let mut out = Dense::zeros(kept.len(), kept.len());
    for (r, &i) in kept.iter().enumerate() {
        out.row_mut(r).iter_mut().zip(kept).for_each(|(v, &j)| *v = table.row(i)[j]);
    }
    Ok(out)
}

fn measure(
    p: &Msc,
    things: Things<'_>,
    counts: &[f64],
    alpha: Option<&[f64]>,
    ctx: &mut Ctx<'_>,
) -> Result<(Measure, Vec<InitializationReport>)> {
    if let Some(metric) = p.metric.metric() {
        return Ok((metric.into(), Vec::new()));
    }
    let kernel = width::median(p, things, counts, ctx.seed);
    if p.gamma != GammaOrAuto::Auto || !width::has_width(kernel) || p.n_clusters == 1 {
        return Ok((kernel.distance(), Vec::new()));
    }
    ctx.emit(Event::Phase { name: "kernel width" });
    let (kernel, initializations) = width::choose(p, things, counts, alpha, kernel, ctx)?;
    Ok((kernel.distance(), initializations))
}

fn report(
    p: &Msc,
    tree: &MscTree,
    n: usize,
    things: &str,
    initializations: Vec<InitializationReport>,
    mut notes: Vec<Note>,
    ctx: &Ctx<'_>,
) -> Report {
    let found = tree.parts.len();
    if found < p.n_clusters && !ctx.cancelled() {
        let text = format!(
            "found {found} clusters instead of {}: the distances separate no more {things}",
            p.n_clusters
        );
        notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
    }
    if tree.arbitrary {
        let text = "all distances within a part are equal, so no split of it is better than another: it was split in the order of its rows";
        notes.push(Note::warning(codes::EQUAL_DISTANCES, text));
    }
    if tree.upside_down {
        let text = "the chosen eigenvalue of the distance matrix is positive, as can happen when the metric is not Euclidean: distant rows share a cluster";
        let remedy = Remedy::set("objective", "dcut");
        notes.push(Note::warning(codes::POSITIVE_EIGENVALUE, text).with(remedy));
    }
    if let Some(rows) = tree.thin {
        let text = format!(
            "a split leaves {:.2} % of the {things} on one side, less than min_cluster_size asks: they may be outliers rather than a cluster",
            100.0 * rows / n as f64
        );
        let remedy = Remedy::FewerClusters.or(Remedy::set("metric", "kernel"));
        notes.push(Note::warning(codes::SMALL_CLUSTER, text).with(remedy));
    }
    if tree.moved {
        let rule = if p.threshold == Threshold::Zero { "zero" } else { "otsu" };
        let text = format!(
            "the split of threshold={rule} leaves fewer {things} on one side than min_cluster_size allows, so that another was used"
        );
        let remedy = Remedy::set("min_cluster_size", 1);
        notes.push(Note::warning(codes::THRESHOLD_MOVED, text).with(remedy));
    }
    if tree.rests {
        let text = format!(
            "a split leaves as few {things} on one side as min_cluster_size allows, and fewer would be better by the disparity cut: they may be outliers"
        );
        let remedy = Remedy::change("min_cluster_size");
        notes.push(Note::notice(codes::SIZE_LIMIT_BINDS, text).with(remedy));
    }
    if !tree.converged {
        let text = "an eigenvector was not found to the tolerance";
        notes.push(Note::warning(codes::NOT_CONVERGED, text).with(Remedy::raise("max_iter")));
    }
    Report {
        objective: tree.trace.last().copied().unwrap_or(0.0),
        iterations: tree.nodes.len(),
        stop: ctx.stop(tree.converged),
        initializations,
        trace: tree.trace.clone(),
        notes,
        ..Report::idle()
    }
}

/// The model with its clusters numbered by first appearance, and the labels of all rows.
fn finish(
    setting: &Setting<'_>,
    tree: MscTree,
    kept: &[usize],
    data: &Dataset<'_>,
) -> Result<(MscModel, Labels)> {
    let mut nodes = tree.nodes;
    let frame = match setting.source {
        DistanceSource::Given(_) => {
            nodes.iter_mut().for_each(|n| n.points.iter_mut().for_each(|i| *i = kept[*i]));
            TrainingPoints::Distances(data.d())
        }
        DistanceSource::Rows { x, measure } => {
            TrainingPoints::Rows { points: Stored::of(&x, &pack(&mut nodes, x.rows())), measure }
        }
        DistanceSource::Bags { bags, measure } => {
            let used = pack(&mut nodes, bags.extents.len());
            TrainingPoints::Bags(StoredBags::gather(bags, &used, measure))
        }
    };
    let mut model = MscModel { frame, nodes, scaler: None };
    let labels = if kept.len() == data.n() {
        let mut labels = vec![0; data.n()];
        for (c, part) in tree.parts.iter().enumerate() {
            part.iter().for_each(|&i| labels[i] = c as i32);
        }
        labels
    } else {
        model.predict_on(data)?
    };
    let (labels, order) = canonical(&labels);
    model.renumber(&order);
    Ok((model, labels))
}

/// The rows or bags that a split takes distances to, which are all that a model keeps; the nodes name
/// them by their places among these.
fn pack(nodes: &mut [MscNode], n: usize) -> Vec<usize> {
    let mut used: Vec<usize> = nodes.iter().flat_map(|n| n.points.clone()).collect();
    used.sort_unstable();
    used.dedup();
    if used.is_empty() {
        // One cluster: the first says how many columns there are.
        used.push(0);
    }
    let mut place = vec![0; n];
    used.iter().enumerate().for_each(|(r, &i)| place[i] = r);
    nodes.iter_mut().for_each(|n| n.points.iter_mut().for_each(|i| *i = place[*i]));
    used
}
