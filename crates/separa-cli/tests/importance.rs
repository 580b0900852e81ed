//! Which features separate, as the command line says it.

use crate::common;

use common::{Desk, WINE};
use serde_json::Value;

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

fn shares(pair: &Value) -> Vec<f64> {
    let features = pair["features"].as_array().expect("features");
    features.iter().map(|f| f["fraction"].as_f64().expect("a fraction")).collect()
}

#[test]
fn json_lists_every_pair_with_the_names_of_its_features() {
    let json = wine().separa("cluster wine.csv -k 3 --drop cultivar --json").json();
    let importance = json["quality"]["importance"].as_array().expect("a list");
    assert_eq!(importance.len(), 3);
    for (pair, judged) in importance.iter().zip(json["quality"]["pairs"].as_array().unwrap()) {
        assert_eq!((&pair["a"], &pair["b"]), (&judged["a"], &judged["b"]));
        let shares = shares(pair);
        assert_eq!(shares.len(), 13);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        assert!(pair["features"][0]["name"].is_string() && pair["method"] == "exact", "{pair}");
    }
}

#[test]
fn two_groups_have_a_table_and_three_a_line_a_pair() {
    let desk = wine();
    let text = desk.separa("cluster wine.csv -k 2 --drop cultivar").ok();
    assert!(text.contains("Feature importance"), "{text}");
    assert!(text.contains("mean of 0 minus 1") && text.contains("5 more"), "{text}");
    let text = desk.separa("cluster wine.csv -k 3 --drop cultivar").ok();
    assert!(text.contains("most important feature\n  0         1     "), "{text}");
    let text = desk.separa("score wine.csv --labels cultivar").ok();
    assert!(text.contains("most important feature\n  0         1     "), "{text}");
}

#[test]
fn other_units_change_differences_and_no_shares() {
    let desk = wine();
    let mut lines = WINE.lines();
    let mut scaled = vec![lines.next().expect("a header").to_owned()];
    for line in lines {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        let value: f64 = cells[1].parse().expect("a number");
        cells[1] = (value * 1024.0).to_string();
        scaled.push(cells.join(","));
    }
    desk.put("scaled.csv", scaled.join("\n"));
    let asked = |name: &str| {
        let json = desk.separa(&format!("cluster {name} -k 2 --drop cultivar --json")).json();
        json["quality"]["importance"][0].clone()
    };
    let (before, after) = (asked("wine.csv"), asked("scaled.csv"));
    for (a, b) in shares(&before).iter().zip(shares(&after)) {
        assert!((a - b).abs() < 1e-9, "{before} {after}");
    }
}

#[test]
fn one_cluster_has_nothing_to_separate() {
    let text = wine().separa("cluster wine.csv -k 1 -m kmeans --drop cultivar").ok();
    assert!(!text.contains("Feature importance") && !text.contains("feature\n"), "{text}");
}
