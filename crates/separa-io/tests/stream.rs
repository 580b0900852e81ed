//! Parquet files batch by batch hold what the whole table holds.

mod common;

use common::{Col, Folder};
use separa::preparation::MissingRule;
use separa_io::{TableOptions, Values, read, stream};

const MESSAGE: &str =
    "message t { required double a; required binary y (UTF8); required int64 b; }";

fn group(n: usize, from: usize) -> Vec<Col> {
    let word = |i: usize| if i.is_multiple_of(3) { "fizz" } else { "buzz" };
    vec![
        Col::F64((from..from + n).map(|i| (i as f64).sin()).collect()),
        Col::Text((from..from + n).map(word).collect()),
        Col::I64((from..from + n).map(|i| i as i64).collect()),
    ]
}

fn options() -> TableOptions {
    TableOptions { truth: Some("y".into()), ..TableOptions::default() }
}

#[test]
fn batches_one_after_the_other_are_the_table() {
    let folder = Folder::new();
    // Groups longer than a batch, an empty one, and a second file.
    folder.parquet("a.parquet", MESSAGE, &[group(40_000, 0), group(0, 0), group(7, 40_000)]);
    folder.parquet("b.parquet", MESSAGE, &[group(100, 40_007)]);
    let input = folder.path().to_str().unwrap();
    let numeric = vec!["a".to_owned(), "b".to_owned()];
    let table = read(input, &TableOptions { numeric, ..options() }).unwrap();
    let mut batches = stream(input, &options()).unwrap().unwrap();
    assert_eq!((batches.rows(), batches.names()), (table.rows, table.names.clone()));
    let (mut values, mut words, mut parts) = (Vec::new(), Vec::new(), 0);
    while let Some(batch) = batches.next_batch().unwrap() {
        assert_eq!(batch.values.len(), 2 * batch.rows);
        values.extend(batch.values);
        words.extend(batch.aside.into_iter().next().unwrap());
        parts += 1;
    }
    assert_eq!(Values::Dense(values), table.values);
    assert_eq!(words, table.column("y").unwrap());
    assert!(parts >= 5, "{parts}");
    assert!(batches.next_batch().unwrap().is_none());
}

#[test]
fn a_missing_value_is_named_by_its_place_in_its_file() {
    let folder = Folder::new();
    let message = "message t { optional double a; }";
    let mut values: Vec<Option<f64>> = (0..20_000).map(|i| Some(f64::from(i))).collect();
    values[17_000] = None;
    let input = folder.parquet("t.parquet", message, &[vec![Col::OptF64(values)]]);
    let mut batches = stream(&input, &TableOptions::default()).unwrap().unwrap();
    assert!(batches.next_batch().is_ok());
    let said = batches.next_batch().unwrap_err().to_string();
    assert!(said.contains("row 17001, column \"a\" holds \"null\""), "{said}");
}

#[test]
fn what_needs_the_whole_table_is_no_stream() {
    let folder = Folder::new();
    let csv = folder.file("t.csv", "a,b\n1,2\n");
    assert!(stream(&csv, &TableOptions::default()).unwrap().is_none());
    let input = folder.parquet("t.parquet", MESSAGE, &[group(5, 0)]);
    let drop = TableOptions { missing: Some(MissingRule::Drop), ..options() };
    assert!(stream(&input, &drop).unwrap().is_none());
    // A text feature is refused as it is for a table.
    let said = stream(&input, &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("column \"y\""), "{said}");
    let unknown = TableOptions { truth: Some("z".into()), ..options() };
    assert!(stream(&input, &unknown).err().unwrap().to_string().contains("\"z\""));
}
