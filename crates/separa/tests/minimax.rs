//! Minimax machines against what they promise, and against slower ways to the same numbers.

use proptest::prelude::*;
use separa::ScaledModel;
use separa::classify::{
    AimChoice, CovarianceChoice, GammaOrCv, Mcpm, Mpm, Multiclass, Ppk, Priors, Scm, Tuned,
};
use separa::model_file::Tensors;
use separa::{Classifier, Ctx, Dataset, DenseRef, Fit, Model, Target};
use separa_math::gauss::{Gaussians, Shape};
use separa_math::kernel::ppk::{Form, LogGram};
use separa_math::linalg::{dot, product};
use separa_math::matrix::Dense;
use separa_math::optim::mpm::{Side, solve};
use separa_testkit::clouds::{Source, blobs, two_gaussians};
use separa_testkit::sentences;

fn train<C: Classifier + Send + Sync>(
    c: C,
    d: usize,
    x: &[f64],
    y: &[i32],
) -> Fit<ScaledModel<C::Model>>
where
    C::Model: Send,
{
    let names: Vec<String> = y.iter().map(i32::to_string).collect();
    let target = Target::from_texts("y", &names).unwrap();
    let data = Dataset::new(DenseRef::new(y.len(), d, x).unwrap().into()).unwrap();
    c.solve(&data, &target, &mut Ctx::new(0)).unwrap()
}

/// Rows of any shape: a mixture of skewed, discrete and normal columns.
fn odd_rows(n: usize, d: usize, seed: u64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(seed);
    let mut x = Vec::new();
    let y: Vec<i32> = (0..n).map(|i| (i % 3 == 0) as i32).collect();
    for &class in &y {
        for j in 0..d {
            let shift = f64::from(class) * (j as f64 + 1.0) * 0.7;
            x.push(match j % 3 {
                0 => shift + source.normal(),
                1 => shift * source.normal().exp(),
                _ => (shift + 2.0 * source.uniform()).floor() * 100.0,
            });
        }
    }
    (x, y)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Chebyshev's inequality, as sharpened by Marshall and Olkin, holds for the training rows themselves.
    #[test]
    fn the_bound_holds_on_the_moments_it_was_given(
        n in 12usize..200, d in 1usize..6, seed in 0u64..9999, reg in 1e-6f64..0.5, aim in 0usize..3,
    ) {
        let (x, y) = odd_rows(n, d, seed);
        let aim = [AimChoice::Minimax, AimChoice::Accuracy, AimChoice::Biased][aim];
        let fit = train(Mpm { reg: Tuned::Value(reg), aim, ..Mpm::default() }, d, &x, &y);
        let trained = fit.report.learnt.unwrap();
        for bound in &trained.bounds {
            for side in 0..2 {
                prop_assert!(bound.rate[side] >= bound.alpha[side] - 1e-9, "{bound:?}");
            }
            prop_assert_eq!(bound.reg, reg);
        }
    }

    /// Also pair by pair and class by class, where the rest is one side.
    #[test]
    fn the_bound_holds_for_every_pair_and_every_rest(n in 30usize..150, k in 3usize..6, seed in 0u64..999) {
        let cloud = blobs(n, 3, k, 2.0, seed);
        for multiclass in [Multiclass::Pairs, Multiclass::Rest] {
            let reg = Tuned::Value(1e-3);
            let fit = train(Mpm { reg, multiclass, ..Mpm::default() }, 3, &cloud.x, &cloud.labels);
            let bounds = fit.report.learnt.unwrap().bounds;
            let pairs = multiclass == Multiclass::Pairs;
            prop_assert_eq!(bounds.len(), if pairs { k * (k - 1) / 2 } else { k });
            for b in bounds {
                prop_assert!((0..2).all(|s| b.rate[s] >= b.alpha[s] - 1e-9), "{b:?}");
                prop_assert_eq!(b.against.is_some(), pairs);
            }
        }
    }

    /// In the space of a kernel too: all rows, or some of them, carry it.
    #[test]
    fn the_bound_of_a_kernel_machine_holds_on_its_rows(
        n in 12usize..70, seed in 0u64..9999, reg in 1e-4f64..0.5, few in 0usize..2, aim in 0usize..3,
    ) {
        let (x, y) = odd_rows(n, 3, seed);
        let given = Mpm {
            kernel: separa::params::KernelChoice::Rbf,
            landmarks: few * (n / 2),
            reg: Tuned::Value(reg),
            aim: [AimChoice::Minimax, AimChoice::Accuracy, AimChoice::Biased][aim],
            ..Mpm::default()
        };
        for b in train(given, 3, &x, &y).report.learnt.unwrap().bounds {
            prop_assert!((0..2).all(|s| b.rate[s] >= b.alpha[s] - 1e-7), "{b:?}");
        }
    }

    /// Of summaries: at least the fraction α of each class's summaries is on its side.
    #[test]
    fn the_bound_of_a_machine_of_summaries_holds_on_the_summaries(
        n in 30usize..200, seed in 0u64..9999, reg in 1e-3f64..0.5, gamma in 0.01f64..2.0,
        lppk in 0usize..2, full in 0usize..2,
    ) {
        let (x, y) = odd_rows(n, 3, seed);
        let given = Mcpm {
            summaries: Tuned::Value(6.0),
            ppk: [Ppk::Rbf, Ppk::Lppk][lppk],
            covariance: [CovarianceChoice::Diag, CovarianceChoice::Full][full],
            gamma: GammaOrCv::Value(gamma),
            reg: Tuned::Value(reg),
            ..Mcpm::default()
        };
        let fit = train(given, 3, &x, &y);
        let trained = fit.report.learnt.unwrap();
        let (mut g, coef) = gaussians(&fit.model.tensors());
        g.shape = [Shape::Diag, Shape::Full][full];
        let logs = LogGram::new(&g, 1.0).unwrap();
        let top = logs.own().iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let gram = logs.gram([Form::Rbf { gamma }, Form::Linear { top }][lppk]);
        let zeros = trained.settings["summaries"][0].as_u64().unwrap() as usize;
        let offset = fit.model.tensors().vector("offsets").unwrap()[0];
        let value = |k: usize| dot(gram.row(k), coef.row(0)) + offset;
        let sides = [zeros..g.count(), 0..zeros];
        for (side, alpha) in sides.into_iter().zip(trained.bounds[0].alpha) {
            let ones = side.start == zeros;
            let all = side.len() as f64;
            let right = side.filter(|&k| (value(k) >= -1e-9) == ones || value(k).abs() < 1e-9);
            let rate = right.count() as f64 / all;
            prop_assert!(rate >= alpha - 1e-7, "{rate} {alpha}");
        }
    }

    #[test]
    fn units_of_the_columns_change_no_label_and_no_bound(seed in 0u64..999, a in -6i32..6, b in -6i32..6) {
        let cloud = two_gaussians(120, 2, 0.4, 2.0, seed);
        let mut other = cloud.x.clone();
        for row in other.chunks_exact_mut(2) {
            row[0] = row[0] * 2f64.powi(a) + 3.0;
            row[1] *= 2f64.powi(b);
        }
        let one = train(Mpm::default(), 2, &cloud.x, &cloud.labels);
        let two = train(Mpm::default(), 2, &other, &cloud.labels);
        prop_assert_eq!(one.labels, two.labels);
        let alpha = |fit: &separa::Report| fit.learnt.as_ref().unwrap().bounds[0].alpha[0];
        prop_assert!((alpha(&one.report) - alpha(&two.report)).abs() < 1e-8);
        // Shifted by 3 the nearest summary may be another where two are equally near; scaled it may not.
        let mut scaled = cloud.x.clone();
        scaled.chunks_exact_mut(2).for_each(|row| row[0] *= 2f64.powi(a));
        let one = train(Mcpm::default(), 2, &cloud.x, &cloud.labels);
        let two = train(Mcpm::default(), 2, &scaled, &cloud.labels);
        prop_assert_eq!(one.labels, two.labels);
    }
}

#[test]
fn in_one_dimension_the_bound_is_the_closed_form() {
    let (x, y) = ([0.0, 2.0, 4.0, 10.0, 11.0, 15.0], [0, 0, 0, 1, 1, 1]);
    let fit = train(Mpm { reg: Tuned::Value(1e-9), ..Mpm::default() }, 1, &x, &y);
    // Means 2 and 12, variances 8/3 and 14/3.
    let kappa = 10.0 / ((8.0f64 / 3.0).sqrt() + (14.0f64 / 3.0).sqrt());
    let alpha = kappa * kappa / (1.0 + kappa * kappa);
    let bound = fit.report.learnt.as_ref().unwrap().bounds[0];
    assert!((bound.alpha[0] - alpha).abs() < 1e-7 && bound.alpha[0] == bound.alpha[1]);
    assert_eq!(fit.labels, y);
    let (w, b) = fit.model.linear().unwrap();
    let edge = -b[0] / w[(0, 0)];
    assert!((edge - (2.0 + kappa * (8.0f64 / 3.0).sqrt())).abs() < 1e-6, "{edge}");
}

#[test]
fn equal_means_have_the_bound_0_and_the_report_says_so() {
    let x = [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0];
    let y = [0, 0, 0, 0, 1, 1];
    let fit = train(Mpm { reg: Tuned::Value(0.01), ..Mpm::default() }, 1, &x, &y);
    assert_eq!(fit.report.learnt.as_ref().unwrap().bounds[0].alpha, [0.0; 2]);
    let said = sentences(fit.report.warnings()).join(" ");
    assert!(said.contains("the means of \"1\" and \"0\" are equal, so the bound is 0"), "{said}");
}

#[test]
fn a_kernel_separates_rings_that_no_plane_can() {
    let mut source = Source::new(3);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for i in 0..240 {
        let (angle, radius) = (source.uniform() * 6.3, if i % 2 == 0 { 1.0 } else { 3.0 });
        x.extend([radius * angle.cos() + 0.1 * source.normal(), radius * angle.sin()]);
        y.push(i % 2);
    }
    let accuracy = |fit: Fit<ScaledModel<separa::classify::ClassifierModel>>| {
        fit.report.learnt.unwrap().accuracy
    };
    assert!(accuracy(train(Mpm::default(), 2, &x, &y)) < 0.7);
    let rbf = Mpm { kernel: separa::params::KernelChoice::Rbf, ..Mpm::default() };
    assert!(accuracy(train(rbf.clone(), 2, &x, &y)) > 0.99);
    assert!(accuracy(train(Mpm { landmarks: 40, ..rbf.clone() }, 2, &x, &y)) > 0.98);
    assert!(accuracy(train(Mpm { gamma: GammaOrCv::Cv, ..rbf }, 2, &x, &y)) > 0.99);
    assert!(accuracy(train(Mcpm::default(), 2, &x, &y)) > 0.97);
    assert!(accuracy(train(Scm::default(), 2, &x, &y)) > 0.97);
}

#[test]
fn a_floor_for_the_frequent_class_raises_the_rare_one() {
    let cloud = two_gaussians(600, 2, 0.1, 1.5, 4);
    let reg = Tuned::Value(0.01);
    let plain = train(Mpm { reg, ..Mpm::default() }, 2, &cloud.x, &cloud.labels);
    let biased = Mpm { reg, aim: AimChoice::Biased, floor: 0.1, ..Mpm::default() };
    let biased = train(biased, 2, &cloud.x, &cloud.labels);
    let bound = |fit: &Fit<ScaledModel<separa::classify::ClassifierModel>>| {
        fit.report.learnt.as_ref().unwrap().bounds[0]
    };
    let ones = cloud.labels.iter().filter(|l| **l == 1).count();
    let (rare, frequent) = if ones < 300 { (0, 1) } else { (1, 0) };
    assert!(bound(&biased).alpha[rare] > bound(&plain).alpha[rare]);
    assert!((bound(&biased).alpha[frequent] - 0.1).abs() < 1e-9);
    assert!(bound(&biased).rate[rare] >= bound(&plain).rate[rare]);
    let high = Mpm { reg, aim: AimChoice::Biased, floor: 0.99, ..Mpm::default() };
    let said = sentences(train(high, 2, &cloud.x, &cloud.labels).report.warnings()).join(" ");
    assert!(said.contains("no boundary keeps the floor"), "{said}");
}

/// The summaries that a model holds.
fn gaussians(t: &Tensors) -> (Gaussians, Dense) {
    let means = t.matrix("means").unwrap();
    let (weights, covs) = (t.vector("weights").unwrap(), t.matrix("covariances").unwrap());
    (Gaussians { shape: Shape::Diag, weights, means, covs }, t.matrix("boundaries").unwrap())
}

/// Equation (4) solved as printed, in the coordinates of the block-row-averaged Gram matrix.
#[test]
fn equation_4_in_the_coordinates_of_the_gram_matrix_has_the_same_bound_and_decision() {
    let cloud = two_gaussians(300, 3, 0.5, 2.5, 7);
    let (summaries, gamma, reg) = (6, 0.3, 0.05);
    let given = Mcpm {
        summaries: Tuned::Value(6.0),
        gamma: GammaOrCv::Value(gamma),
        reg: Tuned::Value(reg),
        ..Mcpm::default()
    };
    let fit = train(given, 3, &cloud.x, &cloud.labels);
    let (g, coef) = gaussians(&fit.model.tensors());
    let m = g.count();
    assert!(m <= 2 * summaries && fit.model.size() == m);
    let gram = LogGram::new(&g, 1.0).unwrap().gram(Form::Rbf { gamma });
    let settings = &fit.report.learnt.as_ref().unwrap().settings;
    let counts: Vec<usize> = settings["summaries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_u64().unwrap() as usize)
        .collect();
    let blocks = [0..counts[0], counts[0]..m];
    let means = blocks.clone().map(|b| -> Vec<f64> {
        (0..m).map(|j| b.clone().map(|i| gram[(i, j)]).sum::<f64>() / b.len() as f64).collect()
    });
    let mut covs = [0, 1].map(|side| {
        let b = blocks[side].clone();
        let mut k = Dense::zeros(b.len(), m);
        for (r, i) in b.clone().enumerate() {
            (0..m).for_each(|j| {
                k[(r, j)] = (gram[(i, j)] - means[side][j]) / (b.len() as f64).sqrt()
            });
        }
        product(k.transposed().view(), k.view())
    });
    // In feature space δ·t·I is vᵀGv here; t is the mean of the traces, tr Σ = mean(Gᵢᵢ) − mean(G).
    let trace = |b: &std::ops::Range<usize>| {
        let own = b.clone().map(|i| gram[(i, i)]).sum::<f64>() / b.len() as f64;
        let all =
            b.clone().flat_map(|i| b.clone().map(move |j| (i, j))).map(|p| gram[p]).sum::<f64>();
        own - all / (b.len() * b.len()) as f64
    };
    let t = 0.5 * (trace(&blocks[0]) + trace(&blocks[1]));
    for cov in &mut covs {
        cov.data_mut().iter_mut().zip(gram.data()).for_each(|(c, v)| *c += reg * t * v);
    }
    let side = |k: usize| Side { mean: &means[k], cov: &covs[k] };
    let direct = solve(side(1), side(0)).unwrap();
    let bound = fit.report.learnt.as_ref().unwrap().bounds[0];
    assert!((direct.p() - bound.alpha[0]).abs() < 1e-8, "{} {}", direct.p(), bound.alpha[0]);
    // Both forms of the bias agree, and the boundary is the same up to its scale.
    let v = coef.row(0);
    let gap = dot(v, &means[1]) - dot(v, &means[0]);
    for (a, b) in v.iter().zip(&direct.w) {
        assert!((a / gap - b).abs() < 1e-5 * (1.0 + b.abs()), "{a} {b}");
    }
    let from_one = direct.kappa * direct.sigma[0] - dot(&direct.w, &means[1]);
    let from_two = -direct.kappa * direct.sigma[1] - dot(&direct.w, &means[0]);
    assert!((from_one - from_two).abs() < 1e-9);
    let offset = fit.model.tensors().vector("offsets").unwrap()[0];
    assert!((offset / gap - from_one).abs() < 1e-6);
}

/// Optimality conditions of the support vector dual, with the boxes C·P/mean P.
#[test]
fn the_support_cluster_machine_keeps_its_boxes_and_its_optimality_conditions() {
    let cloud = two_gaussians(300, 3, 0.5, 1.0, 7);
    let (c, gamma) = (2.0, 0.3);
    let given = Scm {
        summaries: Tuned::Value(8.0),
        gamma: GammaOrCv::Value(gamma),
        c: Tuned::Value(c),
        ..Scm::default()
    };
    let fit = train(given, 3, &cloud.x, &cloud.labels);
    let trained = fit.report.learnt.as_ref().unwrap();
    assert!(trained.bounds.is_empty());
    let zeros = trained.settings["summaries"][0].as_u64().unwrap() as usize;
    let (g, coef) = gaussians(&fit.model.tensors());
    let gram = LogGram::new(&g, 1.0).unwrap().gram(Form::Rbf { gamma });
    let b = fit.model.tensors().vector("offsets").unwrap()[0];
    let mean = g.weights.iter().sum::<f64>() / g.count() as f64;
    let beta = coef.row(0);
    assert!(beta.iter().sum::<f64>().abs() < 1e-9);
    let mut inside = 0;
    for k in 0..g.count() {
        let y = if k < zeros { -1.0 } else { 1.0 };
        let (alpha, most) = (y * beta[k], c * g.weights[k] / mean);
        assert!((-1e-9..=most + 1e-9).contains(&alpha));
        let margin = y * (dot(gram.row(k), beta) + b);
        if alpha < 1e-9 {
            assert!(margin > 1.0 - 1e-3);
        } else if alpha > most - 1e-9 {
            assert!(margin < 1.0 + 1e-3);
        } else {
            assert!((margin - 1.0).abs() < 1e-3);
            inside += 1;
        }
    }
    assert!(inside > 0);
}

#[test]
fn wide_rows_are_no_trouble_for_any_kernel_of_summaries() {
    let cloud = blobs(60, 1200, 2, 12.0, 3);
    for ppk in [Ppk::Rbf, Ppk::Lppk, Ppk::Poly, Ppk::Tanh] {
        let given = Mcpm { summaries: Tuned::Value(3.0), ppk, ..Mcpm::default() };
        let fit = train(given, 1200, &cloud.x, &cloud.labels);
        let decision =
            fit.model.decision(DenseRef::new(60, 1200, &cloud.x).unwrap().into()).unwrap();
        assert!(decision.data().iter().all(|v| v.is_finite()));
        let accuracy = fit.report.learnt.as_ref().unwrap().accuracy;
        let said = sentences(fit.report.warnings()).join(" ");
        // What a row has in common with a summary is too small in so many columns for all but its logarithm.
        let lost = ppk != Ppk::Rbf;
        assert!(lost || accuracy > 0.95, "{ppk:?}: {accuracy}");
        assert_eq!(said.contains("rows by its offset alone"), lost, "{ppk:?}: {said}");
    }
    // In few columns it says something of every row, and no one is warned.
    let cloud = blobs(60, 3, 2, 12.0, 3);
    let given = Mcpm { summaries: Tuned::Value(3.0), ppk: Ppk::Lppk, ..Mcpm::default() };
    let fit = train(given, 3, &cloud.x, &cloud.labels);
    assert!(sentences(fit.report.warnings()).is_empty(), "{:?}", sentences(fit.report.warnings()));
    assert!(fit.report.learnt.unwrap().accuracy > 0.95);
}

/// p₁σ₁²/(σ₁² + u²) = p₂σ₂²/(σ₂² + (D − u)²) for the boundary at distance u from mean 1 of two that are D apart.
#[test]
fn in_one_dimension_priors_put_the_boundary_where_the_weighted_errors_are_equal() {
    let (x, y) = ([0.0, 2.0, 4.0, 10.0, 11.0, 15.0], [0, 0, 0, 1, 1, 1]);
    let reg = Tuned::Value(1e-9);
    let run = |priors: &[f64]| {
        let priors = Priors::Listed(priors.to_vec());
        train(Mpm { reg, priors, ..Mpm::default() }, 1, &x, &y)
    };
    let edge = |fit: &Fit<ScaledModel<separa::classify::ClassifierModel>>| {
        let (w, b) = fit.model.linear().unwrap();
        -b[0] / w[(0, 0)]
    };
    for (one, two) in [(0.5, 0.5), (3.0, 1.0), (0.1, 0.9)] {
        let fit = run(&[one, two]);
        let error = |p: f64, variance: f64, gap: f64| p * variance / (variance + gap * gap);
        let at = edge(&fit);
        let (zero, first) = (error(one, 8.0 / 3.0, at - 2.0), error(two, 14.0 / 3.0, 12.0 - at));
        assert!((zero / first - 1.0).abs() < 1e-5, "{one} {two}: {zero} {first}");
        let alpha = fit.report.learnt.unwrap().bounds[0].alpha;
        let share = one / (one + two);
        assert!((share * (1.0 - alpha[1]) - (1.0 - share) * (1.0 - alpha[0])).abs() < 1e-9);
    }
    // So rare that even all of class 0 weighs less: the boundary goes through its mean, and no further.
    assert!((edge(&run(&[0.02, 0.98])) - 2.0).abs() < 1e-6);
    let plain = train(Mpm { reg, ..Mpm::default() }, 1, &x, &y);
    assert!((edge(&run(&[7.0, 7.0])) - edge(&plain)).abs() < 1e-6);
    assert!(edge(&run(&[9.0, 1.0])) > edge(&plain) && edge(&run(&[1.0, 9.0])) < edge(&plain));
}

#[test]
fn priors_stand_for_the_shares_of_the_training_rows_in_the_other_aims() {
    let cloud = two_gaussians(600, 2, 0.2, 2.0, 4);
    let shares = |class: i32| cloud.labels.iter().filter(|l| **l == class).count() as f64;
    let reg = Tuned::Value(0.01);
    let alpha = |aim: AimChoice, priors: Option<[f64; 2]>| {
        let priors = priors.map_or(Priors::None, |p| Priors::Listed(p.to_vec()));
        let given = Mpm { reg, aim, floor: 0.1, priors, ..Mpm::default() };
        train(given, 2, &cloud.x, &cloud.labels).report.learnt.unwrap().bounds[0].alpha
    };
    for aim in [AimChoice::Accuracy, AimChoice::Biased] {
        let own = [shares(0), shares(1)];
        let (plain, same) = (alpha(aim, None), alpha(aim, Some(own)));
        assert!((0..2).all(|s| (plain[s] - same[s]).abs() < 1e-6), "{aim:?}: {plain:?} {same:?}");
        let turned = alpha(aim, Some([own[1], own[0]]));
        assert!((0..2).any(|s| (plain[s] - turned[s]).abs() > 0.01), "{aim:?}: {plain:?}");
    }
}

#[test]
fn priors_count_when_a_regulariser_is_chosen() {
    // Held out, all rows of class 0 count for a hundredth.
    let cloud = two_gaussians(400, 3, 0.5, 1.0, 6);
    let priors = Priors::Listed(vec![0.01, 0.99]);
    let fit = train(Mpm { priors, ..Mpm::default() }, 3, &cloud.x, &cloud.labels);
    let trained = fit.report.learnt.unwrap();
    let [one, zero] = trained.bounds[0].rate;
    assert!(one > 0.75 && zero < 0.6, "{trained:?}");
    // The accuracy is that of the rows to come, but for rows held out from those learnt from.
    let expected = 0.99 * one + 0.01 * zero;
    assert!((trained.held_out.unwrap() - expected).abs() < 0.05, "{expected} {trained:?}");
    assert!(trained.accuracy < expected - 0.05);
}

/// Between many classes there are more boundaries than rows: they are looked at some rows at a time.
#[test]
fn many_classes_are_learnt_and_labelled_in_parts() {
    let k = 120;
    let (mut x, mut y) = (Vec::new(), Vec::new());
    let mut source = Source::new(3);
    for i in 0..1200 {
        let class = i % k;
        x.extend([10.0 * f64::from(class) + source.normal(), 7.0 * f64::from(class % 11)]);
        y.push(class);
    }
    // 7140 boundaries: 587 rows at a time.
    let fit = train(Mpm { reg: Tuned::Value(0.01), ..Mpm::default() }, 2, &x, &y);
    assert_eq!(fit.labels, fit.model.predict(DenseRef::new(1200, 2, &x).unwrap().into()).unwrap());
    for i in [0, 586, 587, 1199] {
        let row = DenseRef::new(1, 2, &x[2 * i..2 * i + 2]).unwrap();
        assert_eq!(fit.model.predict(row.into()).unwrap(), [fit.labels[i]]);
    }
    let trained = fit.report.learnt.unwrap();
    assert!(trained.accuracy > 0.9, "{}", trained.accuracy);
    assert_eq!(trained.bounds.len(), 7140);
    assert!(trained.bounds.iter().all(|b| (0..2).all(|s| b.rate[s] >= b.alpha[s] - 1e-9)));
}
