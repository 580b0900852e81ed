//! Text as people save it: encodings, separators, quotes, comments, titles, footers, units, names.

use crate::common;

use common::{Folder, refusal, says};
use separa_io::{Table, TableOptions, read_table};

/// Names, rows as text, and notices of a file.
struct Seen {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    notices: String,
}

fn seen(content: impl AsRef<[u8]>) -> Seen {
    let folder = Folder::new();
    let path = folder.file("t.csv", content);
    let table = read_table(&path, &TableOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let columns: Vec<Vec<String>> = (0..table.columns.len()).map(|i| table.texts(i)).collect();
    let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
    Seen {
        names: table.names().map(str::to_owned).collect(),
        rows: (0..table.rows()).map(row).collect(),
        notices: table.notices.join("\n"),
    }
}

#[track_caller]
fn reads(content: impl AsRef<[u8]>, names: &[&str], rows: &[&[&str]]) -> String {
    let seen = seen(content);
    assert_eq!(seen.names, names);
    assert_eq!(seen.rows, rows);
    seen.notices
}

const ROWS: &[&[&str]] = &[&["1.5", "red"], &["2", "blue"], &["3", "red"]];
const TEXT: &str = "a,b\n1.5,red\n2,blue\n3,red\n";

#[test]
fn a_plain_text_is_read_without_a_word() {
    assert_eq!(reads(TEXT, &["a", "b"], ROWS), "");
    assert_eq!(reads(format!("\u{feff}{TEXT}"), &["a", "b"], ROWS), "");
}

#[test]
fn utf_16_is_read_in_both_orders_with_and_without_a_mark() {
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let encode = |text: &str| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        assert_eq!(reads(encode(&format!("\u{feff}{TEXT}")), &["a", "b"], ROWS), "");
        says(&reads(encode(TEXT), &["a", "b"], ROWS), &["was read as UTF-16"]);
    }
    let folder = Folder::new();
    let cut = refusal(&folder.file("cut.csv", b"\xff\xfea\0,\0b"), &TableOptions::default());
    says(&cut, &["cut.csv", "damaged or cut short", "UTF-16"]);
}

#[test]
fn a_web_page_is_named_as_one() {
    let folder = Folder::new();
    let page = folder.file("t.csv", "\n<!DOCTYPE html>\n<html><body>404</body></html>\n");
    says(
        &refusal(&page, &TableOptions::default()),
        &["t.csv: the file is a web page", "read_html"],
    );
}

#[test]
fn utf_32_is_read_by_its_mark() {
    for bytes in [u32::to_le_bytes, u32::to_be_bytes] {
        let whole = format!("\u{feff}{TEXT}");
        let coded: Vec<u8> = whole.chars().flat_map(|c| bytes(u32::from(c))).collect();
        assert_eq!(reads(coded, &["a", "b"], ROWS), "");
    }
    let folder = Folder::new();
    let cut = refusal(&folder.file("cut.csv", b"\xff\xfe\0\0a\0\0"), &TableOptions::default());
    says(&cut, &["cut.csv", "damaged or cut short", "UTF-32"]);
}

#[test]
fn two_rows_of_names_can_leave_the_index_without_one() {
    let rows: &[&[&str]] = &[&["x", "1", "2", "3"], &["y", "4", "5", "6"], &["z", "7", "8", "9"]];
    let body = "x,1,2,3\ny,4,5,6\nz,7,8,9\n";
    let notices = reads(
        format!(",a,a,b\n,mean,std,mean\ncity,,,\n{body}"),
        &["city", "a mean", "a std", "b mean"],
        rows,
    );
    says(&notices, &["two rows of names were joined"]);
    let plain = format!(",a,a,b\n,mean,std,mean\n{body}");
    reads(plain, &["column 1", "a mean", "a std", "b mean"], rows);
}

#[test]
fn empty_rows_above_totals_are_no_rows() {
    let text = "a,b,c\nx,1,2\ny,3,4\nz,6,7\n,,\nTotal,10,13\nSource: the office,,\n";
    let rows: &[&[&str]] = &[&["x", "1", "2"], &["y", "3", "4"], &["z", "6", "7"]];
    says(&reads(text, &["a", "b", "c"], rows), &["3 lines below the data were skipped"]);
}

#[test]
fn latin_1_is_assumed_with_a_notice() {
    let notices = reads(
        b"gr\xf6\xdfe,b\n1,caf\xe9\n2,x\n3,y\n",
        &["größe", "b"],
        &[&["1", "café"], &["2", "x"], &["3", "y"]],
    );
    says(&notices, &["not UTF-8", "Windows-1252"]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = Folder::new();
    let message = refusal(
        &folder.file("b.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff"),
        &TableOptions::default(),
    );
    says(&message, &["b.csv", "not text"]);
    // Among many characters of UTF-8 a wrong one is a fault with a place.
    let message = refusal(
        &folder.file("d.csv", b"a,b\n1,\xc3\xa4\xc3\xb6\n2,\xe9\n"),
        &TableOptions::default(),
    );
    says(&message, &["d.csv: row 2 is not UTF-8", "0xe9"]);
}

#[test]
fn every_separator_gives_the_same_table() {
    for separator in [",", ";", "\t", "|", " ", "   ", " \t "] {
        assert_eq!(reads(TEXT.replace(',', separator), &["a", "b"], ROWS), "", "{separator:?}");
    }
    let indented: String = TEXT.replace(',', "  ").lines().map(|l| format!("   {l}  \n")).collect();
    assert_eq!(reads(indented, &["a", "b"], ROWS), "");
}

#[test]
fn blanks_inside_quotes_do_not_separate() {
    let text = "mpg  cyl\tname\n18.0  8\t\"chevrolet malibu\"\n15.5   4\t\"buick\"\n";
    reads(
        text,
        &["mpg", "cyl", "name"],
        &[&["18", "8", "chevrolet malibu"], &["15.5", "4", "buick"]],
    );
}

#[test]
fn single_quotes_enclose_fields_where_they_plainly_do() {
    let text = "'a','b'\n1,'x, y'\n2,'it''s'\n";
    assert_eq!(reads(text, &["a", "b"], &[&["1", "x, y"], &["2", "it's"]]), "");
    let text = "a,b\n1,'t Hooft\n2,O'Neil\n";
    assert_eq!(reads(text, &["a", "b"], &[&["1", "'t Hooft"], &["2", "O'Neil"]]), "");
}

#[test]
fn comments_are_skipped_and_counted() {
    for mark in ["#", "%", "//"] {
        let text = format!(
            "{mark} one, two, three\n{mark}\na,b\n1.5,red\n{mark} not \"this\n2,blue\n{mark}3,x\n3,red\n"
        );
        let notices = reads(text, &["a", "b"], ROWS);
        says(&notices, &["2 comments were skipped", "2 comments between the rows were skipped"]);
    }
}

#[test]
fn a_marker_in_the_data_is_data() {
    let text = "tag,n\n#a,1\n#b,2\n#c,3\n";
    assert_eq!(reads(text, &["tag", "n"], &[&["#a", "1"], &["#b", "2"], &["#c", "3"]]), "");
    let text = "tag,n\nx,1\n% change,2\ny,3\n";
    assert_eq!(reads(text, &["tag", "n"], &[&["x", "1"], &["% change", "2"], &["y", "3"]]), "");
}

#[test]
fn a_comment_above_numbers_can_be_their_header() {
    let notices = reads("# x y\n1 2\n3 4.5\n", &["x", "y"], &[&["1", "2"], &["3", "4.5"]]);
    says(&notices, &["names", "comment"]);
    let notices = reads(
        "#chrom\tstart\nchr1\t5\nchr2\t6\n",
        &["chrom", "start"],
        &[&["chr1", "5"], &["chr2", "6"]],
    );
    says(&notices, &["names", "comment"]);
}

#[test]
fn titles_and_footers_are_skipped() {
    let text = format!(
        "Sales of 2020\nall regions\n\n{TEXT}\nSource: the office, 2021\nWritten by hand\n"
    );
    let notices = reads(text, &["a", "b"], ROWS);
    says(&notices, &["title line", "above the header", "2 lines below the data were skipped"]);
    let padded = "Report,,\na,b,c\n1,2,3\n4,5,6\nTotal,7,9\n,,\n";
    let notices = reads(padded, &["a", "b", "c"], &[&["1", "2", "3"], &["4", "5", "6"]]);
    says(
        &notices,
        &["1 title line above the header was skipped", "2 lines below the data were skipped"],
    );
}

#[test]
fn rows_that_lack_cells_at_their_end_have_missing_values_there() {
    let notices = reads(
        "a,b,c\n1,2,3\n4,5\n6,7,x\n9\n\"1\",2,3\r\n5,\n",
        &["a", "b", "c"],
        &[
            &["1", "2", "3"],
            &["4", "5", ""],
            &["6", "7", "x"],
            &["9", "", ""],
            &["1", "2", "3"],
            &["5", "", ""],
        ],
    );
    let said = "t.csv: 3 rows are shorter than the header; missing cells at their end are taken as missing values, first: row 2";
    says(&notices, &[said]);
    // Most rows can be short, and a row without a header, too; a line of blanks is none.
    let most = reads(
        "a,b,c\n1,2\n3,4\n5,6\n7,8,9\n",
        &["a", "b", "c"],
        &[&["1", "2", ""], &["3", "4", ""], &["5", "6", ""], &["7", "8", "9"]],
    );
    says(&most, &["3 rows are shorter than the header", "first: row 1"]);
    let bare = reads("1,2\n   \n3\n4,5\n", &["x1", "x2"], &[&["1", "2"], &["3", ""], &["4", "5"]]);
    says(&bare, &["1 row is shorter than the others", "first: row 2"]);
    // A text that ends there may be cut short.
    let cut = reads("a,b\n1,2\n3,4\n5", &["a", "b"], &[&["1", "2"], &["3", "4"], &["5", ""]]);
    says(
        &cut,
        &[
            "1 row is shorter",
            "ends in the middle of row 3, without a line break: it may be cut short",
        ],
    );
}

#[test]
fn rows_with_too_many_fields_are_refused_and_counted() {
    let folder = Folder::new();
    let text = "a,b,c\n1,2,3\n4,5\n6,7,8,9\n9\n1,2,3\n1,2,3,4\n5,6,7\n";
    let message = refusal(&folder.file("r.csv", text), &TableOptions::default());
    says(
        &message,
        &["r.csv: row 3 has 4 fields, expected 3 (2 rows have too many)", "must be quoted"],
    );
    // Where no row has all the columns, the header is wrong.
    let message = refusal(&folder.file("h.csv", "a,b,c\n1,2\n3,4\n"), &TableOptions::default());
    says(
        &message,
        &["h.csv: row 1 has 2 fields, expected 3 (all 2 rows have too few)", "repair the header"],
    );
}

#[test]
fn the_end_of_a_quoted_field_is_no_footer() {
    let quoted = reads(
        "a,b\n1,\"x\"\n2,\"two\nlines\"\n",
        &["a", "b"],
        &[&["1", "x"], &["2", "two\nlines"]],
    );
    assert_eq!(quoted, "");
}

#[test]
fn units_under_the_names_are_skipped() {
    let notices = reads(
        "w,h,c\n(cm),kg,\n1,2,x\n3,4,y\n",
        &["w", "h", "c"],
        &[&["1", "2", "x"], &["3", "4", "y"]],
    );
    says(&notices, &["row of units under the header was skipped"]);
}

#[test]
fn row_names_of_r_are_called_row() {
    let text = "\"mpg\" \"cyl\"\n\"Mazda RX4\" 21 6\n\"Datsun 710\" 22.8 4\n";
    reads(text, &["row", "mpg", "cyl"], &[&["Mazda RX4", "21", "6"], &["Datsun 710", "22.8", "4"]]);
    let text = "row,cyl\na,21,6\nb,22.8,4\n";
    reads(text, &["column 1", "row", "cyl"], &[&["a", "21", "6"], &["b", "22.8", "4"]]);
}

#[test]
fn a_delimiter_at_the_end_of_every_line_makes_no_column() {
    for delimiter in [",", "\t", ";"] {
        let plain = "a,b,\n1.5,red,\n2,blue,\n3,red,\n".replace(',', delimiter);
        assert_eq!(reads(plain, &["a", "b"], ROWS), "");
        let headerless = "a,b\n1.5,red,\n2,blue,\n3,red,\n".replace(',', delimiter);
        assert_eq!(reads(headerless, &["a", "b"], ROWS), "");
    }
    // A column without a name that has a value stays.
    let seen = seen("a,b,\n1,2,\n3,4,5\n");
    assert_eq!(seen.names, ["a", "b", "column 3"]);
}

#[test]
fn every_column_has_a_name_of_its_own() {
    let notices = reads(
        ",x1,a,a,column 1\n7,1,2,3,4\n8,1,2,3,5\n",
        &["column 1 (2)", "x1", "a", "a (2)", "column 1"],
        &[&["7", "1", "2", "3", "4"], &["8", "1", "2", "3", "5"]],
    );
    says(&notices, &["without a name", "\"column 1 (2)\"", "name of another", "\"a (2)\""]);
}

#[test]
fn a_first_row_whose_words_appear_again_is_data() {
    let notices = reads(
        "5.1,setosa\n4.9,setosa\n6,virginica\n",
        &["x1", "x2"],
        &[&["5.1", "setosa"], &["4.9", "setosa"], &["6", "virginica"]],
    );
    says(&notices, &["first row was taken as data", "--header"]);
}

#[test]
fn odd_text_far_from_the_beginning_is_still_found() {
    let rows: String = (0..40_000).map(|i| format!("{i},{}\n", i % 7)).collect();
    let text = format!("a,b\n{rows}# pause\n{rows}");
    let folder = Folder::new();
    let table: Table = read_table(&folder.file("t.csv", text), &TableOptions::default()).unwrap();
    assert_eq!(table.rows(), 80_000);
    says(&table.notices.join("\n"), &["1 comment between the rows was skipped"]);
}
