//! The support cluster machine: a support vector machine of summaries.
//!
//! Problem   min ½‖w‖² + Σ_k C·P_k/P̄ · max(0, 1 − y_k f(c_k))  in the space of a probability product kernel.
//! Given     rows with classes.      Returns  a model that holds summaries only; no bound.
//! Cost      as the minimax clustering probability machine.
//! See       Li, Chi, Fan & Xue (2007), Support cluster machine.

use super::choices::{CovarianceChoice, GammaOrCv, Multiclass, Ppk, Quantizer, Scaling, Tuned};
use super::machine::ClassifierModel;
use super::passes::{self, LearntFrom};
use super::plan::{SummaryTraining, plan_of};
use super::product::Learner;
use crate::context::Ctx;
use crate::data::{Dataset, Target};
use crate::error::Result;
use crate::method::{Classifier, Fit};
use crate::model_file::Tensors;
use crate::params::Checked;
use crate::pass::ClassPassRule;
use crate::report::Learnt;

/// Values of C that are tried, the smallest first but for one that is rarely wrong.
const CS: [f64; 5] = [1.0, 0.1, 10.0, 100.0, 1000.0];

params! {
    /// The support cluster machine.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 2]> = (0..80).map(|i| [f64::from(i % 2) * 9.0 + f64::from(i % 5) * 0.2, f64::from(i / 2 % 9)]).collect();
    /// let weather: Vec<&str> = (0..80).map(|i| if i % 2 == 0 { "dry" } else { "wet" }).collect();
    /// let trained = Scm::default().fit(&rows, &Target::from_texts("weather", &weather)?)?;
    /// assert_eq!(trained.predict(&[[0.3, 4.0], [9.2, 4.0]])?, [0, 1]);
    /// assert!(trained.learnt().accuracy > 0.99);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Scm(
        "scm",
        "SCMClassifier",
        "support cluster machine: a support vector machine that learns from summaries of the rows",
    ) with shared_by_classifiers {
        quantizer = Quantizer::Tod;
        summaries = Tuned::Cv;
        threshold = 0.0;
        ppk = Ppk::Rbf;
        covariance = CovarianceChoice::Diag;
        rho = 1.0;
        gamma = GammaOrCv::Cv;
        degree = 3;
        coef0 = 1.0;
        /// Price of a summary of average weight on the wrong side; cv takes the best of a few by
        /// cross-validation.
        c: Tuned = Tuned::Cv;
        multiclass = Multiclass::Pairs;
        scaling = Scaling::Auto;
        folds = 5;
    }
}

impl Classifier for Scm {
    type Model = ClassifierModel;

    fn train(
        p: &Checked<Self>,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<Fit<ClassifierModel>> {
        p.plan().train::<Self>(data, target, ctx)
    }

    fn load(tensors: &Tensors) -> Result<ClassifierModel> {
        ClassifierModel::load(tensors)
    }

    fn passes(
        p: &Checked<Self>,
        tensors: &Tensors,
        learnt: &Learnt,
    ) -> Result<Option<Box<dyn ClassPassRule>>> {
        passes::begin(LearntFrom::Summaries(p.plan()), tensors, learnt)
    }
}

impl Scm {
    pub(super) fn plan(&self) -> SummaryTraining {
        plan_of!(self, Learner::Support, "c", self.c.grid(&CS))
    }
}
