//! The space where rows are told apart: their columns, or the features of a kernel.

use super::settings::RowParams;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::params::{KernelChoice, KernelShape, typical_rows};
use separa_math::kernel::mercer::{Kernel, map_of};
use separa_math::kernel::precomputed::check_kernel;
use separa_math::linalg::product;
use separa_math::matrix::{Column, Dense, MatrixRef, Rows, Scaled, Stored, Subset, pick, project};
use separa_math::rng::Rng;

/// Rows up to which all of them carry the kernel by default, and landmarks beyond.
pub(super) const ALL: usize = 2000;
pub(super) const SOME: usize = 500;

/// A kernel with its points: columns are multiplied by `factor` first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Space {
    pub kernel: Kernel,
    pub points: Stored,
    pub factor: Vec<f64>,
}

/// Features of all rows, and the way back to weights of points.
pub(super) struct Lift {
    /// None where the table is the kernel.
    pub space: Option<Space>,
    /// One row a feature, one column a point.
    map: Dense,
    pub features: Dense,
}

impl Lift {
    /// Nyström's features of the points that carry the kernel; with all rows, kernel PCA's.
    pub fn of<L>(
        s: &RowParams<L>,
        data: &Dataset<'_>,
        (factor, shares): (&[f64], &[f64]),
        count: usize,
        seed: u64,
    ) -> Result<Self> {
        let x = data.x();
        let kept: Vec<usize> = (0..x.rows()).filter(|&i| shares[i] > 0.0).collect();
        if s.kernel == KernelChoice::Precomputed {
            return Self::given(x, &kept);
        }
        let rows = scaled(x, factor);
        let rows: &dyn Rows = rows.as_ref();
        let typical = typical_rows(shares, seed);
        let shape = KernelShape { gamma: s.gamma, degree: s.degree, coef0: s.coef0 };
        let kernel = s.kernel.kernel(shape, &Subset { rows, index: &typical }, seed);
        let kernel = kernel.expect("given kernels were dealt with");
        let drawn = Rng::new(seed, 0x6c6d).sample(kept.len(), count);
        let index: Vec<usize> = drawn.into_iter().map(|r| kept[r]).collect();
        let points = Stored::of(rows, &index);
        let map = features_of(&kernel.matrix(&points, &points))?;
        let values = kernel.matrix(rows, &points);
        let features = project(&values, map.view(), &vec![0.0; map.rows()]);
        let space = Space { kernel, points, factor: factor.to_vec() };
        Ok(Self { space: Some(space), map, features })
    }

    fn given(x: MatrixRef<'_>, kept: &[usize]) -> Result<Self> {
        let n = x.rows();
        let whole = pick(&x, &(0..n).collect::<Vec<_>>());
        check_kernel(&whole)?;
        let mut gram = Dense::zeros(kept.len(), kept.len());
        for (r, &i) in kept.iter().enumerate() {
            gram.row_mut(r).iter_mut().zip(kept).for_each(|(o, &j)| *o = whole.row(i)[j]);
        }
        let few = features_of(&gram)?;
        // Rows without weight have a column in the table, but no part in the rule.
        let mut map = Dense::zeros(few.rows(), n);
        for r in 0..few.rows() {
            kept.iter().zip(few.row(r)).for_each(|(&j, v)| map[(r, j)] = *v);
        }
        let features = project(&whole, map.view(), &vec![0.0; map.rows()]);
        Ok(Self { space: None, map, features })
    }

    /// Weights of features as weights of points.
    pub fn weights(&self, of_features: &Dense) -> Dense {
        product(of_features.view(), self.map.view())
    }
}

fn features_of(gram: &Dense) -> Result<Dense> {
    let fits = |v: &f64| v.abs() < 1e150;
    if let Some(v) = gram.data().iter().find(|v| !fits(v)) {
        return Err(Error::Data(format!(
            "the kernel of two rows is {v}, expected a magnitude below 1e150; rescale the columns or change the kernel"
        )));
    }
    Ok(map_of(gram, 1e-10)?)
}

/// The table with every column multiplied by its factor; sparse rows stay sparse.
pub(crate) fn scaled<'a>(x: MatrixRef<'a>, factor: &[f64]) -> Box<dyn Rows + 'a> {
    if factor.iter().all(|f| *f == 1.0) {
        return Box::new(x);
    }
    let MatrixRef::Sparse(sparse) = x else {
        let (lo, hi) = (f64::NEG_INFINITY, f64::INFINITY);
        let column =
            |(source, &factor): (usize, &f64)| Column { source, lo, hi, shift: 0.0, factor };
        return Box::new(Scaled::new(
            x,
            &factor.iter().enumerate().map(column).collect::<Vec<_>>(),
        ));
    };
    let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..sparse.rows() {
        let (columns, numbers) = sparse.row(i);
        places.extend_from_slice(columns);
        values.extend(columns.iter().zip(numbers).map(|(&j, v)| v * factor[j as usize]));
        starts.push(values.len());
    }
    Box::new(Stored::from_sparse(x.cols(), starts, places, values).expect("places were checked"))
}
