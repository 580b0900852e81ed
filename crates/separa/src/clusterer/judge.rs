//! The quality of labels that a method fitted, with p-values that hold for them.
//!
//! [`quality`](crate::quality) judges any labelling; only the method itself can tell what it would
//! have made of half the rows, so this room knows both.

use crate::any_method::AnyMethod;
use crate::context::{Ctx, MemoryBudget};
use crate::data::Dataset;
use crate::error::Result;
use crate::k_auto;
use crate::method::AnyFit;
use crate::model::Labels;
use crate::note::{Note, Remedy, codes};
use crate::progress::Observer;
use crate::quality::{self, AssessOptions, DecisionFunction, Quality, Refit};

/// How the labels under judgement were made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub method: &'a dyn AnyMethod,
    pub seed: u64,
    pub memory: MemoryBudget,
}

impl<'a> Origin<'a> {
    fn options(&self) -> AssessOptions<'a> {
        let reg = self.method.quality_reg();
        AssessOptions { seed: self.seed, reg, ..AssessOptions::default() }
    }
}

/// The quality of what was fitted to these rows, without its outliers, and what its p-values are worth. Halves
/// are clustered anew by the same method; `observer` can end that early.
pub(crate) fn fitted<O: Observer + Clone>(
    data: &Dataset<'_>,
    fit: &AnyFit,
    origin: &Origin<'_>,
    observer: &O,
) -> Result<(Quality, Option<Note>)> {
    let labels = &without_outliers(fit);
    let refit = |half: &Dataset<'_>| -> Result<Labels> {
        let mut ctx = Ctx::observed(origin.seed, observer.clone());
        ctx.memory = origin.memory;
        let mut method = origin.method.boxed();
        method.restrict_to(half.n());
        Ok(k_auto::solve(&mut method, half, &mut ctx)?.labels)
    };
    let plain = origin.options();
    let anew = AssessOptions { refit: Some(Refit(&refit)), ..plain };
    // Half of the rows of a sequence are none, and a half can be too small or too plain to cluster where
    // the whole was not.
    if data.sequences().is_none()
        && let Ok(quality) = quality::assess(data, labels, &anew)
    {
        let note = halves_differ(data, labels, &quality, &plain)?;
        return Ok((quality, note));
    }
    Ok((quality::assess(data, labels, &plain)?, Some(quality::labels_as_given())))
}

/// The same with the labels as given: nothing is clustered anew.
pub(crate) fn given(data: &Dataset<'_>, fit: &AnyFit, origin: &Origin<'_>) -> Result<Quality> {
    quality::assess(data, &without_outliers(fit), &origin.options())
}

/// The labels, −1 for rows that took no part in the fit.
fn without_outliers(fit: &AnyFit) -> Labels {
    let mut labels = fit.labels.clone();
    fit.report.outliers.iter().for_each(|&i| labels[i] = -1);
    labels
}

/// The note if halves, clustered anew, show no gap, but the labels as they are show a clear one.
fn halves_differ(
    data: &Dataset<'_>,
    labels: &[i32],
    quality: &Quality,
    plain: &AssessOptions<'_>,
) -> Result<Option<Note>> {
    // Labels that were fitted to the rows look a little better than they are.
    const CLEAR: f64 = 1e-3;
    if quality.pairs.len() != 1 || quality.has_gap() {
        return Ok(None);
    }
    let given = quality::two_clusters(data, labels, plain.reg, plain.seed, None)?;
    let clear = given.is_some_and(|given| given.p_unimodal <= CLEAR);
    Ok(clear.then(|| {
        Note::notice(
            codes::SPLIT_HALVES_DIFFER,
            "with the labels as they are there seems to be a gap between these clusters, but halves of the rows, \
             clustered anew, show none: either a half was split elsewhere, or the gap is made by the labels",
        )
        .with(Remedy::AnotherSeed.or(Remedy::AskStability))
    }))
}

/// Why labels of such data are not judged, whatever they are: bags, and measures of pairs.
pub(crate) fn unjudged(data: &Dataset<'_>, method: &dyn AnyMethod) -> Option<Note> {
    let why = if data.bags().is_some() {
        quality::UNJUDGED_BAGS
    } else if method.is_precomputed() {
        "separability (MSP) is measured among rows of features, which a precomputed table does not have"
    } else {
        return None;
    };
    Some(Note::notice(codes::NOT_JUDGED, format!("{why}: the quality is left out")))
}

/// Feature importance by the rule itself if its boundaries can be curved: replaces what flat boundaries say,
/// unless it would take too long or cannot be asked.
pub(crate) fn ask_rule(
    quality: &mut Quality,
    data: &Dataset<'_>,
    fit: &AnyFit,
    origin: &Origin<'_>,
) {
    if !origin.method.is_curved() || data.grouping().is_some() {
        return;
    }
    let rows = fit.model.row_weights().map_or(data.n(), <[f64]>::len);
    let asked = DecisionFunction {
        decision: &|x| fit.model.decision(x),
        cost: (rows * data.d()) as f64,
        seed: origin.seed,
    };
    let labels = without_outliers(fit);
    if let Ok(Some(found)) = quality::exchange(data, &labels, &quality.importance, &asked) {
        quality.importance = found;
    }
}

/// What to keep in mind about the quality of labels that a method fitted.
pub(crate) fn cautions(method: &dyn AnyMethod, k: usize) -> Vec<Note> {
    let mut notes = Vec::new();
    // Two clusters are judged on halves that are clustered anew, more are not.
    if k > 2 {
        notes.push(quality::labels_as_given());
    }
    if method.is_curved() && k > 1 {
        notes.push(Note::notice(
            codes::CURVED_BOUNDARIES,
            "quality is judged by flat boundaries in the features, so it says little about curved clusters such as \
             these",
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::KMeans;
    use crate::params::Scaling;
    use crate::progress::Silent;
    use separa_math::matrix::DenseRef;
    use separa_testkit::Covariance;
    use separa_testkit::clouds::{Source, gaussian, two_gaussians};

    fn data(x: &[f64]) -> Dataset<'_> {
        Dataset::new(DenseRef::new(x.len() / 2, 2, x).unwrap().into()).unwrap()
    }

    fn origin(method: &dyn AnyMethod) -> Origin<'_> {
        Origin { method, seed: 0, memory: MemoryBudget::default() }
    }

    fn fit(data: &Dataset<'_>) -> AnyFit {
        AnyMethod::solve(&raw(), data, &mut Ctx::new(0)).unwrap()
    }

    /// k-means on the table as it is.
    fn raw() -> KMeans {
        KMeans { scaling: Scaling::None, ..KMeans::default() }
    }

    #[test]
    fn labels_taken_as_given_are_said_to_be() {
        let x = gaussian(300, 2, Covariance::Spherical, 5);
        let mut fit = fit(&data(&x));
        fit.labels = x.chunks_exact(2).map(|row| i32::from(row[0] > 0.0)).collect();
        // As many clusters as no half has rows.
        let many = KMeans { n_clusters: 200, ..raw() };
        let (_, note) = fitted(&data(&x), &fit, &origin(&many), &Silent).unwrap();
        assert_eq!(note, Some(quality::labels_as_given()));
    }

    #[test]
    fn a_gap_that_a_half_does_not_find_is_told() {
        // k-means sees the second column only; the labels know the gap in the first.
        let cloud = two_gaussians(200, 2, 0.5, 9.0, 3);
        let (mut x, mut source) = (cloud.x, Source::new(4));
        x.chunks_exact_mut(2).for_each(|row| row[1] = 1e4 * source.normal());
        let (mut fit, method) = (fit(&data(&x)), raw());
        let (_, blind) = fitted(&data(&x), &fit, &origin(&method), &Silent).unwrap();
        assert_eq!(blind, None);
        fit.labels = cloud.labels;
        let (known, note) = fitted(&data(&x), &fit, &origin(&method), &Silent).unwrap();
        assert!(known.p_unimodal.unwrap() > 0.05);
        assert_eq!(note.unwrap().code, codes::SPLIT_HALVES_DIFFER);
    }
}
