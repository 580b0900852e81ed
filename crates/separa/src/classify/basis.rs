//! The functions of a row that a boundary is a weighted sum of.

use crate::error::{Error, Result};
use crate::model_file::Tensors;
use separa_math::gauss::{Gaussians, Shape};
use separa_math::kernel::feature_map::KernelSums;
use separa_math::kernel::mercer::Kernel;
use separa_math::kernel::ppk::{Against, Form};
use separa_math::linalg::dot_lanes;
use separa_math::matrix::{Dense, Rows, project};
use separa_math::par;
use std::ops::Range;

/// Functions of a row.
#[derive(Debug, Clone)]
pub enum Basis {
    /// So many columns as they are.
    Linear { d: usize },
    /// A kernel with landmarks.
    Kernel(KernelSums),
    /// A product kernel with summaries.
    Product(Box<ProductKernel>),
}

/// Summaries with all that comparing a row with them takes.
#[derive(Debug, Clone)]
pub struct ProductKernel {
    pub gaussians: Gaussians,
    /// The packed covariance of a row; none for the kernel that takes a row for a point.
    pub point: Option<Vec<f64>>,
    pub rho: f64,
    pub form: Form,
    /// log K of each summary with itself.
    pub own: Vec<f64>,
    against: Against,
}

impl ProductKernel {
    pub fn new(
        gaussians: Gaussians,
        point: Option<Vec<f64>>,
        own: Vec<f64>,
        rho: f64,
        form: Form,
    ) -> Result<Self> {
        let against = Against::new(&gaussians, point.as_deref(), rho)?;
        Ok(Self { gaussians, point, rho, form, own, against })
    }

    /// log K of every row with every summary.
    pub fn logs(&self, rows: &dyn Rows) -> Dense {
        let (m, d) = (self.own.len(), rows.n_cols());
        let mut out = Dense::zeros(rows.n_rows(), m);
        par::fill_chunks(out.data_mut(), m, |range, part| {
            let (mut row, mut gap) = (vec![0.0; d], vec![0.0; d]);
            for (i, line) in range.zip(part.chunks_exact_mut(m)) {
                rows.copy_row(i, &mut row);
                self.against.log_row(&row, line, &mut gap);
            }
        });
        out
    }

    /// Values of the boundaries from the logarithms of the kernels of some rows.
    pub fn sums(
        &self,
        form: Form,
        logs: &Dense,
        rows: Range<usize>,
        coef: &Dense,
        offsets: &[f64],
    ) -> Dense {
        let (m, p) = (self.own.len(), offsets.len());
        let mut out = Dense::zeros(rows.len(), p);
        par::fill_chunks(out.data_mut(), p, |range, part| {
            let mut values = vec![0.0; m];
            for (i, line) in range.zip(part.chunks_exact_mut(p)) {
                values.copy_from_slice(logs.row(rows.start + i));
                form.apply(&mut values, self.against.own(), &self.own);
                for (c, v) in line.iter_mut().enumerate() {
                    *v = dot_lanes(coef.row(c), &values) + offsets[c];
                }
            }
        });
        out
    }
}

impl Basis {
    /// How many functions there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Linear { d } => *d,
            Self::Kernel(sums) => sums.landmarks.n_rows(),
            Self::Product(p) => p.own.len(),
        }
    }

    pub fn n_features(&self) -> usize {
        match self {
            Self::Linear { d } => *d,
            Self::Kernel(sums) => sums.n_cols(),
            Self::Product(p) => p.gaussians.d(),
        }
    }

    /// One line a row: the sums weighted by each row of `coef`, plus its offset.
    pub fn sums(&self, rows: &dyn Rows, coef: &Dense, offsets: &[f64]) -> Dense {
        match self {
            Self::Linear { .. } => project(rows, coef.view(), offsets),
            Self::Kernel(sums) => sums.sums(rows, coef, offsets),
            Self::Product(p) => {
                let mut out = Dense::zeros(rows.n_rows(), offsets.len());
                let width = offsets.len();
                par::fill_chunks(out.data_mut(), width, |range, part| {
                    let index: Vec<usize> = range.collect();
                    let some = separa_math::matrix::Subset { rows, index: &index };
                    let (logs, n) = (p.logs(&some), index.len());
                    part.copy_from_slice(p.sums(p.form, &logs, 0..n, coef, offsets).data());
                });
                out
            }
        }
    }

    /// The sums of a row that no point and no summary has anything in common with; none where there is no such
    /// row.
    pub fn blank(&self, coef: &Dense, offsets: &[f64]) -> Option<Vec<f64>> {
        match self {
            Self::Linear { .. } => None,
            Self::Kernel(sums) => {
                let fades = matches!(sums.kernel, Kernel::Rbf { .. } | Kernel::Laplacian { .. });
                fades.then(|| offsets.to_vec())
            }
            Self::Product(p) => {
                // The logarithm of next to nothing, still after any width was multiplied with it.
                let nothing = vec![-1e250; p.own.len()];
                let nothing = Dense::from_vec(1, p.own.len(), nothing).expect("one row");
                Some(p.sums(p.form, &nothing, 0..1, coef, offsets).data().to_vec())
            }
        }
    }

    pub fn store(&self, out: &mut Tensors) {
        match self {
            Self::Linear { .. } => out.put_integers("basis", &[0]),
            Self::Kernel(sums) => {
                out.put_integers("basis", &[1]);
                out.put_kernel_sums(sums);
            }
            Self::Product(p) => {
                let g = &p.gaussians;
                out.put_integers("basis", &[2, i64::from(g.shape == Shape::Full)]);
                out.put_vector("weights", &g.weights);
                out.put_matrix("means", &g.means);
                out.put_matrix("covariances", &g.covs);
                out.put_vector("point", p.point.as_deref().unwrap_or(&[]));
                out.put_vector("own", &p.own);
                let [code, a, b, c] = numbers(p.form);
                out.put_vector("ppk", &[p.rho, code, a, b, c]);
            }
        }
    }

    pub fn load(t: &Tensors, width: usize) -> Result<Self> {
        let wrong = || Error::Model("its basis has an impossible shape".into());
        let kind = t.integers("basis")?;
        match kind[..] {
            [0] => Ok(Self::Linear { d: width }),
            [1] => Ok(Self::Kernel(t.kernel_sums(width)?)),
            [2, full @ 0..=1] => {
                let shape = if full == 1 { Shape::Full } else { Shape::Diag };
                load_product(t, shape, width)?.ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }
}

fn load_product(t: &Tensors, shape: Shape, m: usize) -> Result<Option<Basis>> {
    let (weights, means, covs) =
        (t.vector("weights")?, t.matrix("means")?, t.matrix("covariances")?);
    let (point, own, ppk) = (t.vector("point")?, t.vector("own")?, t.vector("ppk")?);
    let d = means.cols();
    let packed = shape.len(d);
    let positive = |v: &f64| *v > 0.0;
    let variances = |p: &[f64]| (0..d).all(|j| p[shape.diagonal(j)] > 0.0);
    let fits = d > 0
        && [weights.len(), means.rows(), covs.rows(), own.len()] == [m; 4]
        && covs.cols() == packed
        && (point.is_empty() || point.len() == packed)
        && weights.iter().all(positive)
        && (0..m).all(|k| variances(covs.row(k)))
        && (point.is_empty() || variances(&point));
    let [rho, code, a, b, c] = ppk[..] else { return Ok(None) };
    let Some(form) = form(code, a, b, c) else { return Ok(None) };
    if !fits || rho <= 0.0 || (point.is_empty() && rho != 1.0) {
        return Ok(None);
    }
    let gaussians = Gaussians { shape, weights, means, covs };
    let point = (!point.is_empty()).then_some(point);
    let product = ProductKernel::new(gaussians, point, own, rho, form);
    Ok(product.ok().map(|p| Basis::Product(Box::new(p))))
}

fn numbers(form: Form) -> [f64; 4] {
    match form {
        Form::Linear { top } => [0.0, top, 0.0, 0.0],
        Form::Rbf { gamma } => [1.0, gamma, 0.0, 0.0],
        Form::RbfLiteral { gamma } => [2.0, gamma, 0.0, 0.0],
        Form::Poly { gamma, degree, coef0 } => [3.0, gamma, f64::from(degree), coef0],
        Form::Tanh { gamma, coef0 } => [4.0, gamma, coef0, 0.0],
    }
}

fn form(code: f64, a: f64, b: f64, c: f64) -> Option<Form> {
    Some(match code as i64 {
        _ if code.fract() != 0.0 => return None,
        0 => Form::Linear { top: a },
        1 => Form::Rbf { gamma: a },
        2 => Form::RbfLiteral { gamma: a },
        3 if (1.0..1e6).contains(&b) => Form::Poly { gamma: a, degree: b as u32, coef0: c },
        4 => Form::Tanh { gamma: a, coef0: b },
        _ => return None,
    })
}
