//! The process killed at random places: files are old or new, all of one run, and nothing else is left for long.
//!
//! `fuzz/kills` asks for more of them by SEPARA_KILLS.

use crate::common;

use common::{Desk, WINE};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: [&str; 3] = ["m.separa", "l.csv", "r.html"];

/// Numbers that look random: Knuth's generator.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

fn command(desk: &Desk, table: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_separa"));
    command.current_dir(desk.folder()).args(["cluster", table, "-k", "3", "-m", "kmeans", "-q"]);
    command.args(["--model", FILES[0], "-o", FILES[1], "--report", FILES[2]]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Which of two tables each file is of: model and labels by their bytes, the page by the table's name at its whole length.
fn owner(desk: &Desk, known: &[(&str, [Vec<u8>; 2])]) -> [Option<usize>; 3] {
    let by_bytes = |file: usize| {
        let found = fs::read(desk.path(FILES[file])).ok()?;
        known.iter().position(|(_, bytes)| bytes[file] == found)
    };
    let page = fs::read_to_string(desk.path(FILES[2])).ok();
    let page = page.filter(|page| page.trim_end().ends_with("</html>"));
    let page = page.and_then(|page| known.iter().position(|(name, _)| page.contains(name)));
    [by_bytes(0), by_bytes(1), page]
}

#[test]
fn a_killed_run_leaves_whole_files_of_one_run() {
    let kills: u64 = std::env::var("SEPARA_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let desk = Desk::new();
    let fewer: String = WINE
        .lines()
        .enumerate()
        .filter(|(i, _)| i % 7 != 3)
        .map(|(_, l)| format!("{l}\n"))
        .collect();
    desk.put("first.csv", WINE).put("second.csv", fewer);
    let mut known = Vec::new();
    let mut longest = Duration::ZERO;
    for table in ["first.csv", "second.csv"] {
        let began = Instant::now();
        assert!(command(&desk, table).status().unwrap().success());
        longest = longest.max(began.elapsed());
        known.push((table, [desk.bytes(FILES[0]), desk.bytes(FILES[1])]));
    }
    assert_eq!(owner(&desk, &known), [Some(1); 3]);
    let (mut source, mut done) = (Draws(22), 0);
    for kill in 0..kills {
        let mut child = command(&desk, known[kill as usize % 2].0).spawn().unwrap();
        // Every other one while files are being written: where most can go wrong.
        let writing = kill % 2 == 0;
        let until = Instant::now() + longest.mul_f64(source.below(1000) as f64 / 1000.0);
        while child.try_wait().unwrap().is_none() {
            let temporary = desk.files().iter().any(|name| name.starts_with(".separa-"));
            if (writing && temporary) || (!writing && Instant::now() >= until) {
                std::thread::sleep(Duration::from_micros(source.below(3000)));
                break;
            }
        }
        let _ = child.kill();
        done += u32::from(!child.wait().unwrap().success());
        let found = owner(&desk, &known);
        assert!(found[0].is_some() && found == [found[0]; 3], "kill {kill}: {found:?}");
    }
    println!("{done} of {kills} runs were killed, all files were whole and of one run");
    // A later run sweeps what was left, once it is old enough to have no owner.
    for name in desk.files().iter().filter(|name| name.starts_with(".separa-")) {
        let file = fs::File::options().write(true).open(desk.path(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(600)).unwrap();
    }
    assert!(command(&desk, "first.csv").status().unwrap().success());
    let left: Vec<String> = desk.files();
    assert!(!left.iter().any(|name| name.starts_with(".separa-")), "{left:?}");
}

#[test]
fn one_file_spelled_two_ways_is_refused_for_two_outputs() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let whole = desk.path("y.csv").display().to_string();
    desk.refused(
        &format!("cluster wine.csv -k 3 -o y.csv --report {whole}"),
        &["labels and report go to the same file"],
    );
    desk.refused(
        "cluster wine.csv -k 3 -o y.csv --model ./y.csv",
        &["labels and model go to the same file"],
    );
    assert_eq!(desk.files(), ["wine.csv"]);
}
