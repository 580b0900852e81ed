//! Parquet: types, nulls, row groups, nested columns, damage.

use crate::common;

use common::{Col, Folder, dense, names, parquet_bytes, plain, refusal, says};
use separa::preparation::MissingRule;
use separa_io::{TableOptions, read, read_bytes};

const TWO: &str = "message t { required double a; required double b; }";

#[test]
fn every_numeric_type_becomes_the_number_it_stands_for() {
    let folder = Folder::new();
    let message = "message t {
        required boolean flag;
        required int32 i8 (INTEGER(8,true));
        required int32 u8 (INTEGER(8,false));
        required int32 u32 (INTEGER(32,false));
        required int64 i64;
        required int64 u64 (INTEGER(64,false));
        required float f32;
        required double f64;
        required fixed_len_byte_array(2) f16 (FLOAT16);
        required int32 d32 (DECIMAL(9,2));
        required int64 d64 (DECIMAL(18,3));
        required fixed_len_byte_array(5) df (DECIMAL(10,1));
        required binary db (DECIMAL(10,4));
    }";
    let row = vec![
        Col::Bool(vec![true, false]),
        Col::I32(vec![-128, 127]),
        Col::I32(vec![0, 255]),
        Col::I32(vec![-1, 1]),
        Col::I64(vec![-(1 << 53), 1 << 53]),
        Col::I64(vec![0, 42]),
        Col::F32(vec![0.5, -1.5]),
        Col::F64(vec![1e300, -0.1]),
        Col::Fixed(vec![vec![0x00, 0x3c], vec![0x00, 0xc0]]),
        Col::I32(vec![1999, -5]),
        Col::I64(vec![1, -1_000]),
        Col::Fixed(vec![vec![0, 0, 0, 0, 15], vec![0xff, 0xff, 0xff, 0xff, 0xff]]),
        Col::Text(vec!["\u{1}\u{0}", "\u{7f}"]),
    ];
    let table = plain(&folder.parquet("types.parquet", message, &[row])).unwrap();
    let two53 = 9007199254740992.0;
    let first =
        [1.0, -128.0, 0.0, 4294967295.0, -two53, 0.0, 0.5, 1e300, 1.0, 19.99, 0.001, 1.5, 0.0256];
    let second = [0.0, 127.0, 255.0, 1.0, two53, 42.0, -1.5, -0.1, -2.0, -0.05, -1.0, -0.1, 0.0127];
    assert_eq!(dense(&table)[..13], first);
    assert_eq!(dense(&table)[13..], second);
}

#[test]
fn columns_kept_aside_are_exact_text() {
    let folder = Folder::new();
    let message = "message t {
        required double x;
        required int64 id;
        required binary name (UTF8);
        optional binary class (UTF8);
        required int32 day (DATE);
        required int64 when (TIMESTAMP(MICROS,true));
        required int64 price (DECIMAL(18,2));
        required fixed_len_byte_array(16) uuid (UUID);
    }";
    let row = vec![
        Col::F64(vec![1.0]),
        Col::I64(vec![9007199254740993]),
        Col::Text(vec!["Zoë"]),
        Col::OptText(vec![None]),
        Col::I32(vec![19_000]),
        Col::I64(vec![1_500_000]),
        Col::I64(vec![1999]),
        Col::Fixed(vec![(0..16).collect()]),
    ];
    let path = folder.parquet("aside.parquet", message, &[row]);
    let aside = names(&["id", "name", "class", "day", "when", "price", "uuid"]);
    let table = read(&path, &TableOptions { aside, ..Default::default() }).unwrap();
    let texts: Vec<&str> = table.aside.iter().map(|a| a.values[0].as_str()).collect();
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    assert_eq!(
        texts,
        ["9007199254740993", "Zoë", "", "2022-01-08", "1970-01-01T00:00:01.5", "19.99", uuid]
    );
}

#[test]
fn row_groups_and_files_are_joined_in_order() {
    let folder = Folder::new();
    let group = |from: i32, rows: i32| {
        let column =
            |step: i32| Col::F64((from..from + rows).map(|i| f64::from(i * step)).collect());
        vec![column(1), column(-1)]
    };
    folder.parquet("b.parquet", TWO, &[group(2500, 10)]);
    folder.parquet("a.parquet", TWO, &[group(0, 1500), group(1500, 1000)]);
    let options = TableOptions { numeric: names(&["a", "b"]), ..Default::default() };
    let table = read(folder.path().to_str().unwrap(), &options).unwrap();
    assert_eq!(table.rows, 2510);
    assert!(dense(&table).chunks(2).enumerate().all(|(i, r)| r == [i as f64, -(i as f64)]));
    let pattern = format!("{}/*.parquet", folder.path().display());
    assert_eq!(read(&pattern, &options).unwrap(), table);
}

#[test]
fn any_number_of_threads_reads_the_same_table() {
    let folder = Folder::new();
    let columns = 150;
    let fields: String = (0..columns).map(|j| format!("required double c{j}; ")).collect();
    let column = |g: usize, j: usize| {
        Col::F64((0..1300).map(|i| (g * 1300 + i) as f64 + j as f64 / 1e3).collect())
    };
    let groups: Vec<Vec<Col>> =
        (0..3).map(|g| (0..columns).map(|j| column(g, j)).collect()).collect();
    let path = folder.parquet("wide.parquet", &format!("message t {{ {fields} }}"), &groups);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let features = (0..columns).map(|j| format!("c{j}")).collect();
        let options = TableOptions { features, ..Default::default() };
        pool.install(|| read(&path, &options).unwrap())
    };
    let one = with(1);
    assert!(dense(&one).chunks(columns).enumerate().all(|(i, r)| r[149] == i as f64 + 0.149));
    assert_eq!(one, with(2));
    assert_eq!(one, with(4));
}

#[test]
fn nulls_and_nan_are_missing_values() {
    let folder = Folder::new();
    let message = "message t { optional double a; required double b; }";
    let row =
        vec![Col::OptF64(vec![Some(1.0), None, Some(4.0)]), Col::F64(vec![5.0, f64::NAN, 7.0])];
    let path = folder.parquet("n.parquet", message, &[row]);
    let refuse = TableOptions { missing: Some(MissingRule::Refuse), ..Default::default() };
    says(
        &refusal(&path, &refuse),
        &[
            "n.parquet",
            "\"a\" 1 (the first in row 2)",
            "\"b\" 1 (the first in row 2)",
            "--missing drop",
        ],
    );
    let dropped =
        read(&path, &TableOptions { missing: Some(MissingRule::Drop), ..Default::default() })
            .unwrap();
    assert_eq!(
        (dense(&dropped), &dropped.source_rows[..]),
        (&[1.0, 5.0, 4.0, 7.0][..], &[1, 3][..])
    );
    let filled =
        read(&path, &TableOptions { missing: Some(MissingRule::Mean), ..Default::default() })
            .unwrap();
    assert_eq!(dense(&filled), [1.0, 5.0, 2.5, 6.0, 4.0, 7.0]);
}

#[test]
fn infinities_are_missing_and_large_integers_are_names() {
    let folder = Folder::new();
    let row = vec![Col::F64(vec![1.0, 2.0]), Col::F64(vec![1.0, f64::NEG_INFINITY])];
    let path = folder.parquet("i.parquet", TWO, &[row]);
    assert_eq!(dense(&read(&path, &TableOptions::default()).unwrap()), [1.0, 1.0, 2.0, 1.0]);
    let message = "message t { required int64 key; required int64 a; }";
    let keys: Vec<i64> = (0..12).map(|i| (1 << 53) + 1 + i * i).collect();
    let row = vec![Col::I64(keys), Col::I64((0..12).map(|i| i * i % 5).collect())];
    let table =
        read(&folder.parquet("k.parquet", message, &[row]), &TableOptions::default()).unwrap();
    assert_eq!(table.names, ["a"]);
    assert_eq!(table.column("key").unwrap()[0], "9007199254740993");
}

#[test]
fn text_columns_and_dates_become_features() {
    let folder = Folder::new();
    let message =
        "message t { required double a; required binary city (UTF8); required int32 day (DATE); }";
    let row = vec![Col::F64(vec![1.0, 2.0]), Col::Text(vec!["Rome", "Oslo"]), Col::I32(vec![3, 5])];
    let path = folder.parquet("t.parquet", message, &[row]);
    let table = read(&path, &TableOptions::default()).unwrap();
    assert_eq!(table.names, ["a", "city=Rome", "day"]);
    assert_eq!(dense(&table), [1.0, 1.0, 0.0, 2.0, 0.0, 2.0]);
}

#[test]
fn nested_columns_are_left_out_and_refused_if_named() {
    let folder = Folder::new();
    let message = "message t {
        required double a;
        optional group tags (LIST) { repeated group list { optional int32 element; } }
        required group point { required double px; }
    }";
    let list = Col::Raw(vec![1, 2, 3], vec![3, 3, 3], vec![0, 1, 0]);
    let row = vec![Col::F64(vec![1.0, 2.0]), list, Col::F64(vec![3.0, 4.0])];
    let path = folder.parquet("nested.parquet", message, &[row]);
    let table = read(&path, &TableOptions::default()).unwrap();
    assert_eq!(dense(&table), [1.0, 2.0]);
    says(
        &table.notices.join("\n"),
        &[
            "\"tags\" (it holds nested values (lists))",
            "\"point\" (it holds nested values (records))",
        ],
    );
    for name in ["tags", "point"] {
        let asked = TableOptions { features: names(&["a", name]), ..Default::default() };
        says(&refusal(&path, &asked), &[name, "holds nested values", "--drop"]);
    }
}

#[test]
fn files_with_different_columns_are_not_joined() {
    let folder = Folder::new();
    let two = || Col::F64(vec![1.0]);
    folder.parquet("1.parquet", TWO, &[vec![two(), two()]]);
    folder.parquet("2.parquet", "message t { required double a; }", &[vec![two()]]);
    let message = refusal(folder.path().to_str().unwrap(), &TableOptions::default());
    says(&message, &["1.parquet", "2.parquet", "2 against 1"]);
    folder.parquet(
        "2.parquet",
        "message t { required double a; required binary b; }",
        &[vec![two(), Col::Text(vec!["x"])]],
    );
    let message = refusal(folder.path().to_str().unwrap(), &TableOptions::default());
    says(&message, &["column \"b\" has different types"]);
}

#[test]
fn a_file_cut_anywhere_is_refused_as_damaged() {
    let folder = Folder::new();
    let column = || Col::F64((0..500).map(f64::from).collect());
    let whole = parquet_bytes(TWO, &[vec![column(), column()]]);
    for length in [3, 8, 100, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
        let path = folder.file("cut.parquet", &whole[..length]);
        says(
            &refusal(&path, &TableOptions::default()),
            &["cut.parquet: the file is damaged or cut short"],
        );
    }
    says(
        &refusal(&folder.file("e.parquet", ""), &TableOptions::default()),
        &["e.parquet: the file is empty"],
    );
    says(
        &refusal(&folder.file("t.parquet", "not parquet at all"), &TableOptions::default()),
        &["damaged"],
    );
    // A footer that is whole, over columns that are gone.
    let mut hollow = whole[whole.len() / 2..].to_vec();
    hollow.splice(0..0, *b"PAR1");
    says(&refusal(&folder.file("h.parquet", hollow), &TableOptions::default()), &["damaged"]);
}

#[test]
fn a_file_without_rows_is_refused_as_empty() {
    let folder = Folder::new();
    says(
        &refusal(&folder.parquet("z.parquet", TWO, &[]), &TableOptions::default()),
        &["z.parquet: the file is empty"],
    );
}

#[test]
fn bytes_in_memory_are_recognised_as_parquet() {
    let bytes = parquet_bytes(TWO, &[vec![Col::F64(vec![1.0]), Col::F64(vec![2.0])]]);
    let table = read_bytes("standard input", bytes, &TableOptions::default()).unwrap();
    assert_eq!(dense(&table), [1.0, 2.0]);
}

#[test]
fn a_model_gets_its_columns_in_its_order() {
    let folder = Folder::new();
    let message =
        "message t { required double a; required binary city (UTF8); required double b; }";
    let row =
        vec![Col::F64(vec![1.0, 2.0]), Col::Text(vec!["Rome", "Oslo"]), Col::F64(vec![3.0, 4.0])];
    let path = folder.parquet("m.parquet", message, &[row]);
    let expect = Some(names(&["b", "city=Oslo", "a"]));
    let table = read(&path, &TableOptions { expect, ..Default::default() }).unwrap();
    assert_eq!(dense(&table), [3.0, 0.0, 1.0, 4.0, 1.0, 2.0]);
    says(&table.notices[0], &["\"Rome\""]);
}
