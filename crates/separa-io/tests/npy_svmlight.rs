//! NumPy arrays and svmlight files.

use crate::common;

use common::{Folder, dense, gzip, names, npy_bytes, plain, refusal, says};
use separa::preparation::MissingRule;
use separa_io::{Prepared, TableOptions, Values, read, read_bytes};

fn bytes_of<const N: usize, T: Copy>(values: &[T], encode: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&v| encode(v)).collect()
}

fn sparse(table: &Prepared) -> (&[usize], &[u32], &[f64]) {
    match &table.values {
        Values::Sparse { indptr, indices, values } => (indptr, indices, values),
        Values::Dense(_) => panic!("the table is dense"),
    }
}

#[test]
fn npy_types_and_byte_orders_are_read() {
    let folder = Folder::new();
    let cases: [(&str, Vec<u8>); 8] = [
        ("'<f8'", bytes_of(&[1.0, -2.0, 3.0, 4.0], f64::to_le_bytes)),
        ("'>f8'", bytes_of(&[1.0, -2.0, 3.0, 4.0], f64::to_be_bytes)),
        ("'<f4'", bytes_of(&[1.0, -2.0, 3.0, 4.0], f32::to_le_bytes)),
        ("'<f2'", bytes_of(&[0x3c00, 0xc000, 0x4200, 0x4400], u16::to_le_bytes)),
        ("'<i8'", bytes_of(&[1, -2, 3, 4], i64::to_le_bytes)),
        ("'<i4'", bytes_of(&[1, -2, 3, 4], i32::to_le_bytes)),
        ("'>i2'", bytes_of(&[1, -2, 3, 4], i16::to_be_bytes)),
        ("'|i1'", bytes_of(&[1, -2, 3, 4], i8::to_le_bytes)),
    ];
    for (descr, data) in cases {
        let path = folder.file("a.npy", npy_bytes(descr, false, "(2, 2)", &data));
        let table = plain(&path).unwrap();
        assert_eq!(dense(&table), [1.0, -2.0, 3.0, 4.0], "{descr}");
        assert_eq!(table.names, ["x1", "x2"]);
    }
    let flags = folder.file("b.npy", npy_bytes("'|b1'", false, "(3,)", &[1, 0, 1]));
    assert_eq!(dense(&plain(&flags).unwrap()), [1.0, 0.0, 1.0]);
}

#[test]
fn npy_order_does_not_change_the_table() {
    let folder = Folder::new();
    let (rows, columns) = (200, 3);
    let by_rows: Vec<u32> = (0..rows * columns).collect();
    let by_columns: Vec<u32> =
        (0..columns).flat_map(|j| (0..rows).map(move |i| i * columns + j)).collect();
    let file = |name: &str, fortran, values: &[u32]| {
        let data = bytes_of(values, u32::to_le_bytes);
        plain(&folder.file(name, npy_bytes("'<u4'", fortran, "(200, 3)", &data))).unwrap()
    };
    let c = file("c.npy", false, &by_rows);
    assert_eq!(c, file("f.npy", true, &by_columns));
    assert!(dense(&c).iter().enumerate().all(|(i, v)| *v == i as f64));
}

#[test]
fn npy_columns_can_be_selected_and_kept_aside_exactly() {
    let folder = Folder::new();
    let data = bytes_of(&[(1i64 << 53) + 1, 5, 7, 6], i64::to_le_bytes);
    let path = folder.file("k.npy", npy_bytes("'<i8'", false, "(2, 2)", &data));
    says(
        &refusal(&path, &TableOptions::default()),
        &["row 1, column \"x1\" holds \"9007199254740993\"", "--id x1"],
    );
    let table =
        read(&path, &TableOptions { id: Some("x1".to_owned()), ..Default::default() }).unwrap();
    assert_eq!(
        (dense(&table), &table.column("x1").unwrap()[0][..]),
        (&[5.0, 6.0][..], "9007199254740993")
    );
}

#[test]
fn npy_large_reals_pass_and_nan_and_infinity_do_not() {
    let folder = Folder::new();
    let file = |values: &[f64]| {
        let shape = format!("({}, 1)", values.len());
        folder.file("r.npy", npy_bytes("'<f8'", false, &shape, &bytes_of(values, f64::to_le_bytes)))
    };
    assert_eq!(dense(&plain(&file(&[1e300, 1.0])).unwrap()), [1e300, 1.0]);
    says(
        &refusal(&file(&[1.0, f64::NAN]), &TableOptions::default()),
        &["\"x1\" 1 (the first in row 2)", "--missing drop"],
    );
    says(
        &refusal(&file(&[1.0, f64::INFINITY]), &TableOptions::default()),
        &["row 2", "\"inf\"", "finite"],
    );
    let mean = TableOptions { missing: Some(MissingRule::Mean), ..Default::default() };
    assert_eq!(dense(&read(&file(&[1.0, f64::NAN, 3.0]), &mean).unwrap()), [1.0, 2.0, 3.0]);
}

#[test]
fn npy_arrays_that_are_no_tables_are_refused() {
    let folder = Folder::new();
    let file = |descr: &str, shape: &str, data: &[u8]| {
        refusal(
            &folder.file("o.npy", npy_bytes(descr, false, shape, data)),
            &TableOptions::default(),
        )
    };
    says(&file("'<f8'", "(1, 1, 1)", &[0; 8]), &["3 dimensions", "reshape"]);
    says(&file("'<c8'", "(1,)", &[0; 8]), &["elements of type \"<c8\"", "astype(float)"]);
    says(&file("[('a', '<f8')]", "(1,)", &[0; 8]), &["named fields"]);
    says(&file("'<f8'", "(3, 2)", &[0; 8]), &["damaged or cut short", "3 x 2"]);
    says(&file("'<f8'", "(0, 2)", &[]), &["is empty"]);
    says(&refusal(&folder.file("e.npy", ""), &TableOptions::default()), &["is empty"]);
    says(&refusal(&folder.file("t.npy", "text"), &TableOptions::default()), &["damaged"]);
}

#[test]
fn svmlight_labels_are_kept_aside_and_entries_are_sparse() {
    let folder = Folder::new();
    let text = "# made by hand\n+1 qid:3 1:0.5 3:-2 # first\n-1\n\n2 4:1e3 2:7\n";
    for name in ["a.svm", "a.libsvm", "a.svmlight"] {
        let table = plain(&folder.file(name, text)).unwrap();
        assert_eq!(table.names, ["x1", "x2", "x3", "x4"]);
        assert_eq!(table.column("label").unwrap(), ["+1", "-1", "2"]);
        assert_eq!(
            sparse(&table),
            (&[0, 2, 2, 4][..], &[0, 2, 1, 3][..], &[0.5, -2.0, 7.0, 1e3][..])
        );
    }
    let packed = plain(&folder.file("a.svm.gz", gzip(text.as_bytes()))).unwrap();
    assert_eq!(packed, plain(&folder.file("b.svm", text)).unwrap());
}

#[test]
fn svmlight_indices_may_count_from_0() {
    let folder = Folder::new();
    let table = plain(&folder.file("z.svm", "1 0:5 2:6\n0 1:7\n")).unwrap();
    assert_eq!(table.names, ["x0", "x1", "x2"]);
    assert_eq!(sparse(&table).1, [0, 2, 1]);
}

#[test]
fn svmlight_features_of_a_model_are_found_by_their_index_as_written() {
    let folder = Folder::new();
    let from_0 = |list: &[&str]| TableOptions { expect: Some(names(list)), ..Default::default() };
    // The model counts from 0; this file has no index 0, and is not shifted.
    let path = folder.file("late.svm", "1 1:7 2:6\n");
    let table = read(&path, &from_0(&["x0", "x1", "x2"])).unwrap();
    assert_eq!((sparse(&table).1, sparse(&table).2), (&[1, 2][..], &[7.0, 6.0][..]));
    assert!(table.notices.is_empty(), "{:?}", table.notices);
    let table = read(&path, &from_0(&["x0", "x2"])).unwrap();
    assert_eq!((sparse(&table).1, sparse(&table).2), (&[1][..], &[6.0][..]));
    says(&table.notices[0], &["late.svm", "not fitted on \"x1\"", "left out"]);
    let table = read(&path, &from_0(&["x0", "x1", "x2", "x3", "x4"])).unwrap();
    assert_eq!(table.cols(), 5);
    says(&table.notices[0], &["late.svm", "\"x3\", \"x4\"", "read as 0"]);
    // The model counts from 1, the file from 0: one of them must give way.
    let zero = folder.file("zero.svm", "1 0:5 1:7\n");
    says(&refusal(&zero, &from_0(&["x1"])), &["zero.svm", "index 0", "count from 1", "--drop x0"]);
    let drop = TableOptions { drop: names(&["x0"]), ..from_0(&["x1"]) };
    assert_eq!(sparse(&read(&zero, &drop).unwrap()).2, [7.0]);
}

#[test]
fn svmlight_features_are_selected_dropped_and_matched_to_a_model() {
    let folder = Folder::new();
    let path = folder.file("s.svm", "1 1:1 2:2 3:3\n0 2:4\n");
    let drop = read(&path, &TableOptions { drop: names(&["x2"]), ..Default::default() }).unwrap();
    assert_eq!((drop.names.join(","), sparse(&drop).0), ("x1,x3".to_owned(), &[0, 2, 2][..]));
    let swap = read(&path, &TableOptions { features: names(&["x3", "x1"]), ..Default::default() })
        .unwrap();
    assert_eq!((sparse(&swap).1, sparse(&swap).2), (&[0, 1][..], &[3.0, 1.0][..]));
    let expect = |count| TableOptions {
        expect: Some((1..=count).map(|i| format!("x{i}")).collect()),
        truth: Some("label".to_owned()),
        ..Default::default()
    };
    assert_eq!(read(&path, &expect(5)).unwrap().cols(), 5);
    let fewer = read(&path, &expect(2)).unwrap();
    assert_eq!((fewer.cols(), sparse(&fewer).2), (2, &[1.0, 2.0, 4.0][..]));
    let other = TableOptions { expect: Some(names(&["a", "b"])), ..Default::default() };
    says(
        &refusal(&path, &other),
        &["s.svm: table has 3 feature columns, but the model was fitted on 2"],
    );
    let more = TableOptions { expect: Some(names(&["a", "b", "c", "d"])), ..Default::default() };
    let more = read(&path, &more).unwrap();
    assert_eq!(more.cols(), 4);
    assert!(more.notices.iter().any(|n| n.contains("\"x4\"") && n.contains("read as 0")));
    let aside = read(&path, &TableOptions { aside: names(&["x2"]), ..Default::default() }).unwrap();
    assert_eq!(aside.column("x2").unwrap(), ["2", "4"]);
}

#[test]
fn svmlight_missing_values_are_treated_as_asked() {
    let folder = Folder::new();
    let path = folder.file("m.svm", "1 1:4 2:1\n2 1:nan\n3 2:3\n");
    says(&refusal(&path, &TableOptions::default()), &["m.svm: row 2, column \"x1\" holds \"NaN\""]);
    let drop =
        read(&path, &TableOptions { missing: Some(MissingRule::Drop), ..Default::default() })
            .unwrap();
    assert_eq!((drop.rows, &drop.source_rows[..]), (2, &[1, 3][..]));
    assert_eq!(drop.column("label").unwrap(), ["1", "3"]);
    let mean =
        read(&path, &TableOptions { missing: Some(MissingRule::Mean), ..Default::default() })
            .unwrap();
    assert_eq!(sparse(&mean).2, [4.0, 1.0, 2.0, 3.0]);
}

#[test]
fn svmlight_faults_are_refused_with_their_row() {
    let folder = Folder::new();
    let message = |text: &str| refusal(&folder.file("f.svm", text), &TableOptions::default());
    says(
        &message("1 1:1\n# note\n1 2:abc\n"),
        &["f.svm: row 2", "\"2:abc\"", "expected `label index:value"],
    );
    says(&message("1 1:1\n1 a:2\n"), &["row 2", "\"a:2\"", "index"]);
    says(&message("1 1:1 junk\n"), &["row 1", "\"junk\""]);
    says(&message("1 1:inf\n"), &["row 1", "infinite"]);
    says(&message("1 3:1 3:2\n"), &["row 1", "gives index 3 twice"]);
    says(&message("1 4000000000:1\n"), &["row 1", "beyond 10000000"]);
    says(&message("1 1:1\n2:3\n"), &["row 2", "label"]);
    says(&message("# only a note\n"), &["is empty"]);
}

#[test]
fn bytes_in_memory_are_recognised_by_their_look() {
    let read = |bytes: &[u8]| {
        read_bytes("standard input", bytes.to_vec(), &TableOptions::default()).unwrap()
    };
    assert_eq!(sparse(&read(b"1 1:2 3:4\n")).2, [2.0, 4.0]);
    assert_eq!(dense(&read(b"a,b\n1,2\n")), [1.0, 2.0]);
    assert_eq!(dense(&read(&gzip(b"a;b\n1;2\n"))), [1.0, 2.0]);
    assert_eq!(dense(&read(&zstd::encode_all(&b"3\n4\n"[..], 0).unwrap())), [3.0, 4.0]);
    assert_eq!(dense(&read(&npy_bytes("'<f8'", false, "(1,)", &2f64.to_le_bytes()))), [2.0]);
    let error = read_bytes("standard input", Vec::new(), &TableOptions::default()).unwrap_err();
    says(&error.to_string(), &["standard input: the file is empty"]);
}
