//! Where a fit is, for a page that asks, how long it will take, and the button that ends it.

use separa::{Event, Interrupt, Observer};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Instant;

/// The steps of a fit, in their order.
pub const STAGES: [&str; 4] = ["read", "count", "fit", "judge"];
/// What each step takes of the whole, before anything is known of a table: what 100,000 rows of 50 numbers take.
const USUAL: [f64; 4] = [0.10, 0.25, 0.30, 0.35];
/// Nothing is foretold before so many seconds.
const EARLY: f64 = 0.5;

/// Shared by the fit and the page.
#[derive(Debug)]
pub struct Progress {
    /// When the best so far was asked for.
    asked: OnceLock<Instant>,
    /// Ends a step in the middle.
    now: Interrupt,
    at: Mutex<At>,
}

#[derive(Debug, Default)]
struct At {
    began: Option<Instant>,
    /// Seconds that each step took, or has taken so far.
    spent: [f64; 4],
    stage: usize,
    since: Option<Instant>,
    step: Step,
    /// What the steps took the last time, on the same table.
    before: Option<[f64; 4]>,
    /// Whether the number of clusters is looked for.
    counts: bool,
    over: bool,
}

/// What the fit does now.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Step {
    stage: usize,
    /// Initialization, from 1, and how many there are.
    start: Option<[usize; 2]>,
    /// Iteration, and how many there can be.
    iteration: Option<[usize; 2]>,
    seconds: f64,
    /// Seconds that are left, about; none while nothing can be said.
    left: Option<f64>,
    /// The verdict, as soon as it is known.
    verdict: Option<String>,
    /// Seconds since the best so far was asked for.
    stopping: Option<f64>,
}

impl Progress {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { asked: OnceLock::new(), now: Interrupt::default(), at: Mutex::default() })
    }

    fn at(&self) -> MutexGuard<'_, At> {
        self.at.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Asks for the best so far. A fit that has no labels yet goes on to its first ones, with as few iterations as it can.
    pub fn stop(&self) {
        self.asked.get_or_init(Instant::now);
    }

    /// Ends the fit in the middle of its step, with labels or without.
    pub fn end_now(&self) {
        self.stop();
        self.now.end();
    }

    pub fn stopped(&self) -> bool {
        self.asked.get().is_some()
    }

    pub fn begin(&self) {
        let mut at = self.at();
        (at.began, at.since) = (Some(Instant::now()), Some(Instant::now()));
    }

    /// What to expect: the steps of an earlier fit of the same table, and whether clusters are counted.
    pub fn expect(&self, before: Option<[f64; 4]>, counts: bool) {
        let mut at = self.at();
        (at.before, at.counts) = (before, counts);
    }

    /// The next step begins.
    pub fn enter(&self, stage: usize) {
        self.at().enter(stage);
    }

    pub fn end(&self) {
        let mut at = self.at();
        at.settle();
        at.over = true;
    }

    /// Seconds that each step took.
    pub fn spent(&self) -> [f64; 4] {
        self.at().spent
    }

    pub fn step(&self) -> Step {
        let at = self.at();
        let seconds = match (at.over, at.began) {
            (true, _) => at.spent.iter().sum(),
            (false, began) => began.map_or(0.0, |began| began.elapsed().as_secs_f64()),
        };
        let current = at.since.map_or(0.0, |since| since.elapsed().as_secs_f64());
        let left = (!at.over).then(|| at.left(current)).flatten();
        let stopping = self.asked.get().map(|asked| asked.elapsed().as_secs_f64());
        Step { stage: at.stage, seconds, left, stopping, ..at.step.clone() }
    }
}

impl At {
    fn settle(&mut self) {
        if let Some(since) = self.since.take() {
            self.spent[self.stage] += since.elapsed().as_secs_f64();
        }
    }

    fn enter(&mut self, stage: usize) {
        self.settle();
        (self.stage, self.since, self.step) = (stage, Some(Instant::now()), Step::default());
    }

    /// Seconds left, if `current` is what this step has taken.
    fn left(&self, current: f64) -> Option<f64> {
        let done: f64 = self.spent[..self.stage].iter().sum();
        if done + current < EARLY {
            return None;
        }
        let mut whole = self.before.unwrap_or(USUAL);
        if !self.counts {
            whole[1] = 0.0;
        }
        // The steps that are over tell how fast this machine and this table are.
        let known: f64 = whole[..self.stage].iter().sum();
        let scale = match (self.before, self.stage) {
            (Some(_), _) => 1.0,
            (None, 0) => return None,
            (None, _) if known > 0.0 => done / known,
            _ => return None,
        };
        let here = (whole[self.stage] * scale - current).max(0.0);
        // Initializations that are over tell more about the rest of them.
        let here = match self.step.start {
            Some([index, of]) if self.stage == 2 && index > 1 => {
                here.max(current / (index - 1) as f64 * (of + 1 - index) as f64)
            }
            _ => here,
        };
        Some(here + scale * whole[self.stage + 1..].iter().sum::<f64>())
    }
}

/// Writes down events, and ends the fit once asked to.
#[derive(Debug)]
pub struct Watcher(pub Arc<Progress>);

impl Observer for Watcher {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let mut at = self.0.at();
        match event {
            Event::Phase { name: "quality" } => at.enter(3),
            // The count has no phases: the first one is that of the fit.
            Event::Phase { .. } if at.stage < 2 => at.enter(2),
            Event::Phase { .. } => {}
            Event::Start { index, of, .. } => {
                at.step.start = Some([index + 1, *of]).filter(|_| at.stage == 2);
                at.step.iteration = None;
            }
            Event::Verdict { text } => at.step.verdict = Some(text.clone()),
            Event::Iteration { iteration, max_iter, .. } => {
                at.step.iteration = Some([*iteration, *max_iter]);
            }
            _ => {}
        }
        if self.0.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(self.0.now.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_was_spent() {
        let mut at = At { counts: true, stage: 2, ..At::default() };
        at.spent = [1.0, 2.5, 0.0, 0.0];
        // Ten seconds in all, of which three and a half are over.
        assert!((at.left(1.0).unwrap() - 5.5).abs() < 1e-9);
        at.step.start = Some([3, 12]);
        assert!(
            (at.left(2.0).unwrap() - (10.0 + 3.5)).abs() < 1e-9,
            "ten initializations, a second each"
        );
        at.before = Some([1.0, 1.0, 1.0, 1.0]);
        at.step.start = None;
        assert!((at.left(0.25).unwrap() - 1.75).abs() < 1e-9);
        assert_eq!(At::default().left(0.1), None);
    }
}
