//! The moments of one group of rows, gathered row by row.

/// Variances alone, or covariances of all pairs of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Diag,
    /// The lower triangle, row by row.
    Full,
}

impl Shape {
    /// Packed numbers of width `d`.
    pub fn len(self, d: usize) -> usize {
        match self {
            Self::Diag => d,
            Self::Full => d * (d + 1) / 2,
        }
    }

    /// Where the variance of column j is.
    pub fn diagonal(self, j: usize) -> usize {
        match self {
            Self::Diag => j,
            Self::Full => j * (j + 3) / 2,
        }
    }
}

/// Weight, mean and scatter Σ w(x − mean)(x − mean)ᵀ of some rows; mergeable.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    pub weight: f64,
    pub mean: Vec<f64>,
    /// Packed as [`Shape`] says.
    pub scatter: Vec<f64>,
}

impl Cell {
    /// No rows of width `d`.
    pub fn empty(d: usize, shape: Shape) -> Self {
        Self { weight: 0.0, mean: vec![0.0; d], scatter: vec![0.0; shape.len(d)] }
    }

    /// Adds a row. Cost: d, or d²/2 for covariances.
    pub fn add(&mut self, x: &[f64], w: f64) {
        self.absorb(x, w, &[]);
    }

    /// Adds the rows of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.absorb(&other.mean, other.weight, &other.scatter);
    }

    /// Chan's formula; rows alone have no scatter.
    fn absorb(&mut self, mean: &[f64], w: f64, scatter: &[f64]) {
        if w <= 0.0 {
            return;
        }
        if self.weight <= 0.0 {
            self.weight = w;
            self.mean.copy_from_slice(mean);
            self.scatter.fill(0.0);
            self.scatter.iter_mut().zip(scatter).for_each(|(a, b)| *a = *b);
            return;
        }
        let total = self.weight + w;
        let (share, mass) = (w / total, self.weight * w / total);
        self.scatter.iter_mut().zip(scatter).for_each(|(a, b)| *a += b);
        let d = self.mean.len();
        if self.scatter.len() == d {
            let lines = self.scatter.iter_mut().zip(&self.mean).zip(mean);
            lines.for_each(|((s, m), x)| *s += mass * (x - m) * (x - m));
        } else {
            let mut at = 0;
            for i in 0..d {
                let gap = mass * (mean[i] - self.mean[i]);
                for j in 0..=i {
                    self.scatter[at + j] += gap * (mean[j] - self.mean[j]);
                }
                at += i + 1;
            }
        }
        self.mean.iter_mut().zip(mean).for_each(|(m, x)| *m += share * (x - *m));
        self.weight = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gauss::unpack;
    use crate::moments::Moments;
    use crate::rng::Rng;
    use crate::test_tables::normals;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn cells_merge_in_any_order_to_the_moments_of_all_rows(
            n in 1usize..300, d in 1usize..6, parts in 1usize..9, seed in 0u64..999, offset in -1e4f64..1e4,
        ) {
            let mut x = normals(n, d, seed);
            x.data_mut().iter_mut().for_each(|v| *v += offset);
            let mut rng = Rng::new(seed, 3);
            let weights: Vec<f64> = (0..n).map(|_| 0.2 + rng.uniform()).collect();
            let want = Moments::of(&x, Some(&weights));
            for shape in [Shape::Diag, Shape::Full] {
                let mut cells = vec![Cell::empty(d, shape); parts];
                for i in 0..n {
                    cells[rng.below(parts)].add(x.row(i), weights[i]);
                }
                rng.shuffle(&mut cells);
                let mut whole = Cell::empty(d, shape);
                cells.iter().for_each(|c| whole.merge(c));
                // The offset costs its digits: 1e4² · 1e-16 a row.
                let tol = 1e-7;
                prop_assert!((whole.weight - want.n()).abs() < 1e-9);
                for j in 0..d {
                    prop_assert!((whole.mean[j] - want.mean()[j]).abs() < tol);
                    let variance = whole.scatter[shape.diagonal(j)] / whole.weight;
                    prop_assert!((variance - want.variances()[j]).abs() < tol);
                }
                if shape == Shape::Full {
                    let full = unpack(&whole.scatter, d);
                    for (a, b) in full.data().iter().zip(want.covariance().data()) {
                        prop_assert!((a / whole.weight - b).abs() < tol);
                    }
                }
            }
        }
    }

    #[test]
    fn rows_without_weight_change_nothing() {
        let mut cell = Cell::empty(2, Shape::Full);
        cell.add(&[1.0, 2.0], 1.0);
        let before = cell.clone();
        cell.add(&[5.0, 5.0], 0.0);
        cell.merge(&Cell::empty(2, Shape::Full));
        assert_eq!(cell, before);
    }
}
