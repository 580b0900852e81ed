//! The rule: the nearest mean in the space of the kernel.

use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::kernel::feature_map::KernelSums;
use separa_math::matrix::{Dense, MatrixRef, Rows, pick, project};

/// Centres as weighted sums of images of points; a row belongs to the nearest.
#[derive(Debug, Clone)]
pub struct KernelKMeansModel {
    /// None where the table is the kernel with the training rows.
    sums: Option<KernelSums>,
    /// Row c: the weights of the landmarks in centre c.
    weights: Dense,
    /// ‖c‖².
    squares: Vec<f64>,
}

impl KernelKMeansModel {
    pub(super) fn new(sums: Option<KernelSums>, weights: Dense, squares: Vec<f64>) -> Self {
        Self { sums, weights, squares }
    }

    /// Some clusters, in another order.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        self.weights = pick(&self.weights, order);
        self.squares = order.iter().map(|&c| self.squares[c]).collect();
    }

    /// c·φ(x) − ½‖c‖², the largest for the nearest centre.
    pub(super) fn scores(&self, rows: &dyn Rows) -> Dense {
        let offsets: Vec<f64> = self.squares.iter().map(|s| -0.5 * s).collect();
        match &self.sums {
            Some(sums) => sums.sums(rows, &self.weights, &offsets),
            None => {
                let mut scores =
                    project(rows, self.weights.view(), &vec![0.0; self.weights.rows()]);
                for line in scores.data_mut().chunks_exact_mut(offsets.len()) {
                    line.iter_mut().zip(&offsets).for_each(|(v, o)| *v += o);
                }
                scores
            }
        }
    }

    /// The scores after `reorder(order)`, from those before it, bit for bit.
    pub(super) fn reordered(&self, before: &Dense, order: &[usize], rows: &dyn Rows) -> Dense {
        if self.sums.is_none() {
            // No kernel to evaluate, and the sums of a product may depend on its width.
            return self.scores(rows);
        }
        let mut out = Dense::zeros(before.rows(), order.len());
        for i in 0..before.rows() {
            out.row_mut(i).iter_mut().zip(order).for_each(|(v, &c)| *v = before.row(i)[c]);
        }
        out
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its kernel has an impossible shape".into());
        let (weights, squares) = (t.matrix("weights")?, t.vector("squares")?);
        let sums = match t.contains("kernel") {
            true => Some(t.kernel_sums(weights.cols())?),
            false => None,
        };
        if squares.is_empty() || squares.len() != weights.rows() || weights.cols() == 0 {
            return Err(wrong());
        }
        Ok(Self { sums, weights, squares })
    }
}

/// The decision values that scores lead to.
pub(super) fn rule(scores: Dense, x: MatrixRef<'_>) -> Result<Dense> {
    let mut out = match scores.cols() {
        1 => Dense::from_vec(x.rows(), 1, vec![-1.0; x.rows()])?,
        2 => {
            let gaps = scores.data().chunks_exact(2).map(|s| s[1] - s[0]).collect();
            Dense::from_vec(x.rows(), 1, gaps)?
        }
        _ => scores,
    };
    mark_not_finite(x, &mut out);
    Ok(out)
}

impl Model for KernelKMeansModel {
    fn n_features(&self) -> usize {
        self.sums.as_ref().map_or(self.weights.cols(), KernelSums::n_cols)
    }
    fn n_clusters(&self) -> usize {
        self.squares.len()
    }

    /// c·φ(x) − ½‖c‖²; the difference of the two for two clusters.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        rule(self.scores(&x), x)
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        if let Some(sums) = &self.sums {
            out.put_kernel_sums(sums);
        }
        out.put_matrix("weights", &self.weights);
        out.put_vector("squares", &self.squares);
        out
    }
}
