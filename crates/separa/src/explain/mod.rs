//! What a rule does, in words: the clusters as rules of a few thresholds, and the decision about single rows.

mod ask;
mod background;
mod changes;
mod conditions;
mod exact;
mod explanation;
mod project;
mod rows;
mod rules;
mod sampled;
mod tree;
mod values;
mod words;

pub use explanation::{
    Change, Contribution, ContributionMethod, Counterfactual, ExemplarSource, Explanation, NearRow,
    OtherColumns,
};
pub use rows::ExplainOptions;
pub use rules::{ClusterRule, Condition, Operator, Rules};
pub use words::CellValue;

use crate::error::{Error, Result};

/// Refuses tables of pairs, whose columns stand for rows.
fn check_features(precomputed: bool) -> Result<()> {
    match precomputed {
        false => Ok(()),
        true => {
            let why = "the table holds measures of pairs of rows, so its columns are no features that could explain \
                       anything; fit the features themselves";
            Err(Error::NotExplained { why: why.into() })
        }
    }
}
