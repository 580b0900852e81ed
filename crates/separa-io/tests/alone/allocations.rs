//! Memory that the system refuses: every allocation of a megabyte or more, one after the other. A table that cannot be
//! held is an error in words, not the end of the process.
//!
//! A program by itself, because it has an allocator of its own. Each refusal happens in a process of its own, which is this
//! program once more: what is not caught would end it.

#[path = "../common/mod.rs"]
mod common;

use common::{Col, Folder, npy_bytes};
use separa_io::{TableOptions, read};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const LARGE: usize = 1 << 20;
/// Large allocations left until one is refused; 0: none is.
static LEFT: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// Bytes that large allocations may hold together; 0: any number.
static MOST: AtomicUsize = AtomicUsize::new(0);
static HELD: AtomicUsize = AtomicUsize::new(0);

struct Refuses;

fn refused(size: usize) -> bool {
    if size < LARGE {
        return false;
    }
    SEEN.fetch_add(1, Ordering::SeqCst);
    let less = |left: usize| left.checked_sub(1);
    let most = MOST.load(Ordering::SeqCst);
    LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less) == Ok(1)
        || most > 0 && HELD.load(Ordering::SeqCst) + size > most
}

/// Counts what large allocations hold.
fn holds(came: usize, went: usize) {
    let large = |size: usize| if size < LARGE { 0 } else { size };
    HELD.fetch_add(large(came).wrapping_sub(large(went)), Ordering::SeqCst);
}

// SAFETY: the system's allocator, which may always say no.
#[allow(unsafe_code, reason = "an allocator cannot be written otherwise")]
unsafe impl GlobalAlloc for Refuses {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match refused(layout.size()) {
            true => std::ptr::null_mut(),
            false => {
                holds(layout.size(), 0);
                // SAFETY: as the caller promised.
                unsafe { System.alloc(layout) }
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match refused(layout.size()) {
            true => std::ptr::null_mut(),
            false => {
                holds(layout.size(), 0);
                // SAFETY: as the caller promised.
                unsafe { System.alloc_zeroed(layout) }
            }
        }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match refused(size) {
            true => std::ptr::null_mut(),
            false => {
                holds(size, layout.size());
                // SAFETY: as the caller promised.
                unsafe { System.realloc(old, layout, size) }
            }
        }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        holds(0, layout.size());
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refuses = Refuses;

/// The file to read and the allocation to refuse, for a process that is started by a test.
const FILE: &str = "SEPARA_READ";
const REFUSED: &str = "SEPARA_REFUSED";
/// Or the megabytes that there are.
const MEMORY: &str = "SEPARA_MEGABYTES";

/// Reads the file that it is told of, and says how many large allocations that took, or why it failed.
#[test]
fn reading_when_told_to() {
    let Ok(file) = std::env::var(FILE) else { return };
    let refused = std::env::var(REFUSED).unwrap().parse().unwrap();
    let most = std::env::var(MEMORY).map_or(0, |megabytes| megabytes.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let said = pool.install(|| {
        LEFT.store(refused, Ordering::SeqCst);
        SEEN.store(0, Ordering::SeqCst);
        MOST.store(most << 20, Ordering::SeqCst);
        let done = read(&file, &TableOptions::default());
        LEFT.store(0, Ordering::SeqCst);
        MOST.store(0, Ordering::SeqCst);
        match done {
            Ok(table) => format!("read {} rows", table.rows),
            Err(e) => format!("refused: {e}"),
        }
    });
    println!("LARGE {} {said}", SEEN.load(Ordering::SeqCst));
}

/// What that process says about a file with this allocation refused, or with so many megabytes of memory: how many there were, and the outcome.
fn outcome(file: &str, refused: usize, megabytes: Option<usize>) -> Option<(usize, String)> {
    let mut reading = Command::new(std::env::current_exe().unwrap());
    reading.args(["--exact", "reading_when_told_to", "--nocapture"]);
    reading.env(FILE, file).env(REFUSED, refused.to_string());
    if let Some(megabytes) = megabytes {
        reading.env(MEMORY, megabytes.to_string());
    }
    let ran = reading.output().unwrap();
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    let line = out.lines().find_map(|line| line.split_once("LARGE ").map(|(_, rest)| rest))?;
    let (count, said) = line.split_once(' ')?;
    Some((count.parse().ok()?, said.to_owned()))
}

/// Every large allocation of reading this file is refused once.
fn each_refused(file: &str) {
    let (large, whole) = outcome(file, 0, None).expect("it is read");
    assert!(whole.starts_with("read ") && large > 0, "{file}: {large} {whole}");
    let ended: Vec<usize> =
        (1..=large).filter(|&refused| !survived(file, outcome(file, refused, None))).collect();
    assert!(ended.is_empty(), "{file}: the process ended at {ended:?} of {large}");
    println!("{file}: {large} large allocations refused, each was survived");
}

/// Whether a process was not ended; what it said is a table or a sentence.
fn survived(file: &str, outcome: Option<(usize, String)>) -> bool {
    let Some((_, said)) = outcome else { return false };
    assert!(said.starts_with("read ") || said.contains(file) && said.contains("memory"), "{said}");
    true
}

const ROWS: usize = 120_000;

#[test]
fn a_numpy_array_that_cannot_be_held_is_refused_in_words() {
    let folder = Folder::new();
    let values: Vec<u8> = (0..4 * ROWS).flat_map(|i| ((i % 97) as f64).to_le_bytes()).collect();
    let bytes = npy_bytes("'<f8'", false, &format!("({ROWS}, 4)"), &values);
    each_refused(&folder.file("t.npy", bytes));
}

#[test]
fn a_csv_file_that_cannot_be_held_is_refused_in_words() {
    let folder = Folder::new();
    let mut text = "a,b,c,d\n".to_owned();
    (0..ROWS)
        .for_each(|i| text.push_str(&format!("{},{},{}.5,{}\n", i % 97, i % 89, i % 7, i % 1009)));
    each_refused(&folder.file("t.csv", text));
}

#[test]
fn texts_that_cannot_be_held_are_refused_in_words() {
    let folder = Folder::new();
    let mut text = "id,word,size\n".to_owned();
    (0..3 * ROWS)
        .for_each(|i| text.push_str(&format!("id-{},w{},{}\n", i % 60_000, i % 17, i % 89)));
    each_refused(&folder.file("t.csv", text));
}

/// With more different texts than that the preparation's own lists are large. They are not guarded one by one: memory for
/// all of them is asked for before, so what is survived is memory that has run out, not a single refusal among them.
#[test]
fn many_different_texts_are_refused_in_words_when_memory_has_run_out() {
    let folder = Folder::new();
    let mut text = "id,word,size\n".to_owned();
    (0..3 * ROWS).for_each(|i| text.push_str(&format!("id-{i},w{},{}\n", i % 17, i % 89)));
    let file = folder.file("t.csv", text);
    let outcomes: Vec<_> = (4..=130).step_by(6).map(|mb| outcome(&file, 0, Some(mb))).collect();
    let read = |o: &&Option<(usize, String)>| o.as_ref().is_some_and(|o| o.1.starts_with("read "));
    let enough = outcomes.iter().filter(read).count();
    assert!(enough > 0 && enough < outcomes.len(), "{enough} of {}", outcomes.len());
    let ended = outcomes.into_iter().filter(|o| !survived(&file, o.clone())).count();
    assert_eq!(ended, 0, "with so many sizes of the memory the process ended");
}

#[test]
fn sparse_rows_that_cannot_be_held_are_refused_in_words() {
    let folder = Folder::new();
    let mut text = String::new();
    (0..2 * ROWS).for_each(|i| text.push_str(&format!("{} 1:{} {}:2\n", i % 2, i % 97, 2 + i % 9)));
    each_refused(&folder.file("t.svm", text));
}

#[test]
fn a_parquet_file_that_cannot_be_held_is_refused_in_words() {
    let folder = Folder::new();
    let numbers = |by: usize| Col::F64((0..2 * ROWS).map(|i| (i % by) as f64 * 0.37).collect());
    let words = Col::Text((0..2 * ROWS).map(|i| ["a", "b", "c"][i % 3]).collect());
    let message = "message t { required double a; required double b; required binary c (UTF8); }";
    let group = vec![numbers(97), numbers(90_001), words];
    each_refused(&folder.parquet("t.parquet", message, &[group]));
}

#[test]
fn an_archive_that_cannot_be_held_is_refused_in_words() {
    use std::io::Write;
    let folder = Folder::new();
    let mut text = "a,b\n".to_owned();
    (0..3 * ROWS).for_each(|i| text.push_str(&format!("{},{}\n", i % 97, i % 89)));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.as_bytes()).unwrap();
    each_refused(&folder.file("t.csv.gz", packed.finish().unwrap()));
}
