//! The drift in one sentence.

use super::{Drift, FeatureDrift};
use crate::note::thousands;

/// Features that are named.
const NAMED: usize = 3;
/// Fewer rows can hide anything.
const FEW: usize = 30;

pub(super) fn sentence(found: &Drift) -> String {
    let rows = match found.n {
        1 => "1 new row".to_owned(),
        n => format!("{} new rows", thousands(n)),
    };
    let mut said = Vec::new();
    let moved: Vec<&FeatureDrift> = found.features.iter().filter(|f| f.drift).collect();
    if !moved.is_empty() {
        said.push(features(&moved, found.features.len()));
    }
    if found.clusters.drift {
        said.push(format!(
            "the fractions of the clusters have changed ({:.0} % of the rows would have to move)",
            100.0 * found.clusters.moved
        ));
    }
    if let Some(novelty) = found.novelty.as_ref().filter(|novelty| novelty.drift) {
        said.push(format!(
            "{:.1} % of the rows are unlike the training rows, {:.1} % were expected",
            100.0 * novelty.fraction,
            100.0 * novelty.expected
        ));
    }
    match (said.is_empty(), found.n < FEW) {
        (false, _) => format!("drift in {rows}: {}", said.join("; ")),
        (true, true) => format!("no drift found in {rows}, too few to tell"),
        (true, false) => {
            format!(
                "no drift: {rows} are distributed like the {} training rows",
                thousands(found.n_training)
            )
        }
    }
}

/// "3 of 8 features have moved (price from 4.2 to 5.1, …)".
fn features(moved: &[&FeatureDrift], of: usize) -> String {
    let each = moved.iter().take(NAMED).map(|f| {
        format!("{} from {} to {}", f.name, Short(f.median_training), Short(f.median_new))
    });
    let mut list: Vec<String> = each.collect();
    if moved.len() > NAMED {
        list.push("…".to_owned());
    }
    let verb = if moved.len() == 1 { "has" } else { "have" };
    format!("{} of {of} features {verb} moved (medians: {})", moved.len(), list.join(", "))
}

/// A number with three significant digits.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.abs() {
            0.0 => f.write_str("0"),
            size if (1e-4..1e7).contains(&size) => {
                let digits = (2 - size.log10().floor() as i32).max(0) as usize;
                write!(f, "{:.digits$}", self.0)
            }
            _ => write!(f, "{:.2e}", self.0),
        }
    }
}
