//! Curved boundaries: a minimax probability machine in the features that a kernel induces.

use super::basis::BasisFunctions;
use super::mpm::{Mpm, TunedMpm};
use super::outcome::members;
use super::planes::PairBoundary;
use super::search::{RidgeFound, RidgeSearch};
use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::note::{Note, Remedy, codes};
use crate::params::{Gamma, KernelShape, bad_param};
use crate::progress::Event;
use separa_math::kernel::feature_map::{FeatureMap, KernelSums};
use separa_math::kernel::landmarks;
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::{Rows, Stored, Subset};

/// Multiples of the median width that are tried.
const WIDTHS: [f64; 4] = [1.0, 0.25, 4.0, 0.0625];
/// Rows beyond which the kernel is approximated with landmarks, and how many.
const MANY: usize = 2000;
const FEW: usize = 500;
/// Axes of the kernel with less than this of the first one's weight are left out.
const LEAST: f64 = 1e-7;

/// How many landmarks of the `n` rows that have a weight; all where they are few.
pub fn count(p: &Mpm, n: usize, notes: &mut Vec<Note>) -> Result<usize> {
    if p.landmarks > n {
        let expected = format!("at most the number of rows ({n}), or 0 to let it be chosen");
        return bad_param::<Mpm, usize>("landmarks", expected, p.landmarks);
    }
    match p.landmarks {
        0 if n > MANY => {
            let text = format!("the kernel of {n} rows is approximated with {FEW} landmarks");
            notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::change("landmarks")));
            Ok(FEW)
        }
        0 => Ok(n),
        given => Ok(given),
    }
}

/// The best boundaries over the widths that are tried.
pub fn curved(
    p: &Mpm,
    data: &Dataset<'_>,
    target: &Target,
    count: usize,
    ctx: &mut Ctx<'_>,
) -> Result<(BasisFunctions, Vec<PairBoundary>, TunedMpm)> {
    let view = data.x();
    let kept: Vec<usize> = members(data, target).concat();
    let some = Subset { rows: &view, index: &kept };
    let landmarks = Stored::from_dense(landmarks::draw(&some, count, ctx.seed));
    let mut best: Option<(KernelSums, f64, RidgeFound)> = None;
    for (value, multiple) in p.gamma.grid(&WIDTHS) {
        let (kernel, gamma) = kernel_of(p, &some, value, multiple, ctx.seed);
        ctx.emit(Event::Phase { name: "kernel" });
        let map = FeatureMap::fit(kernel, landmarks.clone(), LEAST)?;
        let features = map.apply(&view);
        let search = RidgeSearch::new(p, data, target, &features, true)?;
        let mut found = search.run(ctx)?;
        found.planes = found.planes.into_iter().map(|plane| plane.through(&map.map)).collect();
        let better = |b: &(KernelSums, f64, RidgeFound)| found.held_out > b.2.held_out;
        if best.as_ref().is_none_or(better) {
            best = Some((map.into_sums(None), gamma, found));
        }
        if ctx.cancelled() {
            break;
        }
    }
    let (sums, gamma, found) = best.expect("at least one width is tried");
    let chosen = TunedMpm { reg: found.reg, width: Some(gamma), held_out: found.held_out };
    Ok((BasisFunctions::Kernel(sums), found.planes, chosen))
}

/// The kernel at a width, and the width as a number (0 where it has none).
fn kernel_of(p: &Mpm, rows: &dyn Rows, value: f64, multiple: bool, seed: u64) -> (Kernel, f64) {
    let gamma = if multiple { Gamma::Median } else { Gamma::Value(value) };
    let shape = KernelShape { gamma, degree: p.degree, coef0: p.coef0 };
    let mut kernel = p.kernel.kernel(shape, rows, seed).expect("check refuses given kernels");
    let mut width = 0.0;
    if let Kernel::Rbf { gamma }
    | Kernel::Laplacian { gamma }
    | Kernel::Poly { gamma, .. }
    | Kernel::Tanh { gamma, .. } = &mut kernel
    {
        if multiple {
            *gamma *= value;
        }
        width = *gamma;
    }
    (kernel, width)
}
