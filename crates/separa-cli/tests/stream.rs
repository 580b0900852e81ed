//! Parquet files that are read block by block: the same answers, whatever the memory.

use crate::common;

use common::Desk;
use serde_json::Value;

const COLUMNS: [&str; 3] = ["a", "b", "c"];

/// A folder `lake` of Parquet files with a key, a class and three features; three clusters, in order.
fn lake(desk: &Desk, sizes: &[usize]) {
    std::fs::create_dir_all(desk.path("lake")).unwrap();
    let mut state = 1u64;
    // A linear congruence is random enough for clouds.
    let mut uniform = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for (f, &n) in sizes.iter().enumerate() {
        let classes: Vec<i32> = (0..n).map(|i| (i % 3) as i32).collect();
        let ids: Vec<String> = (0..n).map(|i| format!("key-{f}-{i}")).collect();
        let mut values = Vec::with_capacity(3 * n);
        for class in &classes {
            for j in 0..3 {
                let noise = uniform() + uniform() + uniform() - 1.5;
                values.push(noise + if j == *class { 3.0 } else { 0.0 });
            }
        }
        put(desk, &format!("lake/part-{f}.parquet"), &ids, &classes, &values);
    }
}

fn put(desk: &Desk, name: &str, ids: &[String], classes: &[i32], values: &[f64]) {
    let names = COLUMNS.map(str::to_owned);
    let scores = Some((&names[..], values));
    separa_io::write_labels(&desk.path(name), Some(("key", ids)), classes, scores).unwrap();
}

const STREAMED: &str = "cluster lake -k 3 --id key --truth cluster --stream";

#[test]
fn streamed_labels_are_those_of_the_model_in_the_files_of_the_input() {
    let desk = Desk::new();
    lake(&desk, &[3000, 17_000, 1]);
    let answer = desk.separa(&format!("{STREAMED} -o labels/ --model m.separa --json")).json();
    assert_eq!(answer["n"], 20_001);
    assert_eq!(answer["stream"]["all_rows"], true);
    assert!(answer["stream"]["passes"].as_u64() >= Some(2), "{}", answer["stream"]);
    assert_eq!(answer["notes"][0]["code"], "streamed");
    assert!(answer["truth"]["ari"].as_f64() > Some(0.95), "{}", answer["truth"]);
    // In memory, and as text, by the model.
    desk.separa("predict m.separa lake -o memory.csv --scores --id key").ok();
    desk.separa("predict m.separa lake -o stream.csv --scores --id key --stream").ok();
    assert_eq!(desk.get("memory.csv"), desk.get("stream.csv"));
    assert_eq!(desk.get("memory.csv").lines().count(), 20_002);
    desk.refused("predict m.separa lake -o again --id key", &["again", "unknown type"]);
    desk.separa("predict m.separa lake -o again/ --id key").ok();
    for f in 0..3 {
        let name = format!("part-{f}.parquet");
        assert_eq!(desk.bytes(&format!("labels/{name}")), desk.bytes(&format!("again/{name}")));
    }
    let labels = |text: &str| -> Vec<String> {
        let field = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(",");
        text.lines().skip(1).map(field).collect()
    };
    let whole = labels(&desk.get("memory.csv"));
    desk.separa("predict m.separa lake/part-1.parquet -o one.csv --id key").ok();
    assert_eq!(labels(&desk.get("one.csv")), whole[3000..20_000]);
    let sizes: Vec<usize> = serde_json::from_value(answer["sizes"].clone()).unwrap();
    let of = |c: usize| whole.iter().filter(|l| l.ends_with(&format!(",{c}"))).count();
    assert_eq!(sizes, [of(0), of(1), of(2)]);
    assert!(whole[0].ends_with(",0"), "numbered by first appearance");
}

#[test]
fn a_table_that_exceeds_the_memory_is_streamed_unasked_and_another_is_not() {
    let desk = Desk::new();
    lake(&desk, &[4000, 4000]);
    let words = "cluster lake/*.parquet -k 3 -m kmeans --drop key,cluster --json -q";
    let small = desk.separa(&format!("{words} --memory 180K -o l.csv.gz")).json();
    assert_eq!((&small["n"], &small["stream"]["all_rows"]), (&8000.into(), &true.into()));
    // Eighths of the memory are the sample, 1,000 rows at least.
    assert_eq!(small["stream"]["sample_rows"], 1000);
    let whole = desk.separa(words).json();
    assert_eq!((&whole["n"], &whole["stream"]), (&8000.into(), &Value::Null));
    let sampled = words.replace("kmeans", "spectral");
    let sampled = desk.separa(&format!("{sampled} --stream")).json();
    assert_eq!(sampled["stream"]["all_rows"], false);
    let sizes = sampled["sizes"].as_array().unwrap();
    assert_eq!(sizes.iter().filter_map(Value::as_u64).sum::<u64>(), 8000);
}

#[test]
fn missing_values_of_one_file_are_filled_as_the_model_says_or_named() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    let (ids, classes) = (vec!["x".to_owned(), "y".to_owned()], [0, 1]);
    put(&desk, "lake/part-9.parquet", &ids, &classes, &[1.0, f64::NAN, 2.0, 0.0, 3.0, 0.1]);
    desk.separa(&format!("{STREAMED} --model m.separa -o l.csv")).ok();
    desk.separa("predict m.separa lake -o memory.csv --id key").ok();
    assert_eq!(desk.get("l.csv"), desk.get("memory.csv"));
    let refusing = format!("{STREAMED} --missing refuse -o refused.csv --model r.separa");
    desk.refused(&refusing, &["part-9.parquet", "row 1", "\"b\""]);
    // Rows that are left out keep their numbers.
    desk.separa(&format!("{STREAMED} --missing drop -o dropped.csv")).ok();
    assert_eq!(desk.get("dropped.csv").lines().count(), 6002);
    let numbered = "cluster lake -k 3 --drop key,cluster --stream --missing drop -o numbered.csv";
    desk.separa(numbered).ok();
    assert!(desk.get("numbered.csv").lines().last().unwrap().starts_with("6002,"));
}

#[test]
fn a_file_that_is_damaged_or_different_is_named_and_nothing_is_written() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000, 3000]);
    let whole = desk.bytes("lake/part-1.parquet");
    let mut damaged = whole.clone();
    damaged[2000..40_000].fill(0xa5);
    desk.put("lake/part-1.parquet", &damaged);
    let words = format!("{STREAMED} -o labels/ --model m.separa --report r.html");
    desk.refused(&words, &["part-1.parquet"]);
    assert_eq!(desk.files(), ["lake"]);
    desk.put("lake/part-1.parquet", &whole);
    let names = ["a".to_owned(), "b".to_owned()];
    let scores = Some((&names[..], &[1.0, 2.0][..]));
    let ids = ["k".to_owned()];
    separa_io::write_labels(&desk.path("lake/part-3.parquet"), Some(("key", &ids)), &[1], scores)
        .unwrap();
    desk.refused(&words, &["part-3.parquet", "part-0.parquet"]);
    assert_eq!(desk.files(), ["lake"]);
}

#[test]
fn what_cannot_be_streamed_is_said() {
    let desk = Desk::new();
    lake(&desk, &[3000]);
    desk.put("t.json", "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 5}, {\"a\": 4, \"b\": 0}]");
    desk.refused("cluster t.json -k 2 --stream", &["t.json", "read whole", "--stream"]);
    desk.refused("cluster t.json -k 2 -o out/", &["t.json", "read whole"]);
    let bags = "cluster lake -k 2 -m msc --bag cluster --drop key --stream";
    desk.refused(bags, &["lake", "bags", "whole table"]);
    desk.separa("cluster lake -k 3 --drop key,cluster --model m.separa -q").ok();
    let ran = desk.separa("predict m.separa lake --stream");
    assert!(ran.code == Some(2) && ran.err.contains("--output <FILE>"), "{ran:?}");
    assert!(!desk.has("out"));
}

/// The rows of the lake as text.
fn lake_as_csv(desk: &Desk, name: &str, files: &[usize]) {
    let mut text = String::new();
    for f in files {
        let input = format!("lake/part-{f}.parquet");
        let path = desk.path(&input);
        let options = separa_io::TableOptions {
            id: Some("key".into()),
            aside: vec!["cluster".into()],
            ..Default::default()
        };
        let table = separa_io::read(path.to_str().unwrap(), &options).unwrap();
        let separa_io::Values::Dense(values) = &table.values else { panic!("rows are dense") };
        if text.is_empty() {
            text.push_str("key,a,b,c\n");
        }
        for (i, row) in values.chunks(3).enumerate() {
            let key = &table.column("key").unwrap()[i];
            text.push_str(&format!("{key},{},{},{}\n", row[0], row[1], row[2]));
        }
    }
    desk.put(name, &text);
}

#[test]
fn text_is_streamed_as_parquet_is() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    std::fs::create_dir_all(desk.path("text/y=1")).unwrap();
    std::fs::create_dir_all(desk.path("text/y=2")).unwrap();
    lake_as_csv(&desk, "text/y=1/t.csv", &[0]);
    lake_as_csv(&desk, "text/y=2/t.csv", &[1]);
    for method in ["mspc", "kmeans", "fuzzy-kmeans", "logistic", "mrmc"] {
        let words = format!("-k 3 -m {method} --id key --stream --json -q");
        let text = desk.separa(&format!("cluster text {words} -o labels/ --model m.separa")).json();
        let parquet = desk.separa(&format!("cluster lake --drop cluster {words}")).json();
        assert_eq!((&text["n"], &text["stream"]["all_rows"]), (&6000.into(), &true.into()));
        assert_eq!(
            (&text["sizes"], &text["objective"]),
            (&parquet["sizes"], &parquet["objective"])
        );
        // Labels lie as the rows do, and are those of the model.
        desk.separa("predict m.separa text/y=2/t.csv -o one.csv --id key").ok();
        assert_eq!(desk.get("labels/y=2/t.csv"), desk.get("one.csv"), "{method}");
        assert_eq!(desk.get("labels/y=1/t.csv").lines().count(), 3001);
    }
    // Unasked, where the table exceeds the memory: a text beyond a megabyte.
    let mut large = desk.get("text/y=1/t.csv");
    let rows = large.split_once('\n').unwrap().1.repeat(10);
    large.push_str(&rows);
    desk.put("large.csv", &large);
    let words = "cluster large.csv -k 3 -m kmeans --id key --json -q";
    let small = desk.separa(&format!("{words} --memory 3M")).json();
    assert_eq!((&small["n"], &small["stream"]["all_rows"]), (&33_000.into(), &true.into()));
    assert_eq!(desk.separa(words).json()["stream"], Value::Null);
}

/// More rows than one piece of text holds: blocks end at the same rows, whatever the packing.
#[test]
fn packed_text_is_streamed_as_plain_text_is() {
    let desk = Desk::new();
    let n = 90_000;
    let (ids, classes) = ((0..n).map(|i| format!("key-{i}")).collect::<Vec<_>>(), vec![0; n]);
    let value = |row: usize, column: usize| {
        let noise = ((row + column * n) * 7919 % 1009) as f64 / 503.0;
        noise + if row % 3 == column { 4.0 } else { 0.0 }
    };
    let values: Vec<f64> = (0..3 * n).map(|v| value(v / 3, v % 3)).collect();
    for packing in ["", ".gz", ".zst"] {
        put(&desk, &format!("t.csv{packing}"), &ids, &classes, &values);
    }
    assert!(desk.bytes("t.csv").len() > 4 << 20, "{}", desk.bytes("t.csv").len());
    assert!(desk.bytes("t.csv.zst").starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    assert!(desk.bytes("t.csv.gz").starts_with(&[0x1f, 0x8b]));
    for method in ["mspc", "kmeans"] {
        for packing in ["", ".gz", ".zst"] {
            let words = format!("-k 3 -m {method} --id key --drop cluster --stream --json -q");
            let model = format!("m{packing}.separa");
            let answer = desk
                .separa(&format!(
                    "cluster t.csv{packing} {words} -o l{packing}.csv --model {model}"
                ))
                .json();
            assert_eq!((&answer["n"], &answer["stream"]["all_rows"]), (&n.into(), &true.into()));
            desk.separa(&format!("predict {model} t.csv{packing} --id key --stream -o p.csv -q"))
                .ok();
            assert_eq!(desk.get("p.csv"), desk.get(&format!("l{packing}.csv")), "{packing}");
            assert_eq!(desk.get("l.csv"), desk.get(&format!("l{packing}.csv")), "{packing}");
        }
    }
}

#[test]
fn every_id_of_a_stream_stands_beside_its_labels() {
    let desk = Desk::new();
    let line = |i: usize| format!("{},item {i},{},{}\n", 3 * i + 1, i % 2 * 50 + i % 7, i * i % 11);
    desk.put("t.csv", format!("n,name,a,b\n{}", (0..6000).map(line).collect::<String>()));
    // A sample of 1,000 rows, in which the counter leaps.
    let words = "cluster t.csv -k 2 -m kmeans --stream --memory 180K -q";
    desk.separa(&format!("{words} -o l.csv --model m.separa")).ok();
    assert!(desk.get("l.csv").starts_with("name,n,cluster,"), "{}", &desk.get("l.csv")[..200]);
    assert!(desk.get("l.csv").contains("\nitem 5999,17998,"));
    desk.separa("predict m.separa t.csv -q -o whole.csv").ok();
    desk.separa("predict m.separa t.csv -q --stream -o p.csv").ok();
    assert_eq!(desk.get("p.csv"), desk.get("whole.csv"));
    desk.separa("predict m.separa t.csv -q --stream -o p.parquet").ok();
    let parquet =
        separa_io::read_table(&desk.path("p.parquet").to_string_lossy(), &Default::default());
    let names: Vec<String> = parquet.unwrap().names().map(str::to_owned).collect();
    assert_eq!(names[..3], ["name", "n", "cluster"]);
    // New tables need not have all of them, or any.
    let cut = |first: usize| {
        let fields = |line: &str| line.splitn(first + 1, ',').last().unwrap().to_owned() + "\n";
        desk.get("t.csv").lines().map(fields).collect::<String>()
    };
    for (columns, header) in [(1, "name,cluster,"), (2, "row,cluster,")] {
        desk.put("new.csv", cut(columns));
        desk.separa("predict m.separa new.csv -q --stream -o new.out.csv").ok();
        assert!(desk.get("new.out.csv").starts_with(header));
    }
}

#[test]
fn a_fit_that_was_left_goes_on_from_its_checkpoint() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    // A sample of 1,000 rows, so that there is a way to go.
    let words =
        "cluster lake -k 3 -m kmeans --drop key,cluster --stream --memory 180K -q --set tol=0";
    desk.separa(&format!("{words} --model straight.separa")).ok();
    desk.separa(&format!("{words} --checkpoint c.stop --model watched.separa")).ok();
    assert_eq!(desk.bytes("straight.separa"), desk.bytes("watched.separa"));
    desk.separa(&format!("{words} --checkpoint c.stop --resume --model again.separa")).ok();
    assert_eq!(desk.bytes("straight.separa"), desk.bytes("again.separa"));
    let other = words.replace("-k 3", "-k 2");
    desk.refused(&format!("{other} --checkpoint c.stop --resume"), &["c.stop", "another fit"]);
    desk.refused(&format!("{words} --checkpoint none.stop --resume"), &["none.stop", "--resume"]);
    let ran = desk.separa(&format!("{words} --resume"));
    assert!(ran.code == Some(2) && ran.err.contains("--checkpoint"), "{ran:?}");
}

#[test]
fn the_number_of_clusters_p_values_stability_and_report_are_of_the_sample_and_msp_of_all_rows() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    let words = "cluster lake -k auto --drop key,cluster --stream --json -q --stability 5";
    let answer = desk.separa(&format!("{words} --report r.html --model m.separa")).json();
    assert_eq!((&answer["k"], &answer["n"]), (&3.into(), &6000.into()));
    assert_eq!(answer["stream"]["sample_rows"], 6000);
    assert!(answer["quality"]["msp"].as_f64().is_some(), "{}", answer["quality"]);
    assert_eq!(answer["stream"]["msp_rows"], 6000);
    assert!(answer["stability"].is_object() && answer["auto"].is_object());
    assert!(desk.get("r.html").contains("streamed"));
    // A smaller sample: what is of it and what is not is said.
    let words = "cluster lake -k 3 --drop key,cluster --stream --memory 1M --json -q";
    let answer = desk.separa(words).json();
    assert_eq!(answer["stream"]["msp_rows"], 6000);
    assert!(answer["stream"]["sample_rows"].as_u64() < Some(6000), "{}", answer["stream"]);
    let said = answer["notes"][0]["text"].as_str().unwrap();
    assert!(said.contains("MSP is of all rows") && said.contains("a sample of"), "{said}");
}

/// A disk that is full: the file is named, and nothing half-written is left behind.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    let separa = desk.command(&[]).get_program().to_owned();
    for target in ["labels/", "l.csv"] {
        let ran = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
            .arg(&separa)
            .args("cluster lake -k 3 -m kmeans --drop key,cluster --stream -o".split(' '))
            .arg(target)
            .current_dir(desk.path(""))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{said}");
        let named = if target == "l.csv" { "l.csv" } else { "part-0.parquet" };
        assert!(said.contains(named) && said.contains("written"), "{said}");
        assert!(!desk.has("m.separa") && !desk.has("l.csv"));
        let left = std::fs::read_dir(desk.path("labels")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{target}");
    }
}

#[test]
fn a_labelling_is_judged_by_a_sample_and_says_so() {
    let desk = Desk::new();
    lake(&desk, &[3000, 3000]);
    let words = "score lake --labels cluster --drop key --json -q";
    let (whole, streamed) =
        (desk.separa(words).json(), desk.separa(&format!("{words} --stream")).json());
    // The sample of so few rows is all of them.
    assert_eq!((&streamed["quality"], &streamed["sizes"]), (&whole["quality"], &whole["sizes"]));
    assert_eq!(streamed["stream"]["sample_rows"], 6000);
    assert_eq!(
        (&streamed["notes"][0]["code"], &whole["stream"]),
        (&"streamed".into(), &Value::Null)
    );
    desk.refused("score lake --labels none --drop key --stream", &["lake", "none"]);
}
