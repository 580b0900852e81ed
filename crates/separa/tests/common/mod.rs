//! What several test files share.

use separa::{Event, Observer};
use std::ops::ControlFlow;

/// Ends a fit at this iteration.
pub struct StopAt(pub usize);

impl Observer for StopAt {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Iteration { iteration, .. } if *iteration >= self.0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
