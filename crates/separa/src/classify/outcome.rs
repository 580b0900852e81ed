//! What every training ends with: labels, rates beside the bounds, and plain words where a bound is empty.

use super::duels::decide;
use super::machine::Machine;
use super::planes::Plane;
use crate::dataset::Dataset;
use crate::error::Result;
use crate::estimator::Settings;
use crate::estimator::{Bound, Ctx, Fit, Report, Stop, Trained, labels_of};
use crate::progress::Event;
use crate::target::Target;
use separa_math::matrix::Dense;

/// What is known of a training beside its model.
#[derive(Debug)]
pub struct Known {
    pub held_out: Option<f64>,
    pub settings: Settings,
    /// The regulariser of the bounds.
    pub reg: f64,
    pub notices: Vec<String>,
}

/// Labels the training rows and reports.
pub fn finish(
    machine: Machine,
    planes: &[Plane],
    (data, target): (&Dataset<'_>, &Target),
    known: Known,
    ctx: &mut Ctx<'_>,
) -> Result<Fit<Machine>> {
    let values = machine.boundaries(&data.x());
    let labels = labels_of(&decide(values.clone(), machine.duels(), target.k()))?;
    let bounds = bounds(&machine, planes, &values, (data, target), known.reg);
    let mut report = report(&bounds, target, known);
    let right = |i: &usize| labels[*i] == target.classes()[*i] as i32;
    let all: f64 = (0..data.n()).map(|i| data.weight(i)).sum();
    let accuracy = (0..data.n()).filter(right).map(|i| data.weight(i)).sum::<f64>() / all;
    if let Some(trained) = &mut report.trained {
        trained.accuracy = accuracy;
    }
    let objective = report.objective;
    ctx.emit(Event::Iteration { iteration: 1, max_iter: 1, objective, changed: 0 });
    if planes.iter().any(|p| p.short) {
        report.warnings.push(
            "no boundary keeps the floor: the bound of both sides is made equal instead; lower `floor`"
                .to_owned(),
        );
    }
    flat(&machine, planes, (&values, target), &mut report.warnings);
    let converged = planes.iter().all(|p| p.converged);
    if !converged {
        report.warnings.push(
            "a boundary was not found to its tolerance within the steps allowed; a smaller `c` or `gamma` is \
             easier"
                .to_owned(),
        );
    }
    report.stop = match converged {
        _ if ctx.cancelled() => Stop::Cancelled,
        true => Stop::Converged,
        false => Stop::MaxIter,
    };
    Ok(Fit { model: machine, labels, report })
}

/// Warns of boundaries whose kernel says nothing of any row: in many columns a row has next to nothing in
/// common with any summary, and what is left is the offset.
fn flat(
    machine: &Machine,
    planes: &[Plane],
    (values, target): (&Dense, &Target),
    warnings: &mut Vec<String>,
) {
    for (p, (plane, duel)) in planes.iter().zip(machine.duels()).enumerate() {
        let column = || (0..values.rows()).map(|i| values[(i, p)]);
        let (low, high) = column().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let told = plane.alpha.is_some_and(|a| a[0] + a[1] < 1e-12);
        if !told && high - low <= 1e-12 * plane.b.abs().max(high.abs()) {
            let name = |c: usize| format!("\"{}\"", target.names()[c]);
            let other = duel.two.map_or("the rest".to_owned(), name);
            warnings.push(format!(
                "the boundary of {} and {other} gives every row the same value: the kernel of a row with \
                 what was learnt is too small to count; try another kernel (rbf) or fewer columns",
                name(duel.one)
            ));
        }
    }
}

/// The report, without what takes the rows.
pub fn report(bounds: &[Bound], target: &Target, known: Known) -> Report {
    let name = |c: usize| format!("\"{}\"", target.names()[c]);
    let mut warnings = Vec::new();
    for bound in bounds.iter().filter(|b| b.alpha[0] + b.alpha[1] < 1e-12) {
        let other = bound.against.map_or("the rest".to_owned(), name);
        warnings.push(format!(
            "the means of {} and {other} are equal, so the bound is 0: this boundary is no better than a guess; \
             try another kernel or other columns",
            name(bound.class)
        ));
    }
    let trained = Trained {
        classes: target.names().to_vec(),
        accuracy: f64::NAN,
        held_out: known.held_out,
        settings: known.settings,
        bounds: bounds.to_vec(),
    };
    let objective = bounds.iter().flat_map(|b| b.alpha).fold(1.0, f64::min);
    Report {
        objective: if bounds.is_empty() { 0.0 } else { objective },
        iterations: 1,
        trained: Some(trained),
        warnings,
        notices: known.notices,
        ..Report::idle()
    }
}

/// Every bound with the rate of the training rows beside it.
fn bounds(
    machine: &Machine,
    planes: &[Plane],
    values: &Dense,
    (data, target): (&Dataset<'_>, &Target),
    reg: f64,
) -> Vec<Bound> {
    let mut out = Vec::new();
    for (p, (plane, duel)) in planes.iter().zip(machine.duels()).enumerate() {
        let Some(alpha) = plane.alpha else { continue };
        let (mut all, mut right) = ([0.0; 2], [0.0; 2]);
        for i in 0..data.n() {
            let Some(one) = duel.side(target.classes()[i] as usize) else { continue };
            let (side, w) = (usize::from(!one), data.weight(i));
            all[side] += w;
            right[side] += if (values[(i, p)] >= 0.0) == one { w } else { 0.0 };
        }
        let rate = [right[0] / all[0], right[1] / all[1]];
        out.push(Bound { class: duel.one, against: duel.two, alpha, reg, rate });
    }
    out
}

/// The rows of each class that have a weight.
pub fn members(data: &Dataset<'_>, target: &Target) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); target.k()];
    for (i, &c) in target.classes().iter().enumerate() {
        if data.weight(i) > 0.0 {
            out[c as usize].push(i);
        }
    }
    out
}
