//! `separa predict` and `separa inspect`: a model file read by another process.

use crate::common;

/// The columns of a file of labels.
const SURE: &str = "row,cluster,confidence,runner_up,margin";

use common::{Desk, WINE, label_column};

/// The wine table clustered, its model beside it.
fn fitted(options: &str) -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv --drop cultivar -q -o labels.csv --model m.separa";
    desk.separa(&format!("{words} {options}")).ok();
    desk
}

/// Wine with its columns in another order.
fn reordered(order: impl Fn(Vec<&str>) -> Vec<&str>) -> String {
    let line = |l: &str| order(l.split(',').collect()).join(",");
    WINE.lines().map(|l| line(l) + "\n").collect()
}

#[test]
fn labels_of_the_training_rows_come_back_bit_for_bit() {
    for options in [
        "-k 2",
        "-k 3",
        "-k 5",
        "-k 1",
        "-k 2 --set solver=gep",
        "-k 2 --set solver=eig",
        "-k 3 --scaling standard",
        "-k 2 --set kernel=rbf",
        "-k 3 -m kmeans",
        "-k 2 -m kmeans",
    ] {
        let desk = fitted(options);
        desk.separa("predict m.separa wine.csv -o again.csv").ok();
        assert_eq!(desk.get("again.csv"), desk.get("labels.csv"), "{options}");
        assert_eq!(desk.separa("predict m.separa wine.csv").ok(), desk.get("labels.csv"));
    }
}

#[test]
fn scores_stand_beside_the_labels_and_agree_with_them() {
    for k in [2, 3] {
        let desk = fitted(&format!("-k {k}"));
        let out = desk.separa("predict m.separa wine.csv --scores").ok();
        desk.separa("predict m.separa wine.csv --scores -o s.csv").ok();
        assert_eq!(desk.get("s.csv"), out, "file and standard output");
        let header = out.lines().next().unwrap();
        assert_eq!(
            header,
            format!("{SURE},{}", if k == 2 { "score" } else { "score_0,score_1,score_2" })
        );
        for line in out.lines().skip(1) {
            let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (label, scores) = (cells[1] as usize, &cells[5..]);
            match scores {
                [score] => assert_eq!(label == 1, *score >= 0.0, "{line}"),
                many => assert!(many.iter().all(|s| *s <= many[label]), "{line}"),
            }
        }
    }
}

#[test]
fn probabilities_stand_beside_labels_and_scores_and_sum_to_one() {
    for method in ["logistic", "mrmc", "fuzzy-kmeans", "kmeans", "mspc"] {
        let desk = fitted(&format!("-k 3 -m {method}"));
        let out = desk.separa("predict m.separa wine.csv --proba").ok();
        assert_eq!(out.lines().next().unwrap(), format!("{SURE},proba_0,proba_1,proba_2"));
        for line in out.lines().skip(1) {
            let cells: Vec<f64> = line.split(',').map(|c| c.parse().unwrap()).collect();
            let (label, p) = (cells[1] as usize, &cells[5..]);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{line}");
            assert!(p.iter().all(|v| *v <= p[label]), "{line}");
        }
        let both = desk.separa("predict m.separa wine.csv --proba --scores").ok();
        let header = both.lines().next().unwrap();
        assert_eq!(header, format!("{SURE},score_0,score_1,score_2,proba_0,proba_1,proba_2"));
        for (a, b) in both.lines().zip(out.lines()).skip(1) {
            let tail = |l: &str| l.split(',').rev().take(3).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(tail(a), tail(b));
        }
    }
}

#[test]
fn every_label_comes_with_its_confidence_runner_up_and_margin() {
    let desk = fitted("-k 3");
    let labels = desk.get("labels.csv");
    assert_eq!(labels.lines().next().unwrap(), SURE);
    let lines: Vec<Vec<f64>> = labels
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    for line in &lines {
        let [_, label, confidence, second, margin] = line[..] else { panic!("{line:?}") };
        assert!((1.0 / 3.0..=1.0).contains(&confidence) && margin >= 0.0, "{line:?}");
        assert!(second != label && (0.0..3.0).contains(&second), "{line:?}");
    }
    // Within a cluster a larger margin is a larger confidence.
    let mut first: Vec<&Vec<f64>> = lines.iter().filter(|line| line[1] == 0.0).collect();
    first.sort_by(|a, b| a[4].total_cmp(&b[4]));
    assert!(first.is_sorted_by(|a, b| a[2] <= b[2]) && first[0][2] < first[first.len() - 1][2]);
    // Parquet has the same numbers.
    desk.separa("predict m.separa wine.csv -o l.parquet").ok();
    let said = desk.separa("look l.parquet --json").json();
    assert_eq!(said["columns"].as_array().unwrap().len(), 5, "{said}");
}

#[test]
fn one_cluster_has_no_runner_up_and_marked_outliers_no_cluster() {
    let desk = fitted("-k 1 -m kmeans");
    assert!(desk.get("labels.csv").starts_with(&format!("{SURE}\n1,0,1.0,,\n")));
    desk.separa("predict m.separa wine.csv -o one.parquet").ok();
    let mut far = WINE.to_owned();
    far.push_str(&format!(
        "{}\n",
        vec!["90000"; WINE.lines().next().unwrap().split(',').count()].join(",")
    ));
    desk.put("far.csv", far);
    desk.separa("cluster far.csv -k 3 --drop cultivar --outliers mark -o l.csv").ok();
    assert!(desk.get("l.csv").lines().last().unwrap().ends_with("-1,0.0,,"));
}

#[test]
fn confidence_that_was_not_measured_is_said_to_be() {
    let desk = fitted("-k 3");
    desk.put("few.csv", WINE.lines().take(20).collect::<Vec<_>>().join("\n"));
    let ran = desk.separa("cluster few.csv -k 3 --drop cultivar -o l.csv");
    assert!(ran.err.contains("the confidence is made of the margins alone"), "{}", ran.err);
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let desk = fitted("-k 3");
    desk.put("turned.csv", reordered(|cells| cells.into_iter().rev().collect()));
    desk.separa("predict m.separa turned.csv -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("labels.csv"));
}

#[test]
fn missing_columns_are_named() {
    let desk = fitted("-k 3");
    desk.put("short.csv", reordered(|cells| cells[2..].to_vec()));
    let parts = ["short.csv: the model was fitted on", "missing: \"alcohol\", \"malic_acid\""];
    desk.refused("predict m.separa short.csv -o again.csv", &parts);
    desk.put("case.csv", WINE.replacen("alcohol", "Alcohol", 1));
    let parts = ["missing: \"alcohol\" (did you mean \"Alcohol\"?)"];
    desk.refused("predict m.separa case.csv -o again.csv", &parts);
}

#[test]
fn tables_without_names_must_have_the_width() {
    let desk = fitted("-k 3");
    let bare = |columns: usize| -> String {
        let cut = |l: &str| l.split(',').take(columns).collect::<Vec<_>>().join(",") + "\n";
        WINE.lines().skip(1).map(cut).collect()
    };
    desk.put("bare.csv", bare(13));
    desk.separa("predict m.separa bare.csv -q -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("labels.csv"));
    desk.put("wide.csv", bare(14));
    desk.refused("predict m.separa wide.csv", &["14 feature columns", "fitted on 13"]);
    desk.separa("predict m.separa wide.csv -q --drop x14 -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("labels.csv"));
}

#[test]
fn values_that_cannot_be_used_are_named() {
    let desk = fitted("-k 3");
    desk.put("gap.csv", WINE.replacen("14.23,", ",", 1));
    let parts = ["\"alcohol\" 1 (the first in row 1)", "--missing drop", "--missing nearest"];
    desk.refused("predict m.separa gap.csv --missing refuse -o l.csv", &parts);
    let filled = desk.separa("predict m.separa gap.csv -o l.csv");
    assert!(filled.err.contains("filled 1 missing value"), "{}", filled.err);
    assert_eq!(label_column(&desk.get("l.csv")).len(), 178);
    desk.separa("predict m.separa gap.csv --missing drop -q -o l.csv").ok();
    assert_eq!(label_column(&desk.get("l.csv")).len(), 177);
    desk.put("huge.csv", WINE.replacen("14.23,", "1e308,", 1));
    desk.refused("predict m.separa huge.csv", &["huge.csv: row 1, column \"alcohol\"", "1e308"]);
}

#[test]
fn one_hot_columns_are_made_again_from_their_text() {
    let desk = Desk::new();
    desk.put("train.csv", "a,c\n1,x\n2,x\n9,y\n8,y\n7,z\n1.5,x\n");
    desk.separa("cluster train.csv -k 2 -q --model m.separa -o l.csv").ok();
    desk.put("new.csv", "c,a\nx,1\nx,2\ny,9\ny,8\nz,7\nx,1.5\n");
    desk.separa("predict m.separa new.csv -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("l.csv"));
}

#[test]
fn svmlight_rows_keep_their_indices_in_predict() {
    let desk = Desk::new();
    let row = |i: usize| {
        let (far, near) = if i < 20 { (0.0, 9.0) } else { (9.0, 0.0) };
        let wobble = (i * 7 % 11) as f64 / 10.0;
        format!("0:{} 1:{} 2:{}", wobble, far + wobble, near - wobble / 2.0)
    };
    let rows: Vec<String> = (0..40).map(row).collect();
    desk.put("train.svm", rows.join("\n"));
    desk.separa("cluster train.svm -k 2 -q --model m.separa -o l.csv").ok();
    // The same rows, index 0 gone: zero is what is not written.
    let cut = rows.iter().map(|r| r.split_once(' ').unwrap().1);
    desk.put("cut.svm", cut.collect::<Vec<_>>().join("\n"));
    desk.separa("predict m.separa cut.svm -o again.csv").ok();
    assert_eq!(label_column(&desk.get("again.csv")), label_column(&desk.get("l.csv")));
}

#[test]
fn altered_bytes_are_noticed_wherever_they_are() {
    let desk = fitted("-k 3");
    let whole = desk.bytes("m.separa");
    for at in (0..whole.len()).step_by(whole.len() / 60) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x04;
        desk.put("bad.separa", bytes);
        desk.refused("inspect bad.separa", &["bad.separa: not a usable model file"]);
    }
    desk.refused("predict bad.separa wine.csv -o l2.csv", &["not a usable model file"]);
}

#[test]
fn cut_files_are_noticed_at_every_length() {
    let desk = fitted("-k 3");
    let whole = desk.bytes("m.separa");
    for length in (0..whole.len()).step_by(whole.len() / 40) {
        desk.put("cut.separa", &whole[..length]);
        desk.refused("inspect cut.separa", &["cut.separa: not a usable model file"]);
    }
}

#[test]
fn a_newer_format_says_so() {
    let desk = fitted("-k 3");
    let key = br#"format_version\":"#;
    let mut bytes = desk.bytes("m.separa");
    let at = bytes.windows(key.len()).position(|w| w == key).expect("the header has a version");
    bytes[at + key.len()] = b'9';
    desk.put("new.separa", bytes);
    let parts = ["new.separa", "format version is 9", "up to 2", "update"];
    desk.refused("predict new.separa wine.csv -o l2.csv", &parts);
}

#[test]
fn files_that_are_no_models() {
    let desk = fitted("-k 3");
    desk.refused("predict wine.csv wine.csv", &["wine.csv: not a usable model file"]);
    desk.refused("predict none.separa wine.csv", &["none.separa: no such model file"]);
    desk.refused("inspect none.separa", &["none.separa: no such model file"]);
}

#[test]
#[cfg(unix)]
fn a_device_that_never_ends_is_no_model() {
    let desk = fitted("-k 3");
    desk.refused("predict /dev/zero wine.csv", &["/dev/zero: not a usable model file"]);
    desk.refused("inspect /dev/zero", &["/dev/zero: not a usable model file"]);
}

#[test]
fn inspect_tells_where_a_model_came_from() {
    let desk = fitted("-k 3 --seed 5");
    let text = desk.separa("inspect m.separa").ok();
    for part in ["mspc", "178 rows, seed 5", "alcohol", "max_iter", "MSP"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let json = desk.separa("inspect m.separa --json").json();
    assert_eq!(json["seed"], 5);
    assert_eq!(json["method"], "mspc");
    assert_eq!(json["feature_names"].as_array().map(Vec::len), Some(13));
    assert!(json["quality"]["msp"].is_number());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let desk = fitted("-k 3");
    let mut child = desk
        .command(&["predict", "m.separa", "wine.csv", "--scores"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}
