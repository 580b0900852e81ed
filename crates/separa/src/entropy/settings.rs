//! The parameters of these methods.

use super::model::RowModel;
use super::passes;
use super::posterior::Link;
use super::run::run;
use crate::context::Ctx;
use crate::data::Dataset;
use crate::error::Result;
use crate::method::{Fit, Method};
use crate::model_file::Tensors;
use crate::params::{Checked, ClusterSize, Gamma, Init, KernelChoice, Scaling, bad_param};
use crate::pass::PassRule;

choices! {
    /// How the objective is lowered.
    pub enum Optimizer {
        /// L-BFGS on the objective itself.
        Gradient = "gradient",
        /// Sharpened posteriors and fits to them, in turns.
        Em = "em",
    }
}

word_or_number! {
    /// λ of the squared weights.
    pub enum Reg {
        /// As a fraction of its critical value.
        Fraction(f64), positive();
        /// By the columns, at most 0.05, and 0.03 with a kernel.
        Auto = "auto",
    }
}

/// The λ that is chosen is this fraction of the mean variance of a column over k; at most, and with a
/// kernel, these fractions of the critical λ.
const OF_MEAN: f64 = 0.2;
const AT_MOST: f64 = 0.05;
const WITH_KERNEL: f64 = 0.03;
/// With fewer columns than k − 1 clusters share directions, and only large weights part them: λ falls with this power of
/// columns over k − 1, to this fraction at least.
const ROOM: i32 = 6;
const LEAST_ROOM: f64 = 0.02;

impl Reg {
    /// `crowded` is the largest variance of any direction over the mean variance of the columns, none where
    /// there is a kernel; `room` is the number of columns over k − 1. λ_c goes with the largest variance, which
    /// is that of many columns where these go together (pixels), and a fraction of it would weigh on them as if
    /// they were one: so λ goes with the mean.
    pub(crate) fn share(self, crowded: Option<f64>, room: f64) -> f64 {
        match (self, crowded) {
            (Self::Fraction(share), _) => share,
            // λ_c is the largest variance over 2k.
            (Self::Auto, Some(crowded)) => {
                (2.0 * OF_MEAN / crowded).min(AT_MOST) * room.powi(ROOM).clamp(LEAST_ROOM, 1.0)
            }
            (Self::Auto, None) => WITH_KERNEL,
        }
    }
}

/// Parameters that the methods of minimum conditional entropy share.
macro_rules! shared_by_entropy {
    (balance_weight $get:ident) => {
        $get!(
            "Weight β of the entropy of the mean probabilities; 0 lets one cluster take all rows.",
            f64,
            at_least(0.0)
        )
    };
    (optimizer $get:ident) => {
        $get!(
            "L-BFGS on the objective (gradient), or fits to sharpened probabilities, in turns (em).",
            $crate::entropy::Optimizer
        )
    };
    (temperature $get:ident) => {
        $get!(
            "Of em: probabilities are raised to the power 1/temperature and normalised; 0 is self-training.",
            f64,
            at_least(0.0),
            below(1.0)
        )
    };
    (init $get:ident) => {
        $get!(
            "Initialization: anneal follows a path of falling λ from no split, kmeans starts from k-means, auto does both in turns and with a kernel takes spectral clusterings at five widths as the second.",
            $crate::params::Init,
            or_words(&["auto", "anneal", "kmeans"])
        )
    };
    (n_init $get:ident) => {
        $get!(
            "Initializations, of which the one with the lowest objective is kept; given labels are one.",
            usize,
            at_least(1.0),
            at_most(10_000.0)
        )
    };
    (max_iter $get:ident) => {
        $get!("Iterations at most at the last λ.", usize, at_least(1.0))
    };
    (tol $get:ident) => {
        $get!(
            "Stop when no entry of the gradient is larger than this times four critical λ, or ten iterations gain less than a tenth of this (em: one turn less than a hundredth).",
            f64,
            positive()
        )
    };
    ($other:ident $get:ident) => {
        shared!($other $get)
    };
}
pub(crate) use shared_by_entropy;

params! {
    /// The parameters of a method of rows: `logistic` and `mrmc` are those of their [`Link`].
    pub struct RowParams<L: Link>(L::NAME, L::CLASS, L::ABOUT) with shared_by_entropy {
        n_clusters = 2;
        /// Weight λ of the squared weights, as a fraction of the value above which clusters that are all
        /// alike stay so; auto is 0.4 times the mean variance of a column over the largest of any
        /// direction, 0.05 at most, less with fewer columns than k − 1, and 0.03 with a kernel; it comes
        /// down where a cluster has no rows.
        reg: Reg = Reg::Auto;
        balance_weight = 1.0;
        scaling = Scaling::Auto;
        /// Similarity of two rows, for curved boundaries; precomputed takes the table as the kernel
        /// matrix.
        kernel = KernelChoice::Linear;
        gamma = Gamma::Median;
        degree = 3;
        coef0 = 1.0;
        /// Rows that approximate the kernel (Nyström); 0 takes all rows up to 2000, else 500.
        landmarks = 0;
        optimizer = Optimizer::Gradient;
        temperature = 0.5;
        init = Init::Auto;
        n_init = 4;
        min_cluster_size = ClusterSize::Fraction(0.01);
        max_iter = 300;
        tol = 1e-4;
    }
    check RowParams::check_landmarks;
}

/// What a method with a posterior of its own shares with them.
pub(crate) type Settings = RowParams<()>;

impl<L: Link> RowParams<L> {
    fn check_landmarks(&self) -> Result<()> {
        let none = matches!(self.kernel, KernelChoice::Linear | KernelChoice::Precomputed);
        if self.landmarks > 0 && none {
            let expected = "0 where the kernel is linear or precomputed";
            return bad_param::<Self, ()>("landmarks", expected, self.landmarks);
        }
        Ok(())
    }
}

impl<L> RowParams<L> {
    /// With the smallest cluster as a fraction of these rows.
    pub(crate) fn sized(&self, data: &Dataset<'_>) -> Self {
        let total = data.weights().map_or(data.n() as f64, |w| w.iter().sum());
        let fraction = self.min_cluster_size.fraction(total);
        Self { min_cluster_size: ClusterSize::Fraction(fraction), ..self.clone() }
    }
}

impl<L: Link> Method for RowParams<L> {
    type Model = RowModel<L>;
    const PROBA: bool = true;
    const SUGGESTIONS: bool = true;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<Fit<Self::Model>> {
        run(p, data, ctx)
    }

    fn load(tensors: &Tensors) -> Result<Self::Model> {
        RowModel::load(tensors)
    }

    fn passes(p: &Checked<Self>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
        passes::begin(p, tensors)
    }
}
