//! Seconds for a few eigenpairs of a dense distance or RBF matrix.
//!
//! eig_timing N K single|double distance|rbf [BLOCK [POINTS]]
//! POINTS: N rows of 16 values, f64 little endian; else drawn. BLOCK 0: the solver's choice.

use separa_math::linalg::{EigOptions, Precision, SymMatrix, Which, dot_lanes, eig_few};
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
    let a = pairwise(&points, n, precision, rbf);
    let filled = start.elapsed().as_secs_f64();

    let which = if rbf { Which::Largest } else { Which::LargestMagnitude };
    let options = EigOptions { block, ..EigOptions::default() };
    let start = Instant::now();
    let got = eig_few(&a, k, which, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "seconds {seconds:.4} fill {filled:.4} products {} converged {} values {:?} residuals {:?}",
        got.products, got.converged, got.values, got.residuals
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

fn pairwise(points: &[f64], n: usize, precision: Precision, rbf: bool) -> SymMatrix {
    let row = |i: usize| &points[i * D..(i + 1) * D];
    let squares: Vec<f64> = (0..n).map(|i| dot_lanes(row(i), row(i))).collect();
    let mut a = SymMatrix::zeros(n, precision);
    a.fill(|rows, cols, out| {
        for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
            for (j, v) in cols.clone().zip(line) {
                let gap = (squares[i] + squares[j] - 2.0 * dot_lanes(row(i), row(j))).max(0.0);
                *v = if rbf { (-gap / (2.0 * D as f64)).exp() } else { gap.sqrt() };
            }
        }
    });
    a
}
