//! Small tables for tests.

/// A dense table stored sparsely, for tests.
pub(crate) struct SparseCopy(usize, Vec<usize>, Vec<u32>, Vec<f64>);

impl SparseCopy {
    pub(crate) fn view(&self) -> crate::matrix::CsrRef<'_> {
        crate::matrix::CsrRef::new(self.0, &self.1, &self.2, &self.3).unwrap()
    }
}

pub(crate) fn sparse_copy(x: &crate::matrix::Dense) -> SparseCopy {
    let mut copy = SparseCopy(x.cols(), vec![0], Vec::new(), Vec::new());
    for i in 0..x.rows() {
        for (j, &v) in x.row(i).iter().enumerate().filter(|(_, v)| **v != 0.0) {
            copy.2.push(j as u32);
            copy.3.push(v);
        }
        copy.1.push(copy.3.len());
    }
    copy
}

/// Rows of standard normal numbers, for tests.
pub(crate) fn normals(n: usize, d: usize, seed: u64) -> crate::matrix::Dense {
    let mut rng = crate::rng::Rng::new(seed, 0);
    let data = (0..n * d).map(|_| rng.normal()).collect();
    crate::matrix::Dense::from_vec(n, d, data).unwrap()
}

/// Rows of whole numbers below `top`, for tests with ties.
pub(crate) fn whole_numbers(n: usize, d: usize, top: usize, seed: u64) -> crate::matrix::Dense {
    let mut rng = crate::rng::Rng::new(seed, 0);
    let data = (0..n * d).map(|_| rng.below(top) as f64).collect();
    crate::matrix::Dense::from_vec(n, d, data).unwrap()
}
