//! The arrows of docs/ARCHITECTURE.md: which room may name which.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out
}

/// The file without comments and without its tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let body = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
    let lines = body.lines().filter(|l| !l.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn assert_absent(folder: &str, words: &[&str], except: &[&str]) {
    let root = crates().join(folder);
    let files = if root.is_dir() { sources(&root) } else { vec![root] };
    assert!(!files.is_empty(), "{folder} has no sources");
    for file in files {
        let shown = file.display().to_string();
        if except.iter().any(|e| shown.ends_with(e)) {
            continue;
        }
        let code = code(&file);
        for word in words {
            assert!(!code.contains(word), "{shown} names `{word}`, which its room may not");
        }
    }
}

#[test]
fn only_the_linear_algebra_room_names_its_crate() {
    for folder in
        ["separa/src", "separa-io/src", "separa-report/src", "separa-cli/src", "separa-py/src"]
    {
        // Rows can be given as its matrices.
        assert_absent(folder, &["faer::", "faer "], &["data/as_rows.rs"]);
    }
    for room in [
        "matrix",
        "distance",
        "kernel",
        "neighbours",
        "kmeans",
        "optim",
        "chain",
        "stats",
        "moments.rs",
        "par.rs",
        "rng.rs",
    ] {
        assert_absent(&format!("separa-math/src/{room}"), &["faer"], &[]);
    }
}

#[test]
fn the_workshop_knows_no_clusters_and_no_files() {
    assert_absent(
        "separa-math/src",
        &["std::fs", "std::io", "println!", "eprintln!", "n_clusters"],
        &[],
    );
}

#[test]
fn the_library_prints_nothing_and_reads_and_writes_in_two_files() {
    let files = ["context/memory.rs", "model_file/disk.rs"];
    let printed = ["std::env", "println!", "eprintln!", "print!(", "static mut"];
    assert_absent("separa/src", &printed, &[]);
    assert_absent("separa/src", &["std::fs", "std::io"], &files);
    for file in files {
        assert!(code(&crates().join("separa/src").join(file)).contains("std::fs"), "{file}");
    }
    let words = [&["std::fs", "std::io"], &printed[..]].concat();
    // The one is a line of Rust that a page shows.
    assert_absent("separa-report/src", &words, &["present/apply.rs"]);
}

/// The string literals of a file, without its comments and tests.
fn literals(path: &Path) -> Vec<String> {
    let code = code(path);
    let (mut found, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut letters = code.chars().peekable();
    while let Some(c) = letters.next() {
        match (&mut open, c) {
            (Some(text), '\\') => text.extend(letters.next()),
            (Some(_), '"') => found.extend(open.take()),
            (Some(text), c) => text.push(c),
            (None, '\'') if letters.peek() == Some(&'"') => drop(letters.next()),
            (None, '"') => open = Some(String::new()),
            (None, _) => {}
        }
    }
    found
}

#[test]
fn the_library_names_no_option_and_no_python_argument() {
    for folder in ["separa/src", "separa-math/src"] {
        let tests = |file: &PathBuf| file.file_stem().is_some_and(|name| name == "tests");
        for file in sources(&crates().join(folder)).into_iter().filter(|f| !tests(f)) {
            for text in literals(&file) {
                for word in ["--", " -k", "max_memory", "`separa ", "separa."] {
                    let shown = file.display();
                    assert!(!text.contains(word), "{shown} says `{word}` in {text:?}");
                }
            }
        }
    }
}

#[test]
fn the_page_knows_no_files_and_no_linear_algebra() {
    assert_absent("separa-report/src", &["separa_io", "separa_math", "clap", "pyo3"], &[]);
    for folder in ["separa-math/src", "separa/src", "separa-io/src"] {
        assert_absent(folder, &["separa_report", "<svg"], &[]);
    }
    // Where rows lie for the eye is computed from a model, whatever its method.
    let upper = ["crate::methods", "crate::registry", "crate::quality", "crate::clusterer"];
    assert_absent("separa/src/view", &upper, &[]);
}

#[test]
fn rooms_of_the_workshop_point_one_way() {
    let rows = ["crate::distance", "crate::kernel", "crate::neighbours", "crate::kmeans"];
    let upper = [&rows[..], &["crate::optim", "crate::stats", "crate::moments"]].concat();
    assert_absent("separa-math/src/linalg", &upper, &[]);
    assert_absent("separa-math/src/matrix", &[&upper[..], &["crate::linalg"]].concat(), &[]);
    for room in ["distance", "kernel"] {
        let upper = ["crate::optim", "crate::stats", "crate::neighbours", "crate::kmeans"];
        assert_absent(&format!("separa-math/src/{room}"), &upper, &[]);
    }
    for room in ["neighbours", "kmeans"] {
        assert_absent(&format!("separa-math/src/{room}"), &["crate::optim", "crate::stats"], &[]);
    }
    for room in ["optim", "stats"] {
        assert_absent(&format!("separa-math/src/{room}"), &rows, &[]);
    }
    let rooms = ["crate::linalg", "crate::kernel", "crate::optim", "crate::matrix"];
    assert_absent("separa-math/src/chain", &rooms, &[]);
}

/// The request, the result and what only they need: the top of the library.
const TOP: [&str; 9] = [
    "crate::any_method",
    "crate::any_classifier",
    "crate::clusterer",
    "crate::clustering",
    "crate::compare",
    "crate::k_auto",
    "crate::registry",
    "crate::stability",
    "crate::trainer",
];

#[test]
fn rooms_of_the_library_point_one_way() {
    let library = |room: &str| format!("separa/src/{room}");
    let upper = [&TOP[..], &["crate::methods", "crate::classify", "crate::quality"]].concat();
    for room in [
        "driver.rs",
        "kmeans.rs",
        "start",
        "assign",
        "entropy",
        "context",
        "data",
        "model.rs",
        "note.rs",
        "params",
        "pass",
        "progress.rs",
        "report.rs",
        "error.rs",
        "note.rs",
        "k_auto/counted.rs",
    ] {
        // The theorems of the framework are shown with the posteriors of the methods.
        assert_absent(&library(room), &upper, &["entropy/tests.rs"]);
    }
    // From margins to confidence: it is told what refits said, whoever made them.
    let below = ["crate::methods", "crate::classify", "crate::driver", "crate::start"];
    for room in ["confidence", "novelty", "drift", "baseline.rs"] {
        assert_absent(&library(room), &[&TOP[..], &below[..]].concat(), &[]);
    }
    for room in ["data", "note.rs", "params", "progress.rs", "error.rs"] {
        let upper = ["crate::method::", "crate::driver", "crate::start"];
        assert_absent(&library(room), &upper, &[]);
    }
    // The trait of all methods names the request and the result that its `fit` stands for, and no more.
    let others: Vec<&str> = upper
        .iter()
        .copied()
        .filter(|room| !["crate::clusterer", "crate::clustering", "crate::trainer"].contains(room))
        .collect();
    assert_absent(&library("method.rs"), &others, &[]);
    for room in ["methods", "classify"] {
        let upper = [&TOP[..], &["crate::quality", "crate::source", "crate::validate"]].concat();
        assert_absent(&library(room), &upper, &[]);
    }
    assert_absent(&library("classify"), &["crate::methods"], &[]);
    assert_absent(&library("methods"), &["crate::classify"], &[]);
    let below = ["crate::methods", "crate::classify", "crate::driver", "crate::start"];
    assert_absent(&library("quality"), &[&TOP[..], &below[..]].concat(), &[]);
    let counting = TOP.iter().copied().filter(|room| *room != "crate::k_auto");
    let counting: Vec<&str> = counting.chain(["crate::methods", "crate::classify"]).collect();
    assert_absent(&library("k_auto/count"), &counting, &[]);
    // Which methods there are is known to the registry alone; what is on top asks it.
    for room in
        ["clusterer", "clustering", "k_auto", "compare", "source", "stability.rs", "trainer.rs"]
    {
        assert_absent(&library(room), &["crate::methods", "crate::classify"], &[]);
    }
    for room in ["clusterer", "clustering", "k_auto", "stability.rs", "registry.rs", "model_file"] {
        assert_absent(&library(room), &["crate::compare"], &[]);
    }
    assert_absent(&library("registry.rs"), &["crate::clusterer", "crate::stability"], &[]);
}

#[test]
fn the_library_names_no_flag() {
    let flags = ["(--", " --", "`--"];
    // Sentences of the command line that the library still words: to be remedies.
    assert_absent("separa/src", &flags, &[]);
}

#[test]
fn the_binding_knows_no_method_and_the_command_line_no_python() {
    assert_absent(
        "separa-py/src",
        &["separa::methods", "separa_math", "\"mspc\"", "\"kmeans\""],
        &[],
    );
    for folder in ["separa-math/src", "separa/src", "separa-io/src", "separa-cli/src"] {
        assert_absent(folder, &["pyo3", "numpy::"], &[]);
    }
}

#[test]
fn the_room_of_the_server_knows_no_options_and_prints_nothing() {
    let printed = ["println!", "eprintln!", "print!(", "std::env", "clap", "pyo3", "separa_report"];
    assert_absent("separa-serve/src", &printed, &[]);
    assert_absent("separa-serve/src", &["separa::methods", "separa_math", "--"], &[]);
    // What is asked is the doors' business.
    assert_absent("separa-serve/src/room", &["crate::predict", "separa::"], &[]);
    for folder in
        ["separa/src", "separa-io/src", "separa-report/src", "separa-cli/src", "separa-py/src"]
    {
        assert_absent(folder, &["hyper::", "tokio::"], &[]);
    }
}

#[test]
fn no_method_imports_another() {
    let root = crates().join("separa/src/methods");
    let names: Vec<String> = fs::read_dir(&root)
        .unwrap()
        .map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|n| n != "mod")
        .collect();
    assert!(names.len() >= 2);
    for mine in &names {
        let folder = root.join(mine);
        let files =
            if folder.is_dir() { sources(&folder) } else { vec![root.join(format!("{mine}.rs"))] };
        for file in files {
            let code = code(&file);
            for other in names.iter().filter(|o| *o != mine) {
                let named = code.contains(&format!("methods::{other}"))
                    || code.contains(&format!("super::{other}::"));
                assert!(!named, "{} imports the method {other}", file.display());
            }
        }
    }
}

#[test]
fn unsafe_code_stands_in_two_files() {
    let all = [
        "separa-math/src",
        "separa/src",
        "separa-io/src",
        "separa-report/src",
        "separa-serve/src",
        "separa-cli/src",
        "separa-py/src",
    ];
    let files: Vec<PathBuf> = all.iter().flat_map(|c| sources(&crates().join(c))).collect();
    let holders: Vec<String> = files
        .iter()
        .filter(|f| ["unsafe {", "unsafe impl", "unsafe fn"].iter().any(|w| code(f).contains(w)))
        .map(|f| f.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(holders, ["zero_upper.rs", "view.rs"]);
}

/// A file that its crate's `tests/all.rs` does not name would never be run.
#[test]
fn every_file_of_tests_is_part_of_its_program() {
    let mut seen = 0;
    for crate_folder in fs::read_dir(crates()).unwrap() {
        let tests = crate_folder.unwrap().path().join("tests");
        let Ok(program) = fs::read_to_string(tests.join("all.rs")) else { continue };
        for entry in fs::read_dir(&tests).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if path.extension().is_some_and(|e| e == "rs") && name != "all" {
                let listed = program.lines().any(|line| line == format!("mod {name};"));
                assert!(listed, "{} is never run: add `mod {name};` to all.rs", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 80, "only {seen} files of tests were found");
}
