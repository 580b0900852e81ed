//! From the rows of each class to its summaries.

use super::choices::Quantizer;
use separa_math::gauss::{Cell, Shape, Tod, threshold_for};
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::matrix::{Rows, Subset};
use separa_math::rng::Rng;
use separa_math::scaling::Scaler;

/// Rows that the threshold is found from.
pub const SAMPLE: usize = 8192;

/// How rows become summaries.
#[derive(Debug, Clone, Copy)]
pub struct Quantise<'a> {
    pub quantizer: Quantizer,
    /// 0 where the count decides.
    pub threshold: f64,
    pub shape: Shape,
    /// One a column, for distances.
    pub factors: &'a [f64],
    pub seed: u64,
    /// More summaries of a class than this are refused, so that there is no use in going on.
    pub most: usize,
}

/// Summaries of all classes, one class after the other.
#[derive(Debug, Clone)]
pub struct Summaries {
    pub cells: Vec<Cell>,
    /// The class of each.
    pub class_of: Vec<usize>,
    /// How many classes there are.
    pub k: usize,
}

impl Summaries {
    pub fn join(classes: Vec<Vec<Cell>>) -> Self {
        let class_of = classes.iter().enumerate().flat_map(|(c, cells)| vec![c; cells.len()]);
        let (class_of, k) = (class_of.collect(), classes.len());
        Self { class_of, k, cells: classes.into_iter().flatten().collect() }
    }
}

impl Quantise<'_> {
    /// The summaries of `members[c]` for each class c, at most `count` each.
    pub fn run(
        &self,
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        members: &[Vec<usize>],
        count: usize,
    ) -> Summaries {
        let class = |(c, index): (usize, &Vec<usize>)| {
            let count = count.min(index.len());
            match self.quantizer {
                Quantizer::Tod => self.tod(rows, weights, index, count, c).into_cells(),
                Quantizer::Kmeans => self.kmeans(rows, weights, index, count),
            }
        };
        Summaries::join(members.iter().enumerate().map(class).collect())
    }

    /// The summaries of one class, with what more rows need.
    pub fn tod(
        &self,
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        index: &[usize],
        count: usize,
        task: usize,
    ) -> Tod {
        let mut order = index.to_vec();
        Rng::new(self.seed, 0x746f + ((task as u64) << 16)).shuffle(&mut order);
        let threshold = match self.threshold {
            t if t > 0.0 => t,
            _ => {
                let sample = &order[..order.len().min(SAMPLE)];
                threshold_for(rows, weights, sample, self.factors, count)
            }
        };
        let mut tod = Tod::of(
            rows,
            weights,
            &order,
            (&Tod::new(self.factors, threshold, self.shape), self.most),
        );
        if self.threshold == 0.0 {
            tod.coarsen(count);
        }
        tod
    }

    fn kmeans(
        &self,
        rows: &dyn Rows,
        weights: Option<&[f64]>,
        index: &[usize],
        count: usize,
    ) -> Vec<Cell> {
        let view = Scaler::from_factors(self.factors).view(rows);
        let some = Subset { rows: &view, index };
        let own: Option<Vec<f64>> = weights.map(|w| index.iter().map(|&i| w[i]).collect());
        let limits = Limits { max_iter: 50, tol: 1e-4 };
        let restarts = Restarts { n_init: 3, limits, seed: self.seed };
        let run = kmeans(&some, own.as_deref(), count, restarts, &mut || false);
        let mut cells = vec![Cell::empty(rows.n_cols(), self.shape); count];
        let mut row = vec![0.0; rows.n_cols()];
        for (&i, &l) in index.iter().zip(&run.labels) {
            rows.copy_row(i, &mut row);
            cells[l as usize].add(&row, weights.map_or(1.0, |w| w[i]));
        }
        cells.retain(|c| c.weight > 0.0);
        cells
    }
}
