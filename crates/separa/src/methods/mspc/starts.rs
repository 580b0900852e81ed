//! Starting partitions, and the choice between them.

use super::params::{Mspc, Units};
use super::rounds::{self, Settled};
use super::shared::Shared;
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::params::Init;
use crate::progress::Event;
use crate::report::StartReport;
use crate::start::embedding::Embedding;
use separa_math::matrix::{Dense, Rows, Subset, pick};
use separa_math::moments::Moments;
use separa_math::rng::Rng;

/// Rounds of the vote that a start gets before starts are compared; the winner goes on.
const TRIAL_ROUNDS: usize = 30;
/// Over-split clusters must be this separate, and this much better than plain k-means.
const OVERSPLIT_P: f64 = 0.7;
const OVERSPLIT_GAIN: f64 = 0.7;
/// Rows, and values in all, on which starts are tried.
const TRIAL_ROWS: usize = 8192;
const TRIAL_VALUES: usize = 4 << 20;
/// Differences of the cross-fitted criterion below this are noise: prior knowledge decides then.
const TIE: f64 = 0.01;

/// What is known of the rows in the table's own units.
#[derive(Debug, Clone, Copy)]
pub enum Raw<'a> {
    /// Nothing: kernel features have no units.
    None,
    /// The length of each standardised column.
    Lengths(&'a [f64]),
    /// The rows themselves, in coordinates that keep their distances.
    Rows(&'a Dense),
}

/// Tries the starts on a seeded sample of rows where there are many, and labels all rows by the
/// rule of the best.
pub fn try_starts(
    p: &Mspc,
    shared: &Shared<'_>,
    raw: Raw<'_>,
    raw_first: bool,
    ctx: &mut Ctx<'_>,
) -> Result<(Settled, Vec<StartReport>)> {
    let rows = (TRIAL_VALUES / shared.rows.n_cols()).clamp(1024, TRIAL_ROWS);
    let usable: Vec<usize> =
        (0..shared.rows.n_rows()).filter(|&i| shared.weight(i) > 0.0).collect();
    if usable.len() <= rows {
        return choose(p, shared, raw, raw_first, ctx);
    }
    let drawn = Rng::new(ctx.seed, 0x74).sample(usable.len(), rows);
    let index: Vec<usize> = drawn.into_iter().map(|r| usable[r]).collect();
    // Standardised rows that are kept in memory need no second copy.
    let copied = (!shared.rows.in_memory()).then(|| pick(shared.rows, &index));
    let subset = Subset { rows: shared.rows, index: &index };
    let sample: &dyn Rows = copied.as_ref().map_or(&subset, |table| table);
    let weights: Option<Vec<f64>> = shared.weights.map(|w| index.iter().map(|&i| w[i]).collect());
    let few = shared.with_rows(sample, weights.as_deref(), &index);
    let picked = if let Raw::Rows(table) = raw { Some(pick(table, &index)) } else { None };
    let raw = picked.as_ref().map_or(raw, Raw::Rows);
    let (mut settled, starts) = choose(p, &few, raw, raw_first, ctx)?;
    settled.labels = settled.vote.labels(shared.rows, &settled.basis);
    Ok((settled, starts))
}

/// Runs the vote from every start and keeps the one with the best cross-fitted criterion; a start
/// that ends in a few outliers against the rest loses to any that does not. `raw_first`: columns
/// that look alike probably share their unit, so the start that uses it wins ties.
fn choose(
    p: &Mspc,
    shared: &Shared<'_>,
    raw: Raw<'_>,
    raw_first: bool,
    ctx: &mut Ctx<'_>,
) -> Result<(Settled, Vec<StartReport>)> {
    const REFUSED: f64 = -1e3;
    let k = p.n_clusters;
    let cov = shared.total.covariance();
    let kinds = kinds(p).into_iter().map(|kind| (kind.name().to_owned(), kind)).collect();
    let max_iter = p.max_iter.min(TRIAL_ROUNDS);
    best_of(ctx, kinds, |ctx, kind| {
        let start = kind.labels(p, shared, &cov, raw, ctx)?;
        let settled = rounds::improve(shared, start, k, max_iter, p.tol, ctx)?;
        let fitted = shared.cross_fitted(&settled.labels, k)?;
        let mut score = fitted.mean_log;
        match kind {
            Kind::Raw if raw_first => score += TIE,
            Kind::Oversplit if fitted.smallest < OVERSPLIT_P => score += REFUSED,
            Kind::Oversplit => score -= OVERSPLIT_GAIN,
            _ => {}
        }
        if smallest_share(shared, &settled.labels, k) < floor_of(p, shared.total_weight()) {
            score += REFUSED;
        }
        Ok(Candidate { score, iterations: settled.iterations, value: settled })
    })
}

/// The smallest fraction of `total` rows that a cluster can hold.
pub fn floor_of(p: &Mspc, total: f64) -> f64 {
    p.min_cluster_size.fraction_of_k(total, p.n_clusters)
}

pub fn smallest_share(shared: &Shared<'_>, labels: &[u32], k: usize) -> f64 {
    let mut mass = vec![0.0; k];
    (0..labels.len()).for_each(|i| mass[labels[i] as usize] += shared.weight(i));
    mass.iter().fold(f64::INFINITY, |a, b| a.min(*b)) / mass.iter().sum::<f64>()
}

/// The starts MSPC knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    KMeans,
    Pca,
    Raw,
    Oversplit,
}

impl Kind {
    const ALL: [(&'static str, Self); 4] = [
        ("kmeans", Self::KMeans),
        ("pca", Self::Pca),
        ("kmeans-raw", Self::Raw),
        ("oversplit", Self::Oversplit),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).expect("all kinds are listed").0
    }

    /// The start's labels. Ends early with what it has when the observer says stop.
    fn labels(
        self,
        p: &Mspc,
        shared: &Shared<'_>,
        cov: &Dense,
        raw: Raw<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<u32>> {
        let (k, seed) = (p.n_clusters, ctx.seed);
        let (rows, weights) = (shared.rows, shared.weights);
        let e = match raw {
            Raw::Lengths(lengths) if self == Self::Raw => {
                Embedding::new(rows, weights, cov, Some(lengths), seed)?
            }
            Raw::Rows(table) if self == Self::Raw => {
                let cov = Moments::of(table, weights).covariance();
                Embedding::new(table, weights, &cov, None, seed)?
            }
            _ => Embedding::new(rows, weights, cov, None, seed)?,
        };
        let mut pause = || ctx.emit(Event::Phase { name: "starts" });
        match self {
            Self::Pca => Ok(e.kmeans(k, p.n_init, k - 1, &mut pause)),
            Self::Oversplit => e.merged(k, p.n_init, p.reg, &mut pause),
            Self::KMeans | Self::Raw => Ok(e.kmeans(k, p.n_init, e.directions(), &mut pause)),
        }
    }
}

/// Whether a start in the table's own units is among them.
pub fn wants_raw(p: &Mspc) -> bool {
    kinds(p).contains(&Kind::Raw)
}

/// Which starts the parameters ask for.
fn kinds(p: &Mspc) -> Vec<Kind> {
    match (&p.init, p.units) {
        // Over-splitting is judged against plain k-means, never alone.
        (Init::Named(name), _) if name == "oversplit" => vec![Kind::KMeans, Kind::Oversplit],
        (Init::Named(name), _) => {
            Kind::ALL.iter().filter(|(n, _)| n == name).map(|(_, kind)| *kind).collect()
        }
        (_, Units::Free) => vec![Kind::KMeans, Kind::Pca],
        (_, Units::Shared) => vec![Kind::Raw],
        (_, Units::Auto) => vec![Kind::KMeans, Kind::Pca, Kind::Raw],
    }
}
