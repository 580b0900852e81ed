//! A number of clusters that is found, then fitted by the method that was asked for.
//!
//! [`count`] finds the number and knows no method; this room knows both.

pub mod count;
mod counted;
pub(crate) mod segments;

pub use counted::{Counted, Decision, Segmentation, Step};

use crate::any_method::AnyMethod;
use crate::clusterer::judge;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::method::AnyFit;
use crate::note::{Note, Remedy, codes, thousands};
use crate::params::Named;
use crate::progress::Event;
use crate::quality::verdict::percent;
use crate::registry::MethodEntry;
use count::{CONFIRMED, CountOptions, CountResult, how_many};
use serde_json::Value;

/// The word that stands for a number of clusters to be found.
pub const AUTO: &str = "auto";
const NAME: &str = "n_clusters";
/// With fewer rows clear clusters go unseen: two of ten rows each, twenty deviations apart, half of the time.
const FEW_ROWS: usize = 40;
const SUGGESTING: Event = Event::Phase { name: "looking for gaps" };

/// Parameters by name without an open number of clusters, and whether it was open.
pub(crate) fn read_number(entry: &MethodEntry, given: &Named) -> Result<(Named, bool)> {
    match given.get(NAME) {
        Some(Value::String(word)) if word == AUTO => {
            let mut given = given.clone();
            given.remove(NAME);
            Ok((given, true))
        }
        Some(Value::String(word)) => Err(Error::Param {
            method: entry.name,
            name: NAME,
            expected: "a whole number, 1 or more, or \"auto\"".to_owned(),
            found: format!("\"{word}\""),
        }),
        _ => Ok((given.clone(), false)),
    }
}

/// Finds the number of clusters of a table whose labels can be judged.
pub(crate) fn count(
    data: &Dataset<'_>,
    method: &dyn AnyMethod,
    k_max: usize,
    ctx: &mut Ctx<'_>,
) -> Result<CountResult> {
    if judge::unjudged(data, method).is_some() {
        return Err(Error::AutoData);
    }
    how_many(data, &CountOptions { k_max, ..CountOptions::default() }, ctx)
}

/// Fits a method to rows, with a partition that is worth beginning from, whether the number of clusters was found or
/// given: both lead to one answer. The method keeps that it must not clip, if clip limits would hide a cluster.
pub(crate) fn solve(
    method: &mut Box<dyn AnyMethod>,
    data: &Dataset<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<AnyFit> {
    let wanted = takes_suggestion(data, method.as_ref(), ctx);
    let k = method.n_clusters();
    let found = match wanted {
        true => ctx.step(|ctx| count::partition(data, k, ctx)).flatten(),
        false => None,
    };
    let included = found.as_ref().is_some_and(|found| found.far) && method.keep_outliers();
    ctx.suggested = found.map(|found| found.labels);
    let mut fit = method.solve(data, ctx)?;
    fit.report.notes.extend(included.then(outliers_included));
    Ok(fit)
}

fn outliers_included() -> Note {
    Note::notice(
        codes::OUTLIERS_INCLUDED,
        "outliers are numerous enough for a cluster, so they took part: robust=false",
    )
}

/// Whether a partition that is worth beginning from is looked for. Methods with curved boundaries have better ones of
/// their own.
fn takes_suggestion(data: &Dataset<'_>, method: &dyn AnyMethod, ctx: &mut Ctx<'_>) -> bool {
    method.n_clusters() >= 2
        && method.takes_suggestions()
        && judge::unjudged(data, method).is_none()
        && !ctx.emit(SUGGESTING)
}

/// Fits as many clusters as were found. The method keeps the number.
pub(crate) fn fit(
    method: &mut Box<dyn AnyMethod>,
    data: &Dataset<'_>,
    found: &CountResult,
    ctx: &mut Ctx<'_>,
) -> Result<AnyFit> {
    let counted = &found.counted;
    let k = counted.k;
    method.set_n_clusters(k);
    // What was counted is not to be left out by the method.
    let included = found.far && method.keep_outliers();
    // The search has found the partition already that a given number would be looked for.
    let wanted = takes_suggestion(data, method.as_ref(), ctx);
    ctx.suggested =
        if wanted { ctx.step(|ctx| found.suggestion(data, ctx)).flatten() } else { None };
    let mut fit = method.solve(data, ctx).map_err(|e| match e {
        Error::Param { .. } => Error::AutoMethod { k, why: Box::new(e) },
        other => other,
    })?;
    fit.report.notes.extend(included.then(outliers_included));
    fit.report.notes.extend(notes(counted));
    Ok(fit)
}

/// The note in place of a quality if no clusters were found.
pub(crate) fn unjudged(counted: &Counted) -> Option<Note> {
    let said = || format!("{}, so there is no separability to judge", none_found(counted));
    (counted.k == 1).then(|| Note::notice(codes::NO_CLUSTERS, said()))
}

/// What is said of one cluster.
pub fn none_found(counted: &Counted) -> String {
    if counted.k_per_run.is_empty() {
        return "no natural clusters: (nearly) all rows are equal, so they are one cluster"
            .to_owned();
    }
    let why = match counted.p {
        p if p > 0.05 => "",
        p if p > CONFIRMED => ", and more than one need 0.01 or less",
        _ => ", but the rows on either side of that gap could not be separated",
    };
    format!("no natural clusters (p = {:.2}{why}): all rows are one cluster", counted.p)
}

/// What is said of segments where there are no clusters, the start of a sentence; None if none were tried.
pub fn segments_said(counted: &Counted) -> Option<String> {
    let tried = [counted.segments.first()?.k, counted.segments.last()?.k];
    let Some(best) = counted.segments.iter().find(|one| Some(one.k) == counted.best_segments)
    else {
        return Some(format!(
            "segments would be arbitrary: no number of them from {} to {} is reproducible",
            tried[0], tried[1]
        ));
    };
    Some(format!(
        "if you need segments anyway, {} are the most reproducible of {} to {}: rules learnt on two halves of the rows \
         agree on {} of them (by chance {})",
        best.k,
        tried[0],
        tried[1],
        percent(best.agreement),
        percent(best.chance)
    ))
}

/// What is said if the clock left no time to try segments, the start of a sentence.
pub(crate) fn segments_untried(counted: &Counted) -> Option<String> {
    let seconds = counted.segments_time_limit.filter(|_| counted.segments.is_empty())?;
    Some(format!("segments were not tried, because the time limit of {seconds} s was reached"))
}

/// What is said of trials of segments that the clock ended, the end of a sentence.
pub fn segments_cut(counted: &Counted) -> Option<String> {
    let (seconds, last) = (counted.segments_time_limit?, counted.segments.last()?.k);
    Some(format!(
        "more than {last} segments were not tried, because the time limit of {seconds} s was reached"
    ))
}

/// The note about segments, if any were tried or were to be.
pub(crate) fn segments_note(counted: &Counted, n: usize) -> Option<Note> {
    let Some(mut said) = segments_said(counted) else {
        let said = segments_untried(counted)?;
        return Some(Note::notice(codes::SEGMENTS, said).with(Remedy::MoreTime));
    };
    if counted.segments_by_kmeans {
        said.push_str("; measured with k-means on scaled columns");
    }
    if counted.segments_rows < n {
        said.push_str(&format!(
            "; measured on a sample of {} rows",
            thousands(counted.segments_rows)
        ));
    }
    if let Some(cut) = segments_cut(counted) {
        said.push_str("; ");
        said.push_str(&cut);
    }
    let note = Note::notice(codes::SEGMENTS, said);
    Some(match counted.best_segments {
        Some(k) => note.with(Remedy::FitSegments { k }),
        None => note,
    })
}

/// What is said of clusters whose number was found by gaps that the method's clusters do not all have.
pub(crate) fn suggested(counted: &Counted) -> String {
    let number = match counted.between() {
        Some(between) => format!("{between} clusters suggested ({} taken)", counted.k),
        None => format!("{} clusters suggested", counted.k),
    };
    format!("{number}, not all separated by a gap")
}

/// The note if counting ended before the runs were enough.
fn stopped(counted: &Counted) -> Option<Note> {
    let runs = counted.k_per_run.len();
    let said = match (counted.stopped, counted.time_limit) {
        (false, _) => return None,
        (true, None) => {
            let said = format!("counting was stopped after {runs} runs, before they were enough");
            return Some(Note::notice(codes::COUNT_STOPPED, said));
        }
        (true, Some(seconds)) => format!(
            "counting stopped at its time limit of {seconds} s, after {runs} runs that were not enough: the number can \
             differ on another machine"
        ),
    };
    Some(Note::notice(codes::COUNT_STOPPED, said).with(Remedy::MoreTime))
}

/// What to keep in mind about a number that was found.
pub(crate) fn notes(counted: &Counted) -> Vec<Note> {
    let mut notes = Vec::new();
    let runs = counted.k_per_run.len();
    if counted.k == counted.k_max {
        let said = format!(
            "{} clusters were found, as many as were looked for: there may be more",
            counted.k
        );
        notes.push(Note::warning(codes::K_MAX_REACHED, said).with(Remedy::RaiseKMax));
    }
    if let Some(between) = counted.between() {
        let none = match counted.none() {
            0 => String::new(),
            none => format!(", {none} of them none"),
        };
        let given_up = match counted.undecided {
            true => "; more runs would not settle it",
            false => "",
        };
        let said = format!(
            "the number of clusters is uncertain: {between} ({runs} runs{none}{given_up}); {} was taken",
            counted.k
        );
        notes.push(Note::notice(codes::NUMBER_UNCERTAIN, said));
    }
    notes.extend(stopped(counted));
    if counted.k == 1 && (1..FEW_ROWS).contains(&counted.sample_size) {
        let said = format!(
            "{} rows are few to show a gap: that none was found says little",
            counted.sample_size
        );
        notes.push(Note::notice(codes::FEW_ROWS, said));
    }
    if 20 * counted.duplicate_rows >= counted.sample_size && counted.duplicate_rows > 0 {
        let said = format!(
            "{} of {} rows that were counted are copies of others, and copies look like evidence of gaps",
            thousands(counted.duplicate_rows),
            thousands(counted.sample_size)
        );
        notes.push(Note::notice(codes::DUPLICATE_ROWS, said).with(Remedy::DropDuplicates));
    }
    if counted.outliers > 0 {
        let said = format!(
            "outliers that were not looked at, being too few for a cluster: {} (if they are one, give the number \
             of clusters and robust=false)",
            counted.outliers
        );
        notes.push(Note::notice(codes::OUTLIERS, said));
    }
    let steps = match counted.discrete_features {
        0 => return notes,
        1 => "one column holds few different values (counts or codes): its steps were not taken for gaps".to_owned(),
        many => format!(
            "{many} columns hold few different values (counts or codes): their steps were not taken for gaps"
        ),
    };
    notes.push(Note::notice(codes::DISCRETE_FEATURES, steps));
    notes
}
