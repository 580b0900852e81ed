//! Ctrl-C: the first asks the fit to hand over its best so far, the second ends at once.

use crate::failure::{Failure, INTERRUPTED, Result};
use separa::{Event, Observer};
use std::ops::ControlFlow;

/// Set once the user wants the work to end.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(separa::Interrupt);

impl Interrupt {
    /// Takes over Ctrl-C. Called when the fit begins: until then there is nothing to keep, and
    /// Ctrl-C ends the process as it does everywhere.
    pub fn listen() -> Result<Self> {
        let asked = Self::default();
        let flag = asked.clone();
        ctrlc::set_handler(move || {
            if flag.asked() {
                std::process::exit(INTERRUPTED.into());
            }
            flag.0.end();
            eprintln!("stopping: the best so far will be written; Ctrl-C again ends at once");
        })
        .map_err(|e| Failure::new(format!("Ctrl-C cannot be caught ({e})")))?;
        Ok(asked)
    }

    pub fn asked(&self) -> bool {
        self.0.ended()
    }
}

/// As an observer it says nothing and ends the fit once asked to.
impl Observer for Interrupt {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        if self.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn interrupt(&self) -> Option<separa::Interrupt> {
        Some(self.0.clone())
    }
}
