//! The nearest of a few points, as a linear rule.

use crate::matrix::{Columns, Dense, DenseRef, Rows, project_into};

/// The rule "the nearest of k points", packed for many rows.
///
/// ‖x − c‖² = ‖x − m‖² − 2(x·δ − m·δ − ½‖δ‖²) with δ = c − m, for any m: the row's own norm does not
/// decide, so each point has a linear score and the largest wins. m is the mean of the points: a
/// table far from the origin then loses no more digits than its numbers did. Two points need one
/// score, x·(c₁ − c₀) − ½(c₁ + c₀)·(c₁ − c₀): the second where it is ≥ 0.
#[derive(Debug, Clone)]
pub struct Nearest {
    directions: Dense,
    offset: Vec<f64>,
    columns: Columns,
    k: usize,
}

impl Nearest {
    /// The rule of the rows of `points`, at least one.
    pub fn new(points: &Dense) -> Self {
        let (directions, offset) = match points.rows() {
            // One point always wins: a score below zero means the first in both readings.
            1 => (Dense::zeros(1, points.cols()), vec![-1.0]),
            2 => between(points),
            _ => around_mean(points),
        };
        let columns = Columns::pack(directions.view());
        Self { directions, offset, columns, k: points.rows() }
    }

    /// How many points.
    pub fn count(&self) -> usize {
        self.k
    }

    /// Scores a row: one for one or two points, else one a point.
    pub fn width(&self) -> usize {
        self.offset.len()
    }

    /// The scores as weights and intercepts.
    pub fn linear(&self) -> (&Dense, &[f64]) {
        (&self.directions, &self.offset)
    }

    /// The scores of every row.
    pub fn scores(&self, rows: &dyn Rows) -> Dense {
        let mut out = Dense::zeros(rows.n_rows(), self.width());
        project_into(rows, &self.columns, &self.offset, out.data_mut());
        out
    }

    /// The nearest point of every row.
    pub fn labels(&self, rows: &dyn Rows) -> Vec<u32> {
        let scores = self.scores(rows);
        scores.data().chunks_exact(self.width()).map(|s| self.pick(s)).collect()
    }

    /// The point that these scores choose (the first of equals; the second of two).
    #[inline]
    pub fn pick(&self, scores: &[f64]) -> u32 {
        if let [s] = scores {
            return u32::from(*s >= 0.0);
        }
        // Selections, not branches: which point wins cannot be predicted.
        let (mut best, mut top) = (0, scores[0]);
        for (c, &v) in scores.iter().enumerate().skip(1) {
            let better = v > top;
            best = if better { c as u32 } else { best };
            top = if better { v } else { top };
        }
        best
    }

    /// Scores of contiguous dense rows, as [`Nearest::scores`] bit for bit.
    pub(super) fn score_block(&self, block: &[f64], out: &mut [f64]) {
        self.columns.dots(block, out);
        self.add_offset(out);
    }

    /// As [`Nearest::score_block`] for rows that lie anywhere.
    pub(super) fn score_lines(&self, lines: &[&[f64]], out: &mut [f64]) {
        self.columns.dots_by(lines.len(), |r| lines[r], out);
        self.add_offset(out);
    }

    /// Scores of one sparse row, as [`Nearest::scores`] bit for bit.
    pub(super) fn score_sparse(&self, row: (&[u32], &[f64]), out: &mut [f64]) {
        self.columns.dots_sparse(row, out);
        self.add_offset(out);
    }

    fn add_offset(&self, out: &mut [f64]) {
        for line in out.chunks_exact_mut(self.width()) {
            line.iter_mut().zip(&self.offset).for_each(|(v, o)| *v += o);
        }
    }
}

fn between(points: &Dense) -> (Dense, Vec<f64>) {
    let mut w = Dense::zeros(1, points.cols());
    let mut offset = 0.0;
    for (j, v) in w.row_mut(0).iter_mut().enumerate() {
        let (a, b) = (points[(0, j)], points[(1, j)]);
        *v = b - a;
        offset -= *v * (0.5 * (a + b));
    }
    (w, vec![offset])
}

fn around_mean(points: &Dense) -> (Dense, Vec<f64>) {
    let (k, d) = (points.rows(), points.cols());
    let mean: Vec<f64> =
        (0..d).map(|j| (0..k).map(|c| points[(c, j)]).sum::<f64>() / k as f64).collect();
    let mut w = points.clone();
    let offset = (0..k).map(|c| {
        let mut offset = 0.0;
        for (v, m) in w.row_mut(c).iter_mut().zip(&mean) {
            *v -= m;
            offset -= *v * (m + 0.5 * *v);
        }
        offset
    });
    let offset = offset.collect();
    (w, offset)
}

/// The nearest of `points` for every row: its index (the first of equals; the second of two).
pub fn nearest(rows: &dyn Rows, points: DenseRef<'_>) -> Vec<u32> {
    let index: Vec<usize> = (0..points.rows()).collect();
    Nearest::new(&crate::matrix::pick(&points, &index)).labels(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::square_distance;
    use crate::rng::Rng;

    fn random(rows: usize, cols: usize, offset: f64, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        let data = (0..rows * cols).map(|_| offset + rng.normal()).collect();
        Dense::from_vec(rows, cols, data).unwrap()
    }

    #[test]
    fn labels_are_those_of_the_smallest_distance_for_every_k_and_far_from_the_origin() {
        for k in [1, 2, 3, 4, 5, 9, 12, 13, 30] {
            for offset in [0.0, 1e8] {
                let (x, c) = (random(300, 6, offset, 1), random(k, 6, offset, 2));
                for (i, label) in nearest(&x, c.view()).into_iter().enumerate() {
                    let to = |c_: usize| square_distance(x.row(i), c.row(c_));
                    let least = (0..k).map(to).fold(f64::INFINITY, f64::min);
                    // 1e8 leaves eight digits of a distance near 1.
                    assert!(to(label as usize) <= least + if offset > 0.0 { 1e-6 } else { 1e-12 });
                }
            }
        }
    }

    #[test]
    fn a_tie_goes_to_the_first_point_but_to_the_second_of_two() {
        let points = |rows: &[f64]| Dense::from_vec(rows.len(), 1, rows.to_vec()).unwrap();
        let x = points(&[0.0]);
        assert_eq!(Nearest::new(&points(&[-1.0, 1.0])).labels(&x), [1]);
        assert_eq!(Nearest::new(&points(&[-1.0, 1.0, 8.0])).labels(&x), [0]);
        assert_eq!(Nearest::new(&points(&[8.0, 1.0, -1.0])).labels(&x), [1]);
        assert_eq!(Nearest::new(&points(&[5.0])).labels(&x), [0]);
    }
}
