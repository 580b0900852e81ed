//! The longest work between two occasions to end it, for each method, in processor time:
//!
//! `RAYON_NUM_THREADS=1 cargo run --release --locked --example interrupts [METHOD...] [--rows N] [--columns D] [-k K]`
//!
//! With K = 0 the number of clusters is found. One thread: what is seen on a handle is then what happens.

use separa::{Clusterer, DenseRef, Event, Interrupt, MatrixRef, Observer};
use separa_testkit::clouds::blobs;
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The phase that the work is in.
struct Phases {
    handle: Interrupt,
    name: Arc<Mutex<String>>,
}

impl Observer for Phases {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        let name = match event {
            Event::Phase { name } => (*name).to_owned(),
            Event::Start { name, .. } => format!("start {name}"),
            _ => return ControlFlow::Continue(()),
        };
        *self.name.lock().unwrap() = name;
        ControlFlow::Continue(())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(self.handle.clone())
    }
}

/// Milliseconds that the process had of the processor, to a hundredth of a second.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux tells the time");
    let after = text.rsplit(')').next().unwrap_or_default();
    after
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        * 10.0
}

/// The longest times without a check, longest first: milliseconds, the phase, and when they began.
fn gaps(name: &str, rows: MatrixRef<'_>, k: usize) -> (Vec<(f64, String, f64)>, f64, u64) {
    let handle = Interrupt::at_check(u64::MAX, 0);
    let phase = Arc::new(Mutex::new(String::new()));
    let k = if k == 0 { json!("auto") } else { json!(k) };
    let given = [("n_clusters".to_owned(), k)].into_iter().collect();
    let request = Clusterer::named(name, &given)
        .expect("the settings are fine")
        .observe(Phases { handle: handle.clone(), name: Arc::clone(&phase) });
    let (done, checks) = (AtomicBool::new(false), AtomicU64::new(0));
    let began = processor();
    let mut all: Vec<(f64, String, f64)> = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let found = request.fit(&rows);
            done.store(true, Ordering::SeqCst);
            found.map_err(|e| println!("{name}: {e}")).ok();
        });
        // The watcher's own time is a few thousandths.
        let (mut since, mut last) = (processor(), 0);
        while !done.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(2));
            let (now, count) = (processor(), handle.checks());
            if count != last {
                all.push((now - since, phase.lock().unwrap().clone(), since - began));
                (since, last) = (now, count);
            }
        }
        all.push((processor() - since, "the end".to_owned(), since - began));
        checks.store(last, Ordering::SeqCst);
    });
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    (all, processor() - began, checks.into_inner())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (n, d, k) = (number("--rows", 200_000), number("--columns", 50), number("-k", 5));
    let cloud = blobs(n, d, k.max(3), 3.0, 22);
    let rows: MatrixRef<'_> = DenseRef::new(n, d, &cloud.x).expect("a table").into();
    for entry in separa::registry::METHODS {
        let asked = words.iter().any(|word| separa::registry::find(word).is_ok());
        if asked && !words.iter().any(|word| word == entry.name) {
            continue;
        }
        let began = Instant::now();
        let (all, whole, checks) = gaps(entry.name, rows, k);
        println!(
            "{}: {:.1} s of the processor, {:.1} s, {checks} checks",
            entry.name,
            whole / 1e3,
            began.elapsed().as_secs_f64()
        );
        for (gap, phase, at) in all.iter().take(4) {
            println!("    {gap:.0} ms without a check at {:.1} s, {phase}", at / 1e3);
        }
    }
}
