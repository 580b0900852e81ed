//! From options to a request: the method and its parameters, by name, and how to run it.

use crate::args::{ClusterArgs, Clusters, NumberArgs, Outliers, Scaling};
use crate::failure::{Failure, Result};
use separa::k_auto::AUTO;
use separa::registry::{self, MethodEntry};
use separa::{Clusterer, Named};
use serde_json::Value;

/// The parameter `n_clusters` for -k, beside --k-max.
pub fn how_many(number: NumberArgs) -> Result<Value> {
    match (number.k, number.k_max) {
        (Clusters::Given(_), Some(_)) => {
            Err(Failure::new("--k-max is for -k auto; with a number of clusters leave it out"))
        }
        (Clusters::Given(k), None) => Ok(k.into()),
        (Clusters::Auto, _) => Ok(AUTO.into()),
    }
}

/// The request that `cluster` makes; everything that can be is checked before any file is read.
pub fn request(args: &ClusterArgs) -> Result<Clusterer<'static>> {
    let mut settings = Settings { entry: registry::find(&args.method)?, given: Named::new() };
    settings.collect(args)?;
    let mut request = Clusterer::named(&args.method, &settings.given)?.seed(args.fit.seed);
    if let Some(memory) = args.fit.memory {
        request = request.memory(memory);
    }
    if let Some(k_max) = args.number.k_max {
        request = request.k_max(k_max);
    }
    if let Some(limit) = args.time_limit {
        request = request.time_limit(limit).count_limit(limit);
    }
    if let Some(refits) = args.stability {
        request = request.stability(refits);
    }
    request.check()?;
    Ok(request)
}

/// A method and what was set for it.
#[derive(Debug)]
struct Settings {
    entry: &'static MethodEntry,
    given: Named,
}

impl Settings {
    /// Collects -k, --set and its short forms.
    fn collect(&mut self, args: &ClusterArgs) -> Result<()> {
        self.given.insert("n_clusters".into(), how_many(args.number)?);
        for (name, value) in &args.set {
            self.set(name, value.clone())?;
        }
        if let Some((kind, _)) = args.groups.chosen() {
            self.entry.check_takes(kind)?;
        }
        if let Some(units) = &args.units {
            return Err(Failure::new(format!(
                "--units {units} is no more: use --scaling standard instead of free, none instead of shared, or auto"
            )));
        }
        let scaling = args.scaling.map(|s| match s {
            Scaling::Auto => "auto".into(),
            Scaling::Standard => "standard".into(),
            Scaling::Contraharmonic => "contraharmonic".into(),
            Scaling::None => "none".into(),
        });
        self.shortcut("scaling", scaling)?;
        let outliers = args.outliers.map(|o| match o {
            Outliers::Assign => "assign".into(),
            Outliers::Mark => "mark".into(),
        });
        self.shortcut("outliers", outliers)?;
        self.shortcut("landmarks", args.landmarks.map(Value::from))?;
        if args.init_labels.is_some() {
            if args.number.k == Clusters::Auto {
                return Err(Failure::new(
                    "--init-labels says how many clusters there are; give that number instead of -k auto",
                ));
            }
            self.known("init", "--init-labels")?;
            self.unset("init", "--init-labels")?;
        }
        Ok(())
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

/// `1=premium`.
pub fn parse_name(text: &str) -> std::result::Result<(usize, String), String> {
    let expected = || "expected the number of a cluster and its name, e.g. 1=premium".to_owned();
    let (cluster, name) = text.split_once('=').ok_or_else(expected)?;
    Ok((cluster.trim().parse().map_err(|_| expected())?, name.to_owned()))
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
