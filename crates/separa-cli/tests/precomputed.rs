//! Tables of distances, kernels and affinities: not judged, and refused by row and column.

use crate::common;

use common::Desk;
use serde_json::Value;

/// (method, what says that the table holds pairs)
const WAYS: [(&str, &str); 4] = [
    ("msc", "metric=precomputed"),
    ("spectral", "affinity=precomputed"),
    ("kernel-kmeans", "kernel=precomputed"),
    ("cdsk", "similarity=precomputed"),
];

/// Pairs of 12 places on a line in two groups: distances for `msc`, similarities for the others.
fn pairs(method: &str) -> Vec<Vec<f64>> {
    let place = |i: usize| i as f64 * 0.1 + if i < 6 { 0.0 } else { 5.0 };
    let measure = |d: f64| if method == "msc" { d } else { (-d * d).exp() };
    (0..12).map(|i| (0..12).map(|j| measure((place(i) - place(j)).abs())).collect()).collect()
}

fn csv(rows: &[Vec<f64>]) -> String {
    let line = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let names: Vec<String> = (1..=rows[0].len()).map(|j| format!("r{j}")).collect();
    let lines: Vec<String> = rows.iter().map(line).collect();
    format!("{}\n{}\n", names.join(","), lines.join("\n"))
}

#[test]
fn tables_of_pairs_are_clustered_but_not_judged() {
    for (method, set) in WAYS {
        let desk = Desk::new();
        desk.put("pairs.csv", csv(&pairs(method)));
        let json = desk.separa(&format!("cluster pairs.csv -k 2 -m {method} --set {set} --json"));
        let json = json.json();
        assert_eq!(json["sizes"], serde_json::json!([6, 6]), "{method}");
        assert_eq!(json["quality"], Value::Null, "{method}");
        let notices = json["notes"].to_string();
        assert!(
            notices.contains("a precomputed table does not have: the quality is left out"),
            "{json}"
        );
        assert!(!notices.contains("curved"), "{json}");
    }
}

#[test]
fn bad_tables_of_pairs_are_refused_by_row_and_column() {
    for (method, set) in WAYS {
        let refused = |change: &dyn Fn(&mut Vec<Vec<f64>>), parts: &[&str]| {
            let desk = Desk::new();
            let mut rows = pairs(method);
            change(&mut rows);
            desk.put("pairs.csv", csv(&rows));
            let words = format!("cluster pairs.csv -k 2 -m {method} --set {set} -o l.csv");
            desk.refused(&words, parts);
        };
        refused(&|rows| rows.truncate(9), &["matrix has shape 9 x 12", "as many rows as columns"]);
        // The worst pair, not the first.
        let skew: &dyn Fn(&mut Vec<Vec<f64>>) = &|rows| {
            rows[0][1] += 1.0;
            rows[3][2] += 90.0;
        };
        refused(skew, &["row 4, column 3 holds 90", "row 3, column 4 (a symmetric matrix)"]);
        refused(&|rows| rows[2][4] = f64::NAN, &["row 3", "\"r5\""]);
        if method != "kernel-kmeans" {
            let negative: &dyn Fn(&mut Vec<Vec<f64>>) = &|rows| {
                rows[0][1] = -1.0;
                rows[1][0] = -1.0;
            };
            refused(negative, &["row 1, column 2 holds -1", ">= 0"]);
        }
        if method == "msc" {
            refused(&|rows| rows[2][2] = 0.5, &["row 3, column 3 holds 0.5, expected 0"]);
        }
    }
}

#[test]
fn bad_settings_of_pairs_are_named() {
    let desk = Desk::new();
    desk.put("rows.csv", "a,b\n1,2\n3,4\n5,7\n9,9\n");
    for (method, set, parts) in [
        ("msc", "gamma=0", ["`gamma` must be", "got 0"]),
        ("msc", "gamma=-2", ["`gamma` must be", "got -2"]),
        ("spectral", "gamma=0", ["`gamma` must be", "got 0"]),
        ("kernel-kmeans", "gamma=-1", ["`gamma` must be", "got -1"]),
        ("cdsk", "gamma=0", ["`gamma` must be", "got 0"]),
        ("cdsk", "rho=1.5", ["`rho` must be a number above 0, at most 1", "got 1.5"]),
        ("msc", "weights=-1", ["`weights` must be", "got -1"]),
        ("msc", "weights=heavy", ["`weights` must be uniform, distance, perron", "got \"heavy\""]),
    ] {
        desk.refused(&format!("cluster rows.csv -k 2 -m {method} --set {set}"), &parts);
    }
}

#[test]
fn new_rows_need_a_column_for_every_row_of_the_fit() {
    for (method, set) in WAYS {
        let desk = Desk::new();
        desk.put("pairs.csv", csv(&pairs(method)));
        let words = format!("cluster pairs.csv -k 2 -m {method} --set {set} --model m.separa");
        desk.separa(&words).ok();
        let fewer: Vec<Vec<f64>> = pairs(method).iter().map(|row| row[..11].to_vec()).collect();
        desk.put("fewer.csv", csv(&fewer));
        desk.refused("predict m.separa fewer.csv", &["fewer.csv", "missing: \"r12\""]);
    }
}
