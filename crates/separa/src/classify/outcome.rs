//! What every training ends with: labels, rates beside the bounds, and plain words where a bound is empty.

use super::class_pairs::{ClassPair, decide};
use super::machine::ClassifierModel;
use super::planes::PairBoundary;
use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::method::Fit;
use crate::model::labels_of;
use crate::note::{Note, Remedy, codes};
use crate::params::Named;
use crate::progress::Event;
use crate::report::{Bound, Learnt, Report, Stop};

/// What is known of a training beside its model.
#[derive(Debug)]
pub struct TrainingFacts {
    pub held_out: Option<f64>,
    pub settings: Named,
    /// The regulariser of the bounds.
    pub reg: f64,
    pub notes: Vec<Note>,
}

/// Labels the training rows and reports.
pub fn finish(
    machine: ClassifierModel,
    planes: &[PairBoundary],
    data: &Dataset<'_>,
    target: &Target,
    known: TrainingFacts,
    ctx: &mut Ctx<'_>,
) -> Result<Fit<ClassifierModel>> {
    let mut tallies = vec![Tally::default(); planes.len()];
    let blank = machine.blank();
    let mut labels = Vec::with_capacity(data.n());
    machine.each(&data.x(), |start, values| {
        for r in 0..values.rows() {
            let (class, w) = (target.classes()[start + r] as usize, data.weight(start + r));
            for (p, &value) in values.row(r).iter().enumerate() {
                let side = machine.class_pairs()[p].side(class);
                tallies[p].add(value, w, side, blank.as_ref().map(|b| b[p]));
            }
        }
        labels.extend(labels_of(&decide(values, machine.class_pairs(), target.k()))?);
        Ok(())
    })?;
    let bounds = bounds(&machine, planes, &tallies, known.reg);
    let mut report = report(&bounds, target, known);
    let right = |i: &usize| labels[*i] == target.classes()[*i] as i32;
    let all: f64 = (0..data.n()).map(|i| data.weight(i)).sum();
    let accuracy = (0..data.n()).filter(right).map(|i| data.weight(i)).sum::<f64>() / all;
    if let Some(trained) = &mut report.learnt {
        trained.accuracy = accuracy;
    }
    let objective = report.objective;
    ctx.emit(Event::Iteration { iteration: 1, max_iter: 1, objective, changed: 0 });
    report.notes.extend(floor_missed(planes));
    report.notes.extend(silent(&machine, planes, &tallies, target));
    let converged = planes.iter().all(|p| p.converged);
    report.notes.extend(not_converged(planes));
    report.stop = match converged {
        _ if ctx.cancelled() => Stop::Cancelled,
        true => Stop::Converged,
        false => Stop::MaxIter,
    };
    Ok(Fit { model: machine, labels, report })
}

/// What one boundary says of the training rows.
#[derive(Debug, Clone, Copy)]
struct Tally {
    /// The weight of each side's rows, and of those on their side.
    all: [f64; 2],
    right: [f64; 2],
    low: f64,
    high: f64,
    /// The rows that have a weight and a side, and those of them that the kernel says nothing of.
    rows: usize,
    silent: usize,
}

impl Default for Tally {
    fn default() -> Self {
        let (low, high) = (f64::MAX, f64::MIN);
        Self { all: [0.0; 2], right: [0.0; 2], low, high, rows: 0, silent: 0 }
    }
}

impl Tally {
    /// A row's value and weight; the side it is of, if any; the value of a row that the kernel says nothing of.
    fn add(&mut self, value: f64, w: f64, side: Option<bool>, blank: Option<f64>) {
        (self.low, self.high) = (self.low.min(value), self.high.max(value));
        let Some(one) = side else { return };
        self.all[usize::from(!one)] += w;
        self.right[usize::from(!one)] += if (value >= 0.0) == one { w } else { 0.0 };
        // Rounding of the offset is 1e-16 of it; what is a few thousand times that decides nothing.
        let silent = blank.is_some_and(|b| (value - b).abs() <= 1e-12 * b.abs());
        self.rows += usize::from(w > 0.0);
        self.silent += usize::from(w > 0.0 && silent);
    }
}

/// Warns of boundaries whose kernel says nothing of most rows: in many columns a row has next to nothing in
/// common with any summary, and what is left is the offset.
fn silent(
    machine: &ClassifierModel,
    planes: &[PairBoundary],
    tallies: &[Tally],
    target: &Target,
) -> Option<Note> {
    let mute = |plane: &PairBoundary, t: &Tally| {
        let told = plane.alpha.is_some_and(|a| a[0] + a[1] < 1e-12);
        let same = t.high - t.low <= 1e-12 * plane.b.abs().max(t.high.abs());
        !told && (same || 2 * t.silent > t.rows)
    };
    let found: Vec<usize> = (0..planes.len()).filter(|&p| mute(&planes[p], &tallies[p])).collect();
    let first = *found.first()?;
    let (pair, tally) = (machine.class_pairs()[first], tallies[first]);
    let name = |c: usize| format!("\"{}\"", target.names()[c]);
    let other = pair.two.map_or("the rest".to_owned(), name);
    let which = match found.len() {
        1 => format!("the boundary of {} and {other}", name(pair.one)),
        n => format!("the boundary of {} and {other} (as {} more)", name(pair.one), n - 1),
    };
    let what = match 2 * tally.silent > tally.rows {
        true => format!("decides {} of {} rows by its offset alone", tally.silent, tally.rows),
        false => "gives every row the same value".to_owned(),
    };
    let text =
        format!("{which} {what}: the kernel of a row with what was learnt is too small to count");
    let remedy = Remedy::set("kernel", "rbf").or(Remedy::DropColumns);
    Some(Note::warning(codes::KERNEL_TOO_SMALL, text).with(remedy))
}

/// The report, without what takes the rows.
pub fn report(bounds: &[Bound], target: &Target, known: TrainingFacts) -> Report {
    let mut notes = known.notes;
    notes.extend(equal_means(bounds, target));
    let trained = Learnt {
        classes: target.names().to_vec(),
        text: target.is_text(),
        accuracy: f64::NAN,
        held_out: known.held_out,
        settings: known.settings,
        bounds: bounds.to_vec(),
    };
    Report {
        objective: Bound::least(bounds),
        iterations: 1,
        learnt: Some(trained),
        notes,
        ..Report::idle()
    }
}

/// What must be said of boundaries, whatever the rows on their sides are.
pub fn warnings(planes: &[PairBoundary], bounds: &[Bound], target: &Target) -> Vec<Note> {
    let of_planes = floor_missed(planes).into_iter().chain(not_converged(planes));
    equal_means(bounds, target).into_iter().chain(of_planes).collect()
}

fn equal_means(bounds: &[Bound], target: &Target) -> Vec<Note> {
    let name = |c: usize| format!("\"{}\"", target.names()[c]);
    let said = |bound: &Bound| {
        let other = bound.against.map_or("the rest".to_owned(), name);
        let text = format!(
            "the means of {} and {other} are equal, so the bound is 0: this boundary is no better than a guess, \
             with these columns",
            name(bound.class)
        );
        Note::warning(codes::EQUAL_MEANS, text).with(Remedy::change("kernel"))
    };
    bounds.iter().filter(|b| b.alpha[0] + b.alpha[1] < 1e-12).map(said).collect()
}

fn floor_missed(planes: &[PairBoundary]) -> Option<Note> {
    let text = "no boundary keeps the floor: the bound of both sides is made equal instead";
    let note = Note::warning(codes::FLOOR_NOT_MET, text).with(Remedy::lower("floor"));
    planes.iter().any(|p| p.short).then_some(note)
}

fn not_converged(planes: &[PairBoundary]) -> Option<Note> {
    let text = "a boundary was not found to its tolerance within the steps allowed";
    let easier = Remedy::lower("c").or(Remedy::lower("gamma"));
    let note = Note::warning(codes::NOT_CONVERGED, text).with(easier);
    planes.iter().any(|p| !p.converged).then_some(note)
}

/// Every bound with the rate of the training rows beside it.
fn bounds(
    machine: &ClassifierModel,
    planes: &[PairBoundary],
    tallies: &[Tally],
    reg: f64,
) -> Vec<Bound> {
    let of = |((plane, pair), t): ((&PairBoundary, &ClassPair), &Tally)| {
        let rate = [t.right[0] / t.all[0], t.right[1] / t.all[1]];
        Some(Bound { class: pair.one, against: pair.two, alpha: plane.alpha?, reg, rate })
    };
    planes.iter().zip(machine.class_pairs()).zip(tallies).filter_map(of).collect()
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

#[cfg(test)]
mod tests {
    use super::super::basis::BasisFunctions;
    use super::super::choices::Multiclass;
    use super::*;
    use separa_math::matrix::DenseRef;

    #[test]
    fn a_boundary_short_of_its_tolerance_is_told_as_such() {
        let x = [0.0, 1.0, 2.0, 3.0];
        let data = Dataset::new(DenseRef::new(4, 1, &x).unwrap().into()).unwrap();
        let target = Target::from_texts("y", &["a", "a", "b", "b"]).unwrap();
        for converged in [false, true] {
            let plane =
                PairBoundary { coef: vec![1.0], b: -1.5, alpha: None, short: false, converged };
            let basis = BasisFunctions::Linear { d: 1 };
            let machine =
                ClassifierModel::new(2, Multiclass::Pairs, basis, std::slice::from_ref(&plane));
            let settings = Named::new();
            let known = TrainingFacts { held_out: None, settings, reg: 1.0, notes: Vec::new() };
            let fit = finish(machine, &[plane], &data, &target, known, &mut Ctx::new(0)).unwrap();
            assert_eq!(fit.labels, [0, 0, 1, 1]);
            assert_eq!(fit.report.stop, if converged { Stop::Converged } else { Stop::MaxIter });
            let said: String = fit.report.warnings().map(Note::to_string).collect();
            assert_eq!(said.contains("not found to its tolerance"), !converged, "{said}");
        }
    }
}
