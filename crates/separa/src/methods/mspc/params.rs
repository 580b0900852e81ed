//! The parameters of MSPC.

use crate::params::{ClusterSize, Gamma, Init};
pub use crate::params::{Outliers, Scaling};

choices! {
    /// How a labelling is improved.
    pub enum Solver {
        /// Iterate the minimax probability machine (Approach 1).
        Mpm = "mpm",
        /// Iterate the bound of Theorem 2 (Approach 2): one factorisation in all.
        Gep = "gep",
        /// The relaxation of Theorem 3: one singular vector, the sign of q.
        Eig = "eig",
        /// The relaxation with the sign of XXᵀq, as printed.
        EigPaper = "eig-paper",
    }
}

choices! {
    /// A feature map before the linear method.
    pub enum KernelName {
        /// The columns themselves.
        Linear = "linear",
        /// Features of exp(−gamma·d²).
        Rbf = "rbf",
        /// Features of the polynomial kernel.
        Poly = "poly",
    }
}

params! {
    /// Maximin separation probability clustering.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// // Weights in kilograms and heights in millimetres: units make no difference.
    /// let rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 2) * 9.0 + f64::from(i % 5), f64::from(i / 2) * 100.0]).collect();
    /// let found = Mspc::new(2).fit(&rows)?;
    /// assert_eq!(found.labels()[..4], [0, 1, 0, 1]);
    /// assert!(Some(found.quality()?.msp) > found.quality()?.msp_null);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Mspc(
        "mspc",
        "MSPC",
        "maximin separation probability: free of units, with a worst-case probability",
    ) with shared {
        n_clusters = 2;
        /// How two clusters are improved: mpm by the exact probability machine, gep by the bound of
        /// Theorem 2, eig and eig-paper by one singular vector.
        solver: Solver = Solver::Mpm;
        /// Weight λ of the regulariser diag(Σ).
        reg: f64 = 1.0, at_least(0.0);
        /// Column scaling in which k-means finds initial clusters: by standard deviations (standard), by
        /// contraharmonic means of absolute deviations (contraharmonic), the clearer of the two (auto), or
        /// the table as it is (none). The iterations themselves do not depend on units.
        scaling: Scaling = Scaling::Auto;
        /// Clip extreme values and keep outliers out of the fit; false takes the plain moments.
        robust: bool = true;
        /// Labels of outliers: assign by the fitted rule, or mark them -1.
        outliers: Outliers = Outliers::Assign;
        /// Initialization: kmeans as scaling says, kmeans-raw in the table as it is.
        init = Init::Auto, or_words(&["auto", "kmeans", "kmeans-raw", "pca", "oversplit"]);
        /// Restarts of k-means in each initialization.
        n_init = 10;
        /// Iterations at most.
        max_iter = 100;
        /// More than two clusters: stop when at most this fraction of the labels changes.
        tol = 0.001, at_least(0.0), at_most(1.0);
        /// Smallest cluster allowed, in rows (1 or more) or as a fraction of the rows (below 1, times
        /// 2/k for k clusters): an initialization that ends with a smaller one is refused.
        min_cluster_size = ClusterSize::Fraction(0.01);
        /// Feature map before the linear method, for curved boundaries.
        kernel: KernelName = KernelName::Linear;
        /// Factor of the kernel, exp(-gamma d²) for rbf.
        gamma = Gamma::Median;
        degree = 3;
        /// Constant of poly.
        coef0 = 1.0, at_least(0.0);
        /// Rows that approximate the kernel (Nyström); all rows if there are fewer.
        landmarks = 512, at_least(2.0);
    }
}
