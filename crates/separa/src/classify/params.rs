//! Parameters that several classifiers share: what they are called and what they may be.

use super::choices::{AimChoice, Tuned, Width};
use crate::error::Result;
use crate::params::{ParamSpec, Params, bad_param};

pub const POSITIVE: &str = "\"cv\" or a positive number";
pub const WIDTH: &str = "\"median\", \"cv\" or a positive number";
pub const DEGREE: &str = "a whole number from 1 to 20";
pub const FOLDS: &str = "a whole number from 2 to 100";
pub const FLOOR: &str = "a number from 0 to below 1";
pub const COUNT: &str = "\"cv\" or a whole number, 1 or more";

pub const REG: ParamSpec = ParamSpec {
    name: "reg",
    expected: POSITIVE,
    default: "cv",
    doc: "regulariser, as a share of the variance of the classes, added to all their variances; cv takes the best of a few by cross-validation; the bound belongs to it",
};
pub const AIM: ParamSpec = ParamSpec {
    name: "aim",
    expected: "one of minimax, accuracy, biased",
    default: "minimax",
    doc: "minimax gives both sides of a boundary the same worst-case accuracy; accuracy weighs them by the shares of the classes; biased raises the rarer class's while the other keeps floor",
};
pub const FLOOR_SPEC: ParamSpec = ParamSpec {
    name: "floor",
    expected: FLOOR,
    default: "0.2",
    doc: "worst-case accuracy that the more frequent class keeps, for aim biased",
};
pub const PRIORS: ParamSpec = ParamSpec {
    name: "priors",
    expected: super::priors::EXPECTED,
    default: "none",
    doc: "shares of the classes to be expected of new rows, in the order of the classes or by name: minimax then makes the larger of the two sides' worst-case errors, each times its share, least; accuracy and biased go by them instead of the training rows",
};
pub const MULTICLASS: ParamSpec = ParamSpec {
    name: "multiclass",
    expected: "one of pairs, rest",
    default: "pairs",
    doc: "more than two classes: a boundary for each pair, or one for each class against the rest",
};
pub const UNITS: ParamSpec = ParamSpec {
    name: "units",
    expected: "one of free, shared",
    default: "free",
    doc: "free brings all columns to the same spread first, so that units do not matter; shared leaves them as they are",
};
pub const FOLDS_SPEC: ParamSpec = ParamSpec {
    name: "folds",
    expected: FOLDS,
    default: "5",
    doc: "folds of the cross-validation that chooses what is set to cv",
};
pub const QUANTIZER: ParamSpec = ParamSpec {
    name: "quantizer",
    expected: "one of tod, kmeans",
    default: "tod",
    doc: "how the rows of a class become summaries: tod in one pass (a row joins the nearest summary within a threshold, else begins one), or k-means",
};
pub const SUMMARIES: ParamSpec = ParamSpec {
    name: "summaries",
    expected: COUNT,
    default: "cv",
    doc: "summaries of each class at most; cv takes the best of a few by cross-validation",
};
pub const THRESHOLD: ParamSpec = ParamSpec {
    name: "threshold",
    expected: "a number, 0 or more",
    default: "0",
    doc: "distance up to which tod joins a row with a summary, in standard deviations of the columns (units free); 0 finds the one that gives the asked number of summaries",
};
pub const PPK: ParamSpec = ParamSpec {
    name: "ppk",
    expected: "one of lppk, rbf, rbf-literal, poly, tanh",
    default: "rbf",
    doc: "probability product kernel of two summaries: linear, normalised to a power (rbf), equation (7) as printed (rbf-literal), or a polynomial or tanh of the normalised one",
};
pub const COVARIANCE: ParamSpec = ParamSpec {
    name: "covariance",
    expected: "one of diag, full",
    default: "diag",
    doc: "summaries hold variances, or covariances of all pairs of columns",
};
pub const RHO: ParamSpec = ParamSpec {
    name: "rho",
    expected: "a positive number, at most 10",
    default: "1",
    doc: "power of the densities in the product kernel: 1 is the expected likelihood, 0.5 Bhattacharyya's",
};
pub const GAMMA: ParamSpec = ParamSpec {
    name: "gamma",
    expected: WIDTH,
    default: "cv",
    doc: "power or factor of the kernel; median is 1 over the median distance of two summaries (1 for poly and tanh), cv the best of a few multiples of it by cross-validation",
};
pub const DEGREE_SPEC: ParamSpec =
    ParamSpec { name: "degree", expected: DEGREE, default: "3", doc: "degree of poly" };
pub const COEF0: ParamSpec = ParamSpec {
    name: "coef0",
    expected: "a finite number",
    default: "1",
    doc: "constant of poly and tanh",
};

pub fn tuned<P: Params>(name: &'static str, value: Tuned) -> Result<()> {
    match value {
        Tuned::Value(v) if !(v > 0.0 && v.is_finite()) => bad_param::<P, ()>(name, POSITIVE, v),
        _ => Ok(()),
    }
}

pub fn width<P: Params>(value: Width) -> Result<()> {
    match value {
        Width::Value(v) if !(v > 0.0 && v.is_finite()) => bad_param::<P, ()>("gamma", WIDTH, v),
        _ => Ok(()),
    }
}

pub fn counted<P: Params>(value: Tuned) -> Result<()> {
    match value {
        Tuned::Value(v) if !(v >= 1.0 && v.fract() == 0.0 && v < 1e6) => {
            bad_param::<P, ()>("summaries", COUNT, v)
        }
        _ => Ok(()),
    }
}

pub fn shape<P: Params>(degree: u32, coef0: f64, folds: usize) -> Result<()> {
    if !(1..=20).contains(&degree) {
        return bad_param::<P, ()>("degree", DEGREE, degree);
    }
    if !coef0.is_finite() {
        return bad_param::<P, ()>("coef0", "a finite number", coef0);
    }
    if !(2..=100).contains(&folds) {
        return bad_param::<P, ()>("folds", FOLDS, folds);
    }
    Ok(())
}

pub fn aim<P: Params>(_: AimChoice, floor: f64) -> Result<()> {
    if (0.0..1.0).contains(&floor) { Ok(()) } else { bad_param::<P, ()>("floor", FLOOR, floor) }
}

pub fn product<P: Params>(rho: f64, threshold: f64) -> Result<()> {
    if !(rho > 0.0 && rho <= 10.0) {
        return bad_param::<P, ()>("rho", RHO.expected, rho);
    }
    if !(threshold >= 0.0 && threshold.is_finite()) {
        return bad_param::<P, ()>("threshold", THRESHOLD.expected, threshold);
    }
    Ok(())
}
