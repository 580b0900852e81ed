//! Starting partitions, and the choice between them.

use super::params::{Mspc, Scaling};
use super::rivals;
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::kmeans::GAPS;
use crate::params::Init;
use crate::progress::Event;
use crate::report::{InitializationReport, Stop};
use crate::start::iterations::{self, Settled};
use crate::start::scaling::Distances;
use crate::start::standardised::Standardised;
use separa_math::matrix::{Dense, Rows, Subset, pick};
use separa_math::rng::Rng;

/// Iterations of the vote that an initialization gets before initializations are compared; the winner goes on.
const TRIAL_ROUNDS: usize = 30;
/// Over-split clusters must be this separate, and this much better than plain k-means.
const OVERSPLIT_P: f64 = 0.7;
const OVERSPLIT_GAIN: f64 = 0.7;
/// In a table with categories clusters with gaps between them win: k-means can cut between two levels, which are
/// separate without a gap.
const GAPS_LEAD: f64 = 10.0;
/// Small clusters behind a gap must be this separate: five deviations, if they are Gaussian.
const WIDE_GAP_P: f64 = 0.85;
/// Clusters behind a gap that have a smaller fraction of the rows can be lost by iterations.
const SMALL: f64 = 0.05;
/// Rows, and values in all, on which initializations are tried.
const TRIAL_ROWS: usize = 8192;
const TRIAL_VALUES: usize = 4 << 20;

/// A graph of neighbours is tried in tables with more columns than k-means sees directions, and with so many rows. In few
/// columns it finds what columns of coins make (mixtures of 8 or 16 columns: .002 and .007 worse in two draws).
const GRAPH_COLUMNS: usize = 32;
const GRAPH_LEAST: usize = 50;

/// Where k-means can look for clusters besides standardised rows.
#[derive(Debug, Clone, Copy)]
pub struct Spaces<'a> {
    /// Whether several columns stand for one category.
    pub categories: bool,
    /// The scaling that distances have by the parameters, where it was found.
    pub scaling: Scaling,
    pub contraharmonic: Option<Distances<'a>>,
    /// Columns that were weighed by E|z| twice: nearer to the table's own units on pixels and counts.
    pub squared: Option<Distances<'a>>,
    /// The table's own units.
    pub raw: Option<Distances<'a>>,
}

impl<'a> Spaces<'a> {
    /// The distances of the scaling that was found.
    pub fn chosen(&self) -> Distances<'a> {
        let space = match self.scaling {
            Scaling::None => self.raw,
            Scaling::Standard => None,
            Scaling::Auto | Scaling::Contraharmonic => self.contraharmonic,
        };
        space.unwrap_or(Distances::Standard)
    }
}

/// What an initialization led to.
pub struct Tried {
    /// What initializations are compared by: the criterion, and what its kind adds or costs.
    pub score: f64,
    pub criterion: f64,
    /// Whether it begins from clusters with gaps between them.
    pub gaps: bool,
    pub settled: Settled,
}

/// Those that can be the best, and all of them by name.
pub struct Chosen {
    /// The best so far first; others have different clusters and about the same criterion.
    pub rivals: Vec<Rival>,
    pub initializations: Vec<InitializationReport>,
}

/// An initialization that goes on to its end.
pub struct Rival {
    /// Its place among the initializations.
    pub place: usize,
    /// What its kind adds to the criterion, or costs.
    pub lead: f64,
    /// Whether it began from clusters with gaps between them.
    pub gaps: bool,
    pub settled: Settled,
}

/// Tries the initializations on a seeded sample of rows where there are many, and labels all rows by the
/// rule of the best.
pub fn try_initializations(
    p: &Mspc,
    shared: &Standardised<'_>,
    spaces: Spaces<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Chosen> {
    let rows = (TRIAL_VALUES / shared.rows.n_cols()).clamp(1024, TRIAL_ROWS);
    if shared.order.len() <= rows {
        return choose(p, shared, spaces, ctx);
    }
    let drawn = Rng::new(ctx.seed, 0x74).sample(shared.order.len(), rows);
    let mut index: Vec<usize> = drawn.into_iter().map(|r| shared.order[r]).collect();
    index.sort_unstable();
    // Standardised rows that are kept in memory need no second copy.
    let copied = (!shared.rows.in_memory()).then(|| pick(shared.rows, &index));
    let subset = Subset { rows: shared.rows, index: &index };
    let sample: &dyn Rows = copied.as_ref().map_or(&subset, |table| table);
    let weights: Option<Vec<f64>> = shared.weights.map(|w| index.iter().map(|&i| w[i]).collect());
    let few = shared.with_rows(sample, weights.as_deref(), &index);
    let picked = [spaces.contraharmonic, spaces.raw].map(|space| match space {
        Some(Distances::Rows(table)) => Some(pick(table, &index)),
        _ => None,
    });
    let [contraharmonic, raw] = &picked;
    let spaces = Spaces {
        contraharmonic: contraharmonic.as_ref().map(Distances::Rows).or(spaces.contraharmonic),
        raw: raw.as_ref().map(Distances::Rows).or(spaces.raw),
        ..spaces
    };
    let all = ctx.suggested.take();
    ctx.suggested = all.as_ref().map(|labels| index.iter().map(|&i| labels[i]).collect());
    let chosen = choose(p, &few, spaces, ctx);
    ctx.suggested = all;
    let mut chosen = chosen?;
    for Rival { settled, .. } in &mut chosen.rivals {
        settled.labels = settled.vote.labels(shared.rows, &settled.basis);
    }
    Ok(chosen)
}

/// Runs the vote from every initialization and keeps the one with the best held-out criterion; an initialization
/// that ends in a few outliers against the rest loses to any that does not.
fn choose(
    p: &Mspc,
    shared: &Standardised<'_>,
    spaces: Spaces<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Chosen> {
    const REFUSED: f64 = -1e3;
    let k = p.n_clusters;
    let cov = shared.total.covariance();
    let mut kinds = kinds(p, spaces);
    let wide = shared.rows.n_cols() > GRAPH_COLUMNS && shared.order.len() >= GRAPH_LEAST.max(2 * k);
    if matches!(p.init, Init::Auto) && spaces.contraharmonic.is_some() && wide {
        kinds.push(Kind::Neighbours);
    }
    if matches!(p.init, Init::Auto)
        && ctx.suggested.as_ref().is_some_and(|l| names_every(shared, l, k))
    {
        kinds.push(Kind::Gaps);
    }
    let by_graph = kinds.iter().position(|kind| *kind == Kind::Neighbours);
    let kinds = kinds.into_iter().map(|kind| (kind.name().to_owned(), kind)).collect();
    let max_iter = p.max_iter.min(TRIAL_ROUNDS);
    let mut tried = Vec::new();
    let (best, mut initializations) = best_of(ctx, kinds, |ctx, kind| {
        let start = kind.labels(p, shared, &cov, spaces, ctx)?;
        let before = smallest_share(shared, &start, k);
        let again = (kind == Kind::Gaps && before < SMALL).then(|| start.clone());
        let mut settled = iterations::improve(shared, start, k, max_iter, p.tol, ctx)?;
        if let Some(start) = again
            && runs_over(before, smallest_share(shared, &settled.labels, k))
        {
            settled = iterations::improve(shared, start, k, 1, p.tol, ctx)?;
            settled.stop = Stop::Stalled;
        }
        let fitted = shared.cross_fitted(&settled.labels, k)?;
        let mut score = fitted.beyond_null;
        match kind {
            Kind::Oversplit if fitted.smallest < OVERSPLIT_P => score += REFUSED,
            Kind::Oversplit => score -= OVERSPLIT_GAIN,
            Kind::Gaps if spaces.categories => score += GAPS_LEAD,
            _ => {}
        }
        // Few rows behind a wide gap are a cluster, not outliers.
        let asked = p.min_cluster_size != Mspc::default().min_cluster_size;
        let wide = kind == Kind::Gaps && fitted.smallest >= WIDE_GAP_P && !asked;
        let floor = floor_of(p, shared.total_weight());
        if !wide && smallest_share(shared, &settled.labels, k) < floor {
            score += REFUSED;
        }
        let iterations = settled.iterations;
        let gaps = kind == Kind::Gaps;
        tried.push(Tried { score, criterion: fitted.beyond_null, gaps, settled });
        Ok(Candidate { score, iterations, value: tried.len() - 1 })
    })?;
    // What is added for the choice alone is not shown.
    let added =
        initializations.iter_mut().zip(&tried).filter(|(_, tried)| tried.score > tried.criterion);
    added.for_each(|(start, tried)| start.score = tried.criterion);
    let places = match ctx.cancelled() {
        true => vec![best],
        false => rivals::of(shared, &tried, best, by_graph),
    };
    let mut tried: Vec<Option<Tried>> = tried.into_iter().map(Some).collect();
    let rival = |place: usize| {
        let Tried { score, criterion, gaps, settled } =
            tried[place].take().expect("each place once");
        Rival { place, lead: score - criterion, gaps, settled }
    };
    Ok(Chosen { rivals: places.into_iter().map(rival).collect(), initializations })
}

/// The smallest fraction of `total` rows that a cluster can hold.
pub fn floor_of(p: &Mspc, total: f64) -> f64 {
    p.min_cluster_size.fraction_of_k(total, p.n_clusters)
}

/// Whether iterations ran over the gap before a small cluster, and made it one of many rows.
pub fn runs_over(before: f64, after: f64) -> bool {
    before < SMALL && after > 2.0 * before
}

/// Whether each of k clusters has a row of weight.
fn names_every(shared: &Standardised<'_>, labels: &[i32], k: usize) -> bool {
    let labels: Vec<u32> = labels.iter().map(|&l| l as u32).collect();
    smallest_share(shared, &labels, k) > 0.0
}

pub fn smallest_share(shared: &Standardised<'_>, labels: &[u32], k: usize) -> f64 {
    let mut mass = vec![0.0; k];
    (0..labels.len()).for_each(|i| mass[labels[i] as usize] += shared.weight(i));
    mass.iter().fold(f64::INFINITY, |a, b| a.min(*b)) / mass.iter().sum::<f64>()
}

/// The initializations MSPC knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Contraharmonic,
    Squared,
    KMeans,
    Pca,
    Raw,
    Oversplit,
    Neighbours,
    Gaps,
}

impl Kind {
    const ALL: [(&'static str, Self); 8] = [
        ("kmeans-contraharmonic", Self::Contraharmonic),
        ("kmeans-contraharmonic-squared", Self::Squared),
        ("kmeans", Self::KMeans),
        ("pca", Self::Pca),
        ("kmeans-raw", Self::Raw),
        ("oversplit", Self::Oversplit),
        ("neighbours", Self::Neighbours),
        (GAPS, Self::Gaps),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).expect("all kinds are listed").0
    }

    /// The initialization's labels. Ends early with what it has when the observer says stop.
    fn labels(
        self,
        p: &Mspc,
        shared: &Standardised<'_>,
        cov: &Dense,
        spaces: Spaces<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<u32>> {
        let k = p.n_clusters;
        if let (Self::Gaps, Some(labels)) = (self, &ctx.suggested) {
            return Ok(labels.iter().map(|&l| l as u32).collect());
        }
        let space = match self {
            Self::Contraharmonic => spaces.contraharmonic,
            Self::Squared => spaces.squared,
            Self::Raw => spaces.raw,
            Self::Neighbours => Some(spaces.chosen()),
            Self::KMeans | Self::Pca | Self::Oversplit | Self::Gaps => None,
        };
        let space = space.unwrap_or(Distances::Standard);
        let e = space.embedding(shared, cov, ctx.seed)?;
        let mut pause = || ctx.emit(Event::Phase { name: "initializations" });
        match self {
            Self::Pca => Ok(e.kmeans(k, p.n_init, k - 1, &mut pause)),
            Self::Neighbours => {
                let labels = e.graph_parts(k)?;
                let all = smallest_share(shared, &labels, k) > 0.0;
                Ok(if all { labels } else { e.kmeans(k, p.n_init, e.directions(), &mut pause) })
            }
            Self::Oversplit => e.merged(k, p.n_init, p.reg, &mut pause),
            _ => Ok(e.kmeans(k, p.n_init, e.directions(), &mut pause)),
        }
    }
}

/// The initializations that the parameters ask for and that there are distances for.
fn kinds(p: &Mspc, spaces: Spaces<'_>) -> Vec<Kind> {
    let mut kinds = asked(p, spaces.scaling);
    let absent = |kind: &Kind| match kind {
        Kind::Contraharmonic => spaces.contraharmonic.is_none(),
        Kind::Squared => spaces.squared.is_none(),
        Kind::Raw => spaces.raw.is_none(),
        _ => false,
    };
    let found = kinds.len();
    kinds.retain(|kind| !absent(kind));
    // Kernel features have one scale.
    if kinds.len() < found && spaces.contraharmonic.is_none() && !kinds.contains(&Kind::KMeans) {
        kinds.insert(0, Kind::KMeans);
    }
    kinds
}

/// Whether this initialization is among those that the parameters ask for.
pub fn wants(p: &Mspc, scaling: Scaling, kind: Kind) -> bool {
    asked(p, scaling).contains(&kind)
}

/// Whether the initializations depend on the scaling that distances have.
pub fn need_scaling(p: &Mspc) -> bool {
    asked(p, Scaling::Standard) != asked(p, Scaling::Contraharmonic)
}

/// Which initializations the parameters ask for; `scaling` is the one that was found where it is `auto`.
fn asked(p: &Mspc, scaling: Scaling) -> Vec<Kind> {
    let scaled = match scaling {
        Scaling::None => vec![Kind::Raw],
        Scaling::Standard => vec![Kind::KMeans],
        Scaling::Auto | Scaling::Contraharmonic => vec![Kind::Contraharmonic, Kind::Squared],
    };
    match &p.init {
        Init::Labels(_) => Vec::new(),
        Init::Named(name) => match name.as_str() {
            // Over-splitting is judged against plain k-means, never alone.
            "oversplit" => [scaled, vec![Kind::Oversplit]].concat(),
            "kmeans-raw" => vec![Kind::Raw],
            "pca" => vec![Kind::Pca],
            _ => scaled,
        },
        _ if scaling == Scaling::None => scaled,
        _ => [scaled, vec![Kind::Pca]].concat(),
    }
}
