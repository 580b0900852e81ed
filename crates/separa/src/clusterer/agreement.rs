//! Held-out agreement: do rules learnt on two halves of the rows put a row into the same cluster?
//!
//! Given     how a rule learnt on some rows labels all of them.
//! Returns   the agreement, what chance gives, the smallest cluster: means over random splits into halves.
//! How       a rule is learnt on each half; both label all rows, so every row is held out from one of them. Clusters are
//!           matched one to one (assignment problem); the agreement is the fraction of rows in matched clusters.
//!           Chance is the same with the labels of one rule shuffled, matched anew.
//! See       Lange, Roth, Braun & Buhmann (2004), Tibshirani & Walther (2005).

use super::judge::Origin;
use super::part::PartFit;
use crate::confidence::{Margins, calibrate};
use crate::data::Dataset;
use crate::error::Result;
use crate::model::{Labels, labels_of};
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

/// What a rule learnt on some rows says of all.
pub(crate) struct HalfRefit {
    pub labels: Labels,
    /// The median margin of rows it has not seen over that of those it learnt from: 1 for rules that are as sure of both.
    pub unseen: Option<f64>,
}

/// What was learnt on halves of some rows.
pub(crate) struct Refits {
    pub held_out: HeldOut,
    pub each: Vec<HalfRefit>,
}

/// `n` rows in halves, `splits` times; `refit` gives what a rule learnt on some says of all, or None if that was
/// cut short, which makes the whole None.
pub(crate) fn held_out(
    n: usize,
    k: usize,
    splits: u64,
    seed: u64,
    refit: &(dyn Fn(&[usize]) -> Result<Option<HalfRefit>> + Sync),
) -> Result<Option<Refits>> {
    let split = |task: u64| -> Result<Option<(HeldOut, [HalfRefit; 2])>> {
        let mut rng = Rng::new(seed, STREAM + 1 + task);
        let (first, second) = halves(n, &mut rng);
        let Some((a, b)) = refit(&first)?.zip(refit(&second)?) else { return Ok(None) };
        let found = HeldOut::of(k, &a.labels, &b.labels, &mut rng)?;
        Ok(Some((found, [a, b])))
    };
    let all: Option<Vec<(HeldOut, [HalfRefit; 2])>> =
        (0..splits).into_par_iter().map(split).collect::<Result<_>>()?;
    Ok(all.map(|all| {
        let (all, refits): (Vec<HeldOut>, Vec<[HalfRefit; 2]>) = all.into_iter().unzip();
        let mean = |of: fn(&HeldOut) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        let held_out = HeldOut {
            agreement: mean(|a| a.agreement),
            chance: mean(|a| a.chance),
            smallest: mean(|a| a.smallest),
        };
        Refits { held_out, each: refits.into_iter().flatten().collect() }
    }))
}

/// Rows that are drawn by a seed, to be split into halves.
pub(crate) struct Drawn<'a> {
    data: &'a Dataset<'a>,
    pub index: Vec<usize>,
    pub rows: Stored,
}

impl<'a> Drawn<'a> {
    /// At most `most` rows with weight.
    pub fn new(data: &'a Dataset<'a>, most: usize, seed: u64) -> Self {
        let usable: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
        let drawn = Rng::new(seed, STREAM).sample(usable.len(), most.min(usable.len()));
        let index: Vec<usize> = drawn.into_iter().map(|i| usable[i]).collect();
        Self { data, rows: Stored::of(&data.x(), &index), index }
    }

    /// What a rule learnt on `half` says of all that were drawn; None if the fit was cut short.
    pub fn refit<O: Observer + Clone>(
        &self,
        half: &[usize],
        how: PartFit,
        origin: &Origin<'_>,
        observer: &O,
    ) -> Result<Option<HalfRefit>> {
        let index: Vec<usize> = half.iter().map(|&i| self.index[i]).collect();
        let rule = how.rule(self.data, &index, origin, observer)?;
        let Some(rule) = rule else { return Ok(None) };
        if rule.n_clusters() < 2 {
            let labels = rule.predict(self.rows.matrix())?;
            return Ok(Some(HalfRefit { labels, unseen: None }));
        }
        let decision = rule.decision(self.rows.matrix())?;
        let labels = labels_of(&decision)?;
        let unseen = unseen(&Margins::of(&decision, &labels).margin, half);
        Ok(Some(HalfRefit { labels, unseen }))
    }
}

/// The median margin of rows that are not in `half` over that of those that are.
fn unseen(margins: &[f64], half: &[usize]) -> Option<f64> {
    let mut seen = vec![false; margins.len()];
    half.iter().for_each(|&i| seen[i] = true);
    let unit = |of: bool| {
        let mine = margins.iter().zip(&seen).filter(|(_, seen)| **seen == of);
        calibrate::unit(&mine.map(|(margin, _)| *margin).collect::<Vec<_>>())
    };
    Some(unit(false)? / unit(true)?).filter(|ratio| ratio.is_finite())
}

/// The rows that a fit is judged on.
pub(super) fn drawn<'a>(data: &'a Dataset<'a>, origin: &Origin<'_>) -> Drawn<'a> {
    let most = if origin.method.is_curved() { CURVED_ROWS } else { ROWS };
    let most = (VALUES / data.d().max(1)).clamp(most / 4, most);
    Drawn::new(data, most, origin.seed)
}

/// The held-out agreement of clusters as `origin` makes them, on rows that were [`drawn`]; None if they are too few or
/// a half cannot be fitted.
pub(super) fn of_fit<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    drawn: &Drawn<'_>,
    origin: &Origin<'_>,
    observer: &O,
) -> Option<Refits> {
    let k = origin.method.n_clusters();
    let n = drawn.index.len();
    if data.grouping().is_some() || k < 2 || n / 2 < ROWS_PER_CLUSTER * k {
        return None;
    }
    let splits = if data.d() > WIDE { 1 } else { SPLITS };
    let how = PartFit { seed: origin.seed, together: splits, suggest: true };
    let refit = |half: &[usize]| drawn.refit(half, how, origin, observer);
    held_out(n, k, splits, origin.seed, &refit).ok().flatten()
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
    use crate::context::MemoryBudget;
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
        of_fit(&data, &drawn(&data, &origin), &origin, &Silent).map(|found| found.held_out)
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
