//! The parameters of maximal separation clustering.

use super::choices::{GammaOrAuto, MetricChoice, MscSplit, Objective, RowWeights, Threshold};
use crate::error::Result;
use crate::params::{ClusterSize, KernelChoice, ParamValue, Scaling, bad_param};

params! {
    /// Maximal separation clustering: two clusters as far as possible from a hyperplane in the space of
    /// distances, and the same within the clusters for more.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// // Any metric will do: here the distances themselves are given.
    /// use separa::methods::MetricChoice;
    /// let place = [0.0, 0.5, 0.9, 7.0, 7.2, 7.9_f64];
    /// let distances: Vec<[f64; 6]> = place.iter().map(|a| place.map(|b| (a - b).abs())).collect();
    /// let found = Msc::new(2).metric(MetricChoice::Precomputed).fit(&distances)?;
    /// assert_eq!(found.labels(), [0, 0, 0, 1, 1, 1]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Msc(
        "msc",
        "MSC",
        "maximal separation: clusters far from a boundary in the space of distances, for any metric",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        /// Distance of two rows: kernel is the one that the kernel induces, gower the mean over features of
        /// |x - y| / range (for mixed types), precomputed takes a table of distances.
        metric: MetricChoice = MetricChoice::Kernel;
        /// Kernel behind metric kernel.
        kernel = KernelChoice::Rbf,
            without_last(), because("a table of distances goes with metric=precomputed");
        /// Factor of the kernel, exp(-gamma d²) for rbf: auto takes the multiple of the median d² with the
        /// clearest margin.
        gamma: GammaOrAuto = GammaOrAuto::Auto;
        degree = 3;
        coef0 = 1.0;
        /// How much each row counts in keeping the boundary between the rows: all alike (uniform), by its
        /// distances, by their leading eigenvector (perron), or as given.
        weights: RowWeights = RowWeights::Perron;
        /// Where to cut: scan takes the largest disparity cut, otsu the largest variance between the
        /// sides, zero is the threshold of the authors.
        threshold: Threshold = Threshold::Scan;
        /// What is maximised: the squared separation distances, or the relaxed disparity cut.
        objective: Objective = Objective::Separation;
        /// More than two clusters: split the part with the largest disparity cut, or the largest part.
        split: MscSplit = MscSplit::Dcut;
        /// Rows that distances are taken to; 0 takes all while their distances fit the memory.
        landmarks = 0, at_least(2.0), or_zero();
        /// Smallest side of a cut, in rows (1 or more) or as a fraction of the rows (below 1, times 2/k for
        /// k clusters): a cut with a smaller one gives way to another.
        min_cluster_size = ClusterSize::Fraction(0.01);
        /// Products with the distance matrix in one eigenproblem at most.
        max_iter = 5000;
        /// Residual at which an eigenvector is done, as a fraction of the largest eigenvalue.
        tol = 1e-10, at_least(1e-15), at_most(0.1);
    }
    check Msc::check_weights;
}

impl Msc {
    fn check_weights(&self) -> Result<()> {
        let RowWeights::Given(values) = &self.weights else { return Ok(()) };
        if self.objective == Objective::Dcut {
            // Given weights are known at the training rows alone, and (3.8) needs them at every row.
            let expected = "uniform, distance or perron unless objective is separation";
            return bad_param::<Self, ()>("weights", expected, format!("{} numbers", values.len()));
        }
        match values.iter().position(|w| !(1e-100..=1e100).contains(w)) {
            Some(i) => bad_param::<Self, ()>(
                "weights",
                RowWeights::DOMAIN.to_string(),
                format!("{} for row {}", values[i], i + 1),
            ),
            None => Ok(()),
        }
    }
}
