//! The nearest neighbours of every row, exactly.

use crate::distance::{Measure, Pairs};
use crate::matrix::Rows;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// Rows and columns of a block of distances: half a megabyte.
const SIDE: usize = 256;

/// For every row its k nearest points, the nearest first, equal distances by the lower index.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    n: usize,
    k: usize,
    indices: Vec<u32>,
    distances: Vec<f64>,
}

impl Neighbours {
    /// Neighbours of each row; fewer than asked for where there are not as many points.
    pub fn k(&self) -> usize {
        self.k
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n
    }

    /// The neighbours of row `i` and their distances.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = i * self.k..(i + 1) * self.k;
        (&self.indices[range.clone()], &self.distances[range])
    }

    /// Lists of `k` (distance, row) each, nearest first.
    pub(super) fn from_lists(k: usize, lists: Vec<Vec<(f64, u32)>>) -> Self {
        let n = lists.len();
        let (distances, indices) = lists.into_iter().flatten().unzip();
        Self { n, k, indices, distances }
    }

    /// The first `k` of every row's neighbours.
    pub fn first(&self, k: usize) -> Self {
        let k = k.min(self.k);
        let (mut indices, mut distances) = (Vec::new(), Vec::new());
        for i in 0..self.n_rows() {
            let (places, values) = self.row(i);
            indices.extend_from_slice(&places[..k]);
            distances.extend_from_slice(&values[..k]);
        }
        Self { n: self.n, k, indices, distances }
    }

    /// The k nearest other rows of every row (an equal row counts as another).
    /// Cost  n²/2 distances: a block serves its rows and its columns.
    pub fn among(distance: impl Into<Measure>, rows: &dyn Rows, k: usize) -> Self {
        let n = rows.n_rows();
        let k = k.min(n.saturating_sub(1));
        let pairs = Pairs::among(distance, rows);
        let bands: Vec<Mutex<Best>> =
            bands(n).map(|band| Mutex::new(Best::new(band.len(), k))).collect();
        let blocks: Vec<(usize, usize)> =
            (0..bands.len()).flat_map(|b| (0..=b).map(move |c| (b, c))).collect();
        blocks.into_par_iter().with_max_len(4).for_each_init(Vec::new, |buffer, (b, c)| {
            let (rows, cols) = (band(b, n), band(c, n));
            buffer.resize(rows.len() * cols.len(), 0.0);
            pairs.block(rows.clone(), cols.clone(), buffer);
            if b == c {
                // Not a number enters nowhere: a row is not its own neighbour.
                (0..rows.len()).for_each(|r| buffer[r * rows.len() + r] = f64::NAN);
            }
            // The k smallest in a total order do not depend on the order in which they are seen.
            let lines = buffer.chunks_exact(cols.len());
            bands[b].lock().expect(HELD).offer_rows(lines.clone(), cols.start);
            if b != c {
                bands[c].lock().expect(HELD).offer_columns(lines, rows.start);
            }
        });
        Self::collect(n, k, bands.into_iter().map(|b| b.into_inner().expect(HELD)))
    }

    /// The k nearest points of every row.
    pub fn between(
        distance: impl Into<Measure>,
        rows: &dyn Rows,
        points: &dyn Rows,
        k: usize,
    ) -> Self {
        let (n, m) = (rows.n_rows(), points.n_rows());
        let k = k.min(m);
        let pairs = Pairs::new(distance, rows, points);
        let mut best: Vec<Best> = bands(n).map(|band| Best::new(band.len(), k)).collect();
        let width = pairs.group().min(4 * SIDE);
        for first in (0..m).step_by(width) {
            let cols = first..(first + width).min(m);
            let packed = pairs.pack(cols.clone());
            best.par_iter_mut().enumerate().for_each_init(Vec::new, |buffer, (b, best)| {
                let rows = band(b, n);
                buffer.resize(rows.len() * cols.len(), 0.0);
                pairs.fill(rows, &packed, buffer);
                best.offer_rows(buffer.chunks_exact(cols.len()), first);
            });
        }
        Self::collect(n, k, best)
    }

    fn collect(n: usize, k: usize, parts: impl IntoIterator<Item = Best>) -> Self {
        let (mut indices, mut distances) = (Vec::new(), Vec::new());
        for part in parts {
            indices.extend(part.indices);
            distances.extend(part.distances);
        }
        Self { n, k, indices, distances }
    }
}

const HELD: &str = "no worker panics while it holds a band";

fn bands(n: usize) -> impl Iterator<Item = Range<usize>> {
    crate::par::chunks(n, SIDE)
}

fn band(b: usize, n: usize) -> Range<usize> {
    b * SIDE..((b + 1) * SIDE).min(n)
}

/// The nearest so far of some rows.
struct Best {
    k: usize,
    indices: Vec<u32>,
    distances: Vec<f64>,
    /// The distance above which nothing can enter.
    limits: Vec<f64>,
}

impl Best {
    fn new(rows: usize, k: usize) -> Self {
        let limit = if k == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
        Self {
            k,
            indices: vec![u32::MAX; rows * k],
            distances: vec![f64::INFINITY; rows * k],
            limits: vec![limit; rows],
        }
    }

    /// Line r holds the distances of row r to the points from `first` on.
    fn offer_rows<'b>(&mut self, lines: impl Iterator<Item = &'b [f64]>, first: usize) {
        const RUN: usize = 16;
        for (r, line) in lines.enumerate() {
            for (c, run) in line.chunks(RUN).enumerate() {
                let limit = self.limits[r];
                if run.iter().fold(false, |any, v| any | (*v <= limit)) {
                    for (p, &v) in run.iter().enumerate() {
                        self.offer(r, v, (first + c * RUN + p) as u32);
                    }
                }
            }
        }
    }

    /// Line q holds the distances of point `first` + q to the rows.
    fn offer_columns<'b>(&mut self, lines: impl Iterator<Item = &'b [f64]>, first: usize) {
        const RUN: usize = 16;
        for (q, line) in lines.enumerate() {
            for (c, run) in line.chunks(RUN).enumerate() {
                let limits = &self.limits[c * RUN..c * RUN + run.len()];
                if run.iter().zip(limits).fold(false, |any, (v, l)| any | (v <= l)) {
                    for (p, &v) in run.iter().enumerate() {
                        self.offer(c * RUN + p, v, (first + q) as u32);
                    }
                }
            }
        }
    }

    /// Puts a point in its place, if it has one.
    #[inline]
    fn offer(&mut self, r: usize, value: f64, index: u32) {
        let enters = value <= self.limits[r];
        if !enters {
            return;
        }
        let range = r * self.k..(r + 1) * self.k;
        let (values, indices) = (&mut self.distances[range.clone()], &mut self.indices[range]);
        let before = |p: usize| (values[p], indices[p]) < (value, index);
        let at = (0..self.k).rev().find(|&p| before(p)).map_or(0, |p| p + 1);
        if at == self.k {
            return;
        }
        values.copy_within(at..self.k - 1, at + 1);
        indices.copy_within(at..self.k - 1, at + 1);
        (values[at], indices[at]) = (value, index);
        self.limits[r] = values[self.k - 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;
    use crate::kernel::mercer::Kernel;
    use crate::matrix::Dense;
    use crate::test_tables::{sparse_copy, whole_numbers};
    use proptest::prelude::*;

    fn brute(measure: Measure, x: &Dense, points: &Dense, k: usize, others: bool) -> Neighbours {
        let d = measure.matrix(x, points);
        let (mut indices, mut distances) = (Vec::new(), Vec::new());
        for i in 0..x.rows() {
            let mut all: Vec<(f64, u32)> =
                (0..points.rows()).map(|j| (d[(i, j)], j as u32)).collect();
            all.retain(|(_, j)| !others || *j as usize != i);
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            for &(v, j) in &all[..k] {
                indices.push(j);
                distances.push(v);
            }
        }
        Neighbours { n: x.rows(), k, indices, distances }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        // Small whole numbers: most distances are shared by many pairs, many rows coincide.
        #[test]
        fn neighbours_equal_those_of_a_full_sort_with_ties_by_index(
            n in 1usize..700, m in 1usize..600, k in 0usize..12, seed in 0u64..100
        ) {
            let (x, y) = (whole_numbers(n, 3, 3, seed), whole_numbers(m, 3, 3, seed + 1));
            for measure in [Metric::Euclidean.into(), Metric::Manhattan.into(),
                            Kernel::Rbf { gamma: 0.3 }.distance()] {
                let few = k.min(n - 1);
                let nearest = Neighbours::among(measure, &x, k);
                prop_assert_eq!(&nearest, &brute(measure, &x, &x, few, true));
                let of_new = Neighbours::between(measure, &y, &x, k);
                prop_assert_eq!(&of_new, &brute(measure, &y, &x, k.min(n), false));
                let sparse = sparse_copy(&x);
                prop_assert_eq!(&Neighbours::among(measure, &sparse.view(), k), &nearest);
            }
        }
    }

    #[test]
    fn threads_change_no_bit() {
        let x = whole_numbers(1500, 4, 5, 3);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Neighbours::among(Metric::Euclidean, &x, 9))
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(4));
        assert_eq!((one.k(), one.n_rows()), (9, 1500));
    }
}
