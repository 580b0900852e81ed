//! Where a fit is, for a page that asks, and the button that ends it.

use separa::{Event, Observer};
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Shared by the fit and the page.
#[derive(Debug)]
pub struct Progress {
    stop: AtomicBool,
    step: Mutex<Step>,
    began: Mutex<Option<Instant>>,
}

/// What the fit does now.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Step {
    phase: String,
    /// Initialization, from 1, and how many there are.
    start: Option<[usize; 2]>,
    /// Iteration, and how many there can be.
    iteration: Option<[usize; 2]>,
    seconds: f64,
}

impl Progress {
    pub fn new() -> Arc<Self> {
        let (step, began) = (Mutex::default(), Mutex::new(None));
        Arc::new(Self { stop: AtomicBool::new(false), step, began })
    }

    /// Asks for the best so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::SeqCst);
    }

    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    pub fn begin(&self) {
        *self.began.lock().unwrap_or_else(|e| e.into_inner()) = Some(Instant::now());
    }

    pub fn step(&self) -> Step {
        let mut step = self.step.lock().unwrap_or_else(|e| e.into_inner()).clone();
        let began = *self.began.lock().unwrap_or_else(|e| e.into_inner());
        step.seconds = began.map_or(0.0, |began| began.elapsed().as_secs_f64());
        step
    }
}

/// Writes down events, and ends the fit once asked to.
#[derive(Debug)]
pub struct Watcher(pub Arc<Progress>);

impl Observer for Watcher {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let mut step = self.0.step.lock().unwrap_or_else(|e| e.into_inner());
        match event {
            Event::Phase { name } => {
                *step = Step { phase: (*name).to_owned(), ..Step::default() };
            }
            Event::Start { index, of, .. } => {
                step.start = Some([index + 1, *of]);
                step.iteration = None;
            }
            Event::Iteration { iteration, max_iter, .. } => {
                step.iteration = Some([*iteration, *max_iter]);
            }
            _ => {}
        }
        if self.0.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
