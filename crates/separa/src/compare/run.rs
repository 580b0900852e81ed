//! The methods at work, side by side.

use super::budget::Deadline;
use super::{Line, Plan, State, together};
use crate::assign::sizes;
use crate::context::{Ctx, Threads};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::judge::{self, Origin};
use crate::k_auto as auto;
use crate::k_auto::count::CountResult;
use crate::progress::{Event, Observer};
use crate::quality::{self, AssessOptions};
use crate::registry::{AnyFit, Entry};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// One line a method, in the order of the plan.
///
/// Every worker has threads of its own: in one pool a method that waits would take up another one, and its
/// clock would run for both.
pub fn all<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    (plan, found): (&Plan, Option<&CountResult>),
    watch: &O,
    bell: &mut dyn Observer,
) -> Vec<Line> {
    let threads = rayon::current_num_threads();
    let workers = together(plan.methods.len());
    let share = Threads(Some((threads / workers).max(1)));
    let (next, bell) = (AtomicUsize::new(0), Mutex::new(bell));
    let of = plan.methods.len();
    let begin = |index: usize, entry: &Entry| {
        let event = Event::Start { index, of, name: entry.name.to_owned() };
        bell.lock().expect("no one panics while it rings").on(&event).is_break()
    };
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::SeqCst);
            let Some(entry) = plan.methods.get(i) else { return done };
            let line = match begin(i, entry) {
                true => empty(entry, State::Interrupted),
                false => share.install(|| one(data, (plan, found), entry, watch)),
            };
            done.push((i, line));
        }
    };
    let mut lines: Vec<(usize, Line)> = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        hands.into_iter().flat_map(|hand| hand.join().expect("panics are caught")).collect()
    });
    lines.sort_by_key(|(i, _)| *i);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Fits and judges one method; whatever goes wrong is in the line.
fn one<O: Observer + Clone>(
    data: &Dataset<'_>,
    (plan, found): (&Plan, Option<&CountResult>),
    entry: &'static Entry,
    watch: &O,
) -> Line {
    let began = Instant::now();
    let clock = Deadline::new(watch.clone(), plan.until());
    let work = AssertUnwindSafe(|| {
        let mut ctx = Ctx::observed(plan.seed, clock.clone());
        ctx.memory = plan.memory;
        let (given, started) = match found {
            Some(found) => auto::prepared(entry, &plan.given, found),
            None => (plan.given.clone(), plan.given.clone()),
        };
        let fit = (entry.fit)(&started, data, &mut ctx)?;
        let origin = Origin { entry, given: &given, seed: plan.seed, memory: plan.memory };
        Ok(fitted(data, (&origin, fit), &clock))
    });
    let failed = |why: String| Line { error: Some(why), ..empty(entry, State::Failed) };
    let mut line = match catch_unwind(work) {
        Ok(Ok(line)) => line,
        Ok(Err(_)) if clock.ended() => empty(entry, State::Interrupted),
        Ok(Err::<_, Error>(e)) => failed(e.to_string()),
        Err(_) => failed(BUG.to_owned()),
    };
    line.seconds = began.elapsed().as_secs_f64();
    line
}

const BUG: &str = "a bug in separa ended the method; please report it";
const STOPPED: &str =
    "stopped at its time limit: its labels are the best so far, its p-values do not count";

fn empty(entry: &Entry, state: State) -> Line {
    Line {
        method: entry.name,
        rank: None,
        score: None,
        state,
        error: None,
        seconds: 0.0,
        k: None,
        sizes: Vec::new(),
        stop: None,
        agreement: None,
        quality: None,
        truth: None,
        notes: Vec::new(),
        labels: None,
    }
}

fn fitted<O: Observer + Clone>(
    data: &Dataset<'_>,
    (origin, fit): (&Origin<'_>, AnyFit),
    clock: &Deadline<O>,
) -> Line {
    let mut line = empty(origin.entry, State::Done);
    let k = fit.model.n_clusters();
    (line.k, line.sizes, line.stop) = (Some(k), sizes(&fit.labels, k), Some(fit.report.stop));
    line.notes.extend(fit.report.warnings.iter().cloned());
    if !fit.report.aside.is_empty() {
        let aside = fit.report.aside.len();
        line.notes
            .push(format!("{aside} rows far outside took no part and are left out of its quality"));
    }
    match judged(data, (origin, &fit), clock, &mut line.notes) {
        Ok(quality) => line.quality = quality,
        Err(e) => line.notes.push(judge::unknown(&e)),
    }
    // What was stopped by hand is half done; what the clock stopped, be it while it was judged, is worth
    // what it is worth.
    if clock.ended() {
        line.state = State::Interrupted;
    } else if clock.late() {
        line.state = State::TimeLimit;
        line.notes.push(STOPPED.to_owned());
    }
    line.labels = Some(fit.labels);
    line
}

fn judged<O: Observer + Clone>(
    data: &Dataset<'_>,
    (origin, fit): (&Origin<'_>, &AnyFit),
    clock: &Deadline<O>,
    notes: &mut Vec<String>,
) -> Result<Option<quality::Quality>> {
    if clock.ended() {
        return Ok(None);
    }
    // Halves are not clustered anew by a method that had no time for the whole.
    if clock.late() {
        let options = AssessOptions {
            seed: origin.seed,
            reg: judge::reg(origin.entry.name, origin.given),
            ..AssessOptions::default()
        };
        return quality::assess(data, &judge::counting(fit), &options).map(Some);
    }
    let mut found = judge::fitted(data, fit, origin, clock)?;
    notes.extend(found.caution);
    // Which features separate is asked of the method that is taken, not of all.
    found.quality.importance.clear();
    Ok(Some(found.quality))
}
