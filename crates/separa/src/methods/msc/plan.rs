//! How the distances of a part are held, by the memory at hand.

use super::choices::{GammaOrAuto, MetricChoice};
use super::params::Msc;
use super::width;
use crate::context::{Ctx, PairCost, in_words};
use crate::data::Dataset;
use crate::error::Result;
use crate::note::{Note, Remedy, codes};
use crate::params::Params;
use separa_math::linalg::{Precision, SymMatrix};

/// Threads that memory is reserved for. Not the real number: the plan, and with it the answer, must
/// not depend on it.
const WORKERS: u64 = 8;

/// How the distances of a part are held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum DistanceStorage {
    All(Precision),
    /// To so many rows of the part, or to all where it has no more.
    Landmarks(usize),
}

/// All distances while they fit the memory, in single precision where only these fit, else landmarks.
pub(super) fn choose(
    p: &Msc,
    data: &Dataset<'_>,
    n: usize,
    ctx: &Ctx<'_>,
    notes: &mut Vec<Note>,
) -> Result<DistanceStorage> {
    let rows = data.x().rows();
    let stored: usize = (0..rows).map(|i| data.x().row_values(i).len()).sum();
    // The model's rows and those of a part. A table of distances is copied as a dense one, and once
    // more where rows take no part.
    let copies = match p.metric {
        MetricChoice::Precomputed if n < rows => 8 * (rows * rows + n * n) as u64,
        MetricChoice::Precomputed => 8 * (rows * rows) as u64,
        _ => 8 * 2 * stored as u64,
    } + 8 * 16 * (rows as u64);
    let tried = match (p.metric, p.gamma) {
        (MetricChoice::Kernel, GammaOrAuto::Auto) => {
            // What the kernel is a function of, beside its distances.
            let n = n.min(width::SAMPLE);
            bytes(DistanceStorage::All(Precision::Double), n)
                + SymMatrix::bytes(n, Precision::Double)
        }
        _ => 0,
    };
    let needed = |plan| copies + bytes(plan, n).max(tried);
    let double = DistanceStorage::All(Precision::Double);
    // As many as there are rows: all of them, whatever it takes.
    let all = p.landmarks == data.n();
    if p.landmarks > 0 && !all {
        let plan = DistanceStorage::Landmarks(p.landmarks);
        ctx.memory.require(
            Msc::NAME,
            needed(plan),
            Remedy::FewerLandmarks.or(Remedy::RaiseMemory),
        )?;
        return Ok(plan);
    }
    let open = !all && p.metric != MetricChoice::Precomputed && data.bags().is_none();
    if open && PairCost::DISTANCES.is_long(n, data.d()) {
        return Ok(too_long(n, data, ctx, &needed, notes));
    }
    if ctx.memory.allows(needed(double)) {
        return Ok(double);
    }
    if ctx.memory.allows(needed(DistanceStorage::All(Precision::Single))) {
        let text = "the distances are stored in single precision to fit the memory";
        notes.push(Note::notice(codes::SINGLE_PRECISION, text));
        return Ok(DistanceStorage::All(Precision::Single));
    }
    let Some(m) = ctx.memory.landmarks(n, |m| needed(DistanceStorage::Landmarks(m))) else {
        let least = DistanceStorage::Landmarks(50);
        let remedy = Remedy::RaiseMemory;
        return ctx.memory.require(Msc::NAME, needed(least), remedy).map(|()| least);
    };
    let text = format!(
        "the distances of {n} {} do not fit the memory: they are approximated with {m} landmarks",
        data.things()
    );
    let remedy = Remedy::change("landmarks").or(Remedy::RaiseMemory);
    notes.push(Note::notice(codes::LANDMARKS, text).with(remedy));
    Ok(DistanceStorage::Landmarks(m))
}

/// Landmarks for more rows than should be compared pair by pair without asking.
fn too_long(
    n: usize,
    data: &Dataset<'_>,
    ctx: &Ctx<'_>,
    needed: &dyn Fn(DistanceStorage) -> u64,
    notes: &mut Vec<Note>,
) -> DistanceStorage {
    let m = ctx.memory.landmarks(n, |m| needed(DistanceStorage::Landmarks(m))).unwrap_or(50);
    let text = format!(
        "the distances of all pairs of {n} rows would take {}: they are approximated with {m} landmarks",
        in_words(PairCost::DISTANCES.of_all(n, data.d()))
    );
    notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::set("landmarks", n)));
    DistanceStorage::Landmarks(m)
}

/// The memory that the distances of n rows take, with what their eigenvectors need.
fn bytes(plan: DistanceStorage, n: usize) -> u64 {
    let wide = n as u64;
    match plan {
        DistanceStorage::All(precision) => SymMatrix::bytes(n, precision) + 8 * wide * 80,
        DistanceStorage::Landmarks(m) => {
            let m = m.min(n) as u64;
            let blocks = (WORKERS * 1024).min(wide) * m;
            8 * (wide * (m + 12) + m * m * (4 + WORKERS) + blocks)
        }
    }
}
