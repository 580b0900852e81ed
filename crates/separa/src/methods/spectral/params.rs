//! What a user may set.

use crate::error::Result;
use crate::kmeans::{INITS, seeding};
use crate::params::Gamma;
use crate::params::{Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
use serde::{Deserialize, Serialize};

/// Which relaxation of the normalised cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ng, Jordan & Weiss: rows of length one.
    #[default]
    Njw,
    /// Shi & Malik: generalised eigenvectors as they are.
    Ncut,
}

/// What joins two rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Affinity {
    /// One where a row is among the other's nearest, else nothing.
    #[default]
    Knn,
    /// exp(−gamma·d²) for every pair.
    Rbf,
    /// exp(−d²/(sᵢsⱼ)) for every pair, s a row's distance to its `neighbors`-th neighbour.
    SelfTuning,
    /// The table is the matrix of affinities.
    Precomputed,
}

/// Which pairs of a graph of neighbours stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GraphKind {
    /// Those where one row counts the other among its neighbours.
    #[default]
    Union,
    /// Those where both do.
    Mutual,
}

/// How the second generalised eigenvector is cut in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NcutThreshold {
    /// Between the two centres of k-means.
    #[default]
    KMeans,
    /// Where the normalised cut is least.
    Best,
    /// At zero.
    Zero,
}

/// Spectral clustering. It sees units: a feature in larger numbers weighs more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spectral {
    pub n_clusters: usize,
    pub variant: Variant,
    pub affinity: Affinity,
    pub neighbors: usize,
    pub graph: GraphKind,
    pub gamma: Gamma,
    pub threshold: NcutThreshold,
    pub landmarks: usize,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for Spectral {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            variant: Variant::Njw,
            affinity: Affinity::Knn,
            neighbors: 10,
            graph: GraphKind::Union,
            gamma: Gamma::Median,
            threshold: NcutThreshold::KMeans,
            landmarks: 0,
            init: Init::Auto,
            n_init: 10,
            max_iter: 300,
            tol: 1e-4,
        }
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const WIDTH: &str = "\"median\" or a positive number";

const fn spec(
    name: &'static str,
    expected: &'static str,
    default: &'static str,
    doc: &'static str,
) -> ParamSpec {
    ParamSpec { name, expected, default, doc }
}

impl Params for Spectral {
    const NAME: &'static str = "spectral";
    const CLASS: &'static str = "SpectralClustering";
    const ABOUT: &'static str =
        "spectral clustering: k-means on eigenvectors of a graph of rows, for groups of any shape";
    const SPECS: &'static [ParamSpec] = &[
        spec("n_clusters", WHOLE, "2", "number of clusters"),
        spec(
            "variant",
            "one of njw, ncut",
            "njw",
            "njw: rows of eigenvectors scaled to length one (Ng, Jordan & Weiss); ncut: generalised eigenvectors as they are (Shi & Malik)",
        ),
        spec(
            "affinity",
            "one of knn, rbf, self-tuning, precomputed",
            "knn",
            "what joins two rows: knn joins nearest neighbours, rbf is exp(-gamma d²), self-tuning is exp(-d²/(s s')) with s the distance to the neighbors-th neighbour, precomputed takes the table as affinities",
        ),
        spec(
            "neighbors",
            WHOLE,
            "10",
            "nearest other rows that a row is joined to (knn) or whose distance is its scale (self-tuning)",
        ),
        spec(
            "graph",
            "one of union, mutual",
            "union",
            "knn: joins two rows where one is a neighbour of the other, or where both are",
        ),
        spec(
            "gamma",
            WIDTH,
            "median",
            "width of rbf: 1 over the median squared distance, or a number",
        ),
        spec(
            "threshold",
            "one of kmeans, best, zero",
            "kmeans",
            "ncut of two clusters: cuts the eigenvector by k-means, where the normalised cut is least, or at zero",
        ),
        spec(
            "landmarks",
            "a whole number, 0 or more",
            "0",
            "rbf: rows that stand for all (Nyström), 0 for none; up to 500 where the affinities of all pairs do not fit the memory",
        ),
        spec(
            "init",
            INITS,
            "auto",
            "starts of k-means on the embedded rows: auto and greedy are greedy k-means++, random draws rows, labels start from their means",
        ),
        spec(
            "n_init",
            MANY,
            "10",
            "restarts of k-means, of which the one with the least inertia is kept; given labels are one start",
        ),
        spec("max_iter", WHOLE, "300", "rounds of one restart at most"),
        spec(
            "tol",
            "a number, 0 or more",
            "0.0001",
            "stop when the centres' squared shift is at most this share of the embedding's mean variance",
        ),
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in [
            ("n_clusters", self.n_clusters),
            ("neighbors", self.neighbors),
            ("max_iter", self.max_iter),
        ] {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        if !(1..=10_000).contains(&self.n_init) {
            return bad_param::<Self, ()>("n_init", MANY, self.n_init);
        }
        if !(self.tol >= 0.0 && self.tol.is_finite()) {
            return bad_param::<Self, ()>("tol", "a number, 0 or more", self.tol);
        }
        if let Gamma::Value(g) = self.gamma
            && !(g > 0.0 && g.is_finite())
        {
            return bad_param::<Self, ()>("gamma", WIDTH, g);
        }
        if self.threshold != NcutThreshold::KMeans
            && (self.variant != Variant::Ncut || self.n_clusters != 2)
        {
            let expected = "kmeans unless variant is ncut and n_clusters is 2";
            let found = if self.threshold == NcutThreshold::Best { "best" } else { "zero" };
            return bad_param::<Self, ()>("threshold", expected, found);
        }
        if self.landmarks > 0 && self.affinity != Affinity::Rbf {
            let expected = "0 unless affinity is rbf";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        match &self.init {
            Init::Named(name) if seeding(name).is_none() => {
                bad_param::<Self, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

impl ParamValue for Affinity {
    fn word(&self) -> Option<&str> {
        Some(if *self == Self::Precomputed { "precomputed" } else { "graph" })
    }
}

cluster_params!([] Spectral: n_clusters affinity init landmarks);
