//! Learning from summaries: the product kernel between them, and the boundaries in its space.

use super::basis::ProductKernel;
use super::choices::{AimChoice, Ppk};
use super::class_pairs::ClassPair;
use super::planes::{Plane, Rule, minimax};
use super::summaries::Summaries;
use crate::error::Result;
use separa_math::gauss::{Gaussians, Shape, pooled};
use separa_math::kernel::feature_map::inverse_root;
use separa_math::kernel::ppk::{Form, LogGram};
use separa_math::matrix::{Dense, project};
use separa_math::moments::Moments;
use separa_math::optim::svm_smo::{Dual, Options, solve};

/// Steps at most for one boundary of a support vector machine.
const STEPS: usize = 1_000_000;
/// Axes of the kernel with less than this of the first one's weight are rounding.
const LEAST: f64 = 1e-9;

/// The kernel.
#[derive(Debug, Clone, Copy)]
pub struct KernelOf {
    pub ppk: Ppk,
    pub shape: Shape,
    pub rho: f64,
    pub degree: u32,
    pub coef0: f64,
}

/// What is learnt from the kernel matrix.
#[derive(Debug, Clone, Copy)]
pub enum Learner {
    /// A minimax probability machine; its number is the regulariser.
    Minimax { aim: AimChoice, floor: f64 },
    /// A support vector machine; its number is C.
    Support,
}

/// Summaries with their kernel.
#[derive(Debug)]
pub struct Ready {
    pub product: ProductKernel,
    logs: LogGram,
    /// The class of each summary.
    pub class_of: Vec<usize>,
    k: usize,
    kernel: KernelOf,
}

impl Ready {
    pub fn new(summaries: Summaries, kernel: KernelOf) -> Result<Self> {
        let Summaries { cells, class_of, k } = summaries;
        let within = pooled(&cells, kernel.shape);
        let gaussians = Gaussians::shrunk(&cells, &within, kernel.shape);
        let logs = LogGram::new(&gaussians, kernel.rho)?;
        // Equation (11): a row is a point. Everywhere else it has the variance within summaries.
        let point = (kernel.ppk != Ppk::Lppk || kernel.rho != 1.0).then_some(within);
        let form = Form::Linear { top: 0.0 };
        let product = ProductKernel::new(gaussians, point, logs.own(), kernel.rho, form)?;
        Ok(Self { product, logs, class_of, k, kernel })
    }

    /// The kernel's form at a width: a multiple of the median one, or a number as it is.
    pub fn form(&self, (value, multiple): (f64, bool)) -> Form {
        let KernelOf { ppk, degree, coef0, .. } = self.kernel;
        let of = |median: f64| if multiple { value * median } else { value };
        match ppk {
            Ppk::Lppk => Form::Linear {
                top: self.product.own.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)),
            },
            Ppk::Rbf => Form::Rbf { gamma: of(self.logs.median_gamma(false)) },
            Ppk::RbfLiteral => Form::RbfLiteral { gamma: of(self.logs.median_gamma(true)) },
            Ppk::Poly => Form::Poly { gamma: of(1.0), degree, coef0 },
            Ppk::Tanh => Form::Tanh { gamma: of(1.0), coef0 },
        }
    }

    /// The boundaries at each of the learner's numbers.
    pub fn planes(
        &self,
        form: Form,
        learner: Learner,
        values: &[f64],
        pairs: &[ClassPair],
    ) -> Result<Vec<Vec<Plane>>> {
        let gram = self.logs.gram(form);
        match learner {
            Learner::Minimax { aim, floor } => {
                let map = inverse_root(&gram, LEAST)?;
                let features = project(&gram, map.view(), &vec![0.0; map.rows()]);
                let labels: Vec<i32> = self.class_of.iter().map(|c| *c as i32).collect();
                let classes = Moments::by_label(&features, None, &labels, self.k);
                let mut masses = vec![0.0; self.k];
                let weights = self.class_of.iter().zip(&self.product.gaussians.weights);
                weights.for_each(|(c, w)| masses[*c] += w);
                let at = |&reg: &f64| {
                    let rule = Rule { reg, whole: true, aim, floor, weighted: false };
                    let planes = minimax(&classes, &masses, pairs, rule)?;
                    Ok(planes.into_iter().map(|p| p.through(&map)).collect())
                };
                values.iter().map(at).collect()
            }
            Learner::Support => {
                let at =
                    |c: &f64| pairs.iter().map(|d| self.support(&gram, *d, *c, STEPS)).collect();
                values.iter().map(at).collect()
            }
        }
    }

    /// The support vector machine of one pair: summary k has the box C·P_k/mean P.
    fn support(&self, gram: &Dense, pair: ClassPair, c: f64, steps: usize) -> Result<Plane> {
        let side = |k: usize| pair.side(self.class_of[k]);
        let index: Vec<usize> = (0..gram.rows()).filter(|&k| side(k).is_some()).collect();
        let share = |k: usize| self.product.gaussians.weights[k];
        let mean = index.iter().map(|&k| share(k)).sum::<f64>() / index.len() as f64;
        let mut own = Dense::zeros(index.len(), index.len());
        for (r, &i) in index.iter().enumerate() {
            own.row_mut(r).iter_mut().zip(&index).for_each(|(o, &j)| *o = gram[(i, j)]);
        }
        let labels: Vec<bool> = index.iter().map(|&k| side(k) == Some(true)).collect();
        let boxes: Vec<f64> = index.iter().map(|&k| c * share(k) / mean).collect();
        let options = Options { tol: 1e-4, max_steps: steps, ..Options::default() };
        let found = solve(&own, &Dual::classes(&labels, &boxes)?, None, &options)?;
        let mut coef = vec![0.0; gram.rows()];
        index.iter().zip(&found.beta).for_each(|(&k, b)| coef[k] = *b);
        let converged = found.converged;
        Ok(Plane { coef, b: found.b, alpha: None, short: false, converged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::gauss::Cell;

    /// Two classes of four cells each, close together.
    fn ready() -> Ready {
        let cell = |at: f64| {
            let mut cell = Cell::empty(1, Shape::Diag);
            [at - 0.5, at, at + 0.7].iter().for_each(|x| cell.add(&[*x], 1.0));
            cell
        };
        let class = |shift: f64| (0..4).map(|i| cell(f64::from(i) + shift)).collect();
        let kernel =
            KernelOf { ppk: Ppk::Rbf, shape: Shape::Diag, rho: 1.0, degree: 3, coef0: 1.0 };
        Ready::new(Summaries::join(vec![class(0.0), class(0.3)]), kernel).unwrap()
    }

    #[test]
    fn a_support_vector_machine_says_whether_it_reached_its_tolerance() {
        let ready = ready();
        let gram = ready.logs.gram(ready.form((1.0, true)));
        let pair = ClassPair { one: 1, two: Some(0) };
        let plane = |steps| ready.support(&gram, pair, 10.0, steps).unwrap();
        assert!(!plane(1).converged);
        assert!(plane(STEPS).converged);
    }
}
