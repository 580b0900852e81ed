//! Several methods on one table, ranked without labels.
//!
//! Methods run at the same time, each with a budget of time and memory; one that fails or has to be stopped
//! does not end the others. They are ranked by how well the neighbours of a row know its cluster
//! ([`Neighbourhood`]): of the criteria tried on labelled sets the one that loses least against the best
//! method (docs/reading-the-result.md). Whether anything was found is another question, which the p-values
//! answer.

mod budget;
mod run;
mod verdict;

pub use verdict::cautions;

use crate::context::{Ctx, MemoryBudget};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::k_auto as auto;
use crate::k_auto::Counted;
use crate::k_auto::count::CountResult;
use crate::model::Labels;
use crate::progress::{Event, Observer};
use crate::quality::{Contingency, External, Neighbourhood, Quality};
use crate::registry::{self, Entry, METHODS, Named};
use crate::report::Stop;
use budget::Deadline;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What to compare, and what each method may use.
#[derive(Debug, Clone)]
pub struct Plan {
    pub methods: Vec<&'static Entry>,
    /// Parameters for every method: `n_clusters`, a number or "auto".
    pub given: Named,
    /// Clusters that "auto" looks for at most.
    pub k_max: usize,
    pub seed: u64,
    /// Of each method, and of counting. Each is stopped at its next step with its best so far, so that the
    /// answer depends on the machine where a limit is reached.
    pub time_limit: Option<Duration>,
    /// Of each method.
    pub memory: MemoryBudget,
}

impl Plan {
    /// A parameter that a method refuses without looking at data is refused before any work.
    pub fn refuse(&self) -> Result<()> {
        self.methods.iter().try_for_each(|entry| auto::refuse(entry, &self.given, self.k_max))
    }

    /// When what begins now is to end.
    fn until(&self) -> Option<Instant> {
        self.time_limit.and_then(|limit| Instant::now().checked_add(limit))
    }
}

/// How a method ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Done,
    /// Stopped at its time limit with its best so far.
    TimeLimit,
    Failed,
    /// The whole comparison was interrupted before or while it ran.
    Interrupted,
}

/// One method and what it found.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    pub method: &'static str,
    /// From 1; none where the method has no labels.
    pub rank: Option<usize>,
    /// What the rank goes by: how much the neighbours of a row know of its cluster, from 0 to 1.
    pub score: Option<f64>,
    pub state: State,
    /// Why it failed.
    pub error: Option<String>,
    /// Of the fit and its judgement.
    pub seconds: f64,
    pub k: Option<usize>,
    pub sizes: Vec<usize>,
    pub stop: Option<Stop>,
    /// The mean adjusted Rand index with the labels of the other methods.
    pub agreement: Option<f64>,
    pub quality: Option<Quality>,
    /// Agreement with known classes, where there are any.
    pub truth: Option<External>,
    /// What to keep in mind.
    pub notes: Vec<String>,
    #[serde(skip)]
    pub labels: Option<Labels>,
}

/// All methods, the best first.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub lines: Vec<Line>,
    /// Whether `p_unimodal` is at most 0.05.
    pub found: bool,
    /// Is there no gap? Half of the level is the first method's, the other half is shared by the rest: the
    /// least of twice the first p-value and of the others' times twice their number. Methods that were
    /// stopped are not asked.
    pub p_unimodal: Option<f64>,
    /// One plain sentence.
    pub verdict: String,
    /// How the number of clusters was found, where it was not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auto: Option<Counted>,
}

/// The methods of these names; `all` are those that are made for rows without an order.
pub fn methods(names: &[&str]) -> Result<Vec<&'static Entry>> {
    if names == ["all"] {
        return Ok(METHODS.iter().filter(|entry| !entry.sequences).collect());
    }
    let mut found: Vec<&'static Entry> = Vec::new();
    for name in names {
        let entry = registry::find(name)?;
        if found.iter().any(|other| other.name == entry.name) {
            return Err(Error::Data(format!("method `{name}` is named twice; name it once")));
        }
        found.push(entry);
    }
    if found.is_empty() {
        return Err(Error::Data("no method is named; name some, or `all`".into()));
    }
    Ok(found)
}

/// How many of so many methods run at the same time on this pool's threads.
pub fn together(methods: usize) -> usize {
    rayon::current_num_threads().min(methods).max(1)
}

/// Runs the methods of `plan` on the table, as many at a time as there are threads.
///
/// `watch` is asked by every method whether to go on, `bell` hears of each method that begins. `truth` are
/// known classes to compare with afterwards (−1: unknown). Fails only where no method can be run, or all
/// failed.
pub fn compare<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    plan: &Plan,
    truth: Option<&[i32]>,
    (watch, bell): (&O, &mut dyn Observer),
) -> Result<Comparison> {
    check(data, plan)?;
    if auto::asked(&plan.given) {
        return of_found(data, plan, truth, (watch, bell));
    }
    ranked(data, (plan, None), truth, (watch, bell))
}

/// Runs, ranks and concludes, each method from what was found where the number was.
fn ranked<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    (plan, found): (&Plan, Option<&CountResult>),
    truth: Option<&[i32]>,
    (watch, bell): (&O, &mut dyn Observer),
) -> Result<Comparison> {
    let mut lines = run::all(data, (plan, found), watch, bell);
    if let Some(trouble) = all_failed(&lines) {
        return Err(trouble);
    }
    rank(data, plan, &mut lines)?;
    for line in &mut lines {
        let (Some(labels), Some(truth)) = (&line.labels, truth) else { continue };
        line.truth = Some(External::new(labels, truth)?);
    }
    Ok(verdict::conclude(lines))
}

/// The number of clusters is found once, for all methods; where there is one, none has anything to do.
fn of_found<O: Observer + Clone + Sync>(
    data: &Dataset<'_>,
    plan: &Plan,
    truth: Option<&[i32]>,
    (watch, bell): (&O, &mut dyn Observer),
) -> Result<Comparison> {
    let clock = Deadline::new(Both(watch.clone(), bell), plan.until());
    let mut ctx = Ctx::observed(plan.seed, clock);
    ctx.memory = plan.memory;
    let counted = auto::count(data, &plan.given, plan.k_max, &mut ctx)?;
    drop(ctx);
    let k = counted.counted.k;
    if k == 1 {
        let verdict = auto::none_found(&counted.counted);
        let (lines, auto) = (Vec::new(), Some(counted.counted));
        return Ok(Comparison { lines, found: false, p_unimodal: None, verdict, auto });
    }
    let numbered = Plan { given: auto::with_number(&plan.given, Some(k)), ..plan.clone() };
    check(data, &numbered)?;
    let found = ranked(data, (&numbered, Some(&counted)), truth, (watch, bell))?;
    Ok(Comparison { auto: Some(counted.counted), ..found })
}

/// Tells two; either may end the work.
struct Both<'a, O>(O, &'a mut dyn Observer);

impl<O: Observer> Observer for Both<'_, O> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        self.1.on(event)?;
        self.0.on(event)
    }
}

fn check(data: &Dataset<'_>, plan: &Plan) -> Result<()> {
    if let Some(kind) = data.grouping() {
        let many = kind.many();
        return Err(Error::Data(format!(
            "methods are compared on tables of rows, not on {many}; fit one method (separa cluster, separa.fit)"
        )));
    }
    if plan.time_limit.is_some_and(|limit| limit.is_zero()) {
        return Err(Error::Data(
            "the time limit (--time-limit, time_limit) is 0 s, expected more; leave it out for none".into(),
        ));
    }
    if plan.memory.0 == Some(0) {
        return Err(Error::Data(
            "the memory budget (--memory, max_memory) is 0 B, expected more, e.g. 1G".into(),
        ));
    }
    plan.refuse()
}

/// One error for all, where no method has labels.
fn all_failed(lines: &[Line]) -> Option<Error> {
    if lines.iter().any(|line| line.labels.is_some()) {
        return None;
    }
    if lines.iter().any(|line| line.state == State::Interrupted) {
        return Some(Error::Data("interrupted before any method was done".into()));
    }
    let said = |line: &Line| {
        let why = line.error.as_deref().unwrap_or("it found no clusters");
        // Most errors begin with the method's name.
        match why.starts_with(line.method) {
            true => why.to_owned(),
            false => format!("{}: {why}", line.method),
        }
    };
    let reasons: Vec<String> = lines.iter().map(said).collect();
    Some(Error::Data(format!("all methods failed: {}", reasons.join("; "))))
}

/// Scores, agreement, and the order of the lines.
fn rank(data: &Dataset<'_>, plan: &Plan, lines: &mut [Line]) -> Result<()> {
    let judge = Neighbourhood::new(data, plan.seed)?;
    let k = lines.iter().filter_map(|line| line.k).max().unwrap_or(1);
    let known: Vec<Option<Labels>> = lines.iter().map(|line| line.labels.clone()).collect();
    for (i, line) in lines.iter_mut().enumerate() {
        let Some(own) = &known[i] else { continue };
        line.score = Some(judge.score(own, k));
        let others =
            known.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, l)| l.as_ref());
        let like: Vec<f64> = others
            .filter_map(|other| Some(Contingency::new(own, other).ok()?.adjusted_rand()))
            .collect();
        line.agreement = (!like.is_empty()).then(|| like.iter().sum::<f64>() / like.len() as f64);
    }
    // Stable: equal scores stay in the order of the plan.
    let value = |line: &Line| line.score.unwrap_or(-1.0);
    lines.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let ranked = lines.iter_mut().filter(|line| line.score.is_some());
    ranked.enumerate().for_each(|(i, line)| line.rank = Some(i + 1));
    Ok(())
}
