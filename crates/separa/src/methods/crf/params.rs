//! The parameters of CRF clustering.

use crate::entropy::{Optimizer, Reg, Settings, shared_by_entropy};
use crate::params::{ClusterSize, Init, Scaling};

choices! {
    /// How the states of a sequence are read off its posterior.
    pub enum Decoding {
        /// The likeliest state of every row.
        Marginals = "marginals",
        /// The likeliest path.
        Viterbi = "viterbi",
    }
}

params! {
    /// CRF clustering.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// // Two machines, watched over 40 hours each: quiet, then loud.
    /// let level = |hour: usize| if hour < 20 { 0.0 } else { 6.0 };
    /// let hours: Vec<f64> = (0..80).map(|i| level(i % 40) + (i * 37 % 10) as f64 * 0.1).collect();
    /// let table = separa::DenseRef::new(80, 1, &hours)?;
    /// let data = Dataset::new(table.into())?;
    /// let found = Crf::new(2).fit(&data.with_sequences(&[0..40, 40..80])?)?;
    /// assert_eq!((found.labels()[0], found.labels()[39], found.labels()[79]), (0, 1, 1));
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Crf(
        "crf",
        "CRFClustering",
        "segments sequences: states that the row and its neighbours make sure, with probabilities",
    ) with shared_by_entropy {
        n_clusters = 2;
        /// Weight λ of the squared weights, as a fraction of the value above which clusters that are all
        /// alike stay so.
        reg: f64 = 0.1, positive();
        /// Weight of the squared transition weights, as a fraction of the value below which a sequence
        /// freezes in one state whatever its rows are.
        transition_reg: f64 = 0.25, positive();
        balance_weight = 1.0;
        scaling = Scaling::Auto;
        /// Labels of sequences: the likeliest state of every row (marginals), or the likeliest path.
        decoding: Decoding = Decoding::Marginals;
        optimizer = Optimizer::Gradient;
        temperature = 0.5;
        /// Initialization: anneal follows a path of falling λ from no split, kmeans starts from k-means,
        /// auto does both in turns.
        init = Init::Auto;
        n_init = 4;
        min_cluster_size = ClusterSize::Fraction(0.01);
        max_iter = 300;
        tol = 1e-4;
    }
}

impl Crf {
    /// What it shares with the methods of unrelated rows.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            n_clusters: self.n_clusters,
            reg: Reg::Fraction(self.reg),
            balance_weight: self.balance_weight,
            scaling: self.scaling,
            optimizer: self.optimizer,
            temperature: self.temperature,
            init: self.init.clone(),
            n_init: self.n_init,
            min_cluster_size: self.min_cluster_size,
            max_iter: self.max_iter,
            tol: self.tol,
            ..Settings::default()
        }
    }
}
