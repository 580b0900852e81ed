//! From chains over the columns to the values of a measure.

use super::measure::{Measure, Metric};
use super::pair_side::{half_square_of_units, square_apart};
use super::pairs::Pairs;
use crate::kernel::exp::{exp, one_minus_exp};
use crate::kernel::mercer::Kernel;
use std::ops::Range;

/// Squares below this fraction of ‖x‖² + ‖y‖² are found again from the differences. The others lost
/// at most six of their sixteen digits; equal rows become exact zeros.
const DOUBT: f64 = 1e-6;

/// The number of a row that [`Pairs::finish`] needs, as a function of ‖x‖².
pub(super) fn own(measure: Measure) -> Option<Box<dyn Fn(f64) -> f64 + Sync>> {
    match measure {
        Measure::Metric(Metric::Euclidean | Metric::SqEuclidean)
        | Measure::Kernel(Kernel::Rbf { .. })
        | Measure::Induced(Kernel::Rbf { .. }) => Some(Box::new(|square| square)),
        Measure::Metric(Metric::Cosine | Metric::Correlation)
        | Measure::Kernel(Kernel::Cosine)
        | Measure::Induced(Kernel::Cosine) => Some(Box::new(f64::sqrt)),
        Measure::Induced(kernel) => Some(Box::new(move |square| of_product(kernel, square))),
        _ => None,
    }
}

/// The kernels that are functions of xᵀy alone.
#[inline]
fn of_product(kernel: Kernel, v: f64) -> f64 {
    match kernel {
        Kernel::Poly { gamma, degree, coef0 } => (gamma * v + coef0).powi(degree as i32),
        Kernel::Tanh { gamma, coef0 } => (gamma * v + coef0).tanh(),
        _ => v,
    }
}

impl Pairs<'_> {
    /// Turns the chains of row `i` with the points `cols` into the measure's values.
    pub(super) fn finish(&self, i: usize, cols: Range<usize>, line: &mut [f64]) {
        match self.measure {
            Measure::Metric(metric) => self.finish_metric(metric, i, cols, line),
            Measure::Kernel(kernel) => self.finish_kernel(kernel, i, cols, line),
            Measure::Induced(kernel) => self.finish_induced(kernel, i, cols, line),
        }
    }

    fn finish_metric(&self, metric: Metric, i: usize, cols: Range<usize>, line: &mut [f64]) {
        match metric {
            Metric::SqEuclidean => self.squares(i, cols, line),
            Metric::Euclidean => {
                self.squares(i, cols, line);
                line.iter_mut().for_each(|v| *v = v.sqrt());
            }
            Metric::Cosine | Metric::Correlation => {
                self.angles(i, cols, line, |blank_too| if blank_too { 0.0 } else { 1.0 });
            }
            Metric::Manhattan | Metric::Chebyshev => {}
        }
    }

    fn finish_kernel(&self, kernel: Kernel, i: usize, cols: Range<usize>, line: &mut [f64]) {
        match kernel {
            Kernel::Linear => {}
            Kernel::Rbf { gamma } => {
                self.squares(i, cols, line);
                line.iter_mut().for_each(|v| *v *= -gamma);
                exp(line);
            }
            Kernel::Laplacian { gamma } => {
                line.iter_mut().for_each(|v| *v *= -gamma);
                exp(line);
            }
            Kernel::Cosine => {
                self.angles(i, cols, line, |_| 1.0);
                line.iter_mut().for_each(|v| *v = 1.0 - *v);
            }
            _ => line.iter_mut().for_each(|v| *v = of_product(kernel, *v)),
        }
    }

    fn finish_induced(&self, kernel: Kernel, i: usize, cols: Range<usize>, line: &mut [f64]) {
        match kernel {
            // k(x, x) = 1: the square is 2(1 − k), whose digits 1 − e^x keeps.
            Kernel::Rbf { gamma } | Kernel::Laplacian { gamma } => {
                if matches!(kernel, Kernel::Rbf { .. }) {
                    self.squares(i, cols, line);
                }
                line.iter_mut().for_each(|v| *v *= -gamma);
                one_minus_exp(line);
                line.iter_mut().for_each(|v| *v = (2.0 * *v).sqrt());
            }
            Kernel::Cosine => {
                self.angles(i, cols, line, |blank_too| if blank_too { 0.0 } else { 0.5 });
                line.iter_mut().for_each(|v| *v = (2.0 * *v).sqrt());
            }
            _ => {
                let (own, others) = (self.rows.own[i], &self.points.own[cols]);
                for (v, other) in line.iter_mut().zip(others) {
                    // Below zero by rounding, or where the kernel is not positive definite.
                    *v = (own + other - 2.0 * of_product(kernel, *v)).max(0.0).sqrt();
                }
            }
        }
    }

    /// ‖x − y‖² from xᵀy.
    fn squares(&self, i: usize, cols: Range<usize>, line: &mut [f64]) {
        let (own, others) = (self.rows.own[i], &self.points.own[cols.clone()]);
        let mut all_sure = true;
        for (v, other) in line.iter_mut().zip(others) {
            let sum = own + other;
            *v = sum - 2.0 * *v;
            all_sure &= *v >= DOUBT * sum;
        }
        if all_sure {
            return;
        }
        for ((v, other), j) in line.iter_mut().zip(others).zip(cols) {
            let sure = *v >= DOUBT * (own + other);
            if !sure {
                *v = square_apart(self.rows.rows(), i, self.points.rows(), j);
            }
        }
    }

    /// 1 − cos from xᵀy. `blank` gives the value where a row has no direction, told whether both
    /// have none.
    fn angles(&self, i: usize, cols: Range<usize>, line: &mut [f64], blank: impl Fn(bool) -> f64) {
        let (own, others) = (self.rows.own[i], &self.points.own[cols.clone()]);
        let mut all_sure = true;
        for (v, other) in line.iter_mut().zip(others) {
            // Not a number where a row has no direction, and so not sure.
            *v = 1.0 - *v / (own * other);
            all_sure &= *v >= DOUBT;
        }
        if all_sure {
            return;
        }
        for ((v, &other), j) in line.iter_mut().zip(others).zip(cols) {
            let sure = *v >= DOUBT;
            if own == 0.0 || other == 0.0 {
                *v = blank(own == other);
            } else if !sure {
                let (x, y) = (self.rows.rows(), self.points.rows());
                *v = half_square_of_units(x, i, own, y, j, other);
            }
        }
    }
}
