//! What the documentation says about the command line is what it does.

use crate::common;

use common::Desk;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const COMMANDS: &[&str] = &[
    "cluster",
    "look",
    "compare",
    "predict",
    "drift",
    "explain",
    "train",
    "export",
    "score",
    "methods",
    "inspect",
    "app",
    "serve",
    "demo",
    "completions",
    "man",
    "",
];

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    let path = project().join("docs").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn wine(desk: &Desk) -> &Desk {
    desk.put("wine.csv", include_str!("../data/wine.csv"))
}

/// The reference of the command line; `SEPARA_UPDATE=1 cargo test -p separa-cli --test all docs::` writes it.
#[test]
fn the_reference_is_the_help_of_every_command() {
    let desk = Desk::new();
    let mut page = String::from(
        "# Command line\n\nWritten from `separa COMMAND --help-all`. `--help` shows the options that are used most. `separa completions SHELL` \
         prints a completion script, `separa man FOLDER` writes these pages for `man`.\n",
    );
    for command in COMMANDS {
        let help = desk.separa(&format!("{command} --help-all")).ok();
        let title = if command.is_empty() { "separa".into() } else { format!("separa {command}") };
        page += &format!("\n## {title}\n\n```text\n{}\n```\n", help.trim_end());
    }
    let path = project().join("docs/reference/cli.md");
    if std::env::var_os("SEPARA_UPDATE").is_some() {
        std::fs::write(&path, &page).expect("the project can be written");
    }
    assert!(document("reference/cli.md") == page, "help has changed: run with SEPARA_UPDATE=1");
}

/// Keys at every depth; parameters are documented by `separa methods`.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            found.insert(key.clone());
            if !["params", "settings", "value"].contains(&key.as_str()) {
                keys(value, found);
            }
        }),
        Value::Array(all) => all.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

#[test]
fn every_key_of_json_is_documented_in_the_table_of_its_command() {
    let page = document("formats.md");
    let desk = Desk::new();
    let mixed = "id,kind,day,x\n".to_owned()
        + &(0..60)
            .map(|i| {
                format!(
                    "r{i},{},2024-01-{:02},{}\n",
                    ["a", "b", "c"][i % 3],
                    1 + i % 28,
                    i * i % 17
                )
            })
            .collect::<String>();
    wine(&desk).put("mixed.csv", mixed);
    let all = [
        (
            "cluster",
            "cluster wine.csv --truth cultivar --stability 3 --rules -o l.csv --model m.separa --report r.html",
        ),
        ("cluster", "cluster mixed.csv -k 3 --rules"),
        ("cluster", "cluster mixed.csv"),
        ("cluster", "cluster mixed.csv -k 2 -m cdsk --id id"),
        ("compare", "compare wine.csv -k 3 --truth cultivar -m mspc,kmeans"),
        ("compare", "compare wine.csv --drop cultivar -m mspc,kmeans"),
        ("train", "train wine.csv --target cultivar --cv 3"),
        ("score", "score wine.csv --labels cultivar --truth cultivar"),
        ("look", "look mixed.csv"),
        ("explain", "explain m.separa wine.csv --row 3"),
        ("explain", "explain curved.separa mixed.csv --row 3 --row-id r7"),
        ("explain", "explain trained.separa wine.csv --row 3"),
    ];
    desk.separa("cluster mixed.csv -k 2 -m fuzzy-kmeans --id id -q --model curved.separa").ok();
    desk.separa("train wine.csv --target cultivar -q --model trained.separa").ok();
    let cluster = section(&page, "cluster");
    for (command, words) in all {
        let (own, ran) = (section(&page, command), desk.separa(&format!("{words} --json -q")));
        let json: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{words}: {e}: {}", ran.err));
        for key in json.as_object().expect("an object").keys() {
            assert!(own.contains(&format!("`{key}`")), "{command}: `{key}` is not in its table");
        }
        let mut nested = BTreeSet::new();
        keys(&json, &mut nested);
        for key in nested {
            let known = [own, cluster].iter().any(|text| text.contains(&format!("`{key}`")));
            assert!(known, "{command}: `{key}` is not documented");
        }
    }
}

fn section<'a>(page: &'a str, command: &str) -> &'a str {
    let head = format!("\n### {command}\n");
    let from = page.find(&head).unwrap_or_else(|| panic!("no section on {command}")) + head.len();
    let rest = &page[from..];
    &rest[..rest.find("\n### ").or_else(|| rest.find("\n## ")).unwrap_or(rest.len())]
}

/// Words that were replaced, one per line (docs/glossary.md has those that are used).
const GONE: &str = include_str!("gone_words.txt");

/// Whole words that the comments of loops used to have: an iteration, an initialization, a fraction.
const GONE_WORDS: &str = include_str!("gone_in_sources.txt");

/// Names of old parameters and options: they stay where they are refused or read from old files.
const REFUSED: [&str; 3] = ["min_share", "--units", "units=shared"];

/// Where a text says a word that is gone.
fn gone(name: &str, text: &str, found: &mut Vec<String>) {
    let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    // A paper is named by its authors and year, not by a number of ours.
    let numbered = (0..10).map(|n| format!("paper 00{n}"));
    for word in GONE.lines().map(str::to_owned).chain(numbered) {
        text.match_indices(&word).for_each(|(at, _)| found.push(said(name, &text, at, &word)));
    }
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-' || c == '_');
    for word in GONE_WORDS.lines() {
        for (at, _) in text.match_indices(word) {
            let around = (text[..at].chars().next_back(), text[at + word.len()..].chars().next());
            if !letter(around.0) && !letter(around.1) {
                found.push(said(name, &text, at, word));
            }
        }
    }
}

fn said(name: &str, text: &str, at: usize, word: &str) -> String {
    let near: String =
        text[..at].chars().rev().take(60).collect::<String>().chars().rev().collect();
    format!("{name}: …{near}{word}")
}

/// What a Rust file says to people: its comments, lines that follow each other as one text, and its strings that hold
/// more than one word (a string of one word is a name).
fn prose(source: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = source;
    let mut blank = true;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let last = all.last_mut().expect("never empty");
            *last += " ";
            *last += line.trim_start_matches(['/', '!']);
            (rest, blank) = (after, true);
            continue;
        }
        let raw = rest
            .find('"')
            .filter(|&at| at > 0 && rest.starts_with('r') && rest[1..at].chars().all(|c| c == '#'));
        let length = match (first, raw) {
            // A quote as a character, a character with a quote's look, a lifetime.
            ('\'', _) if rest.starts_with("'\\") => 3 + rest[3..].find('\'').unwrap_or(0),
            ('\'', _) if rest[1..].chars().nth(1) == Some('\'') => {
                2 + rest[1..].chars().next().map_or(0, char::len_utf8)
            }
            (_, Some(at)) => {
                let end = format!("\"{}", "#".repeat(at - 1));
                at + 1 + rest[at + 1..].find(&end).expect("strings end") + end.len()
            }
            ('"', _) => 2 + end_of_string(&rest[1..]),
            _ => first.len_utf8(),
        };
        if first == '"' || raw.is_some() {
            let text = rest[..length].trim_matches(['r', '#', '"']);
            if text.contains(' ') {
                all.push(text.to_owned());
            }
            all.push(String::new());
        } else if !first.is_whitespace() && !blank {
            all.push(String::new());
        }
        blank = first.is_whitespace() && blank;
        rest = &rest[length..];
    }
    all.retain(|text| !text.is_empty());
    all
}

fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    text.char_indices()
        .find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        })
        .expect("strings end")
        .0
}

#[test]
fn prose_is_comments_and_strings() {
    let source = "//! One\n//! two.\nfn f<'a>(c: char) -> &'a str { if c == '\"' || c == '\\'' { \"a \\\"b\" } else { r#\"c \"d\"# } } // last\n";
    let texts: Vec<String> = prose(source).iter().map(|t| t.trim().to_owned()).collect();
    assert_eq!(texts, ["One  two.", "a \\\"b", "c \"d", "last"]);
}

/// Rustdoc, comments and messages in the sources.
#[test]
fn words_that_are_gone_are_nowhere_in_the_sources() {
    let mut sources = Vec::new();
    files(&project().join("crates"), "rs", &mut sources);
    assert!(sources.len() > 400, "{} sources", sources.len());
    let mut found = Vec::new();
    for path in sources.iter().filter(|path| !path.ends_with("separa-cli/tests/docs.rs")) {
        let source = std::fs::read_to_string(path).expect("text");
        for text in prose(&source) {
            gone(&path.display().to_string(), &text, &mut found);
        }
    }
    found.retain(|line| !REFUSED.iter().any(|name| line.ends_with(name)));
    assert!(
        found.is_empty(),
        "docs/glossary.md has the words that are used:\n{}",
        found.join("\n")
    );
}

/// What people read in a folder; the changelog and the names of old parameters tell of what is gone.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending)
            && !["changelog.md", "_base.py"].iter().any(|name| path.ends_with(name))
        {
            found.push(path);
        }
    }
}

#[test]
fn words_that_are_gone_are_nowhere_in_what_people_read() {
    let desk = Desk::new();
    wine(&desk);
    let mut said = Vec::new();
    for command in COMMANDS {
        gone(command, &desk.separa(&format!("{command} --help-all")).ok(), &mut said);
    }
    for entry in separa::registry::METHODS {
        gone(entry.name, &desk.separa(&format!("methods {}", entry.name)).ok(), &mut said);
    }
    for method in ["mpm", "mcpm", "scm"] {
        gone(method, &desk.separa(&format!("methods {method}")).ok(), &mut said);
    }
    for words in [
        "cluster wine.csv --truth cultivar --stability 3 --report r.html",
        "cluster wine.csv -k 5 -m spectral --report s.html",
        "compare wine.csv -k 3 -m mspc,kmeans,fuzzy-kmeans --report c.html",
        "train wine.csv --target cultivar --report t.html",
        "score wine.csv --labels cultivar",
        "look wine.csv",
    ] {
        let ran = desk.separa(words);
        gone(words, &ran.out, &mut said);
        gone(words, &ran.err, &mut said);
    }
    for page in ["r.html", "s.html", "c.html", "t.html"] {
        gone(page, &desk.get(page), &mut said);
    }
    let mut found = vec![project().join("README.md"), project().join("CITATION.cff")];
    files(&project().join("docs"), "md", &mut found);
    files(&project().join("docs/figures"), "svg", &mut found);
    files(&project().join("python"), "py", &mut found);
    files(&project().join("examples"), "py", &mut found);
    files(&project().join("benchmarks"), "py", &mut found);
    files(&project().join("crates/separa-report/src"), "js", &mut found);
    files(&project().join("crates/separa-cli/src/app"), "js", &mut found);
    for page in found {
        let text = std::fs::read_to_string(&page).expect("text");
        gone(&page.display().to_string(), &text, &mut said);
    }
    said.retain(|line| !REFUSED.iter().any(|name| line.ends_with(name)));
    assert!(
        said.is_empty(),
        "docs/glossary.md has the words that are used instead:\n{}",
        said.join("\n")
    );
}

/// The demo has its own copy, so that the crate can be published by itself.
#[test]
fn the_table_of_the_demo_is_the_example() {
    let example = std::fs::read(project().join("examples/data/wine.csv")).expect("the example");
    assert!(example == include_bytes!("../data/wine.csv"));
}

#[test]
fn the_readme_of_packages_has_no_link_that_a_registry_cannot_follow() {
    let page = std::fs::read_to_string(project().join("packaging/README.md")).unwrap();
    let links: Vec<&str> =
        page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(
        !links.is_empty() && links.iter().all(|link| link.starts_with("https://")),
        "{links:?}"
    );
    for name in std::fs::read_dir(project().join("crates")).unwrap() {
        let folder = name.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let published = !manifest.contains("publish = false");
        assert_eq!(manifest.contains("packaging/README.md"), published, "{}", folder.display());
        assert!(!published || folder.join("LICENSE-MIT").exists(), "{}", folder.display());
    }
}
