//! `separa cluster -k auto`: the number, how it was found, and "no natural clusters" said plainly.

use crate::common;

use common::{Desk, WINE, label_column, two_clouds};
use serde_json::json;

/// A single Gaussian, about: sums of uniform numbers from a small generator.
fn one_cloud(rows: usize) -> String {
    let mut state = 12345u64;
    let mut uniform = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
    let mut text = String::from("a,b,c\n");
    for _ in 0..rows {
        text.push_str(&format!("{:.6},{:.6},{:.6}\n", normal(), normal(), normal()));
    }
    text
}

#[test]
fn the_number_is_found_and_the_path_is_told() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(120, 3));
    let json = desk.separa("cluster data.csv -k auto --drop kind --json").json();
    assert_eq!((&json["k"], &json["params"]["n_clusters"]), (&json!(2), &json!(2)));
    let auto = &json["auto"];
    assert_eq!((&auto["k"], auto["k_per_run"].as_array().unwrap().len()), (&json!(2), 3));
    let steps = auto["history"].as_array().unwrap();
    assert!(!steps.is_empty());
    for step in steps {
        assert!(["merge", "split"].contains(&step["step"].as_str().unwrap()), "{step}");
        assert!((0.0..=1.0).contains(&step["p"].as_f64().unwrap()), "{step}");
    }
    let text = desk.separa("cluster data.csv -k auto --drop kind").out;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("but found: 2 clusters. 3 runs on 240 rows found 2 every time"),
        "{text}"
    );
    // The steps are for the page.
    assert!(!text.contains("   merged   "), "{text}");
    assert!(text.lines().filter(|l| !l.starts_with("  separa ")).all(|l| l.chars().count() <= 80));
    // Where the number is given, nothing of this is said.
    assert_eq!(desk.separa("cluster data.csv -k 2 --drop kind --json").json().get("auto"), None);
}

#[test]
fn no_clusters_are_said_plainly_and_the_model_gives_everything_label_0() {
    let desk = Desk::new();
    desk.put("data.csv", one_cloud(300));
    for method in ["mspc", "kmeans", "armc"] {
        let words = format!("cluster data.csv -k auto -m {method} -o l.csv --model m.separa");
        let ran = desk.separa(&words);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("No natural clusters (p = "), "{}", ran.out);
        assert!(
            label_column(&std::fs::read_to_string(desk.path("l.csv")).unwrap())
                .iter()
                .all(|l| *l == 0)
        );
        let json = desk.separa(&format!("{words} --json")).json();
        assert_eq!((&json["k"], &json["quality"]), (&json!(1), &json!(null)));
        assert!(json["notes"].to_string().contains("no natural clusters (p = "), "{json}");
        // One label is worth neither a file nor a try; segments are, if they are reproducible.
        let wanted = json["auto"]["best_segments"].as_u64();
        assert_eq!(ran.out.contains("Try next"), wanted.is_some(), "{}", ran.out);
        assert!(!ran.out.contains("separa predict"), "{}", ran.out);
        let ran = desk.separa("predict m.separa data.csv -o p.csv");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(
            std::fs::read_to_string(desk.path("p.csv")).unwrap(),
            std::fs::read_to_string(desk.path("l.csv")).unwrap()
        );
    }
}

#[test]
fn k_max_bounds_the_number_and_belongs_to_auto() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let json = desk.separa("cluster wine.csv --drop cultivar -k auto --k-max 2 --json").json();
    assert!(json["k"].as_u64().unwrap() <= 2);
    desk.refused("cluster wine.csv -k auto --k-max 1", &["--k-max", "2 to 1000, got 1"]);
    for verb in ["cluster", "compare"] {
        for k_max in ["x", "2.5", "-3"] {
            let ran = desk.separa(&format!("{verb} wine.csv -k auto --k-max={k_max}"));
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.err.contains("expected a whole number from 2 to 1000"), "{}", ran.err);
        }
    }
    desk.refused("cluster wine.csv -k 3 --k-max 5", &["--k-max is for -k auto"]);
    desk.refused("cluster wine.csv -k auto --init-labels cultivar", &["how many clusters"]);
}

#[test]
fn too_few_rows_are_refused() {
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,2\n3,4\n5,7\n");
    desk.refused("cluster data.csv -k auto", &["data.csv", "3 rows", "at least 10", "-k N"]);
}

/// A strip of rows without gaps, twelve times as long as wide.
fn strip(rows: u64) -> String {
    let place = |i: u64, by: u64| ((i * by) % 10007) as f64 / 10007.0;
    let line = |i| format!("{:.6},{:.6}\n", 12.0 * place(i, 3571), place(i, 7919));
    format!("a,b\n{}", (1..=rows).map(line).collect::<String>())
}

#[test]
fn without_clusters_the_next_command_makes_the_most_reproducible_segments() {
    let desk = Desk::new();
    desk.put("strip.csv", strip(500));
    let ran = desk.separa("cluster strip.csv -k auto -m kmeans");
    let json = desk.separa("cluster strip.csv -k auto -m kmeans --json").json();
    assert_eq!((&json["k"], &json["verdict"]["code"]), (&json!(1), &json!("one-cluster")));
    let segments = json["auto"]["segments"].as_array().unwrap();
    assert_eq!(segments.len(), 7, "{segments:?}");
    let best = json["auto"]["best_segments"].as_u64().unwrap();
    let command = format!("separa cluster strip.csv -k {best} -m kmeans");
    assert!(ran.out.contains("held-out agreement"), "{}", ran.out);
    assert!(ran.out.contains(&command), "{}", ran.out);
    // No sentence twice.
    assert!(!ran.err.contains("segments"), "{}", ran.err);
    let note = json["notes"].as_array().unwrap().iter().find(|n| n["code"] == "segments").unwrap();
    assert_eq!(note["remedy"], json!({"do": "fit-segments", "k": best}));
    let made = desk.separa(&format!("{} --json", command.trim_start_matches("separa "))).json();
    assert_eq!(made["k"], best);
}

#[test]
fn a_time_limit_ends_the_count_and_says_so() {
    let desk = Desk::new();
    desk.put("strip.csv", strip(500));
    for wrong in ["0", "soon", "-1s", "1d"] {
        let ran = desk.separa(&format!("cluster strip.csv -k auto --time-limit={wrong}"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("expected a time above zero, like 500ms, 30s"), "{}", ran.err);
    }
    let json = desk.separa("cluster strip.csv -k auto --time-limit 2m --json").json();
    assert_eq!(
        (&json["auto"]["time_limit"], &json["auto"]["stopped"]),
        (&json!(null), &json!(false))
    );
    // A limit is for any fit, its number given or not.
    let json = desk.separa("cluster strip.csv -k 3 -m kmeans --time-limit 0.001ms --json").json();
    let codes: Vec<&str> =
        json["notes"].as_array().unwrap().iter().filter_map(|n| n["code"].as_str()).collect();
    assert!(codes.contains(&"time-limit"), "{codes:?}");
}
