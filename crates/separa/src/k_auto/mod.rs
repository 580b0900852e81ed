//! `n_clusters = "auto"`: the number of clusters is found, then the asked method fits that many.
//!
//! [`count`](crate::k_auto::count) finds the number and knows no method; this room knows both.

pub mod count;
mod counted;

pub use counted::{Counted, Decision, Step};

use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::judge;
use crate::quality::Quality;
use crate::registry::{AnyFit, Entry, Named};
use crate::report::Report;
use count::{CONFIRMED, CountResult, Options, how_many};
use serde_json::Value;

/// The word that stands for a number of clusters to be found.
pub const AUTO: &str = "auto";
const NAME: &str = "n_clusters";
const ROBUST: &str = "robust";
/// With fewer rows clear groups go unseen: two of ten rows each, twenty deviations apart, half of the time.
const FEW_ROWS: usize = 40;

/// Whether the parameters leave the number of clusters open.
pub fn asked(given: &Named) -> bool {
    given.get(NAME).is_some_and(|v| v == AUTO)
}

/// A fit of as many clusters as were found.
#[derive(Debug)]
pub struct AutoFit {
    /// Its report says how the number was found, in [`Report::counted`].
    pub fit: AnyFit,
    /// The parameters with the number.
    pub given: Named,
}

/// Refuses what can be refused without the data; returns the parameters with their defaults, as if one
/// cluster had been asked for.
pub fn check(entry: &Entry, given: &Named, k_max: usize) -> Result<Named> {
    Options { k_max, ..Options::default() }.check()?;
    if given.get("init").is_some_and(Value::is_array) {
        return Err(Error::Data(
            "labels to start from say how many clusters there are; give that number instead of \"auto\"".into(),
        ));
    }
    (entry.params)(&with_number(given, None))
}

/// Refuses what can be refused without the data, be the number of clusters given or not.
pub fn refuse(entry: &Entry, given: &Named, k_max: usize) -> Result<()> {
    number(entry, given)?;
    match asked(given) {
        true => check(entry, given, k_max),
        false => (entry.params)(given),
    }
    .map(drop)
}

/// Refuses words that are no number of clusters.
fn number(entry: &Entry, given: &Named) -> Result<()> {
    match given.get(NAME) {
        Some(Value::String(word)) if word != AUTO => Err(Error::Param {
            method: entry.name,
            name: NAME,
            expected: "a whole number, 1 or more, or \"auto\"".to_owned(),
            found: format!("\"{word}\""),
        }),
        _ => Ok(()),
    }
}

/// Fits the number of clusters that is given, or else is found; returns the parameters with it.
pub fn fit_asked(
    entry: &Entry,
    given: Named,
    data: &Dataset<'_>,
    k_max: usize,
    ctx: &mut Ctx<'_>,
) -> Result<(AnyFit, Named)> {
    number(entry, &given)?;
    if !asked(&given) {
        return Ok(((entry.fit)(&given, data, ctx)?, given));
    }
    let found = fit(entry, &given, data, k_max, ctx)?;
    Ok((found.fit, found.given))
}

/// Finds the number of clusters and fits it, from the means of what was found where the method takes a
/// start and has flat boundaries: curved ones have better starts of their own.
pub fn fit(
    entry: &Entry,
    given: &Named,
    data: &Dataset<'_>,
    k_max: usize,
    ctx: &mut Ctx<'_>,
) -> Result<AutoFit> {
    check(entry, given, k_max)?;
    let found = count(data, given, k_max, ctx)?;
    let k = found.counted.k;
    let (given, started) = prepared(entry, given, &found);
    let mut fit = (entry.fit)(&started, data, ctx).map_err(|e| match e {
        Error::Param { .. } => Error::Data(format!(
            "auto found {k} clusters, but {e}; change that parameter, choose another method, or give the number \
             of clusters"
        )),
        other => other,
    })?;
    if found.far && entry.has(ROBUST) {
        fit.report.notices.push(FAR.to_owned());
    }
    fit.report.notices.extend(remarks(&found.counted));
    fit.report.warnings.extend(limited(&found.counted));
    fit.report.counted = Some(found.counted);
    Ok(AutoFit { fit, given })
}

const FAR: &str = "rows far outside are many enough for a cluster, so they took part: robust=false";

/// The parameters of a method with the number that was found, and the same with the start that was found,
/// where the method takes one and has flat boundaries.
pub(crate) fn prepared(entry: &Entry, given: &Named, found: &CountResult) -> (Named, Named) {
    let k = found.counted.k;
    let mut given = with_number(given, Some(k));
    // What was counted is not to be set aside by the method.
    if found.far && entry.has(ROBUST) {
        given.insert(ROBUST.into(), false.into());
    }
    let mut started = given.clone();
    let open = given.get("init").is_none_or(|v| v == "auto");
    let flat = (entry.params)(&given).is_ok_and(|params| !judge::curved(entry, &params));
    if k > 1 && entry.has("init") && open && flat && names_every(&found.labels, k) {
        started.insert("init".into(), found.labels.clone().into());
    }
    (given, started)
}

/// Finds the number of clusters of a table whose labels can be judged.
pub(crate) fn count(
    data: &Dataset<'_>,
    given: &Named,
    k_max: usize,
    ctx: &mut Ctx<'_>,
) -> Result<CountResult> {
    if judge::unjudged(data, given).is_some() {
        return Err(Error::Data(
            "the number of clusters is found among rows of features, which bags and precomputed tables have not; \
             give it (-k N, n_clusters=N)"
                .into(),
        ));
    }
    let threads = ctx.threads;
    let options = Options { k_max, ..Options::default() };
    threads.install(|| how_many(data, &options, ctx))
}

/// The sentence in place of a quality where no clusters were found.
pub fn unjudged(report: &Report) -> Option<String> {
    let counted = report.counted.as_ref().filter(|c| c.k == 1)?;
    Some(format!("{}, so there is no separability to judge", none_found(counted)))
}

/// What is said of one cluster.
pub fn none_found(counted: &Counted) -> String {
    if counted.k_by_seed.is_empty() {
        return "no clusters found: (nearly) all rows are equal, so they are one group".to_owned();
    }
    let why = match counted.p {
        p if p > 0.05 => "",
        p if p > CONFIRMED => ", and more than one need 0.01 or less",
        _ => ", but the rows on either side of that gap could not be told apart",
    };
    format!("no clusters found (p = {:.2}{why}): all rows are one group", counted.p)
}

/// The parameters with this number of clusters, or with the default one.
pub(crate) fn with_number(given: &Named, k: Option<usize>) -> Named {
    let mut given = given.clone();
    match k {
        Some(k) => given.insert(NAME.into(), k.into()),
        None => given.remove(NAME),
    };
    given
}

fn names_every(labels: &[i32], k: usize) -> bool {
    let mut seen = vec![false; k];
    labels.iter().for_each(|&l| seen[l as usize] = true);
    seen.into_iter().all(|s| s)
}

/// The warning where the number is that of the limit.
pub(crate) fn limited(counted: &Counted) -> Option<String> {
    let said = "clusters were found, as many as were looked for: there may be more; raise the limit (--k-max, k_max)";
    (counted.k == counted.k_max).then(|| format!("{} {said}", counted.k))
}

/// What to say where clusters were found by their gaps, but the groups that the method made have none.
pub fn doubt(report: &Report, quality: &Quality) -> Option<String> {
    let counted = report.counted.as_ref().filter(|c| c.k > 1 && !quality.has_gap())?;
    Some(format!(
        "the number, {}, was found by gaps in the table, but this method's groups do not all have one between them: \
         another method, or another number, may follow the gaps better",
        counted.k
    ))
}

/// What to keep in mind about a number that was found.
pub(crate) fn remarks(counted: &Counted) -> Vec<String> {
    let mut remarks = Vec::new();
    let runs = counted.k_by_seed.len();
    if counted.is_uncertain() {
        let least = counted.k_by_seed.iter().min().copied().unwrap_or(1);
        let none = match counted.none() {
            0 => String::new(),
            none => format!(", {none} of them none"),
        };
        remarks.push(format!(
            "the number of clusters is uncertain: {runs} runs found from {least} to {}{none}; {} was taken",
            least + counted.spread,
            counted.k
        ));
    }
    if counted.stopped {
        remarks.push(format!("counting was stopped after {runs} runs, before they were enough"));
    }
    if counted.k == 1 && (1..FEW_ROWS).contains(&counted.rows) {
        remarks.push(format!(
            "{} rows are few to show a gap: that none was found says little",
            counted.rows
        ));
    }
    if 20 * counted.copies >= counted.rows && counted.copies > 0 {
        remarks.push(format!(
            "{} of {} rows that were counted are copies of others, and copies look like evidence of gaps: drop \
             them first",
            counted.copies, counted.rows
        ));
    }
    if counted.aside > 0 {
        remarks.push(format!(
            "rows far outside that were not looked at, being too few for a cluster: {} (if they are one, give the \
             number of clusters and robust=false)",
            counted.aside
        ));
    }
    match counted.lattice {
        0 => {}
        1 => remarks.push("one column holds few different values (counts or codes): its steps were not taken for gaps".into()),
        many => remarks.push(format!(
            "{many} columns hold few different values (counts or codes): their steps were not taken for gaps"
        )),
    }
    remarks
}
