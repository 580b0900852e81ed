//! Nested cross-validation of a classifier, chosen by name.

use crate::classify::folds;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::estimator::Ctx;
use crate::progress::Event;
use crate::registry::{AnyFit, ClassifierEntry, Named};
use crate::target::Target;
use separa_math::matrix::{DenseRef, pick};

/// What a whole training run is worth on rows it has not seen.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CrossValidated {
    /// The share of right answers in each fold.
    pub folds: Vec<f64>,
    pub accuracy: f64,
    /// The standard deviation over the folds.
    pub sd: f64,
    /// The settings that each fold's training chose.
    pub settings: Vec<Named>,
}

/// Nested cross-validation: every fold is held out once from a whole training run, whose own choices see
/// nothing of it.
pub fn cross_validate(
    entry: &ClassifierEntry,
    params: &Named,
    data: &Dataset<'_>,
    target: &Target,
    (count, ctx): (usize, &mut Ctx<'_>),
) -> Result<CrossValidated> {
    let least = (0..target.k())
        .map(|c| target.classes().iter().filter(|x| **x as usize == c).count())
        .min()
        .unwrap_or(0);
    if count < 2 || count > least {
        return Err(Error::Data(format!(
            "cross-validation in {count} folds needs from 2 folds to as many as the smallest class has rows \
             ({least}); give another number"
        )));
    }
    let fold = folds(target, count, ctx.seed);
    let mut out = CrossValidated { folds: vec![], accuracy: 0.0, sd: 0.0, settings: vec![] };
    for f in 0..count {
        let part = |held: bool| (0..fold.len()).filter(|&i| (fold[i] == f) == held).collect();
        let (kept, held): (Vec<usize>, Vec<usize>) = (part(false), part(true));
        let fit = train_on(entry, params, data, target, &kept, ctx)?;
        let rows = pick(&data.x(), &held);
        let labels = fit.model.predict(rows.view().into())?;
        let right = |(l, i): &(&i32, &usize)| **l == target.classes()[**i] as i32;
        let hits = labels.iter().zip(&held).filter(right).count();
        out.folds.push(hits as f64 / held.len() as f64);
        out.settings.extend(fit.report.trained.map(|t| t.settings));
        let (iteration, objective) = (f + 1, out.folds[f]);
        if ctx.emit(Event::Iteration { iteration, max_iter: count, objective, changed: 0 }) {
            break;
        }
    }
    let n = out.folds.len() as f64;
    out.accuracy = out.folds.iter().sum::<f64>() / n;
    let square = out.folds.iter().map(|a| (a - out.accuracy).powi(2)).sum::<f64>();
    out.sd = if n > 1.0 { (square / (n - 1.0)).sqrt() } else { 0.0 };
    Ok(out)
}

fn train_on(
    entry: &ClassifierEntry,
    params: &Named,
    data: &Dataset<'_>,
    target: &Target,
    kept: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<AnyFit> {
    let rows = pick(&data.x(), kept);
    let weights: Option<Vec<f64>> = data.weights().map(|w| kept.iter().map(|&i| w[i]).collect());
    let part = Dataset::new(DenseRef::new(rows.rows(), rows.cols(), rows.data())?.into())?;
    let part = match &weights {
        Some(weights) => part.with_weights(weights)?,
        None => part,
    };
    let classes = kept.iter().map(|&i| target.classes()[i]).collect();
    let target = Target::new(classes, target.names().to_vec())?;
    (entry.fit)(params, &part, &target, ctx)
}
