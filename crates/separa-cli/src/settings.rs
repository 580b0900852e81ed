//! From options to the parameters of a method, by name.

use crate::args::{ClusterArgs, Clusters, Outliers, Units};
use crate::failure::{Failure, Result};
use separa::k_auto as auto;
use separa::k_auto::count::Options;
use separa::registry::{self, Entry};
use serde_json::{Map, Value};

/// A method and what was set for it.
#[derive(Debug)]
pub struct Settings {
    pub entry: &'static Entry,
    pub given: Map<String, Value>,
    /// Clusters at most, where their number is to be found.
    pub k_max: usize,
}

/// The parameter `n_clusters` for -k, beside --k-max.
pub fn how_many(k: Clusters, k_max: Option<usize>) -> Result<Value> {
    match (k, k_max) {
        (Clusters::Given(_), Some(_)) => {
            Err(Failure::new("--k-max is for -k auto; with a number of clusters leave it out"))
        }
        (Clusters::Given(k), None) => Ok(k.into()),
        (Clusters::Auto, _) => Ok(auto::AUTO.into()),
    }
}

impl Settings {
    /// Collects -k, --set and its short forms; everything is checked before any file is read.
    pub fn new(args: &ClusterArgs) -> Result<Self> {
        let entry = registry::find(&args.method)?;
        let mut settings = Self { entry, given: Map::new(), k_max: Options::default().k_max };
        settings.given.insert("n_clusters".into(), how_many(args.k, args.k_max)?);
        settings.k_max = args.k_max.unwrap_or(settings.k_max);
        for (name, value) in &args.set {
            settings.set(name, value.clone())?;
        }
        if let Some((kind, _)) = args.groups.chosen() {
            entry.check_takes(kind)?;
        }
        let units = args.units.map(|u| match u {
            Units::Free => "free".into(),
            Units::Shared => "shared".into(),
            Units::Auto => "auto".into(),
        });
        settings.shortcut("units", units)?;
        let outliers = args.outliers.map(|o| match o {
            Outliers::Assign => "assign".into(),
            Outliers::Mark => "mark".into(),
        });
        settings.shortcut("outliers", outliers)?;
        settings.shortcut("landmarks", args.landmarks.map(Value::from))?;
        if args.init_labels.is_some() {
            if args.k == Clusters::Auto {
                return Err(Failure::new(
                    "--init-labels says how many clusters there are; give that number instead of -k auto",
                ));
            }
            settings.known("init", "--init-labels")?;
            settings.unset("init", "--init-labels")?;
        }
        settings.complete()?;
        Ok(settings)
    }

    /// Starting labels from a column.
    pub fn start_from(&mut self, labels: Vec<i32>) {
        self.given.insert("init".into(), labels.into());
    }

    /// All parameters with their values, defaults included.
    pub fn complete(&self) -> Result<Map<String, Value>> {
        Ok(match auto::asked(&self.given) {
            true => auto::check(self.entry, &self.given, self.k_max)?,
            false => (self.entry.params)(&self.given)?,
        })
    }

    fn set(&mut self, name: &str, value: Value) -> Result<()> {
        match name {
            "n_clusters" => Err(twice(name, "-k")),
            "random_state" => Err(twice(name, "--seed")),
            _ if self.given.contains_key(name) => {
                Err(Failure::new(format!("--set {name}=… is given twice; give it once")))
            }
            _ => {
                self.given.insert(name.to_owned(), value);
                Ok(())
            }
        }
    }

    fn shortcut(&mut self, name: &'static str, value: Option<Value>) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        let option = format!("--{name}");
        self.known(name, &option)?;
        self.unset(name, &option)?;
        self.given.insert(name.to_owned(), value);
        Ok(())
    }

    fn known(&self, name: &str, option: &str) -> Result<()> {
        if self.entry.has(name) {
            return Ok(());
        }
        let (method, others) = (self.entry.name, registry::names_of(|entry| entry.has(name)));
        Err(Failure::new(format!(
            "{option} does not apply to {method}, but to {}; `separa methods {method}` lists its \
             parameters",
            others.join(", ")
        )))
    }

    fn unset(&self, name: &str, option: &str) -> Result<()> {
        if self.given.contains_key(name) { Err(twice(name, option)) } else { Ok(()) }
    }
}

fn twice(name: &str, option: &str) -> Failure {
    Failure::new(format!("--set {name}=… and {option} say the same thing; use {option} only"))
}

/// `name=value`, where the value is a number, true, false, or else text.
pub fn parse_setting(text: &str) -> std::result::Result<(String, Value), String> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.trim().is_empty())
        .ok_or("expected NAME=VALUE, e.g. reg=0.1")?;
    let value = value.trim();
    let parsed = match serde_json::from_str::<Value>(value) {
        Ok(scalar) if scalar.is_number() || scalar.is_boolean() => scalar,
        // ".5", "+3" and "007" are numbers to people, if not to JSON.
        _ => match value.parse::<f64>() {
            Ok(number) if number.is_finite() => number.into(),
            _ => value.into(),
        },
    };
    Ok((name.trim().to_owned(), parsed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_numbers_where_people_would_read_numbers() {
        for (text, value) in [
            ("a=1", json!(1)),
            ("a=-2", json!(-2)),
            ("a=1e-3", json!(0.001)),
            ("a=.5", json!(0.5)),
            ("a=true", json!(true)),
            ("a=median", json!("median")),
            ("a=x=y", json!("x=y")),
            ("a=inf", json!("inf")),
            ("a=nan", json!("nan")),
            ("a=[1]", json!("[1]")),
            ("a=", json!("")),
            (" a = 3 ", json!(3)),
        ] {
            assert_eq!(parse_setting(text), Ok(("a".to_owned(), value)), "{text}");
        }
        assert!(parse_setting("reg").is_err());
        assert!(parse_setting("=3").is_err());
    }
}
