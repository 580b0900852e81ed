//! What pages and screens say of themselves: samples are called samples, warnings are passed on, names do no harm,
//! commands can be copied, and large tables stay within their memory.

use crate::common;

use common::{Desk, ESCAPE, WINE, two_clouds};
use std::fmt::Write;
use std::process::Stdio;
use std::time::Duration;

fn page(desk: &Desk, words: &str) -> String {
    desk.separa(&format!("{words} --report page.html -q")).ok();
    desk.get("page.html")
}

#[test]
fn samples_are_called_samples() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(1_500, 2));
    let html = page(&desk, "compare t.csv -k 2 --drop kind --methods kmeans,mspc");
    assert!(html.contains("a random sample of 800 of 3,000 rows"));
    let html = page(&desk, "train t.csv --target kind");
    assert!(
        html.contains("a random sample of 2,000 of 3,000 rows, with more rows of small classes")
    );
    let words = "cluster t.csv -k 2 --drop kind -m kernel-kmeans";
    let html = page(&desk, words);
    assert!(html.contains("nearly had (among a random sample of 2,500 of 3,000 rows)"));
    assert!(html.contains("stand for it (among a random sample of 2,500 of 3,000 rows)"));
    let text = desk.separa(words).ok();
    assert!(text.contains("of a random sample of 500 of 3,000 rows"), "{text}");
    // The rows that a page looked at are there for the screen.
    let text = desk.separa(&format!("{words} --report page.html")).ok();
    assert!(text.contains("of a random sample of 2,500 of 3,000 rows"), "{text}");
    let all = desk.separa("cluster t.csv -k 2 --drop kind").ok();
    assert!(!all.contains("random sample"), "{all}");
}

#[test]
fn one_cluster_has_nothing_to_separate() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(30, 2));
    let html = page(&desk, "cluster t.csv -k 1 -m kmeans --drop kind");
    assert!(html.contains("One cluster of 60 rows."));
    assert!(html.contains("The first features, in their own units"));
    assert!(!html.contains("was not judged") && !html.contains("Feature importance"));
}

#[test]
fn a_bound_is_told_with_its_regulariser() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let html = page(&desk, "train wine.csv --target cultivar --set reg=0.01");
    assert!(html.contains("of each side on its side (at reg 0.01, given these means and"));
    assert!(html.contains("Guaranteed and achieved accuracy of each side"), "no table");
    let html = page(&desk, "train wine.csv --target cultivar -m mcpm");
    assert!(html.contains("covariances of the summaries, not of rows; the training rows achieve"));
}

#[test]
fn differences_have_the_sign_of_the_screen_and_of_json() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(60, 2));
    let words = "cluster t.csv -k 2 --drop kind";
    let json = desk.separa(&format!("{words} --json")).json();
    let difference =
        json["quality"]["importance"][0]["features"][0]["difference"].as_f64().unwrap();
    assert!(difference.abs() > 1.0, "{json:#}");
    let html = page(&desk, words);
    assert!(html.contains("mean of 0 minus 1</bdi>"), "the head does not say which minus which");
    assert!(html.contains(&format!("data-v=\"{difference}\"")), "{difference} is missing");
    assert!(!html.contains(&format!("data-v=\"{}\"", -difference)), "the sign is turned");
    desk.put("wine.csv", WINE);
    let html = page(&desk, "cluster wine.csv -k 3 --drop cultivar");
    assert!(html.contains("mean of first minus second</bdi>"));
}

#[test]
fn stability_is_on_the_page() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv -k 3 --drop cultivar --stability 6";
    let found = desk.separa(&format!("{words} --json")).json()["stability"].clone();
    let html = page(&desk, words);
    let section = html.split("id=\"stability\"").nth(1).expect("a section");
    let section = section.split("</section>").next().unwrap();
    assert!(section.contains(">Stability</h2>") && section.contains("over 6 refits"));
    for jaccard in found["jaccard"].as_array().unwrap() {
        let cell = format!("data-v=\"{}\"", jaccard.as_f64().unwrap());
        assert!(section.contains(&cell), "{cell} is missing in {section}");
    }
    assert!(section.contains("stable") && section.contains("mean agreement"), "{section}");
    assert!(!page(&desk, "cluster wine.csv -k 3 --drop cultivar").contains("id=\"stability\""));
}

#[test]
fn a_number_that_the_limit_forced_is_told_at_the_tree() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(150, 2));
    let said = "no more than 2 are left, the most that were looked for";
    assert!(page(&desk, "cluster t.csv -k auto --k-max 2 --drop kind").contains(said));
    assert!(!page(&desk, "cluster t.csv -k auto --k-max 3 --drop kind").contains(said));
}

#[test]
fn commands_to_copy_are_quoted() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(30, 2));
    let words = ["train", "t.csv", "--target", "kind", "--model", "my rule.separa"];
    let text = desk.run(&words).ok();
    assert!(text.contains("separa predict 'my rule.separa' NEW.csv"), "{text}");
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_do_no_harm() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(30, 2));
    let mut command = desk.command(&["cluster", "t.csv", "-k", "2", "--drop", "kind", "-o"]);
    let ran = command.arg(OsStr::from_bytes(b"l\xff.csv")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(String::from_utf8_lossy(&ran.stdout).contains("l\u{fffd}.csv"));
}

#[test]
fn names_cannot_steer_a_terminal() {
    let desk = Desk::new();
    let table = two_clouds(30, 2)
        .replace("f0", "f\u{1b}[2J0")
        .replace("red", "r\u{1b}]0;owned\u{7}d")
        .replace("kind", "ki\u{9b}31mnd");
    desk.put("t.csv", table);
    for words in [
        "cluster t.csv -k 2 --truth ki\u{9b}31mnd",
        "cluster t.csv -k 2 --drop ki\u{9b}31mnd",
        "train t.csv --target ki\u{9b}31mnd",
        "compare t.csv -k 2 --truth ki\u{9b}31mnd --methods mspc,kmeans",
        "cluster t.csv -k 2 --truth no\u{1b}[2Jne",
    ] {
        let ran = desk.separa(words);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains([ESCAPE, '\u{9b}', '\u{7}']), "{words}: {text:?}");
        }
        assert!((ran.out + &ran.err).contains('\u{fffd}'), "{words}");
    }
}

#[test]
fn what_methods_warn_of_is_passed_on() {
    let desk = Desk::new();
    // Two kinds of equal rows are no three groups.
    let mut table = "a,b\n".to_owned();
    (0..40).for_each(|i| writeln!(table, "{},{}", i % 2, i % 2).unwrap());
    desk.put("t.csv", table);
    let words = "compare t.csv -k 3 --methods kmeans,fuzzy-kmeans";
    let json = desk.separa(&format!("{words} --json")).json();
    let lines = json["results"].as_array().unwrap();
    let notes: Vec<String> = lines
        .iter()
        .flat_map(|l| {
            let method = l["method"].as_str().unwrap();
            l["notes"]
                .as_array()
                .unwrap()
                .iter()
                .map(move |n| format!("{method}: {}", n["text"].as_str().unwrap()))
        })
        .collect();
    assert!(!notes.is_empty(), "{json:#}");
    let html = page(&desk, words);
    let text = desk.separa(words).ok().split_whitespace().collect::<Vec<_>>().join(" ");
    for note in notes {
        assert!(text.contains(&note), "{note}\n{text}");
        assert!(html.contains(&note.replace('\'', "&#39;").replace('"', "&quot;")), "{note}");
    }
    assert!(html.contains("class=\"warnings\""));
}

#[test]
fn a_comparison_that_finds_one_group_says_so_and_how() {
    let desk = Desk::new();
    desk.put("t.csv", two_clouds(150, 2));
    let words = "compare t.csv -k auto --features f1 --methods mspc,kmeans";
    let text = desk.separa(words).ok();
    assert!(text.contains("No natural clusters") && !text.contains("rank   method"), "{text}");
    let html = page(&desk, words);
    assert!(html.contains(">No natural clusters (p = "), "{}", &html[..3000]);
    assert!(html.contains("id=\"count\"") && !html.contains("id=\"ranking\""));
    let html = page(&desk, "compare t.csv -k auto --drop kind --methods mspc,kmeans");
    assert!(html.contains("id=\"count\"") && html.contains("id=\"ranking\""));
}

#[test]
fn groups_have_a_tree_and_their_marks() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let html = page(&desk, "cluster wine.csv -k 10 -m kmeans --drop cultivar");
    assert!(html.contains("aria-label=\"Tree of 10 clusters by the MSP of their closest pair."));
    // Four marks take turns, in the legend as in the picture: three dots and three squares of ten.
    let legend =
        html.split("aria-label=\"Clusters\"").nth(1).unwrap().split("</ul>").next().unwrap();
    assert_eq!(legend.matches("m-2-2h4v4h-4z").count(), 3);
    assert_eq!(legend.matches("M0 0h0").count(), 3);
}

#[test]
fn outliers_have_a_key() {
    let desk = Desk::new();
    let mut table = two_clouds(60, 2);
    (0..4).for_each(|i| writeln!(table, "{},{},red", 300 + 90 * i, -400 + 7 * i).unwrap());
    desk.put("t.csv", table);
    let html = page(&desk, "cluster t.csv -k 2 --drop kind --outliers mark");
    assert!(html.contains("<path class=\"aside\""), "no outliers");
    let legend =
        html.split("aria-label=\"Clusters\"").nth(1).unwrap().split("</ul>").next().unwrap();
    assert!(legend.contains("data-group=\"-1\"") && legend.contains("outliers"), "{legend}");
}

/// What a process held at most so far, in bytes; none where that cannot be seen.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

#[test]
fn a_hundred_thousand_rows_of_ten_thousand_columns_stay_within_their_memory() {
    // Two kinds of rows with five entries each, the kind in the first; 8 GB if it were dense.
    let mut table = String::new();
    for i in 0..100_000u64 {
        let place = |j: u64| 10 + 2_000 * j + (i * 48_271 + j * 16_807) % 1_900;
        write!(table, "0 {}:3", 1 + i % 2).unwrap();
        (0..4).for_each(|j| write!(table, " {}:{}", place(j), 1 + (i + j) % 3).unwrap());
        table.push_str(if i == 0 { " 10000:1\n" } else { "\n" });
    }
    let desk = Desk::new();
    desk.put("wide.svm", table);
    let words =
        "cluster wide.svm -k 2 -m kmeans --set n_init=1 --memory 400M --report page.html -q";
    let mut child = desk.command(&words.split(' ').collect::<Vec<_>>());
    let mut child = child.stdout(Stdio::null()).spawn().unwrap();
    let mut held = None;
    let status = loop {
        held = peak(child.id()).or(held);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    assert!(status.success());
    let html = desk.get("page.html");
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    assert!(html.contains("100,000 rows, 10,000 features"));
    match held {
        Some(bytes) => assert!(bytes < 400 << 20, "{} MB", bytes >> 20),
        None => println!("the memory of a process is not seen here"),
    }
}
