//! `separa train`: classes in, a rule with its bound out; then `predict` and `inspect`.

use crate::common;

use common::{Desk, WINE, two_clouds};

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

/// The last column of the wine table.
fn cultivars() -> Vec<&'static str> {
    WINE.lines().skip(1).map(|l| l.rsplit_once(',').unwrap().1).collect()
}

/// The column `label` of a CSV, as text.
fn named(csv: &str) -> Vec<String> {
    csv.lines().skip(1).map(|l| l.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn a_rule_learnt_from_a_column_predicts_the_names_of_its_classes() {
    for method in ["mpm", "mcpm", "scm"] {
        let desk = wine();
        let words =
            format!("train wine.csv --target cultivar -m {method} --model m.separa --json -q");
        let answer = desk.separa(&words).json();
        assert_eq!(answer["method"], method);
        assert_eq!((&answer["n"], &answer["d"]), (&178.into(), &13.into()));
        assert_eq!(answer["sizes"], serde_json::json!([59, 71, 48]));
        assert!(answer["accuracy"].as_f64().unwrap() > 0.97, "{method}: {}", answer["accuracy"]);
        let bounds = answer["bounds"].as_array().map_or(0, Vec::len);
        assert_eq!(bounds, if method == "scm" { 0 } else { 3 });
        // Columns are found by name; the target may be there or not.
        let csv = desk.separa("predict m.separa wine.csv --scores").ok();
        assert_eq!(csv.lines().next().unwrap().split(',').count(), 5);
        let found = named(&csv);
        let right = found.iter().zip(cultivars()).filter(|(a, b)| a.as_str() == *b).count();
        assert!(right as f64 / 178.0 > 0.97, "{method}: {right}");
        desk.separa("predict m.separa wine.csv -o out.parquet").ok();
        let shown = desk.separa("inspect m.separa").ok();
        assert!(
            shown.contains("classes") && shown.contains("of the training rows right"),
            "{shown}"
        );
    }
}

#[test]
fn text_classes_keep_their_names_and_two_have_one_score() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(40, 3));
    desk.separa("train t.csv --target kind --model m.separa -q").ok();
    let csv = desk.separa("predict m.separa t.csv --scores").ok();
    // Sorted by name blue is first: red is where the score is 0 or more.
    assert!(csv.starts_with("row,label,score\n1,red,") && csv.contains("\n2,blue,-"), "{csv}");
    let screen = desk.separa("train t.csv --target kind --set reg=0.01").ok();
    for part in ["red", "blue", "Guaranteed and achieved accuracy", "Guaranteed at reg 0.01"] {
        assert!(screen.contains(part), "`{part}` is missing in {screen}");
    }
}

#[test]
fn nested_cross_validation_judges_the_whole_training_and_repeats() {
    let desk = wine();
    let words = "train wine.csv --target cultivar -m mcpm --cv 4 --json -q --set summaries=4";
    let answer = desk.separa(words).json();
    assert_eq!(answer["cv"]["folds"].as_array().unwrap().len(), 4);
    assert_eq!(answer["cv"]["settings"].as_array().unwrap().len(), 4);
    assert!(answer["cv"]["accuracy"].as_f64().unwrap() > 0.9);
    let again = desk.separa(&format!("{words} --threads 1")).json();
    assert_eq!(answer["cv"], again["cv"]);
    desk.refused("train wine.csv --target cultivar --cv 99", &["99 folds", "48"]);
    desk.refused("train wine.csv --target cultivar --cv 1", &["1 folds"]);
}

#[test]
fn a_clustering_becomes_a_rule_from_its_model_or_its_labels() {
    let desk = wine();
    desk.separa("cluster wine.csv -k 3 --drop cultivar -o l.csv --model c.separa -q").ok();
    for source in ["c.separa", "l.csv"] {
        let words =
            "train wine.csv --drop cultivar -m mcpm --model m.separa --json -q --from-labels";
        let answer = desk.separa(&format!("{words} {source}")).json();
        assert_eq!(answer["classes"], serde_json::json!(["0", "1", "2"]));
        let csv = desk.separa("predict m.separa wine.csv").ok();
        let clusters = named(&desk.get("l.csv"));
        let same = named(&csv).iter().zip(&clusters).filter(|(a, b)| a == b).count();
        assert!(same as f64 / 178.0 > 0.93, "{source}: {same} of 178");
    }
    desk.put("short.csv", "row,label\n1,0\n2,1\n");
    let words = "train wine.csv --drop cultivar --from-labels short.csv";
    desk.refused(words, &["short.csv", "2 labels for 178 rows"]);
}

#[test]
fn labels_beside_names_of_rows_are_found_and_rows_set_aside_are_told_of() {
    let desk = Desk::new();
    let table = two_clouds(40, 3);
    let mut lines = table.lines();
    let head = lines.next().unwrap();
    let named: Vec<String> = lines.enumerate().map(|(i, l)| format!("row {i},{l}")).collect();
    desk.put("t.csv", format!("name,{head}\n{}\n", named.join("\n")));
    let cluster = "cluster t.csv -k 2 --drop kind --id name -q -m kmeans -o";
    desk.separa(&format!("{cluster} l.csv")).ok();
    desk.separa(&format!("{cluster} l.parquet")).ok();
    assert!(
        desk.get("l.csv").starts_with("name,cluster,confidence,runner_up,margin\nrow 0,0,"),
        "{}",
        desk.get("l.csv")
    );
    let words = "train t.csv --drop kind --id name -m mcpm --json --from-labels";
    for source in ["l.csv", "l.parquet"] {
        let answer = desk.separa(&format!("{words} {source}")).json();
        assert_eq!(answer["sizes"], serde_json::json!([40, 40]));
        assert_eq!(answer["accuracy"], 1.0);
    }
    // Two rows that the clustering marked as outliers.
    let marked =
        desk.get("l.csv").replace("row 0,0,", "row 0,-1,").replace("row 2,0,", "row 2,-1,");
    desk.put("l.csv", marked);
    let ran = desk.separa(&format!("{words} l.csv"));
    let said = "2 rows that the clustering marked as outliers (-1) left out";
    let answer = ran.json();
    assert_eq!(answer["sizes"], serde_json::json!([38, 40]));
    let notes = answer["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["text"] == said), "{notes:?}");
    desk.put("none.csv", "name,group\nrow 1,0\n");
    let words = "train t.csv --drop kind --id name --from-labels none.csv";
    desk.refused(words, &["none.csv", "no column \"label\"", "--from-labels"]);
}

#[test]
fn a_rule_distilled_from_a_classifier_keeps_the_names_of_its_classes() {
    let desk = Desk::new();
    // Classes whose names are numbers, one of them the one that stands for outliers.
    desk.put("t.csv", two_clouds(40, 3).replace("red", "-1").replace("blue", "07"));
    desk.separa("train t.csv --target kind --model first.separa -q").ok();
    let words = "train t.csv --drop kind -m mcpm --from-labels first.separa --model second.separa";
    let answer = desk.separa(&format!("{words} --json -q")).json();
    assert_eq!(answer["classes"], serde_json::json!(["-1", "07"]));
    assert_eq!(answer["sizes"], serde_json::json!([40, 40]));
    let [first, second] =
        ["first", "second"].map(|m| desk.separa(&format!("predict {m}.separa t.csv")).ok());
    assert!(named(&first).contains(&"07".to_owned()));
    assert_eq!(first, second);
}

#[test]
fn priors_move_the_boundary_by_name_or_in_order() {
    let desk = Desk::new();
    let text = two_clouds(60, 2);
    // Nearer than they are: half of the rows overlap.
    let near = |line: &str| match line.split_once(',') {
        Some((x, rest)) if x.parse::<f64>().is_ok_and(|x| x > 3.0) => {
            format!("{},{rest}", x.parse::<f64>().unwrap() - 5.0)
        }
        _ => line.to_owned(),
    };
    desk.put("t.csv", text.lines().map(near).collect::<Vec<_>>().join("\n"));
    let count = |set: &str| {
        desk.separa(&format!("train t.csv --target kind --model m.separa -q {set}")).ok();
        named(&desk.separa("predict m.separa t.csv").ok()).iter().filter(|l| *l == "red").count()
    };
    let plain = count("--set reg=0.01");
    let often = count("--set reg=0.01 --set priors=red:0.9,blue:0.1");
    assert!(often > plain, "{often} {plain}");
    // In the order of the classes, which is that of their names.
    assert_eq!(count("--set reg=0.01 --set priors=1,9"), often);
    assert!(count("--set reg=0.01 --set priors=0.9,0.1") < plain);
    let answer = desk.separa("train t.csv --target kind --json -q --set priors=1,9").json();
    assert_eq!(answer["params"]["priors"], serde_json::json!([1.0, 9.0]));
    let bad = |value: &str, parts: &[&str]| {
        desk.refused(&format!("train t.csv --target kind --set priors={value}"), parts);
    };
    bad("1,2,3", &["`priors` must be", "(\"blue\", \"red\")", "got 3 of them"]);
    bad("-1,2", &["`priors` must be", "positive", "got -1"]);
    bad("0,0", &["`priors` must be", "got 0"]);
    bad("blue:1,redd:2", &["got one for \"redd\", did you mean \"red\"?"]);
    bad("blue:1", &["got none for \"red\""]);
    bad("half", &["`priors` must be", "got \"half\""]);
}

/// A Parquet table of two clouds: `label`, `x`, `y`, and `row` to be dropped.
fn parquet(desk: &Desk, n: usize) {
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    let mut state = 1u64;
    let mut noise = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for i in 0..n {
        labels.push((i % 2) as i32);
        values.extend([noise() + 0.8 * (i % 2) as f64, 100.0 * noise()]);
    }
    let (columns, names) = (["x", "y"].map(String::from), ["no", "yes"].map(String::from));
    let labels = separa_io::Shown::named(&labels, &names);
    let scores = Some((&columns[..], &values[..]));
    separa_io::write_labels(&desk.path("t.parquet"), None, labels, scores).unwrap();
}

#[test]
fn a_stream_gives_a_rule_like_the_whole_table_and_counts_every_row() {
    let desk = Desk::new();
    parquet(&desk, 120_000);
    for method in ["mpm", "mcpm", "scm"] {
        let words = format!(
            "train t.parquet --target label --drop row -m {method} --json -q --model m.separa"
        );
        let streamed = desk.separa(&format!("{words} --stream")).json();
        assert_eq!(streamed["n"], 120_000);
        assert_eq!(streamed["sizes"], serde_json::json!([60_000, 60_000]));
        assert_eq!(streamed["classes"], serde_json::json!(["no", "yes"]));
        assert_eq!(streamed["stream"]["all_rows"], true, "{method}");
        assert_eq!(streamed["stream"]["sample_rows"], 50_000);
        let model = desk.bytes("m.separa");
        desk.separa(&format!("{words} --stream --threads 1")).json();
        assert_eq!(model, desk.bytes("m.separa"), "{method}");
        let csv = desk.separa("predict m.separa t.parquet --drop row").ok();
        let right = |(i, l): &(usize, &String)| (l.as_str() == "yes") == (i % 2 == 1);
        let hits = named(&csv).iter().enumerate().filter(right).count() as f64 / 120_000.0;
        // 0.9 is the best there is: the clouds overlap in a fifth of their width.
        assert!(hits > 0.88, "{method}: {hits}");
        let told = streamed["accuracy"].as_f64().unwrap();
        assert!((told - hits).abs() < 1e-12, "{method}: of all rows, {told} {hits}");
    }
    desk.refused(
        "train t.parquet --target label --drop row --stream --memory 1K",
        &["mpm: the fit needs about", "may be used"],
    );
}

#[test]
fn a_table_beyond_the_memory_is_streamed_unasked_and_text_is_as_parquet() {
    let desk = Desk::new();
    let mut text = "key,a,b,town,y\n".to_owned();
    for i in 0..60_000 {
        let wave = (f64::from(i) * 0.7).sin();
        let a = if i % 50 == 0 {
            String::new()
        } else {
            format!("{:.3}", wave + f64::from(i % 3) * 2.0)
        };
        text.push_str(&format!(
            "k{i},{a},{:.3},{},{}\n",
            wave * 3.0,
            ["Ulm", "Bonn"][i as usize % 2],
            ["u", "v", "w"][i as usize % 3]
        ));
    }
    desk.put("t.csv", &text);
    let words = "train t.csv --target y --json -q";
    let answer = desk.separa(&format!("{words} --memory 2M")).json();
    assert_eq!((&answer["n"], &answer["stream"]["all_rows"]), (&60_000.into(), &true.into()));
    assert_eq!(desk.separa(words).json()["stream"], serde_json::Value::Null);
    // Words and gaps are prepared as the sample says, for new rows, too.
    desk.separa("train t.csv --target y --stream -q --model m.separa").ok();
    desk.put("new.csv", "a,b,town\n,0.1,Bonn\n4.2,0.1,Ulm\n");
    let csv = desk.separa("predict m.separa new.csv").ok();
    assert_eq!(named(&csv).len(), 2);
}

/// A Parquet table whose column `label` holds these names, row by row.
fn classes(desk: &Desk, rows: &[usize], names: &[String]) {
    let labels: Vec<i32> = rows.iter().map(|r| *r as i32).collect();
    let values: Vec<f64> = (0..rows.len()).map(|i| i as f64).collect();
    let columns = ["x".to_owned()];
    let labels = separa_io::Shown::named(&labels, names);
    let scores = Some((&columns[..], &values[..]));
    separa_io::write_labels(&desk.path("t.parquet"), None, labels, scores).unwrap();
}

#[test]
fn a_stream_names_the_row_of_a_class_that_is_none() {
    let desk = Desk::new();
    let words = "train t.parquet --target label --drop row -m mcpm --stream";
    let names = ["1", "2", "2.5", " "].map(String::from);
    // Far behind the first batch.
    let mut rows: Vec<usize> = (0..40_000).map(|i| i % 2).collect();
    rows[30_000] = 2;
    classes(&desk, &rows, &names);
    desk.refused(words, &["t.parquet: row 30001, column \"label\" holds 2.5, expected a class"]);
    (rows[30_000], rows[35_000]) = (0, 3);
    classes(&desk, &rows, &names);
    let said = ["1 of 40,000 rows has no class", "\"label\" is empty (the first in row 35001)"];
    desk.refused(words, &said);
    let many: Vec<String> = (0..1001).map(|i| format!("c{i}")).collect();
    classes(&desk, &(0..1001).collect::<Vec<_>>(), &many);
    desk.refused(words, &["1001 classes", "at most 1000"]);
}

#[test]
fn folds_that_leave_one_row_of_a_class_are_refused_with_its_name() {
    let desk = Desk::new();
    desk.put("few.csv", "a,y\n1,u\n2,u\n3,u\n4,v\n5,v\n6,v\n7,v\n");
    desk.refused("train few.csv --target y --cv 2", &["2 folds", "smallest class (\"u\")", "(3)"]);
    desk.separa("train few.csv --target y --cv 3 -q").ok();
}

#[test]
fn what_cannot_be_learnt_from_is_refused_in_one_line() {
    let desk = wine();
    desk.put("one.csv", "a,y\n1,u\n2,u\n3,u\n");
    desk.put("single.csv", "a,y\n1,u\n2,u\n3,v\n");
    desk.put("float.csv", "a,y\n1,0.5\n2,1.5\n3,2.5\n");
    let many: String = (0..1001).map(|i| format!("{},c{i}\n", i * i)).collect();
    desk.put("many.csv", format!("a,y\n{many}"));
    desk.refused(
        "train wine.csv --target cultivr",
        &["cultivr", "--target", "did you mean \"cultivar\"?"],
    );
    desk.refused("train one.csv --target y", &["one.csv", "1 class (\"u\")"]);
    desk.refused("train single.csv --target y", &["class \"v\" has 1"]);
    desk.refused(
        "train float.csv --target y",
        &["row 1, column \"y\" holds 0.5, expected a class"],
    );
    desk.refused("train many.csv --target y", &["1001 classes", "at most 1000"]);
    desk.refused("train wine.csv --target cultivar --set reg=0", &["`reg` must be", "got 0"]);
    desk.refused("train wine.csv --target cultivar -m mcpm --set gamma=-1", &["`gamma` must be"]);
    desk.refused(
        "train wine.csv --target cultivar -m mcpm --set summaries=60",
        &["smallest class (\"2\": 48)"],
    );
    desk.refused("train wine.csv --target cultivar -m mcmp", &["did you mean `mcpm`?"]);
    desk.refused("train one.csv --target y --stream", &["one.csv", "1 class (\"u\")"]);
    desk.refused("train single.csv --target y --stream", &["class \"v\" has 1"]);
    desk.refused(
        "train wine.csv --target cultivr --stream",
        &["cultivr", "--target", "did you mean \"cultivar\"?"],
    );
    desk.put("t.json", "[{\"a\": 1, \"y\": \"u\"}]");
    desk.refused("train t.json --target y --stream", &["t.json", "read whole"]);
    desk.refused("train wine.csv --target cultivar --set reg=1 --set reg=2", &["given twice"]);
}

#[test]
fn rows_without_a_class_are_counted_and_left_out_if_asked() {
    let desk = Desk::new();
    let line = |i: usize| {
        let class = if i % 10 == 3 { "" } else { ["u", "v"][i % 2] };
        format!("{},{},{class}\n", i % 7 + 9 * (i % 2), (i * 5) % 11)
    };
    desk.put("t.csv", format!("a,b,y\n{}", (0..40).map(line).collect::<String>()));
    for more in ["", " --stream"] {
        let words = format!("train t.csv --target y{more}");
        let parts = ["4 of 40 rows have no class", "\"y\" is empty (the first in row 4)"];
        let said = desk.refused(&words, &parts);
        let command = said.trim_end().lines().last().unwrap().trim();
        assert_eq!(command, format!("separa {words} --missing drop"));
        let ran = desk.separa(&format!("{words} --missing drop"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.contains("4 rows without a class left out"), "{}", ran.err);
    }
    desk.put("none.csv", "a,b,y\n1,2,\n2,4,\n3,1,\n");
    for more in ["", " --missing drop", " --stream"] {
        let words = format!("train none.csv --target y{more}");
        desk.refused(&words, &["\"y\" is empty in every row", "name another column"]);
    }
}

#[test]
fn a_row_with_unseen_columns_is_refused_by_name() {
    let desk = wine();
    desk.separa("train wine.csv --target cultivar --model m.separa -q").ok();
    desk.put("new.csv", "ash,colour\n1,2\n");
    desk.refused("predict m.separa new.csv", &["alcohol"]);
}

#[test]
fn what_there_is_to_know_of_the_table_is_told_once() {
    let desk = Desk::new();
    let rows: String = (0..40).map(|i| format!("{i},{},{}\n", i % 7, i % 2)).collect();
    desk.put("t.csv", format!("id,a,y\n{rows}"));
    let ran = desk.separa("train t.csv --target y");
    assert_eq!(ran.err.matches("\"id\" (it counts the rows)").count(), 1, "{}", ran.err);
}

#[test]
fn methods_lists_classifiers_too() {
    let desk = Desk::new();
    let list = desk.separa("methods").ok();
    assert!(list.contains("MPMClassifier") && list.contains("mcpm"), "{list}");
    let one = desk.separa("methods mcpm").ok();
    assert!(one.contains("summaries") && one.contains("of `separa train`"), "{one}");
    desk.refused("methods mcmp", &["did you mean `mcpm`?"]);
    desk.refused("methods mspk", &["did you mean `mspc`?"]);
}
