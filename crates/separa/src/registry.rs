//! The one list of methods: names, parameters, fitting and loading by name.

use crate::dataset::{Dataset, Grouping};
use crate::error::{Error, Result, nearest_name};
use crate::estimator::{Ctx, Fit, Method, Model, ParamSpec, Proba, no_groups};
use crate::persist::Tensors;
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
            name: <$method as crate::estimator::Params>::NAME,
            class: <$method as crate::estimator::Params>::CLASS,
            about: <$method as crate::estimator::Params>::ABOUT,
            specs: <$method as crate::estimator::Params>::SPECS,
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
}

/// The method of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    METHODS.iter().find(|e| e.name == name).ok_or_else(|| Error::UnknownMethod {
        name: name.into(),
        suggestion: nearest_name(name, METHODS.iter().map(|e| e.name)),
    })
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

fn load_as<M: Method>(tensors: &Tensors) -> Result<Box<dyn Model>> {
    Ok(Box::new(M::load(tensors)?))
}

fn complete<M: Method>(params: &Named) -> Result<Named> {
    let params = parse::<M>(params)?;
    params.check()?;
    match serde_json::to_value(params) {
        Ok(Value::Object(map)) => Ok(map),
        _ => unreachable!("parameters are structs with named fields"),
    }
}

/// Turns named values into parameters; the first bad one is named with what was expected.
fn parse<M: Method>(given: &Named) -> Result<M> {
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
