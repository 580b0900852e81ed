//! The parameters of relative margin clustering.

use super::choices::{ArmcMulticlass, ArmcSplit, Balance, OutputBound};
use crate::error::Result;
use crate::params::{ClusterSize, GammaOrAuto, Init, KernelChoice, Scaling, bad_param};

params! {
    /// Accelerated maximum relative margin clustering.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 2) * 6.0, f64::from(i / 2) * 0.2]).collect();
    /// let found = Armc::new(2).fit(&rows)?;
    /// assert_eq!(found.sizes(), [20, 20]);
    /// assert_eq!(found.predict(&[[0.3, 1.0], [5.8, 1.0]])?, [0, 1]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Armc(
        "armc",
        "ARMC",
        "relative margins: a support vector machine that finds its own labels, for flat or curved boundaries",
    ) with shared {
        n_clusters = 2;
        /// Weight λ of wᵀw against the summed hinge losses: a support vector machine with C = 1/(2λ).
        reg: f64 = 2.0, positive();
        /// Two clusters: fraction of the rows that labels give to one side while the machine is fitted;
        /// scan tries several and keeps the clearest split.
        balance: Balance = Balance::Fraction(0.5);
        /// What |f| can reach: anything, a number, or free at the price mu.
        bound: OutputBound = OutputBound::None, because("no row could have a margin of 1");
        /// Price μ of the bound B in the objective, for bound free.
        mu: f64 = 1.0, positive();
        kernel = KernelChoice::Rbf;
        /// Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf),
        /// over the median distance (laplacian), over the number of columns (poly, tanh); auto is
        /// the median, but with at most 4 columns and 50 rows or more tries narrower widths of rbf and
        /// laplacian, and takes one that separates far more clearly.
        gamma: GammaOrAuto = GammaOrAuto::Auto;
        degree = 3;
        coef0 = 1.0;
        scaling = Scaling::Auto;
        /// More than two clusters: one split after the other (divide), or each cluster against all others
        /// (rest).
        multiclass: ArmcMulticlass = ArmcMulticlass::Divide;
        /// Multiclass divide: a part that is to become k clusters is split at the clearest of the fractions
        /// j/k (fractions); or the largest, or the clearest part is split by balance.
        split: ArmcSplit = ArmcSplit::Fractions;
        /// Rows that approximate the kernel (Nyström), 0 for all; up to 500 if the kernel rows of all do
        /// not fit the memory.
        landmarks = 0, at_least(2.0), or_zero();
        /// Smallest side of a split, in rows (1 or more) or as a fraction of the rows (below 0.5): a split
        /// with a smaller one gives way to others, or a warning is issued; multiclass rest: clusters of
        /// less than 2/k of it.
        min_cluster_size = ClusterSize::Fraction(0.01), below(0.5);
        /// Initialization; auto tries spectral ones of five widths, the first kernel principal component,
        /// k-means and a random direction.
        init = Init::Auto, or_words(&["auto", "spectral", "kernel-pca", "kmeans", "random"]);
        /// Restarts of k-means; init random: random directions.
        n_init = 3;
        /// Iterations of one initialization at most.
        max_iter = 100;
        /// The machine is solved until its duality gap is at most this fraction of its objective.
        tol = 1e-6, at_least(1e-10), at_most(0.01);
    }
    check Armc::check_landmarks;
}

impl Armc {
    fn check_landmarks(&self) -> Result<()> {
        let expected = match self.kernel {
            KernelChoice::Precomputed => "0 where the kernel is precomputed",
            KernelChoice::Linear => "0 where the kernel is linear, which needs none",
            _ => return Ok(()),
        };
        match self.landmarks {
            0 => Ok(()),
            _ => bad_param::<Self, ()>("landmarks", expected, self.landmarks),
        }
    }
}
