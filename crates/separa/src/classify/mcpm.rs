//! The minimax clustering probability machine: a minimax probability machine of summaries.
//!
//! Problem   equation (4): the boundary between the summaries of two classes, in the space of a probability
//!           product kernel, whose worst case is best.
//! Given     rows with classes.
//! Returns   a model that holds summaries only; α of the summaries' moments, and the rate of the rows.
//! Cost      one pass over the rows, then M³ for M summaries; a new row M·d.
//! See       Yang, Huang, King & Lyu, Efficient minimax clustering probability machine.

use super::choices::{
    AimChoice, CovarianceChoice, GammaOrCv, Multiclass, Ppk, Quantizer, Scaling, Tuned,
};
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

/// Regularisers that are tried.
const REGS: [f64; 5] = [0.1, 0.03, 0.01, 0.003, 0.001];

params! {
    /// The minimax clustering probability machine.
    ///
    /// ```
    /// use separa::prelude::*;
    ///
    /// let rows: Vec<[f64; 2]> = (0..80).map(|i| [f64::from(i % 2) * 9.0 + f64::from(i % 5) * 0.2, f64::from(i / 2 % 9)]).collect();
    /// let weather: Vec<&str> = (0..80).map(|i| if i % 2 == 0 { "dry" } else { "wet" }).collect();
    /// let trained = Mcpm::default().fit(&rows, &Target::from_texts("weather", &weather)?)?;
    /// assert_eq!(trained.predict(&[[0.3, 4.0], [9.2, 4.0]])?, [0, 1]);
    /// assert!(trained.learnt().accuracy > 0.99);
    /// # Ok::<(), separa::Error>(())
    /// ```
    pub struct Mcpm(
        "mcpm",
        "MCPMClassifier",
        "minimax clustering probability machine: learns from summaries of the rows, in one pass",
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
        reg = Tuned::Cv;
        aim = AimChoice::Minimax;
        floor = 0.2;
        multiclass = Multiclass::Pairs;
        scaling = Scaling::Auto;
        folds = 5;
    }
}

impl Classifier for Mcpm {
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

impl Mcpm {
    pub(super) fn plan(&self) -> SummaryTraining {
        let learner = Learner::Minimax { aim: self.aim, floor: self.floor };
        plan_of!(self, learner, "reg", self.reg.grid(&REGS))
    }
}
