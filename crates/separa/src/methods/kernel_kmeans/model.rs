//! The rule: the nearest mean in the space of the kernel.

use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::sums::weighted_sums;
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored, pick, project};

/// Centres as weighted sums of images of points; a row belongs to the nearest.
#[derive(Debug, Clone)]
pub struct KernelKMeansModel {
    /// None where the table is the kernel with the training rows.
    space: Option<(Kernel, Stored)>,
    /// Row c: the weights of the points in centre c.
    weights: Dense,
    /// ‖c‖².
    squares: Vec<f64>,
}

impl KernelKMeansModel {
    pub(super) fn new(space: Option<(Kernel, Stored)>, weights: Dense, squares: Vec<f64>) -> Self {
        Self { space, weights, squares }
    }

    /// Some clusters, in another order.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        self.weights = pick(&self.weights, order);
        self.squares = order.iter().map(|&c| self.squares[c]).collect();
    }

    /// c·φ(x) − ½‖c‖², the largest for the nearest centre.
    pub(super) fn scores(&self, rows: &dyn Rows) -> Dense {
        let mut scores = match &self.space {
            Some((kernel, points)) => weighted_sums(*kernel, rows, points, &self.weights),
            None => project(rows, self.weights.view(), &vec![0.0; self.weights.rows()]),
        };
        let k = self.squares.len();
        for line in scores.data_mut().chunks_exact_mut(k) {
            line.iter_mut().zip(&self.squares).for_each(|(v, s)| *v -= 0.5 * s);
        }
        scores
    }

    /// The scores after `reorder(order)`, from those before it, bit for bit.
    pub(super) fn reordered(&self, before: &Dense, order: &[usize], rows: &dyn Rows) -> Dense {
        if self.space.is_none() {
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
        let space = match t.contains("kernel") {
            true => Some((t.kernel("kernel")?, t.rows("points")?)),
            false => None,
        };
        let fits = space.as_ref().is_none_or(|(_, points)| points.n_rows() == weights.cols());
        if squares.is_empty() || squares.len() != weights.rows() || weights.cols() == 0 || !fits {
            return Err(wrong());
        }
        Ok(Self { space, weights, squares })
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
        self.space.as_ref().map_or(self.weights.cols(), |(_, points)| points.n_cols())
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
        if let Some((kernel, points)) = &self.space {
            out.put_measure("kernel", *kernel);
            out.put_rows("points", points);
        }
        out.put_matrix("weights", &self.weights);
        out.put_vector("squares", &self.squares);
        out
    }
}
