//! Classifiers on rows that pass by: one pass learns, another measures.
//!
//! The rule of a sample brings along points: the means of the classes, or of the summaries of each class. A first pass
//! sums all rows about them, every row about the nearest point of its class; boundaries follow from the sums with the
//! settings that the sample chose. A second pass counts on which side of the boundaries all rows are.
//!
//! Cost      N·d²/2 for boundaries from class moments, N·d·M for M summaries of a class; memory for the sums alone.

use super::class_pairs::{ClassPair, decide};
use super::machine::ClassifierModel;
use super::mpm::Mpm;
use super::outcome::warnings;
use super::plan::SummaryTraining;
use super::planes::{PairBoundary, minimax};
use super::search::boundary_options;
use super::summaries::Summaries;
use super::tuning::TunedSummaries;
use crate::data::Target;
use crate::error::{Error, Result};
use crate::model::{Model, labels_of};
use crate::model_file::Tensors;
use crate::note::Note;
use crate::params::Named;
use crate::pass::{ClassPassRule, Sums, about};
use crate::report::{Bound, Learnt};
use crate::scaled_model::ScaledModel;
use separa_math::gauss::{Cell, Shape};
use separa_math::matrix::{Dense, MatrixRef, Rows};
use separa_math::par;

/// How boundaries follow from sums.
#[derive(Debug, Clone)]
pub(super) enum LearntFrom {
    /// The moments of each class.
    Classes(Box<Mpm>),
    /// The summaries of each class.
    Summaries(SummaryTraining),
    /// They do not: the rule of the sample stands.
    Sample,
}

/// A classifier between two passes.
#[derive(Debug, Clone)]
struct MachinePasses {
    from: LearntFrom,
    model: ScaledModel<ClassifierModel>,
    learnt: Learnt,
    /// What rows are summed about; none once the rule is that of all rows.
    points: Option<Points>,
    notes: Vec<Note>,
}

/// Points near the rows of each class, all of a class one after the other.
#[derive(Debug, Clone)]
struct Points {
    about: Dense,
    class_of: Vec<usize>,
    shape: Shape,
}

/// The rule of a sample, or of passes under way.
pub(super) fn begin(
    from: LearntFrom,
    tensors: &Tensors,
    learnt: &Learnt,
) -> Result<Option<Box<dyn ClassPassRule>>> {
    let model = ScaledModel::load(tensors, ClassifierModel::load)?;
    let mut passes =
        MachinePasses { from, model, learnt: learnt.clone(), points: None, notes: Vec::new() };
    // A tiny table keeps the rule of its sample.
    if !passes.model.in_own_units() {
        passes.from = LearntFrom::Sample;
    }
    passes.points = match tensors.contains("pass.about") {
        true => Some(Points::load(tensors)?),
        false if tensors.contains("pass.means") => passes.first_points(tensors)?,
        false => None,
    };
    if passes.points.as_ref().is_some_and(|p| p.about.cols() != passes.model.n_features()) {
        return Err(Error::Model("its state between passes has an impossible shape".into()));
    }
    Ok(Some(Box::new(passes)))
}

impl Points {
    fn load(tensors: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its state between passes has an impossible shape".into());
        let about = tensors.matrix("pass.about")?;
        let classes = tensors.integers("pass.classes")?;
        let [full, class_of @ ..] = &classes[..] else { return Err(wrong()) };
        let class_of: Option<Vec<usize>> =
            class_of.iter().map(|&c| usize::try_from(c).ok()).collect();
        let class_of = class_of.filter(|c| c.len() == about.rows() && c.is_sorted());
        let shape = if *full == 1 { Shape::Full } else { Shape::Diag };
        Ok(Self { about, class_of: class_of.ok_or_else(wrong)?, shape })
    }

    /// Numbers of one point among the sums: weight, sums, squares.
    fn numbers(&self) -> usize {
        let d = self.about.cols();
        1 + d + self.shape.len(d)
    }

    /// The points of a class.
    fn of(&self, class: usize) -> std::ops::Range<usize> {
        let from = self.class_of.partition_point(|&c| c < class);
        from..self.class_of.partition_point(|&c| c <= class)
    }

    /// The nearest point of each row's class.
    fn nearest(&self, rows: &dyn Rows, classes: &[u32]) -> Vec<u32> {
        let mut out = vec![0; classes.len()];
        par::fill_chunks(&mut out, 1, |range, part| {
            let mut row = vec![0.0; self.about.cols()];
            for (i, place) in range.zip(part) {
                rows.copy_row(i, &mut row);
                let square = |p: usize| -> f64 {
                    row.iter().zip(self.about.row(p)).map(|(x, a)| (x - a) * (x - a)).sum()
                };
                let mut best = (f64::INFINITY, 0);
                for p in self.of(classes[i] as usize) {
                    let found = square(p);
                    if found < best.0 {
                        best = (found, p);
                    }
                }
                *place = best.1 as u32;
            }
        });
        out
    }

    /// The sums of all points.
    fn sum(&self, rows: &dyn Rows, classes: &[u32]) -> Vec<f64> {
        let one_each = self.about.rows() == self.class_of.last().map_or(0, |c| c + 1);
        let nearest = if one_each { classes.to_vec() } else { self.nearest(rows, classes) };
        if self.shape == Shape::Full {
            let labels: Vec<i32> = nearest.iter().map(|&p| p as i32).collect();
            return about::sums(rows, &labels, self.about.rows(), |p| self.about.row(p));
        }
        let (d, numbers) = (self.about.cols(), self.numbers());
        let map = |range: std::ops::Range<usize>| {
            let (mut part, mut row) = (vec![0.0; self.about.rows() * numbers], vec![0.0; d]);
            for i in range {
                rows.copy_row(i, &mut row);
                let p = nearest[i] as usize;
                let own = &mut part[p * numbers..(p + 1) * numbers];
                own[0] += 1.0;
                let (sums, squares) = own[1..].split_at_mut(d);
                let places = sums.iter_mut().zip(squares).zip(row.iter().zip(self.about.row(p)));
                places.for_each(|((s, q), (x, a))| {
                    let e = x - a;
                    *s += e;
                    *q += e * e;
                });
            }
            part
        };
        let mut total = vec![0.0; self.about.rows() * numbers];
        par::fold_chunks(nearest.len(), map, |part| {
            total.iter_mut().zip(part).for_each(|(a, b)| *a += b);
        });
        total
    }

    /// What the rows of each point come to, and its class; points without rows are left out.
    fn summaries(&self, values: &[f64], k: usize) -> Summaries {
        let d = self.about.cols();
        let each = values.chunks_exact(self.numbers()).enumerate().filter(|(_, v)| v[0] > 0.0);
        let cell = |p: usize, v: &[f64]| {
            let (weight, offset) = (v[0], v[1..=d].iter().map(|s| s / v[0]).collect::<Vec<_>>());
            let mut scatter = v[1 + d..].to_vec();
            for (at, i, j) in entries(self.shape, d) {
                scatter[at] -= weight * offset[i] * offset[j];
            }
            (0..d).for_each(|j| {
                let at = self.shape.diagonal(j);
                scatter[at] = scatter[at].max(0.0);
            });
            let mean = offset.iter().zip(self.about.row(p)).map(|(o, a)| a + o).collect();
            Cell { weight, mean, scatter }
        };
        let (class_of, cells) = each.map(|(p, v)| (self.class_of[p], cell(p, v))).unzip();
        Summaries { cells, class_of, k }
    }
}

/// The places of packed numbers, with their row and column.
fn entries(shape: Shape, d: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let lines = (0..d).flat_map(move |i| {
        let first = if shape == Shape::Diag { i } else { 0 };
        (first..=i).map(move |j| (i, j))
    });
    lines.enumerate().map(|(at, (i, j))| (at, i, j))
}

impl MachinePasses {
    /// The points of a sample: the means of its classes, or of its summaries.
    fn first_points(&self, tensors: &Tensors) -> Result<Option<Points>> {
        let k = self.learnt.classes.len();
        Ok(match &self.from {
            LearntFrom::Sample => None,
            LearntFrom::Classes(_) => {
                let means = tensors.matrix("pass.means")?;
                let mut about = means.clone();
                if let Some(scaler) = self.model.scaler() {
                    let scaled = scaler.view(&means);
                    (0..k).for_each(|c| scaled.copy_row(c, about.row_mut(c)));
                }
                Some(Points { about, class_of: (0..k).collect(), shape: Shape::Full })
            }
            LearntFrom::Summaries(plan) => {
                let counts: Vec<usize> = setting(&self.learnt.settings, "summaries")?;
                let class_of = counts.iter().enumerate().flat_map(|(c, &n)| vec![c; n]).collect();
                let about = tensors.matrix("means")?;
                Some(Points { about, class_of, shape: plan.kernel.shape })
            }
        })
    }

    fn target(&self) -> Result<Target> {
        Target::new(Vec::new(), self.learnt.classes.clone())
    }

    /// The boundaries that follow from the sums of all rows, with the settings that the sample chose.
    fn learn(&mut self, points: &Points, sums: &Sums) -> Result<()> {
        let target = self.target()?;
        let (machine, planes, reg) = match &self.from {
            LearntFrom::Sample => return Ok(()),
            LearntFrom::Classes(p) => {
                let classes = about::moments(&sums.values, &points.about);
                let reg: f64 = setting(&self.learnt.settings, "reg")?;
                let priors = p.priors.of(&target)?;
                let rule = boundary_options(p, reg, false, priors.is_some());
                let masses = priors.unwrap_or_else(|| classes.iter().map(|m| m.n()).collect());
                let planes = minimax(&classes, &masses, self.model.class_pairs(), rule)?;
                (self.model.with_boundaries(&planes), planes, reg)
            }
            LearntFrom::Summaries(plan) => {
                let summaries = points.summaries(&sums.values, target.k());
                let settings = &self.learnt.settings;
                let width = match settings.contains_key("gamma") {
                    true => (setting(settings, "gamma")?, false),
                    false => (1.0, true),
                };
                let value = setting(settings, plan.number)?;
                let count = summaries.cells.len();
                let chosen = TunedSummaries { count, width, value, held_out: None };
                let (machine, planes, settings, reg) = plan.machine(summaries, &target, chosen)?;
                self.learnt.settings = settings;
                (machine, planes, reg)
            }
        };
        self.learnt.bounds = bounds(machine.class_pairs(), &planes, reg);
        self.notes = warnings(&planes, &self.learnt.bounds, &target);
        self.model = self.model.with(machine);
        Ok(())
    }

    /// Numbers that the measuring pass sums: of each boundary the rows of both sides, and those on their side; all that
    /// are right.
    fn measured(&self) -> usize {
        4 * self.model.class_pairs().len() + 1
    }

    fn measure(&self, rows: MatrixRef<'_>, classes: &[u32]) -> Result<Vec<f64>> {
        let mut values = vec![0.0; self.measured()];
        let (pairs, k) = (self.model.class_pairs(), self.learnt.classes.len());
        self.model.each(&rows, |start, found| {
            for r in 0..found.rows() {
                let class = classes[start + r] as usize;
                for (p, &value) in found.row(r).iter().enumerate() {
                    let Some(one) = pairs[p].side(class) else { continue };
                    values[4 * p + usize::from(!one)] += 1.0;
                    values[4 * p + 2 + usize::from(!one)] += f64::from((value >= 0.0) == one);
                }
            }
            let labels = labels_of(&decide(found, pairs, k))?;
            let right = labels.iter().zip(&classes[start..]).filter(|(l, c)| **l == **c as i32);
            *values.last_mut().expect("one number more than the boundaries have") +=
                right.count() as f64;
            Ok(())
        })?;
        Ok(values)
    }
}

impl ClassPassRule for MachinePasses {
    fn takes_all_rows(&self) -> bool {
        !matches!(self.from, LearntFrom::Sample)
    }

    fn sum(&self, block: MatrixRef<'_>, classes: &[u32]) -> Result<Sums> {
        self.model.check_width(block)?;
        let k = self.learnt.classes.len();
        if let Some(i) = classes.iter().position(|&c| c as usize >= k) {
            return Err(Error::ClassNumber { row: i + 1, found: classes[i], most: k });
        }
        if classes.len() != block.rows() {
            let (found, expected) = (classes.len(), block.rows());
            return Err(Error::Length { what: "classes", found, expected, of: "rows" });
        }
        let scaled = self.model.scaler().map(|scaler| scaler.copy(block));
        let rows = scaled.as_ref().map_or(block, |rows| rows.matrix());
        let values = match &self.points {
            Some(points) => points.sum(&rows, classes),
            None => self.measure(rows, classes)?,
        };
        let labels: Vec<i32> = classes.iter().map(|&c| c as i32).collect();
        Ok(Sums::of_labels(&labels, k, values))
    }

    fn step(&mut self, sums: &Sums) -> Result<bool> {
        if let Some(points) = self.points.take() {
            self.learn(&points, sums)?;
            return Ok(false);
        }
        for (p, bound) in self.learnt.bounds.iter_mut().enumerate() {
            let counts = &sums.values[4 * p..4 * p + 4];
            bound.rate = [counts[2] / counts[0], counts[3] / counts[1]];
        }
        self.learnt.accuracy = sums.values.last().map_or(f64::NAN, |v| v / sums.rows as f64);
        Ok(true)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(self.model.clone())
    }

    fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    fn notes(&self) -> &[Note] {
        &self.notes
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        if let Some(points) = &self.points {
            out.put_matrix("pass.about", &points.about);
            let full = i64::from(points.shape == Shape::Full);
            let classes = points.class_of.iter().map(|&c| c as i64);
            out.put_integers(
                "pass.classes",
                &std::iter::once(full).chain(classes).collect::<Vec<_>>(),
            );
        }
        out
    }

    fn sum_bytes(&self) -> u64 {
        let numbers = match &self.points {
            Some(points) => points.about.rows() * points.numbers(),
            None => self.measured(),
        };
        8 * numbers as u64
    }

    fn boxed(&self) -> Box<dyn ClassPassRule> {
        Box::new(self.clone())
    }
}

/// Every bound, its rates still to be measured.
fn bounds(pairs: &[ClassPair], planes: &[PairBoundary], reg: f64) -> Vec<Bound> {
    let of = |(pair, plane): (&ClassPair, &PairBoundary)| {
        let (class, against, alpha) = (pair.one, pair.two, plane.alpha?);
        Some(Bound { class, against, alpha, reg, rate: [0.0; 2] })
    };
    pairs.iter().zip(planes).filter_map(of).collect()
}

/// A setting that the sample chose.
fn setting<T: serde::de::DeserializeOwned>(settings: &Named, name: &str) -> Result<T> {
    let value = settings.get(name).cloned().unwrap_or_default();
    serde_json::from_value(value)
        .map_err(|e| Error::Model(format!("its setting `{name}` cannot be read: {e}")))
}
