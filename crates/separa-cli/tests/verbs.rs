//! `score`, `methods`, `demo` and `completions`.

use crate::common;

use common::{Desk, ESCAPE, WINE, label_column, two_clouds};
use serde_json::json;

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

#[test]
fn score_judges_any_labelling_and_shows_pairs() {
    let text = wine().separa("score wine.csv --labels cultivar").ok();
    for part in ["3 clusters by cultivar", "Pairs of clusters", "p (unimodal)", "null MSP"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains(ESCAPE));
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn score_in_json_names_groups_as_the_column_does() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(80, 3));
    let json = desk.separa("score data.csv --labels kind --truth kind --json").json();
    assert_eq!(json["labels"], json!(["red", "blue"]));
    assert_eq!(json["sizes"], json!([80, 80]));
    assert_eq!(json["d"], json!(3));
    assert_eq!(json["truth"]["accuracy"], json!(1.0));
    assert!(json["quality"]["p_unimodal"].as_f64().unwrap() < 0.01, "{json}");
    let value = |name: &str| json["quality"][name].as_f64().unwrap();
    assert!(value("msp") > value("msp_null") + 0.1, "{json}");
}

#[test]
fn a_larger_reg_lowers_msp() {
    let desk = wine();
    let msp = |reg: &str| {
        let json = desk.separa(&format!("score wine.csv --labels cultivar --json --reg {reg}"));
        json.json()["quality"]["msp"].as_f64().unwrap()
    };
    assert!(msp("0.01") > msp("1") && msp("1") > msp("100"));
}

#[test]
fn minus_one_is_set_aside_only_beside_two_groups() {
    let desk = Desk::new();
    let table = |third: &str| format!("a,l\n1,-1\n1.1,-1\n0.9,-1\n5,1\n5.1,1\n4.9,1\n9,{third}\n");
    desk.put("signs.csv", table("1"));
    assert_eq!(desk.separa("score signs.csv --labels l --json").json()["k"], json!(2));
    desk.put("marked.csv", table("2"));
    let json = desk.separa("score marked.csv --labels l --json").json();
    assert_eq!((&json["k"], &json["labels"]), (&json!(2), &json!(["1", "2"])));
}

#[test]
fn a_label_of_its_own_for_every_row_is_no_grouping() {
    let desk = Desk::new();
    desk.put("data.csv", "a,l\n1,1\n2,2\n3,3\n4,4\n");
    desk.refused("score data.csv --labels l", &["\"l\" has another label in every row"]);
}

#[test]
fn one_group_has_nothing_to_tell_apart() {
    let desk = Desk::new();
    desk.put("data.csv", "a,l\n1,x\n2,x\n3,x\n4,x\n");
    let json = desk.separa("score data.csv --labels l --json").json();
    assert_eq!((&json["k"], &json["quality"]["msp"]), (&json!(1), &json!(0.0)));
    assert!(desk.separa("score data.csv --labels l").ok().contains("nothing is separated"));
}

#[test]
fn methods_are_listed_and_every_parameter_is_explained() {
    let desk = Desk::new();
    let list = desk.separa("methods").ok();
    assert!(list.lines().all(|l| l.chars().count() <= 80), "{list}");
    for entry in separa::registry::METHODS {
        assert!(list.contains(entry.name) && list.contains(entry.class), "{}", entry.name);
        let text = desk.separa(&format!("methods {}", entry.name)).ok();
        for spec in entry.specs {
            assert!(
                text.contains(spec.name) && text.contains(&spec.default_text()),
                "{}",
                spec.name
            );
        }
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
}

#[test]
fn the_demo_fits_a_screen_and_its_files_work() {
    let desk = Desk::new();
    let text = desk.separa("demo").ok();
    assert!(text.lines().count() <= 40 && text.lines().all(|l| l.chars().count() <= 80), "{text}");
    assert!(!text.contains(ESCAPE));
    for part in ["30 %", "0 labels change", "MSP", "null MSP", "p (unimodal)", "Try next"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let files = ["separa-demo-labels.csv", "separa-demo-wine.csv", "separa-demo.separa"];
    assert_eq!(desk.files(), files);
    assert_eq!(label_column(&desk.get(files[0])).len(), 178);
    // Every command that it offers does what it says.
    let offered: Vec<&str> = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("separa "))
        .filter(|l| l.contains(' '))
        .collect();
    let verbs: Vec<&str> = offered.iter().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(&verbs[verbs.len() - 3..], ["predict", "cluster", "score"]);
    for command in &offered[offered.len() - 3..] {
        desk.separa(command).ok();
    }
    let again = desk.separa("predict separa-demo.separa separa-demo-wine.csv").ok();
    assert_eq!(label_column(&again), label_column(&desk.get(files[0])));
}

#[test]
fn the_demo_says_where_it_cannot_write() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("separa-demo.separa")).unwrap();
    desk.refused("demo", &["separa-demo.separa", "current folder"]);
}

#[test]
fn help_names_the_files_of_the_demo_and_the_automatic_number() {
    let desk = Desk::new();
    let help = desk.separa("demo --help").ok();
    for file in ["separa-demo-labels.csv", "separa-demo.separa", "separa-demo-wine.csv"] {
        assert!(help.contains(file), "{help}");
    }
    let help = desk.separa("cluster --help").ok();
    assert!(help.lines().count() <= 40, "one screen: {help}");
    assert!(help.contains("--clusters <N|auto>") && !help.contains("--k-max <N>"), "{help}");
    let help = desk.separa("cluster --help-all").ok();
    assert!(help.contains("--k-max <N>") && help.contains("--sequence <COL>"), "{help}");
}

#[test]
fn manual_pages_are_written_for_every_verb() {
    let desk = Desk::new();
    desk.separa("man pages").ok();
    for page in ["separa.1", "separa-cluster.1", "separa-predict.1"] {
        assert!(desk.get(&format!("pages/{page}")).contains(".TH"), "{page}");
    }
    desk.put("file", "");
    desk.refused("man file/pages", &["file/pages: cannot be written"]);
}

#[test]
fn completions_know_the_verbs_in_every_shell() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.separa(&format!("completions {shell}")).ok();
        for word in ["cluster", "predict", "score", "init-labels"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn help_and_version_are_results() {
    let desk = Desk::new();
    assert!(desk.separa("--version").ok().starts_with("separa "));
    for verb in ["", "cluster ", "predict ", "score ", "inspect ", "demo ", "completions "] {
        let text = desk.separa(&format!("{verb}--help")).ok();
        assert!(text.contains("Usage:") && text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
}
