//! The parameters of spectral clustering.

use crate::error::Result;
use crate::params::{Gamma, Init, Scaling, bad_param};

choices! {
    /// Which relaxation of the normalised cut.
    pub enum Variant {
        /// Ng, Jordan & Weiss: rows of length one.
        Njw = "njw",
        /// Shi & Malik: generalised eigenvectors as they are.
        Ncut = "ncut",
    }
}

choices! {
    /// How similar two rows are.
    pub enum Affinity {
        /// One if a row is among the other's nearest, else nothing.
        Knn = "knn",
        /// exp(−gamma·d²) for every pair.
        Rbf = "rbf",
        /// exp(−d²/(sᵢsⱼ)) for every pair, s a row's distance to its `neighbors`-th neighbour.
        SelfTuning = "self-tuning",
        /// The table is the matrix of affinities.
        Precomputed = "precomputed",
    }
}

choices! {
    /// Which pairs of a graph of neighbours stay.
    pub enum GraphKind {
        /// Those of which one row counts the other among its neighbours.
        Union = "union",
        /// Those of which both do.
        Mutual = "mutual",
    }
}

choices! {
    /// How the second generalised eigenvector is cut in two.
    pub enum NcutThreshold {
        /// Between the two centres of k-means.
        KMeans = "kmeans",
        /// At the smallest normalised cut.
        Best = "best",
        /// At zero.
        Zero = "zero",
    }
}

params! {
    /// Spectral clustering.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// // A ring around a spot: no straight line separates them.
    /// let turn = |i: u32| f64::from(i) * std::f64::consts::TAU / 60.0;
    /// let ring = (0..60).map(|i| [5.0 * turn(i).cos(), 5.0 * turn(i).sin()]);
    /// let spot = (0..60).map(|i| [0.5 * turn(i).cos(), 0.5 * turn(i).sin()]);
    /// let rows: Vec<[f64; 2]> = ring.chain(spot).collect();
    /// let found = Spectral::new(2).fit(&rows)?;
    /// assert_eq!(found.sizes(), [60, 60]);
    /// assert_eq!(found.predict(&[[0.0, 5.1], [0.1, 0.0]])?, [0, 1]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Spectral(
        "spectral",
        "SpectralClustering",
        "spectral clustering: k-means on eigenvectors of a graph of rows, for clusters of any shape",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        /// Relaxation of the normalised cut: njw scales rows of eigenvectors to length one (Ng, Jordan &
        /// Weiss), ncut takes generalised eigenvectors as they are (Shi & Malik).
        variant: Variant = Variant::Njw;
        /// Similarity of two rows: knn connects nearest neighbours, rbf is exp(-gamma d²), self-tuning is
        /// exp(-d²/(s s')) with s the distance to the neighbors-th neighbour, precomputed takes the table
        /// as affinities.
        affinity: Affinity = Affinity::Knn;
        /// Nearest other rows that a row is connected to (knn) or whose distance is its scale
        /// (self-tuning).
        neighbors: usize = 10, at_least(1.0);
        /// Pairs that knn connects: those of which one row is a neighbour of the other (union), or both
        /// are (mutual).
        graph: GraphKind = GraphKind::Union;
        /// Factor of rbf: 1 over the median squared distance, or a number.
        gamma = Gamma::Median;
        /// Variant ncut, two clusters: cut the eigenvector by k-means, at the smallest normalised cut
        /// (best), or at zero.
        threshold: NcutThreshold = NcutThreshold::KMeans;
        /// Rows that stand for all: landmarks of rbf (Nyström), or for knn and self-tuning a sample that the
        /// others are joined to. 0 takes all rows while memory and about a minute allow, else up to 500
        /// landmarks or 10,000 rows; the number of rows takes all.
        landmarks = 0;
        /// Initial centres of k-means on the embedded rows: auto and greedy are greedy k-means++, random
        /// draws rows, labels give the means of their rows.
        init = Init::Auto;
        /// Restarts of k-means, of which the one with the lowest inertia is kept; given labels are one.
        n_init = 10;
        max_iter = 300;
        tol = 1e-4;
    }
    check Spectral::check_combinations;
}

impl Spectral {
    fn check_combinations(&self) -> Result<()> {
        let cut = self.variant == Variant::Ncut && self.n_clusters == 2;
        if self.threshold != NcutThreshold::KMeans && !cut {
            let expected = "kmeans unless variant is ncut and n_clusters is 2";
            return bad_param::<Self, ()>("threshold", expected, self.threshold.name());
        }
        if self.landmarks > 0 && self.affinity == Affinity::Precomputed {
            let expected = "0 if affinity is precomputed";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        Ok(())
    }
}
