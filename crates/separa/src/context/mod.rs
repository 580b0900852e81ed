//! What a run may use besides data and parameters: seed, threads, memory, an observer.

mod memory;
mod work;

pub use memory::MemoryBudget;
pub(crate) use work::{PairCost, in_words};

use crate::error::{Error, Result};
use crate::model::Labels;
use crate::progress::{Event, Observer, Silent};
use crate::report::Stop;
use separa_math::interrupt::{self, Interrupt};

/// Everything a run may use besides data and parameters.
pub struct Ctx<'a> {
    /// Of every random choice: the answer is a function of data, parameters and seed.
    pub seed: u64,
    /// How many threads work; the answer does not depend on it.
    pub threads: Threads,
    /// The memory that a fit must keep within.
    pub memory: MemoryBudget,
    /// Hears of progress, and can end the work.
    pub observer: Box<dyn Observer + 'a>,
    /// A partition of the rows that is worth beginning from, beside a method's own initializations; one label
    /// per row, each of 0..k named.
    pub(crate) suggested: Option<Labels>,
    cancelled: bool,
    /// Within an initialization: see [`crate::driver::best_of`].
    pub(crate) nested: bool,
}

impl std::fmt::Debug for Ctx<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ctx").field("seed", &self.seed).field("threads", &self.threads).finish()
    }
}

impl<'a> Ctx<'a> {
    /// A quiet run on all threads with no limit on memory.
    pub fn new(seed: u64) -> Self {
        Self::observed(seed, Silent)
    }

    /// A seed and an observer; threads and memory are not limited.
    pub fn observed(seed: u64, observer: impl Observer + 'a) -> Self {
        Self {
            seed,
            threads: Threads::default(),
            memory: MemoryBudget::default(),
            observer: Box::new(observer),
            suggested: None,
            cancelled: false,
            nested: false,
        }
    }

    /// Rings the bell; true when the work should end now.
    pub fn emit(&mut self, event: Event) -> bool {
        self.cancelled |= self.observer.on(&event).is_break() || interrupt::ended();
        self.cancelled
    }

    /// Whether the observer asked to end the work.
    pub fn cancelled(&self) -> bool {
        self.cancelled
    }

    /// Does a step that can be ended in the middle; None if it was, and the work is cancelled.
    pub(crate) fn step<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let done = interrupt::catch(|| step(self));
        self.cancelled |= done.is_none();
        done
    }

    /// Why an iteration ended: the observer's wish comes first.
    pub(crate) fn stop(&self, converged: bool) -> Stop {
        match (self.cancelled, converged) {
            (true, _) => Stop::Cancelled,
            (false, true) => Stop::Converged,
            (false, false) => Stop::MaxIter,
        }
    }
}

/// What is said of work that was ended before there was anything to keep.
pub(crate) const UNFINISHED: Error = Error::Interrupted { before: "there was a result" };

/// Threads that carry a handle.
fn pool(threads: usize, handle: Option<Interrupt>) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |_| interrupt::carry(handle.clone()))
        .build()
        .expect("the operating system gives a few threads")
}

/// How many threads a fit uses; the answer does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threads(pub Option<usize>);

impl Threads {
    /// Runs `work` in a pool of this size, or in the caller's pool where no size is given.
    pub fn install<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        match self.0 {
            None => work(),
            Some(n) => pool(n.max(1), interrupt::carried()).install(work),
        }
    }

    /// The same where the work can be ended by `handle` in the middle of a step; [`Error::Interrupted`] if it was, and
    /// had nothing yet.
    pub(crate) fn install_watched<T: Send>(
        self,
        handle: Option<Interrupt>,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> Result<T> {
        let Some(handle) = handle else { return self.install(work) };
        let work = || interrupt::catch(work).unwrap_or(Err(UNFINISHED));
        let threads = self.0.unwrap_or_else(rayon::current_num_threads);
        pool(threads.max(1), Some(handle)).install(work)
    }
}
