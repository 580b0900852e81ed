//! The quality of labels that a method fitted, with p-values that hold for them.
//!
//! [`quality`](crate::quality) judges any labelling; only the method itself can tell what it would
//! have made of half the rows, so this room knows both.

use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::estimator::{Ctx, Labels, MemoryBudget};
use crate::progress::Observer;
use crate::quality::{self, AssessOptions, Quality, Refit};
use crate::registry::{Entry, Named};
use serde_json::Value;

/// How the labels under judgement were made.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub entry: &'static Entry,
    pub given: &'a Named,
    pub seed: u64,
    pub memory: MemoryBudget,
}

/// Judges labels that were fitted to these rows: halves are clustered anew by the same method.
///
/// `observer` hears the fits of the halves and may end them early.
pub fn fitted<O: Observer + Clone>(
    data: &Dataset<'_>,
    labels: &[i32],
    origin: &Origin<'_>,
    observer: &O,
) -> Result<Quality> {
    // Given labels belong to all rows and marks would leave rows out: a half has its own start.
    let mut given = origin.given.clone();
    given.retain(|name, _| name != "init" && name != "outliers");
    let refit = |half: &Dataset<'_>| -> Result<Labels> {
        let mut ctx = Ctx::observed(origin.seed, observer.clone());
        ctx.memory = origin.memory;
        Ok((origin.entry.fit)(&given, half, &mut ctx)?.labels)
    };
    let plain = AssessOptions { seed: origin.seed, reg: reg(&given), ..AssessOptions::default() };
    let anew = AssessOptions { refit: Some(Refit(&refit)), ..plain };
    // A half may be too small or too plain to cluster where the whole was not.
    quality::assess(data, labels, &anew).or_else(|_| quality::assess(data, labels, &plain))
}

/// The sentence for data whose labels are not judged, whatever they are.
pub fn unjudged(data: &Dataset<'_>) -> Option<String> {
    data.bags().map(|_| format!("{}: the quality is left out", quality::UNJUDGED_BAGS))
}

/// The sentence for labels that cannot be judged.
pub fn unknown(why: &Error) -> String {
    format!("the separability of the clusters is unknown: {why}")
}

/// The regulariser that labels are judged with: the method's own where it has one.
pub fn reg(params: &Named) -> f64 {
    params.get("reg").and_then(Value::as_f64).unwrap_or(AssessOptions::default().reg)
}

/// What p-values of given labels are worth.
pub const AS_GIVEN: &str = "the p-values take the labels as given; for labels fitted to these very rows they are \
                            too small";

/// What to keep in mind about the quality of fitted labels.
pub fn cautions(k: usize, params: &Named) -> Vec<String> {
    let kernel = params.get("kernel").and_then(Value::as_str).unwrap_or("linear");
    let curved = "quality is judged by flat boundaries in the input columns, so it says little about a curved \
                  grouping such as this kernel's";
    let mut cautions = Vec::new();
    // Two clusters are judged on halves that are clustered anew, more are not.
    if k > 2 {
        cautions.push(AS_GIVEN.to_owned());
    }
    if kernel != "linear" && k > 1 {
        cautions.push(curved.to_owned());
    }
    cautions
}
