//! Nested cross-validation of a classifier, chosen by name.

use crate::classify::{folds, hits, members};
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::estimator::Ctx;
use crate::progress::Event;
use crate::registry::{AnyFit, ClassifierEntry, Named};
use crate::target::Target;
use separa_math::matrix::Stored;

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
    let members = members(data, target);
    let sizes = members.iter().map(Vec::len).enumerate();
    let (class, least) = sizes.min_by_key(|(_, n)| *n).unwrap_or((0, 0));
    // Every fold holds rows of every class, and two of each are left to learn from.
    if count < 2 || count > least || least < least.div_ceil(count) + 2 {
        let name = target.names().get(class).map_or("", String::as_str);
        return Err(Error::Data(format!(
            "cross-validation in {count} folds needs from 2 folds to as many as the smallest class \
             (\"{name}\") has rows with a weight ({least}), and 2 of them besides each fold to learn from; \
             give another number"
        )));
    }
    let fold = folds(&members, data.n(), (count, ctx.seed));
    let mut out = CrossValidated { folds: vec![], accuracy: 0.0, sd: 0.0, settings: vec![] };
    for f in 0..count {
        let part = |held: bool| -> Vec<usize> {
            (0..fold.len()).filter(|&i| data.weight(i) > 0.0 && (fold[i] == f) == held).collect()
        };
        let (kept, held) = (part(false), part(true));
        let fit = train_on(entry, params, data, target, &kept, ctx)?;
        let rows = Stored::of(&data.x(), &held);
        let labels = fit.model.predict(rows.matrix())?;
        let all: f64 = held.iter().map(|&i| data.weight(i)).sum();
        out.folds.push(hits(&labels, &held, target.classes(), &|i| data.weight(i)) / all);
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
    let rows = Stored::of(&data.x(), kept);
    let weights: Option<Vec<f64>> = data.weights().map(|w| kept.iter().map(|&i| w[i]).collect());
    let part = Dataset::new(rows.matrix())?;
    let part = match &weights {
        Some(weights) => part.with_weights(weights)?,
        None => part,
    };
    let classes = kept.iter().map(|&i| target.classes()[i]).collect();
    let target = Target::new(classes, target.names().to_vec())?;
    (entry.fit)(params, &part, &target, ctx)
}
