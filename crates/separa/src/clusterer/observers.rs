//! One observer for all the work of a request, whichever thread does it.

use crate::progress::{Event, Observer};
use separa_math::interrupt::{self, Interrupt};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An observer that several tasks ask in turn.
#[derive(Clone)]
pub(crate) struct SharedObserver<'a> {
    observer: Arc<Mutex<dyn Observer + 'a>>,
    interrupt: Option<Interrupt>,
}

impl<'a> SharedObserver<'a> {
    pub fn new(observer: impl Observer + 'a) -> Self {
        let interrupt = observer.interrupt();
        Self { observer: Arc::new(Mutex::new(observer)), interrupt }
    }
}

impl Observer for SharedObserver<'_> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let said = self.observer.lock().unwrap_or_else(PoisonError::into_inner).on(event);
        match self.interrupt.as_ref().is_some_and(Interrupt::ended) {
            true => ControlFlow::Break(()),
            false => said,
        }
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.interrupt.clone()
    }
}

impl std::fmt::Debug for SharedObserver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedObserver")
    }
}

/// Work that is a part of something larger: the observer is told nothing about it, but can end it.
#[derive(Debug, Clone)]
pub(crate) struct Untold<O>(pub O);

impl<O: Observer> Observer for Untold<O> {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        self.0.on(&Event::Tick)
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.0.interrupt()
    }
}

/// Ends the work at a time, or when `inner` does; remembers which.
#[derive(Debug, Clone)]
pub(crate) struct Deadline<O> {
    inner: O,
    until: Option<Instant>,
    late: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl<O: Observer> Deadline<O> {
    /// The clock begins now.
    pub fn new(inner: O, limit: Option<Duration>) -> Self {
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
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

    /// Does a part that the result is worth having without; None if it was ended in the middle.
    pub fn unless_ended<T>(&self, part: impl FnOnce() -> T) -> Option<T> {
        let done = interrupt::catch(part);
        self.ended.fetch_or(done.is_none(), Ordering::SeqCst);
        done
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

    fn interrupt(&self) -> Option<Interrupt> {
        self.inner.interrupt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    struct No;
    impl Observer for No {
        fn on(&mut self, _: &Event) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn the_clock_and_the_user_end_the_work_and_are_distinguished() {
        let event = Event::Phase { name: "test" };
        let mut none = Deadline::new(Silent, None);
        assert!(none.on(&event).is_continue() && !none.late() && !none.ended());
        let mut past = Deadline::new(Silent, Some(Duration::ZERO));
        assert!(past.on(&event).is_break() && past.late() && !past.ended());
        let hour = Some(Duration::from_secs(3600));
        let mut far = Deadline::new(Silent, hour);
        assert!(far.on(&event).is_continue() && !far.late());
        let mut user = Deadline::new(No, hour);
        assert!(user.on(&event).is_break() && user.ended() && !user.late());
    }

    #[test]
    fn parts_of_the_work_are_not_told_but_can_be_ended() {
        struct Heard(Arc<Mutex<Vec<Event>>>);
        impl Observer for Heard {
            fn on(&mut self, event: &Event) -> ControlFlow<()> {
                self.0.lock().unwrap().push(event.clone());
                ControlFlow::Break(())
            }
        }
        let heard = Arc::default();
        let shared = SharedObserver::new(Heard(Arc::clone(&heard)));
        let start = Event::Start { index: 0, of: 1, name: "kmeans".into() };
        assert!(
            Untold(shared.clone()).on(&start).is_break() && shared.clone().on(&start).is_break()
        );
        assert_eq!(*heard.lock().unwrap(), [Event::Tick, start]);
    }
}
