//! Files that broke something once, examples of every format, and 20,000 seeded mutations of them: the same every time.
//! `fuzz/run MINUTES` makes others.

use separa_fuzz::drive::{Outcome, corpus, folder, input, on_one_thread, try_one};
use separa_fuzz::{TARGETS, Target};

const SEED: u64 = 22;

fn held(target: &Target, what: &str, bytes: &[u8]) {
    let outcome = try_one(target, bytes);
    if outcome != Outcome::Held {
        let path = std::env::temp_dir().join(format!("separa-{}", target.name));
        std::fs::write(&path, bytes).unwrap();
        panic!("{} {what}: {outcome:?}; the input is kept: {}", target.name, path.display());
    }
}

fn replay(names: &[&str]) {
    for target in TARGETS.iter().filter(|target| names.contains(&target.name)) {
        let files = corpus(target);
        assert!(!files.is_empty(), "{} has no files in {}", target.name, folder(target).display());
        on_one_thread(|| {
            files.iter().for_each(|(name, bytes)| held(target, name, bytes));
            for turn in 0..target.share as u64 {
                held(target, &format!("mutation {turn}"), &input(&files, SEED, turn));
            }
        });
        println!("{}: {} files and {} mutations held", target.name, files.len(), target.share);
    }
}

#[test]
fn all_targets_are_replayed_with_20000_mutations() {
    assert_eq!(TARGETS.iter().map(|target| target.share).sum::<usize>(), 20_000);
    let corpus: u64 = TARGETS.iter().flat_map(corpus).map(|(_, bytes)| bytes.len() as u64).sum();
    assert!(corpus < 2 << 20, "the corpus has {corpus} bytes");
}

#[test]
fn models_with_weights_that_no_fit_makes_are_refused() {
    let files = corpus(separa_fuzz::target("model").unwrap());
    let forged: Vec<_> = files.iter().filter(|(name, _)| name.starts_with("infinite")).collect();
    assert_eq!(forged.len(), 2);
    for (name, bytes) in forged {
        let said = separa::model_file::from_bytes(bytes).unwrap_err().to_string();
        assert!(said.contains("holds 1e308, expected a magnitude below 1e250"), "{name}: {said}");
    }
}

#[test]
fn tables_are_read_or_refused_in_words() {
    replay(&["csv", "json", "parquet", "npy", "svmlight"]);
}

#[test]
fn models_and_parameters_are_read_or_refused_in_words() {
    replay(&["model", "params", "predict"]);
}

#[test]
fn fits_of_any_parameters_keep_their_promises() {
    replay(&["fit"]);
}
