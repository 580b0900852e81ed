//! The form for large tables: k-means on the features of landmarks.

use super::{KernelKMeans, KernelKMeansModel, kernel_of};
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::kmeans::Restarts;
use crate::report::Report;
use separa_math::kernel::feature_map::{FeatureMap, TOLERANCE};
use separa_math::kernel::landmarks;
use separa_math::kmeans::{KMeansData, Limits};
use separa_math::matrix::{Dense, Rows, Stored, Subset};

/// Features whose products are the kernel of the landmarks, then Lloyd's algorithm.
pub(super) fn by_landmarks(
    p: &KernelKMeans,
    data: &Dataset<'_>,
    kept: &[usize],
    weights: &[f64],
    count: usize,
    ctx: &mut Ctx<'_>,
) -> Result<(KernelKMeansModel, Report)> {
    let x = data.x();
    let subset = Subset { rows: &x, index: kept };
    let rows: &dyn Rows = if kept.len() == x.rows() { &x } else { &subset };
    let kernel =
        kernel_of(p, rows, weights, ctx.seed).expect("check keeps landmarks from given kernels");
    let landmarks = Stored::from_dense(landmarks::draw(rows, count, ctx.seed));
    let map = FeatureMap::fit(kernel, landmarks, TOLERANCE)?;
    let features = map.apply(&x);
    refuse_overflow(&features)?;
    let table = KMeansData::new(&features, data.weights());
    let limits = Limits { max_iter: p.max_iter, tol: p.tol };
    let restarts = Restarts { k: p.n_clusters, init: &p.init, n_init: p.n_init, limits };
    let found = restarts.run::<KernelKMeans>(&table, ctx)?;
    let (report, centers) = (found.report(&table, ctx), found.centers);
    let weights = map.landmark_weights(&centers);
    let squares = (0..centers.rows()).map(|c| centers.row(c).iter().map(|v| v * v).sum()).collect();
    Ok((KernelKMeansModel::new(Some(map.into_sums(None)), weights, squares), report))
}

/// Features whose squares cannot be summed.
fn refuse_overflow(features: &Dense) -> Result<()> {
    for i in 0..features.rows() {
        let value = features.row(i).iter().map(|v| v * v).sum::<f64>();
        if value.is_nan() || value > 1e200 {
            let of = format!("kernel-kmeans: the kernel of row {} with itself", i + 1);
            return Err(Error::KernelOverflow { of, value, most: "1e200" });
        }
    }
    Ok(())
}
