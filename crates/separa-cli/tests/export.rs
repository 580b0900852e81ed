//! `separa export`: a model file as a rule of another system.

mod common;

use common::{Desk, WINE};

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

#[test]
fn a_query_runs_in_sqlite_with_the_labels_of_predict() {
    let desk = fitted("-k 3");
    let query = "export m.separa --to sql --dialect sqlite --table wines --keep nr";
    let query = desk.separa(query).ok();
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
    let mut statement = base.prepare(&query).unwrap();
    let found = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
    let mut found: Vec<(i64, i64)> = found.unwrap().map(Result::unwrap).collect();
    found.sort_unstable();
    let labels = desk.separa("predict m.separa wine.csv -q").ok();
    let labels: Vec<i64> =
        labels.lines().skip(1).map(|l| l.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(labels.len(), 178);
    assert_eq!(found.into_iter().map(|(_, label)| label).collect::<Vec<_>>(), labels);
}

#[test]
fn what_cannot_be_exported_goes_by_way_of_its_labels() {
    let desk = fitted("-k 3 -m msc");
    desk.refused("export m.separa --to sql", &["msc", "`separa train TABLE --from-labels MODEL"]);
    desk.separa("train wine.csv --drop cultivar --from-labels m.separa --model flat.separa -q")
        .ok();
    let query = desk.separa("export flat.separa --to sql").ok();
    assert!(query.contains(" AS \"class\""), "{query}");
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
