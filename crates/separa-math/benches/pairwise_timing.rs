//! Times a pairwise matrix on a raw table:
//! `pairwise_timing X.f64 ROWS COLS MEASURE GAMMA THREADS REPEATS [single] [OUT.f64]`.
//!
//! X.f64 holds the rows as little-endian f64. MEASURE is rbf, laplacian, induced (the distance of
//! rbf), euclidean, manhattan, chebyshev, cosine, correlation, or knn (the ten nearest neighbours);
//! GAMMA is read by the first three, 0 is the median heuristic. Prints one line of JSON with the
//! seconds of each repeat; OUT.f64 receives the first rows of the matrix, to compare.

use separa_math::distance::{Measure, Metric, median_gamma};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::Precision;
use separa_math::matrix::Dense;
use separa_math::neighbours::Neighbours;
use std::time::Instant;

/// Rows of the matrix that are written out.
const SHOWN: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [x, n, d, name, gamma, threads, repeats, rest @ ..] = args.as_slice() else {
        return Err("see the header".into());
    };
    let data = std::fs::read(x)?.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let x = Dense::from_vec(n.parse()?, d.parse()?, data)?;
    let gamma = match gamma.parse()? {
        0.0 => median_gamma(&x, 0),
        gamma => gamma,
    };
    let measure = match name.as_str() {
        "rbf" => Kernel::Rbf { gamma }.into(),
        "laplacian" => Kernel::Laplacian { gamma }.into(),
        "induced" => Kernel::Rbf { gamma }.distance(),
        "euclidean" | "knn" => Metric::Euclidean.into(),
        "manhattan" => Metric::Manhattan.into(),
        "chebyshev" => Metric::Chebyshev.into(),
        "cosine" => Metric::Cosine.into(),
        "correlation" => Metric::Correlation.into(),
        _ => return Err(format!("unknown measure {name:?}, see the header").into()),
    };
    let single = rest.first().is_some_and(|a| a == "single");
    let precision = if single { Precision::Single } else { Precision::Double };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?;
    let mut seconds = Vec::new();
    for _ in 0..repeats.parse()? {
        let begin = Instant::now();
        pool.install(|| match name.as_str() {
            "knn" => drop(Neighbours::among(measure, &x, 10)),
            _ => drop(measure.symmetric(&x, precision)),
        });
        seconds.push(begin.elapsed().as_secs_f64());
    }
    if let Some(path) = rest.get(usize::from(single)) {
        write_rows(path, measure, &x)?;
    }
    println!("{{\"measure\": \"{name}\", \"gamma\": {gamma}, \"seconds\": {seconds:?}}}");
    Ok(())
}

fn write_rows(path: &str, measure: Measure, x: &Dense) -> std::io::Result<()> {
    let first: Vec<usize> = (0..SHOWN.min(x.rows())).collect();
    let rows = measure.matrix(&separa_math::matrix::pick(x, &first), x);
    std::fs::write(path, rows.data().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
}
