//! Files that broke something once, and thousands of changed ones: an error in words or a table, never a panic.
//!
//! The same mutations every time. `fuzz/run MINUTES` asks for others by SEPARA_MUTATIONS (how many) and SEPARA_SEED.

mod common;

use common::{Col, npy_bytes, parquet_bytes};
use separa::preparation::MissingRule;
use separa_io::{TableOptions, read_bytes};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Small files of every format; those of `fuzz/corpus`, where it is at hand, broke something before.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let message = "message t { optional double a; required int64 b; required binary c (UTF8); }";
    let a = Col::OptF64((0..60).map(|i| (i % 7 != 0).then_some(f64::from(i))).collect());
    let c = Col::Text((0..60).map(|i| if i % 2 == 0 { "even" } else { "odd" }).collect());
    let parquet = parquet_bytes(message, &[vec![a, Col::I64((0..60).collect()), c]]);
    let csv = "id,price,day,kind\n7,1.5,2024-03-01,a\n8,\"2,5\",2024-03-02,b\n9,NA,2024-03-05,a\n";
    let json = r#"[{"a":1,"b":"x"},{"a":2.5,"b":"y"},{"a":null,"b":"x"}]"#;
    let mut all = vec![
        ("t.csv".to_owned(), csv.repeat(3).into_bytes()),
        ("t.json".into(), json.into()),
        ("t.svm".into(), b"1 1:0.5 3:2\n-1 2:1e3 # c\n1 1:7\n".repeat(4)),
        ("t.npy".into(), npy_bytes("'<f8'", true, "(4, 2)", &[1; 64])),
        ("t.parquet".into(), parquet),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        all.push((name, std::fs::read(&path).unwrap()));
    }
    all
}

/// Numbers that look random: Knuth's generator.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A table or a model, or an error that says something.
fn try_to_read(name: &str, bytes: Vec<u8>) {
    let said = if name.ends_with(".separa") {
        separa::model_file::from_bytes(&bytes).err().map(|e| e.to_string())
    } else {
        let options = TableOptions { missing: Some(MissingRule::Mean), ..TableOptions::default() };
        read_bytes(name, bytes, &options).err().map(|e| e.to_string())
    };
    assert!(said.is_none_or(|said| said.len() > 10), "{name}");
}

/// A few changes: bytes, lengths, parts cut out or said twice.
fn mutated(bytes: &[u8], source: &mut Draws) -> Vec<u8> {
    const WORDS: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];
    let mut out = bytes.to_vec();
    for _ in 0..=source.below(4) {
        let n = out.len().max(1);
        let (at, length) = (source.below(n), 1 + source.below(16));
        let end = (at + length).min(out.len());
        match source.below(6) {
            _ if out.is_empty() => out.push(source.below(256) as u8),
            0 => out[at] ^= 1 << source.below(8),
            1 => out[at] = source.below(256) as u8,
            2 => {
                let word = WORDS[source.below(WORDS.len())].to_le_bytes();
                let width = [1, 2, 4, 8][source.below(4)].min(out.len() - at);
                out[at..at + width].copy_from_slice(&word[..width]);
            }
            3 => drop(out.drain(at..end)),
            4 => {
                let part = out[at..end].to_vec();
                let to = source.below(out.len());
                out.splice(to..to, part);
            }
            _ => out.truncate(at),
        }
    }
    out
}

#[test]
fn models_with_weights_that_no_fit_makes_are_refused() {
    let forged = corpus().into_iter().filter(|(name, _)| name.starts_with("infinite"));
    for (name, bytes) in forged {
        let said = separa::model_file::from_bytes(&bytes).unwrap_err().to_string();
        assert!(said.contains("holds 1e308, expected a magnitude below 1e250"), "{name}: {said}");
    }
}

#[test]
fn known_trouble_and_seeded_mutations_are_read_or_refused_in_words() {
    separa_io::hush_decoder();
    let asked = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (count, seed) =
        (asked("SEPARA_MUTATIONS").unwrap_or(20_000), asked("SEPARA_SEED").unwrap_or(22));
    let corpus = corpus();
    for (name, bytes) in &corpus {
        try_to_read(name, bytes.clone());
    }
    let mut source = Draws(seed);
    for turn in 0..count {
        let (name, bytes) = &corpus[turn as usize % corpus.len()];
        let bytes = mutated(bytes, &mut source);
        let kept = bytes.clone();
        if catch_unwind(AssertUnwindSafe(|| try_to_read(name, bytes))).is_err() {
            let path = std::env::temp_dir().join(format!("separa-crash-{seed}-{turn}-{name}"));
            std::fs::write(&path, kept).unwrap();
            panic!("mutation {turn} of {name} with seed {seed} panicked: {}", path.display());
        }
    }
    println!("{} files and {count} mutations: read or refused", corpus.len());
}
