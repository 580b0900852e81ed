//! Metrics, kernels and graphs of rows.

pub mod anchors;
pub mod checked;
mod chunk;
pub mod exp;
pub mod feature_map;
mod finish;
mod gaps;
pub mod gram_rows;
pub mod graph;
pub mod hausdorff;
pub mod landmarks;
pub mod measure;
pub mod mercer;
pub mod nearest;
pub mod neighbours;
pub mod pairs;
pub mod partition;
pub mod ppk;
pub mod precomputed;
pub mod principal;
pub mod pursuit;
pub mod scale;
pub mod shared;
pub mod spread;
pub mod sums;
mod table;
pub mod tally;

/// A dense table stored sparsely, for tests.
#[cfg(test)]
pub(crate) struct SparseCopy(usize, Vec<usize>, Vec<u32>, Vec<f64>);

#[cfg(test)]
impl SparseCopy {
    pub(crate) fn view(&self) -> crate::matrix::CsrRef<'_> {
        crate::matrix::CsrRef::new(self.0, &self.1, &self.2, &self.3).unwrap()
    }
}

#[cfg(test)]
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
#[cfg(test)]
pub(crate) fn normals(n: usize, d: usize, seed: u64) -> crate::matrix::Dense {
    let mut rng = crate::rng::Rng::new(seed, 0);
    let data = (0..n * d).map(|_| rng.normal()).collect();
    crate::matrix::Dense::from_vec(n, d, data).unwrap()
}

/// Rows of whole numbers below `top`, for tests with ties.
#[cfg(test)]
pub(crate) fn whole_numbers(n: usize, d: usize, top: usize, seed: u64) -> crate::matrix::Dense {
    let mut rng = crate::rng::Rng::new(seed, 0);
    let data = (0..n * d).map(|_| rng.below(top) as f64).collect();
    crate::matrix::Dense::from_vec(n, d, data).unwrap()
}
