//! `separa cluster -k auto`: the number, how it was found, and "no natural clusters" said plainly.

mod common;

use common::{Desk, WINE, label_column, two_clouds};
use serde_json::json;

/// One cloud: sums of uniform numbers from a small generator.
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
    assert!(text.contains("but found: 2 clusters. 3 runs on 240 rows found 2, 2"), "{text}");
    assert!(text.contains("   merged   "), "{text}");
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
        assert!(!ran.out.contains("Try next"), "{}", ran.out);
        let json = desk.separa(&format!("{words} --json")).json();
        assert_eq!((&json["k"], &json["quality"]), (&json!(1), &json!(null)));
        assert!(json["notes"].to_string().contains("no natural clusters (p = "), "{json}");
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
