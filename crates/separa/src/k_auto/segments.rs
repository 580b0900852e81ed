//! Segments: where there are no clusters, how reproducible a split into k parts would be.
//!
//! Problem   for k = 2…8: how often do rules learnt on two halves of the rows put a row into the same segment?
//! Given     rows, the method that was asked for.
//! Returns   per k the held-out agreement, what chance gives, the smallest segment; the most reproducible k.
//! How       [`held_out`] agreement of five random splits into halves.
//! Cost      70 fits to at most 1,000 rows. Methods with curved boundaries, whose fits cost the square of the rows, and
//!           all methods beyond 100 columns are represented by k-means on scaled columns.

use super::Segmentation;
use crate::clusterer::agreement::{Drawn, HalfRefit, HeldOut, ROWS_PER_CLUSTER, held_out};
use crate::clusterer::judge::Origin;
use crate::clusterer::part::PartFit;
use crate::data::Dataset;
use crate::error::Result;
use crate::progress::{Event, Observer};
use crate::quality::verdict::REPRODUCIBLE;
use crate::start::halves::ByKMeans;
use separa_math::matrix::{Dense, pick};
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
    origin: &Origin<'_>,
    observer: &O,
) -> Segments {
    let by_kmeans = origin.method.is_curved() || data.d() > COLUMNS;
    let most = (VALUES / data.d().max(1)).clamp(FEWEST_ROWS, ROWS);
    let drawn = Drawn::new(data, most, origin.seed);
    let rows = drawn.index.len();
    let halved = Halved {
        scaled: by_kmeans.then(|| scaled(data, &drawn.index, origin.seed)),
        drawn,
        origin,
    };
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

/// Rows on the robust scale, for k-means.
fn scaled(data: &Dataset<'_>, index: &[usize], seed: u64) -> Dense {
    let mut scaler = RobustFit::of(data.x(), data.weights(), true, seed).scaler;
    scaler.weigh_features(data.features());
    pick(&scaler.view(data.x()), index)
}

/// Rows that are split into halves, and what is fitted to each.
struct Halved<'a> {
    drawn: Drawn<'a>,
    /// The same rows, if k-means represents the method.
    scaled: Option<Dense>,
    origin: &'a Origin<'a>,
}

impl Halved<'_> {
    /// The mean over the splits; None where the observer ended one.
    fn segmentation<O: Observer + Clone + Sync>(
        &self,
        k: usize,
        observer: &O,
    ) -> Result<Option<Segmentation>> {
        let refit = |half: &[usize]| self.refit(k, half, observer);
        let found = held_out(self.drawn.index.len(), k, SPLITS, self.origin.seed, &refit)?;
        Ok(found.map(|found| {
            let HeldOut { agreement, chance, smallest } = found.held_out;
            Segmentation { k, agreement, chance, smallest }
        }))
    }

    /// What a rule learnt on `half` says of all rows; None where the fit was cut short.
    fn refit<O: Observer + Clone>(
        &self,
        k: usize,
        half: &[usize],
        observer: &O,
    ) -> Result<Option<HalfRefit>> {
        let seed = self.origin.seed;
        if let Some(rows) = &self.scaled {
            let by = ByKMeans { rows, weights: None, k, n_init: RESTARTS, seed };
            let labels = by.labels(half).into_iter().map(|l| l as i32).collect();
            return Ok(Some(HalfRefit { labels, unseen: None }));
        }
        let mut method = self.origin.method.boxed();
        method.set_n_clusters(k);
        let origin = Origin { method: method.as_ref(), ..*self.origin };
        // Where there are no clusters, gaps suggest none.
        let how = PartFit { seed, together: SPLITS, suggest: false };
        self.drawn.refit(half, how, &origin, observer)
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
