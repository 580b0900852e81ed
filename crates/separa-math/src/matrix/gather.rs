//! Weighted sums of rows, many at once: the transposed product behind gradients and means.
//!
//! Every output is one chain of multiply-adds over the rows of a chunk in order, and chunks are folded
//! in order. So the bits depend on neither threads nor storage: a sparse row's zeros are skipped.

use super::strip::fma;
use super::{CsrRef, Dense, Rows};
use crate::par;
use std::ops::Range;

/// Columns that stay in registers while rows pass by, and outputs at most beside them.
const WIDE: usize = 8;
const HIGH: usize = 4;

/// Row c of the result is Σᵢ shares[i, c] · rowᵢ. Cost: n·d·c multiply-adds; for sparse rows their entries
/// times c.
pub fn gather(rows: &dyn Rows, shares: &Dense) -> Dense {
    let (d, m) = (rows.n_cols(), shares.cols());
    debug_assert_eq!(rows.n_rows(), shares.rows());
    let mut total = Dense::zeros(m, d);
    let map = |range: Range<usize>| {
        let mut part = vec![0.0; m * d];
        match rows.sparse() {
            Some(x) => add_sparse(x, range, shares, &mut part),
            None => add_dense(rows, range, shares, &mut part),
        }
        part
    };
    par::fold_chunks(rows.n_rows(), map, |part| {
        total.data_mut().iter_mut().zip(part).for_each(|(t, p)| *t += p);
    });
    total
}

fn add_sparse(x: CsrRef<'_>, range: Range<usize>, shares: &Dense, out: &mut [f64]) {
    let d = x.cols();
    for i in range {
        let (places, values) = x.row(i);
        for (c, &share) in shares.row(i).iter().enumerate().filter(|(_, s)| **s != 0.0) {
            let line = &mut out[c * d..(c + 1) * d];
            for (&j, &v) in places.iter().zip(values) {
                line[j as usize] = fma(share, v, line[j as usize]);
            }
        }
    }
}

fn add_dense(rows: &dyn Rows, range: Range<usize>, shares: &Dense, out: &mut [f64]) {
    let d = rows.n_cols();
    // Blocks that stay in the second-level cache while all outputs take from them.
    let size = (1 << 15) / d.max(1) + 1;
    let mut buffer = Vec::new();
    for from in range.clone().step_by(size) {
        let part = from..(from + size).min(range.end);
        let block =
            Block { x: rows.block(part.clone(), &mut buffer), d, shares, first: part.start };
        let m = shares.cols();
        for c in (0..m).step_by(HIGH) {
            match m - c {
                1 => block.add::<1>(c, out),
                2 => block.add::<2>(c, out),
                3 => block.add::<3>(c, out),
                _ => block.add::<HIGH>(c, out),
            }
        }
    }
}

/// Some rows side by side, and the fractions of all.
struct Block<'a> {
    x: &'a [f64],
    d: usize,
    shares: &'a Dense,
    first: usize,
}

impl Block<'_> {
    /// Outputs c..c + C.
    fn add<const C: usize>(&self, c: usize, out: &mut [f64]) {
        let whole = self.d - self.d % WIDE;
        for j in (0..whole).step_by(WIDE) {
            let mut acc: [[f64; WIDE]; C] = std::array::from_fn(|q| {
                let from = (c + q) * self.d + j;
                out[from..from + WIDE].try_into().expect("WIDE numbers")
            });
            for (r, row) in self.x.chunks_exact(self.d).enumerate() {
                let x: &[f64; WIDE] = row[j..j + WIDE].try_into().expect("WIDE numbers");
                let shares = &self.shares.row(self.first + r)[c..c + C];
                for q in 0..C {
                    acc[q] = std::array::from_fn(|l| fma(shares[q], x[l], acc[q][l]));
                }
            }
            for (q, sums) in acc.iter().enumerate() {
                let from = (c + q) * self.d + j;
                out[from..from + WIDE].copy_from_slice(sums);
            }
        }
        for j in whole..self.d {
            for q in c..c + C {
                let sum = &mut out[q * self.d + j];
                for (r, row) in self.x.chunks_exact(self.d).enumerate() {
                    *sum = fma(self.shares[(self.first + r, q)], row[j], *sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::product;
    use crate::rng::Rng;
    use proptest::prelude::*;

    /// Normal numbers, every third a zero.
    fn random(rows: usize, cols: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let draw = |_| if rng.below(3) == 0 { 0.0 } else { rng.normal() };
        Dense::from_vec(rows, cols, (0..rows * cols).map(draw).collect()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn sums_equal_the_transposed_product_and_sparse_rows_have_their_bits(
            n in 1usize..60, d in 1usize..40, m in 1usize..11, seed in 0u64..1000
        ) {
            let (x, shares) = (random(n, d, seed), random(n, m, seed + 1));
            let sums = gather(&x, &shares);
            let slow = product(shares.transposed().view(), x.view());
            for (a, b) in sums.data().iter().zip(slow.data()) {
                prop_assert!((a - b).abs() < 1e-12 * n as f64);
            }
            let (mut indptr, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
            for i in 0..n {
                for (j, &v) in x.row(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
                    places.push(j as u32);
                    values.push(v);
                }
                indptr.push(values.len());
            }
            let sparse = CsrRef::new(d, &indptr, &places, &values).unwrap();
            prop_assert_eq!(&gather(&sparse, &shares), &sums);
        }
    }

    #[test]
    fn many_rows_sum_the_same_on_one_and_three_threads() {
        let (x, shares) = (random(5000, 9, 1), random(5000, 5, 2));
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| gather(&x, &shares))
        };
        assert_eq!(on(1), on(3));
    }
}
