//! Times a fit of armc on a raw table: `armc_timing X.f64 ROWS COLS THREADS REPEATS MEMORY [name=value]...`.
//!
//! X.f64 holds the rows as little-endian f64; MEMORY is a number of bytes, 0 for no limit; values are
//! JSON. Prints one line of JSON: seconds of each repeat, objective, iterations, initializations, warnings, notices,
//! labels.

use separa::{Ctx, Dataset, DenseRef, MemoryBudget, Threads, registry};
use serde_json::{Map, Value, json};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [x, n, d, threads, repeats, memory, rest @ ..] = args.as_slice() else {
        return Err("see the header".into());
    };
    let data: Vec<f64> =
        std::fs::read(x)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let mut params = Map::new();
    for pair in rest {
        let (name, value) = pair.split_once('=').ok_or("settings are name=value")?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.into()));
        params.insert(name.into(), value);
    }
    let data = Dataset::new(DenseRef::new(n.parse()?, d.parse()?, &data)?.into())?;
    let memory = Some(memory.parse()?).filter(|m| *m > 0);
    let repeats: usize = repeats.parse()?;
    let mut seconds = Vec::new();
    for repeat in 1..=repeats {
        let mut ctx = Ctx::new(0);
        ctx.threads = Threads(Some(threads.parse()?));
        ctx.memory = MemoryBudget(memory);
        let begin = Instant::now();
        let fit = registry::solve("armc", &params, &data, &mut ctx)?;
        seconds.push(begin.elapsed().as_secs_f64());
        if repeat == repeats {
            let report = &fit.report;
            let initializations: Vec<Value> = report
                .initializations
                .iter()
                .map(|s| json!([s.name, s.score, s.iterations, s.chosen]))
                .collect();
            let answer = json!({
                "seconds": seconds, "objective": report.objective, "iterations": report.iterations,
                "initializations": initializations, "notes": report.notes,
                "labels": fit.labels,
            });
            println!("{answer}");
        }
    }
    Ok(())
}
