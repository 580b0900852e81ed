//! Rust's errors as the package's exceptions: the same sentences, a class for each kind.
//!
//! The classes are written in Python (`separa/exceptions.py`), where they can have two bases and
//! docstrings.

use pyo3::prelude::*;
use separa::{Error, Note, Remedy};
use serde_json::{Value, json};
use std::any::Any;

/// The exception for an error of the library.
pub fn raise(e: Error) -> PyErr {
    let class = match e {
        Error::Param { .. }
        | Error::UnknownParam { .. }
        | Error::RenamedParam { .. }
        | Error::Export(_)
        | Error::UnknownMethod { .. } => "ParameterError",
        Error::Memory { .. } => "FitMemoryError",
        Error::Model(_) | Error::NotPortable { .. } => "ModelError",
        _ => "DataError",
    };
    exception(class, e.sentence(word))
}

/// A remedy, with the argument or the function that does it.
pub fn word(remedy: &Remedy) -> String {
    remedy.worded(&|remedy| {
        let call = match remedy {
            Remedy::RaiseMemory => "max_memory=\"8G\"".to_owned(),
            Remedy::FewerLandmarks => "landmarks=...".to_owned(),
            Remedy::FewerClusters | Remedy::MoreClusters | Remedy::GiveNumberOfClusters => {
                "n_clusters=...".to_owned()
            }
            Remedy::RaiseKMax | Remedy::ChangeKMax => "k_max=...".to_owned(),
            Remedy::AnotherSeed => "random_state=...".to_owned(),
            Remedy::AskStability => "separa.stability".to_owned(),
            Remedy::DropTimeLimit => "time_limit=None".to_owned(),
            Remedy::FitSegments { k } => return Some(format!("set n_clusters={k}")),
            Remedy::MoreTime => "separa.fit(..., time_limit=120)".to_owned(),
            Remedy::NameGroups { kind } => {
                return Some(format!("give a list of tables, one per {kind} ([X] for one {kind})"));
            }
            Remedy::TryMethods { methods } => {
                let class = |name: &String| {
                    let found = separa::registry::find(name);
                    found.map_or_else(|_| name.clone(), |entry| format!("separa.{}", entry.class))
                };
                let classes: Vec<String> = methods.iter().map(class).collect();
                return Some(format!(
                    "try {} (separa.compare ranks methods)",
                    classes.join(" or ")
                ));
            }
            Remedy::ListMethods => "separa.methods()".to_owned(),
            Remedy::FitClustering => "separa.fit, or its class".to_owned(),
            Remedy::TrainOnLabels => "separa.MPMClassifier().fit(X, labels)".to_owned(),
            Remedy::TrainClassifier { class } => format!("separa.{class}"),
            Remedy::SetParameter { name, value } => {
                return Some(format!("set {name}={}", python_value(value)));
            }
            _ => return None,
        };
        Some(format!("{remedy} ({call})"))
    })
}

/// A value as Python writes it.
fn python_value(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => other.to_string(),
    }
}

/// Notes with the sentence that Python shows.
pub fn told(notes: &[Note]) -> Value {
    let told = |note: &Note| {
        let mut value = json!(note);
        value["sentence"] = note.sentence(word).into();
        value["act"] = note.is_to_act_on().into();
        value
    };
    notes.iter().map(told).collect()
}

/// A table or a value that cannot be used.
pub fn data(message: impl Into<String>) -> PyErr {
    exception("DataError", message.into())
}

/// A model file that cannot be used.
pub fn model(message: impl Into<String>) -> PyErr {
    exception("ModelError", message.into())
}

/// A parameter of the wrong kind.
pub fn parameter(message: impl Into<String>) -> PyErr {
    exception("ParameterError", message.into())
}

/// A file or another resource of the system.
pub fn system(message: impl Into<String>) -> PyErr {
    exception("FileError", message.into())
}

/// A file that is not there.
pub fn missing(message: impl Into<String>) -> PyErr {
    exception("MissingFileError", message.into())
}

/// A panic: our bug, told as such.
pub fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let what = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    exception("InternalError", format!("a bug in separa ended the work: {what}; please report it"))
}

fn exception(class: &'static str, message: String) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("separa.exceptions")
            .and_then(|module| module.getattr(class)?.call1((message,)));
        match made {
            Ok(value) => PyErr::from_value(value),
            Err(e) => e,
        }
    })
}
