//! The normalised cut of two sets, for every place at which a line of rows may be cut.

use super::vectors::Factors;
use separa_math::linalg::dot_lanes;
use separa_math::neighbours::NormalisedGraph;

/// What knows the affinities, to cut them.
pub(super) trait Cuttable {
    fn degrees(&self) -> &[f64];
    /// For each row of `order`: its affinities to the rows before it, summed, and that to itself.
    fn joined(&self, order: &[usize]) -> Vec<(f64, f64)>;
}

impl Cuttable for NormalisedGraph {
    fn degrees(&self) -> &[f64] {
        &self.degrees
    }
    fn joined(&self, order: &[usize]) -> Vec<(f64, f64)> {
        let root: Vec<f64> = self.degrees.iter().map(|d| d.sqrt()).collect();
        let mut inside = vec![false; order.len()];
        let mut out = Vec::with_capacity(order.len());
        for &i in order {
            let (mut before, mut own) = (0.0, 0.0);
            self.each(i, |j, v| {
                if j == i {
                    own = root[i] * v * root[i];
                } else if inside[j] {
                    before += root[i] * v * root[j];
                }
            });
            inside[i] = true;
            out.push((before, own));
        }
        out
    }
}

impl Cuttable for Factors {
    fn degrees(&self) -> &[f64] {
        &self.degrees
    }
    fn joined(&self, order: &[usize]) -> Vec<(f64, f64)> {
        let mut sum = vec![0.0; self.z.cols()];
        let mut out = Vec::with_capacity(order.len());
        for &i in order {
            let (root, row) = (self.degrees[i].sqrt(), self.z.row(i));
            out.push((root * dot_lanes(row, &sum), self.degrees[i] * dot_lanes(row, row)));
            sum.iter_mut().zip(row).for_each(|(s, v)| *s += root * v);
        }
        out
    }
}

/// A place between two values of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CutPlace {
    pub low: f64,
    pub high: f64,
    /// cut/vol(A) + cut/vol(B): from 0 to 2.
    pub ncut: f64,
}

/// Every place between two distinct values of `line`, ascending.
/// Cost  one sort and one pass over the affinities.
pub(super) fn places(graph: &dyn Cuttable, line: &[f64]) -> Vec<CutPlace> {
    let degrees = graph.degrees();
    let mut order: Vec<usize> = (0..line.len()).collect();
    order.sort_by(|&i, &j| line[i].total_cmp(&line[j]));
    let joined = graph.joined(&order);
    let all: f64 = degrees.iter().sum();
    let (mut cut, mut left) = (0.0, 0.0);
    let mut out = Vec::new();
    for (p, pair) in order.windows(2).enumerate() {
        let i = pair[0];
        // Row i crosses over: its edges to the left are no longer cut, those to the right are.
        cut += degrees[i] - joined[p].1 - 2.0 * joined[p].0;
        left += degrees[i];
        let (low, high) = (line[i], line[pair[1]]);
        if low < high {
            out.push(CutPlace { low, high, ncut: value(cut, left, all - left) });
        }
    }
    out
}

/// Two where a side holds nothing: as bad as can be.
fn value(cut: f64, left: f64, right: f64) -> f64 {
    let cut = cut.max(0.0);
    let share = |side: f64| if side > 0.0 { (cut / side).min(1.0) } else { 1.0 };
    if left > 0.0 && right > 0.0 { share(left) + share(right) } else { 2.0 }
}
