//! How sure the rule of a fit is of its rows, measured on the refits of the held-out agreement.

use super::agreement::{self, Refits};
use super::judge::Origin;
use crate::confidence::calibrate::{self, Rows, calibrate};
use crate::confidence::{Calibration, Margins};
use crate::data::Dataset;
use crate::error::Result;
use crate::method::AnyFit;
use crate::model::labels_of;

/// The calibration; without refits it knows the margins alone. None for one cluster, or if the rule cannot be asked.
pub(super) fn of_fit(
    data: &Dataset<'_>,
    fit: &AnyFit,
    origin: &Origin<'_>,
    refits: Option<&Refits>,
) -> Option<Calibration> {
    match fit.model.n_clusters() {
        ..2 => None,
        k => measured(k, data, fit, origin, refits).ok(),
    }
}

fn measured(
    k: usize,
    data: &Dataset<'_>,
    fit: &AnyFit,
    origin: &Origin<'_>,
    refits: Option<&Refits>,
) -> Result<Calibration> {
    if data.grouping().is_some() {
        let decision = fit.model.decision_on(data)?;
        let margins = Margins::of(&decision, &labels_of(&decision)?);
        return Ok(Calibration::unmeasured(k, calibrate::unit(&margins.margin)));
    }
    let drawn = agreement::drawn(data, origin);
    let decision = fit.model.decision(drawn.rows.matrix())?;
    // Outliers may be marked; the rule has a margin for them all the same.
    let margins = Margins::of(&decision, &labels_of(&decision)?);
    let Some(refits) = refits else {
        return Ok(Calibration::unmeasured(k, calibrate::unit(&margins.margin)));
    };
    let labels: Vec<i32> = drawn.index.iter().map(|&i| fit.labels[i]).collect();
    let rows = Rows { labels: &labels, margins: &margins };
    let usable = (0..data.n()).filter(|&i| data.weight(i) > 0.0).count();
    let unseen: Vec<f64> = refits.each.iter().filter_map(|refit| refit.unseen).collect();
    let halves = calibrate::RefitLabels {
        labels: refits.each.iter().map(|refit| refit.labels.as_slice()).collect(),
        unseen: unseen.iter().sum::<f64>() / unseen.len().max(1) as f64,
        rows: [drawn.index.len() / 2, usable],
        averaged: !origin.method.is_curved(),
    };
    calibrate(k, &rows, &halves)
}
