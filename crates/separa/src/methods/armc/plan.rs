//! How kernel values are held, by the memory at hand.

use super::choices::ArmcMulticlass;
use super::params::Armc;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::{Result, bytes};
use crate::note::{Note, Remedy, codes};
use crate::params::{KernelChoice, Params};

/// How the fit works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ArmcStorage {
    /// Rows that initializations are tried on.
    pub sample: usize,
    /// Rows that stand for the kernel; 0 for all.
    pub landmarks: usize,
    /// Kernel rows are made on demand.
    pub cached: bool,
    /// Bytes for those that are kept.
    pub cache: usize,
}

/// Initializations are tried on so many rows at most; the first that fits the memory.
const SAMPLES: [usize; 4] = [2000, 1000, 500, 200];
/// Tables with more rows are too slow for pairs, wherever they are held.
const LONGEST: usize = 40_000;
/// Above, the matrix of all pairs is not made even where it would fit.
const LONG: usize = 20_000;

pub(super) fn choose(
    p: &Armc,
    data: &Dataset<'_>,
    ctx: &Ctx<'_>,
    notes: &mut Vec<Note>,
) -> Result<ArmcStorage> {
    let (n, d) = (data.n(), data.d() as u64);
    let wide = n as u64;
    let entries: u64 = (0..n).map(|i| data.x().row_values(i).len() as u64).sum();
    let given = p.kernel == KernelChoice::Precomputed;
    let linear = p.kernel == KernelChoice::Linear;
    // The rows that take part, their features or a part of them, and a few numbers for each; a tree of
    // flat cuts has all three.
    let tree = p.n_clusters > 2 && p.multiclass == ArmcMulticlass::Divide;
    let copies = if linear && tree { 3 } else { 2 };
    let rows = if given { 16 * wide * wide } else { copies * (8 * wide * d).min(16 * entries) };
    let base = rows + 8 * wide * 30;
    // The kernel of the sample, its distances, and affinities twice.
    let tried = |m: usize| {
        let m = m.min(n) as u64;
        8 * (4 * m * m + 60 * m)
    };
    let fits = |m: &usize| ctx.memory.allows(base + tried(*m));
    let sample = SAMPLES.into_iter().find(fits).unwrap_or(SAMPLES[3]);
    let plan = ArmcStorage { sample, landmarks: 0, cached: false, cache: 64 << 20 };
    let some = |m: usize| {
        let m = m as u64;
        base + tried(sample) + 8 * (2 * wide * m + m * d + 4 * m * m)
    };
    if p.landmarks > 0 {
        let remedy = Remedy::FewerLandmarks.or(Remedy::RaiseMemory);
        ctx.memory.require(Armc::NAME, some(p.landmarks), remedy)?;
        return Ok(ArmcStorage { landmarks: p.landmarks, ..plan });
    }
    let whole = base + tried(sample).max(8 * wide * wide + plan.cache as u64);
    if linear || given || n <= sample {
        let needed = base + tried(sample) + if given { 8 * wide * wide } else { 0 };
        ctx.memory.require(Armc::NAME, needed, Remedy::RaiseMemory)?;
        return Ok(plan);
    }
    if n <= LONG && ctx.memory.allows(whole) {
        return Ok(plan);
    }
    // A tenth of the kernel rows at least, else they are made again and again.
    let least = base + tried(sample) + 8 * wide * wide / 10;
    if n <= LONGEST && ctx.memory.allows(least) {
        let room = ctx.memory.0.map_or(4 << 30, |b| b - base - tried(sample));
        let cache = room.min(8 * wide * wide) as usize;
        let text = format!(
            "kernel rows of {n} rows are computed when they are needed, and {} of them are kept",
            bytes(cache as u64)
        );
        notes.push(Note::notice(codes::KERNEL_CACHE, text));
        return Ok(ArmcStorage { cached: true, cache, ..plan });
    }
    let few = ctx.memory.landmarks(n, some);
    let Some(landmarks) = few else {
        let remedy = Remedy::set("kernel", "linear").or(Remedy::RaiseMemory);
        ctx.memory.require(Armc::NAME, some(50), remedy)?;
        return Ok(ArmcStorage { landmarks: 50.min(n), ..plan });
    };
    let text = format!(
        "the kernel of all pairs of {n} rows needs about {} of memory or too much time: it is approximated with {landmarks} landmarks",
        bytes(whole)
    );
    notes.push(Note::notice(codes::LANDMARKS, text).with(Remedy::change("landmarks")));
    Ok(ArmcStorage { landmarks, ..plan })
}
