//! The rule that a posterior of rows leads to.

use super::posterior::{Link, agree, posterior_of};
use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::{Model, Proba};
use crate::model_file::Tensors;
use separa_math::kernel::feature_map::KernelSums;
use separa_math::matrix::{Dense, MatrixRef, Rows, pick, project};
use separa_math::par;
use separa_math::scaling::Scaler;
use std::marker::PhantomData;

/// Scores f = weights·x + intercepts, of columns or of a kernel's points; P(y|x) ∝ exp(u_y(f)).
#[derive(Debug, Clone, PartialEq)]
pub struct RowModel<L> {
    /// None for columns, or where the table is the kernel.
    sums: Option<KernelSums>,
    k: usize,
    /// One row a cluster; for two clusters one row, the difference; for one cluster none.
    weights: Dense,
    intercepts: Vec<f64>,
    /// What the search for weights of columns saw, so that another can go on.
    space: Option<LinearSpace>,
    link: PhantomData<L>,
}

/// Columns as a search sees them, and the weight of its squared weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinearSpace {
    /// Centred, in one unit.
    pub scaler: Scaler,
    /// λ.
    pub reg: f64,
}

impl LinearSpace {
    /// Rows centred and scaled; clip limits do not count.
    pub fn see(&self, rows: &dyn Rows) -> Dense {
        let d = rows.n_cols();
        let mut out = Dense::zeros(rows.n_rows(), d);
        par::fill_chunks(out.data_mut(), d, |range, part| {
            for (i, line) in range.zip(part.chunks_exact_mut(d)) {
                rows.copy_row(i, line);
                let places = line.iter_mut().zip(&self.scaler.columns);
                places.for_each(|(v, column)| *v = column.factor * (*v - column.shift));
            }
        });
        out
    }

    /// The weights of every cluster, then the biases, of lines for columns as they are.
    pub fn weights(&self, (lines, intercepts): &(Dense, Vec<f64>)) -> Vec<f64> {
        let (mut weights, mut biases) = (lines.clone().into_vec(), intercepts.clone());
        for (c, line) in weights.chunks_exact_mut(lines.cols()).enumerate() {
            for (w, column) in line.iter_mut().zip(&self.scaler.columns) {
                biases[c] += *w * column.shift;
                *w = if column.factor > 0.0 { *w / column.factor } else { 0.0 };
            }
        }
        weights.extend(biases);
        weights
    }
}

impl<L: Link> RowModel<L> {
    /// `weights` has one row a cluster.
    pub(super) fn new(sums: Option<KernelSums>, weights: &Dense, intercepts: &[f64]) -> Self {
        let (k, d) = (weights.rows(), weights.cols());
        let (weights, intercepts) = match k {
            1 => (Dense::zeros(0, d), Vec::new()),
            2 => {
                let gap = weights.row(1).iter().zip(weights.row(0)).map(|(b, a)| b - a).collect();
                let weights = Dense::from_vec(1, d, gap).expect("one row of weights");
                (weights, vec![intercepts[1] - intercepts[0]])
            }
            _ => (weights.clone(), intercepts.to_vec()),
        };
        Self { sums, k, weights, intercepts, space: None, link: PhantomData }
    }

    /// With what the search saw.
    pub(super) fn with_space(self, space: LinearSpace) -> Self {
        Self { space: Some(space), ..self }
    }

    pub(super) fn space(&self) -> Option<&LinearSpace> {
        self.space.as_ref()
    }

    /// Weights and intercepts of every cluster; of two, those that sum to 0.
    pub(super) fn lines(&self) -> (Dense, Vec<f64>) {
        if self.k != 2 {
            return (self.weights.clone(), self.intercepts.clone());
        }
        let half = |v: &f64| [-0.5 * v, 0.5 * v];
        let mut lines = Dense::zeros(2, self.weights.cols());
        for (j, v) in self.weights.row(0).iter().enumerate() {
            [lines[(0, j)], lines[(1, j)]] = half(v);
        }
        (lines, half(&self.intercepts[0]).to_vec())
    }

    /// Some clusters, in another order.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        match (self.k, order) {
            (2, [1, 0]) => {
                self.weights.data_mut().iter_mut().for_each(|w| *w = -*w);
                self.intercepts.iter_mut().for_each(|b| *b = -*b);
            }
            (1 | 2, [_]) => {
                *self = Self::new(self.sums.clone(), &Dense::zeros(1, self.weights.cols()), &[0.0])
            }
            (1 | 2, _) => {}
            _ => {
                let weights = pick(&self.weights, order);
                let intercepts: Vec<f64> = order.iter().map(|&c| self.intercepts[c]).collect();
                let space = self.space.take();
                *self = Self { space, ..Self::new(self.sums.clone(), &weights, &intercepts) };
            }
        }
    }

    fn scores(&self, x: MatrixRef<'_>) -> Dense {
        match &self.sums {
            Some(sums) => sums.sums(&x, &self.weights, &self.intercepts),
            None => project(&x, self.weights.view(), &self.intercepts),
        }
    }

    pub(crate) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its weights have an impossible shape".into());
        let (weights, intercepts) = (t.matrix("weights")?, t.vector("intercepts")?);
        let k = match t.integers("clusters")?.as_slice() {
            [k] => usize::try_from(*k).map_err(|_| wrong())?,
            _ => return Err(wrong()),
        };
        let sums = match t.contains("kernel") {
            true => Some(t.kernel_sums(weights.cols())?),
            false => None,
        };
        let lines = if k > 2 { k } else { k.saturating_sub(1) };
        let whole = k > 0 && weights.rows() == lines && intercepts.len() == lines;
        if !whole || weights.cols() == 0 {
            return Err(wrong());
        }
        let space = match t.contains("search.factor") {
            true => {
                let (scaler, reg) = (t.scaler("search", weights.cols())?, t.vector("search.reg")?);
                let [reg] = reg[..] else { return Err(wrong()) };
                if scaler.columns.len() != weights.cols() || sums.is_some() || reg < 0.0 {
                    return Err(wrong());
                }
                Some(LinearSpace { scaler, reg })
            }
            false => None,
        };
        Ok(Self { sums, k, weights, intercepts, space, link: PhantomData })
    }
}

impl<L: Link> Model for RowModel<L> {
    fn n_features(&self) -> usize {
        self.sums.as_ref().map_or(self.weights.cols(), KernelSums::n_cols)
    }
    fn n_clusters(&self) -> usize {
        self.k
    }

    /// The scores f; their difference for two clusters.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let mut out = match self.k {
            1 => Dense::from_vec(x.rows(), 1, vec![-1.0; x.rows()])?,
            _ => self.scores(x),
        };
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    fn proba(&self) -> Option<&dyn Proba> {
        Some(self)
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        match (&self.sums, self.k) {
            (None, 2..) => Some((self.weights.clone(), self.intercepts.clone())),
            (None, 1) => Some((Dense::zeros(1, self.weights.cols()), vec![-1.0])),
            _ => None,
        }
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        if let Some(sums) = &self.sums {
            out.put_kernel_sums(sums);
        }
        out.put_integers("clusters", &[self.k as i64]);
        out.put_matrix("weights", &self.weights);
        out.put_vector("intercepts", &self.intercepts);
        if let Some(space) = &self.space {
            out.put_scaler("search", &space.scaler);
            out.put_vector("search.reg", &[space.reg]);
        }
        out
    }
}

impl<L: Link> Proba for RowModel<L> {
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense> {
        let decision = self.decision(x)?;
        let k = self.k;
        let mut out = Dense::zeros(x.rows(), k);
        par::fill_chunks(out.data_mut(), k, |range, part| {
            for (i, p) in range.zip(part.chunks_exact_mut(k)) {
                match decision.row(i) {
                    _ if k == 1 => p[0] = 1.0,
                    [gap] => posterior_of::<L>(&[-0.5 * gap, 0.5 * gap], p),
                    f => posterior_of::<L>(f, p),
                }
            }
        });
        agree(&decision, &mut out)?;
        Ok(out)
    }
}
