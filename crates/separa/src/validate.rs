//! Nested cross-validation of a classifier, chosen by name.

use crate::any_classifier::AnyClassifier;
use crate::classify::{folds, hits, members};
use crate::context::{Ctx, MemoryBudget};
use crate::data::{Dataset, Target};
use crate::error::{Error, Result};
use crate::method::AnyFit;
use crate::params::Named;
use crate::progress::{Event, Observer};
use rayon::prelude::*;
use separa_math::matrix::Stored;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// What a whole training run is worth on rows it has not seen.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CrossValidated {
    /// The fraction of rows classified right in each fold.
    pub folds: Vec<f64>,
    /// The mean over the folds.
    pub accuracy: f64,
    /// The standard deviation over the folds.
    pub sd: f64,
    /// The settings that each fold's training chose.
    pub settings: Vec<Named>,
}

/// Nested cross-validation: every fold is held out once from a whole training run, whose own choices see
/// nothing of it.
pub fn cross_validate(
    method: &dyn AnyClassifier,
    data: &Dataset<'_>,
    target: &Target,
    count: usize,
    ctx: &mut Ctx<'_>,
) -> Result<CrossValidated> {
    let members = members(data, target);
    let sizes = members.iter().map(Vec::len).enumerate();
    let (class, least) = sizes.min_by_key(|(_, n)| *n).unwrap_or((0, 0));
    // Every fold holds rows of every class, and two of each are left to learn from.
    if count < 2 || count > least || least < least.div_ceil(count) + 2 {
        let name = target.names().get(class).map_or("", String::as_str);
        return Err(Error::Folds { folds: count, class: name.to_owned(), rows: least });
    }
    let threads = ctx.threads;
    threads.install(|| side_by_side(method, data, target, &members, count, ctx))
}

/// Folds side by side where all their tables may be held at once; else one after the other.
fn side_by_side(
    method: &dyn AnyClassifier,
    data: &Dataset<'_>,
    target: &Target,
    members: &[Vec<usize>],
    count: usize,
    ctx: &mut Ctx<'_>,
) -> Result<CrossValidated> {
    let wave = rayon::current_num_threads().clamp(1, count);
    let tables = wave as u64 * 8 * (data.n() * data.d()) as u64;
    if wave > 1 && ctx.memory.allows(tables) {
        let part = MemoryBudget(ctx.memory.0.map(|budget| (budget - tables) / wave as u64));
        let task = Task { method, data, target, memory: part };
        match task.run(members, count, wave, ctx) {
            Err(Error::Memory { .. }) => {}
            done => return done,
        }
    }
    Task { method, data, target, memory: ctx.memory }.run(members, count, 1, ctx)
}

/// What is trained in every fold.
struct Task<'a> {
    method: &'a dyn AnyClassifier,
    data: &'a Dataset<'a>,
    target: &'a Target,
    memory: MemoryBudget,
}

/// The outer bell as seen from a fold: it hears that work goes on, and may end it.
struct Relay<'a, 'b, 'c>(&'a Mutex<&'b mut Ctx<'c>>);

impl Observer for Relay<'_, '_, '_> {
    fn on(&mut self, _: &Event) -> ControlFlow<()> {
        let mut ctx = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match ctx.emit(Event::Phase { name: "cross-validation" }) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Task<'_> {
    /// All folds, `wave` at a time; counted in order, so that the answer does not depend on it.
    fn run(
        &self,
        members: &[Vec<usize>],
        count: usize,
        wave: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<CrossValidated> {
        let seed = ctx.seed;
        let fold = folds(members, self.data.n(), count, seed);
        let mut out = CrossValidated { folds: vec![], accuracy: 0.0, sd: 0.0, settings: vec![] };
        let all: Vec<usize> = (0..count).collect();
        for some in all.chunks(wave) {
            let bell = Mutex::new(&mut *ctx);
            let train = |&f: &usize| self.held_out(&fold, f, seed, &bell);
            let found: Vec<Result<(f64, Option<Named>)>> = some.par_iter().map(train).collect();
            for (f, found) in some.iter().zip(found) {
                let (objective, settings) = found?;
                out.folds.push(objective);
                out.settings.extend(settings);
                let (iteration, max_iter) = (f + 1, count);
                ctx.emit(Event::Iteration { iteration, max_iter, objective, changed: 0 });
            }
            if ctx.cancelled() {
                break;
            }
        }
        let n = out.folds.len() as f64;
        out.accuracy = out.folds.iter().sum::<f64>() / n;
        let square = out.folds.iter().map(|a| (a - out.accuracy).powi(2)).sum::<f64>();
        out.sd = if n > 1.0 { (square / (n - 1.0)).sqrt() } else { 0.0 };
        Ok(out)
    }

    /// The fraction of rows classified right on fold `f` of a rule learnt from the others, and its settings.
    fn held_out(
        &self,
        fold: &[usize],
        f: usize,
        seed: u64,
        bell: &Mutex<&mut Ctx<'_>>,
    ) -> Result<(f64, Option<Named>)> {
        let Self { data, target, .. } = *self;
        let part = |held: bool| -> Vec<usize> {
            (0..fold.len()).filter(|&i| data.weight(i) > 0.0 && (fold[i] == f) == held).collect()
        };
        let (kept, held) = (part(false), part(true));
        let mut ctx = Ctx::observed(seed, Relay(bell));
        ctx.memory = self.memory;
        let fit = self.train(&kept, &mut ctx)?;
        let rows = Stored::of(&data.x(), &held);
        let labels = fit.model.predict(rows.matrix())?;
        let all: f64 = held.iter().map(|&i| data.weight(i)).sum();
        let right = hits(&labels, &held, target.classes(), &|i| data.weight(i)) / all;
        Ok((right, fit.report.learnt.map(|t| t.settings)))
    }

    fn train(&self, kept: &[usize], ctx: &mut Ctx<'_>) -> Result<AnyFit> {
        let Self { data, target, .. } = *self;
        let rows = Stored::of(&data.x(), kept);
        let weights: Option<Vec<f64>> =
            data.weights().map(|w| kept.iter().map(|&i| w[i]).collect());
        let part = data.part(rows.matrix())?;
        let part = match &weights {
            Some(weights) => part.with_weights(weights)?,
            None => part,
        };
        let classes = kept.iter().map(|&i| target.classes()[i]).collect();
        let target = Target::new(classes, target.names().to_vec())?;
        self.method.solve(&part, &target, ctx)
    }
}
