//! `--sequence COL`: rows of sequences are segmented, and sequences that cannot be are refused.

use crate::common;

use common::{Desk, label_column};
use serde_json::json;

/// Machines whose rows stay in one of two states for 12 rows each, in order.
fn courses(machines: usize) -> String {
    let mut table = String::from("x,machine,y,state\n");
    for machine in 0..machines {
        for t in 0..48 {
            let state = (t / 12 + machine) % 2;
            // Noise wider than what parts the states.
            let jitter = |a, b, m: usize| ((machine * a + t * b) % m) as f64 / m as f64 - 0.5;
            let x = 3.0 * state as f64 + 5.0 * jitter(31, 17, 23);
            let y = 50.0 * state as f64 + 90.0 * jitter(13, 7, 19);
            table.push_str(&format!("{x},m{machine},{y},{}\n", ["idle", "busy"][state]));
        }
    }
    table
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("courses.csv", courses(6));
    desk
}

const CLUSTER: &str = "cluster courses.csv -k 2 -m crf --sequence machine";

#[test]
fn rows_are_labelled_by_their_neighbours_too() {
    let desk = desk();
    let options = "--truth state --json -o l.csv --model m.separa";
    let json = desk.separa(&format!("{CLUSTER} {options}")).json();
    assert_eq!((&json["n"], &json["sequences"]), (&json!(288), &json!(6)));
    assert_eq!(json.get("rows"), None);
    let error = json["truth"]["error"].as_f64().unwrap();
    assert!(error < 0.02, "{error}");
    let notices = json["notes"].to_string();
    assert!(notices.contains("the p-values take the labels as given"), "{notices}");
    assert!(!notices.contains("unrelated"), "{notices}");
    let alone = "cluster courses.csv -k 2 -m crf --drop machine --truth state --json";
    let alone = desk.separa(alone).json();
    assert!(alone["truth"]["error"].as_f64().unwrap() > 3.0 * error.max(0.01), "{alone}");
    assert!(alone["notes"].to_string().contains(r#"{"do":"name-groups","kind":"sequence"}"#));
    let labels = desk.get("l.csv");
    assert!(
        labels.starts_with("row,cluster,confidence,runner_up,margin\n1,0,")
            && label_column(&labels).len() == 288
    );
    let text = desk.separa(&format!("{CLUSTER} --truth state")).ok();
    assert!(text.contains("courses.csv: 288 rows in 6 sequences, 2 features"), "{text}");
    assert!(text.contains("Timeline of states") && text.contains("m0 "), "{text}");
    desk.separa(&format!("{CLUSTER} --report r.html --names 0=idle -q")).ok();
    let page = desk.get("r.html");
    assert!(page.contains("States of 6 sequences in order: m0 begins with "), "no timeline");
    assert!(page.contains("idle (0) for 1"), "no states with their names");
    let again = desk.separa("predict m.separa courses.csv --sequence machine").ok();
    assert_eq!(again, labels);
}

#[test]
fn new_sequences_get_states_scores_and_probabilities() {
    let desk = desk();
    let text = desk.separa(&format!("{CLUSTER} --drop state --model m.separa")).ok();
    assert!(text.contains("separa predict m.separa NEW.csv --sequence machine"), "{text}");
    desk.put(
        "new.csv",
        "run,y,x,step\n7,1,0,a\n7,48,2.9,b\n7,0,0,c\n7,2,0,d\n9,50,3,a\n9,49,3,b\n",
    );
    let new =
        desk.separa("predict m.separa new.csv --sequence run --scores --proba --id step").ok();
    assert!(
        new.starts_with("step,cluster,confidence,runner_up,margin,score,proba_0,proba_1\na,0,"),
        "{new}"
    );
    assert_eq!(label_column(&new)[4..], [1, 1]);
    // A sequence of its own has another past.
    desk.put("one.csv", "run,y,x\n7,48,2.9\n");
    let one = desk.separa("predict m.separa one.csv --sequence run --proba").ok();
    let share = |text: &str, row: usize| -> f64 {
        text.lines().nth(row).unwrap().rsplit(',').next().unwrap().parse().unwrap()
    };
    assert!(share(&one, 1) > share(&new, 2) + 1e-6, "{one} {new}");
}

#[test]
fn sequences_that_are_torn_or_without_names_are_refused_by_row() {
    let desk = desk();
    desk.put("torn.csv", "x,run\n1,a\n2,a\n3,b\n4,a\n5,b\n");
    let said = [
        "torn.csv: row 4 belongs to sequence \"a\", which ended at row 2",
        "sort the rows by column \"run\"",
    ];
    desk.refused("cluster torn.csv -k 2 -m crf --sequence run", &said);
    desk.put("gap.csv", "x,run\n1,a\n2,\n3,b\n");
    let said = ["gap.csv: row 2, column \"run\" is empty", "expected the sequence"];
    desk.refused("cluster gap.csv -k 2 -m crf --sequence run", &said);
    let slip = ["--sequence", "\"machin\"", "did you mean \"machine\"?"];
    desk.refused("cluster courses.csv -k 2 -m crf --sequence machin", &slip);
    desk.refused(&format!("{CLUSTER} --features x,machine"), &["--sequence", "--features"]);
    let both = desk.separa(&format!("{CLUSTER} --bag state"));
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("'--sequence <COL>' cannot be used with '--bag <COL>'"), "{both:?}");
    for method in ["mspc", "kmeans", "msc", "logistic"] {
        let said = [method, "has no use for sequences of rows; methods that take sequences: crf"];
        desk.refused(&format!("cluster absent.csv -k 2 -m {method} --sequence run"), &said);
    }
    let said = ["crf clusters rows, not bags of rows"];
    desk.refused("cluster absent.csv -k 2 -m crf --bag run", &said);
}

#[test]
fn models_of_sequences_and_of_rows_are_not_mixed_up() {
    let desk = desk();
    desk.separa(&format!("{CLUSTER} --drop state --model ordered.separa")).ok();
    desk.separa("cluster courses.csv -k 2 -m crf --drop state,machine --model rows.separa").ok();
    let said = ["fitted on sequences of rows", "--sequence"];
    desk.refused("predict ordered.separa courses.csv", &said);
    desk.refused(
        "predict ordered.separa courses.csv --bag machine",
        &["sequences of rows, not on bags"],
    );
    let said = ["fitted on rows, not on sequences of rows", "without --sequence"];
    desk.refused("predict rows.separa courses.csv --sequence machine", &said);
    let shown = desk.separa("inspect ordered.separa").ok();
    assert!(shown.contains("288 rows, seed 0"), "{shown}");
}

#[test]
fn one_sequence_one_row_each_and_missing_values_are_handled() {
    let desk = desk();
    desk.put("one.csv", courses(1));
    let json =
        desk.separa("cluster one.csv -k 2 -m crf --sequence machine --truth state --json").json();
    assert_eq!(json["sequences"], json!(1));
    assert!(json["truth"]["error"].as_f64().unwrap() < 0.15, "{json}");
    let rows: String =
        (0..30).map(|i| format!("{},r{i}\n", if i % 2 == 0 { i } else { 500 + i })).collect();
    desk.put("each.csv", format!("x,run\n{rows}"));
    let json = desk.separa("cluster each.csv -k 2 -m crf --sequence run --json").json();
    assert_eq!((&json["sequences"], &json["sizes"]), (&json!(30), &json!([15, 15])));
    let first = courses(6).lines().nth(3).unwrap().to_owned();
    let empty = first.split_once(',').map(|(_, rest)| format!(",{rest}")).unwrap();
    desk.put("holes.csv", courses(6).replacen(&first, &empty, 1));
    let options = "-k 2 -m crf --sequence machine --drop state --missing drop --json";
    let json = desk.separa(&format!("cluster holes.csv {options}")).json();
    assert_eq!((&json["n"], &json["sequences"]), (&json!(287), &json!(6)));
}
