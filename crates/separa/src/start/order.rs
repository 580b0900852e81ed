//! An order of rows that does not depend on the order of the table.
//!
//! Random choices name places. Made among rows in this order, they name the same rows however the table is sorted.

use separa_math::matrix::{Dense, Rows, project};
use separa_math::rng::Rng;

/// The stream of the direction: the same for every seed.
const STREAM: u64 = 0x6f72;

/// `index` by the place of its rows in one direction of the columns, which should be on one scale. Equal rows stay as they
/// are. Cost: one pass.
pub fn by_content(rows: &dyn Rows, mut index: Vec<usize>) -> Vec<usize> {
    let mut rng = Rng::new(0, STREAM);
    let direction = (0..rows.n_cols()).map(|_| rng.normal()).collect();
    let direction = Dense::from_vec(1, rows.n_cols(), direction).expect("one row");
    let places = project(rows, direction.view(), &[0.0]);
    index.sort_by(|&a, &b| places[(a, 0)].total_cmp(&places[(b, 0)]));
    index
}

#[cfg(test)]
mod tests {
    use super::by_content;
    use separa_math::matrix::{Dense, pick};
    use separa_math::rng::Rng;

    #[test]
    fn shuffled_rows_come_in_the_same_order() {
        let mut rng = Rng::new(5, 0);
        let rows = Dense::from_vec(50, 3, (0..150).map(|_| rng.normal()).collect()).unwrap();
        let mut order: Vec<usize> = (0..50).collect();
        rng.shuffle(&mut order);
        let shuffled = pick(&rows, &order);
        let one = by_content(&rows, (0..50).collect());
        let other = by_content(&shuffled, (0..50).collect());
        assert_eq!(one, other.into_iter().map(|r| order[r]).collect::<Vec<_>>());
        assert_ne!(one, (0..50).collect::<Vec<_>>());
        // Some of the rows, and rows that are equal.
        let some = by_content(&rows, vec![7, 3, 20]);
        assert_eq!(some, one.into_iter().filter(|i| [3, 7, 20].contains(i)).collect::<Vec<_>>());
        assert_eq!(by_content(&Dense::zeros(4, 2), vec![2, 0, 3]), [2, 0, 3]);
    }
}
