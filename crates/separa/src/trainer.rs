//! The request for a classifier: which one, its parameters, and how to run it.

use crate::any_classifier::AnyClassifier;
use crate::clusterer::observers::SharedObserver;
use crate::clusterer::run_settings::{RunSettings, run_setters};
use crate::clustering::Trained;
use crate::data::{AsRows, Dataset, Target};
use crate::error::Result;
use crate::method::Classifier;
use crate::params::Named;
use crate::progress::Observer;
use crate::registry;
use crate::validate::cross_validate;
use std::sync::Arc;
use std::time::Instant;

/// A request for a trained classifier: method, parameters, seed, threads, memory, observer.
///
/// ```
/// use separa::prelude::*;
///
/// let rows: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i % 2) * 5.0 + f64::from(i) * 0.01, f64::from(i % 7)]).collect();
/// let classes: Vec<&str> = (0..40).map(|i| if i % 2 == 0 { "cold" } else { "warm" }).collect();
/// let trained = Trainer::new(Mpm::default()).fit(&rows, &Target::from_texts("season", &classes)?)?;
/// assert_eq!(trained.classes(), ["cold", "warm"]);
/// assert_eq!(trained.predict(&[[0.1, 3.0], [5.2, 3.0]])?, [0, 1]);
/// # Ok::<(), separa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Trainer<'a> {
    method: Arc<dyn AnyClassifier>,
    pub(crate) run: RunSettings<'a>,
    folds: Option<usize>,
}

impl Trainer<'static> {
    /// A request with seed 0, all threads, 80 % of the free memory.
    pub fn new<C>(method: C) -> Self
    where
        C: Classifier + std::fmt::Debug + Send + Sync + 'static,
        C::Model: Send,
    {
        Self::of(Arc::new(method))
    }

    /// The door for parameters by name: here they are parsed, once.
    pub fn named(method: &str, params: &Named) -> Result<Self> {
        Ok(Self::of((registry::find_classifier(method)?.parse)(params)?.into()))
    }

    fn of(method: Arc<dyn AnyClassifier>) -> Self {
        Self { method, run: RunSettings::default(), folds: None }
    }
}

impl<'a> Trainer<'a> {
    run_setters!();

    /// Judges the whole training by nested cross-validation in so many folds.
    pub fn cross_validate(self, folds: usize) -> Self {
        Self { folds: Some(folds), ..self }
    }

    /// Who hears how the work goes, and can end it.
    pub fn observe<'b>(self, observer: impl Observer + 'b) -> Trainer<'b> {
        Trainer { run: self.run.observed(SharedObserver::new(observer)), ..self }
    }

    /// The classifier with its parameters.
    pub fn method(&self) -> &dyn AnyClassifier {
        self.method.as_ref()
    }

    /// Refuses what can be refused without looking at data.
    pub fn check(&self) -> Result<()> {
        self.run.budget()?.check()?;
        self.method.check()
    }

    /// Learns from rows whose classes are known.
    pub fn fit(&self, rows: &(impl AsRows + ?Sized), target: &Target) -> Result<Trained> {
        rows.with_rows(|data| {
            self.check()?;
            self.run.install(|| match data.unit() {
                None => self.run(data, target),
                Some(unit) => {
                    let table = data.times(unit);
                    let mut trained = self.run(&data.rescaled(table.matrix()), target)?;
                    trained.set_unit(unit);
                    Ok(trained)
                }
            })
        })
    }

    fn run(&self, data: &Dataset<'_>, target: &Target) -> Result<Trained> {
        let mut ctx = self.run.ctx(self.run.observer.clone())?;
        let cv = match self.folds {
            Some(folds) => Some(cross_validate(self.method(), data, target, folds, &mut ctx)?),
            None => None,
        };
        let began = Instant::now();
        let fit = self.method.solve(data, target, &mut ctx)?;
        let mut trained = Trained::new(self.method(), fit, data, self.run.seed, target.sizes());
        trained.seconds = began.elapsed().as_secs_f64();
        trained.cv = cv;
        Ok(trained)
    }
}
