//! What a report says of a fit.

use super::choices::OutputBound;
use super::params::Armc;
use super::rest::OneVsRest;
use super::split::Split;
use super::table::ArmcTable;
use crate::data::Dataset;
use crate::error::Result;
use crate::note::{Note, Remedy, codes};
use crate::params::{KernelChoice, bad_param};
use crate::report::{InitializationReport, Report, Stop};

/// From this fraction on, rows that the balance holds against f are worth a word.
const HELD: f64 = 0.05;

pub(super) fn constant(p: &Armc, table: &ArmcTable, data: &Dataset<'_>, report: &mut Report) {
    if table.constant > 0 && table.constant < data.d() && p.kernel != KernelChoice::Precomputed {
        let (some, verb) =
            if table.constant == 1 { ("1 column", "has") } else { ("columns", "have") };
        let some =
            if table.constant == 1 { some.into() } else { format!("{} {some}", table.constant) };
        let text = format!("{some} {verb} one value only and no influence");
        report.notes.push(Note::notice(codes::CONSTANT_COLUMNS, text));
    }
}

/// Of a tree of splits.
pub(super) fn divided(p: &Armc, splits: &[Split], report: &mut Report) -> Result<()> {
    for split in splits {
        refuse_price(p, split.run.answer.price)?;
    }
    report.objective = splits.iter().map(|s| s.run.answer.value).sum();
    report.iterations = splits.iter().map(|s| s.run.iterations).sum();
    report.trace = splits.first().map_or(Vec::new(), |s| s.run.trace.clone());
    for (i, split) in splits.iter().enumerate() {
        let named = |s: &InitializationReport| match i {
            0 => s.clone(),
            _ => InitializationReport { name: format!("split {}: {}", i + 1, s.name), ..s.clone() },
        };
        report.initializations.extend(split.initializations.iter().map(named));
        if split.run.stop != Stop::Converged {
            report.stop = split.run.stop;
        }
        warn(report, convergence(p, split.run.answer.converged, split.run.answer.gap));
    }
    if splits.iter().any(|s| s.frozen) {
        warn(report, Some(frozen(p)));
    }
    if splits.iter().any(|s| s.shifted) {
        let text = "f has one sign on all rows of a part, so that the balance decides where to split: the split is not clear";
        let remedy = Remedy::lower("reg").or(Remedy::change("kernel"));
        warn(report, Some(Note::warning(codes::UNCLEAR_SPLIT, text).with(remedy)));
    }
    if splits.iter().any(|s| s.thin) {
        let text = "a split leaves fewer rows on one side than min_cluster_size asks: they may be outliers rather than a cluster";
        let other = Remedy::change("balance").or(Remedy::FewerClusters);
        let remedy = other.or(Remedy::set("min_cluster_size", 1));
        warn(report, Some(Note::warning(codes::SMALL_CLUSTER, text).with(remedy)));
    }
    let held = splits.iter().map(|s| s.held).fold(0.0, f64::max);
    let why = if held > HELD {
        let held = 100.0 * held;
        format!("{held:.0} % of the rows were held on the other side than the rule puts them")
    } else if splits.iter().any(|s| s.binds) {
        "another fraction of the rows on a side would make a clearer one".to_owned()
    } else {
        return Ok(());
    };
    let text = format!("the split sits on its balance: {why}");
    let remedy = Remedy::change("balance").or(Remedy::set("balance", "scan"));
    warn(report, Some(Note::warning(codes::BALANCE_BINDS, text).with(remedy)));
    Ok(())
}

/// Of clusters against all others.
pub(super) fn together(p: &Armc, found: &OneVsRest, report: &mut Report) -> Result<()> {
    let run = &found.together;
    for answer in &run.answers {
        refuse_price(p, answer.price)?;
    }
    report.objective = run.trace.last().copied().unwrap_or(0.0);
    report.iterations = run.trace.len();
    report.trace.clone_from(&run.trace);
    report.stop = run.stop;
    report.initializations.extend(found.initializations.iter().cloned());
    for answer in &run.answers {
        warn(report, convergence(p, answer.converged, answer.gap));
    }
    if found.frozen {
        warn(report, Some(frozen(p)));
    }
    if run.shifted {
        let text = "some cluster's f is the largest for no row, so that their sizes decide where to split: the clusters are not clear";
        let other = Remedy::FewerClusters.or(Remedy::lower("reg"));
        let remedy = other.or(Remedy::change("kernel"));
        warn(report, Some(Note::warning(codes::UNCLEAR_SPLIT, text).with(remedy)));
    }
    if run.thin {
        let text = "a cluster has fewer rows than min_cluster_size asks: they may be outliers rather than a cluster";
        let remedy = Remedy::FewerClusters.or(Remedy::set("min_cluster_size", 1));
        warn(report, Some(Note::warning(codes::SMALL_CLUSTER, text).with(remedy)));
    }
    Ok(())
}

fn frozen(p: &Armc) -> Note {
    let reg = Remedy::raise("reg");
    let (why, remedy) = match p.kernel {
        KernelChoice::Rbf | KernelChoice::Laplacian => {
            ("so narrow", Remedy::lower("gamma").or(reg))
        }
        KernelChoice::Precomputed => ("so near to the identity", reg),
        _ => ("of so many columns", reg.or(Remedy::DropColumns)),
    };
    let text = format!(
        "labels are frozen: the kernel is {why} that every row keeps the label that it starts with"
    );
    Note::warning(codes::FROZEN_LABELS, text).with(remedy)
}

fn convergence(p: &Armc, converged: bool, gap: f64) -> Option<Note> {
    let text = || {
        format!(
            "the machine was not solved to the tolerance: its gap is {gap:.0e} of the objective"
        )
    };
    let remedy = || Remedy::raise("tol").or(Remedy::raise("reg"));
    (!converged && gap > p.tol).then(|| Note::warning(codes::NOT_CONVERGED, text()).with(remedy()))
}

/// A price so high that the bound falls below 1, where f = 0 is not far.
fn refuse_price(p: &Armc, price: Option<f64>) -> Result<()> {
    match price {
        Some(most) if p.bound == OutputBound::Free => {
            let expected = format!(
                "at most {most:.3} for these rows (a higher price pushes |f| below 1, and then to 0)"
            );
            bad_param::<Armc, _>("mu", expected, p.mu)
        }
        _ => Ok(()),
    }
}

/// Adds a note, once.
fn warn(report: &mut Report, note: Option<Note>) {
    report.notes.extend(note.filter(|note| !report.notes.contains(note)));
}
