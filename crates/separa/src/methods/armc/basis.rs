//! How the machine sees pairs of rows, for any part of the table.

use super::table::{ArmcTable, Seen, refuse_overflow, square_part};
use crate::error::Result;
use separa_math::distance::{Measure, Metric};
use separa_math::kernel::feature_map::{FeatureMap, TOLERANCE};
use separa_math::kernel::landmarks;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::sums::weighted_sums;
use separa_math::linalg::{Precision, SymMatrix, product_nt};
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored, Subset, pick, project};
use separa_math::par;
use separa_math::scaling::Scaler;

/// Above so many rows a second copy of half of their pairs costs too much memory.
const LONG: usize = 4096;

/// What products of rows are.
#[derive(Debug)]
pub(super) enum ArmcBasis<'a> {
    Kernel(&'a Stored, Kernel),
    /// The kernel matrix is given.
    Given(&'a Dense),
    /// Features whose products are the kernel.
    Features(&'a Stored, Features),
}

/// Features of every row, and the way to them.
#[derive(Debug)]
pub(super) struct Features {
    pub rows: Stored,
    pub way: Way,
}

#[derive(Debug)]
pub(super) enum Way {
    /// The columns themselves, less these, times a number.
    Columns(Vec<f64>, f64),
    /// Nyström's.
    Landmarks(Box<FeatureMap>),
}

impl<'a> ArmcBasis<'a> {
    /// The columns are the features, brought to a mean square of 1: the weight of ‖w‖² then means the
    /// same for any number of columns, and what it means for kernels with k(x, x) = 1. The square is that
    /// of rows less their mean, however they are held. Where few of them are 0 they are centred as well:
    /// an offset would be a long way for the machine to go.
    pub fn columns(rows: &'a Stored, weights: &[f64]) -> Self {
        let d = rows.n_cols();
        let all: Vec<usize> = (0..rows.n_rows()).collect();
        let total = weights.iter().sum::<f64>();
        let mut mean = vec![0.0; d];
        let mut row = vec![0.0; d];
        for (i, w) in weights.iter().enumerate() {
            rows.copy_row(i, &mut row);
            mean.iter_mut().zip(&row).for_each(|(m, v)| *m += w / total * v);
        }
        let mut square = 0.0;
        for (i, w) in weights.iter().enumerate() {
            rows.copy_row(i, &mut row);
            square += w / total * row.iter().zip(&mean).map(|(v, m)| (v - m).powi(2)).sum::<f64>();
        }
        let factor = if square > 0.0 { 1.0 / square.sqrt() } else { 1.0 };
        let made = match rows.sparse() {
            Some(_) => {
                mean.fill(0.0);
                Scaler::uniform(d, factor).stored(rows)
            }
            None => {
                let mut made = pick(rows, &all);
                for line in made.data_mut().chunks_exact_mut(d.max(1)) {
                    line.iter_mut().zip(&mean).for_each(|(v, m)| *v = (*v - m) * factor);
                }
                Stored::from_dense(made)
            }
        };
        Self::Features(rows, Features { rows: made, way: Way::Columns(mean, factor) })
    }

    /// Features of a few rows, by Nyström.
    pub fn landmarks(rows: &'a Stored, kernel: Kernel, count: usize, seed: u64) -> Result<Self> {
        let landmarks = Stored::from_dense(landmarks::draw(rows, count, seed));
        let map = FeatureMap::fit(kernel, landmarks, TOLERANCE)?;
        let made = Stored::from_dense(map.apply(rows));
        Ok(Self::Features(rows, Features { rows: made, way: Way::Landmarks(Box::new(map)) }))
    }

    pub fn of_table(table: &'a ArmcTable, kernel: Option<Kernel>) -> Self {
        match (&table.seen, kernel) {
            (Seen::Rows(rows), Some(kernel)) => Self::Kernel(rows, kernel),
            (Seen::Gram(gram), _) => Self::Given(gram),
            (Seen::Rows(_), None) => unreachable!("rows come with a kernel"),
        }
    }

    /// The kernel of every pair of a part.
    pub fn gram(&self, part: &[usize]) -> Dense {
        match self {
            Self::Kernel(rows, kernel) if part.len() > LONG => {
                let own = Stored::of(*rows, part);
                kernel.matrix(&own, &own)
            }
            Self::Kernel(rows, kernel) => expand(*kernel, &Subset { rows: *rows, index: part }),
            Self::Given(gram) => square_part(gram, part),
            Self::Features(_, features) => {
                let z = pick(&features.rows, part);
                product_nt(z.view(), z.view())
            }
        }
    }

    /// Refuses kernels that overflow.
    pub fn check(&self, first: &[usize]) -> Result<()> {
        match self {
            Self::Kernel(rows, kernel) => {
                let own = |i: usize| {
                    let one = pick(*rows, &[i]);
                    kernel.matrix(&one, &one)[(0, 0)]
                };
                refuse_overflow((0..rows.n_rows()).map(own), first)
            }
            Self::Given(gram) => refuse_overflow((0..gram.rows()).map(|i| gram[(i, i)]), first),
            Self::Features(..) => Ok(()),
        }
    }

    /// Squared distances of every pair of a part, for initializations: of the rows, or as the kernel has them.
    pub fn squares(&self, part: &[usize]) -> Dense {
        match self {
            Self::Kernel(rows, _) | Self::Features(rows, _) => {
                expand(Metric::SqEuclidean, &Subset { rows: *rows, index: part })
            }
            Self::Given(gram) => {
                let mut out = square_part(gram, part);
                let own: Vec<f64> = (0..part.len()).map(|i| out[(i, i)]).collect();
                for i in 0..part.len() {
                    let line = out.row_mut(i).iter_mut().zip(&own);
                    line.for_each(|(v, other)| *v = (own[i] + other - 2.0 * *v).max(0.0));
                }
                out
            }
        }
    }

    /// The rows as they are, for initializations that need them.
    pub fn rows(&self) -> Option<&Stored> {
        match self {
            Self::Kernel(rows, _) | Self::Features(rows, _) => Some(rows),
            Self::Given(_) => None,
        }
    }

    /// Σⱼ βⱼ k(x, xⱼ) over the rows `among`, for every row of a part.
    pub fn scores(&self, part: &[usize], among: &[usize], beta: &[f64]) -> Vec<f64> {
        match self {
            Self::Kernel(rows, kernel) => {
                let coef = Dense::from_vec(1, beta.len(), beta.to_vec()).expect("one line");
                let (x, points) = (Stored::of(*rows, part), Stored::of(*rows, among));
                weighted_sums(*kernel, &x, &points, &coef).into_vec()
            }
            Self::Given(gram) => {
                let sum = |&i: &usize| among.iter().zip(beta).map(|(&j, b)| b * gram[(i, j)]).sum();
                part.iter().map(sum).collect()
            }
            Self::Features(_, features) => {
                let w = features.plane(among, beta);
                features.scores(part, &w)
            }
        }
    }
}

impl Features {
    /// Σ βᵢzᵢ.
    pub fn plane(&self, among: &[usize], beta: &[f64]) -> Vec<f64> {
        let (mut w, mut row) = (vec![0.0; self.rows.n_cols()], vec![0.0; self.rows.n_cols()]);
        for (&i, b) in among.iter().zip(beta).filter(|(_, b)| **b != 0.0) {
            self.rows.copy_row(i, &mut row);
            w.iter_mut().zip(&row).for_each(|(w, v)| *w += b * v);
        }
        w
    }

    fn scores(&self, part: &[usize], w: &[f64]) -> Vec<f64> {
        let w = Dense::from_vec(1, w.len(), w.to_vec()).expect("one line");
        project(&Subset { rows: &self.rows, index: part }, w.view(), &[0.0]).into_vec()
    }

    pub fn matrix(&self) -> MatrixRef<'_> {
        self.rows.matrix()
    }
}

/// All pairs, both triangles: half of them are computed.
fn expand(measure: impl Into<Measure>, rows: &dyn Rows) -> Dense {
    let half: SymMatrix = measure.into().symmetric(rows, Precision::Double);
    let n = half.n();
    let mut out = Dense::zeros(n, n);
    par::fill_chunks(out.data_mut(), n.max(1), |range, part| {
        for (i, line) in range.zip(part.chunks_exact_mut(n)) {
            half.copy_row(i, line);
        }
    });
    out
}
