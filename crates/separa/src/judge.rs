//! The quality of labels that a method fitted, with p-values that hold for them.
//!
//! [`quality`](crate::quality) judges any labelling; only the method itself can tell what it would
//! have made of half the rows, so this room knows both.

use crate::context::{Ctx, MemoryBudget};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::methods::Mspc;
use crate::model::Labels;
use crate::note::{Note, Remedy, codes};
use crate::params::Params;
use crate::progress::Observer;
use crate::quality::{self, Asked, AssessOptions, Quality, Refit};
use crate::registry::{AnyFit, Entry, Named};
use serde_json::Value;

/// How the labels under judgement were made.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub entry: &'static Entry,
    pub given: &'a Named,
    pub seed: u64,
    pub memory: MemoryBudget,
}

/// What came of judging fitted labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub quality: Quality,
    /// What its p-values are worth, where a half could not be clustered anew.
    pub caution: Option<Note>,
}

/// Judges what was fitted to these rows, without those it set aside: halves are clustered anew by the same
/// method.
///
/// Data that [`unjudged`] has a sentence for is refused with it. `observer` hears the fits of the halves and
/// may end them early.
pub fn fitted<O: Observer + Clone>(
    data: &Dataset<'_>,
    fit: &AnyFit,
    origin: &Origin<'_>,
    observer: &O,
) -> Result<Judged> {
    if let Some(why) = unjudged(data, origin.given) {
        return Err(Error::NotJudged { why: why.text });
    }
    let labels = &counting(fit);
    let refit = |half: &Dataset<'_>| -> Result<Labels> {
        let mut ctx = Ctx::observed(origin.seed, observer.clone());
        ctx.memory = origin.memory;
        Ok((origin.entry.fit)(&for_part(origin.given, half.n()), half, &mut ctx)?.labels)
    };
    let plain = AssessOptions {
        seed: origin.seed,
        reg: reg(origin.entry.name, origin.given),
        ..AssessOptions::default()
    };
    let anew = AssessOptions { refit: Some(Refit(&refit)), ..plain };
    // Half of the rows of a sequence are none, and a half may be too small or too plain to cluster where
    // the whole was not.
    if data.sequences().is_none()
        && let Ok(quality) = quality::assess(data, labels, &anew)
    {
        let caution = elsewhere(data, labels, &quality, &plain)?;
        return Ok(Judged { quality, caution });
    }
    let quality = quality::assess(data, labels, &plain)?;
    Ok(Judged { quality, caution: Some(as_given()) })
}

/// The labels, −1 where a row took no part in the fit.
pub fn counting(fit: &AnyFit) -> Labels {
    let mut labels = fit.labels.clone();
    fit.report.aside.iter().for_each(|&i| labels[i] = -1);
    labels
}

/// What to say where halves, clustered anew, show no gap, but the labels as they are show a clear one: a
/// half was cut elsewhere.
fn elsewhere(
    data: &Dataset<'_>,
    labels: &[i32],
    quality: &Quality,
    plain: &AssessOptions<'_>,
) -> Result<Option<Note>> {
    // Labels that were fitted to the rows look a little better than they are.
    const CLEAR: f64 = 1e-3;
    if quality.pairs.len() != 1 || quality.has_gap() {
        return Ok(None);
    }
    let given = quality::two_clusters(data, labels, plain.reg, plain.seed, None)?;
    Ok(given.is_some_and(|given| given.p_unimodal <= CLEAR).then(split_halves_differ))
}

/// The note for p-values if halves are split elsewhere.
pub fn split_halves_differ() -> Note {
    let text = "with the labels as they are there seems to be a gap between these clusters, but halves of the rows, \
                clustered anew, show none: either a half was split elsewhere, or the gap is made by the labels";
    let remedy = Remedy::AnotherSeed.or(Remedy::AskStability);
    Note::notice(codes::SPLIT_HALVES_DIFFER, text).with(remedy)
}

/// The parameters for a part of the rows: what belongs to all of them one by one is left out, a half
/// has its own start and no marks, and no more landmarks than rows.
pub(crate) fn for_part(given: &Named, rows: usize) -> Named {
    let mut given = given.clone();
    given.retain(|name, value| name != "init" && name != "outliers" && !value.is_array());
    if let Some(landmarks) = given.get_mut("landmarks")
        && landmarks.as_u64().is_some_and(|m| m > rows as u64)
    {
        *landmarks = rows.into();
    }
    given
}

/// The parameters that may say that the table holds no features but measures of pairs of rows.
const MEASURES: [&str; 4] = ["metric", "affinity", "kernel", "similarity"];

/// The note for data whose labels are not judged, whatever they are: bags, and measures of pairs.
pub fn unjudged(data: &Dataset<'_>, params: &Named) -> Option<Note> {
    let precomputed = |name: &str| params.get(name).is_some_and(|v| v == "precomputed");
    let why = if data.bags().is_some() {
        quality::UNJUDGED_BAGS
    } else if MEASURES.iter().any(|name| precomputed(name)) {
        UNJUDGED_PAIRS
    } else {
        return None;
    };
    Some(Note::notice(codes::NOT_JUDGED, format!("{why}: the quality is left out")))
}

const UNJUDGED_PAIRS: &str =
    "separability (MSP) is measured among rows of features, which a precomputed table has not";

/// The warning for labels that cannot be judged.
pub fn unknown(why: &Error) -> Note {
    let text = format!("the separability of the clusters is unknown: {why}");
    Note::warning(codes::QUALITY_UNKNOWN, text)
}

/// The regulariser that labels are judged with: MSPC's own, since it is the weight of the same term; other
/// methods mean other things by `reg`.
pub fn reg(method: &str, params: &Named) -> f64 {
    let own = params.get("reg").and_then(Value::as_f64).filter(|_| method == Mspc::NAME);
    own.unwrap_or(AssessOptions::default().reg)
}

/// The note for p-values of given labels.
pub fn as_given() -> Note {
    let text = "the p-values take the labels as given; for labels fitted to these very rows they are too small";
    Note::notice(codes::LABELS_AS_GIVEN, text)
}

/// Whether the boundaries of the clusters may be curved in the input columns.
pub fn curved(entry: &Entry, params: &Named) -> bool {
    let kernel = params.get("kernel").and_then(Value::as_str).unwrap_or("linear");
    !entry.flat || kernel != "linear"
}

/// Which features separate, by the rule itself where its boundaries are curved: replaces what the flat
/// boundaries of [`fitted`] say, unless it would take too long or cannot be asked.
pub fn ask_rule(quality: &mut Quality, data: &Dataset<'_>, fit: &AnyFit, origin: &Origin<'_>) {
    let Ok(params) = (origin.entry.params)(origin.given) else { return };
    if !curved(origin.entry, &params) || data.grouping().is_some() {
        return;
    }
    let rows = fit.model.row_weights().map_or(data.n(), <[f64]>::len);
    let asked = Asked {
        decision: &|x| fit.model.decision(x),
        cost: (rows * data.d()) as f64,
        seed: origin.seed,
    };
    if let Ok(Some(found)) = quality::exchange(data, &counting(fit), &quality.importance, &asked) {
        quality.importance = found;
    }
}

/// What to keep in mind about the quality of labels that `entry` fitted.
pub fn cautions(entry: &Entry, k: usize, params: &Named) -> Vec<Note> {
    let mut cautions = Vec::new();
    // Two clusters are judged on halves that are clustered anew, more are not.
    if k > 2 {
        cautions.push(as_given());
    }
    if curved(entry, params) && k > 1 {
        let text = "quality is judged by flat boundaries in the input columns, so it says little about curved \
                    clusters such as these";
        cautions.push(Note::notice(codes::CURVED_BOUNDARIES, text));
    }
    cautions
}
