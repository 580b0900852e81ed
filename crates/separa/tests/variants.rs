//! What every method must do with any parameters, not only its defaults: every value that a spec names is tried
//! alone, then seeded draws of several together. A new parameter is covered by being in its `params!` block.

use crate::common;

use common::params;
use separa::model_file::{self, Saved};
use separa::params::ParamSpec;
use separa::registry::{CLASSIFIERS, METHODS};
use separa::{Clusterer, DenseRef, Error, MatrixRef, Named, Target, Trainer};
use separa_testkit::clouds::{Cloud, Source, blobs};
use serde_json::{Value, json};

/// Draws of several parameters together, for each method.
const DRAWS: usize = 24;
const ROWS: usize = 45;

/// Values to try for a parameter. Whatever costs time in proportion to the number is kept small, and a table of
/// features is not precomputed.
fn values(spec: &ParamSpec) -> Vec<Value> {
    let similarities = [
        "precomputed",
        "rbf",
        "self-expression",
        "landmark",
        "c-x7",
        "h-x7",
        "raw-x7",
        "c-m7",
        "h-snn10",
        "c-snn10",
        "raw-snn10",
        "raw-st7",
        "h-st7",
        "c-landmark",
        "h-self-expression",
    ];
    let most = match spec.name {
        "n_clusters" => 7.0,
        "n_init" => 3.0,
        "folds" => 5.0,
        "summaries" => 30.0,
        _ => 1e9,
    };
    let mut all = spec.domain.examples();
    if spec.name == "similarity" {
        all.extend(similarities.map(Value::from));
    }
    all.retain(|v| v.as_f64().is_none_or(|v| v <= most) && *v != json!("precomputed"));
    all
}

/// Each value alone, then several of them together.
fn settings(specs: &[ParamSpec], seed: u64) -> Vec<Named> {
    let each = specs.iter().flat_map(|spec| values(spec).into_iter().map(move |v| (spec.name, v)));
    let mut out: Vec<Named> = each.map(|pair| params(&[pair])).collect();
    let mut source = Source::new(seed);
    for _ in 0..DRAWS {
        let mut drawn = Named::new();
        for _ in 0..2 + source.below(4) {
            let spec = &specs[source.below(specs.len())];
            let values = values(spec);
            if !values.is_empty() {
                drawn.insert(spec.name.into(), values[source.below(values.len())].clone());
            }
        }
        out.push(drawn);
    }
    out
}

/// Clusters that overlap: where a rule and its labels can disagree, they do.
fn table() -> Cloud {
    let mut cloud = blobs(ROWS, 3, 3, 2.0, 17);
    // A rounded column has ties; a few equal rows.
    cloud.x.iter_mut().step_by(3).for_each(|v| *v = v.round());
    cloud.x.copy_within(0..6, 30);
    cloud
}

fn rows(x: &[f64]) -> MatrixRef<'_> {
    DenseRef::new(x.len() / 3, 3, x).unwrap().into()
}

/// Fits every setting and returns what is wrong with the results.
fn tried(
    name: &str,
    all: &[Named],
    x: &[f64],
    fit: impl Fn(&Named) -> Result<(Saved, Vec<u8>), Error>,
) -> Vec<String> {
    let (mut fitted, mut wrong) = (0, Vec::new());
    for given in all {
        match fit(given) {
            Ok((found, bytes)) => {
                fitted += 1;
                wrong.extend(
                    check(&found, &bytes, x).err().map(|e| format!("{name} {given:?}: {e}")),
                );
            }
            Err(e @ (Error::Model(_) | Error::NotFinite { .. })) => {
                wrong.push(format!("{name} {given:?}: {e}"));
            }
            // Some draws contradict each other: they are refused in words.
            Err(_) => {}
        }
    }
    assert!(3 * fitted > all.len(), "{name}: only {fitted} of {} were fitted", all.len());
    wrong
}

/// Labels are the rule's own, and what was saved decides as what was fitted, bit for bit.
fn check(found: &Saved, bytes: &[u8], x: &[f64]) -> Result<(), String> {
    let said = |what: &str, e: Error| format!("{what}: {e}");
    let (rows, labels) = (rows(x), found.labels());
    let predicted = found.predict(&rows).map_err(|e| said("predict", e))?;
    if labels.iter().zip(&predicted).any(|(l, p)| *l != -1 && l != p) {
        return Err(format!("labels {labels:?}\n  but predict gives {predicted:?}"));
    }
    let loaded = model_file::from_bytes(bytes).map_err(|e| said("load", e))?;
    let (a, b) = (found.decision(&rows).unwrap(), loaded.decision(&rows).unwrap());
    match a.data() == b.data() {
        true => Ok(()),
        false => Err("decisions differ when loaded".into()),
    }
}

#[test]
fn whatever_the_parameters_labels_are_the_rules_own_and_saved_equals_loaded() {
    let cloud = table();
    let mut wrong = Vec::new();
    for (m, entry) in METHODS.iter().enumerate() {
        let all = settings(entry.specs, 100 + m as u64);
        wrong.extend(tried(entry.name, &all, &cloud.x, |given| {
            let request = Clusterer::named(entry.name, given)?.quality(false);
            let found = request.fit(&rows(&cloud.x))?;
            let bytes = found.to_bytes()?;
            Ok((Saved::Clustering(found.into()), bytes))
        }));
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn whatever_the_parameters_classes_are_the_rules_own_and_saved_equals_loaded() {
    let cloud = table();
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    let target = Target::new(cloud.labels.iter().map(|l| *l as u32).collect(), names).unwrap();
    let mut wrong = Vec::new();
    for (m, entry) in CLASSIFIERS.iter().enumerate() {
        let all = settings(entry.specs, 200 + m as u64);
        wrong.extend(tried(entry.name, &all, &cloud.x, |given| {
            let trained = Trainer::named(entry.name, given)?.fit(&rows(&cloud.x), &target)?;
            let bytes = trained.to_bytes()?;
            Ok((Saved::Trained(trained.into()), bytes))
        }));
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

/// Multiplying a column by a power of two changes no digit of it, so it changes no digit of scaled columns.
#[test]
fn whatever_the_parameters_threads_change_no_byte_and_units_change_no_label() {
    let cloud = table();
    let units = [f64::powi(2.0, -20), f64::powi(2.0, 7), f64::powi(2.0, 33)];
    let other: Vec<f64> =
        cloud.x.chunks_exact(3).flat_map(|row| [0, 1, 2].map(|j| row[j] * units[j])).collect();
    let mut wrong = Vec::new();
    for (m, entry) in METHODS.iter().enumerate() {
        for given in settings(entry.specs, 300 + m as u64).into_iter().rev().step_by(3) {
            let Ok(request) = Clusterer::named(entry.name, &given) else { continue };
            let request = request.quality(false);
            let Ok(one) = request.clone().threads(1).fit(&rows(&cloud.x)) else { continue };
            let two = request.clone().threads(2).fit(&rows(&cloud.x)).unwrap();
            if one.to_bytes().unwrap() != two.to_bytes().unwrap() {
                wrong.push(format!("{} {given:?}: two threads", entry.name));
            }
            // What is asked for in the units of the table depends on them.
            let has = |name: &str, word: &str| given.get(name) == Some(&json!(word));
            let in_units = has("scaling", "none")
                || has("variant", "paper")
                || has("solver", "eig-paper")
                || has("init", "kmeans-raw");
            if in_units || one.method().is_precomputed() {
                continue;
            }
            match request.fit(&rows(&other)) {
                Ok(found) if found.labels() == one.labels() => {}
                Ok(_) => wrong.push(format!("{} {given:?}: other units, other labels", entry.name)),
                Err(e) => wrong.push(format!("{} {given:?}: other units: {e}", entry.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
