//! One map of a table for several labellings.

use super::columns::RobustColumns;
use super::{FEWEST, VALUES, axes, sample};
use crate::data::Dataset;
use crate::error::Result;
use separa_math::matrix::pick;

/// Rows of a map at most, but for small clusters that would be lost.
const MOST: usize = 800;

/// Where some rows of a table lie.
#[derive(Debug, Clone)]
pub struct Map {
    /// By their place, ascending.
    pub rows: Vec<usize>,
    /// The horizontal coordinate of each.
    pub across: Vec<f64>,
    /// The vertical coordinate of each.
    pub up: Vec<f64>,
}

impl Map {
    /// Along the directions that separate the clusters of `labels` (0 to k − 1, −1 outliers) best.
    pub fn of(data: &Dataset<'_>, labels: &[i32], k: usize, seed: u64) -> Result<Self> {
        let most = (VALUES / data.d()).clamp(FEWEST, MOST);
        let rows = sample::draw(labels, k, most, seed);
        let drawn: Vec<i32> = rows.iter().map(|&i| labels[i]).collect();
        let z = RobustColumns::of(&pick(&data.x(), &rows)).rows;
        let mut found = axes::discriminating(&z, &drawn, k)?;
        axes::complete(&mut found, &z, seed);
        let [across, up] = [0, 1].map(|i| found[i].values.clone());
        Ok(Self { rows, across, up })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::DenseRef;
    use separa_testkit::clouds::Source;

    #[test]
    fn groups_apart_in_the_table_are_apart_on_the_map() {
        for k in [2, 3] {
            let mut source = Source::new(2);
            let row = |i: usize| {
                [
                    source.normal() + 9.0 * (i % k == 1) as u8 as f64,
                    source.normal() + 9.0 * (i % k == 2) as u8 as f64,
                    source.normal(),
                ]
            };
            let rows: Vec<f64> = (0..300).flat_map(row).collect();
            let data = Dataset::new(DenseRef::new(300, 3, &rows).unwrap().into()).unwrap();
            let labels: Vec<i32> = (0..300).map(|i| (i % k) as i32).collect();
            let map = Map::of(&data, &labels, k, 0).unwrap();
            assert_eq!(map.rows.len(), 300);
            // Nearest middle on the map: every row finds its group.
            let middle = |c: i32| {
                let mine: Vec<usize> = (0..300).filter(|i| labels[*i] == c).collect();
                let mean = |v: &[f64]| mine.iter().map(|i| v[*i]).sum::<f64>() / mine.len() as f64;
                (mean(&map.across), mean(&map.up))
            };
            let middles: Vec<(f64, f64)> = (0..k as i32).map(middle).collect();
            let wrong = (0..300).filter(|i| {
                let far =
                    |m: &(f64, f64)| (m.0 - map.across[*i]).powi(2) + (m.1 - map.up[*i]).powi(2);
                let near = (0..k).min_by(|a, b| far(&middles[*a]).total_cmp(&far(&middles[*b])));
                near != Some(labels[*i] as usize)
            });
            assert!(wrong.count() <= 3, "k = {k}");
        }
    }
}
