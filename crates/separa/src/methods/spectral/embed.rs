//! From the table to rows among eigenvectors.

use super::Job;
use super::affinities::{self, knn, rbf};
use super::cut::Cuttable;
use super::extension::{Extension, Kind, last_scale};
use super::params::{Affinity, NcutThreshold, Spectral, Variant};
use super::vectors::{leading, leading_of_landmarks, second};
use crate::context::Ctx;
use crate::error::{Result, bytes};
use crate::note::{Note, Remedy, codes};
use crate::params::{Gamma, Params, typical_rows};
use crate::progress::Event;
use crate::start::graph_notes::{components, inexact};
use separa_math::distance::{Metric, check_affinities, median_gamma};
use separa_math::kernel::landmarks;
use separa_math::matrix::{Dense, Rows, Stored, Subset};
use separa_math::neighbours::{Affinities, Neighbours, NormalisedGraph, self_tuning};

/// Rows among the eigenvectors, and what they came from.
pub(super) struct SpectralEmbedding {
    pub extension: Extension,
    /// Of all rows of the table.
    pub rows: Dense,
    pub graph: Box<dyn Cuttable>,
}

pub(super) fn embed(
    job: &Job<'_>,
    notes: &mut Vec<Note>,
    ctx: &mut Ctx<'_>,
) -> Result<SpectralEmbedding> {
    let (p, x) = (job.p, job.data.x());
    if p.affinity == Affinity::Precomputed {
        check_affinities(x)?;
    }
    let landmarks = plan(job, notes, ctx)?;
    let subset = Subset { rows: &x, index: &job.kept };
    let rows: &dyn Rows = if job.kept.len() == x.rows() { &x } else { &subset };
    if landmarks > 0 {
        return embed_by_landmarks(job, rows, landmarks, notes, ctx);
    }

    // The graph.
    ctx.emit(Event::Phase { name: "affinities" });
    let neighbors = neighbors(p, rows.n_rows(), notes);
    let (graph, kind, nearest) = match p.affinity {
        Affinity::Knn => {
            let nearest = Neighbours::among(Metric::Euclidean, rows, neighbors);
            let graph = knn(&nearest, p.graph, &job.weights);
            (graph, Kind::Knn(neighbors), Some(nearest))
        }
        Affinity::SelfTuning => {
            let (scales, spare) = scales(rows, neighbors);
            let graph =
                NormalisedGraph::new(Affinities::Dense(self_tuning(rows, &scales)), &job.weights);
            (graph, Kind::SelfTuning { neighbor: neighbors, scales, spare }, None)
        }
        Affinity::Rbf => {
            let gamma = gamma(job, rows, ctx.seed);
            (rbf(rows, gamma, &job.weights), Kind::Rbf { gamma }, None)
        }
        Affinity::Precomputed => {
            (NormalisedGraph::given(x, &job.kept, &job.weights)?, Kind::Given, None)
        }
    };

    // Its vectors.
    ctx.emit(Event::Phase { name: "eigenvectors" });
    let (parts, lone) = graph.components();
    let (connect, labelled) = advice(p.affinity);
    notes.extend(components(parts.len(), lone, p.n_clusters, connect, labelled));
    let mut weights = match p.threshold {
        NcutThreshold::KMeans => leading(&graph, &parts, &job.weights, p.n_clusters, ctx.seed)?,
        _ => second(&graph, &parts, &job.weights, ctx.seed)?,
    };
    notes.extend(inexact(weights.converged));

    // All rows among them.
    let points = match kind {
        Kind::Given => {
            weights.rows = spread(&weights.rows, &job.kept, x.rows());
            None
        }
        _ => Some(Stored::of(&x, &job.kept)),
    };
    let extension = Extension::new(kind, points, weights, p.variant == Variant::Njw);
    let rows = match nearest.filter(|_| job.kept.len() == x.rows()) {
        Some(nearest) => extension.embed_known(&nearest),
        None => extension.embed(&x),
    };
    Ok(SpectralEmbedding { extension, rows, graph: Box::new(graph) })
}

fn embed_by_landmarks(
    job: &Job<'_>,
    rows: &dyn Rows,
    count: usize,
    notes: &mut Vec<Note>,
    ctx: &mut Ctx<'_>,
) -> Result<SpectralEmbedding> {
    let p = job.p;
    ctx.emit(Event::Phase { name: "eigenvectors" });
    let gamma = gamma(job, rows, ctx.seed);
    let points = landmarks::draw(rows, count, ctx.seed);
    let wanted = p.n_clusters;
    let (factors, mut weights) =
        leading_of_landmarks(rows, &points, gamma, &job.weights, wanted, ctx.seed)?;
    if p.threshold != NcutThreshold::KMeans {
        weights = weights.second();
    }
    notes.extend(inexact(weights.converged));
    let points = Stored::of(&points, &(0..points.rows()).collect::<Vec<_>>());
    let unit = p.variant == Variant::Njw;
    let extension = Extension::new(Kind::Rbf { gamma }, Some(points), weights, unit);
    let rows = extension.embed(&job.data.x());
    Ok(SpectralEmbedding { extension, rows, graph: Box::new(factors) })
}

/// How many landmarks, by what the memory allows; 0 for none.
fn plan(job: &Job<'_>, notes: &mut Vec<Note>, ctx: &Ctx<'_>) -> Result<usize> {
    let (p, x, n) = (job.p, job.data.x(), job.kept.len() as u64);
    let (d, k) = (x.cols() as u64, p.n_clusters as u64);
    let entries: u64 = (0..x.rows()).map(|i| x.row_values(i).len() as u64).sum();
    // The basis of the eigenvectors, the embedding, k-means.
    let trials = 2 + (p.n_clusters as f64).ln() as u64;
    let rest = 8 * x.rows() as u64 * (7 * k + 2 * trials + 90);
    let points =
        if p.affinity == Affinity::Precomputed { 0 } else { (8 * n * d).min(16 * entries) };
    let neighbors = (p.neighbors as u64).min(n);
    let whole = rest + points + affinities::bytes(p.affinity, n, neighbors, entries);
    let some = |m: usize| {
        let m = m as u64;
        rest + 8 * (2 * n * m + m * d + 4 * m * m)
    };
    if p.landmarks > 0 {
        let remedy = Remedy::FewerLandmarks.or(Remedy::RaiseMemory);
        ctx.memory.require(Spectral::NAME, some(p.landmarks), remedy)?;
        return Ok(p.landmarks);
    }
    let rbf = p.affinity == Affinity::Rbf;
    let few = if rbf { ctx.memory.landmarks(job.kept.len(), some) } else { None };
    if let (false, Some(few)) = (ctx.memory.allows(whole), few) {
        let text = format!(
            "the affinities of all pairs of {n} rows need about {} of memory, more than may be used: they are approximated with {few} landmarks",
            bytes(whole)
        );
        notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::RaiseMemory));
        return Ok(few);
    }
    let remedy = match p.affinity {
        Affinity::SelfTuning => Remedy::set("affinity", "knn").or(Remedy::RaiseMemory),
        _ => Remedy::RaiseMemory,
    };
    ctx.memory.require(Spectral::NAME, whole, remedy)?;
    Ok(0)
}

fn gamma(job: &Job<'_>, rows: &dyn Rows, seed: u64) -> f64 {
    match job.p.gamma {
        Gamma::Value(gamma) => gamma,
        Gamma::Median => {
            let index = typical_rows(&job.weights, seed);
            median_gamma(&Subset { rows, index: &index }, seed)
        }
    }
}

/// As asked for, but half of the others where there are not as many: a graph that joins all pairs
/// tells nothing apart.
fn neighbors(p: &Spectral, n: usize, notes: &mut Vec<Note>) -> usize {
    let graph = matches!(p.affinity, Affinity::Knn | Affinity::SelfTuning);
    if p.neighbors < n || !graph {
        return p.neighbors;
    }
    let fewer = (n.saturating_sub(1) / 2).max(1);
    let text = format!("neighbors is {fewer} instead of {}: the table has {n} rows", p.neighbors);
    notes.push(Note::notice(codes::PARAMETER_REDUCED, text));
    fewer
}

/// The distance of each row to its last neighbour, and the least of them for rows where it is 0.
fn scales(rows: &dyn Rows, neighbors: usize) -> (Vec<f64>, f64) {
    let nearest = Neighbours::among(Metric::Euclidean, rows, neighbors);
    let n = rows.n_rows();
    if nearest.k() == 0 {
        return (vec![1.0; n], 1.0);
    }
    let known = (0..n).map(|i| last_scale(&nearest, i, f64::INFINITY));
    let least = known.fold(f64::INFINITY, f64::min);
    let spare = if least.is_finite() { least } else { 1.0 };
    ((0..n).map(|i| last_scale(&nearest, i, spare)).collect(), spare)
}

/// Columns for all rows of the table, 0 for those that took no part.
fn spread(weights: &Dense, kept: &[usize], n: usize) -> Dense {
    let mut out = Dense::zeros(weights.rows(), n);
    for r in 0..weights.rows() {
        kept.iter().zip(weights.row(r)).for_each(|(&i, w)| out[(r, i)] = *w);
    }
    out
}

/// What connects the components of a graph, and how rows without a neighbour get their label.
fn advice(affinity: Affinity) -> (Option<Remedy>, &'static str) {
    let nearest = "their nearest rows decide for them";
    match affinity {
        Affinity::Knn | Affinity::SelfTuning => (Some(Remedy::raise("neighbors")), nearest),
        Affinity::Rbf => (Some(Remedy::lower("gamma")), nearest),
        Affinity::Precomputed => (None, "nothing in the table says where they belong"),
    }
}
