//! What a method may use: a clock that stops it.

use crate::progress::{Event, Observer};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Ends the work at a time, or when `inner` does; remembers which.
#[derive(Debug, Clone)]
pub struct Deadline<O> {
    inner: O,
    until: Option<Instant>,
    late: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl<O: Observer> Deadline<O> {
    pub fn new(inner: O, until: Option<Instant>) -> Self {
        Self { inner, until, late: Arc::default(), ended: Arc::default() }
    }

    /// Whether the time was up when someone asked.
    pub fn late(&self) -> bool {
        self.late.load(Ordering::SeqCst)
    }

    /// Whether `inner` ended the work.
    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }
}

impl<O: Observer> Observer for Deadline<O> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        if self.inner.on(event).is_break() {
            self.ended.store(true, Ordering::SeqCst);
            return ControlFlow::Break(());
        }
        if self.until.is_some_and(|until| Instant::now() >= until) {
            self.late.store(true, Ordering::SeqCst);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use std::time::Duration;

    struct No;
    impl Observer for No {
        fn on(&mut self, _: &Event) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn the_clock_and_the_user_end_the_work_and_are_told_apart() {
        let event = Event::Phase { name: "test" };
        let mut none = Deadline::new(Silent, None);
        assert!(none.on(&event).is_continue() && !none.late() && !none.ended());
        let mut past = Deadline::new(Silent, Some(Instant::now()));
        assert!(past.on(&event).is_break() && past.late() && !past.ended());
        let ahead = Instant::now() + Duration::from_secs(3600);
        let mut far = Deadline::new(Silent, Some(ahead));
        assert!(far.on(&event).is_continue() && !far.late());
        let mut user = Deadline::new(No, Some(ahead));
        assert!(user.on(&event).is_break() && user.ended() && !user.late());
    }
}
