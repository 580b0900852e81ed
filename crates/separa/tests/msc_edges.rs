//! Maximal separation clustering at its edges: bad input, mixed types, sparse solvers.

use crate::common;

use common::{distances, error, table};
use separa::ScaledModel;
use separa::methods::{GammaOrAuto, MetricChoice, Msc, MscModel};
use separa::params::Scaling;
use separa::registry;
use separa::{Ctx, Dataset, Fit, MatrixRef, Method, Model, Stop};
use separa_testkit::clouds::{Source, blobs};
use separa_testkit::sentences;
use serde_json::{Value, json};

fn fit(params: Msc, x: &[f64], d: usize) -> Fit<ScaledModel<MscModel>> {
    params.solve(&Dataset::new(table(x, d)).unwrap(), &mut Ctx::new(0)).unwrap()
}

fn refused(params: &[(&str, Value)], x: MatrixRef<'_>) -> String {
    let given = params.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
    let data = match Dataset::new(x) {
        Ok(data) => data,
        Err(e) => return e.to_string(),
    };
    registry::solve("msc", &given, &data, &mut Ctx::new(0)).unwrap_err().to_string()
}

#[test]
fn bad_tables_of_distances_are_refused_by_row_and_column() {
    let given = [("metric", json!("precomputed"))];
    let with = |changes: &[(usize, usize, f64)]| {
        let mut d = distances(5, 2, 1);
        changes.iter().for_each(|&(i, j, v)| d[(i, j)] = v);
        refused(&given, d.view().into())
    };
    let wide = refused(&given, table(&[0.0; 6], 3));
    assert!(
        wide.contains("distance matrix has shape 2 x 3, expected as many rows as columns"),
        "{wide}"
    );
    // The worst pair, not the first.
    let skew = with(&[(0, 1, 50.0), (3, 2, 90.0)]);
    assert!(
        skew.contains("row 4, column 3 holds 90, expected") && skew.contains("symmetric"),
        "{skew}"
    );
    let negative = with(&[(0, 1, -1.0), (1, 0, -1.0)]);
    assert!(negative.contains("row 1, column 2 holds -1, expected a distance >= 0"), "{negative}");
    let own = with(&[(2, 2, 0.5)]);
    assert!(own.contains("row 3, column 3 holds 0.5, expected 0"), "{own}");
    let nan = with(&[(2, 1, f64::NAN)]);
    assert!(nan.contains("row 3, column 2 holds NaN"), "{nan}");
}

#[test]
fn bad_parameters_are_named_with_what_was_expected() {
    let x = blobs(6, 2, 2, 5.0, 1).x;
    let message = |name: &str, value: Value| refused(&[(name, value)], table(&x, 2));
    assert_eq!(
        message("landmarks", json!(7)),
        "msc: parameter `landmarks` must be at most the number of rows (6), or 0 to do without landmarks, got 7"
    );
    assert!(message("landmarks", json!(1)).contains("0 or a whole number, 2 or more, got 1"));
    for (gamma, shown) in
        [(json!(0.0), "got 0"), (json!(-2.0), "got -2"), (json!("wide"), "\"wide\"")]
    {
        let said = message("gamma", gamma);
        assert!(
            said.contains("\"auto\", \"median\" or a positive number") && said.contains(shown),
            "{said}"
        );
    }
    let negative = message("weights", json!([1.0, 1.0, -0.5, 1.0, 1.0, 1.0]));
    assert!(negative.ends_with("got -0.5 for row 3"), "{negative}");
    let zero = message("weights", json!([0.0, 0.0, 0.0, 0.0, 0.0, 0.0]));
    assert!(zero.ends_with("got 0 for row 1"), "{zero}");
    let short = message("weights", json!([1.0, 1.0]));
    assert!(short.ends_with("must be one number a row (6), got 2 numbers"), "{short}");
    let given = [("weights", json!([1.0, 1.0, 1.0, 1.0, 1.0, 2.0])), ("objective", json!("dcut"))];
    assert_eq!(
        refused(&given, table(&x, 2)),
        "msc: parameter `weights` must be uniform, distance or perron unless objective is separation, got 6 numbers"
    );
    assert!(message("weights", json!("heavy")).contains("uniform, distance, perron"));
    assert!(message("metric", json!("hamming")).contains("one of kernel, euclidean"));
    assert!(message("kernel", json!("precomputed")).contains("metric=precomputed"));
    assert!(message("threshold", json!("half")).contains("one of scan, otsu, zero"));
    assert!(message("tol", json!(0.0)).contains("from 1e-15 to 0.1"));
    assert!(message("min_cluster_size", json!(1.5)).contains("a number from 0 to below 1"));
}

#[test]
fn too_few_products_are_a_stop_and_a_sentence_not_an_error() {
    let cloud = blobs(400, 3, 2, 1.0, 3);
    let fit = fit(
        Msc { max_iter: 4, gamma: GammaOrAuto::Median, scaling: Scaling::None, ..Msc::default() },
        &cloud.x,
        3,
    );
    assert_eq!(fit.report.stop, Stop::MaxIter);
    assert!(sentences(fit.report.warnings()).iter().any(|w| w.contains("raise `max_iter`")));
    assert_eq!(fit.model.predict(table(&cloud.x, 3)).unwrap(), fit.labels);
}

#[test]
fn new_rows_that_are_not_finite_are_named() {
    let cloud = blobs(40, 2, 2, 5.0, 3);
    let fit = fit(Msc::default(), &cloud.x, 2);
    for bad in [f64::NAN, f64::INFINITY] {
        let said = fit.model.predict(table(&[0.0, 0.0, 1.0, bad], 2)).unwrap_err().to_string();
        assert!(said.starts_with("row 2 holds a value that is not a finite number"), "{said}");
    }
}

/// Two kinds of rows that differ in a measurement and in a category, beside noise.
fn mixed(n: usize, unit: f64) -> (Vec<f64>, Vec<i32>) {
    let mut source = Source::new(8);
    let mut x = Vec::new();
    for i in 0..n {
        let kind = f64::from(u8::from(i % 2 == 1));
        let other = if source.uniform() < 0.05 { 1.0 - kind } else { kind };
        x.extend([unit * (kind + 0.1 * source.normal()), other, source.uniform()]);
    }
    (x, (0..n as i32).map(|i| i % 2).collect())
}

#[test]
fn gower_separates_mixed_types_in_any_units_and_the_file_keeps_the_ranges() {
    let p = Msc { metric: MetricChoice::Gower, ..Msc::default() };
    let (x, truth) = mixed(200, 1.0);
    let found = fit(p.clone(), &x, 3);
    // One in twenty has the category of the other kind, which weighs as much as the measurement.
    assert!(error(&found.labels, &truth) <= 0.1, "{}", error(&found.labels, &truth));
    // A power of two changes no digit.
    let (wide, _) = mixed(200, 4096.0);
    assert_eq!(fit(p, &wide, 3).labels, found.labels);
    assert_eq!(found.model.predict(table(&x, 3)).unwrap(), found.labels);
    let tensors = found.model.tensors();
    assert_eq!(tensors.vector("factors").unwrap().len(), 3);
    let again = Msc::load(&tensors).unwrap();
    assert_eq!(again.decision(table(&x, 3)).unwrap(), found.model.decision(table(&x, 3)).unwrap());
    // Ranges that do not fit the rows are no model.
    let mut wrong = tensors.clone();
    wrong.put_vector("factors", &[1.0]);
    assert!(Msc::load(&wrong).is_err());
}
