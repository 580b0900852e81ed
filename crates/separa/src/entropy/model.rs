//! The rule that a posterior of rows leads to.

use super::posterior::{Link, agree, posterior_of};
use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::{Model, Proba};
use crate::model_file::Tensors;
use separa_math::kernel::feature_map::KernelSums;
use separa_math::matrix::{Dense, MatrixRef, pick, project};
use separa_math::par;
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
    link: PhantomData<L>,
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
        Self { sums, k, weights, intercepts, link: PhantomData }
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
                *self = Self::new(self.sums.clone(), &weights, &intercepts);
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
        Ok(Self { sums, k, weights, intercepts, link: PhantomData })
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
