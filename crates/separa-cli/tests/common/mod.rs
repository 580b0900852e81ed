//! Runs the real binary in a folder of its own.
#![allow(dead_code, reason = "every test file uses a part of this")]

pub mod http;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder that goes away, and the binary to run in it.
#[derive(Debug)]
pub struct Desk {
    folder: TempDir,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: TempDir::new().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), content).expect("the temporary folder is writable");
        self
    }

    pub fn get(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder())
            .expect("the folder exists")
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_separa"));
        command.args(args).current_dir(self.folder()).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("NO_PROGRESS");
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().expect("the binary runs").into()
    }

    /// Words separated by spaces, for arguments without any.
    pub fn separa(&self, words: &str) -> Ran {
        self.run(&words.split_whitespace().collect::<Vec<_>>())
    }

    pub fn with_input(&self, words: &str, input: &str) -> Ran {
        let args: Vec<&str> = words.split_whitespace().collect();
        let mut child = self
            .command(&args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        child.wait_with_output().expect("it ends").into()
    }

    /// Runs what must be refused: exit code 2, one line that holds all `parts`, perhaps a command below it, no new file.
    #[track_caller]
    pub fn refused(&self, words: &str, parts: &[&str]) -> String {
        let before = self.files();
        let ran = self.separa(words);
        assert_eq!(ran.code, Some(2), "`separa {words}` should be refused: {ran:?}");
        assert!(ran.out.is_empty(), "results of a refused run: {}", ran.out);
        assert!(ran.err.starts_with("error: "), "{}", ran.err);
        let below: Vec<&str> = ran.err.trim_end().lines().skip(1).collect();
        let ready = |line: &str| line.starts_with("  separa ") || line.contains("' && separa ");
        let command = below.len() == 1 && ready(below[0]);
        assert!(below.is_empty() || command, "one line, or a command below it: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "`{part}` is missing in: {}", ran.err);
        }
        assert_eq!(self.files(), before, "a refused run wrote something");
        ran.err
    }
}

impl Ran {
    /// The run's standard output, where it went well.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "out: {}\nerr: {}", self.out, self.err);
        self.out
    }

    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        let out = self.ok();
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
    }
}

impl From<Output> for Ran {
    fn from(o: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("what we print is UTF-8");
        Self { code: o.status.code(), out: text(o.stdout), err: text(o.stderr) }
    }
}

/// The wine table, truth in its last column `cultivar`.
pub const WINE: &str = include_str!("../../../../examples/data/wine.csv");

/// Two clouds of `n` rows each, far apart in the first of `d` columns; last column `kind`.
pub fn two_clouds(n: usize, d: usize) -> String {
    let names: Vec<String> = (0..d).map(|j| format!("f{j}")).collect();
    let mut text = format!("{},kind\n", names.join(","));
    let mut state = 1u64;
    let mut noise = || {
        // Sum of uniforms: near enough to a normal for a table of two blobs.
        (0..4)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
            })
            .sum::<f64>()
    };
    for i in 0..2 * n {
        let kind = i % 2;
        let row: Vec<String> = (0..d)
            .map(|j| format!("{:.6}", noise() + if j == 0 { 6.0 * kind as f64 } else { 0.0 }))
            .collect();
        text.push_str(&format!("{},{}\n", row.join(","), if kind == 0 { "red" } else { "blue" }));
    }
    text
}

/// The `label` column of a CSV of labels.
pub fn label_column(csv: &str) -> Vec<i32> {
    let mut lines = csv.lines();
    let header = lines.next().expect("a header");
    let at = header
        .split(',')
        .position(|name| name == "label" || name == "cluster")
        .expect("a label column");
    lines.map(|l| l.split(',').nth(at).expect("a label").parse().expect("a number")).collect()
}

pub const ESCAPE: char = '\u{1b}';

/// The notes of one kind ("warning", "notice") in an answer.
pub fn notes(answer: &serde_json::Value, kind: &str) -> Vec<serde_json::Value> {
    let all = answer["notes"].as_array().expect("every answer has notes");
    all.iter().filter(|note| note["kind"] == kind).cloned().collect()
}
