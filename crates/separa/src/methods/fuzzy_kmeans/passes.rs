//! Fuzzy k-means on rows that pass by: one pass per iteration of EM.
//!
//! A pass sums the memberships of every centre, the rows about it weighted by them, the objective, and the spread of
//! all rows about a fixed point, which the tolerance refers to. σ² stays that of the first rule. The rule that is
//! returned is the one whose sums were taken last.

use super::{FuzzyKMeans, FuzzyKMeansModel};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::params::Checked;
use crate::pass::{PassRule, Sums};
use crate::report::Stop;
use crate::scaled_model::ScaledModel;
use separa_math::matrix::{MatrixRef, Rows};
use separa_math::par;

#[derive(Debug, Clone)]
struct FuzzyPasses {
    p: FuzzyKMeans,
    model: ScaledModel<FuzzyKMeansModel>,
    /// What the spread of the rows is summed about.
    origin: Vec<f64>,
    trace: Vec<f64>,
}

/// The centres of a model, or of passes under way.
pub(super) fn begin(
    p: &Checked<FuzzyKMeans>,
    tensors: &Tensors,
) -> Result<Option<Box<dyn PassRule>>> {
    let model = ScaledModel::load(tensors, <FuzzyKMeans as crate::Method>::load)?;
    // A tiny table keeps the rule of its sample.
    if !model.in_own_units() {
        return Ok(None);
    }
    let (k, d) = (model.centers.rows(), model.centers.cols());
    let mean = |j: usize| (0..k).map(|c| model.centers[(c, j)] / k as f64).sum();
    let (mut origin, mut trace) = ((0..d).map(mean).collect::<Vec<f64>>(), Vec::new());
    if tensors.contains("pass.trace") {
        (origin, trace) = (tensors.vector("pass.origin")?, tensors.vector("pass.trace")?);
    }
    if origin.len() != d {
        return Err(Error::Model("its state between passes has an impossible shape".into()));
    }
    Ok(Some(Box::new(FuzzyPasses { p: (**p).clone(), model, origin, trace })))
}

impl FuzzyPasses {
    /// Adds one row to the sums: objective, squares and sums about the origin; mass and sums of every centre.
    fn add(&self, row: &[f64], squares: &mut [f64], sums: &mut [f64]) {
        let (centers, sigma2, d) = (&self.model.centers, self.model.sigma2, row.len());
        for (c, square) in squares.iter_mut().enumerate() {
            *square = row.iter().zip(centers.row(c)).map(|(x, m)| (x - m) * (x - m)).sum();
        }
        let least = squares.iter().copied().fold(f64::INFINITY, f64::min);
        let weight = |square: f64| ((least - square) / sigma2).exp();
        let total: f64 = squares.iter().map(|s| weight(*s)).sum();
        sums[0] += least - sigma2 * total.ln();
        let (about, each) = sums[1..].split_at_mut(1 + d);
        let (spread, about) = about.split_first_mut().expect("a spread and sums");
        for ((s, x), o) in about.iter_mut().zip(row).zip(&self.origin) {
            *spread += (x - o) * (x - o);
            *s += x - o;
        }
        for ((c, square), sums) in squares.iter().enumerate().zip(each.chunks_exact_mut(1 + d)) {
            let member = weight(*square) / total;
            sums[0] += member;
            let places = sums[1..].iter_mut().zip(row).zip(centers.row(c));
            places.for_each(|((s, x), m)| *s += member * (x - m));
        }
    }

    fn numbers(&self) -> usize {
        let (k, d) = (self.model.centers.rows(), self.origin.len());
        1 + (1 + d) * (1 + k)
    }
}

impl PassRule for FuzzyPasses {
    fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        self.model.check_width(block)?;
        let scaled = self.model.scaler().map(|scaler| scaler.copy(block));
        let rows: &dyn Rows = scaled.as_ref().map_or(&block, |rows| rows);
        let (k, d) = (self.model.centers.rows(), self.origin.len());
        let map = |range: std::ops::Range<usize>| {
            let mut part = vec![0.0; self.numbers()];
            let (mut row, mut squares) = (vec![0.0; d], vec![0.0; k]);
            for i in range {
                rows.copy_row(i, &mut row);
                self.add(&row, &mut squares, &mut part);
            }
            part
        };
        let mut values = vec![0.0; self.numbers()];
        par::fold_chunks(rows.n_rows(), map, |part| {
            values.iter_mut().zip(part).for_each(|(a, b)| *a += b);
        });
        let labels: Vec<i32> = self.model.rule.labels(rows).into_iter().map(|l| l as i32).collect();
        Ok(Sums::of_labels(&labels, k, values))
    }

    fn step(&mut self, sums: &Sums) -> Result<Option<Stop>> {
        let (d, n) = (self.origin.len(), sums.rows as f64);
        let (objective, rest) = (sums.values[0], &sums.values[1..]);
        let (about, each) = rest.split_at(1 + d);
        let spread = about[0] - about[1..].iter().map(|s| s * s).sum::<f64>() / n;
        let fell = self.trace.last().map_or(f64::INFINITY, |last| last - objective);
        self.trace.push(objective);
        if fell <= self.p.tol * spread.max(0.0) {
            return Ok(Some(Stop::Converged));
        }
        if self.trace.len() >= self.p.max_iter {
            return Ok(Some(Stop::MaxIter));
        }
        let mut next = self.model.centers.clone();
        // A centre that no row belongs to stays.
        for (c, sums) in each.chunks_exact(1 + d).enumerate().filter(|(_, s)| s[0] > 0.0) {
            let places = next.row_mut(c).iter_mut().zip(&sums[1..]);
            places.for_each(|(m, s)| *m += s / sums[0]);
        }
        self.model = self.model.with(FuzzyKMeansModel::new(next, self.model.sigma2));
        Ok(None)
    }

    fn reorder(&mut self, order: &[usize]) {
        let mut model = (*self.model).clone();
        model.reorder(order);
        self.model = self.model.with(model);
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(self.model.clone())
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        out.put_vector("pass.origin", &self.origin);
        out.put_vector("pass.trace", &self.trace);
        out
    }

    fn trace(&self) -> &[f64] {
        &self.trace
    }

    fn sum_bytes(&self) -> u64 {
        8 * self.numbers() as u64
    }

    fn boxed(&self) -> Box<dyn PassRule> {
        Box::new(self.clone())
    }
}
