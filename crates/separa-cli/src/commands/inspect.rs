//! `separa inspect MODEL`: what a model file says about its model.

use crate::failure::Result;
use crate::model_file;
use crate::text::{self, number, style};
use separa::Grouping;
use separa::model_file::Header;
use separa_report::Table;
use std::path::Path;
use std::process::ExitCode;

/// Names shown before the rest is counted.
const NAMES: usize = 8;

pub fn run(path: &Path, json: bool) -> Result<ExitCode> {
    let saved = model_file::load(path)?;
    let thing = if saved.model.grouping() == Some(Grouping::Bags) { "bag" } else { "row" };
    match json {
        true => text::print_json(&saved.header)?,
        false => text::print(&describe(path, &saved.header, thing))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(path: &Path, h: &Header, thing: &str) -> String {
    let training = &h.training;
    let sizes: Vec<String> = training.sizes.iter().map(|n| number::count(*n)).collect();
    let mut rows = vec![("method", h.method.clone())];
    match &training.report.trained {
        None => rows.push(("clusters", h.n_clusters.to_string())),
        Some(t) => {
            rows.push(("classes", format!("{}: {}", t.classes.len(), t.classes.join(", "))));
            rows.push(("learnt", learnt(t)));
        }
    }
    let iterations = number::counted(training.report.iterations, "iteration");
    rows.extend([
        ("features", features(h)),
        ("fitted on", format!("{}, seed {}", number::counted(training.n, thing), training.seed)),
        ("sizes", sizes.join(", ")),
        ("ended", format!("{} after {iterations}", separa_report::ended(training.report.stop))),
        ("objective", number::objective(training.report.objective)),
    ]);
    if let Some(msp) = training.quality.as_ref().and_then(|q| q.get("msp")?.as_f64()) {
        rows.push(("MSP", number::fraction(msp)));
    }
    rows.push(("written by", format!("separa {}, format {}", h.separa, h.format_version)));
    let params = h.params.iter().map(|(name, value)| (name.as_str(), plain(value)));
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
fn learnt(t: &separa::Trained) -> String {
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

fn features(h: &Header) -> String {
    let Some(names) = &h.feature_names else { return format!("{} without names", h.n_features) };
    let shown = names.iter().take(NAMES).cloned().collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(NAMES);
    let tail = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}: {shown}{tail}", h.n_features)
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
