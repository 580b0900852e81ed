//! The methods at work, side by side.

use super::{MethodResult, Status, together};
use crate::clusterer::Clusterer;
use crate::clusterer::observers::{SharedObserver, Untold};
use crate::context::{Threads, UNFINISHED};
use crate::data::Dataset;
use crate::error::Error;
use crate::k_auto::count::CountResult;
use crate::note::codes;
use crate::progress::{Event, Observer};
use separa_math::interrupt::{self, Interrupt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// One result per method, in the order of the requests.
///
/// Every worker has threads of its own: in one pool a method that waits would take up another one, and its
/// clock would run for both.
pub fn all(
    data: &Dataset<'_>,
    requests: &[Clusterer<'static>],
    found: Option<&CountResult>,
    observer: &SharedObserver<'_>,
) -> Vec<MethodResult> {
    let workers = together(requests.len());
    let part = Threads(Some((rayon::current_num_threads() / workers).max(1)));
    let (next, of) = (AtomicUsize::new(0), requests.len());
    let work = || {
        interrupt::carry(observer.interrupt());
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(request) = requests.get(index) else { return done };
            let name = request.method().entry().name.to_owned();
            let result = match observer.clone().on(&Event::Start { index, of, name }).is_break() {
                true => empty(request, Status::Interrupted),
                false => part.install(|| one(data, request, found, observer)),
            };
            done.push((index, result));
        }
    };
    let mut results: Vec<(usize, MethodResult)> = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        hands.into_iter().flat_map(|hand| hand.join().expect("panics are caught")).collect()
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Remembers whether the observer ended the work.
struct Remember<'a, O>(O, &'a AtomicBool);

impl<O: Observer> Observer for Remember<'_, O> {
    fn on(&mut self, event: &Event) -> std::ops::ControlFlow<()> {
        let answer = self.0.on(event);
        self.1.fetch_or(answer.is_break(), Ordering::SeqCst);
        answer
    }

    fn interrupt(&self) -> Option<Interrupt> {
        self.0.interrupt()
    }
}

/// Fits and judges one method; whatever goes wrong is in the result.
fn one(
    data: &Dataset<'_>,
    request: &Clusterer<'static>,
    found: Option<&CountResult>,
    observer: &SharedObserver<'_>,
) -> MethodResult {
    let (began, ended) = (Instant::now(), AtomicBool::new(false));
    let watched = request.clone().observe(Remember(Untold(observer.clone()), &ended));
    let fit = || watched.fit_found(data, found, request.limit());
    let done = catch_unwind(AssertUnwindSafe(|| interrupt::catch(fit).unwrap_or(Err(UNFINISHED))));
    let failed = |why: String| MethodResult { error: Some(why), ..empty(request, Status::Failed) };
    let mut result = match done {
        Ok(Ok(clustering)) => {
            let late = clustering.notes().iter().any(|note| note.code == codes::TIME_LIMIT);
            let status = match late {
                _ if clustering.was_interrupted() => Status::Interrupted,
                true => Status::TimeLimit,
                false => Status::Done,
            };
            MethodResult { clustering: Some(clustering), ..empty(request, status) }
        }
        Ok(Err(Error::Interrupted { .. })) => empty(request, Status::Interrupted),
        Ok(Err(_)) if ended.load(Ordering::SeqCst) => empty(request, Status::Interrupted),
        Ok(Err::<_, Error>(e)) => failed(e.to_string()),
        Err(_) => failed("a bug in separa ended the method; please report it".to_owned()),
    };
    result.seconds = began.elapsed().as_secs_f64();
    result
}

fn empty(request: &Clusterer<'static>, status: Status) -> MethodResult {
    MethodResult {
        method: request.method().entry().name,
        rank: None,
        score: None,
        status,
        error: None,
        seconds: 0.0,
        agreement: None,
        truth: None,
        clustering: None,
    }
}
