//! From a similarity's name to its graph and its rule for new rows.

use super::joined::Joined;
use super::params::{Cdsk, CdskVariant};
use super::rule::{NEAR, SimilarityRule};
use super::similarity::{Form, Lens, Similarity, X};
use super::source::{CdskRows, RowView};
use crate::error::Result;
use crate::note::{Note, codes};
use crate::params::{Gamma, typical_rows};
use separa_math::distance::{Metric, median_gamma};
use separa_math::kernel::mercer::Kernel;
use separa_math::kmeans::{KMeansData, Limits, Seeding};
use separa_math::linalg::{Precision, SparseSym, dot_lanes};
use separa_math::matrix::{Dense, MatrixRef, Rows, Subset, pick};
use separa_math::neighbours::{
    Affinities, AnchorGraph, Graph, Join, NormalisedGraph, Weight, anchor_weights, ascending_lists,
    express, local_scales, self_tuning, shared_neighbours,
};
use separa_math::par;
use separa_math::rng::Rng;
use std::rc::Rc;

/// Rows that landmarks are found among, for each landmark, and iterations of it.
const PER_LANDMARK: usize = 16;
const ROUNDS: usize = 8;

/// A similarity of the fitted rows.
pub(super) struct Built {
    pub joined: Joined,
    pub rule: SimilarityRule,
    pub view: Rc<RowView>,
}

/// What all members of a fit share.
pub(super) struct Workshop<'a> {
    pub p: &'a Cdsk,
    pub source: CdskRows<'a>,
    pub members: Vec<Similarity>,
    /// The table and its rows in use, for a table that is the similarity.
    pub table: MatrixRef<'a>,
    pub kept: &'a [usize],
}

impl Workshop<'_> {
    pub fn build(&mut self, member: Similarity, notes: &mut Vec<Note>) -> Result<Built> {
        let weights = self.source.weights;
        let Similarity::Of(lens, form) = member else {
            let graph = NormalisedGraph::given(self.table, self.kept, weights)?;
            let view = Rc::new(RowView::Given);
            return Ok(Built { joined: Joined::Graph(graph), rule: SimilarityRule::Given, view });
        };
        let view = self.source.view(lens)?;
        if self.source.lost > 0 {
            let lost = self.source.lost;
            let text =
                format!("{lost} rows equal the mean of all: they have no direction in {member}");
            notes.push(Note::notice(codes::NO_DIRECTION, text));
        }
        let n = self.source.rows.n_rows();
        let k = few_enough(form.neighbours(), n, member, notes);
        let rows = view.rows(self.source.rows);
        let (links, rule) = match form {
            Form::Blend { share, .. } => {
                let nearest = self.source.nearest(lens, k, self.most(lens))?;
                let weight = Weight::SelfTuning { neighbour: k };
                let graph = Graph::new(&nearest, weight, Join::Blend { share });
                let scales = local_scales(&nearest, k);
                (
                    Affinities::Sparse(graph.into_matrix()),
                    SimilarityRule::Blend { k, share, scales },
                )
            }
            Form::Shared { .. } => {
                let nearest = self.source.nearest(lens, k, self.most(lens))?;
                let graph = shared_neighbours(&nearest, Join::Blend { share: X });
                let (mut lists, scales) = (ascending_lists(&nearest), local_scales(&nearest, k));
                // The only row of a table has itself alone.
                lists.resize(n * k, 0);
                (
                    Affinities::Sparse(graph.into_matrix()),
                    SimilarityRule::Shared { k, lists, scales },
                )
            }
            Form::SelfTuned { .. } => {
                let nearest = self.source.nearest(lens, k, self.most(lens))?;
                let scales = local_scales(&nearest, k);
                (
                    Affinities::Dense(self_tuning(rows, &scales)),
                    SimilarityRule::SelfTuned { k, scales },
                )
            }
            Form::Rbf => {
                let gamma = self.gamma(rows);
                let kernel = Kernel::Rbf { gamma };
                (
                    Affinities::Dense(kernel.symmetric(rows, Precision::Double)),
                    SimilarityRule::Rbf { gamma },
                )
            }
            Form::Pursuit { most } => {
                (Affinities::Sparse(pursuit(rows, most)?), SimilarityRule::Pursuit { most })
            }
            Form::Landmark => {
                let anchors = self.anchors(rows, notes);
                let z = anchor_weights(rows, &anchors, NEAR);
                let graph = AnchorGraph::new(z, anchors.rows(), weights);
                let rule = SimilarityRule::Anchors { anchors, says: Dense::default() };
                return Ok(Built { joined: Joined::Anchors(graph), rule, view });
            }
        };
        Ok(Built { joined: Joined::Graph(NormalisedGraph::new(links, weights)), rule, view })
    }

    /// The most neighbours that a member with this lens asks for.
    fn most(&self, lens: Lens) -> usize {
        let of = |s: &Similarity| match s {
            Similarity::Of(l, form) if *l == lens => form.neighbours(),
            _ => 0,
        };
        self.members.iter().map(of).max().unwrap_or(0)
    }

    fn gamma(&self, rows: &dyn Rows) -> f64 {
        match self.p.gamma {
            Gamma::Value(gamma) => gamma,
            Gamma::Median if self.p.variant == CdskVariant::Paper => {
                let index = typical_rows(self.source.weights, self.source.seed);
                paper_gamma(&Subset { rows, index: &index })
            }
            Gamma::Median => {
                let index = typical_rows(self.source.weights, self.source.seed);
                median_gamma(&Subset { rows, index: &index }, self.source.seed)
            }
        }
    }

    /// Centres of a short k-means on some of the rows.
    fn anchors(&self, rows: &dyn Rows, notes: &mut Vec<Note>) -> Dense {
        let n = rows.n_rows();
        let m = self.p.landmarks.min((n / 2).max(1));
        if m < self.p.landmarks {
            let asked = self.p.landmarks;
            let text = format!("landmarks is {m} instead of {asked}: the table has {n} rows");
            notes.push(Note::notice(codes::PARAMETER_REDUCED, text));
        }
        let mut rng = Rng::new(self.source.seed, 0x616e);
        let sample = rng.sample(n, (PER_LANDMARK * m).min(n));
        let some = pick(rows, &sample);
        let weights: Vec<f64> = sample.iter().map(|&i| self.source.weights[i]).collect();
        let table = KMeansData::new(&some, Some(&weights));
        let centers = table.seed(m, Seeding::Random, &mut rng);
        let limits = Limits { max_iter: ROUNDS, tol: 1e-3 };
        let run = table.lloyd(centers, limits, &mut |_, _, _| false);
        // Centres of no row stand where k-means found fewer places than landmarks.
        let mut used: Vec<usize> = run.labels.iter().map(|&l| l as usize).collect();
        used.sort_unstable();
        used.dedup();
        pick(&run.centers, &used)
    }
}

/// As asked for, but half of the others where there are not as many: a graph that joins all pairs
/// tells nothing apart.
fn few_enough(k: usize, n: usize, member: Similarity, notes: &mut Vec<Note>) -> usize {
    if k < n {
        return k;
    }
    let fewer = (n.saturating_sub(1) / 2).max(1);
    let text = format!("{member} uses {fewer} neighbours instead of {k}: the table has {n} rows");
    notes.push(Note::notice(codes::PARAMETER_REDUCED, text));
    fewer
}

/// |c| + |cᵀ| of the expressions c of all rows by others.
fn pursuit(rows: &dyn Rows, most: usize) -> Result<SparseSym> {
    let all: Vec<usize> = (0..rows.n_rows()).collect();
    let points = pick(rows, &all);
    let mut edges = Vec::new();
    par::fold_chunks(
        points.rows(),
        |range| {
            let mut part = Vec::new();
            for i in range {
                let row = points.row(i);
                // A copy would express the row alone and say nothing about the others.
                let copies: Vec<usize> = (0..points.rows())
                    .filter(|&j| j == i || dot_lanes(points.row(j), row) >= 1.0 - 1e-12)
                    .collect();
                let found = express(row, &points, most, &|j| copies.binary_search(&j).is_ok());
                let pairs = found.places.iter().zip(&found.values);
                part.extend(pairs.map(|(&j, v)| (i as u32, j, v.abs())));
            }
            part
        },
        |part| edges.extend(part),
    );
    Ok(SparseSym::from_edges(points.rows(), &edges)?)
}

/// exp(−d²/2τ²) with τ, as the paper has it, the variance of the distances of all pairs. It depends on
/// the unit of the columns.
fn paper_gamma(rows: &dyn Rows) -> f64 {
    let d = Metric::Euclidean.symmetric(rows, Precision::Double);
    let pairs = || (0..d.n()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| d.get(i, j));
    let count = pairs().count().max(1) as f64;
    let mean = pairs().sum::<f64>() / count;
    let tau = pairs().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    let gamma = 0.5 / (tau * tau);
    if gamma.is_finite() { gamma } else { 1.0 }
}
