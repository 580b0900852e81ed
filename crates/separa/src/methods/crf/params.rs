//! What a user may set.

use super::Crf;
use crate::entropy::{Optimizer, Reg, Settings, specs};
use crate::error::Result;
use crate::params::Columns;
use crate::params::{Init, ParamSpec, Params, bad_param, cluster_params};
use serde::{Deserialize, Serialize};

/// How the states of a sequence are read off its posterior.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoding {
    /// The likeliest state of every row.
    #[default]
    Marginals,
    /// The likeliest path.
    Viterbi,
}

impl Default for Crf {
    fn default() -> Self {
        Self {
            n_clusters: 2,
            reg: 0.1,
            transition_reg: 0.25,
            balance_weight: 1.0,
            units: Columns::Free,
            decoding: Decoding::Marginals,
            optimizer: Optimizer::Gradient,
            temperature: 0.5,
            init: Init::Auto,
            n_init: 4,
            min_share: 0.01,
            max_iter: 300,
            tol: 1e-4,
        }
    }
}

impl Crf {
    /// What it shares with the methods of unrelated rows.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            n_clusters: self.n_clusters,
            reg: Reg::Share(self.reg),
            balance_weight: self.balance_weight,
            units: self.units,
            optimizer: self.optimizer,
            temperature: self.temperature,
            init: self.init.clone(),
            n_init: self.n_init,
            min_share: self.min_share,
            max_iter: self.max_iter,
            tol: self.tol,
            ..Settings::default()
        }
    }
}

const POSITIVE: &str = "a positive number";

/// The entry of this name in the list of the methods of unrelated rows.
const fn shared(name: &str) -> ParamSpec {
    let (all, wanted) = (specs(), name.as_bytes());
    let mut i = 0;
    loop {
        let found = all[i].name.as_bytes();
        let (mut same, mut j) = (found.len() == wanted.len(), 0);
        while same && j < wanted.len() {
            same = found[j] == wanted[j];
            j += 1;
        }
        if same {
            return all[i];
        }
        i += 1;
    }
}

impl Params for Crf {
    const NAME: &'static str = "crf";
    const CLASS: &'static str = "CRFClustering";
    const ABOUT: &'static str =
        "segments sequences: states that the row and its neighbours make sure, with probabilities";
    const SPECS: &'static [ParamSpec] = &[
        shared("n_clusters"),
        ParamSpec {
            name: "reg",
            expected: POSITIVE,
            default: "0.1",
            doc: "weight λ of the squared weights, as a share of the value above which clusters that are all alike stay so",
        },
        ParamSpec {
            name: "transition_reg",
            expected: POSITIVE,
            default: "0.25",
            doc: "weight of the squared transition weights, as a share of the value below which a sequence freezes in one state whatever its rows are",
        },
        shared("balance_weight"),
        shared("units"),
        ParamSpec {
            name: "decoding",
            expected: "one of marginals, viterbi",
            default: "marginals",
            doc: "labels of sequences: the likeliest state of every row, or the likeliest path",
        },
        shared("optimizer"),
        shared("temperature"),
        ParamSpec {
            doc: "where the fit begins: anneal follows a path of falling λ from no split, kmeans starts from k-means, auto does both in turns",
            ..shared("init")
        },
        shared("n_init"),
        shared("min_share"),
        shared("max_iter"),
        shared("tol"),
    ];

    fn check(&self) -> Result<()> {
        for (name, value) in [("reg", self.reg), ("transition_reg", self.transition_reg)] {
            if !(value > 0.0 && value.is_finite()) {
                return bad_param::<Self, ()>(name, POSITIVE, value);
            }
        }
        self.settings().check_as::<Self>()
    }
}

cluster_params!([] Crf: n_clusters init);
