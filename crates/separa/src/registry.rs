//! The one list of methods: names, parameters, fitting and loading by name.

use crate::context::Ctx;
use crate::data::Target;
use crate::data::{Dataset, Grouping};
use crate::error::{Error, Result, nearest_name};
use crate::method::{Classifier, Fit, Method, no_groups};
use crate::model::{Model, Proba};
use crate::model_file::Tensors;
pub use crate::params::Named;
use crate::params::{ParamSpec, Params, parse, to_map};

/// A fit whose method was chosen by name.
pub type AnyFit = Fit<Box<dyn Model>>;

/// One method as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    pub class: &'static str,
    pub about: &'static str,
    pub specs: &'static [ParamSpec],
    /// Whether it clusters bags of rows, too.
    pub bags: bool,
    /// Whether it has a use for sequences of rows.
    pub sequences: bool,
    /// Whether its boundaries are flat, in the input columns or those of its kernel.
    pub flat: bool,
    /// Whether its models give probabilities.
    pub proba: bool,
    /// Parameters as given, completed by the defaults and checked.
    pub params: fn(&Named) -> Result<Named>,
    pub fit: fn(&Named, &Dataset<'_>, &mut Ctx<'_>) -> Result<AnyFit>,
    pub load: fn(&Tensors) -> Result<Box<dyn Model>>,
}

macro_rules! methods {
    ($($method:ty),* $(,)?) => {
        /// Every method, in the order they are shown.
        pub static METHODS: &[Entry] = &[$(Entry {
            name: <$method as crate::params::Params>::NAME,
            class: <$method as crate::params::Params>::CLASS,
            about: <$method as crate::params::Params>::ABOUT,
            specs: <$method as crate::params::Params>::SPECS,
            bags: <$method as Method>::BAGS,
            sequences: <$method as Method>::SEQUENCES,
            flat: <$method as Method>::FLAT,
            proba: <$method as Method>::PROBA,
            params: complete::<$method>,
            fit: fit_as::<$method>,
            load: load_as::<$method>,
        }),*];
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
    pub name: &'static str,
    pub class: &'static str,
    pub about: &'static str,
    pub specs: &'static [ParamSpec],
    /// Parameters as given, completed by the defaults and checked.
    pub params: fn(&Named) -> Result<Named>,
    pub fit: fn(&Named, &Dataset<'_>, &Target, &mut Ctx<'_>) -> Result<AnyFit>,
    pub load: fn(&Tensors) -> Result<Box<dyn Model>>,
}

macro_rules! classifiers {
    ($($classifier:ty),* $(,)?) => {
        /// Every classifier, in the order they are shown.
        pub static CLASSIFIERS: &[ClassifierEntry] = &[$(ClassifierEntry {
            name: <$classifier as Params>::NAME,
            class: <$classifier as Params>::CLASS,
            about: <$classifier as Params>::ABOUT,
            specs: <$classifier as Params>::SPECS,
            params: complete::<$classifier>,
            fit: train_as::<$classifier>,
            load: load_classifier::<$classifier>,
        }),*];
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
        return Err(Error::Data(format!(
            "{name} is a clustering method: it needs no classes; use `separa cluster`, or its class in Python"
        )));
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

/// The method of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    if let Some(entry) = CLASSIFIERS.iter().find(|e| e.name == name) {
        return Err(Error::Data(format!(
            "{name} is a classifier: it learns from rows whose classes are known; use `separa train`, or {} in \
             Python",
            entry.class
        )));
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

impl Entry {
    pub fn has(&self, parameter: &str) -> bool {
        self.specs.iter().any(|spec| spec.name == parameter)
    }

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
        let takers = names_of(|entry| entry.takes(kind)).join(", ");
        let (why, many) = (no_groups(self.name, kind), kind.many());
        Err(Error::Data(format!("{why}; methods that take {many}: {takers}")))
    }
}

/// The model's probabilities; where it has none, an error that names the methods that have.
pub fn proba<'m>(method: &str, model: &'m dyn Model) -> Result<&'m dyn Proba> {
    model.proba().ok_or_else(|| {
        let takers = names_of(|entry| entry.proba).join(", ");
        Error::Data(format!("{method} gives no probabilities; methods that do: {takers}"))
    })
}

/// The names of the methods that `which` is true for.
pub fn names_of(which: impl Fn(&Entry) -> bool) -> Vec<&'static str> {
    METHODS.iter().filter(|entry| which(entry)).map(|entry| entry.name).collect()
}

/// Fits a method by name with parameters by name.
pub fn fit(name: &str, params: &Named, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Result<AnyFit> {
    (find(name)?.fit)(params, data, ctx)
}

fn fit_as<M: Method + Send + Sync>(
    params: &Named,
    data: &Dataset<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<AnyFit>
where
    M::Model: Send,
{
    if let Some(kind) = data.grouping() {
        find(M::NAME)?.check_takes(kind)?;
    }
    let Fit { model, labels, report } = parse::<M>(params)?.fit(data, ctx)?;
    Ok(Fit { model: Box::new(model), labels, report })
}

fn train_as<C: Classifier + Send + Sync>(
    params: &Named,
    data: &Dataset<'_>,
    target: &Target,
    ctx: &mut Ctx<'_>,
) -> Result<AnyFit>
where
    C::Model: Send,
{
    let Fit { model, labels, report } = parse::<C>(params)?.fit(data, target, ctx)?;
    Ok(Fit { model: Box::new(model), labels, report })
}

fn load_classifier<C: Classifier>(tensors: &Tensors) -> Result<Box<dyn Model>> {
    Ok(Box::new(C::load(tensors)?))
}

fn load_as<M: Method>(tensors: &Tensors) -> Result<Box<dyn Model>> {
    Ok(Box::new(M::load(tensors)?))
}

fn complete<M: Params>(params: &Named) -> Result<Named> {
    let params = parse::<M>(params)?;
    params.check()?;
    Ok(to_map(&params))
}
