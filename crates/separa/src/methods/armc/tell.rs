//! What a report says of a fit.

use super::choices::OutputBound;
use super::params::Armc;
use super::rest::Found;
use super::split::Split;
use super::table::Table;
use crate::data::Dataset;
use crate::error::Result;
use crate::params::KernelChoice;
use crate::params::bad_param;
use crate::report::{Report, StartReport, Stop};

/// From this share on, rows that the balance holds against f are worth a word.
const HELD: f64 = 0.05;

pub(super) fn constant(p: &Armc, table: &Table, data: &Dataset<'_>, report: &mut Report) {
    if table.constant > 0 && table.constant < data.d() && p.kernel != KernelChoice::Precomputed {
        let (some, verb) =
            if table.constant == 1 { ("1 column", "has") } else { ("columns", "have") };
        let some =
            if table.constant == 1 { some.into() } else { format!("{} {some}", table.constant) };
        report.notices.push(format!("{some} {verb} one value only and no say"));
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
        let named = |s: &StartReport| match i {
            0 => s.clone(),
            _ => StartReport { name: format!("split {}: {}", i + 1, s.name), ..s.clone() },
        };
        report.starts.extend(split.starts.iter().map(named));
        if split.run.stop != Stop::Converged {
            report.stop = split.run.stop;
        }
        if let Some(text) = convergence(p, split.run.answer.converged, split.run.answer.gap) {
            say(&mut report.warnings, text);
        }
    }
    let warnings = &mut report.warnings;
    if splits.iter().any(|s| s.frozen) {
        say(warnings, frozen(p));
    }
    if splits.iter().any(|s| s.shifted) {
        say(warnings, "f has one sign on all rows of a part, so that the balance says where to cut: the split is not clear; lower reg or change the kernel".into());
    }
    if splits.iter().any(|s| s.thin) {
        say(warnings, "a split leaves fewer rows on one side than min_cluster_size asks: they may be outliers rather than a cluster; try another balance, fewer clusters or min_cluster_size=1".into());
    }
    let held = splits.iter().map(|s| s.held).fold(0.0, f64::max);
    let remedy = "set balance to the share that you expect, or to scan";
    if held > HELD {
        let held = 100.0 * held;
        say(
            warnings,
            format!(
                "the split sits on its balance: {held:.0} % of the rows were held on the other side than the rule puts them; {remedy}"
            ),
        );
    } else if splits.iter().any(|s| s.binds) {
        say(
            warnings,
            format!(
                "the split sits on its balance: another share of the rows on a side would make a clearer one; {remedy}"
            ),
        );
    }
    Ok(())
}

/// Of clusters against all others.
pub(super) fn together(p: &Armc, found: &Found, report: &mut Report) -> Result<()> {
    let run = &found.together;
    for answer in &run.answers {
        refuse_price(p, answer.price)?;
    }
    report.objective = run.trace.last().copied().unwrap_or(0.0);
    report.iterations = run.trace.len();
    report.trace.clone_from(&run.trace);
    report.stop = run.stop;
    report.starts.extend(found.starts.iter().cloned());
    for answer in &run.answers {
        if let Some(text) = convergence(p, answer.converged, answer.gap) {
            say(&mut report.warnings, text);
        }
    }
    if found.frozen {
        say(&mut report.warnings, frozen(p));
    }
    if run.shifted {
        say(&mut report.warnings, "some cluster's f is the largest for no row, so that their sizes say where to cut: the clusters are not clear; use fewer of them, lower reg or change the kernel".into());
    }
    if run.thin {
        say(&mut report.warnings, "a cluster has fewer rows than min_cluster_size asks: they may be outliers rather than a cluster; try fewer clusters or min_cluster_size=1".into());
    }
    Ok(())
}

fn frozen(p: &Armc) -> String {
    let (why, remedy) = match p.kernel {
        KernelChoice::Rbf | KernelChoice::Laplacian => {
            ("so narrow", "lower gamma (median is the default), or raise reg")
        }
        KernelChoice::Precomputed => {
            ("so near to the identity", "raise reg or give a wider kernel")
        }
        _ => ("of so many columns", "raise reg or use fewer columns"),
    };
    format!(
        "labels are frozen: the kernel is {why} that every row keeps the label that it starts with; {remedy}"
    )
}

fn convergence(p: &Armc, converged: bool, gap: f64) -> Option<String> {
    (!converged && gap > p.tol).then(|| {
        format!("the machine was not solved to the tolerance: its gap is {gap:.0e} of the objective; raise tol or reg")
    })
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

/// Once.
fn say(texts: &mut Vec<String>, text: String) {
    if !texts.contains(&text) {
        texts.push(text);
    }
}
