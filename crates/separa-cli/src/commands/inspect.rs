//! `separa inspect MODEL`: what a model file says about its model.

use crate::failure::{ExitCode, Result};
use crate::model_file;
use crate::text::{self, number, style};
use separa::model_file::Saved;
use separa_report::Table;
use std::path::Path;

/// Names shown before the rest is counted.
const NAMES: usize = 8;

pub fn run(path: &Path, json: bool) -> Result<ExitCode> {
    let saved = model_file::load(path)?;
    match json {
        true => text::print_json(&saved)?,
        false => text::print(&describe(path, &saved))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(path: &Path, h: &Saved) -> String {
    let sizes: Vec<String> = h.sizes().iter().map(|n| number::count(*n)).collect();
    let mut rows = vec![("method", h.method_name().to_owned())];
    match h.trained().map(|trained| trained.learnt()) {
        None => rows.push(("clusters", h.k().to_string())),
        Some(t) => {
            rows.push(("classes", format!("{}: {}", t.classes.len(), t.classes.join(", "))));
            rows.push(("learnt", learnt(t)));
        }
    }
    let iterations = number::counted(h.iterations(), "iteration");
    rows.extend([
        ("features", features(h)),
        ("fitted on", format!("{}, seed {}", number::counted(h.n(), h.thing()), h.seed())),
        ("sizes", sizes.join(", ")),
        ("ended", format!("{} after {iterations}", separa_report::ended(h.stop()))),
        ("objective", number::objective(h.objective())),
    ]);
    if let Ok(quality) = h.clustering().and_then(|found| found.quality()) {
        rows.push(("MSP", number::fraction(quality.msp)));
    }
    rows.push(("written by", format!("separa {}", h.version())));
    let params = h.params().iter().map(|(name, value)| (name.as_str(), plain(value)));
    let width = text::width();
    format!(
        "{}\n{}\n{}\n{}",
        style::paint(style::TITLE, path.display()),
        style::table(&Table::of_pairs("", rows), width),
        style::paint(style::TITLE, "parameters"),
        style::table(&Table::of_pairs("", params), width)
    )
}

/// What a classifier did and promises.
fn learnt(t: &separa::Learnt) -> String {
    let mut text = format!("{} of the training rows right", number::fraction(t.accuracy));
    if let Some(held_out) = t.held_out {
        text.push_str(&format!(", {} of those held out", number::fraction(held_out)));
    }
    let alpha = t.bounds.iter().flat_map(|b| b.alpha).fold(f64::INFINITY, f64::min);
    if let Some(bound) = t.bounds.first() {
        text.push_str(&format!("; least bound {} at reg {}", number::fraction(alpha), bound.reg));
    }
    text
}

fn features(h: &Saved) -> String {
    let Some(names) = h.feature_names() else { return format!("{} without names", h.d()) };
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(NAMES);
    let tail = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}: {shown}{tail}", h.d())
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
