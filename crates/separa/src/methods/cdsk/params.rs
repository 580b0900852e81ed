//! The parameters of clustering by discriminative similarity.

use super::similarity::{EXPECTED, Similarity};
use crate::error::Result;
use crate::params::{Gamma, Init, Scaling, bad_param};

choices! {
    /// Where the weights α of the rows come from.
    pub enum CdskVariant {
        /// All alike.
        Graph = "graph",
        /// Learnt together with the eigenvectors, by descent on the exact objective.
        Exact = "exact",
        /// Algorithm 1 of Yang & Chen (2022) as printed.
        Paper = "paper",
    }
}

choices! {
    /// How a row's similarities to a cluster are summed up.
    pub enum CdskVote {
        /// Their weighted mean.
        Size = "size",
        /// Their weighted sum, h_S (1) of Yang & Chen (2022), which favours large clusters.
        Sum = "sum",
    }
}

params! {
    /// Clustering by discriminative similarity.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 2) * 9.0, f64::from(i / 2) * 0.2]).collect();
    /// let found = Cdsk::new(2).fit(&rows)?;
    /// assert_eq!(found.labels()[..4], [0, 1, 0, 1]);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Cdsk(
        "cdsk",
        "CDSK",
        "clustering by discriminative similarity: a graph of rows, chosen by how well it votes for its own clusters",
    ) with shared {
        n_clusters = 2;
        scaling = Scaling::Auto;
        /// Weights of the rows: graph gives all the same, exact learns them with the eigenvectors, paper
        /// is Algorithm 1 of Yang & Chen (2022) as printed.
        variant: CdskVariant = CdskVariant::Graph;
        /// Similarity of two rows: a metric (c cosine of centred rows, h half-whitened, raw as given) and
        /// a graph (x and m of nearest neighbours, snn of shared ones, st self-tuned for all pairs); auto
        /// tries six and keeps the one that votes best for its own clusters, and is rbf for variant paper.
        similarity: String = "auto".into(), or(EXPECTED);
        /// How new rows are labelled: by their mean similarity to a cluster's rows (size), or by the sum,
        /// which favours large clusters.
        vote: CdskVote = CdskVote::Size;
        /// Factor of rbf: 1 over the median squared distance (variant paper: 1/(2 v²), v the variance of
        /// the distances), or a number.
        gamma = Gamma::Median;
        /// Similarity landmark: centres of k-means through which rows are connected, at most half of the
        /// rows.
        landmarks = 1000, at_least(1.0);
        /// Variant exact: the regulariser λ of the weights as a fraction of the number of rows.
        rho: f64 = 0.5, positive(), at_most(1.0);
        /// Variants exact and paper: how much the similarity across clusters counts when weights are
        /// learnt, 1 in (12) and 0.5 in (10) of Yang & Chen (2022).
        h: f64 = 1.0, positive();
        /// Initial centres of k-means on the embedded rows: auto takes greedy and plain k-means++ in
        /// turns, random draws rows, labels give the means of their rows.
        init = Init::Auto;
        /// Restarts of k-means, of which the one that votes best for its own clusters is kept; given
        /// labels are one.
        n_init = 20;
        max_iter = 300;
        tol = 1e-4;
    }
    check Cdsk::check_similarity;
}

impl Cdsk {
    fn check_similarity(&self) -> Result<()> {
        self.parsed_similarity().map(|_| ())
    }

    /// The similarity by its name.
    pub(super) fn parsed_similarity(&self) -> Result<Similarity> {
        if self.variant == CdskVariant::Paper && self.similarity == "auto" {
            return Ok(Similarity::parse("rbf").expect("it is one of the names"));
        }
        Similarity::parse(&self.similarity).or_else(|meant| {
            let meant = meant.map_or(String::new(), |m| format!(", did you mean \"{m}\"?"));
            bad_param::<Self, _>("similarity", EXPECTED, format!("\"{}\"{meant}", self.similarity))
        })
    }
}
