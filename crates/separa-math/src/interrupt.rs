//! Ending work in the middle of a long step.
//!
//! Loops over many rows, pairs or iterations call [`check`]. Where the work was asked to end, and what could be finished
//! meanwhile is not, the check unwinds to the nearest [`catch`], whose caller goes on with what it has. Nothing is printed,
//! and no result is half made: what was under way is gone.
//!
//! The threads of a pool carry the [`Interrupt`] of the work that they do ([`carry`]); without one a check does nothing.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Time that work has to finish what it can once it was asked to end, in milliseconds.
const GRACE: u64 = 500;
/// How often it has it again for what follows a step that was ended in the middle.
const RENEWALS: u64 = 1;

thread_local! {
    static CARRIED: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// A handle to end work by, from any thread. Clones are one handle.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<State>);

#[derive(Debug)]
struct State {
    began: Instant,
    ended: AtomicBool,
    /// When a check unwinds, by [`State::now`].
    until: AtomicU64,
    /// Counted where checks are the clock: the check to end at, and how many more pass.
    at: Option<u64>,
    grace: u64,
    checks: AtomicU64,
    /// How often time is given again: callers that go on after every step that was ended do not go on for ever.
    renewals: AtomicU64,
}

/// What a check unwinds with.
struct Ended;

impl Default for Interrupt {
    fn default() -> Self {
        Self::with(None, GRACE)
    }
}

impl Interrupt {
    /// Ends the work by itself at this check, counted from 1; `grace` more checks pass before one unwinds. The same work on
    /// one thread ends at the same place every time.
    pub fn at_check(at: u64, grace: u64) -> Self {
        Self::with(Some(at), grace)
    }

    fn with(at: Option<u64>, grace: u64) -> Self {
        Self(Arc::new(State {
            began: Instant::now(),
            ended: AtomicBool::new(false),
            until: AtomicU64::new(u64::MAX),
            at,
            grace,
            checks: AtomicU64::new(0),
            renewals: AtomicU64::new(RENEWALS),
        }))
    }

    /// Asks the work to end.
    pub fn end(&self) {
        if !self.0.ended.load(Ordering::SeqCst) {
            self.0.until.store(self.0.now() + self.0.grace, Ordering::SeqCst);
            self.0.ended.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the work was asked to end.
    pub fn ended(&self) -> bool {
        self.0.ended.load(Ordering::Relaxed)
    }

    /// Checks so far; counted for handles that end at a check.
    pub fn checks(&self) -> u64 {
        self.0.checks.load(Ordering::SeqCst)
    }

    /// Gives work that was asked to end its time once more: to bring into shape what it has.
    fn renew(&self) {
        let (state, now) = (&*self.0, self.0.now());
        let fewer = |left: u64| left.checked_sub(1);
        let (set, get) = (Ordering::SeqCst, Ordering::SeqCst);
        // Steps side by side that were ended together have it together.
        if now >= state.until.load(get) && state.renewals.fetch_update(set, get, fewer).is_ok() {
            state.until.store(now + state.grace, Ordering::SeqCst);
        }
    }

    fn check(&self) {
        let state = &*self.0;
        if let Some(at) = state.at
            && state.checks.fetch_add(1, Ordering::SeqCst) + 1 == at
        {
            self.end();
        }
        if self.ended() && state.now() >= state.until.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Ended));
        }
    }
}

impl State {
    fn now(&self) -> u64 {
        match self.at {
            Some(_) => self.checks.load(Ordering::SeqCst),
            None => self.began.elapsed().as_millis() as u64,
        }
    }
}

/// Whether the work of this thread was asked to end.
pub fn ended() -> bool {
    CARRIED.with_borrow(|carried| carried.as_ref().is_some_and(Interrupt::ended))
}

/// An occasion to end the work: unwinds to the nearest [`catch`] if that was asked for.
#[inline]
pub fn check() {
    CARRIED.with_borrow(|carried| {
        if let Some(interrupt) = carried {
            interrupt.check();
        }
    });
}

/// Does the work; None where it was ended in the middle. What follows has a little time again.
pub fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(payload) if payload.is::<Ended>() => {
            if let Some(interrupt) = carried() {
                interrupt.renew();
            }
            None
        }
        Err(panic) => resume_unwind(panic),
    }
}

/// The handle that this thread carries: pools that it makes are to carry it, too.
pub fn carried() -> Option<Interrupt> {
    CARRIED.with_borrow(Clone::clone)
}

/// Lets this thread carry a handle from now on.
pub fn carry(interrupt: Option<Interrupt>) {
    CARRIED.set(interrupt);
}
