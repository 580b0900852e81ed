//! Reads that come in pieces, are interrupted, or fail once, wherever it may be: the same table as ever, or an error that
//! names the file and the cause. Never another table.
//!
//! A program by itself, because it has system calls of its own: what every library here reads with is replaced. Only reads
//! of the thread that asks for it are touched.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "../common/mod.rs"]
mod common;

use common::{Col, Folder, gzip, npy_bytes, parquet_bytes};
use separa_io::{TableOptions, blocks, read, read_model};
use std::cell::Cell;
use std::ffi::{c_int, c_long, c_void};
use std::fmt::Debug;
use std::path::Path;

const READ: c_long = 0;
const PREAD64: c_long = 17;
const INTERRUPTED: c_int = 4;
const IO_ERROR: c_int = 5;
/// A read in pieces gives at most so many bytes.
const PIECE: u64 = 1500;

/// How the system calls it, and SQLite, which says of some reads only that what it has is no database.
const CAUSES: [&str; 3] = ["Input/output error", "disk I/O error", "disk image is malformed"];

/// What happens to reads: the seed of the pieces, if they come in pieces; the read that fails (from 1), and how.
#[derive(Clone, Copy, Debug, Default)]
struct Fault {
    pieces: Option<u64>,
    fails: usize,
    how: c_int,
}

thread_local! {
    static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
    static SEEN: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "the system's own functions")]
unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
    fn __errno_location() -> *mut c_int;
}

/// How many bytes this read may give; an error number if it fails.
fn allowed(count: usize) -> Result<usize, c_int> {
    let Ok(Some(Fault { pieces, fails, how })) = FAULT.try_with(Cell::get) else {
        return Ok(count);
    };
    let seen = SEEN.get() + 1;
    SEEN.set(seen);
    if seen == fails {
        return Err(how);
    }
    let piece = |seed: u64| {
        let drawn = (seed ^ seen as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        count.min(1 + (drawn % PIECE) as usize)
    };
    Ok(pieces.map_or(count, piece))
}

#[allow(unsafe_code, reason = "called by the system's libraries")]
fn faulty(read: impl FnOnce(usize) -> c_long, count: usize) -> isize {
    match allowed(count) {
        Ok(count) => read(count) as isize,
        Err(why) => {
            // SAFETY: the error number of this thread, which is there as long as the thread is.
            unsafe { *__errno_location() = why };
            -1
        }
    }
}

// SAFETY: what read(2) does, or less.
#[allow(unsafe_code, reason = "takes the place of the system's function")]
#[unsafe(export_name = "read")]
unsafe extern "C" fn faulty_read(file: c_int, to: *mut c_void, count: usize) -> isize {
    // SAFETY: as the caller promised; the count is not larger.
    faulty(|count| unsafe { syscall(READ, file, to, count) }, count)
}

// SAFETY: what pread(2) does, or less.
#[allow(unsafe_code, reason = "takes the place of the system's function")]
#[unsafe(export_name = "pread64")]
unsafe extern "C" fn faulty_pread(file: c_int, to: *mut c_void, count: usize, at: i64) -> isize {
    // SAFETY: as the caller promised; the count is not larger.
    faulty(|count| unsafe { syscall(PREAD64, file, to, count, at) }, count)
}

/// The outcome with this fault, and how many reads there were.
fn with(
    fault: Fault,
    work: &dyn Fn() -> Result<String, String>,
) -> (Result<String, String>, usize) {
    SEEN.set(0);
    FAULT.set(Some(fault));
    let done = work();
    FAULT.set(None);
    (done, SEEN.get())
}

/// Places to fail at: all of them if they are few, otherwise the first, the last, and some that are drawn.
fn places(reads: usize) -> Vec<usize> {
    const MOST: usize = 60;
    if reads <= MOST {
        return (1..=reads).collect();
    }
    let mut all: Vec<usize> = (1..=20).chain(reads - 9..=reads).collect();
    all.extend((0..30).map(|i: usize| 21 + i.wrapping_mul(2_654_435_761) % (reads - 30)));
    all
}

/// Whatever happens to the reads of `file`, `work` has its whole outcome or an error that says why.
fn survives(what: &str, file: &str, work: &dyn Fn() -> Result<String, String>) {
    let (whole, plain) = with(Fault::default(), work);
    let whole = whole.unwrap();
    let (mut tried, mut refused) = (0, 0);
    for pieces in [None, Some(1), Some(22), Some(333)] {
        let (same, reads) = with(Fault { pieces, ..Fault::default() }, work);
        assert!(same.as_ref() == Ok(&whole), "{what} in pieces {pieces:?}: {}", shortened(&same));
        assert!(pieces.is_none() || reads > plain, "{what}: {reads} reads, {plain} of the whole");
        for fails in places(reads) {
            let (same, _) = with(Fault { pieces, fails, how: INTERRUPTED }, work);
            let said = shortened(&same);
            assert!(
                same.as_ref() == Ok(&whole),
                "{what} interrupted at {fails} of {reads}: {said}"
            );
            let (outcome, _) = with(Fault { pieces, fails, how: IO_ERROR }, work);
            match &outcome {
                Ok(table) => assert!(*table == whole, "{what}: another table, {fails} of {reads}"),
                Err(said) => assert!(
                    said.contains(file) && CAUSES.iter().any(|cause| said.contains(cause)),
                    "{what}, {fails} of {reads}: {said}"
                ),
            }
            refused += usize::from(outcome.is_err());
            tried += 2;
        }
    }
    assert!(refused > 0, "{what}: no failure was noticed");
    println!(
        "{what}: {tried} faults, {refused} of them were errors in words, the others had no effect"
    );
}

fn shortened(outcome: &Result<String, String>) -> String {
    match outcome {
        Ok(table) => format!("another table, of {} characters", table.len()),
        Err(said) => said.clone(),
    }
}

fn shown(done: Result<impl Debug, impl ToString>) -> Result<String, String> {
    done.map(|table| format!("{table:?}")).map_err(|e| e.to_string())
}

/// On one thread, so that it is this one that reads.
fn alone(work: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work);
}

fn whole_table(file: &str) {
    alone(|| survives(file, file, &|| shown(read(file, &TableOptions::default()))));
}

fn in_blocks(file: &str) {
    let each = || -> separa_io::Result<String> {
        let mut found = blocks(file, &TableOptions::default())?.expect("read in blocks");
        let mut all = String::new();
        while let Some(block) = found.next_block()? {
            all.push_str(&format!("{block:?}"));
        }
        Ok(all)
    };
    alone(|| survives(&format!("{file} in blocks"), file, &|| each().map_err(|e| e.to_string())));
}

const ROWS: usize = 1500;

fn csv() -> String {
    let row = |i: usize| format!("id-{i},{}.5,{},\"w {}\"\n", i * i % 97, i % 89, i % 7);
    "id,x,y,word\n"
        .chars()
        .chain((0..ROWS).flat_map(|i| row(i).chars().collect::<Vec<_>>()))
        .collect()
}

#[test]
fn delimited_text() {
    let folder = Folder::new();
    let file = folder.file("t.csv", csv());
    whole_table(&file);
    in_blocks(&file);
    // What it holds is told by its first bytes.
    whole_table(&folder.file("table", csv()));
}

#[test]
fn packed_text() {
    let folder = Folder::new();
    let file = folder.file("t.csv.gz", gzip(csv().as_bytes()));
    whole_table(&file);
    in_blocks(&file);
    let packed = zstd::stream::encode_all(csv().as_bytes(), 1).unwrap();
    let file = folder.file("t.csv.zst", packed);
    whole_table(&file);
    in_blocks(&file);
}

#[test]
fn parquet() {
    let folder = Folder::new();
    let group = |from: usize| {
        let word = |i: usize| if i.is_multiple_of(3) { "fizz" } else { "buzz" };
        vec![
            Col::F64((from..from + ROWS).map(|i| (i as f64).sin()).collect()),
            Col::Text((from..from + ROWS).map(word).collect()),
        ]
    };
    let message = "message t { required double a; required binary y (UTF8); }";
    let file = folder.file("t.parquet", parquet_bytes(message, &[group(0), group(ROWS)]));
    whole_table(&file);
    in_blocks(&file);
}

#[test]
fn numpy_arrays() {
    let folder = Folder::new();
    let values: Vec<u8> = (0..4 * ROWS).flat_map(|i| ((i % 97) as f64).to_le_bytes()).collect();
    let file = folder.file("t.npy", npy_bytes("'<f8'", false, &format!("({ROWS}, 4)"), &values));
    whole_table(&file);
    in_blocks(&file);
}

#[test]
fn sparse_rows() {
    let folder = Folder::new();
    let row = |i: usize| format!("{} 1:{}.5 {}:2\n", i % 2, i % 97, 2 + i % 13);
    let file = folder.file("t.svm", (0..ROWS).map(row).collect::<String>());
    whole_table(&file);
    in_blocks(&file);
}

#[test]
fn records_books_and_databases() {
    let folder = Folder::new();
    let record = |i: usize| format!("{{\"a\": {}, \"b\": \"w{}\"}}\n", i * i % 97, i % 7);
    whole_table(&folder.file("t.jsonl", (0..ROWS).map(record).collect::<String>()));

    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for i in 0..ROWS as u32 {
        sheet.write(i, 0, f64::from(i * i % 97)).unwrap();
        sheet.write(i, 1, f64::from(i % 89)).unwrap();
    }
    whole_table(&folder.file("t.xlsx", book.save_to_buffer().unwrap()));

    #[cfg(feature = "sqlite")]
    database(&folder);
}

#[cfg(feature = "sqlite")]
fn database(folder: &Folder) {
    let path = folder.path().join("t.sqlite");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("create table t (a real, b integer)").unwrap();
    for i in 0..200 {
        database.execute("insert into t values (?1, ?2)", (f64::from(i * i % 97), i % 89)).unwrap();
    }
    drop(database);
    whole_table(path.to_str().unwrap());
}

#[test]
fn models() {
    let folder = Folder::new();
    let rows: Vec<Vec<f64>> =
        (0..60).map(|i| vec![f64::from(i % 3) * 9.0, f64::from(i * 7 % 11)]).collect();
    let found = separa::Clusterer::new(separa::methods::KMeans::new(3)).fit(&rows).unwrap();
    let path = folder.path().join("m.separa");
    found.save(&path).unwrap();
    let file = path.to_str().unwrap();
    let load = || separa::model_file::load(&path).map(|saved| saved.to_bytes());
    alone(|| survives("a model", file, &|| shown(load())));
    // The caller names the file.
    let bytes = || read_model(Path::new(file)).map_err(|e| format!("{file}: {e}"));
    alone(|| survives("the bytes of a model", file, &|| shown(bytes())));
}
