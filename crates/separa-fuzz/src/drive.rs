//! A driver that needs no other tool: seeded mutations of the corpus, in this process.

use crate::{Draws, Target};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An input that takes longer is too slow.
pub const SLOW: Duration = Duration::from_secs(10);
/// Inputs are at most so long: what is larger teaches no more and takes longer.
const LONGEST: usize = 1 << 16;

/// Where the files of a target are, in this checkout.
pub fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target.name)
}

/// The files of a target by name, in order.
pub fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let listed = std::fs::read_dir(folder(target)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    let named = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Some((name, std::fs::read(path).ok()?))
    };
    paths.into_iter().filter_map(named).collect()
}

/// Does the work on a pool of one thread: inputs are too small to be shared out.
pub fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("the operating system gives a thread").install(work)
}

/// What an input did.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Nothing that it may not.
    Held,
    /// It panicked: what was said.
    Panicked(String),
    /// It took this long.
    Slow(Duration),
}

/// Gives bytes to a target.
pub fn try_one(target: &Target, bytes: &[u8]) -> Outcome {
    let began = Instant::now();
    let mut done = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    let mut took = began.elapsed();
    // Perhaps the machine had other work: once more, by the processor's clock.
    if done.is_ok() && took > SLOW {
        let before = processor();
        done = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
        took = processor().zip(before).map_or(took, |(after, before)| after - before);
    }
    match done {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Outcome::Panicked(text.unwrap_or_else(|| "a panic without words".to_owned()))
        }
        Ok(()) if took > SLOW => Outcome::Slow(took),
        Ok(()) => Outcome::Held,
    }
}

/// Time that this process had of the processor; none where that cannot be seen.
fn processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let ticks = text.rsplit(')').next()?.split_whitespace().skip(11).take(2);
    let ticks: Vec<u64> = ticks.filter_map(|ticks| ticks.parse().ok()).collect();
    Some(Duration::from_millis(10 * ticks.iter().sum::<u64>()))
}

/// The input number `turn` of a seed: a file of the corpus with a few changes, or choices out of nothing.
pub fn input(corpus: &[(String, Vec<u8>)], seed: u64, turn: u64) -> Vec<u8> {
    let mut draws = Draws::new(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ turn.wrapping_mul(0xd134_2543_de82_ef95),
    );
    draws.below(2);
    if corpus.is_empty() || draws.below(16) == 0 {
        return (0..draws.below(400)).map(|_| draws.below(256) as u8).collect();
    }
    let one = &corpus[draws.below(corpus.len())].1;
    let other = &corpus[draws.below(corpus.len())].1;
    let mut out = mutated(one, &mut draws);
    if draws.below(12) == 0 && !other.is_empty() {
        out.truncate(draws.below(out.len() + 1));
        out.extend_from_slice(&other[draws.below(other.len())..]);
    }
    out.truncate(LONGEST);
    out
}

/// A few changes: bytes, lengths, digits, parts cut out or said twice.
fn mutated(bytes: &[u8], draws: &mut Draws) -> Vec<u8> {
    const WORDS: [u64; 8] = [0, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];
    const TEXTS: [&str; 16] = [
        "NaN",
        "-inf",
        "1e400",
        "1e-400",
        "\"",
        ",",
        ";",
        "\n",
        "\r",
        "\t",
        "{",
        "[",
        "null",
        "-0.0",
        "\u{fe0f}",
        "99999999999999999999",
    ];
    let mut out = bytes.to_vec();
    for _ in 0..=draws.below(4) {
        let n = out.len().max(1);
        let (at, length) = (draws.below(n), 1 + draws.below(16));
        let end = (at + length).min(out.len());
        match draws.below(8) {
            _ if out.is_empty() => out.push(draws.below(256) as u8),
            0 => out[at] ^= 1 << draws.below(8),
            1 => out[at] = draws.below(256) as u8,
            2 => {
                let word = WORDS[draws.below(WORDS.len())].to_le_bytes();
                let width = [1, 2, 4, 8][draws.below(4)].min(out.len() - at);
                out[at..at + width].copy_from_slice(&word[..width]);
            }
            3 => drop(out.drain(at..end)),
            4 => {
                let part = out[at..end].to_vec();
                let to = draws.below(out.len());
                out.splice(to..to, part);
            }
            5 => {
                let text = TEXTS[draws.below(TEXTS.len())];
                out.splice(at..end.min(at + text.len()), text.bytes());
            }
            6 => {
                let digit = b'0' + draws.below(10) as u8;
                out.iter_mut()
                    .skip(at)
                    .find(|b| b.is_ascii_digit())
                    .into_iter()
                    .for_each(|b| *b = digit);
            }
            _ => out.truncate(at),
        }
    }
    out
}
