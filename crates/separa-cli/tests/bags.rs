//! `--bag COL`: bags of rows are clustered, labelled, and refused where they make no sense.

use crate::common;

use common::{Desk, label_column};
use serde_json::{Value, json};

/// Bags of 2 to 4 rows around two places that depend on their kind, rows of all bags mixed.
fn regions(bags: usize) -> String {
    let mut rows = Vec::new();
    for bag in 0..bags {
        let kind = bag % 2;
        for row in 0..2 + bag % 3 {
            let jitter = ((bag * 7 + row * 5) % 11) as f64 / 11.0;
            let (x, y) = (4.0 * (row % 2) as f64 + jitter, 9.0 * kind as f64 - jitter);
            rows.push((row, format!("{x},img{bag},{y},{}", ["beach", "bus"][kind])));
        }
    }
    rows.sort_by_key(|(row, _)| *row);
    let lines: Vec<String> = rows.into_iter().map(|(_, line)| line).collect();
    format!("x,image,y,topic\n{}\n", lines.join("\n"))
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("regions.csv", regions(30));
    desk
}

const CLUSTER: &str = "cluster regions.csv -k 2 -m msc --bag image";

#[test]
fn bags_are_what_is_counted_labelled_and_compared() {
    let desk = desk();
    let json =
        desk.separa(&format!("{CLUSTER} --truth topic --json -o l.csv --model m.separa")).json();
    assert_eq!((&json["n"], &json["rows"], &json["d"]), (&json!(30), &json!(90), &json!(2)));
    assert_eq!(json["sizes"], json!([15, 15]));
    assert_eq!(json["truth"]["error"], json!(0.0));
    assert_eq!(json["quality"], Value::Null);
    assert!(json["notes"].to_string().contains("the quality is left out"), "{json}");
    assert!(common::notes(&json, "warning").is_empty());
    let labels = desk.get("l.csv");
    assert!(labels.starts_with("image,cluster,confidence,runner_up,margin\nimg0,0,"), "{labels}");
    assert!(labels.contains("\nimg1,1,") && labels.contains("\nimg2,0,"), "{labels}");
    assert_eq!(label_column(&labels), [0, 1].repeat(15));
    let text = desk.separa(&format!("{CLUSTER} --truth topic")).ok();
    assert!(text.contains("regions.csv: 30 bags of 90 rows, 2 features"), "{text}");
    assert!(text.contains("  cluster   bags   fraction"), "{text}");
    assert!(!text.contains("Is the separation real?"), "{text}");
    let shown = desk.separa("inspect m.separa").ok();
    assert!(shown.contains("30 bags, seed 0"), "{shown}");
}

#[test]
fn the_order_of_rows_and_numbers_for_names_change_nothing() {
    let desk = desk();
    desk.separa(&format!("{CLUSTER} --drop topic -o mixed.csv")).ok();
    let table = desk.get("regions.csv").replace("img", "");
    let (head, rows) = table.split_once('\n').unwrap();
    let mut sorted: Vec<&str> = rows.lines().collect();
    sorted.sort_by_key(|line| line.split(',').nth(1).unwrap().parse::<usize>().unwrap());
    desk.put("regions.csv", format!("{head}\n{}\n", sorted.join("\n")));
    desk.separa(&format!("{CLUSTER} --drop topic -o sorted.csv")).ok();
    assert_eq!(desk.get("mixed.csv").replace("img", ""), desk.get("sorted.csv"));
}

#[test]
fn training_bags_keep_their_labels_and_new_ones_get_theirs() {
    let desk = desk();
    for options in ["", " --landmarks 10", " --set metric=euclidean"] {
        desk.separa(&format!("{CLUSTER}{options} --drop topic -o l.csv --model m.separa")).ok();
        let again = desk.separa("predict m.separa regions.csv --bag image").ok();
        assert_eq!(again, desk.get("l.csv"));
        // Columns by name, rows in any order, a text column that the model has no use for.
        desk.put("new.csv", "photo,y,x,note\nb,9.1,0.2,\na,-0.1,4.1,far\nb,8.9,4,\na,0.1,0,\n");
        let new = desk.separa("predict m.separa new.csv --bag photo --scores").ok();
        assert!(new.starts_with("photo,cluster,confidence,runner_up,margin,score\nb,1,"), "{new}");
        assert_eq!(label_column(&new), [1, 0]);
    }
}

#[test]
fn models_of_bags_and_of_rows_are_not_mixed_up() {
    let desk = desk();
    desk.separa(&format!("{CLUSTER} --drop topic --model bags.separa")).ok();
    desk.separa("cluster regions.csv -k 2 -m msc --drop topic,image --model rows.separa").ok();
    desk.refused("predict bags.separa regions.csv", &["fitted on bags of rows", "--bag"]);
    let said = ["fitted on rows, not on bags of rows", "without --bag"];
    desk.refused("predict rows.separa regions.csv --bag image", &said);
}

#[test]
fn columns_that_cannot_be_bags_are_refused_by_name() {
    let desk = desk();
    desk.refused(
        "cluster regions.csv -k 2 -m msc --drop topic --bag imag",
        &["--bag", "\"imag\"", "did you mean \"image\"?"],
    );
    let both = ["--bag", "--features", "image"];
    desk.refused(&format!("{CLUSTER} --features x,image"), &both);
    desk.refused(&format!("{CLUSTER} --drop topic --id topic"), &["--id", "--bag"]);
    desk.put("gap.csv", regions(4).replacen("img1,", ",", 1));
    desk.refused(
        "cluster gap.csv -k 2 -m msc --bag image --drop topic",
        &["gap.csv: row 2, column \"image\" is empty", "expected the bag"],
    );
    desk.separa(&format!("{CLUSTER} --drop topic --model m.separa")).ok();
    desk.refused("predict m.separa gap.csv --bag image", &["row 2", "expected the bag"]);
    desk.refused("predict m.separa gap.csv --bag photo", &["--bag", "\"photo\""]);
    desk.refused("predict m.separa gap.csv --bag image --id topic", &["--id", "--bag"]);
}

#[test]
fn one_bag_two_classes_in_a_bag_and_unfit_settings_are_refused() {
    let desk = desk();
    desk.put("one.csv", "x,image\n1,a\n2,a\n3,a\n");
    let said = ["-k must be at most the number of bags (1), got 2"];
    desk.refused("cluster one.csv -k 2 -m msc --bag image", &said);
    desk.put("mixed.csv", regions(6).replacen("img3,9,bus", "img3,9,beach", 1));
    let torn = regions(6).replacen(",bus\n", ",beach\n", 1);
    desk.put("mixed.csv", torn);
    desk.refused(
        "cluster mixed.csv -k 2 -m msc --bag image --truth topic",
        &["bag \"img1\" holds \"beach\" (row 2) and \"bus\" (row 8)", "one class a bag"],
    );
    let unfit = ["`metric` must be a distance of two rows", "got \"precomputed\""];
    desk.refused(&format!("{CLUSTER} --drop topic --set metric=precomputed"), &unfit);
    let many = ["`landmarks` must be at most the number of bags (30)", "got 31"];
    desk.refused(&format!("{CLUSTER} --drop topic --landmarks 31"), &many);
    for method in ["mspc", "kmeans", "spectral", "kernel-kmeans"] {
        let said = [method, "not bags of rows; methods that take bags: msc"];
        desk.refused(&format!("cluster absent.csv -k 2 -m {method} --bag image"), &said);
    }
}

#[test]
fn gaps_in_features_and_classes_of_bags_are_handled_as_those_of_rows() {
    let desk = desk();
    let first = regions(30).lines().nth(1).unwrap().to_owned();
    let empty = first.split_once(',').map(|(_, rest)| format!(",{rest}")).unwrap();
    desk.put("regions.csv", regions(30).replacen(&first, &empty, 1).replace(",beach\n", ",\n"));
    let json = desk.separa(&format!("{CLUSTER} --truth topic --missing drop --json")).json();
    assert_eq!((&json["n"], &json["rows"]), (&json!(30), &json!(89)));
    assert!(json["notes"].to_string().contains("15 bags without a known class"), "{json}");
}
