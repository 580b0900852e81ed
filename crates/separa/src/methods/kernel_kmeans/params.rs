//! The parameters of kernel k-means.

use crate::error::Result;
use crate::params::{Gamma, Init, KernelChoice, Scaling, bad_param};

params! {
    /// Kernel k-means.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// // A ring around a spot: no straight line separates them.
    /// let turn = |i: u32| f64::from(i) * std::f64::consts::TAU / 60.0;
    /// let ring = (0..60).map(|i| [5.0 * turn(i).cos(), 5.0 * turn(i).sin()]);
    /// let spot = (0..60).map(|i| [0.5 * turn(i).cos(), 0.5 * turn(i).sin()]);
    /// let rows: Vec<[f64; 2]> = ring.chain(spot).collect();
    /// let found = KernelKMeans::new(2).fit(&rows)?;
    /// assert_eq!(found.sizes(), [60, 60]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct KernelKMeans(
        "kernel-kmeans",
        "KernelKMeans",
        "kernel k-means: nearest mean in the space of a kernel, for curved boundaries",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        kernel = KernelChoice::Rbf;
        gamma = Gamma::Median;
        degree = 3;
        coef0 = 1.0;
        /// Rows that approximate the kernel (Nyström), 0 for all; up to 500 if the kernel of all pairs
        /// does not fit the memory.
        landmarks = 0;
        /// Initial centres: auto is greedy k-means++ in the space of the kernel, random draws rows,
        /// labels give the means of their rows.
        init = Init::Auto, or_words(&["auto", "random"]);
        n_init = 10;
        max_iter = 300;
        /// Stop when an iteration lowers the objective by at most this fraction of it.
        tol = 1e-4;
    }
    check KernelKMeans::check_landmarks;
}

impl KernelKMeans {
    fn check_landmarks(&self) -> Result<()> {
        if self.landmarks > 0 && self.kernel == KernelChoice::Precomputed {
            let expected = "0 where the kernel is precomputed";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        Ok(())
    }
}
