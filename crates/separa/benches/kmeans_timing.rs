//! Times Lloyd's algorithm on a raw table: `kmeans_timing X.f64 LABELS.i32 ROWS COLS K ITERATIONS THREADS`.
//!
//! X.f64 holds the rows as little-endian f64, LABELS.i32 the starting labels as little-endian i32.
//! Prints one line of JSON: the seconds of the whole fit and of each iteration. benchmarks/kmeans.py
//! calls it and sets the numbers beside scikit-learn's.

use separa::methods::KMeans;
use separa::params::Scaling;
use separa::{Ctx, Dataset, DenseRef, Event, Init, Method, Observer, Threads};
use std::ops::ControlFlow;
use std::time::Instant;

/// Notes the time of each iteration.
struct Clock<'a>(&'a mut Vec<Instant>);

impl Observer for Clock<'_> {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        if let Event::Iteration { .. } | Event::Start { .. } = event {
            self.0.push(Instant::now());
        }
        ControlFlow::Continue(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [x, labels, sizes @ ..] = args.as_slice() else { return Err("see the header".into()) };
    let sizes: Vec<usize> = sizes.iter().map(|s| s.parse()).collect::<Result<_, _>>()?;
    let &[n, d, k, iterations, threads] = sizes.as_slice() else {
        return Err("see the header".into());
    };
    let x: Vec<f64> =
        std::fs::read(x)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let labels: Vec<i32> =
        std::fs::read(labels)?.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect();
    let data = Dataset::new(DenseRef::new(n, d, &x)?.into())?;

    let mut times = Vec::new();
    let mut ctx = Ctx::observed(0, Clock(&mut times));
    ctx.threads = Threads(Some(threads));
    let params = KMeans {
        n_clusters: k,
        init: Init::Labels(labels),
        max_iter: iterations,
        tol: 0.0,
        scaling: Scaling::None,
        ..KMeans::default()
    };
    let begin = Instant::now();
    let fit = params.solve(&data, &mut ctx)?;
    let seconds = begin.elapsed().as_secs_f64();
    drop(ctx);
    let iterations: Vec<f64> = times.windows(2).map(|t| (t[1] - t[0]).as_secs_f64()).collect();
    println!(
        "{}",
        serde_json::json!({
            "seconds": seconds, "iterations": iterations,
            "inertia": fit.report.objective, "stop": fit.report.stop,
        })
    );
    Ok(())
}
