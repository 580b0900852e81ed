//! Small tables of any numbers, fitted by any method with any parameters that its specification allows.

use crate::draws::Choices;
use separa::model_file;
use separa::params::ParamSpec;
use separa::registry::{CLASSIFIERS, METHODS};
use separa::{Clusterer, DenseRef, Error, MatrixRef, Named, Trainer};
use serde_json::Value;

/// Values of a parameter; whatever costs time in proportion to the number is kept small.
fn values(spec: &ParamSpec) -> Vec<Value> {
    let most = match spec.name {
        "n_clusters" => 7.0,
        "n_init" => 3.0,
        "folds" => 5.0,
        "summaries" => 30.0,
        "max_iter" => 1000.0,
        _ => f64::INFINITY,
    };
    let mut all = spec.domain.examples();
    all.retain(|v| v.as_f64().is_none_or(|v| v <= most));
    all
}

fn drawn(specs: &[ParamSpec], choices: &mut Choices<'_>) -> Named {
    let mut given = Named::new();
    for _ in 0..choices.below(5) {
        let spec = choices.pick(specs);
        let values = values(spec);
        if !values.is_empty() {
            given.insert(spec.name.into(), choices.pick(&values).clone());
        }
    }
    given
}

/// Labels are the rule's own and in range, and what was saved decides as what was fitted.
pub(crate) fn fit(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let entry = choices.pick(METHODS);
    let given = drawn(entry.specs, &mut choices);
    let (n, d) = (1 + choices.below(40), 1 + choices.below(4));
    let x: Vec<f64> = (0..n * d).map(|_| choices.number()).collect();
    let rows: MatrixRef<'_> = DenseRef::new(n, d, &x).expect("n times d numbers").into();
    let named = |what: &str| format!("{} {given:?}: {what}", entry.name);
    let request = match Clusterer::named(entry.name, &given) {
        Ok(request) => request.quality(bytes.len().is_multiple_of(4)).threads(1),
        Err(e) => return assert!(e.to_string().len() > 10, "{e}"),
    };
    let found = match request.fit(&rows) {
        Ok(found) => found,
        Err(e @ (Error::Model(_) | Error::NotFinite { .. })) => panic!("{}", named(&e.to_string())),
        Err(e) => return assert!(e.to_string().len() > 10, "{e}"),
    };
    let (labels, k) = (found.labels(), found.k() as i32);
    assert!(labels.iter().all(|l| (-1..k).contains(l)), "{}", named("labels out of range"));
    let predicted = found.predict(&rows).unwrap_or_else(|e| panic!("{}", named(&e.to_string())));
    let same = labels.iter().zip(&predicted).all(|(l, p)| *l == -1 || l == p);
    assert!(same, "{}", named("labels differ from predict on the training rows"));
    let bytes = found.to_bytes().unwrap_or_else(|e| panic!("{}", named(&e.to_string())));
    let saved =
        model_file::from_bytes(&bytes).unwrap_or_else(|e| panic!("{}", named(&e.to_string())));
    let bits = |m: &separa::Dense| m.data().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    let (a, b) = (found.decision(&rows), saved.decision(&rows));
    let (a, b) = (a.expect("rows of its width"), b.expect("rows of its width"));
    assert!(bits(&a) == bits(&b), "{}", named("decisions differ when loaded"));
}

/// Parameters as a map by name, from any text.
pub(crate) fn params(bytes: &[u8]) {
    let Ok(Value::Object(given)) = serde_json::from_slice::<Value>(bytes) else { return };
    let given: Named = given.into_iter().collect();
    for entry in METHODS {
        let parsed = Clusterer::named(entry.name, &given).and_then(|request| request.check());
        assert!(parsed.is_ok() || parsed.unwrap_err().to_string().len() > 10, "{}", entry.name);
    }
    for entry in CLASSIFIERS {
        let parsed = Trainer::named(entry.name, &given).and_then(|request| request.check());
        assert!(parsed.is_ok() || parsed.unwrap_err().to_string().len() > 10, "{}", entry.name);
    }
}
