//! Parameters by name: the one door from text to types.

use super::{Domain, Params};
use crate::error::{Error, Result, nearest_name};
use serde::Serialize;
use serde_json::{Map, Value};

/// Parameters by name.
pub type Named = Map<String, Value>;

/// Parameters that were renamed: the old name, the new one.
const RENAMED: [(&str, &str); 2] = [("min_share", "min_cluster_size"), ("units", "scaling")];

/// Parameters of an old model file under the names of today.
pub(crate) fn with_new_names(params: Named) -> Named {
    let now = |(name, value): (String, Value)| match name.as_str() {
        "units" => ("scaling".to_owned(), scaling_of(&value)),
        _ => match RENAMED.iter().find(|(old, _)| *old == name) {
            Some((_, new)) => ((*new).to_owned(), value),
            None => (name, value),
        },
    };
    params.into_iter().map(now).collect()
}

/// What the old parameter `units` is called now. Its `auto` also tried columns as they are: the model holds what
/// was chosen, and another fit chooses among today's.
fn scaling_of(units: &Value) -> Value {
    match units.as_str() {
        Some("free") => "standard".into(),
        Some("shared") => "none".into(),
        _ => "auto".into(),
    }
}

/// Turns named values into parameters; the first bad one is named with what was expected.
pub(crate) fn parse<P: Params>(given: &Named) -> Result<P> {
    for (name, value) in given {
        let Some(spec) = P::SPECS.iter().find(|s| s.name == name) else {
            return Err(unknown::<P>(name));
        };
        let alone = Map::from_iter([(name.clone(), value.clone())]);
        if serde_json::from_value::<P>(Value::Object(alone)).is_err() {
            return Err(Error::Param {
                method: P::NAME,
                name: spec.name,
                expected: spec.domain.to_string(),
                found: found(value, &spec.domain),
            });
        }
    }
    let all = serde_json::from_value(Value::Object(given.clone()));
    Ok(all.expect("parameters are read one by one, and each could be"))
}

/// All parameters by name.
pub(crate) fn to_map<P: Params>(params: &P) -> Named {
    match to_value(params) {
        Value::Object(map) => map,
        _ => unreachable!("parameters are structs with named fields"),
    }
}

/// A parameter, or all of them, as JSON.
pub(crate) fn to_value(params: &impl Serialize) -> Value {
    serde_json::to_value(params).expect("parameters have names for keys")
}

fn unknown<P: Params>(name: &str) -> Error {
    let known = || P::SPECS.iter().map(|s| s.name);
    let renamed = RENAMED.iter().find(|(old, new)| *old == name && known().any(|n| n == *new));
    match renamed {
        Some((_, new)) => {
            Error::RenamedParam { method: P::NAME.into(), name: name.into(), now: new }
        }
        None => Error::UnknownParam {
            method: P::NAME.into(),
            name: name.into(),
            suggestion: nearest_name(name, known()),
        },
    }
}

/// Characters of a list that are quoted at most.
const QUOTED: usize = 60;

/// A refused value as a message quotes it: long lists by their beginning, words with the one that was
/// perhaps meant.
fn found(value: &Value, domain: &Domain) -> String {
    let text = value.to_string();
    match value {
        Value::Array(list) if text.chars().count() > QUOTED => {
            let start: String = text.chars().take(QUOTED).collect();
            format!("{start}… ({} values)", list.len())
        }
        Value::String(word) => domain.misspelt(word),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_lists_are_quoted_by_their_beginning_and_slips_with_the_word_that_was_meant() {
        let words = Domain::words(&["mpm", "gep"]);
        let long = found(&json!(vec![0.5; 5000]), &words);
        assert!(long.starts_with("[0.5,0.5,") && long.ends_with("… (5000 values)"), "{long}");
        assert!(long.chars().count() < 90);
        assert_eq!(found(&json!([1, 2]), &words), "[1,2]");
        assert_eq!(found(&json!("mmp"), &words), "\"mmp\", did you mean \"mpm\"?");
        assert_eq!(found(&json!("magic"), &words), "\"magic\"");
        assert_eq!(found(&json!("0"), &Domain::REAL.positive().or_words(&["auto"])), "\"0\"");
    }
}
