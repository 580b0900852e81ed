//! CDSK: clustering by discriminative similarity.
//!
//! Problem   labels y and weights α of the rows for which the classifier "the cluster whose rows are
//!           most similar", h(x, y) = Σ over yᵢ = y of αᵢ·s(x, xᵢ), generalises: little similarity
//!           2(αᵢ + αⱼ − λαᵢαⱼ)·s(xᵢ, xⱼ) between rows of different clusters.
//! Given     rows and a similarity s, or the choice among six of them.
//! Returns   labels, α, the vote of the rows as a rule for new ones.
//! Cost      n²r/2 for the neighbours in r ≤ 100 axes, then products with a sparse matrix; n·m·r
//!           through m landmarks; n² memory for the similarities of all pairs.
//! See       Yang & Li (2022), discriminative similarity for data clustering. With equal α the relaxed
//!           problem is that of Ng, Jordan & Weiss (2002) on s. The similarities: METHODS of
//!           docs/methods/cdsk.md.

mod alpha;
mod build;
mod exemplars;
mod joined;
mod learn;
mod model;
mod params;
mod plan;
mod rule;
mod similarity;
mod source;

pub use model::CdskModel;
pub use params::{Cdsk, CdskVariant, CdskVote};

use crate::assign::known::KnownRows;
use crate::assign::{canonical, scaled_weights};
use crate::context::Ctx;
use crate::data::Dataset;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::kmeans::{MIXED, Restarts, check_labels};
use crate::method::{Fit, Method};
use crate::model::{Labels, Model};
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, Init, bad_param};
use crate::progress::Event;
use crate::report::{Report, Stop};
use build::{Built, Workshop};
use joined::{Embedded, Joined};
use model::Sight;
use rule::SimilarityRule;
use separa_math::distance::{Metric, check_affinities};
use separa_math::kmeans::{KMeansData, KMeansRun, Limits};
use separa_math::matrix::{Dense, Rows, Stored, Subset};
use separa_math::neighbours::Neighbours;
use separa_math::stats::VoteTable;
use similarity::Similarity;
use source::{CdskRows, RowView};

/// One similarity and the clusters that it led to.
struct Member {
    built: Built,
    labels: Labels,
    alpha: Vec<f64>,
    typical: Vec<Vec<usize>>,
    report: Report,
}

impl Method for Cdsk {
    type Model = CdskModel;

    const FLAT: bool = false;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<CdskModel>> {
        let (n, x) = (data.n(), data.x());
        if p.n_clusters > n {
            let expected = format!("at most the number of rows ({n})");
            return bad_param::<Self, _>("n_clusters", expected, p.n_clusters);
        }
        if let Init::Labels(labels) = &p.init {
            check_labels::<Self>(labels, n, p.n_clusters)?;
        }
        let similarity = p.parsed_similarity()?;
        if similarity == Similarity::Given {
            check_affinities(x)?;
        }
        let kept: Vec<usize> = (0..n).filter(|&i| data.weight(i) > 0.0).collect();
        let (weights, _) = scaled_weights(data, &kept);
        let subset = Subset { rows: &x, index: &kept };
        let rows: &dyn Rows = if kept.len() == n { &x } else { &subset };

        // Which similarities fit, by memory and size.
        let mut notes = Vec::new();
        if !similarity.has_landmarks() && p.landmarks != Self::default().landmarks {
            let text = format!("landmarks is not used by similarity {similarity}");
            let remedy = Remedy::set("similarity", "landmark");
            notes.push(Note::notice(codes::PARAMETER_UNUSED, text).with(remedy));
        }
        let members = plan::members(p, similarity, rows, &mut notes, ctx)?;

        // Each of them, and the one that votes best for its own clusters.
        let source = CdskRows::new(rows, &weights, ctx.seed);
        let mut shop = Workshop { p, source, members: members.clone(), table: x, kept: &kept };
        let initializations = members.into_iter().map(|m| (m.to_string(), m)).collect();
        let (best, initializations) =
            best_of(ctx, initializations, |ctx, member| fit_member(&mut shop, member, ctx))?;
        if similarity == Similarity::Auto {
            let chosen = initializations.iter().find(|s| s.chosen).map_or("", |s| s.name.as_str());
            let text = format!("similarity {chosen} votes best for its own clusters");
            notes.push(Note::notice(codes::SIMILARITY_CHOSEN, text));
        }

        // Its rows as a rule, asked for the rows that took no part.
        let Member { built, mut labels, alpha, typical, mut report } = best;
        let known = KnownRows::of(x, &kept, &mut labels);
        let model = assemble(p, built, &labels, alpha, known, rows);
        let (model, labels) = number(model, data, &kept, &labels)?;
        if model.n_clusters() < p.n_clusters {
            let text = format!(
                "found {} clusters instead of {}: the similarity separates no more rows",
                model.n_clusters(),
                p.n_clusters
            );
            report.notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
        }
        report.notes.splice(0..0, notes);
        report.exemplars = order_typical(&typical, &kept, &labels, model.n_clusters());
        report.initializations = initializations;
        if ctx.cancelled() {
            report.stop = Stop::Cancelled;
        }
        Ok(Fit { model, labels, report })
    }

    fn load(tensors: &Tensors) -> Result<CdskModel> {
        CdskModel::load(tensors)
    }
}

/// The clusters of one similarity, scored by the vote.
fn fit_member(
    shop: &mut Workshop<'_>,
    member: Similarity,
    ctx: &mut Ctx<'_>,
) -> Result<Candidate<Member>> {
    let (p, weights) = (shop.p, shop.source.weights);
    let mut notes = Vec::new();
    ctx.emit(Event::Phase { name: "similarities" });
    let built = shop.build(member, &mut notes)?;

    // Rows among the eigenvectors.
    ctx.emit(Event::Phase { name: "eigenvectors" });
    let total: f64 = weights.iter().sum();
    let uniform = || weights.iter().map(|w| w / total).collect::<Vec<f64>>();
    let (alpha, embedded) = match p.variant {
        CdskVariant::Graph => {
            let embedded = built.joined.embed(weights, p.n_clusters, ctx.seed, &mut notes)?;
            (uniform(), embedded)
        }
        CdskVariant::Exact | CdskVariant::Paper => {
            let gram = built.joined.gram(weights);
            let learnt = learn::learn(p, member, &gram, weights, &mut notes, ctx)?;
            (learnt.alpha, Embedded { rows: learnt.embedding, lost: Vec::new() })
        }
    };

    // k-means among them; rows without a place there join the nearest that have one.
    let Embedded { rows, lost } = embedded;
    let mut heard = weights.to_vec();
    lost.iter().flatten().for_each(|&i| heard[i] = 0.0);
    if heard.iter().all(|w| *w == 0.0) {
        heard.copy_from_slice(weights);
    }
    let init = match &p.init {
        Init::Labels(given) => Init::Labels(shop.kept.iter().map(|&i| given[i]).collect()),
        // Greedy initializations find the least inertia again and again; the vote wants a choice.
        Init::Auto => Init::Named(MIXED.into()),
        other => other.clone(),
    };
    let table = KMeansData::new(&rows, Some(&heard));
    let limits = Limits { max_iter: p.max_iter, tol: p.tol };
    let restarts = Restarts { k: p.n_clusters, init: &init, n_init: p.n_init, limits };
    let rescue = Rescue::new(&lost, &heard, built.view.rows(shop.source.rows), &built.rule);
    let vote = |labels: &mut Labels, k: usize| {
        rescue.place(labels);
        let votes = built.joined.votes(labels, &alpha, weights, k);
        let copy = |i: usize, line: &mut [f64]| line.copy_from_slice(votes.row(i));
        (VoteTable::new(labels, |i| weights[i], k, copy).information(), votes)
    };
    // The restart that votes best for its own clusters, less the fraction of the rows' squared length
    // (one each) that its centres leave unexplained.
    let mut judge = |run: &KMeansRun| {
        let mut labels = run.labels.iter().map(|&l| l as i32).collect();
        vote(&mut labels, p.n_clusters).0 - run.inertia / total
    };
    let mut found = restarts.run_judged::<Cdsk>(&table, ctx, &mut judge)?;
    let (score, votes) = vote(&mut found.labels, found.centers.rows());
    let typical = exemplars::typical(&found.labels, &votes, &alpha);
    let report = Report { initializations: Vec::new(), notes, ..found.report(&table, ctx) };
    let value = Member { built, labels: found.labels, alpha, typical, report };
    Ok(Candidate { score, iterations: found.run.iterations, value })
}

/// Where parts without eigenvectors go: to the clusters of their nearest rows outside of such parts.
struct Rescue<'a> {
    lost: &'a [Vec<usize>],
    /// The nearest row with a place, for each lost row in turn.
    homes: Vec<usize>,
}

impl<'a> Rescue<'a> {
    fn new(lost: &'a [Vec<usize>], heard: &[f64], rows: &dyn Rows, rule: &SimilarityRule) -> Self {
        let homes: Vec<usize> = (0..heard.len()).filter(|&i| heard[i] > 0.0).collect();
        let wanderers: Vec<usize> = lost.iter().flatten().copied().collect();
        // A table of similarities has no distances to go by.
        if wanderers.is_empty()
            || wanderers.len() == heard.len()
            || matches!(rule, SimilarityRule::Given)
        {
            return Self { lost: &[], homes: Vec::new() };
        }
        let (from, to) = (Subset { rows, index: &wanderers }, Subset { rows, index: &homes });
        let nearest = Neighbours::between(Metric::Euclidean, &from, &to, 1);
        let homes = (0..wanderers.len()).map(|r| homes[nearest.row(r).0[0] as usize]).collect();
        Self { lost, homes }
    }

    /// Each part gets the label that most of its rows' homes have, of equals the lowest.
    fn place(&self, labels: &mut Labels) {
        let mut homes = self.homes.iter();
        for part in self.lost {
            let mut counts = std::collections::BTreeMap::new();
            for &home in homes.by_ref().take(part.len()) {
                *counts.entry(labels[home]).or_insert(0_usize) += 1;
            }
            let most = |top: (i32, usize), (&l, &c)| if c > top.1 { (l, c) } else { top };
            let (label, _) = counts.iter().fold((0, 0), most);
            part.iter().for_each(|&i| labels[i] = label);
        }
    }
}

fn assemble(
    p: &Cdsk,
    built: Built,
    labels: &Labels,
    alpha: Vec<f64>,
    known: KnownRows,
    rows: &dyn Rows,
) -> CdskModel {
    let labels: Vec<u32> = labels.iter().map(|&l| l as u32).collect();
    let k = labels.iter().max().map_or(0, |l| *l as usize + 1);
    let mut mass = vec![0.0; k];
    labels.iter().zip(&alpha).for_each(|(&l, a)| mass[l as usize] += a);
    // A cluster whose rows all have α = 0 has no vote to be divided.
    mass.iter_mut().filter(|m| **m <= 0.0).for_each(|m| *m = 1.0);
    let Built { joined, mut rule, view } = built;
    if let (SimilarityRule::Anchors { says, .. }, Joined::Anchors(graph)) = (&mut rule, &joined) {
        *says = Dense::zeros(graph.mass.len(), k);
        for c in 0..k {
            let sums = graph.gather(|i| if labels[i] as usize == c { alpha[i] } else { 0.0 });
            sums.iter().enumerate().for_each(|(a, v)| says[(a, c)] = *v);
        }
    }
    drop(joined);
    let keeps = !matches!(rule, SimilarityRule::Anchors { .. } | SimilarityRule::Given);
    let index: Vec<usize> = (0..rows.n_rows()).collect();
    let points = keeps.then(|| Stored::of(view.rows(rows), &index));
    let sight = match &*view {
        RowView::Given => Sight::Given,
        RowView::Scaled(scaler, _) => Sight::Scaled(scaler.clone()),
        RowView::Mapped(space, _) => Sight::Mapped(space.clone()),
    };
    let vote = p.vote;
    CdskModel { n_features: rows.n_cols(), sight, rule, points, labels, alpha, mass, vote, known }
}

/// Labels all rows by the model and numbers the clusters by first appearance.
fn number(
    mut model: CdskModel,
    data: &Dataset<'_>,
    kept: &[usize],
    labels: &Labels,
) -> Result<(CdskModel, Labels)> {
    let all = |model: &CdskModel, labels: &Labels| -> Result<Labels> {
        if kept.len() == data.n() {
            return Ok(labels.clone());
        }
        model.predict(data.x())
    };
    let (found, order) = canonical(&all(&model, labels)?);
    // A cluster that no row has left, where equal rows were brought together, goes.
    let mut to = vec![usize::MAX; model.mass.len()];
    order.iter().enumerate().for_each(|(new, &old)| to[old] = new);
    let mut next = order.len();
    to.iter_mut().filter(|t| **t == usize::MAX).for_each(|t| {
        *t = next;
        next += 1;
    });
    model.renumber(&to);
    model.mass.truncate(order.len());
    if let SimilarityRule::Anchors { says, .. } = &mut model.rule {
        let mut fewer = Dense::zeros(says.rows(), order.len());
        for a in 0..says.rows() {
            fewer.row_mut(a).copy_from_slice(&says.row(a)[..order.len()]);
        }
        *says = fewer;
    }
    Ok((model, found))
}

/// Exemplars by their numbers in the table and the final numbers of the clusters.
fn order_typical(
    typical: &[Vec<usize>],
    kept: &[usize],
    labels: &Labels,
    k: usize,
) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); k];
    for list in typical {
        for &i in list {
            out[labels[kept[i]] as usize].push(kept[i]);
        }
    }
    out
}
