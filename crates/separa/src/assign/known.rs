//! Rows that were fitted, told by their numbers.
//!
//! A vote among neighbours need not give a fitted row the label that it has: the partition was found
//! for all rows at once. So a model of that kind remembers a fingerprint of 64 bits for each fitted row.

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model::Labels;
use crate::model_file::Tensors;
use separa_math::matrix::MatrixRef;
use std::collections::HashSet;

/// Fingerprints, ascending, and the label of each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownRows {
    prints: Vec<u64>,
    labels: Vec<u32>,
}

/// Of a row's numbers and their columns; zeros are left out, so dense and sparse rows agree.
pub fn fingerprint(x: MatrixRef<'_>, i: usize) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for (p, v) in x.row_values(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
        for word in [x.column_of(i, p) as u64, v.to_bits()] {
            state = mix(state ^ word);
        }
    }
    state
}

/// How many different rows a table has that count for something, `most` at most.
pub fn distinct_rows(data: &Dataset<'_>, most: usize) -> usize {
    let mut seen = HashSet::new();
    for i in (0..data.n()).filter(|&i| data.weight(i) > 0.0) {
        seen.insert(fingerprint(data.x(), i));
        if seen.len() == most {
            break;
        }
    }
    seen.len()
}

/// A bijection of 64 bits in which every bit of the input moves about half of the output.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

impl KnownRows {
    /// The rows `index` of a table with their labels. Equal rows get the label of the first.
    pub fn of(x: MatrixRef<'_>, index: &[usize], labels: &mut Labels) -> Self {
        let prints: Vec<u64> = index.iter().map(|&i| fingerprint(x, i)).collect();
        let mut order: Vec<usize> = (0..prints.len()).collect();
        order.sort_by_key(|&r| (prints[r], r));
        let mut known = Self::default();
        for r in order {
            if known.prints.last() == Some(&prints[r]) {
                labels[r] = known.labels[known.labels.len() - 1] as i32;
            } else {
                known.prints.push(prints[r]);
                known.labels.push(labels[r] as u32);
            }
        }
        known
    }

    /// The label of a row that was fitted.
    pub fn label(&self, x: MatrixRef<'_>, i: usize) -> Option<usize> {
        let place = self.prints.binary_search(&fingerprint(x, i)).ok()?;
        Some(self.labels[place] as usize)
    }

    /// Cluster c becomes `to[c]`.
    pub fn renumber(&mut self, to: &[usize]) {
        self.labels.iter_mut().for_each(|l| *l = to[*l as usize] as u32);
    }

    pub fn put(&self, out: &mut Tensors) {
        let prints: Vec<i64> = self.prints.iter().map(|p| p.cast_signed()).collect();
        let labels: Vec<i64> = self.labels.iter().map(|&l| i64::from(l)).collect();
        out.put_integers("known.rows", &prints);
        out.put_integers("known.labels", &labels);
    }

    /// What [`KnownRows::put`] stored, for a model of `k` clusters.
    pub fn load(t: &Tensors, k: usize) -> Result<Self> {
        let wrong = || Error::Model("its fitted rows and their labels do not fit".into());
        let prints: Vec<u64> =
            t.integers("known.rows")?.iter().map(|p| p.cast_unsigned()).collect();
        let labels = labels_within(&t.integers("known.labels")?, k).ok_or_else(wrong)?;
        let ascending = prints.windows(2).all(|w| w[0] < w[1]);
        if prints.len() != labels.len() || !ascending {
            return Err(wrong());
        }
        Ok(Self { prints, labels })
    }
}

/// Labels below `k`.
pub fn labels_within(labels: &[i64], k: usize) -> Option<Vec<u32>> {
    labels.iter().map(|&l| u32::try_from(l).ok().filter(|l| (*l as usize) < k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::{CsrRef, DenseRef};

    #[test]
    fn rows_are_known_dense_or_sparse_and_equal_rows_share_a_label() {
        let x = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 2.0, 0.0, -0.0, 1.0];
        let dense: MatrixRef<'_> = DenseRef::new(5, 2, &x).unwrap().into();
        let mut labels = vec![0, 1, 1, 2, 0];
        let known = KnownRows::of(dense, &[0, 1, 2, 3, 4], &mut labels);
        assert_eq!(labels, [0, 1, 0, 2, 1]);
        let (indptr, indices, values) = ([0, 1], [1_u32], [1.0]);
        let sparse = CsrRef::new(2, &indptr, &indices, &values).unwrap();
        assert_eq!(known.label(sparse.into(), 0), Some(1));
        let new = [1.0, 1e-300];
        assert_eq!(known.label(DenseRef::new(1, 2, &new).unwrap().into(), 0), None);
    }
}
