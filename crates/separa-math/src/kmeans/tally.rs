//! Weighted sums of rows by label.

use crate::matrix::{Dense, Rows};
use crate::par;

/// What each label holds.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Σ w·x.
    pub sums: Dense,
    /// Σ w.
    pub mass: Vec<f64>,
    /// Rows of positive weight.
    pub count: Vec<i64>,
}

impl Tally {
    pub(super) fn new(k: usize, d: usize) -> Self {
        Self { sums: Dense::zeros(k, d), mass: vec![0.0; k], count: vec![0; k] }
    }

    /// The tally of given labels, all below k.
    pub fn of(rows: &dyn Rows, weights: Option<&[f64]>, labels: &[u32], k: usize) -> Self {
        let d = rows.n_cols();
        let map = |range: std::ops::Range<usize>| {
            let (mut part, mut buffer) = (Self::new(k, d), Vec::new());
            for i in range {
                let (label, w) = (labels[i], weights.map_or(1.0, |w| w[i]));
                match rows.sparse() {
                    Some(x) => part.add_sparse(label, w, x.row(i)),
                    None => part.add(label, w, rows.block(i..i + 1, &mut buffer)),
                }
            }
            part
        };
        let mut whole = Self::new(k, d);
        par::fold_chunks(rows.n_rows(), map, |part| whole.merge(&part));
        whole
    }

    /// The mean of each label; 0 where it has no weight.
    pub fn means(mut self) -> (Vec<f64>, Dense) {
        for (c, mass) in self.mass.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            self.sums.row_mut(c).iter_mut().for_each(|s| *s /= mass);
        }
        (self.mass, self.sums)
    }

    pub(super) fn add(&mut self, label: u32, w: f64, row: &[f64]) {
        let c = label as usize;
        self.sums.row_mut(c).iter_mut().zip(row).for_each(|(s, x)| *s += w * x);
        self.weigh(c, w);
    }

    pub(super) fn add_sparse(&mut self, label: u32, w: f64, (places, values): (&[u32], &[f64])) {
        let c = label as usize;
        let sums = self.sums.row_mut(c);
        places.iter().zip(values).for_each(|(&j, x)| sums[j as usize] += w * x);
        self.weigh(c, w);
    }

    fn weigh(&mut self, c: usize, w: f64) {
        self.mass[c] += w;
        self.count[c] += if w > 0.0 { 1 } else { -i64::from(w < 0.0) };
    }

    /// Drops what rounding left behind in a label without rows.
    pub(super) fn clear(&mut self, c: usize) {
        self.sums.row_mut(c).fill(0.0);
        self.mass[c] = 0.0;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.sums.data_mut().iter_mut().zip(other.sums.data()).for_each(|(a, b)| *a += b);
        self.mass.iter_mut().zip(&other.mass).for_each(|(a, b)| *a += b);
        self.count.iter_mut().zip(&other.count).for_each(|(a, b)| *a += b);
    }
}
