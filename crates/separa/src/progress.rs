//! The bell: how the work tells upstairs where it is, and hears that it should stop.

use separa_math::interrupt::Interrupt;
use std::ops::ControlFlow;

/// Something that happened during a fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A step that takes a while begins.
    Phase {
        /// What it does, in a word or two.
        name: &'static str,
    },
    /// One of several initializations (refits, runs, methods) begins: number `index` (from 0) of `of`.
    Start {
        /// Its number, from 0.
        index: usize,
        /// How many there are.
        of: usize,
        /// Its name.
        name: String,
    },
    /// One iteration of a method's main loop is done.
    Iteration {
        /// Its number, from 1.
        iteration: usize,
        /// How many there can be.
        max_iter: usize,
        /// The objective after it.
        objective: f64,
        /// Rows whose label it changed.
        changed: usize,
    },
    /// A block of rows has passed by.
    Pass {
        /// The number of the pass, from 1.
        pass: usize,
        /// Rows of this pass so far.
        rows: usize,
        /// All rows, if their number is known.
        of: Option<usize>,
    },
    /// The verdict is known; what is left are segments, profiles and how sure each label is.
    Verdict {
        /// One sentence.
        text: String,
    },
    /// Work goes on, with nothing to show: an occasion to end it.
    Tick,
}

/// Hears events. `Break` ends the fit: it returns the best so far with `Stop::Cancelled`.
pub trait Observer: Send {
    /// Is called from the thread that fits, or from one of its workers, one at a time.
    fn on(&mut self, event: &Event) -> ControlFlow<()>;

    /// A handle that ends the work also between events, in the middle of a long step. The work then has half a
    /// second for the best so far; if there is none, the fit is [`Error::Interrupted`](crate::Error::Interrupted).
    fn interrupt(&self) -> Option<Interrupt> {
        None
    }
}

/// Hears nothing and never stops a fit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
