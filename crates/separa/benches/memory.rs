//! The most memory that a fit took beyond its table, over what it might take, for each method and budget:
//!
//! `cargo run --release --locked -p separa --example memory [METHOD...] [--rows N] [--columns D] [-k K] [--seconds S]`
//!
//! The table has as many rows as the budget allows, at most N: a refusal says what a fit needs. After S seconds of the processor
//! a fit is interrupted; what it took until then counts, with a mark. Linux, which tells the most that a process held.

use separa::{
    Clusterer, DenseRef, Error, Event, Interrupt, MatrixRef, MemoryBudget, Named, Observer, Result,
};
use separa_testkit::clouds::blobs;
use serde_json::json;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const MB: f64 = 1048576.0;

struct Ends(Interrupt);

impl Observer for Ends {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn interrupt(&self) -> Option<Interrupt> {
        Some(self.0.clone())
    }
}

/// A number of bytes that the system tells of this process.
fn held(what: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux tells the memory");
    let line = text.lines().find(|line| line.starts_with(what)).expect("it has this line");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).expect("kB") * 1024.0
}

/// Seconds that the process had of the processor.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux tells the time");
    let after = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    after.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn request(name: &str, k: usize, budget: u64) -> Clusterer<'static> {
    let given: Named = [("n_clusters".to_owned(), json!(k))].into_iter().collect();
    let request = Clusterer::named(name, &given).expect("the settings are fine");
    request.threads(1).memory(MemoryBudget(Some(budget)))
}

/// Fits, ends the work when its time is up, and says whether that was necessary.
fn fit(
    name: &str,
    k: usize,
    budget: u64,
    rows: &MatrixRef<'_>,
    seconds: f64,
) -> (Result<()>, bool) {
    let (handle, done) = (Interrupt::default(), AtomicBool::new(false));
    let began = processor();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(20));
                if processor() - began > seconds {
                    handle.end();
                    return;
                }
            }
        });
        let found = request(name, k, budget).observe(Ends(handle.clone())).fit(rows).map(drop);
        done.store(true, Ordering::SeqCst);
        (found, handle.ended())
    })
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = words.iter().position(|word| word == name);
        at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (most, d, k) = (number("--rows", 1_000_000), number("--columns", 20), number("-k", 3));
    let seconds = number("--seconds", 60) as f64;
    let cloud = blobs(most, d, k, 3.0, 22);
    println!("| method | budget | rows | most beyond the table | of the budget | processor s |");
    for megabytes in [200_u64, 1024] {
        for entry in separa::registry::METHODS {
            let asked = words.iter().any(|word| separa::registry::find(word).is_ok());
            if asked && !words.iter().any(|word| word == entry.name) {
                continue;
            }
            let budget = megabytes << 20;
            let mut n = most;
            let (took, ended, spent) = loop {
                let rows: MatrixRef<'_> =
                    DenseRef::new(n, d, &cloud.x[..n * d]).expect("a table").into();
                // From here on the system counts the most anew.
                std::fs::write("/proc/self/clear_refs", "5").expect("Linux lets us");
                let (before, began) = (held("VmRSS"), processor());
                match fit(entry.name, k, budget, &rows, seconds) {
                    (Err(Error::Memory { needed, .. }), _) => {
                        let part = (budget as f64 / needed as f64).clamp(0.1, 0.97);
                        n = (n as f64 * part) as usize;
                    }
                    (outcome, ended) => {
                        if let (Err(e), false) = (outcome, ended) {
                            println!("{}: {e}", entry.name);
                        }
                        break (held("VmHWM") - before, ended, processor() - began);
                    }
                }
            };
            let (of, mark) = (took / budget as f64, if ended { ", interrupted" } else { "" });
            println!(
                "| {} | {megabytes} MB | {n} | {:.0} MB | {of:.2} | {spent:.0}{mark} |",
                entry.name,
                took / MB
            );
        }
    }
}
