//! The one list of methods: names, parameters, fitting and loading by name.

use crate::any_classifier::AnyClassifier;
use crate::any_method::AnyMethod;
use crate::context::Ctx;
use crate::data::{Dataset, Grouping, Target};
use crate::error::{Error, Result, nearest_name};
use crate::method::{AnyFit, Classifier, Method, no_groups};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::params::{Named, ParamSpec, parse, with_new_names};
use crate::scaled_model::ScaledModel;

/// One method as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct MethodEntry {
    /// Its name as typed.
    pub name: &'static str,
    /// Its Python class.
    pub class: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its parameters.
    pub specs: &'static [ParamSpec],
    /// Whether it clusters bags of rows, too.
    pub bags: bool,
    /// Whether it has a use for sequences of rows.
    pub sequences: bool,
    /// Whether its models give probabilities.
    pub proba: bool,
    /// Parameters by name, turned into typed ones; defaults for those that are not given.
    pub parse: fn(&Named) -> Result<Box<dyn AnyMethod>>,
    /// Rebuilds a model from its tensors.
    pub load: fn(&Tensors) -> Result<Box<dyn Model>>,
}

macro_rules! methods {
    ($($method:ty),* $(,)?) => {
        /// Every method, in the order they are shown.
        pub static METHODS: &[MethodEntry] = &[$(MethodEntry::of::<$method>()),*];
    };
}

methods! {
    crate::methods::Mspc,
    crate::methods::KMeans,
    crate::methods::Msc,
    crate::methods::KernelKMeans,
    crate::methods::Spectral,
    crate::methods::Cdsk,
    crate::methods::Logistic,
    crate::methods::Mrmc,
    crate::methods::FuzzyKMeans,
    crate::methods::Crf,
    crate::methods::Armc,
}

/// One classifier as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct ClassifierEntry {
    /// Its name as typed.
    pub name: &'static str,
    /// Its Python class.
    pub class: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Its parameters.
    pub specs: &'static [ParamSpec],
    /// Parameters by name, turned into typed ones; defaults for those that are not given.
    pub parse: fn(&Named) -> Result<Box<dyn AnyClassifier>>,
    /// Rebuilds a model from its tensors.
    pub load: fn(&Tensors) -> Result<Box<dyn Model>>,
}

macro_rules! classifiers {
    ($($classifier:ty),* $(,)?) => {
        /// Every classifier, in the order they are shown.
        pub static CLASSIFIERS: &[ClassifierEntry] = &[$(ClassifierEntry::of::<$classifier>()),*];
    };
}

classifiers! {
    crate::classify::Mpm,
    crate::classify::Mcpm,
    crate::classify::Scm,
}

/// The classifier of this name.
pub fn find_classifier(name: &str) -> Result<&'static ClassifierEntry> {
    if METHODS.iter().any(|e| e.name == name) {
        return Err(Error::NotAClassifier { name: name.into() });
    }
    CLASSIFIERS.iter().find(|e| e.name == name).ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        suggestion: nearest_name(name, CLASSIFIERS.iter().map(|e| e.name)),
    })
}

/// The model of the method or classifier of this name.
pub fn load(name: &str, tensors: &Tensors) -> Result<Box<dyn Model>> {
    match CLASSIFIERS.iter().find(|e| e.name == name) {
        Some(entry) => (entry.load)(tensors),
        None => (find(name)?.load)(tensors),
    }
}

/// The name, the Python class and one line about a method or classifier.
pub fn described(name: &str) -> Option<[&'static str; 3]> {
    let methods = METHODS.iter().map(|e| [e.name, e.class, e.about]);
    let classifiers = CLASSIFIERS.iter().map(|e| [e.name, e.class, e.about]);
    methods.chain(classifiers).find(|words| words[0] == name)
}

/// Whether a classifier has this name.
pub(crate) fn is_classifier(name: &str) -> bool {
    CLASSIFIERS.iter().any(|entry| entry.name == name)
}

/// The method of this name.
pub fn find(name: &str) -> Result<&'static MethodEntry> {
    if let Some(entry) = CLASSIFIERS.iter().find(|e| e.name == name) {
        return Err(Error::NotAClustering { name: name.into(), class: entry.class });
    }
    METHODS.iter().find(|e| e.name == name).ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        suggestion: named_by_class(name)
            .or_else(|| nearest_name(name, METHODS.iter().map(|e| e.name))),
    })
}

/// What the Python class of this name is called here.
fn named_by_class(class: &str) -> Option<String> {
    let entry = METHODS.iter().find(|e| e.class.eq_ignore_ascii_case(class))?;
    Some(entry.name.into())
}

impl MethodEntry {
    /// What is known of a method, registered or not.
    pub const fn of<M>() -> Self
    where
        M: Method + std::fmt::Debug + Send + Sync + 'static,
        M::Model: Send,
    {
        Self {
            name: M::NAME,
            class: M::CLASS,
            about: M::ABOUT,
            specs: M::SPECS,
            bags: M::BAGS,
            sequences: M::SEQUENCES,
            proba: M::PROBA,
            parse: method_as::<M>,
            load: load_as::<M>,
        }
    }

    /// Whether it has a parameter of this name.
    pub fn has(&self, parameter: &str) -> bool {
        self.specs.iter().any(|spec| spec.name == parameter)
    }

    /// Whether it has a use for rows that are grouped like this.
    pub fn takes(&self, kind: Grouping) -> bool {
        match kind {
            Grouping::Bags => self.bags,
            Grouping::Sequences => self.sequences,
        }
    }

    /// Refuses bags or sequences where the method has no use for them, and names those that have.
    pub fn check_takes(&self, kind: Grouping) -> Result<()> {
        if self.takes(kind) {
            return Ok(());
        }
        Err(no_groups(self.name, kind, names_of(|entry| entry.takes(kind))))
    }
}

/// The names of the methods that `which` is true for.
pub fn names_of(which: impl Fn(&MethodEntry) -> bool) -> Vec<&'static str> {
    METHODS.iter().filter(|entry| which(entry)).map(|entry| entry.name).collect()
}

/// Fits a method by name with parameters by name, without judging the result.
pub fn solve(name: &str, params: &Named, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<AnyFit> {
    find(name)?.solve(params, data, ctx)
}

impl MethodEntry {
    /// Fits with parameters by name, without judging the result.
    pub fn solve(&self, params: &Named, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<AnyFit> {
        (self.parse)(params)?.solve(data, ctx)
    }

    /// Parameters as given, completed by the defaults and checked.
    pub fn params(&self, given: &Named) -> Result<Named> {
        let method = (self.parse)(given)?;
        method.check()?;
        Ok(method.params())
    }
}

impl ClassifierEntry {
    /// What is known of a classifier, registered or not.
    pub const fn of<C>() -> Self
    where
        C: Classifier + std::fmt::Debug + Send + Sync + 'static,
        C::Model: Send,
    {
        Self {
            name: C::NAME,
            class: C::CLASS,
            about: C::ABOUT,
            specs: C::SPECS,
            parse: classifier_as::<C>,
            load: load_classifier::<C>,
        }
    }

    /// Trains with parameters by name.
    pub fn solve(
        &self,
        params: &Named,
        data: &Dataset<'_>,
        target: &Target,
        ctx: &mut Ctx<'_>,
    ) -> Result<AnyFit> {
        (self.parse)(params)?.solve(data, target, ctx)
    }

    /// Parameters as given, completed by the defaults and checked.
    pub fn params(&self, given: &Named) -> Result<Named> {
        let classifier = (self.parse)(given)?;
        classifier.check()?;
        Ok(classifier.params())
    }
}

/// The method of a model file with its parameters, which a version before this one may have written.
pub(crate) fn restore(name: &str, params: &Named) -> Result<Box<dyn AnyMethod>> {
    let entry = find(name)?;
    // The labels to begin from belong to the data and are not in the file.
    let mut params = with_new_names(params.clone());
    params.retain(|name, value| !(name == "init" && *value == "given"));
    (entry.parse)(&params).map_err(|e| Error::Model(format!("its parameters cannot be read: {e}")))
}

fn method_as<M>(params: &Named) -> Result<Box<dyn AnyMethod>>
where
    M: Method + std::fmt::Debug + Send + Sync + 'static,
    M::Model: Send,
{
    Ok(Box::new(parse::<M>(params)?))
}

fn classifier_as<C>(params: &Named) -> Result<Box<dyn AnyClassifier>>
where
    C: Classifier + std::fmt::Debug + Send + Sync + 'static,
    C::Model: Send,
{
    Ok(Box::new(parse::<C>(params)?))
}

fn load_classifier<C: Classifier>(tensors: &Tensors) -> Result<Box<dyn Model>> {
    Ok(Box::new(ScaledModel::load(tensors, C::load)?))
}

fn load_as<M: Method>(tensors: &Tensors) -> Result<Box<dyn Model>> {
    Ok(Box::new(ScaledModel::load(tensors, M::load)?))
}
