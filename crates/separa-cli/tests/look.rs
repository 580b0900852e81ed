//! `separa look`, and what `cluster` says of a table that nobody cleaned.

use crate::common;

use common::Desk;
use serde_json::json;

/// Twenty customers with an id, a word, a gap and a constant.
fn messy() -> String {
    let row = |i: usize| {
        let far = i % 2 * 50;
        let age = if i == 7 { String::new() } else { (20 + far + i * 7 % 9).to_string() };
        format!(
            "{},{},{age},{},EU\n",
            i + 1,
            ["gold", "iron", "zinc"][i * i % 3],
            3.5 + (far + i * 5 % 7) as f64
        )
    };
    format!("no,metal,age,spend,region\n{}", (0..60).map(row).collect::<String>())
}

#[test]
fn a_table_is_shown_with_roles_types_and_what_would_be_done() {
    let desk = Desk::new();
    desk.put("t.csv", messy());
    let text = desk.separa("look t.csv").ok();
    for part in [
        "60 rows, 5 columns; 3 of them used",
        "1 missing value",
        "it counts the",
        "next: separa cluster t.csv",
    ] {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    // What was said here is said again there.
    let text = desk.separa("look t.csv --drop no,metal").ok();
    assert!(text.contains("next: separa cluster t.csv --drop no,metal"), "{text}");
    let json = desk.separa("look t.csv --json").json();
    assert_eq!((&json["rows"], &json["duplicate_rows"]), (&json!(60), &json!(0)));
    let column = |i: usize| &json["preparation"]["columns"][i];
    assert_eq!((&column(0)["role"], &column(1)["type"]), (&json!("id"), &json!("category")));
    assert_eq!(
        (&column(4)["role"], &json["columns"][2]["missing"]),
        (&json!("left_out"), &json!(1))
    );
    // Another way says every option once.
    let said = |options: &str| {
        let ran = desk.separa(&format!("cluster t.csv -k 2 {options}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.err
    };
    let other = "separa cluster t.csv -k 2 --missing drop --drop no,metal";
    let shown = said("--missing mean --drop no");
    assert!(shown.contains(other), "{shown}");
    desk.separa(other.strip_prefix("separa ").unwrap()).ok();
    desk.refused("look none.csv", &["none.csv", "no such file"]);
    desk.refused("look t.csv --date metal", &["column \"metal\"", "expected a date"]);
}

#[test]
fn a_table_that_nobody_cleaned_is_clustered_and_new_rows_are_prepared_alike() {
    let desk = Desk::new();
    desk.put("t.csv", messy());
    let ran = desk.separa("cluster t.csv -o l.csv --model m.separa");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for part in [
        "\"no\" (it counts the rows)",
        "\"region\" (every value is \"EU\")",
        "filled 1 missing value",
        "numbers and complete rows only: separa cluster t.csv",
    ] {
        assert!(ran.err.contains(part), "`{part}` is missing in: {}", ran.err);
    }
    assert!(
        desk.get("l.csv").starts_with("no,cluster,confidence,runner_up,margin\n1,"),
        "the id stands beside the labels"
    );
    let json = desk.separa("cluster t.csv --json -q").json();
    assert_eq!(
        (&json["preparation"]["filled"], &json["preparation"]["donors"]),
        (&json!(1), &json!(null))
    );
    desk.separa("predict m.separa t.csv -q -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("l.csv"));
    desk.put("new.csv", "spend,metal,age\n4,lead,\n");
    let new = desk.separa("predict m.separa new.csv -o n.csv");
    assert!(new.err.contains("\"lead\"") && new.err.contains("filled 1"), "{}", new.err);
    desk.put("whole.csv", "spend,metal,age\n4,iron,30\n");
    let whole = desk.separa("predict m.separa whole.csv -o w.csv");
    assert!(!whole.err.contains("filled"), "no gap in these rows: {}", whole.err);
    assert!(new.err.contains("labels of 1 row written to n.csv"), "{}", new.err);
}

#[test]
fn every_id_stands_beside_the_labels_and_outliers_are_located() {
    let desk = Desk::new();
    let line =
        |i: usize| format!("{i},item {i},{}\n", if i == 7 { 999.5 } else { (i * 7 % 11) as f64 });
    desk.put("t.csv", format!("n,name,a\n{}", (0..40).map(line).collect::<String>()));
    for target in ["l.csv", "l.parquet"] {
        desk.separa(&format!("cluster t.csv -k 2 -q -o {target} --model m.separa")).ok();
    }
    assert!(desk.get("l.csv").starts_with("name,n,cluster,confidence,runner_up,margin\nitem 0,0,"));
    let parquet =
        separa_io::read_table(&desk.path("l.parquet").to_string_lossy(), &Default::default());
    let names: Vec<String> = parquet.unwrap().names().map(str::to_owned).collect();
    assert_eq!(names[..3], ["name", "n", "cluster"]);
    desk.separa("predict m.separa t.csv -q -o p.csv").ok();
    assert_eq!(desk.get("p.csv"), desk.get("l.csv"));
    desk.separa("cluster t.csv -k 2 -q --id n -o l.csv").ok();
    assert!(desk.get("l.csv").starts_with("n,cluster,"));
    let look = desk.separa("look t.csv").ok();
    assert!(look.contains("the farthest: \"a\" row 8"), "{look}");
    let json = desk.separa("look t.csv --json").json();
    assert_eq!(json["columns"][2]["outlier_rows"], json!([8]));
}

#[test]
fn columns_are_shown_in_the_order_of_the_features_with_what_their_texts_stand_for() {
    let desk = Desk::new();
    let line = |i: usize| {
        let price = if i == 9 { ".".to_owned() } else { format!("\"{},5\"", i * 7 % 11) };
        format!("{},{price},2024-03-{:02}\n", i * i % 13, 1 + i * 5 % 28)
    };
    desk.put("t.csv", format!("a,price,day\n{}", (0..40).map(line).collect::<String>()));
    let json = desk.separa("look t.csv --json --features day,price,a").json();
    let column = |i: usize| &json["columns"][i];
    assert_eq!((&column(0)["name"], &column(2)["name"]), (&json!("day"), &json!("a")));
    assert_eq!(column(0)["dates"], json!(["2024-03-01", "2024-03-28"]));
    assert_eq!(column(1)["range"], json!([0.5, 5.5, 10.5]));
    assert_eq!(column(1)["missing"], 1);
    let text = desk.separa("look t.csv --na 12").ok();
    assert!(text.contains("0.5 to 10.5") && text.contains("2024-03-01 to"), "{text}");
    assert!(text.contains("0 to 10") && !text.contains("0 to 12"), "{text}");
}

#[test]
fn what_was_noticed_while_reading_is_shown() {
    let desk = Desk::new();
    let line = |i: usize| format!("{},{}\n", i * 7 % 11, i * i % 13);
    let rows = (0..40).map(line).collect::<String>();
    desk.put("t.csv", format!("# from the office\nsize,\nwidth,height\n{rows}"));
    let text = desk.separa("look t.csv").ok();
    for part in
        ["1 comment was skipped", "two rows of names were joined", "size width", "size height"]
    {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    desk.put("t.csv", format!("sep=;\na;b\n{}", rows.replace(',', ";")));
    let text = desk.separa("look t.csv").ok();
    assert!(text.contains("40 rows, 2 columns") && !text.contains("comment"), "{text}");
    assert!(text.contains("next: separa cluster t.csv"), "{text}");
}
