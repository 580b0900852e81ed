//! The fractions of the classes that are to be expected of new rows.

use super::mpm::Mpm;
use crate::data::Target;
use crate::error::{Result, nearest_name};
use crate::params::{Domain, ParamValue, bad_param};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const EXPECTED: &str = "one positive number for each class";

/// The fractions of the classes that are expected of new rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Priors {
    /// Those of the training rows.
    None,
    /// In the order of the classes.
    Listed(Vec<f64>),
    /// By the names of the classes.
    Named(BTreeMap<String, f64>),
}

impl ParamValue for Priors {
    const DOMAIN: Domain = Domain::words(&["none"]).or(EXPECTED);
}

impl Serialize for Priors {
    fn serialize<S: serde::Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::None => out.serialize_str("none"),
            Self::Listed(numbers) => numbers.serialize(out),
            Self::Named(numbers) => numbers.serialize(out),
        }
    }
}

impl<'de> Deserialize<'de> for Priors {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Text(String),
            Listed(Vec<f64>),
            Named(BTreeMap<String, f64>),
        }
        match Raw::deserialize(from)? {
            Raw::Text(text) => typed(&text).ok_or_else(|| serde::de::Error::custom(Self::DOMAIN)),
            Raw::Listed(numbers) => Ok(Self::Listed(numbers)),
            Raw::Named(numbers) => Ok(Self::Named(numbers)),
        }
    }
}

/// As typed: `none`, `0.9,0.1` or `healthy:0.9,sick:0.1`.
fn typed(text: &str) -> Option<Priors> {
    if text == "none" {
        return Some(Priors::None);
    }
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let parts: Vec<&str> = text.split(',').collect();
    if let Some(numbers) = parts.iter().map(|part| number(part)).collect() {
        return Some(Priors::Listed(numbers));
    }
    let mut named = BTreeMap::new();
    for part in &parts {
        let (name, value) = part.rsplit_once(':')?;
        if named.insert(name.trim().to_owned(), number(value)?).is_some() {
            return None;
        }
    }
    Some(Priors::Named(named))
}

impl Priors {
    /// Refuses what cannot be fractions, whatever the classes are.
    pub(super) fn check(&self) -> Result<()> {
        let wrong = |v: &&f64| !(**v > 0.0 && v.is_finite());
        let found = match self {
            Self::None => None,
            Self::Listed(numbers) => numbers.iter().find(wrong),
            Self::Named(numbers) => numbers.values().find(wrong),
        };
        match found {
            Some(value) => bad_param::<Mpm, ()>("priors", Self::DOMAIN.to_string(), value),
            None => Ok(()),
        }
    }

    /// The fraction of each class, in sum 1; none where none were given.
    pub(super) fn of(&self, target: &Target) -> Result<Option<Vec<f64>>> {
        let names = target.names();
        let expected = || format!("one positive number for each class ({})", listed(names));
        let numbers: Vec<f64> = match self {
            Self::None => return Ok(None),
            Self::Listed(numbers) if numbers.len() == names.len() => numbers.clone(),
            Self::Listed(numbers) => {
                let found = format!("{} of them", numbers.len());
                return bad_param::<Mpm, _>("priors", expected(), found);
            }
            Self::Named(numbers) => {
                if let Some(name) = numbers.keys().find(|name| !names.contains(name)) {
                    let meant = nearest_name(name, names.iter().map(String::as_str));
                    let meant = meant.map_or(String::new(), |m| format!(", did you mean \"{m}\"?"));
                    let found = format!("one for \"{name}\"{meant}");
                    return bad_param::<Mpm, _>("priors", expected(), found);
                }
                if let Some(name) = names.iter().find(|name| !numbers.contains_key(*name)) {
                    return bad_param::<Mpm, _>(
                        "priors",
                        expected(),
                        format!("none for \"{name}\""),
                    );
                }
                names.iter().map(|name| numbers[name]).collect()
            }
        };
        // By the largest first, so that the sum is in range.
        let top = numbers.iter().fold(0.0_f64, |a, b| a.max(*b));
        let sum: f64 = numbers.iter().map(|v| v / top).sum();
        let least = f64::MIN_POSITIVE;
        Ok(Some(numbers.iter().map(|v| (v / top / sum).max(least)).collect()))
    }
}

/// A few names in quotes, the others by their number.
fn listed(names: &[String]) -> String {
    const FEW: usize = 5;
    let shown: Vec<String> = names.iter().take(FEW).map(|n| format!("\"{n}\"")).collect();
    match names.len().saturating_sub(FEW) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: serde_json::Value) -> Option<Priors> {
        serde_json::from_value(value).ok()
    }

    #[test]
    fn lists_names_and_typed_words_are_read_and_written_back() {
        for (given, same) in [
            (json!("none"), json!("none")),
            (json!("0.9,0.1"), json!([0.9, 0.1])),
            (json!("a:0.9, b c:0.1"), json!({"a": 0.9, "b c": 0.1})),
            (json!("a:b:3"), json!({"a:b": 3.0})),
            (json!([3, 1.5]), json!([3.0, 1.5])),
            (json!({"a": 2}), json!({"a": 2.0})),
        ] {
            let priors = read(given.clone()).unwrap_or_else(|| panic!("{given}"));
            assert_eq!(serde_json::to_value(&priors).unwrap(), same);
            assert_eq!(read(same), Some(priors));
        }
        for bad in ["", "some", "a:x", "0.5,b:0.5", "a:1,a:2"] {
            assert_eq!(read(json!(bad)), None, "{bad}");
        }
        assert!(read(json!(0.5)).is_none() && read(json!(["a"])).is_none());
    }

    #[test]
    fn shares_sum_to_one_in_the_order_of_the_classes() {
        let target = Target::from_texts("y", &["b", "a", "b", "a"]).unwrap();
        let named = read(json!({"b": 3, "a": 1})).unwrap();
        assert_eq!(named.of(&target).unwrap(), Some(vec![0.25, 0.75]));
        assert_eq!(Priors::Listed(vec![1e308; 2]).of(&target).unwrap(), Some(vec![0.5; 2]));
        assert_eq!(Priors::None.of(&target).unwrap(), None);
    }

    #[test]
    fn what_is_no_share_of_a_class_is_refused_by_name() {
        let target = Target::from_texts("y", &["healthy", "sick", "healthy", "sick"]).unwrap();
        let said = |value| {
            let priors = read(value).unwrap();
            priors.check().and_then(|()| priors.of(&target)).unwrap_err().to_string()
        };
        let three = said(json!([1, 1, 1]));
        assert!(three.contains("(\"healthy\", \"sick\"), got 3 of them"), "{three}");
        assert!(said(json!([-0.1, 1])).ends_with("one positive number for each class, got -0.1"));
        assert!(said(json!([0, 0])).ends_with("got 0"));
        let slip = said(json!({"healthy": 1, "sik": 1}));
        assert!(slip.ends_with("got one for \"sik\", did you mean \"sick\"?"), "{slip}");
        assert!(said(json!({"sick": 1})).ends_with("got none for \"healthy\""));
    }
}
