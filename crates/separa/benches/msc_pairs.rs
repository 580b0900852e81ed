//! Two clusters of every pair of classes: `msc_pairs X.f64 LABELS.i32 ROWS COLS TRAIN PARAMS`.
//!
//! X.f64 holds the rows as little-endian f64, LABELS.i32 their classes as little-endian i32; the first
//! TRAIN rows are clustered, the others labelled by the model. PARAMS is a JSON object of parameters
//! of `msc`. Prints one line of JSON: seconds, and the error of every pair in percent.
//! benchmarks/msc.py calls it.

use separa::{Ctx, Dataset, DenseRef, Named, registry};
use std::time::Instant;

/// Matched error of two clusters in percent.
fn error(labels: &[i32], truth: &[i32]) -> f64 {
    let wrong = labels.iter().zip(truth).filter(|(l, t)| l != t).count() as f64;
    let share = wrong / labels.len() as f64;
    100.0 * share.min(1.0 - share)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [x, labels, rows, cols, train, params] = args.as_slice() else {
        return Err("see the header".into());
    };
    let (n, d, train): (usize, usize, usize) = (rows.parse()?, cols.parse()?, train.parse()?);
    let params: Named = serde_json::from_str(params)?;
    let x: Vec<f64> =
        std::fs::read(x)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let labels: Vec<i32> =
        std::fs::read(labels)?.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect();
    let classes = labels.iter().copied().max().map_or(0, |c| c + 1);
    let pick = |range: std::ops::Range<usize>, a: i32, b: i32| {
        let kept: Vec<usize> = range.filter(|&i| labels[i] == a || labels[i] == b).collect();
        let rows: Vec<f64> = kept.iter().flat_map(|&i| x[i * d..(i + 1) * d].to_vec()).collect();
        let truth: Vec<i32> = kept.iter().map(|&i| i32::from(labels[i] == b)).collect();
        (rows, truth)
    };

    let (mut on_train, mut on_test, mut seconds) = (Vec::new(), Vec::new(), 0.0);
    for a in 0..classes {
        for b in a + 1..classes {
            let (rows, truth) = pick(0..train, a, b);
            let data = Dataset::new(DenseRef::new(truth.len(), d, &rows)?.into())?;
            let begin = Instant::now();
            let fit = registry::solve("msc", &params, &data, &mut Ctx::new(0))?;
            seconds += begin.elapsed().as_secs_f64();
            on_train.push(error(&fit.labels, &truth));
            let (rows, truth) = pick(train..n, a, b);
            if !truth.is_empty() {
                let view = DenseRef::new(truth.len(), d, &rows)?;
                // The model may have named the clusters the other way about; so does the truth.
                on_test.push(error(&fit.model.predict(view.into())?, &truth));
            }
        }
    }
    println!("{}", serde_json::json!({ "seconds": seconds, "train": on_train, "test": on_test }));
    Ok(())
}
