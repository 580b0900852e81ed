//! The minimax probability machine: the boundary whose worst case is best.
//!
//! Problem   for each pair of classes max α  s.t.  every distribution with the mean and covariance of a class
//!           has at least the share α of it on its side (equation (1)).
//! Given     rows with classes; a kernel for curved boundaries.
//! Returns   boundaries with α, the regulariser it belongs to, and the rate of the training rows.
//! Cost      linear: one pass (N·d²/2) and a few factorisations (d³/3) for each pair; kernel: n³, with m
//!           landmarks n·m².
//! See       Lanckriet, El Ghaoui, Bhattacharyya & Jordan (2002), JMLR 3; Huang et al. (2004), JMLR 5.

use super::basis::Basis;
use super::choices::{AimChoice, Columns, Multiclass, Tuned, Width};
use super::duels::{Duel, decide, duels};
use super::folds::{best, careful, folds, hits, steady};
use super::machine::{Machine, table};
use super::outcome::{Known, finish, members};
use super::params;
use super::planes::{Plane, Rule, minimax};
use super::units::{factors, scaled};
use crate::choice::{Gamma, KERNELS, KernelChoice, Shape};
use crate::dataset::Dataset;
use crate::error::Result;
use crate::estimator::Settings;
use crate::estimator::{Checked, Classifier, Ctx, Fit, ParamSpec, Params, bad_param, labels_of};
use crate::persist::Tensors;
use crate::progress::Event;
use crate::target::Target;
use separa_math::kernel::landmarks;
use separa_math::kernel::mercer::{Kernel, map_of};
use separa_math::matrix::{Rows, Stored, Subset, project};
use separa_math::moments::Moments;
use serde::{Deserialize, Serialize};

/// Regularisers that are tried; a later one must be better by half a standard error where boundaries are flat.
const REGS: [f64; 5] = [0.01, 0.001, 1e-4, 1e-5, 0.1];
/// Multiples of the median width that are tried.
const WIDTHS: [f64; 4] = [1.0, 0.25, 4.0, 0.0625];
/// Rows beyond which landmarks carry the kernel, and how many.
const MANY: usize = 2000;
const FEW: usize = 500;
/// Axes of the kernel with less than this of the first one's weight are left out.
const LEAST: f64 = 1e-7;

/// The minimax probability machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mpm {
    pub kernel: KernelChoice,
    pub gamma: Width,
    pub degree: u32,
    pub coef0: f64,
    pub landmarks: usize,
    pub reg: Tuned,
    pub aim: AimChoice,
    pub floor: f64,
    pub multiclass: Multiclass,
    pub units: Columns,
    pub folds: usize,
}

impl Default for Mpm {
    fn default() -> Self {
        Self {
            kernel: KernelChoice::Linear,
            gamma: Width::Median,
            degree: 3,
            coef0: 1.0,
            landmarks: 0,
            reg: Tuned::Cv,
            aim: AimChoice::Minimax,
            floor: 0.2,
            multiclass: Multiclass::Pairs,
            units: Columns::Free,
            folds: 5,
        }
    }
}

impl Params for Mpm {
    const NAME: &'static str = "mpm";
    const CLASS: &'static str = "MPMClassifier";
    const ABOUT: &'static str = "minimax probability machine: the boundary whose worst-case accuracy is best, and that accuracy";
    const SPECS: &'static [ParamSpec] = &[
        ParamSpec {
            name: "kernel",
            expected: "one of linear, rbf, laplacian, poly, tanh, cosine",
            default: "linear",
            doc: "similarity of two rows; linear draws flat boundaries",
        },
        ParamSpec {
            name: "gamma",
            expected: params::WIDTH,
            default: "median",
            doc: "factor of rbf, laplacian, poly and tanh; median as in kernel-kmeans, cv the best of a few multiples of it by cross-validation",
        },
        params::DEGREE_SPEC,
        params::COEF0,
        ParamSpec {
            name: "landmarks",
            expected: "a whole number, 0 or more",
            default: "0",
            doc: "rows that carry the kernel (Nyström); 0 takes all, or 500 of more than 2000",
        },
        params::REG,
        params::AIM,
        params::FLOOR_SPEC,
        params::MULTICLASS,
        params::UNITS,
        params::FOLDS_SPEC,
    ];

    fn check(&self) -> Result<()> {
        if self.kernel == KernelChoice::Precomputed {
            let expected = KERNELS.replace(", precomputed", "");
            return bad_param::<Self, ()>("kernel", expected, "\"precomputed\"");
        }
        params::width::<Self>(self.gamma)?;
        params::tuned::<Self>("reg", self.reg)?;
        params::aim::<Self>(self.aim, self.floor)?;
        params::shape::<Self>(self.degree, self.coef0, self.folds)
    }
}

impl Classifier for Mpm {
    type Model = Machine;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<Machine>> {
        let (n, d) = (data.n() as u64, data.d() as u64);
        let factors = factors(&data.x(), data.weights(), p.units);
        let mut notices = Vec::new();
        let (basis, planes, chosen) = if p.kernel == KernelChoice::Linear {
            let k = target.k() as u64;
            let folds = if p.reg == Tuned::Cv { p.folds as u64 } else { 1 };
            let remedy = "drop columns, or raise the limit (--memory, max_memory)";
            ctx.memory.require(Self::NAME, 8 * d * d * (k * folds + 8), remedy)?;
            linear(p, data, target, &factors, ctx)?
        } else {
            let rows = (0..data.n()).filter(|&i| data.weight(i) > 0.0).count();
            let count = plan(p, rows, &mut notices)?;
            let m = count as u64;
            let remedy = "use fewer landmarks (--landmarks, landmarks), or raise the limit (--memory, max_memory)";
            ctx.memory.require(Self::NAME, 8 * (2 * n * m + 8 * m * m), remedy)?;
            curved(p, data, target, (&factors, count), ctx)?
        };
        let Chosen { reg, width, held_out } = chosen;
        let mut settings = Settings::new();
        settings.insert("reg".into(), reg.into());
        if let Some(width) = width {
            settings.insert("gamma".into(), width.into());
            settings.insert("points".into(), basis.len().into());
        }
        let machine = Machine::new(target.k(), p.multiclass, basis, &planes);
        let known = Known { held_out, settings, reg, notices };
        finish(machine, &planes, (data, target), known, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Machine> {
        Machine::load(tensors)
    }
}

/// The numbers that were used.
struct Chosen {
    reg: f64,
    width: Option<f64>,
    held_out: Option<f64>,
}

/// How many landmarks of the `n` rows that have a weight; all where they are few.
fn plan(p: &Mpm, n: usize, notices: &mut Vec<String>) -> Result<usize> {
    if p.landmarks > n {
        let expected = format!("at most the number of rows ({n}), or 0 to let it be chosen");
        return bad_param::<Mpm, usize>("landmarks", expected, p.landmarks);
    }
    match p.landmarks {
        0 if n > MANY => {
            notices.push(format!(
                "{FEW} landmarks carry the kernel of {n} rows; set `landmarks` for more or fewer"
            ));
            Ok(FEW)
        }
        0 => Ok(n),
        given => Ok(given),
    }
}

fn linear(
    p: &Mpm,
    data: &Dataset<'_>,
    target: &Target,
    factors: &[f64],
    ctx: &mut Ctx<'_>,
) -> Result<(Basis, Vec<Plane>, Chosen)> {
    let x = data.x();
    let units = scaled(factors);
    let view = units.view(&x);
    let search = Search { p, data, target, rows: &view, whole: false };
    let Found { mut planes, reg, held_out } = search.run(ctx)?;
    // From scaled columns back to those of the table.
    for plane in &mut planes {
        plane.coef.iter_mut().zip(factors).for_each(|(c, f)| *c *= f);
    }
    Ok((Basis::Linear { d: data.d() }, planes, Chosen { reg, width: None, held_out }))
}

fn curved(
    p: &Mpm,
    data: &Dataset<'_>,
    target: &Target,
    (factors, count): (&[f64], usize),
    ctx: &mut Ctx<'_>,
) -> Result<(Basis, Vec<Plane>, Chosen)> {
    let x = data.x();
    let units = scaled(factors);
    let view = units.view(&x);
    let kept: Vec<usize> = members(data, target).concat();
    let some = Subset { rows: &view, index: &kept };
    let points = landmarks::draw(&some, count, ctx.seed);
    let mut best: Option<(Kernel, f64, Found)> = None;
    for (value, multiple) in p.gamma.grid(&WIDTHS) {
        let (kernel, gamma) = kernel_of(p, &some, (value, multiple), ctx.seed);
        ctx.emit(Event::Phase { name: "kernel" });
        let map = map_of(&kernel.matrix(&points, &points), LEAST)?;
        let values = kernel.matrix(&view, &points);
        let features = project(&values, map.view(), &vec![0.0; map.rows()]);
        let search = Search { p, data, target, rows: &features, whole: true };
        let mut found = search.run(ctx)?;
        found.planes = found.planes.into_iter().map(|plane| plane.through(&map)).collect();
        let better = |b: &(Kernel, f64, Found)| found.held_out > b.2.held_out;
        if best.as_ref().is_none_or(better) {
            best = Some((kernel, gamma, found));
        }
        if ctx.cancelled() {
            break;
        }
    }
    let (kernel, gamma, found) = best.expect("at least one width is tried");
    let points = Stored::of(&points, &(0..points.rows()).collect::<Vec<_>>());
    let chosen = Chosen { reg: found.reg, width: Some(gamma), held_out: found.held_out };
    Ok((Basis::Kernel { kernel, factors: factors.to_vec(), points }, found.planes, chosen))
}

/// The kernel at a width, and the width as a number (0 where it has none).
fn kernel_of(p: &Mpm, rows: &dyn Rows, (value, multiple): (f64, bool), seed: u64) -> (Kernel, f64) {
    let gamma = if multiple { Gamma::Median } else { Gamma::Value(value) };
    let shape = Shape { gamma, degree: p.degree, coef0: p.coef0 };
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

/// Boundaries in a space of features, and the regulariser that does best on rows held out.
struct Search<'a> {
    p: &'a Mpm,
    data: &'a Dataset<'a>,
    target: &'a Target,
    rows: &'a dyn Rows,
    whole: bool,
}

struct Found {
    planes: Vec<Plane>,
    reg: f64,
    held_out: Option<f64>,
}

impl Search<'_> {
    fn run(&self, ctx: &mut Ctx<'_>) -> Result<Found> {
        let duels = duels(self.target.k(), self.p.multiclass);
        let regs = self.p.reg.grid(&REGS);
        let members = members(self.data, self.target);
        let smallest = members.iter().map(Vec::len).min().unwrap_or(0);
        let count = self.p.folds.min(smallest);
        if (regs.len() == 1 && self.p.gamma != Width::Cv) || count < 2 {
            let of = |index: &Vec<usize>| Moments::of_rows(self.rows, index, self.data.weights());
            let classes: Vec<Moments> = members.iter().map(of).collect();
            let reg = if regs.len() == 1 { regs[0] } else { 0.01 };
            let planes = minimax(&classes, &masses(&classes), &duels, self.rule(reg))?;
            return Ok(Found { planes, reg, held_out: None });
        }
        ctx.emit(Event::Phase { name: "cross-validation" });
        let fold = folds(&members, self.data.n(), (count, ctx.seed));
        // The moments of every class in every fold: one pass, and all else is sums of them.
        let part = |index: &Vec<usize>, f: usize| -> Vec<usize> {
            index.iter().copied().filter(|&i| fold[i] == f).collect()
        };
        let weights = self.data.weights();
        let pieces: Vec<Vec<Moments>> = members
            .iter()
            .map(|m| {
                (0..count).map(|f| Moments::of_rows(self.rows, &part(m, f), weights)).collect()
            })
            .collect();
        let whole: Vec<Moments> = pieces.iter().map(|p| without(p, usize::MAX)).collect();
        let mut total = 0.0;
        let rows = members.iter().map(Vec::len).sum::<usize>() as f64;
        let mut scores = vec![0.0; regs.len()];
        for f in 0..count {
            let kept: Vec<Moments> = pieces.iter().map(|p| without(p, f)).collect();
            let held: Vec<usize> = members.iter().flat_map(|m| part(m, f)).collect();
            let right = self.held_out(&kept, &held, &regs, &duels)?;
            // A share of what was held out so far, so that it is one whenever the search stops.
            let more: f64 = held.iter().map(|&i| self.data.weight(i)).sum();
            total += more;
            for (s, v) in scores.iter_mut().zip(right) {
                *s += (v - *s * more) / total;
            }
            let (iteration, objective) = (f + 1, scores[best(&scores)]);
            if ctx.emit(Event::Iteration { iteration, max_iter: count, objective, changed: 0 }) {
                break;
            }
        }
        // A kernel can tell all rows apart, and then a small regulariser promises anything.
        let at = match self.whole {
            true => careful(&scores, |i| regs[i], rows),
            false => steady(&scores, rows),
        };
        let planes = minimax(&whole, &masses(&whole), &duels, self.rule(regs[at]))?;
        Ok(Found { planes, reg: regs[at], held_out: Some(scores[at]) })
    }

    /// The weight of right answers on the rows `held` at each regulariser.
    fn held_out(
        &self,
        kept: &[Moments],
        held: &[usize],
        regs: &[f64],
        duels: &[Duel],
    ) -> Result<Vec<f64>> {
        let index = Subset { rows: self.rows, index: held };
        let mut out = Vec::with_capacity(regs.len());
        for &reg in regs {
            let planes = minimax(kept, &masses(kept), duels, self.rule(reg))?;
            let (coef, offsets) = table(&planes, self.rows.n_cols());
            let values = project(&index, coef.view(), &offsets);
            let labels = labels_of(&decide(values, duels, self.target.k()))?;
            let weight = |i: usize| self.data.weight(i);
            out.push(hits(&labels, held, self.target.classes(), &weight));
        }
        Ok(out)
    }

    fn rule(&self, reg: f64) -> Rule {
        Rule { reg, whole: self.whole, aim: self.p.aim, floor: self.p.floor }
    }
}

/// The weight of the rows of each class.
fn masses(classes: &[Moments]) -> Vec<f64> {
    classes.iter().map(Moments::n).collect()
}

/// All pieces but one, merged in order.
fn without(pieces: &[Moments], left_out: usize) -> Moments {
    let mut all = Moments::empty(pieces[0].d());
    pieces.iter().enumerate().filter(|(f, _)| *f != left_out).for_each(|(_, m)| all.merge(m));
    all
}
