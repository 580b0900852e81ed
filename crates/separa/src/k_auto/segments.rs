//! Segments: where there are no clusters, how reproducible a split into k parts would be.
//!
//! Problem   for k = 2…8: how often do rules learnt on two halves of the rows put a row into the same segment?
//! Given     rows, the method that was asked for.
//! Returns   per k the held-out agreement, what chance gives, the smallest segment; the most reproducible k.
//! How       the rows are split into random halves, five times. A rule is fitted to each half; both label all rows, so
//!           every row is held out from one of them. Segments are matched one to one (assignment problem); the
//!           agreement is the fraction of rows in matched segments. Chance is the same with the labels of one rule
//!           shuffled, matched anew.
//! Cost      70 fits to at most 1,000 rows. Methods with curved boundaries, whose fits cost the square of the rows, and
//!           all methods beyond 100 columns are represented by k-means on scaled columns.
//! See       Lange, Roth, Braun & Buhmann (2004), Tibshirani & Walther (2005).

use super::Segmentation;
use crate::any_method::AnyMethod;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::Labels;
use crate::progress::{Event, Observer};
use crate::quality::Contingency;
use crate::start::halves::{ByKMeans, halves};
use rayon::prelude::*;
use separa_math::matrix::{Dense, Rows, Stored, pick};
use separa_math::rng::Rng;
use separa_math::scaling::RobustFit;

/// Numbers of segments that are tried.
const MOST: usize = 8;
/// Rows and values that are looked at, at most.
const ROWS: usize = 2000;
const VALUES: usize = 4 << 20;
const FEWEST_ROWS: usize = 200;
/// With more columns than these k-means stands for any method.
const COLUMNS: usize = 100;
/// Rows of a half for each segment, at least.
const ROWS_PER_SEGMENT: usize = 5;
/// Random splits into halves.
const SPLITS: u64 = 5;
/// Restarts of k-means where it stands for a method.
const RESTARTS: usize = 5;
/// Shuffles that chance is measured by, for each split.
const SHUFFLES: usize = 5;
/// Streams of the halves, away from those of the fits.
const STREAM: u64 = 0x5e60;
/// A chance-corrected agreement below this is arbitrary (docs/how-many.md has the figures).
pub(crate) const REPRODUCIBLE: f64 = 0.6;

/// Who fits, with what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub method: &'a dyn AnyMethod,
    pub seed: u64,
    pub memory: crate::context::MemoryBudget,
}

/// What was found about segments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segments {
    pub each: Vec<Segmentation>,
    /// The most reproducible number, if it is better than arbitrary.
    pub best: Option<usize>,
    /// Whether k-means stood for the method that was asked for.
    pub by_kmeans: bool,
    /// Rows that were looked at.
    pub rows: usize,
}

/// Tries 2 to 8 segments; `observer` can end it, then fewer are tried.
pub(crate) fn segments<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    asked: &Asked<'_>,
    observer: &O,
) -> Segments {
    let by_kmeans = asked.method.is_curved() || data.d() > COLUMNS;
    let usable: Vec<usize> = (0..data.n()).filter(|&i| data.weight(i) > 0.0).collect();
    let most = (VALUES / data.d().max(1)).clamp(FEWEST_ROWS, ROWS).min(usable.len());
    let mut sample = Rng::new(asked.seed, STREAM).sample(usable.len(), most);
    sample.iter_mut().for_each(|i| *i = usable[*i]);
    let rows = sample.len();
    let halved = Halved { rows: RowsOf::new(data, sample, by_kmeans, asked.seed), data, asked };
    let most = MOST.min(rows / 2 / ROWS_PER_SEGMENT);
    let mut each = Vec::new();
    for k in 2..=most {
        let name = "segments".to_owned();
        let event = Event::Start { index: k - 2, of: MOST - 1, name };
        if observer.clone().on(&event).is_break() {
            break;
        }
        // A method may refuse a number; the others are worth having.
        each.extend(halved.segmentation(k, observer).ok().flatten());
    }
    Segments { best: most_reproducible(&each), each, by_kmeans, rows }
}

/// The number with the largest chance-corrected agreement, if it is above [`REPRODUCIBLE`]; of equals the smallest.
fn most_reproducible(each: &[Segmentation]) -> Option<usize> {
    let mut best: Option<&Segmentation> = None;
    for one in each.iter().filter(|one| one.corrected() >= REPRODUCIBLE) {
        if best.is_none_or(|best| one.corrected() > best.corrected()) {
            best = Some(one);
        }
    }
    best.map(|best| best.k)
}

/// The rows that are looked at, as the rule sees them.
enum RowsOf {
    /// As they are, with their weights.
    Table(Stored, Option<Vec<f64>>),
    /// On the robust scale, for k-means.
    Scaled(Dense),
}

impl RowsOf {
    fn new(data: &Dataset<'_>, index: Vec<usize>, scaled: bool, seed: u64) -> Self {
        if scaled {
            let mut scaler = RobustFit::of(data.x(), data.weights(), true, seed).scaler;
            scaler.weigh_features(data.features());
            return Self::Scaled(pick(&scaler.view(data.x()), &index));
        }
        let weights = data.weights().map(|w| index.iter().map(|&i| w[i]).collect());
        Self::Table(Stored::of(&data.x(), &index), weights)
    }

    fn n(&self) -> usize {
        match self {
            Self::Table(rows, _) => rows.n_rows(),
            Self::Scaled(rows) => rows.rows(),
        }
    }
}

/// Rows that are split into halves, and what is fitted to each.
struct Halved<'a> {
    rows: RowsOf,
    data: &'a Dataset<'a>,
    asked: &'a Asked<'a>,
}

impl Halved<'_> {
    /// The mean over the splits; None where the observer ended one.
    fn segmentation<O: Observer + Clone + Sync>(
        &self,
        k: usize,
        observer: &O,
    ) -> Result<Option<Segmentation>> {
        let split = |task: u64| self.split(k, task, observer);
        let all: Option<Vec<Agreement>> =
            (0..SPLITS).into_par_iter().map(split).collect::<Result<_>>()?;
        let Some(all) = all else { return Ok(None) };
        let mean = |of: fn(&Agreement) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        Ok(Some(Segmentation {
            k,
            agreement: mean(|a| a.found),
            chance: mean(|a| a.chance),
            smallest: mean(|a| a.smallest),
        }))
    }

    fn split<O: Observer + Clone>(
        &self,
        k: usize,
        task: u64,
        observer: &O,
    ) -> Result<Option<Agreement>> {
        let mut rng = Rng::new(self.asked.seed, STREAM + 1 + task);
        let (first, second) = halves(self.rows.n(), &mut rng);
        let (Some(a), Some(b)) =
            (self.labels(k, &first, observer)?, self.labels(k, &second, observer)?)
        else {
            return Ok(None);
        };
        Agreement::of(k, &a, &b, &mut rng).map(Some)
    }

    /// The labels that a rule learnt on `half` gives to all rows; None where the fit was cut short.
    fn labels<O: Observer + Clone>(
        &self,
        k: usize,
        half: &[usize],
        observer: &O,
    ) -> Result<Option<Labels>> {
        let seed = self.asked.seed;
        let (rows, weights) = match &self.rows {
            RowsOf::Scaled(rows) => {
                let by = ByKMeans { rows, weights: None, k, n_init: RESTARTS, seed };
                return Ok(Some(by.labels(half).into_iter().map(|l| l as i32).collect()));
            }
            RowsOf::Table(rows, weights) => (rows, weights),
        };
        let part = Stored::of(&rows.matrix(), half);
        let own: Option<Vec<f64>> =
            weights.as_ref().map(|all| half.iter().map(|&i| all[i]).collect());
        let data = self.data.part(part.matrix())?;
        let data = match &own {
            Some(own) => data.with_weights(own)?,
            None => data,
        };
        let mut ctx = Ctx::observed(seed, crate::clusterer::observers::Untold(observer.clone()));
        ctx.memory = self.asked.memory;
        let mut method = self.asked.method.boxed();
        method.set_n_clusters(k);
        method.restrict_to(half.len());
        let fit = method.solve(&data, &mut ctx)?;
        match ctx.cancelled() {
            true => Ok(None),
            false => fit.model.predict(rows.matrix()).map(Some),
        }
    }
}

/// How far two labellings of the same rows agree.
struct Agreement {
    found: f64,
    chance: f64,
    smallest: f64,
}

impl Agreement {
    fn of(k: usize, a: &[i32], b: &[i32], rng: &mut Rng) -> Result<Self> {
        let table = Contingency::new(a, b)?;
        let mut shuffled = b.to_vec();
        let mut chance = 0.0;
        for _ in 0..SHUFFLES {
            rng.shuffle(&mut shuffled);
            chance += Contingency::new(a, &shuffled)?.accuracy() / SHUFFLES as f64;
        }
        // A rule that leaves a segment empty has none smaller.
        let least = |sizes: Vec<f64>| match sizes.len() < k {
            true => 0.0,
            false => sizes.into_iter().fold(f64::INFINITY, f64::min) / a.len() as f64,
        };
        let smallest = least(table.cluster_sizes()).min(least(table.class_sizes()));
        Ok(Self { found: table.accuracy(), chance, smallest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_agree_whatever_their_numbers_and_shuffled_ones_by_chance() {
        let a: Vec<i32> = (0..3000).map(|i| i % 3).collect();
        let renamed: Vec<i32> = a.iter().map(|l| (l + 1) % 3).collect();
        let found = Agreement::of(3, &a, &renamed, &mut Rng::new(1, 0)).unwrap();
        assert_eq!((found.found, found.smallest), (1.0, 1.0 / 3.0));
        // A third, and what the best of six matchings adds to it: about two deviations of √(2/9/3000).
        assert!((found.chance - 1.0 / 3.0).abs() < 0.03, "{}", found.chance);
        let mut other = a.clone();
        Rng::new(2, 0).shuffle(&mut other);
        let chance = Agreement::of(3, &a, &other, &mut Rng::new(1, 0)).unwrap();
        assert!((chance.found - chance.chance).abs() < 0.03, "{}", chance.found);
        // Frequencies of 90 % and 10 % agree on 0.9² + 0.1² of the rows.
        let rare: Vec<i32> = (0..3000).map(|i| i32::from(i % 10 == 0)).collect();
        let found = Agreement::of(2, &rare, &rare, &mut Rng::new(1, 0)).unwrap();
        assert!((found.chance - 0.82).abs() < 0.02, "{}", found.chance);
        // Three segments were asked for and two have rows.
        assert_eq!(Agreement::of(3, &rare, &rare, &mut Rng::new(1, 0)).unwrap().smallest, 0.0);
    }

    #[test]
    fn the_best_number_is_corrected_for_chance_and_above_the_bar() {
        let one = |k, agreement, chance| Segmentation { k, agreement, chance, smallest: 0.1 };
        // 0.8 of 0.9 and 0.8 of 0.88: the second is further from chance.
        let each = [one(2, 0.9, 0.5), one(3, 0.88, 0.35)];
        assert_eq!(most_reproducible(&each), Some(3));
        assert_eq!(most_reproducible(&[one(2, 0.75, 0.5)]), None);
        assert_eq!(most_reproducible(&[one(2, 0.9, 0.5), one(3, 0.9, 0.5)]), Some(2));
        assert_eq!(most_reproducible(&[]), None);
    }
}
