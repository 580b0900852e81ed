//! `separa compare` and `--stability`.

use crate::common;

use common::{Desk, WINE, label_column};
use serde_json::{Value, json};

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

#[test]
fn json_has_a_line_a_method_the_best_first() {
    let json =
        wine().separa("compare wine.csv -k 3 --truth cultivar --methods kmeans,mspc --json").json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "separa",
            "n",
            "d",
            "params",
            "results",
            "gap_found",
            "p_unimodal",
            "verdict",
            "outputs",
            "notes"
        ]
    );
    assert_eq!(
        (&json["n"], &json["d"], &json["params"]),
        (&json!(178), &json!(13), &json!({"n_clusters": 3}))
    );
    let line = &json["results"][0];
    assert_eq!((&line["rank"], &line["status"]), (&json!(1), &json!("done")));
    assert!(line["truth"]["accuracy"].as_f64().unwrap() > 0.95, "{line}");
    assert!(line["quality"]["msp"].is_number() && line["error"].is_null());
    let score = |i: usize| json["results"][i]["score"].as_f64().unwrap();
    assert!(score(0) >= score(1), "{json}");
}

#[test]
fn text_fits_the_screen_with_and_without_a_truth() {
    let desk = wine();
    for words in ["--drop cultivar", "--truth cultivar"] {
        let text = desk.separa(&format!("compare wine.csv -k 3 {words}")).ok();
        assert!(text.contains("comes first"), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        assert_eq!(text.contains("accuracy"), words.contains("truth"), "{text}");
    }
}

#[test]
fn the_answer_repeats_on_any_number_of_threads() {
    let desk = wine();
    let run = |threads: u32| -> Value {
        let words = format!("compare wine.csv -k 3 --drop cultivar --json --threads {threads}");
        let mut json = desk.separa(&words).json();
        for line in json["results"].as_array_mut().unwrap() {
            line["seconds"] = json!(0);
        }
        json
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn bad_comparisons_are_refused() {
    let desk = wine();
    let all = "compare wine.csv --drop cultivar";
    desk.refused(&format!("{all} -k 3 --methods kmean"), &["unknown method `kmean`", "`kmeans`"]);
    desk.refused(&format!("{all} -k 3 --methods mspc,mspc"), &["named twice"]);
    desk.refused(&format!("{all} -k 3 --methods mpm"), &["is a classifier"]);
    desk.refused(&format!("{all} -k auto --k-max 1"), &["--k-max", "2 to 1000, got 1"]);
    desk.refused(&format!("{all} -k 3 --k-max 5"), &["--k-max is for -k auto"]);
    desk.refused(&format!("{all} -k 0"), &["-k must be"]);
    desk.refused(&format!("{all} -k 500 --methods mspc,kmeans"), &["all methods failed: mspc: "]);
    for wrong in ["--time-limit 0", "--time-limit soon", "--memory 0", "--memory some"] {
        let ran = desk.separa(&format!("{all} -k 3 {wrong}"));
        assert_eq!(ran.code, Some(2), "{wrong}");
        assert!(ran.err.contains("expected a"), "{}", ran.err);
    }
}

#[test]
fn a_method_without_memory_is_told_and_the_others_are_ranked() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..3000)
        .map(|i: u32| format!("{},{}", i % 2 * 50 + i * 7919 % 13, i * 104729 % 17))
        .collect();
    desk.put("t.csv", format!("a,b\n{}\n", rows.join("\n")));
    let words = "compare t.csv -k 2 --methods kmeans,cdsk --memory 500K";
    let text = desk.separa(words).ok();
    assert!(
        text.contains("failed") && text.contains("  cdsk: ") && text.contains("memory"),
        "{text}"
    );
    let json = desk.separa(&format!("{words} --json")).json();
    assert_eq!(json["results"][1]["status"], "failed");
    let text = desk.separa("compare t.csv -k 2 --methods kmeans --time-limit 0.001ms").ok();
    assert!(text.contains("kmeans: stopped at its time limit (*)"), "{text}");
}

#[test]
fn stability_is_a_block_a_json_object_and_a_column() {
    let desk = wine();
    let words = "cluster wine.csv -k 3 --drop cultivar --stability 6 -o l.csv";
    let text = desk.separa(words).ok();
    assert!(text.contains("Stability") && text.contains("over 6 refits"), "{text}");
    assert!(text.contains("agree less than 80 %"), "{text}");
    let written = desk.get("l.csv");
    assert!(
        written.starts_with("row,cluster,confidence,runner_up,margin,agreement\n"),
        "{written}"
    );
    assert_eq!(label_column(&written).len(), 178);
    let json = desk.separa(&format!("{words} --json")).json();
    let found = &json["stability"];
    assert_eq!(found["refits"], 6);
    assert_eq!(found["jaccard"].as_array().map(Vec::len), Some(3));
    let agreement = |line: &str| line.rsplit(',').next().unwrap().parse::<f64>().unwrap();
    let uncertain = desk.get("l.csv").lines().skip(1).filter(|l| agreement(l) < 0.8).count();
    assert_eq!(found["uncertain"], uncertain);
    let plain = desk.separa("cluster wine.csv -k 3 --drop cultivar --json").json();
    assert!(plain.get("stability").is_none());
}

#[test]
fn bad_stability_is_refused_before_the_fit() {
    let desk = wine();
    for b in ["0", "1"] {
        let words = format!("cluster wine.csv -k 3 --drop cultivar --stability {b}");
        desk.refused(&words, &["at least 2 refits", &format!("got {b}")]);
    }
    let words = "cluster wine.csv -k 2 -m msc --drop cultivar --bag hue --stability 4";
    desk.refused(words, &["stability refits halves", "give a table of features"]);
}
