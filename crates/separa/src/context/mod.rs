//! What a run may use besides data and parameters: seed, threads, memory, an observer.

mod memory;
mod work;

pub use memory::MemoryBudget;
pub(crate) use work::{PairCost, in_words};

use crate::model::Labels;
use crate::progress::{Event, Observer, Silent};
use crate::report::Stop;

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
    /// Within a start: see [`crate::driver::best_of`].
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
        self.cancelled |= self.observer.on(&event).is_break();
        self.cancelled
    }

    /// Whether the observer asked to end the work.
    pub fn cancelled(&self) -> bool {
        self.cancelled
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

/// How many threads a fit uses; the answer does not depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Threads(pub Option<usize>);

impl Threads {
    /// Runs `work` in a pool of this size, or in the caller's pool where no size is given.
    pub fn install<T: Send>(self, work: impl FnOnce() -> T + Send) -> T {
        match self.0 {
            None => work(),
            Some(n) => rayon::ThreadPoolBuilder::new()
                .num_threads(n.max(1))
                .build()
                .expect("the operating system gives a few threads")
                .install(work),
        }
    }
}
