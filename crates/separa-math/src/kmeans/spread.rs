//! How far rows lie from a common point: found once, used by every restart.

use crate::linalg::dot_lanes;
use crate::matrix::Rows;
use crate::par;

/// Lanes of a sum, as in [`dot_lanes`].
const LANES: usize = 8;

/// Squared distances of the rows from a reference, and the variance of the columns.
#[derive(Debug, Clone)]
pub struct Spread {
    reference: Vec<f64>,
    squares: Vec<f64>,
    total: f64,
    variance: f64,
}

impl Spread {
    /// One pass over the rows. `weights` as the rest of the fit uses them.
    pub fn of(rows: &dyn Rows, weights: Option<&[f64]>) -> Self {
        let (n, d) = (rows.n_rows(), rows.n_cols());
        let reference = reference(rows);
        let mut squares = Vec::with_capacity(n);
        let (mut total, mut mass, mut sums) = (0.0, 0.0, vec![0.0; d]);
        let shifted: Vec<usize> = (0..d).filter(|&j| reference[j] != 0.0).collect();
        let map = |range: std::ops::Range<usize>| {
            let mut part = (Vec::with_capacity(range.len()), 0.0, 0.0, vec![0.0; d]);
            let (mut row, mut buffer) = (vec![0.0; d], Vec::new());
            for i in range {
                let w = weights.map_or(1.0, |w| w[i]);
                let square = match rows.sparse() {
                    Some(x) => sparse_square(x.row(i), &shifted, &reference, w, &mut part.3),
                    None => {
                        let raw = rows.block(i..i + 1, &mut buffer);
                        row.iter_mut().zip(raw).zip(&reference).for_each(|((x, v), r)| *x = v - r);
                        row.iter().zip(&mut part.3).for_each(|(x, s)| *s += w * x);
                        dot_lanes(&row, &row)
                    }
                };
                part.0.push(square);
                part.1 += w * square;
                part.2 += w;
            }
            part
        };
        par::fold_chunks(n, map, |part| {
            squares.extend(part.0);
            total += part.1;
            mass += part.2;
            sums.iter_mut().zip(part.3).for_each(|(s, p)| *s += p);
        });
        let mean = sums.iter().map(|s| (s / mass) * (s / mass)).sum::<f64>();
        let variance = ((total / mass - mean) / d.max(1) as f64).max(0.0);
        Self { reference, squares, total, variance }
    }

    /// The common point.
    pub fn reference(&self) -> &[f64] {
        &self.reference
    }
    /// ‖x − reference‖² of every row.
    pub fn squares(&self) -> &[f64] {
        &self.squares
    }
    /// Σ w‖x − reference‖².
    pub fn total(&self) -> f64 {
        self.total
    }
    /// The mean variance of the columns.
    pub fn variance(&self) -> f64 {
        self.variance
    }
}

/// ‖x − r‖² of a sparse row and its part of the sums. Columns where x = r = 0 add nothing, and the
/// others go to the lanes that [`dot_lanes`] puts them in: the bits are those of the dense row.
fn sparse_square(
    (places, values): (&[u32], &[f64]),
    shifted: &[usize],
    reference: &[f64],
    w: f64,
    sums: &mut [f64],
) -> f64 {
    let whole = reference.len() - reference.len() % LANES;
    let (mut lanes, mut rest) = ([0.0; LANES], 0.0);
    let mut see = |j: usize, v: f64| {
        let x = v - reference[j];
        sums[j] += w * x;
        let lane = if j < whole { &mut lanes[j % LANES] } else { &mut rest };
        *lane += x * x;
    };
    let mut empty = shifted.iter().copied().peekable();
    for (&j, &v) in places.iter().zip(values) {
        while let Some(e) = empty.next_if(|&e| e < j as usize) {
            see(e, 0.0);
        }
        empty.next_if_eq(&(j as usize));
        see(j as usize, v);
    }
    empty.for_each(|e| see(e, 0.0));
    lanes.iter().sum::<f64>() + rest
}

/// The mean of the first chunk in columns that hold no zero there, else 0: near the rows where an
/// offset could cost digits, and 0 where a table may be sparse.
fn reference(rows: &dyn Rows) -> Vec<f64> {
    let n = rows.n_rows().min(par::CHUNK);
    let mut sums = vec![0.0; rows.n_cols()];
    let mut full = vec![true; rows.n_cols()];
    let mut row = vec![0.0; rows.n_cols()];
    for i in 0..n {
        rows.copy_row(i, &mut row);
        for ((x, s), f) in row.iter().zip(&mut sums).zip(&mut full) {
            *s += x;
            *f &= *x != 0.0;
        }
    }
    sums.iter().zip(full).map(|(s, f)| if f { s / n as f64 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::square_distance;
    use crate::matrix::Dense;
    use crate::rng::Rng;
    use crate::test_tables::sparse_copy;

    /// Columns far from 0, at 0 and half empty.
    fn table(n: usize, d: usize) -> Dense {
        let mut rng = Rng::new(5, 0);
        let value = |i: usize| match i % d % 3 {
            0 => 1e8 + rng.normal(),
            1 => rng.normal(),
            _ if rng.below(2) == 0 => 0.0,
            _ => rng.normal(),
        };
        Dense::from_vec(n, d, (0..n * d).map(value).collect()).unwrap()
    }

    #[test]
    fn variance_and_squares_keep_their_digits_under_an_offset() {
        let x = table(3000, 6);
        let spread = Spread::of(&x, None);
        let mut want = 0.0;
        for j in 0..6 {
            let column = x.column(j);
            let mean = column.iter().sum::<f64>() / 3000.0;
            want += column.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / 3000.0 / 6.0;
        }
        // The plain mean above loses 1e8·ε itself.
        assert!((spread.variance() - want).abs() < 1e-7, "{} {want}", spread.variance());
        for i in [0, 1500, 2999] {
            assert_eq!(spread.squares()[i], square_distance(x.row(i), spread.reference()));
        }
    }

    #[test]
    fn sparse_rows_give_the_bits_of_dense_ones() {
        for d in [1, 7, 8, 21] {
            let x = table(1500, d);
            let weights: Vec<f64> = (0..1500).map(|i| (i % 4) as f64).collect();
            let sparse = sparse_copy(&x);
            let (a, b) =
                (Spread::of(&x, Some(&weights)), Spread::of(&sparse.view(), Some(&weights)));
            assert_eq!(a.squares(), b.squares());
            assert_eq!(
                (a.reference(), a.total(), a.variance()),
                (b.reference(), b.total(), b.variance())
            );
        }
    }

    #[test]
    fn a_weight_counts_as_that_many_rows() {
        let x = table(40, 5);
        let weights: Vec<f64> = (0..40).map(|i| (i % 3) as f64).collect();
        let index: Vec<usize> = (0..40).flat_map(|i| vec![i; i % 3]).collect();
        let (a, b) =
            (Spread::of(&x, Some(&weights)), Spread::of(&crate::matrix::pick(&x, &index), None));
        assert!((a.variance() / b.variance() - 1.0).abs() < 1e-7);
    }
}
