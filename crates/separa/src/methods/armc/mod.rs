//! Accelerated maximum relative margin clustering: a support vector machine that finds its own labels.
//!
//! Problem   min Σᵢ wᵢ max(0, 1 − yᵢf(xᵢ)) + λ‖w‖² (+ μB)  over f and labels y with a fraction r above,
//!           |f| ≤ B where a bound is asked for.
//! Given     rows and a kernel, or the kernel matrix.
//! Returns   f, whose sign labels rows; for more clusters a tree of such functions, or one each.
//! Cost      n²d/2 for the kernel once and a few warm iterations of SMO; n·d a pass for the linear kernel
//!           and landmarks. Initializations are tried on 2,000 rows at most.
//! See       Dai & Hu (2010), Minimum conditional entropy clustering, Algorithm 2.

mod basis;
mod choices;
mod divide;
mod initializations;
mod iterations;
mod machine;
mod model;
mod params;
mod plan;
mod rest;
mod split;
mod table;
mod tell;
mod width;

pub use choices::{ArmcMulticlass, ArmcSplit, Balance, OutputBound};
pub use model::ArmcModel;
pub use params::Armc;

use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::kmeans::{check_labels, refuse_empty};
use crate::method::{Fit, Method};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes};
use crate::params::{
    Checked, GammaOrAuto, Init, KernelChoice, KernelShape, bad_param, check_counts, typical_rows,
};
use crate::progress::Event;
use crate::report::{InitializationReport, Report, Stop};
use basis::ArmcBasis;
use divide::ArmcTree;
use model::Shape;
use plan::ArmcStorage;
use separa_math::kernel::mercer::Kernel;
use separa_math::matrix::{Rows, Subset};
use split::Job;
use table::ArmcTable;

impl Method for Armc {
    type Model = ArmcModel;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<ArmcModel>> {
        refuse(p, data)?;
        let mut notes = Vec::new();
        let plan = plan::choose(p, data, ctx, &mut notes)?;
        let mut fit = fit_in(p, data, plan, ctx)?;
        fit.report.notes.splice(0..0, notes);
        if ctx.cancelled() {
            fit.report.stop = Stop::Cancelled;
        }
        Ok(fit)
    }

    fn load(tensors: &Tensors) -> Result<ArmcModel> {
        ArmcModel::load(tensors)
    }
}

/// What the table rules out.
fn refuse(p: &Armc, data: &Dataset<'_>) -> Result<()> {
    check_counts::<Armc>(data, p.n_clusters, p.landmarks)?;
    if let Init::Labels(labels) = &p.init {
        check_labels::<Armc>(labels, data.n(), p.n_clusters)?;
        let has = |c: i32| (0..data.n()).any(|i| labels[i] == c && data.weight(i) > 0.0);
        if let Some(c) = (0..p.n_clusters as i32).find(|c| !has(*c)) {
            return refuse_empty::<Armc, _>(p.n_clusters, c as usize);
        }
    }
    if let Balance::Fraction(r) = p.balance
        && p.n_clusters > 1
        && data.n() > 1
    {
        let weights = (0..data.n()).map(|i| data.weight(i)).filter(|w| *w > 0.0);
        let (least, total) = weights.fold((f64::INFINITY, 0.0), |(l, t), w| (w.min(l), t + w));
        let smaller = r.min(1.0 - r) * total;
        if smaller < 0.5 * least * (1.0 - 1e-12) {
            let expected =
                format!("a fraction that gives each side at least one of {} rows", data.n());
            return bad_param::<Armc, _>("balance", expected, r);
        }
    }
    Ok(())
}

/// A whole fit.
fn fit_in(
    p: &Armc,
    data: &Dataset<'_>,
    plan: ArmcStorage,
    ctx: &mut Ctx<'_>,
) -> Result<Fit<ArmcModel>> {
    ctx.emit(Event::Phase { name: "kernel" });
    let table = ArmcTable::new(p, data)?;
    let mut report = Report::idle();
    tell::constant(p, &table, data, &mut report);
    let (kernel, initializations) = kernel(p, &table, plan, ctx)?;
    report.initializations = initializations;
    let job = Job {
        params: p,
        basis: basis(p, &table, kernel, plan, ctx.seed)?,
        table: &table,
        plan,
        seed: ctx.seed,
    };
    job.basis.check(&table.first)?;
    let k = p.n_clusters.min(table.n());
    let together = k > 2 && p.multiclass == ArmcMulticlass::Rest;
    let (rules, shape) = if together {
        let found = rest::fit(&job, k, ctx)?;
        tell::together(p, &found, &mut report)?;
        (found.rules, Shape::Rest)
    } else {
        let ArmcTree { rules, nodes, splits } = divide::grow(&job, k, ctx)?;
        tell::divided(p, &splits, &mut report)?;
        (rules, Shape::Tree(nodes))
    };
    let mut model = ArmcModel::new(&job, &rules, shape, data.d());
    let labels = model.number(data.x())?;
    let found = model.n_clusters();
    if found < p.n_clusters && !ctx.cancelled() {
        let (why, remedy) = if together && k == p.n_clusters {
            let remedy = Remedy::FewerClusters.or(Remedy::set("multiclass", "divide"));
            ("the functions of the others are the largest for no row", Some(remedy))
        } else {
            ("the kernel separates no more rows", None)
        };
        let text = format!("found {found} clusters instead of {}: {why}", p.n_clusters);
        report.notes.push(Note { remedy, ..Note::warning(codes::FEWER_CLUSTERS, text) });
    }
    Ok(Fit { model, labels, report })
}

/// The kernel of the fit, none where it is given, and the widths that were tried.
fn kernel(
    p: &Armc,
    table: &ArmcTable,
    plan: ArmcStorage,
    ctx: &mut Ctx<'_>,
) -> Result<(Option<Kernel>, Vec<InitializationReport>)> {
    let Some(rows) = table.rows() else { return Ok((None, Vec::new())) };
    let shape = KernelShape { gamma: p.gamma.gamma(), degree: p.degree, coef0: p.coef0 };
    let index = typical_rows(&table.weights, ctx.seed);
    let kernel = p.kernel.kernel(shape, &Subset { rows, index: &index }, ctx.seed);
    let median = kernel.expect("only given kernels have no rows");
    let open = p.gamma == GammaOrAuto::Auto && !matches!(p.init, Init::Labels(_));
    if !open || !width::has_width(median, table.n(), rows.n_cols()) || p.n_clusters == 1 {
        return Ok((Some(median), Vec::new()));
    }
    ctx.emit(Event::Phase { name: "kernel width" });
    let (kernel, initializations) = width::choose(p, table, median, plan, ctx)?;
    Ok((Some(kernel), initializations))
}

fn basis<'a>(
    p: &Armc,
    table: &'a ArmcTable,
    kernel: Option<Kernel>,
    plan: ArmcStorage,
    seed: u64,
) -> Result<ArmcBasis<'a>> {
    match (table.rows(), kernel) {
        (Some(rows), _) if p.kernel == KernelChoice::Linear => {
            Ok(ArmcBasis::columns(rows, &table.weights))
        }
        (Some(rows), Some(kernel)) if plan.landmarks > 0 => {
            ArmcBasis::landmarks(rows, kernel, plan.landmarks, seed)
        }
        _ => Ok(ArmcBasis::of_table(table, kernel)),
    }
}

#[cfg(test)]
mod tests;
