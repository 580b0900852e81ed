//! Seconds for a few eigenpairs of a dense distance or RBF matrix, as one line of JSON.
//!
//! eig_timing N K single|double distance|rbf [BLOCK [POINTS]]
//! POINTS: N rows of 16 values, f64 little endian; else drawn. BLOCK 0: the solver's choice.

use separa_math::distance::{Measure, Metric, median_gamma};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::{EigOptions, Precision, Which, eig_few};
use separa_math::matrix::Dense;
use separa_math::rng::Rng;
use std::time::Instant;

const D: usize = 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [n, k, precision, matrix, rest @ ..] = args.as_slice() else {
        return Err("usage: eig_timing N K single|double distance|rbf [BLOCK [POINTS]]".into());
    };
    let (n, k): (usize, usize) = (n.parse()?, k.parse()?);
    let precision = if precision == "single" { Precision::Single } else { Precision::Double };
    let block = rest.first().map_or(Ok(0), |b| b.parse())?;
    let points: Vec<f64> = match rest.get(1) {
        Some(path) => {
            std::fs::read(path)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()
        }
        None => drawn(n),
    };
    if points.len() != n * D {
        return Err(format!("{} values, expected {n} rows of {D}", points.len()).into());
    }

    let start = Instant::now();
    let rbf = matrix == "rbf";
    let points = Dense::from_vec(n, D, points)?;
    let measure = match rbf {
        true => Kernel::Rbf { gamma: median_gamma(&points, 0) }.into(),
        false => Measure::from(Metric::Euclidean),
    };
    let a = measure.symmetric(&points, precision);
    let filled = start.elapsed().as_secs_f64();

    let which = if rbf { Which::Largest } else { Which::LargestMagnitude };
    let options = EigOptions { block, ..EigOptions::default() };
    let start = Instant::now();
    let got = eig_few(&a, k, which, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"seconds\": {seconds:.4}, \"fill\": {filled:.4}, \"products\": {}, \"converged\": {}, \"values\": {:?}}}",
        got.products, got.converged, got.values
    );
    Ok(())
}

/// Two clouds.
fn drawn(n: usize) -> Vec<f64> {
    let mut rng = Rng::new(1, 0);
    (0..n * D)
        .map(|i| rng.normal() + if (i / D).is_multiple_of(2) && i % D < 4 { 2.0 } else { 0.0 })
        .collect()
}
