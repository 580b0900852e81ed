//! Held-out agreement: do rules learnt on two halves of the rows put a row into the same cluster?
//!
//! Given     how a rule learnt on some rows labels all of them.
//! Returns   the agreement, what chance gives, the smallest cluster: means over random splits into halves.
//! How       a rule is learnt on each half; both label all rows, so every row is held out from one of them. Clusters are
//!           matched one to one (assignment problem); the agreement is the fraction of rows in matched clusters.
//!           Chance is the same with the labels of one rule shuffled, matched anew.
//! See       Lange, Roth, Braun & Buhmann (2004), Tibshirani & Walther (2005).

use super::judge::Origin;
use super::observers::Untold;
use crate::context::{Ctx, MemoryBudget};
use crate::data::Dataset;
use crate::error::Result;
use crate::k_auto;
use crate::model::Labels;
use crate::progress::Observer;
use crate::quality::Contingency;
use crate::start::halves::halves;
use rayon::prelude::*;
use separa_math::matrix::Stored;
use separa_math::rng::Rng;

/// Random splits that the labels of a fit are judged by.
const SPLITS: u64 = 3;
/// With more columns than these one split is enough: so many rows are looked at, and fits are slow.
const WIDE: usize = 256;
/// Rows, and values in all, that are split.
const ROWS: usize = 2000;
const VALUES: usize = 1 << 20;
/// Rows where a fit costs their square.
const CURVED_ROWS: usize = 800;
/// Rows of a half for each cluster, at least.
pub(crate) const ROWS_PER_CLUSTER: usize = 5;
/// Shuffles that chance is measured by, for each split.
const SHUFFLES: usize = 5;
/// Streams of the halves, away from those of the fits.
const STREAM: u64 = 0x5e60;

/// What two rules agree on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct HeldOut {
    pub agreement: f64,
    pub chance: f64,
    /// Fraction of the rows in the smallest cluster of a rule.
    pub smallest: f64,
}

/// `n` rows in halves, `splits` times; `labels` gives the labels of all by a rule learnt on some, or None if that was
/// cut short, which makes the whole None.
pub(crate) fn held_out(
    n: usize,
    k: usize,
    splits: u64,
    seed: u64,
    labels: &(dyn Fn(&[usize]) -> Result<Option<Labels>> + Sync),
) -> Result<Option<HeldOut>> {
    let split = |task: u64| -> Result<Option<HeldOut>> {
        let mut rng = Rng::new(seed, STREAM + 1 + task);
        let (first, second) = halves(n, &mut rng);
        let Some((a, b)) = labels(&first)?.zip(labels(&second)?) else { return Ok(None) };
        HeldOut::of(k, &a, &b, &mut rng).map(Some)
    };
    let all: Option<Vec<HeldOut>> =
        (0..splits).into_par_iter().map(split).collect::<Result<_>>()?;
    Ok(all.map(|all| {
        let mean = |of: fn(&HeldOut) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        HeldOut {
            agreement: mean(|a| a.agreement),
            chance: mean(|a| a.chance),
            smallest: mean(|a| a.smallest),
        }
    }))
}

/// Of at most `rows` rows with weight those that the seed draws.
pub(crate) fn drawn(data: &Dataset<'_>, rows: usize, seed: u64) -> Vec<usize> {
    let usable: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    let drawn = Rng::new(seed, STREAM).sample(usable.len(), rows.min(usable.len()));
    drawn.into_iter().map(|i| usable[i]).collect()
}

/// The held-out agreement of clusters as `origin` makes them; None if the rows are too few or a half cannot be fitted.
pub(super) fn of_fit<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    origin: &Origin<'_>,
    observer: &O,
) -> Option<HeldOut> {
    let k = origin.method.n_clusters();
    let most = if origin.method.is_curved() { CURVED_ROWS } else { ROWS };
    let most = (VALUES / data.d().max(1)).clamp(most / 4, most);
    let sample = drawn(data, most, origin.seed);
    if data.grouping().is_some() || k < 2 || sample.len() / 2 < ROWS_PER_CLUSTER * k {
        return None;
    }
    let splits = if data.d() > WIDE { 1 } else { SPLITS };
    let rows = Stored::of(&data.x(), &sample);
    let labels = |half: &[usize]| -> Result<Option<Labels>> {
        let index: Vec<usize> = half.iter().map(|&i| sample[i]).collect();
        let part = Stored::of(&data.x(), &index);
        let weights: Option<Vec<f64>> =
            data.weights().map(|all| index.iter().map(|&i| all[i]).collect());
        let part = data.part(part.matrix())?.weighted(weights.as_deref())?;
        let mut ctx = Ctx::observed(origin.seed, Untold(observer.clone()));
        // A fraction each: splits are fitted at the same time.
        ctx.memory = MemoryBudget(origin.memory.0.map(|all| all / splits));
        let mut method = origin.method.boxed();
        method.restrict_to(index.len());
        let fit = k_auto::solve(method.as_ref(), &part, &mut ctx)?;
        match ctx.cancelled() {
            true => Ok(None),
            false => fit.model.predict(rows.matrix()).map(Some),
        }
    };
    held_out(sample.len(), k, splits, origin.seed, &labels).ok().flatten()
}

impl HeldOut {
    fn of(k: usize, a: &[i32], b: &[i32], rng: &mut Rng) -> Result<Self> {
        let table = Contingency::new(a, b)?;
        let mut shuffled = b.to_vec();
        let mut chance = 0.0;
        for _ in 0..SHUFFLES {
            rng.shuffle(&mut shuffled);
            chance += Contingency::new(a, &shuffled)?.accuracy() / SHUFFLES as f64;
        }
        // A rule that leaves a cluster empty has none smaller.
        let least = |sizes: Vec<f64>| match sizes.len() < k {
            true => 0.0,
            false => sizes.into_iter().fold(f64::INFINITY, f64::min) / a.len() as f64,
        };
        let smallest = least(table.cluster_sizes()).min(least(table.class_sizes()));
        Ok(Self { agreement: table.accuracy(), chance, smallest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_method::AnyMethod;
    use crate::methods::{KMeans, Mspc};
    use crate::progress::Silent;
    use separa_math::matrix::DenseRef;
    use separa_testkit::Covariance;
    use separa_testkit::clouds::{blobs, gaussian};

    #[test]
    fn equal_labels_agree_whatever_their_numbers_and_shuffled_ones_by_chance() {
        let a: Vec<i32> = (0..3000).map(|i| i % 3).collect();
        let renamed: Vec<i32> = a.iter().map(|l| (l + 1) % 3).collect();
        let found = HeldOut::of(3, &a, &renamed, &mut Rng::new(1, 0)).unwrap();
        assert_eq!((found.agreement, found.smallest), (1.0, 1.0 / 3.0));
        // A third, and what the best of six matchings adds to it: about two deviations of √(2/9/3000).
        assert!((found.chance - 1.0 / 3.0).abs() < 0.03, "{}", found.chance);
        let mut other = a.clone();
        Rng::new(2, 0).shuffle(&mut other);
        let chance = HeldOut::of(3, &a, &other, &mut Rng::new(1, 0)).unwrap();
        assert!((chance.agreement - chance.chance).abs() < 0.03, "{}", chance.agreement);
        // Frequencies of 90 % and 10 % agree on 0.9² + 0.1² of the rows.
        let rare: Vec<i32> = (0..3000).map(|i| i32::from(i % 10 == 0)).collect();
        let found = HeldOut::of(2, &rare, &rare, &mut Rng::new(1, 0)).unwrap();
        assert!((found.chance - 0.82).abs() < 0.02, "{}", found.chance);
        // Three clusters were asked for and two have rows.
        assert_eq!(HeldOut::of(3, &rare, &rare, &mut Rng::new(1, 0)).unwrap().smallest, 0.0);
    }

    fn of(method: &dyn AnyMethod, x: &[f64], d: usize) -> Option<HeldOut> {
        let data = Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap();
        let origin = Origin { method, seed: 0, memory: MemoryBudget::default() };
        of_fit(&data, &origin, &Silent)
    }

    #[test]
    fn clear_clusters_agree_and_a_round_cloud_does_not() {
        let clear = blobs(600, 4, 3, 9.0, 1);
        let found = of(&Mspc::new(3), &clear.x, 4).unwrap();
        assert!(found.agreement > 0.99 && found.chance < 0.45, "{found:?}");
        let cloud = gaussian(600, 4, Covariance::Spherical, 1);
        let found = of(&KMeans::new(3), &cloud, 4).unwrap();
        assert!(found.agreement < 0.85, "{found:?}");
        // Three clusters of five rows in each half need thirty.
        assert_eq!(of(&Mspc::new(3), &clear.x[..4 * 29], 4), None);
    }
}
