//! `--landmarks M`, and what each method does when memory is short.

use crate::common;

use common::{Desk, two_clouds};
use serde_json::json;

/// The methods that have landmarks, with what else they need for them.
const WITH: [&str; 3] = ["msc", "kernel-kmeans", "spectral --set affinity=rbf"];

fn desk(rows: usize) -> Desk {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(rows / 2, 3));
    desk
}

#[test]
fn the_short_form_is_the_long_one() {
    let desk = desk(200);
    for method in WITH {
        let words = format!("cluster data.csv -k 2 -m {method} --truth kind --json");
        let short = desk.separa(&format!("{words} --landmarks 40")).json();
        let long = desk.separa(&format!("{words} --set landmarks=40")).json();
        assert_eq!(short["params"]["landmarks"], json!(40), "{method}");
        assert_eq!((&short["objective"], &short["truth"]), (&long["objective"], &long["truth"]));
        let twice = format!("{words} --set landmarks=3 --landmarks 3");
        desk.refused(&twice, &["--set landmarks=… and --landmarks say the same thing"]);
    }
    let said = "--landmarks does not apply to kmeans, but to mspc, msc, kernel-kmeans, spectral, cdsk, logistic, mrmc, armc;";
    desk.refused("cluster data.csv -k 2 -m kmeans --landmarks 9", &[said]);
}

#[test]
fn more_landmarks_than_rows_are_refused_alike_by_every_method() {
    let desk = desk(60);
    for method in WITH {
        let name = method.split(' ').next().unwrap();
        let said = format!(
            "{name}: parameter `landmarks` must be at most the number of rows (60), or 0 to do \
             without landmarks, got 61"
        );
        let words = format!("cluster data.csv -k 2 -m {method} --drop kind");
        desk.refused(&format!("{words} --landmarks 61"), &[&said]);
        desk.separa(&format!("{words} --landmarks 60")).ok();
    }
}

#[test]
fn a_short_memory_takes_landmarks_and_says_so_or_names_the_remedy() {
    let desk = desk(4000);
    for method in WITH {
        let words = format!("cluster data.csv -k 2 -m {method} --truth kind --json --threads 2");
        let at_ease = desk.separa(&format!("{words} --memory 1G")).json();
        assert!(!at_ease["notes"].to_string().contains("landmarks"), "{method}: {at_ease}");
        let short = desk.separa(&format!("{words} --memory 24M")).json();
        let said = short["notes"].to_string();
        assert!(said.contains(r#""code":"landmarks""#) && said.contains("raise-memory"), "{said}");
        assert_eq!(short["truth"]["error"], json!(0.0), "{method}");
        let said =
            ["of memory, but 100.0 KB may be used", "raise the memory limit (--memory SIZE)"];
        desk.refused(&format!("{words} --memory 100K"), &said);
        let fewer = ["use fewer landmarks (--landmarks N), or raise the memory limit"];
        desk.refused(&format!("{words} --memory 20M --landmarks 3000"), &fewer);
    }
}
