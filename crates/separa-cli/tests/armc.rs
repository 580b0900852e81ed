//! `-m armc`: what cannot be used, and what it says of splits that are not what they seem.

use crate::common;

use common::{Desk, label_column, notes, two_clouds};

/// The warnings of a fit of two clouds.
fn warnings(desk: &Desk, more: &str) -> String {
    let words = format!("cluster data.csv -k 2 -m armc --drop kind --json {more}");
    serde_json::json!(notes(&desk.separa(&words).json(), "warning")).to_string()
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(20, 3));
    for (set, parts) in [
        ("balance=0", ["`balance`", "\"scan\" or a number between 0 and 1", "got 0"]),
        ("balance=1", ["`balance`", "\"scan\" or a number between 0 and 1", "got 1"]),
        ("balance=-0.2", ["`balance`", "\"scan\" or a number between 0 and 1", "got -0.2"]),
        ("balance=most", ["`balance`", "\"scan\" or a number between 0 and 1", "got \"most\""]),
        ("balance=0.01", ["`balance`", "gives each side at least one of 40 rows", "got 0.01"]),
        ("balance=0.99", ["`balance`", "gives each side at least one of 40 rows", "got 0.99"]),
        ("bound=0.9", ["`bound`", "a number, 1 or more", "got 0.9"]),
        ("bound=tight", ["`bound`", "\"free\" or a number, 1 or more", "got \"tight\""]),
        ("reg=0", ["`reg`", "a positive number", "got 0"]),
        ("reg=-1", ["`reg`", "a positive number", "got -1"]),
        ("mu=0", ["`mu`", "a positive number", "got 0"]),
        ("gamma=0", ["`gamma`", "a positive number", "got 0"]),
        ("multiclass=pairs", ["`multiclass`", "one of divide, rest", "got \"pairs\""]),
        ("tol=1", ["`tol`", "a number from 1e-10 to 0.01", "got 1"]),
    ] {
        let words =
            format!("cluster data.csv -k 2 -m armc --drop kind --set {set} -o l.csv --model m");
        let said = desk.refused(&words, &parts);
        assert!(said.starts_with("error: armc: parameter "), "{said}");
    }
}

#[test]
fn a_price_that_leaves_no_function_is_refused_with_the_largest_that_does() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(20, 3));
    let words = "cluster data.csv -k 2 -m armc --drop kind --set bound=free --set";
    let said = desk.refused(&format!("{words} mu=1e6"), &["`mu` must be at most", "got 1000000"]);
    // The remedy is one.
    let most = said.split("at most ").nth(1).unwrap().split(' ').next().unwrap();
    let most: f64 = most.parse().unwrap();
    desk.separa(&format!("{words} mu={}", 0.9 * most)).ok();
}

#[test]
fn more_clusters_than_rows_and_landmarks_without_a_kernel_are_refused() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(20, 3));
    let words = "cluster data.csv -m armc --drop kind -o l.csv";
    let parts = ["-k must be at most the number of rows (40), got 41"];
    desk.refused(&format!("{words} -k 41"), &parts);
    let linear = ["`landmarks` must be 0 where the kernel is linear"];
    desk.refused(&format!("{words} -k 2 --landmarks 5 --set kernel=linear"), &linear);
}

#[test]
fn a_kernel_that_freezes_labels_is_told() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(20, 3));
    let said = warnings(&desk, "--set gamma=1e6");
    assert!(
        said.contains("labels are frozen")
            && said.contains(r#""do":"lower-parameter","name":"gamma""#),
        "{said}"
    );
    assert_eq!(warnings(&desk, ""), "[]");
}

#[test]
fn a_split_that_sits_on_its_balance_is_told_and_scan_lets_it_go() {
    let desk = Desk::new();
    // One row in five of the second cloud.
    let all = two_clouds(150, 2);
    let keep = all.lines().enumerate().filter(|(i, l)| !l.ends_with("blue") || i % 10 == 2);
    let rows: Vec<&str> = keep.map(|(_, l)| l).collect();
    desk.put("data.csv", rows.join("\n") + "\n");
    let said = warnings(&desk, "");
    assert!(said.contains("the split sits on its balance") && said.contains("scan"), "{said}");
    desk.separa("cluster data.csv -k 2 -m armc --drop kind --set balance=scan -o l.csv").ok();
    let blue: Vec<bool> = rows[1..].iter().map(|l| l.ends_with("blue")).collect();
    let labels = label_column(&desk.get("l.csv"));
    let wrong = blue.iter().zip(&labels).filter(|(b, l)| **b != (**l != labels[0])).count();
    assert!(!blue[0] && wrong <= 2, "{wrong} of {}", labels.len());
}
