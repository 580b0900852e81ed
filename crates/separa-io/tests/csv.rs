//! Delimited text: dialects, headers, chunks, faults.

use crate::common;

use common::{Folder, dense, gzip, names, plain, refusal, says};
use proptest::prelude::*;
use separa::preparation::MissingRule;
use separa_io::{Header, TableOptions, read};

#[test]
fn a_header_is_told_from_data() {
    let folder = Folder::new();
    let with = plain(&folder.file("a.csv", "a,b\n1,2\n3,4\n")).unwrap();
    assert_eq!((with.names, with.rows), (names(&["a", "b"]), 2));
    let without = plain(&folder.file("b.csv", "1,2\n3,4\n")).unwrap();
    assert_eq!((without.names, without.rows), (names(&["x1", "x2"]), 2));
}

#[test]
fn a_header_can_be_insisted_on_or_ruled_out() {
    let folder = Folder::new();
    let path = folder.file("years.csv", "2019,2020\n1,2\n");
    let yes = read(&path, &TableOptions { header: Header::Yes, ..Default::default() }).unwrap();
    assert_eq!((yes.names, yes.rows), (names(&["2019", "2020"]), 1));
    let no = read(&path, &TableOptions { header: Header::No, ..Default::default() }).unwrap();
    assert_eq!((no.names, no.rows), (names(&["x1", "x2"]), 2));
}

#[test]
fn a_header_that_looks_like_data_is_announced() {
    let folder = Folder::new();
    let path = folder.file("iris.txt", "5.1,3.5,setosa\n4.9,3.0,virginica\n");
    let options = TableOptions { truth: Some("setosa".to_owned()), ..Default::default() };
    let table = read(&path, &options).unwrap();
    says(&table.notices[0], &["2 of its 3 fields are numbers", "--no-header"]);
}

#[test]
fn every_delimiter_is_recognised() {
    let folder = Folder::new();
    for (name, delimiter) in [("c.csv", ","), ("s.csv", ";"), ("t.tsv", "\t"), ("p.txt", "|")] {
        let text = "a,b,c\n1,2,3\n4,5,6\n".replace(',', delimiter);
        let table = plain(&folder.file(name, text)).unwrap();
        assert_eq!(dense(&table), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "{name}");
    }
}

#[test]
fn quoted_fields_may_hold_delimiters_quotes_and_line_breaks() {
    let folder = Folder::new();
    let path = folder.file("q.csv", "\"a, b\",name\n\"1.5\",\"x, \"\"y\"\"\nz\"\n2,5\" pipe\n");
    let options = TableOptions { id: Some("name".to_owned()), ..Default::default() };
    let table = read(&path, &options).unwrap();
    assert_eq!(table.names, ["a, b"]);
    assert_eq!(dense(&table), [1.5, 2.0]);
    assert_eq!(table.column("name").unwrap(), ["x, \"y\"\nz", "5\" pipe"]);
}

#[test]
fn line_breaks_of_every_age_and_blank_lines_are_read() {
    let folder = Folder::new();
    for (name, text) in [
        ("unix.csv", "a,b\n1,2\n\n3,4"),
        ("dos.csv", "a,b\r\n1,2\r\n\r\n3,4\r\n"),
        ("mac.csv", "a,b\r1,2\r3,4\r"),
        ("mark.csv", "\u{feff}a,b\n1,2\n3,4\n\n\n"),
    ] {
        let table = plain(&folder.file(name, text)).unwrap();
        assert_eq!(
            (table.names.clone(), dense(&table)),
            (names(&["a", "b"]), &[1.0, 2.0, 3.0, 4.0][..]),
            "{name}"
        );
    }
}

#[test]
fn numbers_are_read_in_all_their_spellings() {
    let folder = Folder::new();
    let path =
        folder.file("n.csv", "x\n 1 \n-2.5\n+3\n.5\n4.\n1e-3\n\"6\"\n0.1234567890123456789\n-0\n");
    let table = plain(&path).unwrap();
    assert_eq!(dense(&table), [1.0, -2.5, 3.0, 0.5, 4.0, 1e-3, 6.0, 0.123_456_789_012_345_68, 0.0]);
}

#[test]
fn true_and_false_are_1_and_0_but_do_not_mix_with_numbers() {
    let folder = Folder::new();
    let table = plain(&folder.file("b.csv", "a,b\ntrue,1\nFalse,2\n")).unwrap();
    assert_eq!(dense(&table), [1.0, 1.0, 0.0, 2.0]);
    let mixed = plain(&folder.file("m.csv", "a\n1\n2\n1\n2\n1\ntrue\n")).unwrap();
    says(&mixed.notices.join("\n"), &["\"true\"", "taken for missing"]);
}

#[test]
fn compressed_text_equals_plain_text() {
    let folder = Folder::new();
    let text = "a,b\n1,2\n3,4\n";
    let expected = plain(&folder.file("p.csv", text)).unwrap();
    assert_eq!(plain(&folder.file("g.csv.gz", gzip(text.as_bytes()))).unwrap(), expected);
    let packed = zstd::encode_all(text.as_bytes(), 0).unwrap();
    assert_eq!(plain(&folder.file("z.csv.zst", &packed)).unwrap(), expected);
    assert_eq!(plain(&folder.file("unnamed.gz", gzip(text.as_bytes()))).unwrap(), expected);
    let message =
        refusal(&folder.file("cut.csv.zst", &packed[..packed.len() - 3]), &TableOptions::default());
    says(&message, &["cut.csv.zst", "damaged or cut short"]);
}

#[test]
fn folders_and_patterns_join_files_in_the_order_of_their_names() {
    let folder = Folder::new();
    folder.file("2.csv", "a,b\n3,4\n");
    folder.file("1.csv", "a,b\n1,2\n");
    folder.file("_SUCCESS", "");
    folder.file("notes.md", "not data");
    let table = plain(folder.path().to_str().unwrap()).unwrap();
    assert_eq!(dense(&table), [1.0, 2.0, 3.0, 4.0]);
    let pattern = format!("{}/*.csv", folder.path().display());
    assert_eq!(plain(&pattern).unwrap(), table);
    folder.file("3.csv", "a,b\n5,6\n6,7,8\n8,9\n");
    says(&refusal(&pattern, &TableOptions::default()), &["3.csv: row 2 has 3"]);
}

#[test]
fn files_with_different_columns_are_not_joined() {
    let folder = Folder::new();
    folder.file("1.csv", "a,b\n1,2\n");
    folder.file("2.csv", "a,c\n1,2\n");
    let message = refusal(folder.path().to_str().unwrap(), &TableOptions::default());
    says(&message, &["1.csv", "2.csv", "column 2 is \"b\" in one, \"c\" in the other"]);
}

#[test]
fn a_row_with_too_many_fields_is_refused_with_its_number() {
    let folder = Folder::new();
    let long = refusal(&folder.file("l.csv", "a,b\n1,2,3\n3,4\n"), &TableOptions::default());
    says(&long, &["l.csv: row 1 has 3 fields, expected 2"]);
}

#[test]
fn an_open_quote_is_refused_with_its_place() {
    let folder = Folder::new();
    let message =
        refusal(&folder.file("q.csv", "a,b\n1,2\n3,\"4\n5,6\n"), &TableOptions::default());
    says(&message, &["row 2, column \"b\" opens a quote that is never closed"]);
}

#[test]
fn empty_files_and_headers_alone_are_refused() {
    let folder = Folder::new();
    says(
        &refusal(&folder.file("e.csv", ""), &TableOptions::default()),
        &["e.csv: the file is empty"],
    );
    says(
        &refusal(&folder.file("n.csv", "\n\n"), &TableOptions::default()),
        &["n.csv: the file is empty"],
    );
    says(
        &refusal(&folder.file("h.csv", "a,b\n"), &TableOptions::default()),
        &["h.csv: the file has a header but no rows"],
    );
}

#[test]
fn large_files_keep_rows_and_faults_in_place() {
    // Several parts, with line breaks inside quotes across their borders.
    let folder = Folder::new();
    let rows = 60_000;
    let line = |i: usize| format!("{i},\"text {i}\nwith a break\",{}.5\n", i * 2);
    let text: String = std::iter::once("n,t,h\n".to_owned()).chain((0..rows).map(line)).collect();
    assert!(text.len() > 2 << 20);
    let numeric = names(&["n", "h"]);
    let options = TableOptions { id: Some("t".to_owned()), numeric, ..Default::default() };
    let table = read(&folder.file("big.csv", &text), &options).unwrap();
    assert_eq!(table.rows, rows);
    let expected = |i: usize| [i as f64, (i * 2) as f64 + 0.5];
    assert!(dense(&table).chunks(2).enumerate().all(|(i, row)| row == expected(i)));
    assert_eq!(table.column("t").unwrap()[rows - 1], format!("text {}\nwith a break", rows - 1));
    let broken = text.replacen("59000,", "oops,5,", 1);
    says(&refusal(&folder.file("broken.csv", broken), &options), &["row 59001 has 4"]);
}

proptest! {
    #[test]
    fn parsing_agrees_with_the_csv_crate(cells in prop::collection::vec(("[a-z\",;\n ]{0,6}", -1e6..1e6f64), 1..40)) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["name", "value"]).unwrap();
        for (name, value) in &cells {
            writer.write_record([name.as_str(), &value.to_string()]).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let options = TableOptions { id: Some("name".to_owned()), missing: Some(MissingRule::Refuse), ..Default::default() };
        let table = separa_io::read_bytes("text", bytes, &options).unwrap();
        let values: Vec<f64> = cells.iter().map(|c| c.1).collect();
        prop_assert_eq!(dense(&table), &values[..]);
        for (read, (written, _)) in table.column("name").unwrap().iter().zip(&cells) {
            prop_assert_eq!(read.trim(), written.trim());
        }
    }
}
