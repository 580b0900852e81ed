//! What is on the desk: tables, runs, and the one fit at a time.

use super::choices::Choices;
use super::job::{self, Outcome};
use super::progress::Progress;
use super::tables::{Tables, called};
use crate::failure::{Failure, Result};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// Runs that are kept; the oldest go first.
const RUNS: usize = 30;
/// Runs that may wait.
const WAITING: usize = 20;

/// One fit that was asked for.
#[derive(Debug, Clone)]
pub struct Run {
    pub table: u32,
    pub file: String,
    pub choices: Choices,
    pub progress: Arc<Progress>,
    pub state: State,
}

/// How far a run is.
#[derive(Debug, Clone)]
pub enum State {
    Waiting,
    Running,
    Done(Arc<Outcome>),
    Failed(String),
}

/// What requests share.
#[derive(Debug)]
pub struct Desk {
    pub tables: Tables,
    kept: Mutex<Kept>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Kept {
    runs: BTreeMap<u32, Run>,
    queue: VecDeque<u32>,
    last: u32,
}

impl Desk {
    pub fn new() -> std::io::Result<Arc<Self>> {
        let (tables, kept, wake) = (Tables::new()?, Mutex::default(), Condvar::new());
        Ok(Arc::new(Self { tables, kept, wake }))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Puts a fit into the queue.
    pub fn ask(&self, table: u32, choices: Choices) -> Result<u32> {
        let given = self.tables.get(table)?;
        // What can be refused is refused before it waits.
        crate::settings::request(&*choices.args(&given.name)?)?;
        let mut kept = self.kept();
        if kept.queue.len() >= WAITING {
            return Err(Failure::new(format!(
                "{WAITING} runs are waiting; stop one of them first"
            )));
        }
        kept.last += 1;
        let number = kept.last;
        let (file, progress) = (given.name, Progress::new());
        kept.runs.insert(number, Run { table, file, choices, progress, state: State::Waiting });
        kept.queue.push_back(number);
        while kept.runs.len() > RUNS {
            let over = |run: &Run| matches!(run.state, State::Done(_) | State::Failed(_));
            let Some(oldest) = kept.runs.iter().find(|(_, run)| over(run)).map(|(n, _)| *n) else {
                break;
            };
            kept.runs.remove(&oldest);
        }
        self.wake.notify_one();
        Ok(number)
    }

    pub fn run(&self, number: u32) -> Option<Run> {
        self.kept().runs.get(&number).cloned()
    }

    /// What a run that is done found.
    pub fn outcome(&self, number: u32) -> Result<Arc<Outcome>> {
        match self.run(number).map(|run| run.state) {
            Some(State::Done(outcome)) => Ok(outcome),
            _ => Err(Failure::new(format!("run {number} is not there or not done"))),
        }
    }

    /// Every run that is kept, the oldest first.
    pub fn runs(&self) -> Vec<(u32, Run)> {
        self.kept().runs.iter().map(|(number, run)| (*number, run.clone())).collect()
    }

    /// Takes a run out of the queue, or asks it for the best so far; `now` does not wait for it.
    pub fn stop(&self, number: u32, now: bool) {
        let mut kept = self.kept();
        kept.queue.retain(|waiting| *waiting != number);
        if let Some(run) = kept.runs.get_mut(&number) {
            match now {
                true => run.progress.end_now(),
                false => run.progress.stop(),
            }
            if matches!(run.state, State::Waiting) {
                run.state = State::Failed("stopped before it began".to_owned());
            }
        }
    }

    fn set(&self, number: u32, state: State) {
        if let Some(run) = self.kept().runs.get_mut(&number) {
            run.state = state;
        }
    }

    /// Fits what is asked for, one after the other, for ever.
    pub fn work(&self) {
        loop {
            let (number, run) = self.wait();
            self.set(number, State::Running);
            run.progress.begin();
            run.progress.expect(self.spent_on(run.table), run.choices.k.is_none());
            let state = match self.fit(&run) {
                Ok(outcome) => State::Done(Arc::new(outcome)),
                Err(failure) => State::Failed(failure.sentence()),
            };
            run.progress.end();
            self.set(number, state);
        }
    }

    /// What the steps of the last fit of a table took.
    fn spent_on(&self, table: u32) -> Option<[f64; 4]> {
        let kept = self.kept();
        let done = |run: &&Run| run.table == table && matches!(run.state, State::Done(_));
        kept.runs.values().rev().find(done).map(|run| run.progress.spent())
    }

    fn wait(&self) -> (u32, Run) {
        let mut kept = self.kept();
        loop {
            if let Some(number) = kept.queue.pop_front()
                && let Some(run) = kept.runs.get(&number)
            {
                return (number, run.clone());
            }
            kept = self.wake.wait(kept).unwrap_or_else(|e| e.into_inner());
        }
    }

    fn fit(&self, run: &Run) -> Result<Outcome> {
        let given = self.tables.get(run.table)?;
        let fitted = || job::fit(&self.tables, run);
        // A table that breaks a fit ends that fit and nothing else.
        let fitted = catch_unwind(AssertUnwindSafe(fitted)).unwrap_or_else(|_| {
            Err(Failure::new("the fit broke off: this is a mistake in separa, please report it"))
        });
        fitted.map_err(|failure| called(failure, &given))
    }
}
