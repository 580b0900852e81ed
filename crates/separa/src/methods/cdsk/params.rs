//! What a user may set.

use super::similarity::{EXPECTED, Similarity};
use crate::error::Result;
use crate::kmeans::{INITS, seeding};
use crate::params::Gamma;
use crate::params::{Init, ParamSpec, ParamValue, Params, bad_param, cluster_params};
use serde::{Deserialize, Serialize};

/// Where the weights α of the rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CdskVariant {
    /// All alike.
    #[default]
    Graph,
    /// Learnt together with the eigenvectors, by descent on the exact objective.
    Exact,
    /// Algorithm 1 as printed.
    Paper,
}

/// How a row's similarities to a cluster are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vote {
    /// Their weighted mean.
    #[default]
    Size,
    /// Their weighted sum: h_S (1) of the paper, which favours large clusters.
    Sum,
}

/// Clustering by discriminative similarity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cdsk {
    pub n_clusters: usize,
    pub variant: CdskVariant,
    pub similarity: String,
    pub vote: Vote,
    pub gamma: Gamma,
    pub landmarks: usize,
    pub rho: f64,
    pub h: f64,
    pub init: Init,
    pub n_init: usize,
    pub max_iter: usize,
    pub tol: f64,
}

impl Default for Cdsk {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            variant: CdskVariant::Graph,
            similarity: "auto".into(),
            vote: Vote::Size,
            gamma: Gamma::Median,
            landmarks: 1000,
            rho: 0.5,
            h: 1.0,
            init: Init::Auto,
            n_init: 20,
            max_iter: 300,
            tol: 1e-4,
        }
    }
}

impl Cdsk {
    /// The similarity by its name.
    pub(super) fn similarity(&self) -> Result<Similarity> {
        if self.variant == CdskVariant::Paper && self.similarity == "auto" {
            return Ok(Similarity::parse("rbf").expect("it is one of the names"));
        }
        Similarity::parse(&self.similarity).or_else(|meant| {
            let meant = meant.map_or(String::new(), |m| format!(", did you mean \"{m}\"?"));
            bad_param::<Self, _>("similarity", EXPECTED, format!("\"{}\"{meant}", self.similarity))
        })
    }
}

const WHOLE: &str = "a whole number, 1 or more";
const MANY: &str = "a whole number from 1 to 10000";
const WIDTH: &str = "\"median\" or a positive number";
const POSITIVE: &str = "a positive number";
const SHARE: &str = "a number above 0, at most 1";

const fn spec(
    name: &'static str,
    expected: &'static str,
    default: &'static str,
    doc: &'static str,
) -> ParamSpec {
    ParamSpec { name, expected, default, doc }
}

impl Params for Cdsk {
    const NAME: &'static str = "cdsk";
    const CLASS: &'static str = "CDSK";
    const ABOUT: &'static str = "clustering by discriminative similarity: a graph of rows, chosen by how well it votes for its own clusters";
    const SPECS: &'static [ParamSpec] = &[
        spec("n_clusters", WHOLE, "2", "number of clusters"),
        spec(
            "variant",
            "one of graph, exact, paper",
            "graph",
            "weights of the rows: graph gives all the same, exact learns them with the eigenvectors, paper is Algorithm 1 as printed",
        ),
        spec(
            "similarity",
            EXPECTED,
            "auto",
            "what makes two rows similar: a metric (c cosine of centred rows, h half-whitened, raw as given) and a graph (x and m of nearest neighbours, snn of shared ones, st self-tuned for all pairs); auto tries six and keeps the one that votes best for its own clusters, and is rbf for variant paper",
        ),
        spec(
            "vote",
            "one of size, sum",
            "size",
            "how new rows are labelled: by their mean similarity to a cluster's rows, or by the sum, which favours large clusters",
        ),
        spec(
            "gamma",
            WIDTH,
            "median",
            "width of rbf: 1 over the median squared distance (variant paper: 1/(2 v²), v the variance of the distances), or a number",
        ),
        spec(
            "landmarks",
            WHOLE,
            "1000",
            "landmark: centres of k-means through which rows are joined, at most half of the rows",
        ),
        spec(
            "rho",
            SHARE,
            "0.5",
            "exact: the regulariser λ of the weights as a share of the number of rows",
        ),
        spec(
            "h",
            POSITIVE,
            "1",
            "exact and paper: how much the similarity across clusters counts when weights are learnt, 1 in (12) and 0.5 in (10) of the paper",
        ),
        spec(
            "init",
            INITS,
            "auto",
            "starts of k-means on the embedded rows: auto takes greedy and plain k-means++ in turns, random draws rows, labels start from their means",
        ),
        spec(
            "n_init",
            MANY,
            "20",
            "restarts of k-means, of which the one that votes best for its own clusters is kept; given labels are one start",
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
        self.similarity()?;
        for (name, value) in [
            ("n_clusters", self.n_clusters),
            ("landmarks", self.landmarks),
            ("max_iter", self.max_iter),
        ] {
            if value == 0 {
                return bad_param::<Self, ()>(name, WHOLE, value);
            }
        }
        if !(self.rho > 0.0 && self.rho <= 1.0) {
            return bad_param::<Self, ()>("rho", SHARE, self.rho);
        }
        if !(self.h > 0.0 && self.h.is_finite()) {
            return bad_param::<Self, ()>("h", POSITIVE, self.h);
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
        match &self.init {
            Init::Named(name) if seeding(name).is_none() => {
                bad_param::<Self, ()>("init", INITS, format!("\"{name}\""))
            }
            _ => Ok(()),
        }
    }
}

cluster_params!([] Cdsk: n_clusters init landmarks similarity);
