//! Nearest neighbours of wide rows: found along a few axes, then checked.
//!
//! Problem   the k nearest other rows under the Euclidean distance, exactly.
//! Given     rows, and their coordinates along orthonormal axes (in which no distance is larger).
//! Cost      n²q/2 for q axes, n·m·d for the m candidates of each row, n·d more for each row whose
//!           candidates do not settle it.
//!
//! Rows beyond the m nearest along the axes are at least as far as the m-th of them. So where the
//! k-th true distance among the candidates is below that, the list is the true one.

use super::search::Neighbours;
use crate::distance::{Metric, square_distance};
use crate::interrupt;
use crate::matrix::{Dense, Rows, Subset};
use rayon::prelude::*;

/// What rounding may do to a distance along the axes, as a fraction of the distance.
const ROUNDING: f64 = 1e-6;

/// As [`Neighbours::among`] for the Euclidean distance, but for the rounding of the last digit;
/// `axes` holds each row's coordinates, `candidates` how many rows are checked.
pub fn among_along(rows: &dyn Rows, axes: &Dense, k: usize, candidates: usize) -> Neighbours {
    let n = rows.n_rows();
    let k = k.min(n.saturating_sub(1));
    let coarse = Neighbours::among(Metric::Euclidean, axes, candidates.max(k));
    let lists: Vec<(Vec<(f64, u32)>, bool)> = (0..n)
        .into_par_iter()
        .with_min_len(64)
        .map_init(
            || (Vec::new(), Vec::new()),
            |(mine, other), i| {
                interrupt::check();
                let (places, bounds) = coarse.row(i);
                let own = rows.block(i..i + 1, mine);
                let mut list: Vec<(f64, u32)> = places
                    .iter()
                    .map(|&j| {
                        let row = rows.block(j as usize..j as usize + 1, other);
                        (square_distance(own, row).sqrt(), j)
                    })
                    .collect();
                list.sort_unstable_by(|a, b| a.partial_cmp(b).expect("distances are numbers"));
                list.truncate(k);
                let reach = bounds.last().map_or(f64::INFINITY, |b| b * (1.0 - ROUNDING));
                let settled =
                    coarse.k() + 1 >= n || list.last().is_none_or(|(far, _)| *far < reach);
                (list, settled)
            },
        )
        .collect();
    let open: Vec<usize> = (0..n).filter(|&i| !lists[i].1).collect();
    let rest = Neighbours::between(Metric::Euclidean, &Subset { rows, index: &open }, rows, k + 1);
    let mut found: Vec<Vec<(f64, u32)>> = lists.into_iter().map(|(list, _)| list).collect();
    for (r, &i) in open.iter().enumerate() {
        let (places, distances) = rest.row(r);
        let others = distances.iter().copied().zip(places.iter().copied());
        // Of many equal rows the row itself may not be among the first.
        found[i] = others.filter(|(_, j)| *j as usize != i).take(k).collect();
    }
    Neighbours::from_lists(k, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::principal::PrincipalAxes;
    use crate::scaling::Scaler;
    use crate::test_tables::{normals, whole_numbers};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn lists_are_those_of_the_full_search(n in 2usize..400, k in 1usize..9, seed in 0u64..50) {
            // Ties, many equal rows; axes that keep the first two columns alone.
            let x = whole_numbers(n, 5, 3, seed);
            let mut axes = Dense::zeros(n, 2);
            (0..n).for_each(|i| axes.row_mut(i).copy_from_slice(&x.row(i)[..2]));
            let all = Neighbours::among(Metric::Euclidean, &x, k);
            prop_assert_eq!(&among_along(&x, &axes, k, 30), &all);
        }
    }

    #[test]
    fn principal_axes_settle_most_rows_and_the_rest_is_searched() {
        let mut x = normals(900, 30, 4);
        for i in 0..900 {
            x.row_mut(i).iter_mut().enumerate().for_each(|(j, v)| *v /= 1.0 + j as f64);
        }
        let axes = PrincipalAxes::of(&x, None, &Scaler::identity(x.cols()), 0).unwrap().rotate(&x);
        let (fast, slow) =
            (among_along(&x, &axes, 7, 40), Neighbours::among(Metric::Euclidean, &x, 7));
        for i in 0..900 {
            assert_eq!(fast.row(i).0, slow.row(i).0);
            let gap = fast.row(i).1.iter().zip(slow.row(i).1).map(|(a, b)| (a - b).abs());
            assert!(gap.fold(0.0, f64::max) < 1e-12);
        }
    }
}
