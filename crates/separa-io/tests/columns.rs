//! Roles that were asked for, columns of a fitted model, nothing found.

use crate::common;

use common::{Folder, dense, names, plain, refusal, says};
use separa_io::{TableOptions, read};

const SALES: &str = "price,city,sold,code\n10,Rome,1,7\n20,Oslo,2,8\n30,Rome,3,9\n";

#[test]
fn truth_id_and_aside_columns_are_text_and_never_features() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let options = TableOptions {
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
    let options = TableOptions { features: names(&["sold", "price"]), ..Default::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["sold", "price"]);
    assert_eq!(dense(&table), [1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
}

#[test]
fn unknown_columns_are_refused_in_every_option_with_a_suggestion() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let wrong = Some("pricee".to_owned());
    let list = names(&["pricee"]);
    let cases = [
        (TableOptions { truth: wrong.clone(), ..Default::default() }, "--truth"),
        (TableOptions { id: wrong, ..Default::default() }, "--id"),
        (TableOptions { drop: list.clone(), ..Default::default() }, "--drop"),
        (TableOptions { features: list.clone(), ..Default::default() }, "--features"),
        (TableOptions { aside: list, ..Default::default() }, "kept aside"),
    ];
    for (options, option) in cases {
        says(
            &refusal(&path, &options),
            &["no column \"pricee\"", option, "did you mean \"price\"?"],
        );
    }
    let far = TableOptions { truth: Some("zzzzzz".to_owned()), ..Default::default() };
    says(&refusal(&path, &far), &["the columns are \"price\", \"city\""]);
}

#[test]
fn a_column_with_two_roles_is_refused() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let features = names(&["price", "sold"]);
    let truth = TableOptions {
        features: features.clone(),
        truth: Some("sold".to_owned()),
        ..Default::default()
    };
    says(&refusal(&path, &truth), &["\"sold\" is named by both --truth and --features"]);
    let drop = TableOptions { features, drop: names(&["price"]), ..Default::default() };
    says(&refusal(&path, &drop), &["\"price\" is named by both --drop and --features"]);
}

#[test]
fn a_table_without_features_is_refused() {
    let folder = Folder::new();
    let path = folder.file("one.csv", "a\n1\n2\n");
    let options = TableOptions { truth: Some("a".to_owned()), ..Default::default() };
    says(&refusal(&path, &options), &["no feature column is left"]);
}

#[test]
fn a_model_gets_its_columns_by_name_and_in_its_order() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["sold", "city=Rome", "price", "city=Paris"]));
    let table =
        read(&path, &TableOptions { expect: expect.clone(), ..Default::default() }).unwrap();
    assert_eq!(Some(table.names.clone()), expect);
    assert_eq!(dense(&table), [1.0, 1.0, 10.0, 0.0, 2.0, 0.0, 20.0, 0.0, 3.0, 1.0, 30.0, 0.0]);
    says(&table.notices[0], &["\"city\"", "\"Oslo\"", "not fitted on"]);
}

#[test]
fn an_indicator_of_a_model_may_stand_for_numbers_read_as_text() {
    let folder = Folder::new();
    let path = folder.file("c.csv", "code,a\n1,5\n2,6\n");
    let expect = Some(names(&["code=1", "code=B", "a"]));
    let table = read(&path, &TableOptions { expect, ..Default::default() }).unwrap();
    assert_eq!(dense(&table), [1.0, 0.0, 5.0, 0.0, 0.0, 6.0]);
}

#[test]
fn columns_that_a_model_misses_are_listed() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["age", "price", "income"]));
    let message = refusal(&path, &TableOptions { expect, ..Default::default() });
    says(&message, &["sales.csv: the model was fitted on columns", "missing: \"age\", \"income\""]);
    assert!(!message.contains("feature columns"), "extra columns do no harm: {message}");
}

#[test]
fn columns_that_a_model_misses_come_with_what_may_be_meant() {
    let folder = Folder::new();
    let path = folder.file("sales.csv", SALES);
    let expect = Some(names(&["Price", "town=Oslo", "town=Rome", "sold"]));
    let message = refusal(&path, &TableOptions { expect, ..Default::default() });
    assert!(
        message.ends_with("missing: \"Price\" (did you mean \"price\"?), \"town\" (text)"),
        "{message}"
    );
}

#[test]
fn a_table_without_names_is_matched_to_a_model_by_position() {
    let folder = Folder::new();
    let path = folder.file("n.csv", "1,2\n3,4\n");
    let options = |list| TableOptions { expect: Some(names(list)), ..Default::default() };
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
    says(&refusal(&at("nowhere.csv"), &TableOptions::default()), &["nowhere.csv: no such file"]);
    says(&refusal(&at("*.csv"), &TableOptions::default()), &["*.csv: no file matches"]);
    says(&refusal(&at(""), &TableOptions::default()), &["the folder holds no data files"]);
    let odd = folder.file("photo.png", b"\x89PNG\r\n\x1a\n\0\0");
    says(
        &refusal(&odd, &TableOptions::default()),
        &["photo.png: unknown file type \".png\"", ".parquet"],
    );
    folder.file("a.csv", "a\n1\n");
    folder.parquet(
        "b.parquet",
        "message t { required double a; }",
        &[vec![common::Col::F64(vec![1.0])]],
    );
    says(&refusal(&at(""), &TableOptions::default()), &["a.csv", "b.parquet", "different types"]);
    assert!(plain(&at("[ab].csv")).is_ok());
}
