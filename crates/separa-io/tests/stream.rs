//! Files block by block hold what the whole table holds.

use crate::common;

use common::{Col, Folder};
use separa_io::{Prepared, TableOptions, Values, blocks, prepare_block, read};

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

/// A folder with row groups longer than a block, short ones, an empty one, and a second file.
fn lake() -> (Folder, String) {
    let folder = Folder::new();
    let short = |i: usize| group(100, 40_000 + 100 * i);
    let groups: Vec<Vec<Col>> =
        [group(40_000, 0), group(0, 0)].into_iter().chain((0..20).map(short)).collect();
    folder.parquet("a.parquet", MESSAGE, &groups);
    folder.parquet("b.parquet", MESSAGE, &[group(100, 42_000), group(17_000, 42_100)]);
    let input = folder.path().to_str().unwrap().to_owned();
    (folder, input)
}

#[test]
fn blocks_of_parquet_are_the_whole_table() {
    let (_folder, input) = lake();
    let numeric = vec!["a".to_owned(), "b".to_owned()];
    let options = TableOptions { numeric, ..options() };
    let table = read(&input, &options).unwrap();
    let (found, count) = joined(&input, &options);
    assert_eq!((found.rows, &found.names), (table.rows, &table.names));
    assert_eq!(found.values, table.values);
    assert_eq!(found.column("y").unwrap(), table.column("y").unwrap());
    // Three of the long group, one of each short one, two of the last.
    assert_eq!(count, 3 + 20 + 1 + 2);
}

#[test]
fn row_groups_that_are_decoded_at_the_same_time_give_the_same_blocks_in_the_same_order() {
    let (_folder, input) = lake();
    let blocks_of = |threads: usize, bytes: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut found = blocks(&input, &options()).unwrap().unwrap().keep_within(bytes);
            let mut all = Vec::new();
            // Twice, because what waits must not survive a rewind.
            found.next_block().unwrap();
            found.rewind().unwrap();
            while let Some(block) = found.next_block().unwrap() {
                all.push(block);
            }
            all
        })
    };
    let one = blocks_of(1, 0);
    assert_eq!(one.len(), 26);
    for (threads, bytes) in [(1, u64::MAX), (4, u64::MAX), (4, 3 * 16_384 * 20), (32, u64::MAX)] {
        assert!(blocks_of(threads, bytes) == one, "{threads} threads, {bytes} bytes");
    }
}

#[test]
fn a_damaged_row_group_among_several_is_named() {
    let folder = Folder::new();
    let groups: Vec<Vec<Col>> = (0..8).map(|i| group(3000, 3000 * i)).collect();
    let input = folder.parquet("t.parquet", MESSAGE, &groups);
    let mut bytes = std::fs::read(&input).unwrap();
    // Headers of pages are among it.
    let quarter = bytes.len() / 4;
    bytes[quarter..3 * quarter].fill(0xa5);
    std::fs::write(&input, bytes).unwrap();
    for memory in [0, u64::MAX] {
        let mut found = blocks(&input, &options()).unwrap().unwrap().keep_within(memory);
        let said = loop {
            match found.next_block() {
                Ok(block) => assert!(block.is_some(), "the damage must be seen"),
                Err(e) => break e.to_string(),
            }
        };
        assert!(said.contains("t.parquet"), "{said}");
    }
}

/// All rows of the blocks as one table, and how many blocks there were.
fn joined(input: &str, options: &TableOptions) -> (Prepared, usize) {
    let mut found = blocks(input, options).unwrap().unwrap();
    let strict = options.strict || found.are_arrays();
    let all: Vec<usize> = (0..found.rows()).collect();
    let table = found.pick(&all).unwrap();
    found.rewind().unwrap();
    let (mut count, mut rows) = (0, 0);
    while let Some(block) = found.next_block().unwrap() {
        rows += block.table.rows();
        count += 1;
    }
    assert_eq!(rows, all.len());
    let options = TableOptions { strict, ..options.clone() };
    (prepare_block(table, &options).unwrap(), count)
}

/// Text of so many rows: a key, numbers with gaps, a column that is numbers until its last row, a quoted line break.
fn text(rows: usize) -> String {
    let mut out = "key,a,b,late,word\n".to_owned();
    for i in 0..rows {
        let gap = if i % 97 == 5 { String::new() } else { (i as f64).sin().to_string() };
        let late = if i + 1 == rows { "x".to_owned() } else { (i % 3).to_string() };
        let word = if i % 1000 == 7 { "\"two\nlines\"" } else { ["red", "blue"][i % 2] };
        out.push_str(&format!("k{i},{gap},{},{late},{word}\n", i * 7 % 1013));
    }
    out
}

#[test]
fn blocks_of_text_are_the_whole_table_packed_or_not() {
    let folder = Folder::new();
    // More than one piece of four megabytes.
    let rows = 150_000;
    let plain = folder.file("t.csv", text(rows));
    assert!(text(rows).len() > 5 << 20);
    let options = TableOptions { id: Some("key".into()), ..TableOptions::default() };
    let whole = read(&plain, &options).unwrap();
    let (blocks_of, count) = joined(&plain, &options);
    assert!(count >= 2, "{count}");
    assert_eq!((blocks_of.rows, &blocks_of.names), (rows, &whole.names));
    assert_eq!(blocks_of.values, whole.values);
    assert_eq!(blocks_of.column("key").unwrap(), whole.column("key").unwrap());
    let gz = folder.path().join("t.csv.gz");
    let mut packed =
        flate2::write::GzEncoder::new(std::fs::File::create(&gz).unwrap(), Default::default());
    std::io::Write::write_all(&mut packed, text(rows).as_bytes()).unwrap();
    packed.finish().unwrap();
    let (unpacked, again) = joined(gz.to_str().unwrap(), &options);
    assert_eq!((&unpacked.values, again), (&whole.values, count));
    let packed = zstd::encode_all(text(rows).as_bytes(), 0).unwrap();
    let (unpacked, again) = joined(&folder.file("t.csv.zst", &packed), &options);
    assert_eq!((unpacked.values, again), (whole.values, count));
    let cut = folder.file("cut.csv.zst", &packed[..packed.len() - 3]);
    let said = blocks(&cut, &options).err().unwrap().to_string();
    assert!(said.contains("cut.csv.zst"), "{said}");
}

#[test]
fn short_rows_and_lines_below_the_data_are_read_in_blocks_as_in_the_whole() {
    let folder = Folder::new();
    let messy = text(150_000).replace("k77,", "k77\nk,") + "k,1,2\n\nSource: a survey\n";
    let input = folder.file("messy.csv", &messy);
    let options = TableOptions { id: Some("key".into()), ..TableOptions::default() };
    let whole = read(&input, &options).unwrap();
    let (found, count) = joined(&input, &options);
    assert!(count >= 2, "{count}");
    assert_eq!((found.rows, &found.values), (150_002, &whole.values));
    for said in ["2 rows are shorter than the header", "1 line below the data"] {
        for notices in [&whole.notices, &found.notices] {
            assert_eq!(notices.iter().filter(|n| n.contains(said)).count(), 1, "{notices:?}");
        }
    }
}

#[test]
fn faults_in_text_are_named_by_file_and_row() {
    let folder = Folder::new();
    let mut ragged = text(150_000);
    ragged.push_str("k,1,2,0,x,7,8,9\n");
    let input = folder.file("ragged.csv", &ragged);
    let said = blocks(&input, &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("ragged.csv: row 150001"), "{said}");
    let open = format!("{}k,1,2,0,\"never\n", text(10));
    let input = folder.file("open.csv", &open);
    let said = blocks(&input, &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("open.csv: row 11"), "{said}");
    folder.file("lake/a.csv", "a,b\n1,2\n3,4\n");
    folder.file("lake/b.csv", "a,c\n1,2\n");
    let lake = folder.path().join("lake");
    let said = blocks(lake.to_str().unwrap(), &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("a.csv") && said.contains("b.csv") && said.contains("\"c\""), "{said}");
    let sixteen: Vec<u8> = "a,b\n1,2\n3,4\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join("w.csv"), [&[0xff, 0xfe][..], &sixteen].concat()).unwrap();
    let wide = folder.path().join("w.csv");
    let said = blocks(wide.to_str().unwrap(), &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("w.csv") && said.contains("UTF-8"), "{said}");
}

/// A .npy file of float64 or float32 numbers, row by row or column by column.
fn npy(folder: &Folder, name: &str, rows: usize, columns: usize, fortran: bool) -> String {
    let order = if fortran { "True" } else { "False" };
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': {order}, 'shape': ({rows}, {columns}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    for at in 0..rows * columns {
        let (i, j) = if fortran { (at % rows, at / rows) } else { (at / columns, at % columns) };
        bytes.extend(((i * 31 + j * 7) as f32 % 1013.0).to_le_bytes());
    }
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn blocks_of_arrays_are_the_whole_array_in_either_order() {
    let folder = Folder::new();
    for fortran in [false, true] {
        let input = npy(&folder, "t.npy", 40_000, 3, fortran);
        let whole = read(&input, &TableOptions::default()).unwrap();
        let (found, count) = joined(&input, &TableOptions::default());
        assert_eq!((found.values, found.names, count), (whole.values, whole.names, 3));
    }
    // Cut short: refused when it is opened.
    let input = npy(&folder, "cut.npy", 40_000, 3, false);
    let bytes = std::fs::read(&input).unwrap();
    std::fs::write(&input, &bytes[..bytes.len() / 2]).unwrap();
    let said = blocks(&input, &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("cut.npy") && said.contains("announced"), "{said}");
}

#[test]
fn blocks_of_svmlight_are_its_rows_with_their_zeros() {
    let folder = Folder::new();
    let mut lines = "# a comment\n".to_owned();
    (0..20_000).for_each(|i| lines.push_str(&format!("{} {}:{}.5 9:1\n", i % 2, 1 + i % 5, i % 7)));
    let input = folder.file("t.svm", &lines);
    let options = TableOptions { truth: Some("label".into()), ..TableOptions::default() };
    let whole = read(&input, &options).unwrap();
    let (found, count) = joined(&input, &options);
    assert_eq!((found.rows, count), (20_000, 2));
    assert_eq!(found.names, whole.names);
    assert_eq!(found.column("label").unwrap(), whole.column("label").unwrap());
    let Values::Dense(values) = &found.values else { panic!("zeros are there") };
    for i in 0..20_000 {
        let row = &values[i * 9..(i + 1) * 9];
        assert_eq!((row[i % 5], row[8]), ((i % 7) as f64 + 0.5, 1.0));
        assert_eq!(row.iter().filter(|v| **v == 0.0).count(), 7);
    }
    let bad = folder.file("bad.svm", "1 1:2\n1 x:2\n");
    let said = blocks(&bad, &TableOptions::default()).err().unwrap().to_string();
    assert!(said.contains("bad.svm") && said.contains("row 2"), "{said}");
}

#[test]
fn folders_called_like_partitions_are_one_table() {
    let folder = Folder::new();
    folder.file("lake/year=2023/a.csv", "a,b\n1,2\n3,4\n");
    folder.file("lake/year=2024/month=1/a.csv", "a,b\n5,6\n");
    folder.file("lake/year=2024/_SUCCESS", "");
    folder.file("lake/other/z.csv", "q\n1\n");
    let lake = folder.path().join("lake");
    let found = blocks(lake.to_str().unwrap(), &TableOptions::default()).unwrap().unwrap();
    assert_eq!(found.rows(), 3);
    let below: Vec<&str> = found.below().iter().map(|p| p.to_str().unwrap()).collect();
    assert_eq!(below, ["year=2023/a.csv", "year=2024/month=1/a.csv"]);
    assert_eq!(read(lake.to_str().unwrap(), &TableOptions::default()).unwrap().rows, 3);
}

#[test]
fn a_text_that_changes_between_passes_is_named() {
    let folder = Folder::new();
    let input = folder.file("t.csv", "a,b\n1,2\n3,4\n");
    let mut found = blocks(&input, &TableOptions::default()).unwrap().unwrap();
    std::fs::write(&input, "a,b\n1,2\n3,4\n5,6\n").unwrap();
    let said = found.rewind().unwrap_err().to_string();
    assert!(said.contains("t.csv") && said.contains("changed"), "{said}");
    std::fs::remove_file(&input).unwrap();
    assert!(found.rewind().unwrap_err().to_string().contains("t.csv"));
}
