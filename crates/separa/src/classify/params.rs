//! Parameters that several classifiers share.

/// Documentation, type and range of each.
macro_rules! shared_by_classifiers {
    (reg $get:ident) => {
        $get!(
            "Regulariser, as a fraction of the variance of the classes, added to all their variances; cv takes the best of a few by cross-validation; the bound belongs to it.",
            $crate::classify::Tuned
        )
    };
    (aim $get:ident) => {
        $get!(
            "Worst-case accuracy of the two sides of a boundary: minimax gives both the same; accuracy weighs them by the fractions of the classes; biased raises the rarer class's while the other keeps floor.",
            $crate::classify::AimChoice
        )
    };
    (floor $get:ident) => {
        $get!(
            "Worst-case accuracy that the more frequent class keeps, for aim biased.",
            f64,
            at_least(0.0),
            below(1.0)
        )
    };
    (multiclass $get:ident) => {
        $get!(
            "More than two classes: a boundary for each pair, or one for each class against the rest.",
            $crate::classify::Multiclass
        )
    };
    (folds $get:ident) => {
        $get!(
            "Folds of the cross-validation that chooses what is set to cv.",
            usize,
            at_least(2.0),
            at_most(100.0)
        )
    };
    (quantizer $get:ident) => {
        $get!(
            "How the rows of a class become summaries: tod in one pass (a row joins the nearest summary within a threshold, else begins one), or k-means (kmeans).",
            $crate::classify::Quantizer
        )
    };
    (summaries $get:ident) => {
        $get!(
            "Summaries of each class at most; cv takes the best of a few by cross-validation.",
            $crate::classify::Tuned,
            whole(),
            at_least(1.0),
            at_most(1e6)
        )
    };
    (threshold $get:ident) => {
        $get!(
            "Distance up to which tod joins a row with a summary, in standard deviations of the columns (scaling standard); 0 finds the one that gives the asked number of summaries.",
            f64,
            at_least(0.0)
        )
    };
    (ppk $get:ident) => {
        $get!(
            "Probability product kernel of two summaries: linear (lppk), normalised to a power (rbf), equation (7) of Yang, Huang, King & Lyu as printed (rbf-literal), or a polynomial or tanh of the normalised one.",
            $crate::classify::Ppk
        )
    };
    (covariance $get:ident) => {
        $get!(
            "Summaries hold variances (diag), or covariances of all pairs of columns (full).",
            $crate::classify::CovarianceChoice
        )
    };
    (rho $get:ident) => {
        $get!(
            "Power of the densities in the product kernel: 1 is the expected likelihood, 0.5 Bhattacharyya's.",
            f64,
            positive(),
            at_most(10.0)
        )
    };
    (gamma $get:ident) => {
        $get!(
            "Power or factor of the kernel; median is 1 over the median distance of two summaries (1 for poly and tanh), cv the best of a few multiples of it by cross-validation.",
            $crate::classify::GammaOrCv
        )
    };
    ($other:ident $get:ident) => {
        shared!($other $get)
    };
}
