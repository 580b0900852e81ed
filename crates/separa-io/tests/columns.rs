//! Roles of columns, text columns, missing values, columns of a fitted model.

mod common;

use common::{Folder, dense, names, plain, refusal, says};
use separa_io::{Encode, Missing, ReadOptions, read};

const SALES: &str = "price,city,sold,code\n10,Rome,1,7\n20,Oslo,2,8\n30,Rome,3,9\n";

fn onehot() -> ReadOptions {
    ReadOptions { encode: Encode::OneHot, ..Default::default() }
}

#[test]
fn truth_id_and_aside_columns_are_text_and_never_features() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let options = ReadOptions {
        truth: Some("city".to_owned()),
        id: Some("code".to_owned()),
        aside: names(&["sold"]),
        ..Default::default()
    };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["price"]);
    assert_eq!(table.cols(), 1);
    assert_eq!(table.column("city").unwrap(), ["Rome", "Oslo", "Rome"]);
    assert_eq!(table.column("code").unwrap(), ["7", "8", "9"]);
    assert_eq!(table.column("sold").unwrap(), ["1", "2", "3"]);
    assert_eq!(table.column("price"), None);
}

#[test]
fn features_are_taken_in_the_order_given() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let options = ReadOptions { features: names(&["sold", "price"]), ..Default::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["sold", "price"]);
    assert_eq!(dense(&table), [1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
}

#[test]
fn a_text_column_is_refused_by_name_or_dropped() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let message = refusal(&path, &ReadOptions::default());
    says(
        &message,
        &[
            "sales.csv",
            "column \"city\" is not numeric",
            "\"Rome\"",
            "--drop city",
            "--encode onehot",
        ],
    );
    let options = ReadOptions { drop: names(&["city"]), ..Default::default() };
    assert_eq!(read(&path, &options).unwrap().names, ["price", "sold", "code"]);
}

#[test]
fn onehot_indicators_are_sorted_by_value_and_stand_in_place_of_the_column() {
    let folder = Folder::new();
    let table = read(&folder.file("sales.csv", SALES), &onehot()).unwrap();
    assert_eq!(table.names, ["price", "city=Oslo", "city=Rome", "sold", "code"]);
    assert_eq!(dense(&table)[..10], [10.0, 0.0, 1.0, 1.0, 7.0, 20.0, 1.0, 0.0, 2.0, 8.0]);
}

#[test]
fn onehot_refuses_more_than_1000_values_with_their_number() {
    let folder = Folder::new();
    let lines: String = (0..1001).map(|i| format!("{i},v{i}\n")).collect();
    let message = refusal(&folder.file("many.csv", format!("a,b\n{lines}")), &onehot());
    says(&message, &["column \"b\" has 1001 different values", "1000", "--drop b"]);
}

#[test]
fn a_stray_word_among_numbers_is_refused_with_its_place_even_with_onehot() {
    let folder = Folder::new();
    let path = folder.file("s.csv", "a,b\n1,2\n2,abc\n3,4\n");
    for options in [ReadOptions::default(), onehot()] {
        says(
            &refusal(&path, &options),
            &["s.csv: row 2, column \"b\" holds \"abc\", expected a number"],
        );
    }
}

#[test]
fn missing_values_are_refused_with_place_and_remedy() {
    let folder = Folder::new();
    let message =
        refusal(&folder.file("sales.csv", "price,n\n1,1\nn/a,2\n"), &ReadOptions::default());
    assert!(message.ends_with(
        "sales.csv: row 2, column \"price\" holds \"n/a\", expected a number; \
         drop the column with --drop price or the rows with --missing drop, \
         or take the mean with --missing mean"
    ));
    for word in ["", "NA", "NaN", "null", "None", "?"] {
        let path = folder.file("w.csv", format!("a,b\n1,2\n{word},3\n"));
        says(&refusal(&path, &ReadOptions::default()), &["row 2, column \"a\"", "--missing drop"]);
    }
}

#[test]
fn rows_with_missing_values_are_dropped_with_a_notice() {
    let folder = Folder::new();
    let path = folder.file("m.csv", "a,b,id\n1,2,p\n,3,q\n4,5,r\n6,NA,s\n7,8,t\n");
    let options =
        ReadOptions { missing: Missing::Drop, id: Some("id".to_owned()), ..Default::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(dense(&table), [1.0, 2.0, 4.0, 5.0, 7.0, 8.0]);
    assert_eq!((table.rows, &table.source_rows[..]), (3, &[1, 3, 5][..]));
    assert_eq!((table.source_row(1), table.column("id").unwrap().join("")), (3, "prt".to_owned()));
    says(&table.notices[0], &["dropped 2 of 5 rows"]);
    let all = folder.file("all.csv", "a,b\n,1\n2,\n");
    says(&refusal(&all, &options_drop()), &["every one of the 2 rows", "--missing mean"]);
}

fn options_drop() -> ReadOptions {
    ReadOptions { missing: Missing::Drop, ..Default::default() }
}

#[test]
fn missing_values_are_filled_with_column_means() {
    let folder = Folder::new();
    let options =
        ReadOptions { missing: Missing::Mean, encode: Encode::OneHot, ..Default::default() };
    let table = read(&folder.file("m.csv", "a,c\n1,x\n?,y\n5,\n"), &options).unwrap();
    assert_eq!(table.names, ["a", "c=x", "c=y"]);
    assert_eq!(dense(&table), [1.0, 1.0, 0.0, 3.0, 0.0, 1.0, 5.0, 0.5, 0.5]);
    says(&table.notices[0], &["filled 3 missing values in 3 columns"]);
    let empty = folder.file("e.csv", "a,b\n1,\n2,\n");
    says(&refusal(&empty, &options), &["column \"b\" has no value at all", "--drop b"]);
}

#[test]
fn infinities_are_always_refused() {
    let folder = Folder::new();
    let path = folder.file("i.csv", "a\n1\n-inf\n2\n");
    for missing in [Missing::Refuse, Missing::Drop, Missing::Mean] {
        let message = refusal(&path, &ReadOptions { missing, ..Default::default() });
        says(&message, &["row 2, column \"a\" holds \"-inf\", expected a finite number"]);
    }
}

#[test]
fn integers_beyond_2_to_the_53_are_refused_but_may_name_rows() {
    let folder = Folder::new();
    let path = folder.file("big.csv", "key,a\n9007199254740993,1\n9007199254740995,2\n");
    let message = refusal(&path, &ReadOptions::default());
    says(
        &message,
        &["row 1, column \"key\" holds \"9007199254740993\"", "2^53", "--drop key", "--id key"],
    );
    let options = ReadOptions { id: Some("key".to_owned()), ..Default::default() };
    assert_eq!(read(&path, &options).unwrap().column("key").unwrap()[1], "9007199254740995");
}

#[test]
fn unknown_columns_are_refused_in_every_option_with_a_suggestion() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let wrong = Some("pricee".to_owned());
    let list = names(&["pricee"]);
    let cases = [
        (ReadOptions { truth: wrong.clone(), ..Default::default() }, "--truth"),
        (ReadOptions { id: wrong, ..Default::default() }, "--id"),
        (ReadOptions { drop: list.clone(), ..Default::default() }, "--drop"),
        (ReadOptions { features: list.clone(), ..Default::default() }, "--features"),
        (ReadOptions { aside: list, ..Default::default() }, "kept aside"),
    ];
    for (options, option) in cases {
        says(
            &refusal(&path, &options),
            &["no column \"pricee\"", option, "did you mean \"price\"?"],
        );
    }
    let far = ReadOptions { truth: Some("zzzzzz".to_owned()), ..Default::default() };
    says(&refusal(&path, &far), &["the columns are \"price\", \"city\""]);
}

#[test]
fn a_column_with_two_roles_is_refused() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let features = names(&["price", "sold"]);
    let truth = ReadOptions {
        features: features.clone(),
        truth: Some("sold".to_owned()),
        ..Default::default()
    };
    says(&refusal(&path, &truth), &["\"sold\" is named by both --truth and --features"]);
    let drop = ReadOptions { features, drop: names(&["price"]), ..Default::default() };
    says(&refusal(&path, &drop), &["\"price\" is named by both --drop and --features"]);
}

#[test]
fn a_table_without_features_is_refused() {
    let folder = Folder::new();
    let path = folder.file("one.csv", "a\n1\n2\n");
    let options = ReadOptions { truth: Some("a".to_owned()), ..Default::default() };
    says(&refusal(&path, &options), &["no feature column is left"]);
}

#[test]
fn a_model_gets_its_columns_by_name_and_in_its_order() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["sold", "city=Rome", "price", "city=Paris"]));
    let table = read(&path, &ReadOptions { expect: expect.clone(), ..Default::default() }).unwrap();
    assert_eq!(Some(table.names.clone()), expect);
    assert_eq!(dense(&table), [1.0, 1.0, 10.0, 0.0, 2.0, 0.0, 20.0, 0.0, 3.0, 1.0, 30.0, 0.0]);
    says(&table.notices[0], &["\"city\"", "\"Oslo\"", "not fitted on"]);
}

#[test]
fn an_indicator_of_a_model_may_stand_for_numbers_read_as_text() {
    let folder = Folder::new();
    let path = folder.file("c.csv", "code,a\n1,5\n2,6\n");
    let expect = Some(names(&["code=1", "code=B", "a"]));
    let table = read(&path, &ReadOptions { expect, ..Default::default() }).unwrap();
    assert_eq!(dense(&table), [1.0, 0.0, 5.0, 0.0, 0.0, 6.0]);
}

#[test]
fn columns_that_a_model_misses_are_listed() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["age", "price", "income"]));
    let message = refusal(&path, &ReadOptions { expect, ..Default::default() });
    says(&message, &["sales.csv: the model was fitted on columns", "missing: \"age\", \"income\""]);
    assert!(!message.contains("feature columns"), "extra columns do no harm: {message}");
}

#[test]
fn columns_that_a_model_misses_come_with_what_may_be_meant() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["Price", "town=Oslo", "town=Rome", "sold"]));
    let message = refusal(&path, &ReadOptions { expect, ..Default::default() });
    assert!(
        message.ends_with("missing: \"Price\" (did you mean \"price\"?), \"town\" (text)"),
        "{message}"
    );
}

#[test]
fn a_column_of_a_model_is_never_to_be_dropped() {
    let folder = Folder::new();
    let options = ReadOptions { expect: Some(names(&["a", "b"])), ..Default::default() };
    for cell in ["", "inf", "word", "9007199254740993"] {
        let text = format!("a,b\n1,2\n2,{cell}\n3,4\n");
        let message = refusal(&folder.file("n.csv", text), &options);
        says(&message, &["n.csv: row 2, column \"b\""]);
        assert!(!message.contains("--drop"), "{message}");
    }
    let gap = refusal(&folder.file("n.csv", "a,b\n1,\n"), &options);
    says(&gap, &["--missing drop", "--missing mean"]);
    let words = refusal(&folder.file("n.csv", "a,b\n1,red\n"), &options);
    assert!(!words.contains("--drop") && !words.contains("onehot"), "{words}");
}

#[test]
fn numbers_as_people_write_them_are_recognised() {
    let folder = Folder::new();
    for (value, what) in [
        ("-1,858", "a decimal comma or thousands separators"),
        ("3,5", "a decimal comma"),
        ("48,142.00", "thousands separators"),
        ("1 000", "thousands separators"),
        ("10%", "a percent sign"),
    ] {
        for rest in ["7", value] {
            let text = format!("a,b\n1,\"{value}\"\n2,\"{rest}\"\n3,\"{rest}\"\n");
            let message = refusal(&folder.file("n.csv", text), &ReadOptions::default());
            let place = format!("row 1, column \"b\" holds \"{value}\"");
            says(&message, &[&place, "looks like a number with", what, "rewrite the column"]);
            assert!(!message.contains("onehot"), "{message}");
        }
    }
}

#[test]
fn a_column_that_counts_rows_is_noticed() {
    let folder = Folder::new();
    let table = |id: fn(usize) -> f64| {
        let rows: String = (0..20).map(|i| format!("{},{}\n", id(i), (i * 7) % 11)).collect();
        plain(&folder.file("t.csv", format!("my id,a\n{rows}"))).unwrap()
    };
    for id in [|i| i as f64, |i| i as f64 + 1.0, |i| 10.0 * i as f64] {
        let notices = table(id).notices;
        assert_eq!(notices.len(), 1, "{notices:?}");
        says(&notices[0], &["column \"my id\" counts rows", "--drop 'my id'", "--id 'my id'"]);
    }
    for id in [|i| i as f64 / 2.0, |i| (i % 19) as f64, |i| (i / 2) as f64] {
        assert!(table(id).notices.is_empty());
    }
}

#[test]
fn a_table_without_names_is_matched_to_a_model_by_position() {
    let folder = Folder::new();
    let path = folder.file("n.csv", "1,2\n3,4\n");
    let options = |list| ReadOptions { expect: Some(names(list)), ..Default::default() };
    let table = read(&path, &options(&["a", "b"])).unwrap();
    assert_eq!(table.names, ["a", "b"]);
    says(&table.notices[0], &["no column names"]);
    assert!(read(&path, &options(&["x1", "x2"])).unwrap().notices.is_empty());
    says(
        &refusal(&path, &options(&["x1"])),
        &["table has 2 feature columns, but the model was fitted on 1"],
    );
}

#[test]
fn nothing_found_names_what_was_looked_for() {
    let folder = Folder::new();
    let at = |name: &str| folder.path().join(name).display().to_string();
    says(&refusal(&at("nowhere.csv"), &ReadOptions::default()), &["nowhere.csv: no such file"]);
    says(&refusal(&at("*.csv"), &ReadOptions::default()), &["*.csv: no file matches"]);
    says(&refusal(&at(""), &ReadOptions::default()), &["the folder holds no data files"]);
    let odd = folder.file("photo.png", b"\x89PNG\r\n\x1a\n\0\0");
    says(
        &refusal(&odd, &ReadOptions::default()),
        &["photo.png: unknown file type \".png\"", ".parquet"],
    );
    folder.file("a.csv", "a\n1\n");
    folder.parquet(
        "b.parquet",
        "message t { required double a; }",
        &[vec![common::Col::F64(vec![1.0])]],
    );
    says(&refusal(&at(""), &ReadOptions::default()), &["a.csv", "b.parquet", "different types"]);
    assert!(plain(&at("[ab].csv")).is_ok());
}
