//! `separa drift` and `separa predict --novelty`: new rows compared with those that a model learnt from.

use crate::common;

use common::{Desk, WINE};

/// The wine table clustered, its model beside it.
fn fitted() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.separa("cluster wine.csv -k 3 --drop cultivar -q --model m.separa").ok();
    desk
}

/// Wine with its cells changed: `change(column, value)`.
fn changed(change: impl Fn(&str, f64) -> f64) -> String {
    let mut lines = WINE.lines();
    let header = lines.next().unwrap();
    let names: Vec<&str> = header.split(',').collect();
    let mut text = format!("{header}\n");
    for line in lines {
        let cells = line.split(',').zip(&names).map(|(cell, name)| match cell.parse::<f64>() {
            Ok(value) if *name != "cultivar" => change(name, value).to_string(),
            _ => cell.to_owned(),
        });
        text.push_str(&(cells.collect::<Vec<_>>().join(",") + "\n"));
    }
    text
}

#[test]
fn the_training_rows_have_no_drift_and_moved_ones_have() {
    let desk = fitted();
    let same = desk.separa("drift m.separa wine.csv");
    assert_eq!(same.code, Some(0), "{}", same.err);
    assert!(
        same.out.contains("no drift: 178 new rows are distributed like the 178 training rows"),
        "{}",
        same.out
    );
    desk.put("moved.csv", changed(|name, v| if name == "proline" { v + 900.0 } else { v }));
    let moved = desk.separa("drift m.separa moved.csv");
    assert_eq!(moved.code, Some(1), "{}", moved.err);
    assert!(moved.out.contains("features") && moved.out.contains("proline"), "{}", moved.out);
    let json = desk.separa("drift m.separa moved.csv --json");
    assert_eq!(json.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["drift"], &json["n"]), (&true.into(), &178.into()));
    assert_eq!(json["features"][0]["name"], "proline");
    assert_eq!(json["features"][0]["drift"], true);
    assert!(json["features"][0]["p_adjusted"].as_f64().unwrap() < 0.01);
    assert_eq!(json["features"].as_array().unwrap().len(), 13);
}

#[test]
fn an_empty_cluster_and_a_single_row_are_answered() {
    let desk = fitted();
    let labels = desk.separa("predict m.separa wine.csv -q").ok();
    let labels = common::label_column(&labels);
    let mut lines = WINE.lines();
    let header = lines.next().unwrap();
    let rows: Vec<&str> =
        lines.zip(&labels).filter(|(_, l)| **l != 1).map(|(row, _)| row).collect();
    desk.put("without.csv", format!("{header}\n{}\n", rows.join("\n")));
    let found = desk.separa("drift m.separa without.csv --json");
    assert_eq!(found.code, Some(1), "{}", found.err);
    let json: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!(
        (&json["clusters"]["drift"], &json["clusters"]["new"][1]),
        (&true.into(), &0.0.into())
    );
    desk.put("one.csv", format!("{header}\n{}\n", rows[0]));
    let one = desk.separa("drift m.separa one.csv");
    assert_eq!(one.code, Some(0), "{}{}", one.out, one.err);
    assert!(one.out.contains("no drift found in 1 new row, too few to tell"), "{}", one.out);
}

#[test]
fn bad_input_is_refused() {
    let desk = fitted();
    desk.refused(
        "drift m.separa wine.csv --alpha 2",
        &["(alpha) must be above 0 and below 1, got 2"],
    );
    desk.put("other.csv", "a,b\n1,2\n3,4\n");
    desk.refused("drift m.separa other.csv", &["other.csv", "missing: \"alcohol\""]);
    desk.refused("predict m.separa other.csv --novelty", &["missing: \"alcohol\""]);
    desk.refused("drift none.separa wine.csv", &["none.separa"]);
    desk.separa("train wine.csv --target cultivar -q --model c.separa").ok();
    desk.refused(
        "drift c.separa wine.csv",
        &["to measure drift by: it is a classifier; fit it again"],
    );
}

#[test]
fn novelty_stands_beside_the_labels_and_far_rows_are_counted() {
    let desk = fitted();
    let header = WINE.lines().next().unwrap();
    let far = vec!["9000"; header.split(',').count()].join(",");
    desk.put("far.csv", format!("{WINE}{far}\n"));
    let ran = desk.separa("predict m.separa far.csv --novelty");
    let mut lines = ran.out.lines();
    assert!(lines.next().unwrap().ends_with("runner_up,margin,novelty,novelty_p"), "{}", ran.out);
    let p: Vec<f64> = lines.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(p.len(), 179);
    assert!((p[178] - 1.0 / 179.0).abs() < 1e-12, "as far as nothing before");
    let low = p[..178].iter().filter(|p| **p <= 0.05).count();
    assert!((1..=18).contains(&low), "{low} of 178 training rows below 0.05");
    assert!(
        ran.err.contains("of 179 rows") && ran.err.contains("unlike the training rows"),
        "{}",
        ran.err
    );
}
