//! Rules in a form that other systems can follow: the labels are those of the model.

use crate::common;

use common::{params, unjudged};
use separa::export::{Dialect, Language, PortableRule, SqlOptions};
use separa::registry::METHODS;
use separa::{DenseRef, Error, FlatRule, MatrixRef, Model, Target, Trainer};
use separa_testkit::clouds::{Cloud, blobs};
use serde_json::json;

fn rows(cloud: &Cloud) -> MatrixRef<'_> {
    DenseRef::new(cloud.n, cloud.d, &cloud.x).unwrap().into()
}

/// Another cloud than the fitted one, with outliers.
fn strangers() -> Cloud {
    let mut cloud = blobs(500, 4, 3, 2.0, 99);
    cloud.x.iter_mut().step_by(37).for_each(|v| *v *= 50.0);
    cloud
}

fn assert_same(flat: &FlatRule, model: &dyn Model, what: &str) {
    let cloud = strangers();
    let labels = model.predict(rows(&cloud)).unwrap();
    for (row, label) in cloud.x.chunks_exact(4).zip(labels) {
        assert_eq!(flat.label(row), label, "{what}");
    }
}

#[test]
fn a_flat_rule_labels_rows_as_its_model_does_for_every_method_and_number_of_clusters() {
    let mut seen = Vec::new();
    for entry in METHODS {
        for k in [1, 2, 3, 5] {
            let cloud = blobs(160, 4, k, 4.0, 7);
            let mut given = vec![("n_clusters", json!(k))];
            if entry.name == "armc" {
                given.push(("kernel", json!("linear")));
            }
            let found = unjudged(entry.name, &params(&given)).fit(&rows(&cloud)).unwrap();
            if let Some(flat) = found.model().flat() {
                assert_same(&flat, found.model().as_ref(), &format!("{} {k}", entry.name));
                seen.push(entry.name);
            }
        }
    }
    seen.dedup();
    assert_eq!(seen, ["mspc", "kmeans", "logistic", "mrmc", "fuzzy-kmeans", "crf", "armc"]);
}

#[test]
fn marked_outliers_a_tree_and_votes_of_classes_are_kept() {
    let cloud = blobs(160, 4, 3, 4.0, 7);
    let mark = params(&[("n_clusters", json!(3)), ("outliers", json!("mark"))]);
    let found = unjudged("mspc", &mark).fit(&rows(&cloud)).unwrap();
    let flat = found.model().flat().unwrap();
    assert!(flat.marks_outliers && flat.label(&[1e9; 4]) == -1);
    assert_same(&flat, found.model().as_ref(), "mark");
    let texts: Vec<String> = cloud.labels.iter().map(|l| format!("class {l}")).collect();
    let target = Target::from_texts("class", &texts).unwrap();
    for how in ["pairs", "rest"] {
        let trainer = Trainer::named("mpm", &params(&[("multiclass", json!(how))])).unwrap();
        let trained = trainer.fit(&rows(&cloud), &target).unwrap();
        assert_same(&trained.model().flat().unwrap(), trained.model().as_ref(), how);
    }
}

#[test]
fn a_rule_that_needs_its_training_rows_says_so_with_the_way_out() {
    let cloud = blobs(80, 4, 2, 4.0, 7);
    for (method, extra) in [
        ("msc", ("scaling", json!("none"))),
        ("spectral", ("scaling", json!("none"))),
        ("cdsk", ("scaling", json!("none"))),
        ("kernel-kmeans", ("scaling", json!("none"))),
        ("mspc", ("kernel", json!("rbf"))),
        ("logistic", ("kernel", json!("rbf"))),
        ("armc", ("kernel", json!("rbf"))),
    ] {
        let given = params(&[("n_clusters", json!(2)), extra]);
        let found = unjudged(method, &given).fit(&rows(&cloud)).unwrap();
        let error = PortableRule::of(&found, None).unwrap_err();
        assert_eq!(error, Error::NotPortable { method: method.to_owned() });
        assert!(
            error.to_string().ends_with("train a linear classifier on its labels, and export that")
        );
    }
}

/// A rule whose only column has this name.
fn named(column: &str) -> PortableRule {
    let x = [[0.0], [0.1], [5.0], [5.1]];
    let found = unjudged("kmeans", &params(&[("n_clusters", json!(2))])).fit(&x).unwrap();
    let mut rule = PortableRule::of(&found, None).unwrap();
    rule.inputs[0].name = column.to_owned();
    rule
}

#[test]
fn names_are_quoted_as_each_system_wants_it() {
    let odd = "a\"b`c\\d'; DROP TABLE x;";
    for (dialect, quoted) in [
        (Dialect::DuckDb, "t.\"a\"\"b`c\\d'; DROP TABLE x;\""),
        (Dialect::Postgres, "t.\"a\"\"b`c\\d'; DROP TABLE x;\""),
        (Dialect::Sqlite, "t.\"a\"\"b`c\\d'; DROP TABLE x;\""),
        (Dialect::Snowflake, "t.\"a\"\"b`c\\d'; DROP TABLE x;\""),
        (Dialect::BigQuery, "t.`a\"b\\`c\\\\d'; DROP TABLE x;`"),
    ] {
        let query = named(odd).to_sql(&SqlOptions::new(dialect)).unwrap();
        assert!(query.contains(quoted), "{query}");
        // Outside of quotes the name does not stand.
        assert!(!query.replace(quoted, "").replace(&quoted[2..], "").contains("DROP"), "{query}");
    }
    let options =
        SqlOptions { table: "my shop.or\"ders".into(), ..SqlOptions::new(Dialect::DuckDb) };
    assert!(named("x").to_sql(&options).unwrap().contains("FROM \"my shop\".\"or\"\"ders\" AS t"));
}

#[test]
fn languages_and_dialects_have_names_and_others_are_refused() {
    for name in Language::NAMES {
        let language = Language::named(name, SqlOptions::new(Dialect::Sqlite)).unwrap();
        assert!(!named("x").write(&language).unwrap().is_empty());
    }
    let said = Language::named("pyhton", SqlOptions::new(Dialect::Sqlite)).unwrap_err().to_string();
    assert!(
        said.ends_with("expected sql, onnx, python, rust, json, did you mean python?"),
        "{said}"
    );
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::named(dialect.name()), Ok(dialect));
    }
    assert!(
        Dialect::named("mysql").unwrap_err().to_string().starts_with("unknown dialect \"mysql\"")
    );
    let wide: Vec<Vec<f64>> =
        (0..4).map(|i| (0..1600).map(|j| f64::from((i * j) % 7)).collect()).collect();
    let found = unjudged("kmeans", &params(&[("n_clusters", json!(2))])).fit(&wide).unwrap();
    let rule = PortableRule::of(&found, None).unwrap();
    let said = rule.to_sql(&SqlOptions::new(Dialect::Sqlite)).unwrap_err().to_string();
    assert!(said.contains("1600 features or scores, expected at most 1500"), "{said}");
}
