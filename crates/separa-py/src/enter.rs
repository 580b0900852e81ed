//! The one gate into Rust: everything that takes time goes through [`run`].
//!
//! The work runs on threads of its own, without the interpreter's lock. The calling thread waits,
//! looks for Ctrl-C a few times a second and hands progress to Python. Threads belong to the call
//! and end after it, so a process that forks later finds no pool whose threads did not come along.

use crate::error;
use pyo3::prelude::*;
use separa::{Event, Interrupt, Observer};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often Ctrl-C is looked for.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an interrupted call waits for its work to end; after that the work ends unattended.
const PATIENCE: Duration = Duration::from_millis(500);

enum Message<T> {
    /// Something happened; the answer is whether to stop.
    Event(Event, Sender<bool>),
    Done(std::thread::Result<separa::Result<T>>),
}

type Ask = Arc<dyn Fn(Event) -> bool + Send + Sync>;

/// What the work hears and says: an observer that ends it once Python wants that.
#[derive(Clone)]
pub struct Bell {
    stop: Interrupt,
    /// The listener wants the best so far, however long it takes.
    enough: Arc<AtomicBool>,
    ask: Option<Ask>,
}

impl Bell {
    pub fn stopped(&self) -> bool {
        self.stop.ended() || self.enough.load(Ordering::SeqCst)
    }
}

impl Observer for Bell {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let told = !matches!(event, Event::Tick) && !self.stopped();
        if told && self.ask.as_ref().is_some_and(|ask| ask(event.clone())) {
            self.enough.store(true, Ordering::SeqCst);
        }
        if self.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(self.stop.clone())
    }
}

/// Runs `work` on `threads` threads (all cores where none are named).
///
/// `listener` is called with every event (see [`tell`]), on the calling thread; where it returns
/// true the work ends with its best so far, where it raises the work ends and the error goes on.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Bell) -> separa::Result<T> + Send + 'static,
) -> PyResult<T> {
    let (send, mut receive) = mpsc::channel::<Message<T>>();
    let stop = Interrupt::default();
    let ask = listener.is_some().then(|| {
        let line = send.clone();
        Arc::new(move |event| {
            let (reply, answer) = mpsc::channel();
            // No one left to ask: the call was interrupted.
            line.send(Message::Event(event, reply)).is_err() || answer.recv().unwrap_or(true)
        }) as Ask
    });
    let bell = Bell { stop: stop.clone(), enough: Arc::default(), ask };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .thread_name(|i| format!("separa-{i}"))
        .build()
        .map_err(|e| error::system(format!("no threads can be started ({e})")))?;
    pool.spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(bell)));
        // Whoever was interrupted is gone, and so is the need for the result.
        let _ = send.send(Message::Done(done));
    });
    let answer = wait(py, &mut receive, listener);
    if answer.is_err() {
        stop.end();
        let line = &mut receive;
        py.detach(move || drain(line));
    }
    match answer? {
        Ok(result) => result.map_err(error::raise),
        Err(panic) => Err(error::panicked(panic.as_ref())),
    }
}

/// Serves events until the work is done; an error of the listener or a signal ends the waiting.
fn wait<T: Send>(
    py: Python<'_>,
    receive: &mut Receiver<Message<T>>,
    listener: Option<&Bound<'_, PyAny>>,
) -> PyResult<std::thread::Result<separa::Result<T>>> {
    loop {
        let line = &mut *receive;
        match py.detach(move || line.recv_timeout(GLANCE)) {
            Ok(Message::Done(result)) => return Ok(result),
            Ok(Message::Event(event, reply)) => {
                py.check_signals()?;
                let stop = listener.map_or(Ok(false), |l| tell(l, &event))?;
                // The work may have ended meanwhile.
                let _ = reply.send(stop);
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the work reports before it ends"),
        }
    }
}

/// Waits a little for the work to end; its events are answered with "stop".
fn drain<T>(receive: &mut Receiver<Message<T>>) {
    let until = Instant::now() + PATIENCE;
    loop {
        match receive.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Message::Event(_, reply)) => drop(reply.send(true)),
            _ => return,
        }
    }
}

/// Calls `listener(kind, name, index, of, objective, changed)`; what does not apply is `None`.
fn tell(listener: &Bound<'_, PyAny>, event: &Event) -> PyResult<bool> {
    let none = None::<usize>;
    let answer = match event {
        Event::Phase { name } => listener.call1(("phase", name, none, none, none, none))?,
        Event::Start { index, of, name } => {
            listener.call1(("start", name, index, of, none, none))?
        }
        Event::Iteration { iteration, max_iter, objective, changed } => {
            listener.call1(("iteration", "", iteration, max_iter, objective, changed))?
        }
        _ => return Ok(false),
    };
    answer.is_truthy()
}
