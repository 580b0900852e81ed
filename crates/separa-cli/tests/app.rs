//! `separa app`: what a page asks, and what is refused to everybody else.

mod common;
#[path = "common/http.rs"]
mod http;

use common::{Desk, WINE};
use http::{Reply, Server};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

/// The app on a desk of its own, with the token of its address.
fn opened(words: &[&str]) -> (Desk, Server, String) {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let server = Server::start(&desk, &[&["app", "--no-open"], words].concat());
    let token = server.said.split("token=").nth(1).expect("a token").trim().to_owned();
    (desk, server, token)
}

/// As the page asks.
fn ask(server: &Server, token: &str, method: &str, path: &str, body: &[u8]) -> Reply {
    let headers = [("x-separa-token", token), ("x-separa-name", "wine.csv")];
    server.ask(method, path, &headers, body)
}

/// Runs to its end.
fn fitted(server: &Server, token: &str, table: u64, choices: Value) -> Value {
    let body = json!({ "table": table, "choices": choices }).to_string();
    let run = ask(server, token, "POST", "/api/runs", body.as_bytes()).json()["run"].clone();
    loop {
        let state = ask(server, token, "GET", "/api/state", b"").json();
        let runs = state["runs"].as_array().unwrap().clone();
        let found = runs.into_iter().find(|found| found["run"] == run).expect("the run is listed");
        if found["state"] == "done" || found["state"] == "failed" {
            return found;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn from_a_table_to_the_labels_of_the_command_that_is_shown() {
    let (desk, server, token) = opened(&[]);
    let looked = ask(&server, &token, "POST", "/api/tables", WINE.as_bytes()).json();
    assert_eq!((&looked["name"], &looked["look"]["rows"]), (&json!("wine.csv"), &json!(178)));
    let table = looked["table"].as_u64().unwrap();
    for choices in [
        json!({ "k": 3, "drop": ["cultivar"] }),
        json!({ "truth": "cultivar" }),
        json!({ "k": 2, "method": "kmeans", "truth": "cultivar", "drop": ["ash", "hue"], "seed": 7 }),
        json!({ "k": 3, "categorical": ["cultivar"], "scaling": "standard", "missing": "median" }),
    ] {
        let run = fitted(&server, &token, table, choices.clone());
        assert_eq!(run["state"], "done", "{run}");
        let path = format!("/api/runs/{}", run["run"]);
        let labels = ask(&server, &token, "GET", &format!("{path}/labels.csv"), b"").text();
        let model = ask(&server, &token, "GET", &format!("{path}/rule.separa"), b"").body;
        let command = run["result"]["command"].as_str().unwrap();
        let words = command.strip_prefix("separa ").unwrap();
        assert!(!words.contains('\''), "words without blanks: {words}");
        desk.separa(&format!("{words} -q")).ok();
        assert_eq!(labels, desk.get("labels.csv"), "{command}");
        assert_eq!(model, desk.bytes("rule.separa"), "{command}");
        let report = ask(&server, &token, "GET", &format!("{path}/report.html"), b"").text();
        assert!(report.contains(
            run["result"]["verdict"]["text"].as_str().unwrap().split('(').next().unwrap()
        ));
    }
    // The first and the third were fitted on the same rows.
    let state = ask(&server, &token, "GET", "/api/state", b"").json();
    let last = state["runs"][3]["run"].to_string();
    let alike = ask(&server, &token, "GET", &format!("/api/runs/{last}/agreement"), b"").json();
    assert_eq!(alike.as_array().unwrap().len(), 3);
    assert!(alike[0]["ari"].as_f64().unwrap() > 0.5, "{alike}");
    assert_eq!(desk.files().iter().filter(|name| name.contains("wine")).count(), 1);
}

#[test]
fn names_are_in_the_report_and_in_the_command() {
    let (desk, server, token) = opened(&["wine.csv"]);
    let table = ask(&server, &token, "GET", "/api/state", b"").json()["tables"][0]["table"].clone();
    let run =
        fitted(&server, &token, table.as_u64().unwrap(), json!({ "k": 3, "drop": ["cultivar"] }));
    let path = format!("/api/runs/{}/names", run["run"]);
    let said = ask(&server, &token, "POST", &path, br#"{"names": [[9, "x"]]}"#);
    assert_eq!(said.status, 422, "{}", said.text());
    assert!(said.text().contains("cluster 9 cannot be named"), "{}", said.text());
    ask(&server, &token, "POST", &path, br#"{"names": [[1, "strong"]]}"#);
    let state = ask(&server, &token, "GET", "/api/state", b"").json();
    let command = state["runs"][0]["result"]["command"].as_str().unwrap().to_owned();
    assert!(command.contains("--names=1=strong"), "{command}");
    desk.separa(command.strip_prefix("separa ").unwrap()).ok();
    let model = ask(&server, &token, "GET", &path.replace("names", "rule.separa"), b"").body;
    assert_eq!(model, desk.bytes("rule.separa"));
    let report = server.get(&format!("/report/{}?token={token}", run["run"]));
    assert!(report.text().contains("strong (1)"));
    assert!(report.head.to_lowercase().contains("sandbox allow-scripts"), "{}", report.head);
}

#[test]
fn strangers_are_refused() {
    let (_desk, server, token) = opened(&[]);
    let own = format!("http://{}", server.address);
    assert_eq!(server.get(&format!("/?token={token}")).status, 200);
    type Case<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>, &'a str);
    let cases: [Case<'_>; 9] = [
        ("GET", "/", vec![], "wrong-token"),
        ("GET", "/?token=0000", vec![], "wrong-token"),
        ("GET", "/api/state", vec![], "wrong-token"),
        // A token in the address is for pages alone.
        ("GET", "/api/state?token=TOKEN", vec![], "wrong-token"),
        ("POST", "/api/runs", vec![("x-separa-token", "")], "wrong-token"),
        (
            "GET",
            "/api/state",
            vec![("x-separa-token", "TOKEN"), ("Origin", "http://evil.example")],
            "wrong-origin",
        ),
        (
            "POST",
            "/api/tables",
            vec![("x-separa-token", "TOKEN"), ("Origin", "null")],
            "wrong-origin",
        ),
        (
            "GET",
            "/api/state",
            vec![("x-separa-token", "TOKEN"), ("Sec-Fetch-Site", "cross-site")],
            "wrong-origin",
        ),
        (
            "GET",
            "/api/state",
            vec![("x-separa-token", "TOKEN"), ("Host", "evil.example")],
            "wrong-host",
        ),
    ];
    for (method, path, headers, code) in cases {
        let headers: Vec<(&str, String)> =
            headers.iter().map(|(name, value)| (*name, value.replace("TOKEN", &token))).collect();
        let headers: Vec<(&str, &str)> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        server.ask(method, &path.replace("TOKEN", &token), &headers, b"").refused(403, code);
    }
    let headers = [("x-separa-token", token.as_str()), ("Origin", own.as_str())];
    assert_eq!(server.ask("GET", "/api/state", &headers, b"").status, 200);
    for path in ["/../../etc/passwd", "/report/../../etc/passwd", "/api/runs/..%2f/x"] {
        let answer = ask(&server, &token, "GET", path, b"");
        assert!([404, 422].contains(&answer.status), "{path}: {}", answer.text());
    }
    let preflight = ask(&server, &token, "OPTIONS", "/api/runs", b"");
    assert!(!preflight.head.to_lowercase().contains("access-control"), "{}", preflight.head);
}

#[test]
fn the_page_is_small_and_lets_nothing_in() {
    let (_desk, server, token) = opened(&[]);
    let page = server.get(&format!("/?token={token}"));
    assert!(page.body.len() < 400_000, "{} bytes", page.body.len());
    let head = page.head.to_lowercase();
    for part in
        ["default-src 'none'", "script-src 'nonce-", "frame-ancestors 'none'", "no-referrer"]
    {
        assert!(head.contains(part), "{part} is missing in {head}");
    }
    assert!(!page.text().contains("{{") && !page.text().contains("https://"));
    let again = server.get(&format!("/?token={token}"));
    assert_ne!(again.head, page.head, "the number that names the script is used once");
}

#[test]
fn files_that_are_no_tables_are_a_sentence_and_the_server_lives() {
    let (_desk, server, token) = opened(&[]);
    for (name, body, part) in [
        ("broken.parquet", b"PAR1 and nothing else".as_slice(), "broken.parquet"),
        ("empty.csv", b"", "empty"),
        ("../../etc/passwd.xlsx", b"PK\x03\x04 no book", "passwd.xlsx"),
    ] {
        let headers = [("x-separa-token", token.as_str()), ("x-separa-name", name)];
        let answer = server.ask("POST", "/api/tables", &headers, body);
        assert_eq!(answer.status, 422, "{}", answer.text());
        let said = answer.json()["error"].to_string();
        assert!(said.contains(part) && !said.contains("/tmp"), "{name}: {said}");
    }
    for body in ["{", "{\"table\": 99}", "{\"table\": 1, \"choices\": {\"colour\": 1}}"] {
        assert_eq!(
            ask(&server, &token, "POST", "/api/runs", body.as_bytes()).status,
            422,
            "{body}"
        );
    }
    let table =
        ask(&server, &token, "POST", "/api/tables", WINE.as_bytes()).json()["table"].as_u64();
    let run = fitted(&server, &token, table.unwrap(), json!({ "k": 500, "drop": ["cultivar"] }));
    assert_eq!(run["state"], "failed");
    assert!(run["error"].as_str().unwrap().contains("500"), "{run}");
    let run = fitted(&server, &token, table.unwrap(), json!({ "k": 2, "drop": ["cultivar"] }));
    assert_eq!(run["state"], "done");
}

#[test]
fn a_fit_can_be_stopped_and_others_wait_for_it() {
    let (_desk, server, token) = opened(&[]);
    let large = common::two_clouds(15_000, 8);
    let table =
        ask(&server, &token, "POST", "/api/tables", large.as_bytes()).json()["table"].clone();
    let ask_for = |choices: Value| {
        let body = json!({ "table": table, "choices": choices }).to_string();
        ask(&server, &token, "POST", "/api/runs", body.as_bytes()).json()["run"].clone()
    };
    let first = ask_for(json!({ "k": 30, "drop": ["kind"] }));
    let second = ask_for(json!({ "k": 2, "method": "kmeans", "drop": ["kind"] }));
    let state_of = |run: &Value| {
        let state = ask(&server, &token, "GET", "/api/state", b"").json();
        state["runs"].as_array().unwrap().iter().find(|r| r["run"] == *run).unwrap().clone()
    };
    while state_of(&first)["progress"]["start"].is_null() && state_of(&first)["state"] != "done" {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(state_of(&second)["state"], "waiting");
    ask(&server, &token, "POST", &format!("/api/runs/{first}/stop"), b"");
    while state_of(&second)["state"] != "done" {
        thread::sleep(Duration::from_millis(20));
    }
    let stopped = state_of(&first);
    assert_eq!(
        (&stopped["state"], &stopped["result"]["stopped"]),
        (&json!("done"), &json!(true)),
        "{stopped}"
    );
}
