//! The bell: how the work tells upstairs where it is, and hears that it should stop.

use std::ops::ControlFlow;

/// Something that happened during a fit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A step that takes a while begins.
    Phase { name: &'static str },
    /// A restart begins: number `index` (from 0) of `of`.
    Start { index: usize, of: usize, name: String },
    /// One round of a method's main loop is done.
    Iteration { iteration: usize, max_iter: usize, objective: f64, changed: usize },
    /// Work goes on, with nothing to show: an occasion to end it.
    Tick,
}

/// Hears events. `Break` ends the fit: it returns the best so far with `Stop::Cancelled`.
pub trait Observer: Send {
    fn on(&mut self, event: &Event) -> ControlFlow<()>;
}

/// Hears nothing and never stops a fit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
