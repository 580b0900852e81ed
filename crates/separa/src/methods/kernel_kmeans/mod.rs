//! Kernel k-means: Lloyd's algorithm in the space of a kernel.
//!
//! Problem   min Σᵢ wᵢ ‖φ(xᵢ) − c(i)‖²  over n_clusters centres, φ(x)ᵀφ(y) = k(x, y).
//! Given     rows and a kernel, or the kernel matrix.
//! Returns   the best of n_init runs, each from greedy k-means++ centres; a rule for new rows.
//! Cost      n²d/2 once; an iteration n²k where many rows move, else n for each that does; with m landmarks
//!           n·m·d + n·m² once and n·m·k an iteration.
//! See       Schölkopf, Smola & Müller (1998); Dhillon, Guan & Kulis (2004).

mod features;
mod iterations;
mod model;
mod params;
mod seeds;

use crate::note::{Note, Remedy, codes};
pub use model::KernelKMeansModel;
use model::rule;
pub use params::KernelKMeans;

use crate::assign::{canonical, scaled_weights};
use crate::context::{Ctx, PairCost, in_words};
use crate::data::Dataset;
use crate::driver::{Candidate, best_of};
use crate::error::{Error, Result, bytes};
use crate::kmeans::{check_labels, refuse_empty};
use crate::method::{Fit, Method};
use crate::model::{Labels, Model, labels_of};
use crate::model_file::Tensors;
use crate::params::{Checked, Init, KernelChoice, KernelShape, Params, check_counts, typical_rows};
use crate::progress::Event;
use crate::report::{Report, Stop};
use features::by_landmarks;
use iterations::{KernelSpace, Limits, NONE};
use separa_math::distance::check_kernel;
use separa_math::kernel::feature_map::KernelSums;
use separa_math::kernel::mercer::Kernel;
use separa_math::kmeans::clearly_less;
use separa_math::linalg::{Precision, SymMatrix};
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored, Subset, pick};
use separa_math::rng::Rng;

impl Method for KernelKMeans {
    type Model = KernelKMeansModel;

    fn run(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<KernelKMeansModel>> {
        let n = data.n();
        check_counts::<Self>(data, p.n_clusters, p.landmarks)?;
        if let Init::Labels(labels) = &p.init {
            check_labels::<Self>(labels, n, p.n_clusters)?;
        }
        let mut notes = Vec::new();
        let landmarks = plan(p, data, ctx, &mut notes)?;
        // Rows without weight take no part; they are labelled at the end.
        let kept: Vec<usize> = (0..n).filter(|&i| data.weight(i) > 0.0).collect();
        let (weights, unit) = scaled_weights(data, &kept);
        ctx.emit(Event::Phase { name: "kernel" });
        let (mut model, mut report) = if landmarks > 0 {
            by_landmarks(p, data, &kept, &weights, landmarks, ctx)?
        } else {
            let (model, mut report) = by_matrix(p, data, &kept, &weights, ctx)?;
            report.objective *= unit;
            report.trace.iter_mut().for_each(|v| *v *= unit);
            (model, report)
        };
        let labels = number(&mut model, data.x())?;
        if model.n_clusters() < p.n_clusters {
            let text = format!(
                "found {} clusters instead of {}: the kernel separates no more rows",
                model.n_clusters(),
                p.n_clusters
            );
            notes.push(Note::warning(codes::FEWER_CLUSTERS, text));
        }
        report.notes = notes;
        Ok(Fit { model, labels, report })
    }

    fn load(tensors: &Tensors) -> Result<KernelKMeansModel> {
        KernelKMeansModel::load(tensors)
    }
}

/// How many landmarks, by what the memory allows; 0 for the kernel of all pairs.
fn plan(
    p: &KernelKMeans,
    data: &Dataset<'_>,
    ctx: &Ctx<'_>,
    notes: &mut Vec<Note>,
) -> Result<usize> {
    let (n, d, k) = (data.n() as u64, data.d() as u64, p.n_clusters as u64);
    let entries: u64 = (0..data.n()).map(|i| data.x().row_values(i).len() as u64).sum();
    let given = p.kernel == KernelChoice::Precomputed;
    // The matrix (and a copy that is checked), the rows of the model, sums and seeds.
    let matrix = SymMatrix::bytes(data.n(), Precision::Double);
    let copy = if given { 8 * n * n } else { (8 * n * d).min(16 * entries) };
    let whole = matrix + copy + 8 * n * (3 * k + 80);
    let some = |m: usize| {
        let m = m as u64;
        8 * (2 * n * m + m * d + 4 * m * m + n * (3 * k + 16))
    };
    // As many landmarks as rows: all pairs, whatever they take. Nyström gives the same, at the cube of so many.
    let too_long = PairCost::KERNEL.is_long(data.n(), data.d());
    let all = p.landmarks == data.n() && too_long;
    if p.landmarks > 0 && !all {
        let remedy = Remedy::FewerLandmarks.or(Remedy::RaiseMemory);
        ctx.memory.require(KernelKMeans::NAME, some(p.landmarks), remedy)?;
        return Ok(p.landmarks);
    }
    let few = if given || all { None } else { ctx.memory.landmarks(data.n(), some) };
    if let (true, Some(few)) = (too_long || !ctx.memory.allows(whole), few) {
        let (why, remedy) = match too_long {
            true => {
                let time = in_words(PairCost::KERNEL.of_all(data.n(), data.d()));
                (format!("would take {time}"), Remedy::set("landmarks", n))
            }
            false => {
                let why = format!("needs about {} of memory, more than may be used", bytes(whole));
                (why, Remedy::RaiseMemory)
            }
        };
        let text = format!(
            "the kernel of all pairs of {n} rows {why}: it is approximated with {few} landmarks"
        );
        notes.push(Note::notice(codes::LANDMARKS, text).with(remedy));
        return Ok(few);
    }
    ctx.memory.require(KernelKMeans::NAME, whole, Remedy::RaiseMemory)?;
    Ok(0)
}

fn kernel_of(p: &KernelKMeans, rows: &dyn Rows, weights: &[f64], seed: u64) -> Option<Kernel> {
    let shape = KernelShape { gamma: p.gamma, degree: p.degree, coef0: p.coef0 };
    let index = typical_rows(weights, seed);
    p.kernel.kernel(shape, &Subset { rows, index: &index }, seed)
}

/// Lloyd's iterations on the kernel of all pairs.
fn by_matrix(
    p: &KernelKMeans,
    data: &Dataset<'_>,
    kept: &[usize],
    weights: &[f64],
    ctx: &mut Ctx<'_>,
) -> Result<(KernelKMeansModel, Report)> {
    let (x, k) = (data.x(), p.n_clusters);
    let subset = Subset { rows: &x, index: kept };
    let rows: &dyn Rows = if kept.len() == x.rows() { &x } else { &subset };
    let kernel = kernel_of(p, rows, weights, ctx.seed);
    let gram = match kernel {
        Some(kernel) => kernel.symmetric(rows, Precision::Double),
        None => given_kernel(x, kept)?,
    };
    let space = KernelSpace::new(&gram, weights);
    if let Some((i, value)) = space.overflow() {
        let of = format!("kernel-kmeans: the kernel of row {} with itself", kept[i] + 1);
        return Err(Error::KernelOverflow { of, value, most: "1e200" });
    }
    let limits = Limits { max_iter: p.max_iter, tol: p.tol };
    let mut best = f64::INFINITY;
    let (run, initializations) = best_of(ctx, initializations(p, kept)?, |ctx, start| {
        let members = match start {
            Start::Members(members) => members,
            Start::Drawn(task) => {
                space.seed(k, p.init == Init::Auto, &mut Rng::new(ctx.seed, task))
            }
        };
        let run = space.lloyd(members, k, limits, &mut |iteration, objective, changed| {
            ctx.emit(Event::Iteration { iteration, max_iter: p.max_iter, objective, changed })
        });
        if clearly_less(run.objective, best) {
            best = run.objective;
        }
        let score = -run.objective.max(best);
        Ok(Candidate { score, iterations: run.iterations, value: run })
    })?;

    let report = Report {
        objective: run.objective,
        iterations: run.iterations,
        stop: if ctx.cancelled() { Stop::Cancelled } else { run.stop },
        initializations,
        trace: run.trace,
        ..Report::idle()
    };
    // A given kernel has a column for every row of the table, the others a point for every row kept.
    let (width, place): (usize, Box<dyn Fn(usize) -> usize>) = match kernel {
        Some(_) => (kept.len(), Box::new(|r| r)),
        None => (x.rows(), Box::new(|r| kept[r])),
    };
    let mut mass = vec![0.0; k];
    for (r, &c) in run.members.iter().enumerate().filter(|(_, c)| **c != NONE) {
        mass[c as usize] += weights[r];
    }
    let mut shares = Dense::zeros(k, width);
    for (r, &c) in run.members.iter().enumerate().filter(|(_, c)| **c != NONE) {
        shares[(c as usize, place(r))] = weights[r] / mass[c as usize];
    }
    let sums = kernel.map(|kernel| {
        let landmarks = Stored::of(&x, kept);
        KernelSums { kernel, landmarks, scaler: None }
    });
    let mut model = KernelKMeansModel::new(sums, shares, run.squares);
    let used: Vec<usize> = (0..k).filter(|&c| mass[c] > 0.0).collect();
    model.reorder(&used);
    Ok((model, report))
}

/// The rows and columns `kept` of a table that is a kernel matrix.
fn given_kernel(x: MatrixRef<'_>, kept: &[usize]) -> Result<SymMatrix> {
    let whole = pick(&x, &(0..x.rows()).collect::<Vec<_>>());
    check_kernel(&whole)?;
    let mut gram = SymMatrix::zeros(kept.len(), Precision::Double);
    gram.fill(|rows, cols, out| {
        for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
            let from = whole.row(kept[i]);
            line.iter_mut().zip(&kept[cols.clone()]).for_each(|(o, &j)| *o = from[j]);
        }
    });
    Ok(gram)
}

/// Where a restart begins.
enum Start {
    Drawn(u64),
    Members(Vec<u32>),
}

fn initializations(p: &KernelKMeans, kept: &[usize]) -> Result<Vec<(String, Start)>> {
    let name = match &p.init {
        Init::Labels(labels) => {
            let of = |&i: &usize| u32::try_from(labels[i]).unwrap_or(NONE);
            let members: Vec<u32> = kept.iter().map(of).collect();
            if let Some(c) = (0..p.n_clusters).find(|&c| !members.contains(&(c as u32))) {
                return refuse_empty::<KernelKMeans, _>(p.n_clusters, c);
            }
            return Ok(vec![("given labels".into(), Start::Members(members))]);
        }
        Init::Auto => "greedy",
        Init::Named(name) => name,
    };
    let start = |i: usize| (format!("{name} {}", i + 1), Start::Drawn(i as u64));
    Ok((0..p.n_init).map(start).collect())
}

/// Labels all rows by the model's rule, numbers its clusters by first appearance and drops those
/// without rows. A row as near to one centre as to another goes by their numbers, so numbering may
/// move it: a few iterations settle that, then the rule has the last word.
fn number(model: &mut KernelKMeansModel, x: MatrixRef<'_>) -> Result<Labels> {
    let mut scores = model.scores(&x);
    let mut labels = labels_of(&rule(scores.clone(), x)?)?;
    for _ in 0..4 {
        let (renamed, order) = canonical(&labels);
        if order.iter().copied().eq(0..model.n_clusters()) {
            break;
        }
        model.reorder(&order);
        scores = model.reordered(&scores, &order, &x);
        labels = labels_of(&rule(scores.clone(), x)?)?;
        if labels == renamed {
            break;
        }
    }
    Ok(labels)
}
