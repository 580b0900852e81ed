//! Every cluster against the known classes, as in Tables 5 to 7 of Chen & Bi.

use crate::common;

use common::{Desk, WINE};
use serde_json::json;

#[test]
fn the_paper_s_example_has_entropy_0_7228_and_purity_one_half() {
    // Half of a cluster belongs to one class, the rest is spread over 19 others.
    let rows: Vec<String> = (0..38)
        .map(|i| {
            let class = if i < 19 { "horses".to_owned() } else { format!("topic {}", i - 18) };
            format!("{},{},a,{class}\n", i % 5, i % 3)
        })
        .collect();
    let desk = Desk::new();
    desk.put("images.csv", format!("x,y,group,topic\n{}", rows.concat()));
    let words = "score images.csv --labels group --truth topic";
    let json = desk.separa(&format!("{words} --json")).json();
    assert_eq!(json["truth"]["classes"].as_array().map(Vec::len), Some(20));
    let line = &json["truth"]["clusters"][0];
    assert_eq!((&line["size"], &line["purity"]), (&json!(38), &json!(0.5)));
    assert_eq!((&line["cluster"], &line["class"]), (&json!(0), &json!("horses")));
    assert!((line["entropy"].as_f64().unwrap() - 0.7228).abs() < 5e-5, "{line}");
    assert_eq!(line["counts"][0], json!(19));
    // Too many classes for a column each.
    let text = desk.separa(words).ok();
    assert!(text.contains("  cluster   rows   purity   entropy   largest classes\n"), "{text}");
    let line = "  a           38     50 %     0.723   horses 19, topic 1 1, topic 2 1, 17 more\n";
    assert!(text.contains(line), "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn few_classes_have_a_column_each_and_the_counts_are_those_of_the_table() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv -k 3 --truth cultivar";
    let json = desk.separa(&format!("{words} --json")).json();
    let truth = &json["truth"];
    let total = |of: &dyn Fn(&serde_json::Value) -> f64| -> f64 {
        truth["clusters"].as_array().unwrap().iter().map(of).sum()
    };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let purity = total(&|line| number(&line["size"]) * number(&line["purity"])) / 178.0;
    assert!((purity - number(&truth["purity"])).abs() < 1e-12);
    let entropy = total(&|line| number(&line["size"]) * number(&line["entropy"])) / 178.0;
    assert!((entropy - number(&truth["entropy"])).abs() < 1e-12);
    let counted = total(&|line| line["counts"].as_array().unwrap().iter().map(number).sum());
    assert_eq!(counted, 178.0);
    let text = desk.separa(words).ok();
    let classes: Vec<&str> =
        truth["classes"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
    let heads = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let head = heads.into_iter().find(|head| head.starts_with(&["cluster", "rows", "purity"]));
    assert_eq!(head.expect("the table")[4..], classes);
}

#[test]
fn long_names_and_many_clusters_fit_a_screen() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..180)
        .map(|i| {
            format!("{},{},g{},a class with a very long name {}\n", i % 7, i % 4, i % 30, i % 6)
        })
        .collect();
    desk.put("data.csv", format!("x,y,group,truth\n{}", rows.concat()));
    let text = desk.separa("score data.csv --labels group --truth truth").ok();
    let at = text.find("Known classes").expect("the comparison");
    assert!(text[at..].lines().all(|l| l.chars().count() <= 80), "{text}");
    assert!(text[at..].contains("  6 more\n"), "{text}");
}
