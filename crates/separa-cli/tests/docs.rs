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

/// Where a text says a word that is gone.
fn gone(name: &str, text: &str, found: &mut Vec<String>) {
    let text = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    // A paper is named by its authors and year, not by a number of ours.
    let numbered = (0..10).map(|n| format!("paper 00{n}"));
    for word in GONE.lines().map(str::to_owned).chain(numbered) {
        for (at, _) in text.match_indices(&word) {
            let near: String =
                text[..at].chars().rev().take(60).collect::<String>().chars().rev().collect();
            found.push(format!("{name}: …{near}{word}"));
        }
    }
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
    files(&project().join("python/separa"), "py", &mut found);
    for page in found {
        let text = std::fs::read_to_string(&page).expect("text");
        gone(&page.display().to_string(), &text, &mut said);
    }
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
