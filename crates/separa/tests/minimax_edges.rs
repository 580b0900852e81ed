//! Minimax machines where classes are uneven, columns constant, rows without weight, or wide.

use crate::common;

use common::StopAt;
use separa::ScaledModel;
use separa::classify::{
    AimChoice, ClassifierModel, CovarianceChoice, GammaOrCv, Mcpm, Mpm, Quantizer, Scaling, Scm,
    TodOptions, Tuned, tod,
};
use separa::{Classifier, Ctx, Dataset, DenseRef, Fit, MemoryBudget, Stop, Target};
use separa_math::gauss::Shape;
use separa_math::moments::Moments;
use separa_testkit::clouds::{blobs, two_gaussians};
use separa_testkit::sentences;

fn table(d: usize, x: &[f64]) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

fn target(y: &[i32]) -> Target {
    let names: Vec<String> = y.iter().map(i32::to_string).collect();
    Target::from_texts("y", &names).unwrap()
}

fn train<C: Classifier<Model = ClassifierModel> + Send + Sync>(
    c: C,
    d: usize,
    x: &[f64],
    y: &[i32],
) -> Fit<ScaledModel<ClassifierModel>> {
    c.solve(&table(d, x), &target(y), &mut Ctx::new(0)).unwrap()
}

#[test]
fn the_shares_of_classes_are_those_of_their_rows_whatever_they_are_called() {
    let cloud = two_gaussians(1000, 2, 0.1, 1.5, 4);
    let swapped: Vec<i32> = cloud.labels.iter().map(|l| 1 - l).collect();
    // The worst-case accuracies of the rare and of the frequent class.
    let alpha = |aim: AimChoice, quantizer: Quantizer, swap: bool| {
        let given = Mcpm {
            summaries: Tuned::Value(8.0),
            gamma: GammaOrCv::Median,
            reg: Tuned::Value(0.01),
            floor: 0.1,
            aim,
            quantizer,
            ..Mcpm::default()
        };
        let fit = train(given, 2, &cloud.x, if swap { &swapped } else { &cloud.labels });
        let [one, two] = fit.report.learnt.unwrap().bounds[0].alpha;
        if swap { [two, one] } else { [one, two] }
    };
    for quantizer in [Quantizer::Tod, Quantizer::Kmeans] {
        for swap in [false, true] {
            let [plain, biased, accurate] =
                [AimChoice::Minimax, AimChoice::Biased, AimChoice::Accuracy]
                    .map(|aim| alpha(aim, quantizer, swap));
            assert!(biased[0] > plain[0] + 0.01, "{quantizer:?} {swap}: {biased:?} {plain:?}");
            assert!((biased[1] - 0.1).abs() < 1e-9, "{biased:?}");
            // Nine rows in ten are on side two, so it is worth more.
            assert!(accurate[1] > accurate[0], "{quantizer:?} {swap}: {accurate:?}");
        }
    }
    // The summaries of k-means do not depend on a class's number: nothing changes but the names.
    for aim in [AimChoice::Minimax, AimChoice::Biased, AimChoice::Accuracy] {
        let [a, b] = [false, true].map(|swap| alpha(aim, Quantizer::Kmeans, swap));
        assert!((0..2).all(|s| (a[s] - b[s]).abs() < 1e-5), "{aim:?}: {a:?} {b:?}");
    }
}

#[test]
fn constant_columns_change_no_label() {
    // Cells of very different weights: most rows of a class are close together, a few far out.
    let cloud = two_gaussians(400, 2, 0.3, 1.5, 9);
    let x: Vec<f64> = cloud.x.iter().map(|v| v * v.abs()).collect();
    let wide: Vec<f64> =
        x.chunks_exact(2).flat_map(|r| [&[7.0; 8], r, &[-0.1; 8]].concat()).collect();
    for covariance in [CovarianceChoice::Diag, CovarianceChoice::Full] {
        let mcpm = Mcpm { covariance, summaries: Tuned::Value(8.0), ..Mcpm::default() };
        let plain = train(mcpm.clone(), 2, &x, &cloud.labels);
        let with = train(mcpm, 18, &wide, &cloud.labels);
        assert_eq!(plain.labels, with.labels, "mcpm {covariance:?}");
        let scm = Scm { covariance, summaries: Tuned::Value(8.0), ..Scm::default() };
        let plain = train(scm.clone(), 2, &x, &cloud.labels);
        let with = train(scm, 18, &wide, &cloud.labels);
        assert_eq!(plain.labels, with.labels, "scm {covariance:?}");
    }
}

#[test]
fn a_fold_never_takes_all_rows_that_have_a_weight() {
    // Three weighted rows of class 1 among many: dealt over all rows they may fall in one fold.
    let cloud = blobs(60, 2, 2, 6.0, 3);
    for seed in 0..20 {
        let heavy = |i: usize| cloud.labels[i] == 0 || i % 20 == 1;
        let weights: Vec<f64> = (0..60).map(|i| f64::from(heavy(i))).collect();
        let data = table(2, &cloud.x).with_weights(&weights).unwrap();
        let y = target(&cloud.labels);
        let ok = |fit: Fit<ScaledModel<ClassifierModel>>| {
            fit.report.learnt.as_ref().unwrap().accuracy > 0.95
        };
        assert!(ok(Mpm::default().solve(&data, &y, &mut Ctx::new(seed)).unwrap()));
        let mcpm = Mcpm { folds: 3, ..Mcpm::default() };
        assert!(ok(mcpm.solve(&data, &y, &mut Ctx::new(seed)).unwrap()));
    }
}

#[test]
fn summaries_that_a_threshold_makes_are_asked_about_once_they_are_known() {
    let cloud = two_gaussians(3_000, 2, 0.5, 2.0, 5);
    let run = |threshold, gamma| {
        let given = Mcpm { threshold, gamma, reg: Tuned::Value(0.1), ..Mcpm::default() };
        let mut ctx = Ctx::new(0);
        ctx.memory = MemoryBudget(Some(20 << 20));
        given.solve(&table(2, &cloud.x), &target(&cloud.labels), &mut ctx)
    };
    // Nearly every row is a summary of its own: 3000² numbers a table.
    for gamma in [GammaOrCv::Median, GammaOrCv::Cv] {
        let said = run(1e-6, gamma).unwrap_err().to_string();
        assert!(said.contains("20.0 MB may be used; lower `summaries`"), "{said}");
        assert!(said.contains("raise `threshold`"), "{said}");
    }
    assert!(run(1.0, GammaOrCv::Median).is_ok());
}

#[test]
fn tod_sees_more_rows_and_merges_to_the_moments_of_all() {
    let cloud = blobs(900, 3, 4, 5.0, 8);
    for covariance in [CovarianceChoice::Diag, CovarianceChoice::Full] {
        let options = TodOptions {
            count: 12,
            threshold: 0.0,
            covariance,
            scaling: Scaling::Standard,
            seed: 1,
        };
        let part = |from: usize, to: usize| table(3, &cloud.x[3 * from..3 * to]);
        let first = tod(&part(0, 300), options).unwrap();
        let on = first.see(&part(300, 900), options).unwrap();
        let rest = tod(&part(300, 900), options).unwrap();
        let whole = Moments::of(&part(0, 900).x(), None);
        for found in [&on, &first.merge(&rest, options).unwrap()] {
            assert!(found.weights.len() <= 12);
            assert_eq!(found.factors, first.factors);
            let n: f64 = found.weights.iter().sum();
            assert!((n - 900.0).abs() < 1e-9);
            for j in 0..3 {
                let at = Shape::from(covariance).diagonal(j);
                let lines = found.weights.iter().enumerate();
                let mean = lines.clone().map(|(k, w)| w * found.means[(k, j)]).sum::<f64>() / n;
                let spread =
                    |k: usize| found.covariances[(k, at)] + (found.means[(k, j)] - mean).powi(2);
                let variance = lines.map(|(k, w)| w * spread(k)).sum::<f64>() / n;
                assert!((mean - whole.mean()[j]).abs() < 1e-9);
                assert!((variance - whole.variances()[j]).abs() < 1e-8 * variance);
            }
        }
        // With a threshold no summary is joined that lies apart.
        let near = TodOptions { threshold: first.threshold, ..options };
        let kept = first.merge(&rest, near).unwrap();
        assert!(kept.weights.len() >= on.weights.len().min(first.weights.len()));
        assert!(first.see(&table(2, &cloud.x[..20]), options).is_err());
        let none = TodOptions { count: 0, ..options };
        assert!(first.see(&part(0, 10), none).unwrap_err().to_string().contains("got 0"));
    }
}

#[test]
fn the_normalised_kernel_tells_rows_of_2000_columns_apart() {
    let d = 2000;
    let cloud = blobs(60, d, 2, 24.0, 3);
    let given = Mcpm { summaries: Tuned::Value(3.0), ..Mcpm::default() };
    let fit = train(given, d, &cloud.x, &cloud.labels);
    let accuracy = fit.report.learnt.as_ref().unwrap().accuracy;
    assert!(accuracy > 0.95, "{accuracy}");
    assert!(sentences(fit.report.warnings()).is_empty(), "{:?}", sentences(fit.report.warnings()));
}

#[test]
fn what_was_held_out_before_a_stop_is_a_share_of_the_rows_held_out() {
    let cloud = two_gaussians(500, 2, 0.5, 3.0, 8);
    let (data, y) = (table(2, &cloud.x), target(&cloud.labels));
    let stopped = |fit: Fit<ScaledModel<ClassifierModel>>| {
        assert_eq!(fit.report.stop, Stop::Cancelled);
        fit.report.learnt.as_ref().unwrap().held_out.unwrap()
    };
    // One fold of five has about a fifth of the rows; most of them are right.
    let mpm = stopped(Mpm::default().solve(&data, &y, &mut Ctx::observed(0, StopAt(1))).unwrap());
    assert!(mpm > 0.8 && mpm <= 1.0, "{mpm}");
    let mcpm = Mcpm { summaries: Tuned::Value(5.0), ..Mcpm::default() };
    let mcpm = stopped(mcpm.solve(&data, &y, &mut Ctx::observed(0, StopAt(2))).unwrap());
    assert!(mcpm > 0.8 && mcpm <= 1.0, "{mcpm}");
}
