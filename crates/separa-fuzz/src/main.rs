//! `separa-fuzz [TARGET...] [--seconds S] [--seed N] [--found FOLDER]`: mutations until the time is up, on one thread.
//!
//! Exits with 1 if an input panics, takes longer than ten seconds, or the memory grows; the input is kept in FOLDER.
//! `separa-fuzz TARGET FILE` gives one file to a target.

use separa_fuzz::drive::{Outcome, SLOW, corpus, input, on_one_thread, try_one};
use separa_fuzz::{TARGETS, Target, target};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Growth of the memory between the first tenth and the end that is no coincidence, in MB.
const GROWTH: f64 = 200.0;

/// What is under way, for whoever looks whether it hangs.
type UnderWay = Arc<Mutex<Option<(Instant, &'static Target, Vec<u8>)>>>;

struct Asked {
    targets: Vec<&'static Target>,
    seconds: f64,
    seed: u64,
    found: PathBuf,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [name, file] = &words[..]
        && let (Some(target), Ok(bytes)) = (target(name), std::fs::read(file))
    {
        (target.run)(&bytes);
        return println!("{name}: {file} holds");
    }
    let after = |name: &str| Some(words.get(words.iter().position(|w| w == name)? + 1)?.as_str());
    let named: Vec<_> = words.iter().filter_map(|word| target(word)).collect();
    let asked = Asked {
        targets: if named.is_empty() { TARGETS.iter().collect() } else { named },
        seconds: after("--seconds").and_then(|s| s.parse().ok()).unwrap_or(60.0),
        seed: after("--seed").and_then(|s| s.parse().ok()).unwrap_or(22),
        found: after("--found").map_or_else(std::env::temp_dir, PathBuf::from),
    };
    std::process::exit(i32::from(!on_one_thread(|| run(&asked))));
}

fn run(asked: &Asked) -> bool {
    // A panic is an outcome here, and is said once.
    std::panic::set_hook(Box::new(|_| {}));
    let under_way = UnderWay::default();
    let watched = Arc::clone(&under_way);
    let found = asked.found.clone();
    std::thread::spawn(move || watch(&watched, &found));
    let mut all_held = true;
    for target in &asked.targets {
        let seconds = asked.seconds / asked.targets.len() as f64;
        all_held &= drive(target, seconds, asked, &under_way);
    }
    all_held
}

/// Ends the process where an input does not end by itself.
fn watch(under_way: &UnderWay, found: &Path) {
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let now = under_way.lock().expect("nothing panics while it holds this").clone();
        if let Some((began, target, bytes)) = now
            && began.elapsed() > 6 * SLOW
        {
            println!("{}: an input hangs: {}", target.name, keep(found, target, &bytes));
            std::process::exit(1);
        }
    }
}

fn keep(found: &Path, target: &Target, bytes: &[u8]) -> String {
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    let path = found.join(format!("{}-{sum:016x}", target.name));
    match std::fs::write(&path, bytes) {
        Ok(()) => path.display().to_string(),
        Err(e) => format!("it could not be kept in {} ({e})", path.display()),
    }
}

/// Memory of this process in MB; none where that cannot be seen.
fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<f64>().ok()? * 4096.0 / 1048576.0)
}

fn drive(target: &'static Target, seconds: f64, asked: &Asked, under_way: &UnderWay) -> bool {
    let files = corpus(target);
    let (began, mut turn, mut bad, mut first) = (Instant::now(), 0_u64, 0, None);
    while began.elapsed().as_secs_f64() < seconds {
        let bytes = input(&files, asked.seed, turn);
        *under_way.lock().expect("nothing panics while it holds this") =
            Some((Instant::now(), target, bytes.clone()));
        let outcome = try_one(target, &bytes);
        *under_way.lock().expect("nothing panics while it holds this") = None;
        if outcome != Outcome::Held && bad < 20 {
            println!("{}: {outcome:?}: {}", target.name, keep(&asked.found, target, &bytes));
        }
        bad += u64::from(outcome != Outcome::Held);
        turn += 1;
        if first.is_none() && began.elapsed().as_secs_f64() > seconds / 10.0 {
            first = resident();
        }
    }
    let grown = resident().zip(first).map_or(0.0, |(now, first)| now - first);
    println!(
        "{}: {turn} inputs in {seconds:.0} s, {bad} broke something, memory {grown:+.0} MB",
        target.name
    );
    bad == 0 && grown < GROWTH
}
