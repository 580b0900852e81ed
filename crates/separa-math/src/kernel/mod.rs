//! Kernels on rows.

mod chunk;
mod gaps;
pub mod mercer;
pub mod nearest;
pub mod partition;
pub mod spread;
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
