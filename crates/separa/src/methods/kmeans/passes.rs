//! k-means on rows that pass by: one pass per iteration of Lloyd's algorithm.
//!
//! A pass sums the rows of every cluster about its centre, and their squared distances from it. A cluster that loses
//! its last row keeps its centre. The rule that is returned is the one whose sums were taken last: its sizes and its
//! inertia are those of all rows.

use super::{KMeans, KMeansModel};
use crate::error::Result;
use crate::model::Model;
use crate::model_file::Tensors;
use crate::params::Checked;
use crate::pass::{PassRule, Spare, Sums, few_rows};
use crate::report::Stop;
use crate::scaled_model::ScaledModel;
use separa_math::distance::square_distance;
use separa_math::matrix::{Dense, DenseRef, MatrixRef, Rows, pick};
use separa_math::par;
use std::sync::Arc;

/// A squared shift of the centres that is rounding, as a fraction of the variance.
const ROUNDING: f64 = 1e-24;

#[derive(Debug, Clone)]
struct KMeansPasses {
    p: KMeans,
    model: ScaledModel<KMeansModel>,
    trace: Vec<f64>,
    spare: Arc<Spare<Room>>,
}

/// The memory of a chunk, which goes from block to block.
#[derive(Debug, Default)]
struct Room {
    sums: Vec<f64>,
    buffer: Vec<f64>,
    labels: Vec<i32>,
}

impl Room {
    /// Zeros for so many sums, with the memory it has.
    fn cleared(mut self, numbers: usize) -> Self {
        self.sums.clear();
        self.sums.resize(numbers, 0.0);
        self.labels.clear();
        self
    }
}

/// The centres of a model, or of passes under way.
pub(super) fn begin(p: &Checked<KMeans>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
    let model = ScaledModel::load(tensors, <KMeans as crate::Method>::load)?;
    // A tiny table keeps the rule of its sample.
    if !model.in_own_units() {
        return Ok(None);
    }
    let trace = match tensors.contains("pass.trace") {
        true => tensors.vector("pass.trace")?,
        false => Vec::new(),
    };
    Ok(Some(Box::new(KMeansPasses { p: (**p).clone(), model, trace, spare: Arc::default() })))
}

impl KMeansPasses {
    /// Adds rows to the sums of their clusters: count, squared distances, differences from the centre.
    fn add(&self, lines: &[f64], labels: &[u32], part: &mut [f64]) {
        let (centers, d) = (&self.model.centers, self.model.centers.cols());
        for (row, &label) in lines.chunks_exact(d.max(1)).zip(labels) {
            let c = label as usize;
            let sums = &mut part[c * (d + 2)..(c + 1) * (d + 2)];
            let center = centers.row(c);
            sums[0] += 1.0;
            sums[1] += square_distance(row, center);
            sums[2..].iter_mut().zip(row).zip(center).for_each(|((s, x), m)| *s += x - m);
        }
    }
}

impl PassRule for KMeansPasses {
    fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        self.model.check_width(block)?;
        let (rule, k, d) = (&self.model.rule, self.model.centers.rows(), self.model.centers.cols());
        // Sparse rows stay sparse as a copy; dense ones are scaled, labelled and summed while they are in the cache.
        let scaler = self.model.scaler();
        let sparse = scaler
            .filter(|_| matches!(block, MatrixRef::Sparse(_)))
            .map(|scaler| scaler.copy(block));
        let view = scaler.map(|scaler| scaler.view(block));
        let rows: &dyn Rows = match (&sparse, &view) {
            (Some(rows), _) => rows,
            (None, Some(view)) => view,
            (None, None) => &block,
        };
        let known = rows.sparse().map(|_| rule.labels(rows));
        let size = few_rows(d);
        let map = |range: std::ops::Range<usize>| {
            let mut room = self.spare.take(Room::default).cleared(k * (d + 2));
            for start in range.clone().step_by(size) {
                let few = start..(start + size).min(range.end);
                let lines = rows.block(few.clone(), &mut room.buffer);
                let own = match &known {
                    Some(labels) => labels[few].to_vec(),
                    None => rule.labels(&DenseRef::new(few.len(), d, lines).expect("whole rows")),
                };
                self.add(lines, &own, &mut room.sums);
                room.labels.extend(own.into_iter().map(|label| label as i32));
            }
            room
        };
        let mut whole = self.spare.take(Room::default).cleared(k * (d + 2));
        par::fold_chunks(rows.n_rows(), map, |room: Room| {
            whole.sums.iter_mut().zip(&room.sums).for_each(|(a, b)| *a += b);
            whole.labels.extend_from_slice(&room.labels);
            self.spare.put(room);
        });
        let sums = Sums::of_labels(&whole.labels, k, whole.sums.clone());
        self.spare.put(whole);
        Ok(sums)
    }

    fn step(&mut self, sums: &Sums) -> Result<Option<Stop>> {
        let (centers, d) = (&self.model.centers, self.model.centers.cols());
        let each = || sums.values.chunks_exact(d + 2).enumerate();
        self.trace.push(each().map(|(_, s)| s[1]).sum());
        let mut next = centers.clone();
        let mut shift = 0.0;
        for (c, s) in each().filter(|(_, s)| s[0] > 0.0) {
            for (m, sum) in next.row_mut(c).iter_mut().zip(&s[2..]) {
                let step = sum / s[0];
                *m += step;
                shift += step * step;
            }
        }
        let at_rest = self.p.tol.max(ROUNDING) * variance(&next, sums, self.trace.last());
        if shift <= at_rest {
            return Ok(Some(Stop::Converged));
        }
        if self.trace.len() >= self.p.max_iter {
            return Ok(Some(Stop::MaxIter));
        }
        self.model = self.model.with(KMeansModel::new(next));
        Ok(None)
    }

    fn reorder(&mut self, order: &[usize]) {
        self.model = self.model.with(KMeansModel::new(pick(&self.model.centers, order)));
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(self.model.clone())
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        out.put_vector("pass.trace", &self.trace);
        out
    }

    fn trace(&self) -> &[f64] {
        &self.trace
    }

    fn sum_bytes(&self) -> u64 {
        8 * (self.model.centers.rows() * (self.model.centers.cols() + 2)) as u64
    }

    fn boxed(&self) -> Box<dyn PassRule> {
        Box::new(self.clone())
    }
}

/// The mean variance of the columns: between the clusters' means, and within them what the inertia has beyond the
/// centres' distance from the means.
fn variance(means: &Dense, sums: &Sums, inertia: Option<&f64>) -> f64 {
    let d = means.cols();
    let each = || sums.values.chunks_exact(d + 2).enumerate().filter(|(_, s)| s[0] > 0.0);
    let n: f64 = each().map(|(_, s)| s[0]).sum();
    let mut total = inertia.copied().unwrap_or(0.0);
    for j in 0..d {
        let mean = each().map(|(c, s)| s[0] / n * means[(c, j)]).sum::<f64>();
        for (c, s) in each() {
            let (between, within) = (means[(c, j)] - mean, s[2 + j] / s[0]);
            total += s[0] * (between * between - within * within);
        }
    }
    total / (n * d as f64)
}
