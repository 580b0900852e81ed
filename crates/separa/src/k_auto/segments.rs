//! Segments: where there are no clusters, how reproducible a split into k parts would be.
//!
//! Problem   for k = 2…8: how often do rules learnt on two halves of the rows put a row into the same segment?
//! Given     rows, the method that was asked for.
//! Returns   per k the held-out agreement, what chance gives, the smallest segment; the most reproducible k.
//! How       [`held_out`] agreement of five random splits into halves.
//! Cost      70 fits to at most 1,000 rows. Methods with curved boundaries, whose fits cost the square of the rows, and
//!           all methods beyond 100 columns are represented by k-means on scaled columns.

use super::Segmentation;
use crate::any_method::AnyMethod;
use crate::clusterer::agreement::{HeldOut, ROWS_PER_CLUSTER, drawn, held_out};
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::model::Labels;
use crate::progress::{Event, Observer};
use crate::quality::verdict::REPRODUCIBLE;
use crate::start::halves::ByKMeans;
use separa_math::matrix::{Dense, Rows, Stored, pick};
use separa_math::scaling::RobustFit;

/// Numbers of segments that are tried.
const MOST: usize = 8;
/// Rows and values that are looked at, at most.
const ROWS: usize = 2000;
const VALUES: usize = 4 << 20;
const FEWEST_ROWS: usize = 200;
/// With more columns than these k-means stands for any method.
const COLUMNS: usize = 100;
/// Random splits into halves.
const SPLITS: u64 = 5;
/// Restarts of k-means where it stands for a method.
const RESTARTS: usize = 5;

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
    let most = (VALUES / data.d().max(1)).clamp(FEWEST_ROWS, ROWS);
    let sample = drawn(data, most, asked.seed);
    let rows = sample.len();
    let halved = Halved { rows: RowsOf::new(data, sample, by_kmeans, asked.seed), data, asked };
    let most = MOST.min(rows / 2 / ROWS_PER_CLUSTER);
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
        let labels = |half: &[usize]| self.labels(k, half, observer);
        let found = held_out(self.rows.n(), k, SPLITS, self.asked.seed, &labels)?;
        Ok(found.map(|HeldOut { agreement, chance, smallest }| Segmentation {
            k,
            agreement,
            chance,
            smallest,
        }))
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
        let data = self.data.part(part.matrix())?.weighted(own.as_deref())?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
