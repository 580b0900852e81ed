//! Ctrl-C: the best so far is written, and the exit code says so.
#![cfg(unix)]

use crate::common;

use common::{Desk, Ran, label_column, two_clouds};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROWS: usize = 20_000;
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a fit that would take minutes, and waits until it listens to Ctrl-C.
fn long_fit(desk: &Desk, method: &str) -> Child {
    desk.put("data.csv", two_clouds(ROWS / 2, 8));
    let words = format!(
        "cluster data.csv -k 7 --drop kind -m {method} --set n_init=10000 --set max_iter=10000 --set tol=0 -o l.csv --model m.separa"
    );
    let child = listening(desk, &words);
    // Enough for a first result, also on a machine that has other work.
    std::thread::sleep(Duration::from_secs(3));
    child
}

/// Starts a command and waits until it listens to Ctrl-C.
fn listening(desk: &Desk, words: &str) -> Child {
    let child = desk
        .command(&words.split_whitespace().collect::<Vec<_>>())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !listens(child.id()) && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Whether the process catches SIGINT, which is signal 2; where that cannot be seen, time must do.
fn listens(process: u32) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) else {
        std::thread::sleep(Duration::from_secs(2));
        return true;
    };
    let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 2 != 0
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn end(mut child: Child) -> Ran {
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("still running {PATIENCE:?} after Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap().into()
}

#[test]
fn the_best_so_far_is_written() {
    let desk = Desk::new();
    let child = long_fit(&desk, "kmeans");
    interrupt(&child);
    let ran = end(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.err.contains("best so far"), "{}", ran.err);
    assert!(ran.out.contains("interrupted"), "{}", ran.out);
    assert_eq!(label_column(&desk.get("l.csv")).len(), ROWS);
    desk.separa("predict m.separa data.csv -o again.csv").ok();
    assert_eq!(desk.get("again.csv"), desk.get("l.csv"));
}

#[test]
fn a_stream_ends_with_the_rule_of_the_rows_it_read() {
    let desk = Desk::new();
    let n = 4_000_000;
    let labels: Vec<i32> = (0..n).map(|i| i % 2).collect();
    let values: Vec<f64> =
        (0..n).flat_map(|i| [f64::from(i * 37 % 101 + 90 * (i % 2)), f64::from(i % 89)]).collect();
    let columns = ["x", "y"].map(String::from);
    let scores = Some((&columns[..], &values[..]));
    separa_io::write_labels(&desk.path("t.parquet"), None, &labels[..], scores).unwrap();
    drop(values);
    let words =
        "train t.parquet --target cluster --drop row -m mcpm --stream --json --model m.separa";
    // Before the sample there is no rule, and nothing is written; the first wait that leads beyond it ends a pass.
    let ended = |wait: u64| {
        let child = listening(&desk, words);
        std::thread::sleep(Duration::from_millis(wait));
        interrupt(&child);
        let ran = end(child);
        assert_eq!(ran.code, Some(130), "{ran:?}");
        assert_eq!(ran.out.is_empty(), !desk.path("m.separa").exists(), "{ran:?}");
        ran
    };
    let waits = (0..).map(|step| 100 + 150 * step);
    let ran = waits.map(ended).find(|ran| !ran.out.is_empty()).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["stop"], "cancelled");
    let read = answer["n"].as_u64().unwrap();
    assert!(read > 0 && read < n as u64, "{read}");
    assert!(answer["accuracy"].as_f64().unwrap() > 0.8, "{answer}");
    desk.put("new.csv", "x,y\n5,3\n180,3\n");
    let csv = desk.separa("predict m.separa new.csv").ok();
    assert_eq!(label_column(&csv), [0, 1]);
}

#[test]
fn refits_that_are_ended_leave_the_labels_and_the_exit_code_says_so() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(ROWS / 2, 8));
    let child = listening(
        &desk,
        "cluster data.csv -k 2 --drop kind -m kmeans --stability 100000 -o l.csv --json",
    );
    // The fit is done long before, the refits are not.
    std::thread::sleep(Duration::from_secs(4));
    interrupt(&child);
    let ran = end(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(label_column(&desk.get("l.csv")).len(), ROWS);
}

#[test]
fn a_second_one_ends_at_once() {
    let desk = Desk::new();
    let child = long_fit(&desk, "mspc");
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    assert_eq!(end(child).code, Some(130));
}

/// A streamed fit leaves its rule, and no labels that would be those of a rule half made.
#[test]
fn a_streamed_fit_leaves_its_best_rule() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(ROWS / 2, 8));
    let words = "cluster data.csv -k 7 --drop kind -m kmeans --set n_init=10000 --set max_iter=10000 --set tol=0 \
                 --stream --checkpoint c.stop -o labels/ --model m.separa";
    let child = listening(&desk, words);
    std::thread::sleep(Duration::from_secs(4));
    interrupt(&child);
    let ran = end(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.err.contains("labels were not written"), "{}", ran.err);
    assert!(desk.has("m.separa") && !desk.has("labels"));
    desk.separa("predict m.separa data.csv -o l.csv").ok();
    assert_eq!(label_column(&desk.get("l.csv")).len(), ROWS);
}

/// A step that takes minutes ends in the middle: nothing is there to be written, and that is said.
#[test]
fn a_long_step_ends_in_the_middle() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(ROWS, 8));
    // The distances of all pairs, whatever they take.
    let words = format!(
        "cluster data.csv -k 7 --drop kind -m spectral --set affinity=knn --set landmarks={} -o l.csv --model m.separa",
        2 * ROWS
    );
    let child = listening(&desk, &words);
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let ran = end(child);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(
        ran.err.contains("interrupted before there was a result; nothing was written"),
        "{ran:?}"
    );
    assert_eq!(desk.files(), ["data.csv"]);
}
