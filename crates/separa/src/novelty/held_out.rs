//! Distances of training rows to shapes that were made without them: what p-values are read from.

use crate::error::{Error, Result};
use crate::model_file::Tensors;

/// The farthest distances are kept one by one, of the others so many.
const TAIL: usize = 200;
const BODY: usize = 200;
/// Distances that overflow are as far as a model file can say.
const FARTHEST: f64 = 1e249;

/// Some of the distances, ascending, and how many of all are at least as large as each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeldOutDistances {
    distance: Vec<f64>,
    above: Vec<i64>,
}

impl HeldOutDistances {
    /// None of no distances.
    pub fn of(mut all: Vec<f64>) -> Option<Self> {
        all.iter_mut().for_each(|distance| *distance = distance.min(FARTHEST));
        all.sort_unstable_by(f64::total_cmp);
        let n = all.len();
        let body = n.saturating_sub(TAIL);
        let mut kept: Vec<usize> = (0..body).step_by(body.div_ceil(BODY).max(1)).collect();
        kept.extend(body..n);
        let distance: Vec<f64> = kept.iter().map(|&i| all[i]).collect();
        let above = kept.iter().map(|&i| (n - i) as i64).collect();
        (n > 0).then_some(Self { distance, above })
    }

    fn n(&self) -> f64 {
        self.above[0] as f64
    }

    /// The smallest p-value there can be.
    pub fn least(&self) -> f64 {
        1.0 / (self.n() + 1.0)
    }

    /// (1 + rows at least as far) / (1 + rows); between two kept distances the number is interpolated.
    pub fn p(&self, distance: f64) -> f64 {
        let distance = distance.min(FARTHEST);
        let next = self.distance.partition_point(|kept| *kept < distance);
        let farther = match next {
            0 => self.n(),
            next if next == self.distance.len() => 0.0,
            next => {
                let (low, high) = (self.distance[next - 1], self.distance[next]);
                let (below, above) = (self.above[next - 1] as f64, self.above[next] as f64);
                above + (below - 1.0 - above) * (high - distance) / (high - low)
            }
        };
        (1.0 + farther) / (1.0 + self.n())
    }

    /// How many of how many rows have at most this p-value, each compared with the others and itself.
    pub fn up_to(&self, p: f64) -> (usize, usize) {
        let most = (p * (self.n() + 1.0)).floor().min(self.n());
        (most as usize, self.n() as usize)
    }

    const NAMES: [&str; 2] = ["novelty.distance", "novelty.above"];

    pub fn put(&self, tensors: &mut Tensors) {
        let [distance, above] = Self::NAMES;
        tensors.put_vector(distance, &self.distance);
        tensors.put_integers(above, &self.above);
    }

    pub fn is_in(tensors: &Tensors) -> bool {
        tensors.contains(Self::NAMES[0])
    }

    pub fn load(tensors: &Tensors) -> Result<Self> {
        let [distance, above] = Self::NAMES;
        let found = Self { distance: tensors.vector(distance)?, above: tensors.integers(above)? };
        let ordered = found.distance.is_sorted() && found.above.is_sorted_by(|a, b| a > b);
        let whole = !found.distance.is_empty() && found.distance.len() == found.above.len();
        match whole && ordered && *found.above.last().unwrap_or(&0) > 0 {
            true => Ok(found),
            false => Err(Error::Model("its distances of training rows are damaged".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_count_the_rows_that_are_as_far() {
        let small = HeldOutDistances::of(vec![3.0, 1.0, 2.0]).unwrap();
        for (distance, p) in [(0.5, 1.0), (1.0, 1.0), (1.5, 0.75), (3.0, 0.5), (3.1, 0.25)] {
            assert_eq!(small.p(distance), p, "{distance}");
        }
        assert_eq!((small.least(), small.up_to(0.5)), (0.25, (2, 3)));
        // Of many only some are kept: exact in the tail, within a step elsewhere.
        let all: Vec<f64> = (0..3000).map(f64::from).collect();
        let large = HeldOutDistances::of(all.clone()).unwrap();
        assert!(large.distance.len() <= TAIL + BODY);
        for at in [2999.5, 2950.0, 2800.5, 1234.5, 17.0] {
            let slow = (1 + all.iter().filter(|v| **v >= at).count()) as f64 / 3001.0;
            assert!((large.p(at) - slow).abs() < 1.0 / 3001.0, "{at}");
        }
        assert_eq!(HeldOutDistances::of(Vec::new()), None);
    }

    #[test]
    fn distances_that_overflow_are_the_farthest() {
        let found = HeldOutDistances::of(vec![f64::INFINITY, 1.0, f64::INFINITY]).unwrap();
        assert!(found.distance.iter().all(|distance| *distance < 1e250), "{found:?}");
        assert_eq!((found.p(f64::INFINITY), found.p(0.5)), (0.75, 1.0));
    }
}
