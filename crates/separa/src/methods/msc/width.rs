//! The kernel's width without labels.
//!
//! Problem   the σ² among multiples of the median d² with the largest mean|f|/sd(f), which is 1 when
//!           all rows are equally far from the boundary.
//! Given     the rows; at most SAMPLE of them, drawn by the seed as often as they count, take part.
//! Cost      the distances of the sample once, and one small fit a width.

use super::bags::Things;
use super::params::Msc;
use super::plan::DistanceStorage;
use super::split::Setting;
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::params::{Gamma, KernelChoice, KernelShape, typical_rows};
use crate::report::InitializationReport;
use separa_math::distance::Metric;
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::Precision;
use separa_math::matrix::Subset;

/// Rows or bags that a width is tried on.
pub(super) const SAMPLE: usize = 1000;

/// σ² in units of the median d².
const MULTIPLES: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

/// The kernel by the median width, where each thing is taken as often as it counts.
pub(super) fn median(p: &Msc, things: Things<'_>, counts: &[f64], seed: u64) -> Kernel {
    // The median is that of the things which are clustered: bags are farther apart than rows.
    let gamma = match (things, p.gamma.gamma(), p.kernel) {
        (Things::Bags(bags), Gamma::Median, KernelChoice::Rbf) => {
            Gamma::Value(1.0 / bags.median_square(Metric::Euclidean, counts, seed))
        }
        (Things::Bags(bags), Gamma::Median, KernelChoice::Laplacian) => {
            Gamma::Value(1.0 / bags.median_square(Metric::Manhattan, counts, seed).sqrt())
        }
        (_, gamma, _) => gamma,
    };
    let shape = KernelShape { gamma, degree: p.degree, coef0: p.coef0 };
    let rows = things.rows();
    let kernel = match things {
        Things::Bags(_) => p.kernel.kernel(shape, &rows, seed),
        Things::Rows(_) => {
            let index = typical_rows(counts, seed);
            p.kernel.kernel(shape, &Subset { rows: &rows, index: &index }, seed)
        }
    };
    kernel.expect("check refuses precomputed kernels")
}

/// Whether a kernel has a width to choose.
pub(super) fn has_width(kernel: Kernel) -> bool {
    matches!(kernel, Kernel::Rbf { .. } | Kernel::Laplacian { .. })
}

/// The width with the clearest margin.
pub(super) fn choose(
    p: &Msc,
    things: Things<'_>,
    counts: &[f64],
    alpha: Option<&[f64]>,
    median: Kernel,
    ctx: &mut Ctx<'_>,
) -> Result<(Kernel, Vec<InitializationReport>)> {
    let seed = ctx.seed;
    let counts = sample(counts, seed);
    let part: Vec<usize> = (0..things.n()).filter(|&i| counts[i] > 0.0).collect();
    let apart =
        if matches!(median, Kernel::Rbf { .. }) { Metric::SqEuclidean } else { Metric::Manhattan };
    // Of bags too: Hausdorff's distance picks a pair of rows, and the kernel's distance grows with these.
    let gaps = things.by(apart.into()).among(&part, Precision::Double);
    let initializations =
        MULTIPLES.iter().map(|&c| (format!("σ² = {c} x median d²"), scaled(median, c)));
    best_of(ctx, initializations.collect(), |_, kernel| {
        let setting = Setting {
            params: p,
            source: things.by(kernel.distance()),
            counts: &counts,
            unit: 1.0,
            alpha,
            plan: DistanceStorage::All(Precision::Double),
            seed,
        };
        let f = setting.values(&part, &gaps.induced(kernel))?.unwrap_or_default();
        let score = margin(&f, part.iter().map(|&i| counts[i]));
        Ok(Candidate { score, iterations: 1, value: kernel })
    })
}

/// How often each thing counts in the sample: as it does while there are no more than SAMPLE, else as
/// often as it was drawn.
fn sample(counts: &[f64], seed: u64) -> Vec<f64> {
    if counts.len() <= SAMPLE {
        return counts.to_vec();
    }
    let mut drawn = vec![0.0; counts.len()];
    typical_rows(counts, seed).iter().take(SAMPLE).for_each(|&i| drawn[i] += 1.0);
    drawn
}

/// mean|f|/sd(f); 0 where all values are equal.
fn margin(f: &[f64], counts: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = counts.clone().sum();
    let mean = |g: &dyn Fn(f64) -> f64| -> f64 {
        f.iter().zip(counts.clone()).map(|(v, m)| m * g(*v)).sum::<f64>() / total
    };
    let centre = mean(&|v| v);
    let variance = mean(&|v| (v - centre) * (v - centre));
    if variance > 0.0 { mean(&f64::abs) / variance.sqrt() } else { 0.0 }
}

fn scaled(kernel: Kernel, by: f64) -> Kernel {
    match kernel {
        Kernel::Rbf { gamma } => Kernel::Rbf { gamma: gamma / by },
        Kernel::Laplacian { gamma } => Kernel::Laplacian { gamma: gamma / by },
        other => other,
    }
}
