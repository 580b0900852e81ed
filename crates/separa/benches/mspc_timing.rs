//! Times a default MSPC fit, alone and with its quality, against one XᵀX in the same process.
//!
//! `mspc_timing FILE ROWS COLS [K] [name=value]…`: FILE holds ROWS x COLS little-endian f64.
//! A value @PATH is read from a JSON file.
//! `mspc_timing synthetic ROWS COLS`: two Gaussian clouds instead. Prints one JSON line.

use separa::{Clusterer, Ctx, Dataset, DenseRef, registry};
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use std::io::Read as _;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| args[i].parse::<usize>().expect("a whole number");
    let (n, d) = (number(1), number(2));
    let x = if args[0] == "synthetic" { clouds(n, d) } else { read(&args[0], n * d) };
    let mut params = serde_json::Map::new();
    params.insert("n_clusters".into(), args.get(3).map_or(2, |_| number(3)).into());
    for pair in args.iter().skip(4) {
        let (name, value) = pair.split_once('=').expect("name=value");
        let text = match value.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file).expect("a readable file"),
            None => value.to_owned(),
        };
        let value = serde_json::from_str(&text).unwrap_or_else(|_| text.as_str().into());
        params.insert(name.into(), value);
    }
    let rows = DenseRef::new(n, d, &x).expect("the file holds the rows");
    let data = Dataset::new(rows.into()).expect("finite rows");
    // The first fit of the process, before anything else has grown the heap.
    let before = peak();
    registry::solve("mspc", &params, &data, &mut Ctx::new(0)).expect("a fit");
    let extra = (peak() - before) / 1024.0;
    let (mut gram, mut fit, mut judged) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let request = Clusterer::named("mspc", &params).expect("parameters of mspc");
    let mut iterations = 0;
    for _ in 0..3 {
        let t = Instant::now();
        assert!(Moments::of(&rows, None).n() > 0.0);
        gram = gram.min(t.elapsed().as_secs_f64());
        let t = Instant::now();
        let done = registry::solve("mspc", &params, &data, &mut Ctx::new(0)).expect("a fit");
        fit = fit.min(t.elapsed().as_secs_f64());
        iterations = done.report.iterations;
        let t = Instant::now();
        request.fit(&data).expect("a fit and its judgement");
        judged = judged.min(t.elapsed().as_secs_f64());
    }
    println!(
        "{{\"gram_s\": {gram:.4}, \"fit_s\": {fit:.4}, \"judged_s\": {judged:.4}, \"ratio\": {:.2}, \"iterations\": {iterations}, \"extra_mb\": {extra:.1}}}",
        fit / gram
    );
}

/// Value by value, so that the peak before the fit is the data and no more.
fn read(file: &str, count: usize) -> Vec<f64> {
    let mut reader = std::io::BufReader::new(std::fs::File::open(file).expect("a readable file"));
    let mut word = [0; 8];
    let mut next = || {
        reader.read_exact(&mut word).expect("as many values as rows and columns say");
        f64::from_le_bytes(word)
    };
    (0..count).map(|_| next()).collect()
}

fn clouds(n: usize, d: usize) -> Vec<f64> {
    let mut rng = Rng::new(1, 0);
    let mut x = Vec::with_capacity(n * d);
    for i in 0..n {
        x.extend((0..d).map(|j| rng.normal() + if i % 2 == 1 && j < 5 { 1.5 } else { 0.0 }));
    }
    x
}

/// Largest resident size so far in kilobytes, 0 where the system does not tell.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|v| v.parse().ok()).unwrap_or(0.0)
}
