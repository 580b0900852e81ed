//! `separa export`: a model file as a rule of another system.

use crate::common;

use common::{Desk, WINE, label_column};

fn fitted(options: &str) -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv --drop cultivar -q --model m.separa";
    desk.separa(&format!("{words} {options}")).ok();
    desk
}

#[test]
fn every_language_is_written_to_a_file_and_texts_to_the_screen() {
    let desk = fitted("-k 3");
    for (language, begins) in [
        ("sql", "WITH\nsepara_cells AS ("),
        ("python", "\"\"\"Labels rows by a rule of mspc"),
        ("rust", "//! Labels rows by a rule of mspc"),
        ("json", "{\n  \"format\": \"separa-rule\",\n  \"format_version\": 1,"),
    ] {
        let text = desk.separa(&format!("export m.separa --to {language}")).ok();
        assert!(text.starts_with(begins), "{language}: {text}");
        desk.separa(&format!("export m.separa --to {language} -o out")).ok();
        assert_eq!(desk.get("out"), text);
    }
    desk.separa("export m.separa --to onnx -o rule.onnx").ok();
    assert!(desk.bytes("rule.onnx").len() > 1000);
}

/// The labels that a query gives the wine in SQLite; it reads `wines` and keeps `nr`.
fn run_on_wine(query: &str) -> Vec<i32> {
    let base = rusqlite::Connection::open_in_memory().unwrap();
    let mut lines = WINE.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let columns: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    base.execute(&format!("CREATE TABLE wines (nr, {})", columns.join(", ")), []).unwrap();
    for (nr, line) in lines.enumerate() {
        let values: Vec<String> = line.split(',').map(|v| format!("'{v}'")).collect();
        base.execute(&format!("INSERT INTO wines VALUES ({nr}, {})", values.join(", ")), [])
            .unwrap();
    }
    let mut statement = base.prepare(query).unwrap();
    // Clusters are numbers, classes are texts.
    let label = |value: rusqlite::types::Value| match value {
        rusqlite::types::Value::Integer(label) => label as i32,
        rusqlite::types::Value::Text(label) => label.parse().unwrap(),
        other => panic!("{other:?}"),
    };
    let found = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, label(row.get(1)?))));
    let mut found: Vec<(i64, i32)> = found.unwrap().map(Result::unwrap).collect();
    found.sort_unstable();
    assert_eq!(found.len(), 178);
    found.into_iter().map(|(_, label)| label).collect()
}

const QUERY: &str = "--to sql --dialect sqlite --table wines --keep nr";

#[test]
fn a_query_runs_in_sqlite_with_the_labels_of_predict() {
    let desk = fitted("-k 3");
    let query = desk.separa(&format!("export m.separa {QUERY}")).ok();
    let labels = desk.separa("predict m.separa wine.csv -q").ok();
    assert_eq!(run_on_wine(&query), label_column(&labels));
}

/// The remedy of the refusal, typed as it is said, leads to a query whose labels are those of its rule and, for nearly
/// all rows, of the clustering.
#[test]
fn what_cannot_be_exported_goes_by_way_of_its_labels() {
    for method in ["msc", "spectral", "cdsk", "kernel-kmeans", "armc", "mspc --set kernel=rbf"] {
        let desk = fitted(&format!("-k 3 -m {method}"));
        let remedy = "separa train TABLE --from-labels MODEL --model rule.separa";
        for to in ["sql", "onnx", "python", "rust", "json"] {
            let name = method.split(' ').next().unwrap();
            desk.refused(&format!("export m.separa --to {to} -o rule"), &[name, remedy]);
        }
        let words = remedy.replace("separa train", "train").replace("MODEL", "m.separa");
        desk.separa(&format!("{} --drop cultivar -q", words.replace("TABLE", "wine.csv"))).ok();
        let query = desk.separa(&format!("export rule.separa {QUERY}")).ok();
        let labels = |words: &str| label_column(&desk.separa(words).ok());
        let flat = labels("predict rule.separa wine.csv -q");
        assert_eq!(run_on_wine(&query), flat, "{method}");
        let curved = labels("predict m.separa wine.csv -q");
        let equal = flat.iter().zip(&curved).filter(|(a, b)| a == b).count();
        assert!(equal >= 160, "{method}: {equal} of 178");
    }
}

/// Rows in groups of twenty, on one of two sides.
fn grouped() -> String {
    let line = |i: usize| {
        let side = i / 20 % 2;
        format!("{},{},g{}\n", 9 * side + i % 4, i * 7 % 5, i / 20)
    };
    (0..240).map(line).fold("x,y,group\n".to_owned(), |all, line| all + &line)
}

#[test]
fn sequences_are_exported_by_way_of_a_file_of_labels_and_bags_not_at_all() {
    let desk = Desk::new();
    desk.put("t.csv", grouped());
    desk.separa("cluster t.csv -k 2 -m crf --sequence group --model m.separa -q").ok();
    desk.refused("export m.separa --to sql", &["crf", "--from-labels"]);
    let train = "train t.csv --drop group --model rule.separa -q --from-labels";
    desk.refused(
        &format!("{train} m.separa"),
        &["--sequence COL -o labels.csv", "sequence together"],
    );
    desk.separa("predict m.separa t.csv --sequence group -o labels.csv -q").ok();
    desk.separa(&format!("{train} labels.csv")).ok();
    desk.separa("export rule.separa --to sql").ok();
    let labels = desk.separa("predict rule.separa t.csv -q").ok();
    assert_eq!(label_column(&labels), label_column(&desk.get("labels.csv")));

    desk.separa("cluster t.csv -k 2 -m msc --bag group --model bags.separa -q").ok();
    desk.refused("export bags.separa --to sql", &["bags", "fit the rows without bags"]);
    desk.refused(&format!("{train} bags.separa"), &["labels bags, not rows", "without --bag"]);
}

#[test]
fn bad_options_are_refused_with_a_remedy() {
    let desk = fitted("-k 2");
    for (words, said) in [
        ("export m.separa", "--to <LANGUAGE>"),
        ("export m.separa --to excel", "[possible values: sql, onnx, python, rust, json]"),
        ("export m.separa --to sql --dialect mysql", "possible values: duckdb, postgres"),
    ] {
        let ran = desk.separa(words);
        assert_eq!(ran.code, Some(2), "{words}");
        assert!(ran.err.contains(said), "{words}: {}", ran.err);
    }
    for (words, said) in [
        ("export m.separa --to onnx", "name a file with -o FILE"),
        ("export m.separa --to json --table x", "--table does not apply to json, but to sql"),
        ("export m.separa --to sql --table a..b", "no name of a table"),
        ("export gone.separa --to sql", "no such model file"),
        ("export wine.csv --to sql", "not a usable model file"),
        ("export m.separa --to sql -o m.separa", "this is the input itself"),
    ] {
        desk.refused(words, &[said]);
    }
}

#[test]
fn every_key_of_an_exported_rule_is_documented() {
    let page = include_str!("../../../docs/formats.md");
    let page = &page[page.find("## Exported rules").unwrap()..page.find("## Model files").unwrap()];
    let rule = fitted("-k 3").separa("export m.separa --to json").json();
    for part in [&rule, &rule["inputs"][0], &rule["scaled"][0], &rule["choice"]] {
        for key in part.as_object().unwrap().keys() {
            assert!(page.contains(&format!("`{key}")), "`{key}` is not documented");
        }
    }
}
