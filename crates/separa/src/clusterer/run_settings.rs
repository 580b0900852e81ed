//! How a request is run, whatever it asks for: seed, threads, memory, observer.

use super::observers::SharedObserver;
use crate::context::{Ctx, MemoryBudget, Threads};
use crate::error::Result;
use crate::progress::{Observer, Silent};

/// What the requests for clusterings and for classifiers share.
#[derive(Debug, Clone)]
pub(crate) struct RunSettings<'a> {
    pub seed: u64,
    pub threads: Threads,
    /// An error if what was given is not a size; [`RunSettings::budget`] tells.
    pub memory: Result<MemoryBudget>,
    pub observer: SharedObserver<'a>,
}

impl Default for RunSettings<'static> {
    /// Seed 0, all threads, 80 % of the free memory, nobody watching.
    fn default() -> Self {
        Self {
            seed: 0,
            threads: Threads::default(),
            memory: Ok(MemoryBudget::free()),
            observer: SharedObserver::new(Silent),
        }
    }
}

impl RunSettings<'_> {
    /// The same, watched by someone else.
    pub fn observed<'b>(self, observer: SharedObserver<'b>) -> RunSettings<'b> {
        RunSettings { observer, ..self }
    }

    pub fn budget(&self) -> Result<MemoryBudget> {
        self.memory.clone()
    }

    /// Does the work on the threads that were asked for; the observer can end it in the middle of a step.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        self.threads.install_watched(self.observer.interrupt(), work)
    }

    /// What a run may use, with an observer that may be more than the one that was given.
    pub fn ctx<'b>(&self, observer: impl Observer + 'b) -> Result<Ctx<'b>> {
        let mut ctx = Ctx::observed(self.seed, observer);
        ctx.memory = self.budget()?;
        Ok(ctx)
    }
}

/// The setters of a request that keeps its [`RunSettings`] in the field `run`.
macro_rules! run_setters {
    () => {
        /// Seed of all random choices: same seed, same answer.
        pub fn seed(mut self, seed: u64) -> Self {
            self.run.seed = seed;
            self
        }

        /// Threads to use; the answer does not depend on them. Unset: those of the calling pool.
        pub fn threads(mut self, threads: usize) -> Self {
            self.run.threads = crate::context::Threads(Some(threads));
            self
        }

        /// Memory that the work may use beyond the data: bytes, or a size such as "4G".
        pub fn memory<S: TryInto<crate::context::MemoryBudget>>(mut self, size: S) -> Self
        where
            crate::error::Error: From<S::Error>,
        {
            self.run.memory = size.try_into().map_err(crate::error::Error::from);
            self
        }
    };
}
pub(crate) use run_setters;
