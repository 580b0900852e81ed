//! Kernels and distances as numbers: which one, then its parameters.

use super::Tensors;
use crate::error::{Error, Result};
use separa_math::distance::{Measure, Metric};
use separa_math::kernel::mercer::Kernel;

/// The number of the first metric, and what a distance adds to the number of its kernel.
const METRICS: f64 = 10.0;
const INDUCED: f64 = 20.0;

/// In the order of their numbers.
const METRIC: [Metric; 6] = [
    Metric::Euclidean,
    Metric::SqEuclidean,
    Metric::Manhattan,
    Metric::Chebyshev,
    Metric::Cosine,
    Metric::Correlation,
];

impl Tensors {
    pub fn put_measure(&mut self, name: &str, measure: impl Into<Measure>) {
        let numbers = match measure.into() {
            Measure::Kernel(kernel) => numbers_of(kernel),
            Measure::Induced(kernel) => {
                let mut numbers = numbers_of(kernel);
                numbers[0] += INDUCED;
                numbers
            }
            Measure::Metric(metric) => {
                let place = METRIC.iter().position(|m| *m == metric);
                vec![METRICS + place.expect("every metric is listed") as f64]
            }
        };
        self.put_vector(name, &numbers);
    }

    pub fn measure(&self, name: &str) -> Result<Measure> {
        let unknown = || Error::Model(format!("its {name} is not known to this version"));
        let numbers = self.vector(name)?;
        let (&code, rest) = numbers.split_first().ok_or_else(unknown)?;
        if let Some(place) = (0..METRIC.len()).find(|p| METRICS + *p as f64 == code) {
            return if rest.is_empty() { Ok(METRIC[place].into()) } else { Err(unknown()) };
        }
        if code >= INDUCED {
            return Ok(Measure::Induced(kernel_of(code - INDUCED, rest).ok_or_else(unknown)?));
        }
        Ok(Measure::Kernel(kernel_of(code, rest).ok_or_else(unknown)?))
    }

    /// What [`Tensors::put_measure`] stored of a kernel.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        match self.measure(name)? {
            Measure::Kernel(kernel) => Ok(kernel),
            _ => Err(Error::Model(format!("its {name} is a distance, expected a kernel"))),
        }
    }
}

fn numbers_of(kernel: Kernel) -> Vec<f64> {
    match kernel {
        Kernel::Rbf { gamma } => vec![0.0, gamma],
        Kernel::Poly { gamma, degree, coef0 } => vec![1.0, gamma, f64::from(degree), coef0],
        Kernel::Linear => vec![2.0],
        Kernel::Laplacian { gamma } => vec![3.0, gamma],
        Kernel::Tanh { gamma, coef0 } => vec![4.0, gamma, coef0],
        Kernel::Cosine => vec![5.0],
    }
}

fn kernel_of(code: f64, rest: &[f64]) -> Option<Kernel> {
    Some(match (code as i64, rest) {
        _ if code.fract() != 0.0 => return None,
        (0, &[gamma]) => Kernel::Rbf { gamma },
        (1, &[gamma, degree, coef0]) if (1.0..1e6).contains(&degree) => {
            Kernel::Poly { gamma, degree: degree as u32, coef0 }
        }
        (2, []) => Kernel::Linear,
        (3, &[gamma]) => Kernel::Laplacian { gamma },
        (4, &[gamma, coef0]) => Kernel::Tanh { gamma, coef0 },
        (5, []) => Kernel::Cosine,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_comes_back() {
        let (gamma, coef0) = (0.3, -1.5);
        let kernels = [
            Kernel::Rbf { gamma },
            Kernel::Poly { gamma, degree: 3, coef0 },
            Kernel::Linear,
            Kernel::Laplacian { gamma },
            Kernel::Tanh { gamma, coef0 },
            Kernel::Cosine,
        ];
        let induced = kernels.iter().map(|k| Measure::Induced(*k));
        let all = METRIC.iter().map(|m| Measure::from(*m)).chain(induced);
        for measure in all.chain(kernels.iter().map(|k| Measure::from(*k))) {
            let mut t = Tensors::default();
            t.put_measure("m", measure);
            assert_eq!(t.measure("m").unwrap(), measure);
            assert_eq!(t.kernel("m").is_ok(), matches!(measure, Measure::Kernel(_)));
        }
    }

    #[test]
    fn other_numbers_are_refused() {
        for bad in [&[][..], &[0.0], &[0.5, 1.0], &[6.0], &[16.0], &[10.0, 1.0], &[26.0], &[-1.0]] {
            let mut t = Tensors::default();
            t.put_vector("m", bad);
            assert!(t.measure("m").is_err(), "{bad:?}");
        }
    }
}
