//! The one list of methods: names, parameters, fitting and loading by name.

use crate::dataset::Dataset;
use crate::error::{Error, Result, nearest_name};
use crate::estimator::{Classifier, Ctx, Fit, Method, Model, ParamSpec, Params, no_bags};
use crate::persist::Tensors;
use crate::target::Target;
use serde_json::{Map, Value};

/// A fit whose method was chosen by name.
pub type AnyFit = Fit<Box<dyn Model>>;

/// Parameters by name.
pub type Named = Map<String, Value>;

/// One method as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    pub class: &'static str,
    pub about: &'static str,
    pub specs: &'static [ParamSpec],
    /// Whether it clusters bags of rows, too.
    pub bags: bool,
    /// Whether its boundaries are flat, in the input columns or those of its kernel.
    pub flat: bool,
    /// Parameters as given, completed by the defaults and checked.
    pub params: fn(&Named) -> Result<Named>,
    pub fit: fn(&Named, &Dataset<'_>, &mut Ctx<'_>) -> Result<AnyFit>,
    pub load: fn(&Tensors) -> Result<Box<dyn Model>>,
}

macro_rules! methods {
    ($($method:ty),* $(,)?) => {
        /// Every method, in the order they are shown.
        pub static METHODS: &[Entry] = &[$(Entry {
            name: <$method as crate::estimator::Params>::NAME,
            class: <$method as crate::estimator::Params>::CLASS,
            about: <$method as crate::estimator::Params>::ABOUT,
            specs: <$method as crate::estimator::Params>::SPECS,
            bags: <$method as Method>::BAGS,
            flat: <$method as Method>::FLAT,
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
        suggestion: nearest_name(name, METHODS.iter().map(|e| e.name)),
    })
}

impl Entry {
    pub fn has(&self, parameter: &str) -> bool {
        self.specs.iter().any(|spec| spec.name == parameter)
    }

    /// Refuses bags where the method has no use for them, and names those that have.
    pub fn check_bags(&self) -> Result<()> {
        if self.bags {
            return Ok(());
        }
        let takers = names_of(|entry| entry.bags).join(", ");
        Err(Error::Data(format!("{}; methods that take bags: {takers}", no_bags(self.name))))
    }
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
    if data.bags().is_some() {
        find(M::NAME)?.check_bags()?;
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
    match serde_json::to_value(params) {
        Ok(Value::Object(map)) => Ok(map),
        _ => unreachable!("parameters are structs with named fields"),
    }
}

/// Turns named values into parameters; the first bad one is named with what was expected.
fn parse<M: Params>(given: &Named) -> Result<M> {
    for (name, value) in given {
        let spec = M::SPECS.iter().find(|s| s.name == name).ok_or_else(|| Error::UnknownParam {
            method: M::NAME.into(),
            name: name.clone(),
            suggestion: nearest_name(name, M::SPECS.iter().map(|s| s.name)),
        })?;
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        if serde_json::from_value::<M>(Value::Object(alone)).is_err() {
            return Err(Error::Param {
                method: M::NAME,
                name: spec.name,
                expected: spec.expected.into(),
                found: value.to_string(),
            });
        }
    }
    serde_json::from_value(Value::Object(given.clone())).map_err(|e| Error::Data(e.to_string()))
}
