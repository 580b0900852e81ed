//! From the table to rows among eigenvectors.

use super::Job;
use super::affinities::{self, knn, rbf};
use super::cut::Cuttable;
use super::extension::{Extension, ExtensionKind, last_scale};
use super::params::{Affinity, NcutThreshold, Spectral, Variant};
use super::vectors::{leading, leading_of_landmarks, second};
use crate::context::{Ctx, PairCost, in_words};
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

/// Embeds all rows; where too many would take part, the job goes on with those that stand for them.
pub(super) fn embed(
    job: &mut Job<'_>,
    notes: &mut Vec<Note>,
    ctx: &mut Ctx<'_>,
) -> Result<SpectralEmbedding> {
    let (p, x) = (job.p, job.data.x());
    if p.affinity == Affinity::Precomputed {
        check_affinities(x)?;
    }
    let plan = plan(job, notes, ctx)?;
    if let Plan::Sample(m) = plan {
        job.keep_some(m, ctx.seed);
    }
    let job = &*job;
    let subset = Subset { rows: &x, index: &job.kept };
    let rows: &dyn Rows = if job.kept.len() == x.rows() { &x } else { &subset };
    if let Plan::Nystrom(m) = plan {
        return embed_by_landmarks(job, rows, m, notes, ctx);
    }

    // The graph.
    ctx.emit(Event::Phase { name: "affinities" });
    let neighbors = neighbors(p, rows.n_rows(), notes);
    let (graph, kind, nearest) = match p.affinity {
        Affinity::Knn => {
            let nearest = Neighbours::among(Metric::Euclidean, rows, neighbors);
            let graph = knn(&nearest, p.graph, &job.weights);
            (graph, ExtensionKind::Knn(neighbors), Some(nearest))
        }
        Affinity::SelfTuning => {
            let (scales, spare) = scales(rows, neighbors);
            let graph =
                NormalisedGraph::new(Affinities::Dense(self_tuning(rows, &scales)), &job.weights);
            (graph, ExtensionKind::SelfTuning { neighbor: neighbors, scales, spare }, None)
        }
        Affinity::Rbf => {
            let gamma = gamma(job, rows, ctx.seed);
            (rbf(rows, gamma, &job.weights), ExtensionKind::Rbf { gamma }, None)
        }
        Affinity::Precomputed => {
            (NormalisedGraph::given(x, &job.kept, &job.weights)?, ExtensionKind::Given, None)
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
        ExtensionKind::Given => {
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
    let extension = Extension::new(ExtensionKind::Rbf { gamma }, Some(points), weights, unit);
    let rows = extension.embed(&job.data.x());
    Ok(SpectralEmbedding { extension, rows, graph: Box::new(factors) })
}

/// Which rows take part in the eigenproblem.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Plan {
    All,
    /// The affinities of all rows, approximated with so many landmarks.
    Nystrom(usize),
    /// A sample of so many rows, whose graph the others are joined to.
    Sample(usize),
}

/// All rows while memory and about a minute allow it; else landmarks for rbf, a sample for graphs.
fn plan(job: &Job<'_>, notes: &mut Vec<Note>, ctx: &Ctx<'_>) -> Result<Plan> {
    let (p, n, d) = (job.p, job.kept.len(), job.data.d());
    let needs = Needs::of(job);
    let by = |m: usize| match p.affinity {
        Affinity::Rbf => Plan::Nystrom(m),
        _ => Plan::Sample(m),
    };
    let cost = match p.affinity {
        Affinity::Knn => PairCost::NEIGHBOURS,
        _ => PairCost::AFFINITIES,
    };
    // As many landmarks as rows: all pairs, whatever they take. Nyström gives the same, at the cube of so many.
    let long = cost.is_long(n, d);
    let all = p.landmarks == n && (long || p.affinity != Affinity::Rbf);
    if p.landmarks > 0 && !all {
        let plan = by(p.landmarks);
        let remedy = Remedy::FewerLandmarks.or(Remedy::RaiseMemory);
        ctx.memory.require(Spectral::NAME, needs.bytes(plan), remedy)?;
        return Ok(plan);
    }
    let whole = needs.bytes(Plan::All);
    let open = !all && p.affinity != Affinity::Precomputed;
    let too_long = open && long;
    let few = match p.affinity {
        _ if !open => None,
        Affinity::Rbf => ctx.memory.landmarks(n, |m| needs.bytes(by(m))),
        _ => Some(cost.rows_for(n, d))
            .filter(|m| *m < n && ctx.memory.allows(needs.bytes(by(*m))))
            .or_else(|| ctx.memory.landmarks(n, |m| needs.bytes(by(m)))),
    };
    let (true, Some(few)) = (too_long || !ctx.memory.allows(whole), few) else {
        let remedy = match p.affinity {
            Affinity::SelfTuning => Remedy::set("affinity", "knn").or(Remedy::RaiseMemory),
            _ => Remedy::RaiseMemory,
        };
        return ctx.memory.require(Spectral::NAME, whole, remedy).map(|()| Plan::All);
    };
    let why = match too_long {
        true => format!("would take {}", in_words(cost.of_all(n, d))),
        false => format!("need about {} of memory, more than may be used", bytes(whole)),
    };
    let how = match by(few) {
        Plan::Sample(_) => {
            format!("a sample of {few} rows is clustered, and the others are joined to it")
        }
        _ => format!("they are approximated with {few} landmarks"),
    };
    let text = format!("the affinities of all pairs of {n} rows {why}: {how}");
    let remedy = match too_long {
        true => Remedy::set("landmarks", n),
        false => Remedy::RaiseMemory,
    };
    notes.push(Note::notice(codes::LANDMARKS, text).with(remedy));
    Ok(by(few))
}

/// What the memory of a plan depends on.
struct Needs {
    affinity: Affinity,
    /// Rows that take part, all rows, columns, entries that are stored, neighbours.
    n: u64,
    rows: u64,
    d: u64,
    entries: u64,
    neighbors: u64,
    /// For each row of the table: the basis of the eigenvectors, the embedding, k-means.
    numbers: u64,
}

impl Needs {
    fn of(job: &Job<'_>) -> Self {
        let (p, x, n) = (job.p, job.data.x(), job.kept.len() as u64);
        let trials = 2 + (p.n_clusters as f64).ln() as u64;
        Self {
            affinity: p.affinity,
            n,
            rows: x.rows() as u64,
            d: x.cols() as u64,
            entries: (0..x.rows()).map(|i| x.row_values(i).len() as u64).sum(),
            neighbors: (p.neighbors as u64).min(n),
            numbers: 7 * p.n_clusters as u64 + 2 * trials + 90,
        }
    }

    fn bytes(&self, plan: Plan) -> u64 {
        let rest = 8 * self.rows * self.numbers;
        let (n, d) = (self.n, self.d);
        match plan {
            Plan::Nystrom(m) => {
                let m = m as u64;
                rest + 8 * (2 * n * m + m * d + 4 * m * m)
            }
            Plan::All | Plan::Sample(_) => {
                let m = if let Plan::Sample(m) = plan { m as u64 } else { n };
                let entries = self.entries * m / n.max(1);
                let points = match self.affinity {
                    Affinity::Precomputed => 0,
                    _ => (8 * m * d).min(16 * entries),
                };
                let lists = if m < n { 16 * n * self.neighbors } else { 0 };
                rest + points
                    + lists
                    + affinities::bytes(self.affinity, m, self.neighbors.min(m), entries)
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::MemoryBudget;
    use crate::data::Dataset;
    use separa_math::matrix::DenseRef;

    /// The plan for n rows of ten columns, and the note about it.
    fn planned(p: &Spectral, n: usize, memory: Option<u64>) -> (Plan, Option<Note>) {
        let values = vec![0.0; 10 * n];
        let data = Dataset::new(DenseRef::new(n, 10, &values).unwrap().into()).unwrap();
        let job = Job { p, data: &data, kept: (0..n).collect(), weights: vec![1.0; n] };
        let (mut notes, mut ctx) = (Vec::new(), Ctx::new(0));
        ctx.memory = MemoryBudget(memory);
        (plan(&job, &mut notes, &ctx).unwrap(), notes.pop())
    }

    #[test]
    fn pairs_that_would_take_minutes_are_represented_by_a_sample_and_said_to_be() {
        let of = |affinity| Spectral { affinity, ..Spectral::default() };
        for affinity in [Affinity::Knn, Affinity::SelfTuning, Affinity::Rbf] {
            assert_eq!(planned(&of(affinity), 20_000, None), (Plan::All, None));
        }
        let (plan, note) = planned(&of(Affinity::Knn), 300_000, None);
        assert_eq!(plan, Plan::Sample(10_000));
        let note = note.unwrap();
        assert!(note.text.contains("would take about 68 seconds on one core"), "{note}");
        assert_eq!(note.remedy, Some(Remedy::set("landmarks", 300_000)));
        assert_eq!(planned(&of(Affinity::SelfTuning), 300_000, None).0, Plan::Sample(10_000));
        assert_eq!(planned(&of(Affinity::Rbf), 300_000, None).0, Plan::Nystrom(500));
        // All rows, if that is what is asked for.
        let all = Spectral { landmarks: 300_000, ..Spectral::default() };
        assert_eq!(planned(&all, 300_000, None), (Plan::All, None));
        // As many as were asked for.
        let some = Spectral { landmarks: 2000, ..Spectral::default() };
        assert_eq!(planned(&some, 300_000, None), (Plan::Sample(2000), None));
    }

    #[test]
    fn a_tight_memory_samples_graphs_too() {
        let tuned = Spectral { affinity: Affinity::SelfTuning, ..Spectral::default() };
        let (plan, note) = planned(&tuned, 10_000, Some(60 << 20));
        assert_eq!(plan, Plan::Sample(500));
        assert!(note.unwrap().text.contains("of memory, more than may be used"));
    }
}
