//! How separable the groups are, with p-values that hold for fitted labels.

use crate::answer::Truth;
use crate::interrupt::Interrupt;
use separa::quality::{self, AssessOptions, External, Quality, Refit};
use separa::registry::Entry;
use separa::{Ctx, Dataset, Labels, MemoryBudget, Result};
use serde_json::{Map, Value};

/// How the labels under judgement were made.
#[derive(Debug)]
pub struct Origin<'a> {
    pub entry: &'static Entry,
    pub given: &'a Map<String, Value>,
    pub seed: u64,
    pub memory: MemoryBudget,
    /// Ends the clustering of halves early; not begun where it was asked for before.
    pub interrupt: Interrupt,
}

/// Judges labels that were fitted to these rows: halves are clustered anew by the same method.
///
/// The labels are worth keeping even where they cannot be judged, so that is a warning.
pub fn fitted(
    data: &Dataset<'_>,
    labels: &[i32],
    origin: &Origin<'_>,
    warnings: &mut Vec<String>,
) -> Quality {
    // Whoever interrupts wants to leave: the labels are written, their quality can be had by `score`.
    if origin.interrupt.asked() {
        warnings.push("interrupted: the separability of the clusters was not judged".to_owned());
        return unknown();
    }
    assess(data, labels, origin).unwrap_or_else(|e| {
        warnings.push(format!("the separability of the clusters is unknown: {e}"));
        unknown()
    })
}

fn unknown() -> Quality {
    Quality {
        msp: 0.0,
        msp_null: None,
        p_gauss: None,
        p_unimodal: None,
        cross_fitted_msp: None,
        min_share: 0.0,
        pairs: Vec::new(),
    }
}

/// Agreement with known classes, or a warning.
pub fn against(labels: &[i32], classes: &[i32], warnings: &mut Vec<String>) -> Option<Truth> {
    match External::new(labels, classes) {
        Ok(measures) => Some(measures.into()),
        Err(e) => {
            warnings.push(format!("the clusters were not compared with known classes: {e}"));
            None
        }
    }
}

/// What p-values of given labels are worth.
pub const AS_GIVEN: &str = "the p-values take the labels as given; for labels fitted to these very rows they are \
                            too small";

/// What to keep in mind about the quality of fitted labels.
pub fn cautions(k: usize, params: &Map<String, Value>) -> Vec<String> {
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

/// The regulariser that labels are judged with: the method's own where it has one.
pub fn reg(params: &Map<String, Value>) -> f64 {
    params.get("reg").and_then(Value::as_f64).unwrap_or(AssessOptions::default().reg)
}

fn assess(data: &Dataset<'_>, labels: &[i32], origin: &Origin<'_>) -> Result<Quality> {
    // Given labels belong to all rows and marks would leave rows out: a half has its own start.
    let mut given = origin.given.clone();
    given.retain(|name, _| name != "init" && name != "outliers");
    let refit = |half: &Dataset<'_>| -> Result<Labels> {
        let mut ctx = Ctx::observed(origin.seed, origin.interrupt.clone());
        ctx.memory = origin.memory;
        Ok((origin.entry.fit)(&given, half, &mut ctx)?.labels)
    };
    let plain = AssessOptions { seed: origin.seed, reg: reg(&given), ..AssessOptions::default() };
    let anew = AssessOptions { refit: Some(Refit(&refit)), ..plain };
    // A half may be too small or too plain to cluster where the whole was not.
    quality::assess(data, labels, &anew).or_else(|_| quality::assess(data, labels, &plain))
}
