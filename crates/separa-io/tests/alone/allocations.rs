//! Memory that the system refuses: every allocation of a megabyte or more, one after the other. A table that cannot be
//! held is an error in words, not the end of the process.
//!
//! A program by itself, because it has an allocator of its own. Each refusal happens in a process of its own, which is this
//! program once more: what is not caught would end it.

#[path = "../common/mod.rs"]
mod common;

use common::{Folder, npy_bytes};
use separa_io::{TableOptions, read};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const LARGE: usize = 1 << 20;
/// Large allocations left until one is refused; 0: none is.
static LEFT: AtomicUsize = AtomicUsize::new(0);
static SEEN: AtomicUsize = AtomicUsize::new(0);

struct Refuses;

fn refused(size: usize) -> bool {
    if size < LARGE {
        return false;
    }
    SEEN.fetch_add(1, Ordering::SeqCst);
    let less = |left: usize| left.checked_sub(1);
    LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less) == Ok(1)
}

// SAFETY: the system's allocator, which may always say no.
#[allow(unsafe_code, reason = "an allocator cannot be written otherwise")]
unsafe impl GlobalAlloc for Refuses {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match refused(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: as the caller promised.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match refused(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: as the caller promised.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match refused(size) {
            true => std::ptr::null_mut(),
            // SAFETY: as the caller promised.
            false => unsafe { System.realloc(old, layout, size) },
        }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refuses = Refuses;

/// The file to read and the allocation to refuse, for a process that is started by a test.
const FILE: &str = "SEPARA_READ";
const REFUSED: &str = "SEPARA_REFUSED";

/// Reads the file that it is told of, and says how many large allocations that took, or why it failed.
#[test]
fn reading_when_told_to() {
    let Ok(file) = std::env::var(FILE) else { return };
    let refused = std::env::var(REFUSED).unwrap().parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let said = pool.install(|| {
        LEFT.store(refused, Ordering::SeqCst);
        SEEN.store(0, Ordering::SeqCst);
        let done = read(&file, &TableOptions::default());
        LEFT.store(0, Ordering::SeqCst);
        match done {
            Ok(table) => format!("read {} rows", table.rows),
            Err(e) => format!("refused: {e}"),
        }
    });
    println!("LARGE {} {said}", SEEN.load(Ordering::SeqCst));
}

/// What that process says about a file with this allocation refused: how many there were, and the outcome.
fn outcome(file: &str, refused: usize) -> Option<(usize, String)> {
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "reading_when_told_to", "--nocapture"])
        .env(FILE, file)
        .env(REFUSED, refused.to_string())
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    let line = out.lines().find_map(|line| line.split_once("LARGE ").map(|(_, rest)| rest))?;
    let (count, said) = line.split_once(' ')?;
    Some((count.parse().ok()?, said.to_owned()))
}

/// Every large allocation of reading this file is refused once.
fn each_refused(file: &str) {
    let (large, whole) = outcome(file, 0).expect("it is read");
    assert!(whole.starts_with("read ") && large > 0, "{file}: {large} {whole}");
    let mut ended = Vec::new();
    for refused in 1..=large {
        match outcome(file, refused) {
            Some((_, said)) if said.starts_with("read ") => {}
            Some((_, said)) => assert!(said.contains(file) && said.contains("memory"), "{said}"),
            None => ended.push(refused),
        }
    }
    assert!(ended.is_empty(), "{file}: the process ended at {ended:?} of {large}");
    println!("{file}: {large} large allocations refused, each was survived");
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
    // More different texts would make lists of a megabyte in the preparation, which are not guarded yet.
    (0..3 * ROWS)
        .for_each(|i| text.push_str(&format!("id-{},w{},{}\n", i % 60_000, i % 17, i % 89)));
    each_refused(&folder.file("t.csv", text));
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
