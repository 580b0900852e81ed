//! `separa app`: what a page asks, and what is refused to everybody else.

use crate::common::{self, http};

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

/// A run that takes a while, and another that waits for it.
fn two_runs(server: &Server, token: &str) -> [Value; 2] {
    let large = common::two_clouds(15_000, 8);
    let table = ask(server, token, "POST", "/api/tables", large.as_bytes()).json()["table"].clone();
    let ask_for = |choices: Value| {
        let body = json!({ "table": table, "choices": choices }).to_string();
        ask(server, token, "POST", "/api/runs", body.as_bytes()).json()["run"].clone()
    };
    let first = json!({ "k": 30, "drop": ["kind"] });
    [first, json!({ "k": 2, "method": "kmeans", "drop": ["kind"] })].map(ask_for)
}

fn state_of(server: &Server, token: &str, run: &Value) -> Value {
    let state = ask(server, token, "GET", "/api/state", b"").json();
    state["runs"].as_array().unwrap().iter().find(|r| r["run"] == *run).unwrap().clone()
}

/// Waits for a state of a run that `is` wanted.
fn until(server: &Server, token: &str, run: &Value, is: impl Fn(&Value) -> bool) -> Value {
    loop {
        let found = state_of(server, token, run);
        if is(&found) {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn is_over(run: &Value) -> bool {
    run["state"] == "done" || run["state"] == "failed"
}

/// Wherever it is stopped, also before its first initialization is over, a run ends with labels.
#[test]
fn a_fit_that_is_stopped_keeps_the_best_so_far_and_others_wait_for_it() {
    let (_desk, server, token) = opened(&[]);
    for begun in ["running", "start"] {
        let [first, second] = two_runs(&server, &token);
        until(&server, &token, &first, |run| match begun {
            "running" => run["state"] == "running",
            _ => !run["progress"]["start"].is_null() || is_over(run),
        });
        let waiting = state_of(&server, &token, &second);
        assert_eq!(
            (&waiting["state"], &waiting["progress"]["stopping"]),
            (&json!("waiting"), &Value::Null)
        );
        ask(&server, &token, "POST", &format!("/api/runs/{first}/stop"), b"");
        assert!(state_of(&server, &token, &first)["progress"]["stopping"].is_f64());
        let stopped = until(&server, &token, &first, is_over);
        let found = (&stopped["state"], &stopped["result"]["stopped"]);
        assert_eq!(found, (&json!("done"), &json!(true)), "{stopped}");
        let path = format!("/api/runs/{first}");
        let labels = ask(&server, &token, "GET", &format!("{path}/labels.csv"), b"").text();
        assert_eq!(labels.lines().count(), 30_001);
        for what in ["map", "details", "rows", "report.html"] {
            let answer = ask(&server, &token, "GET", &format!("{path}/{what}"), b"");
            assert_eq!(answer.status, 200, "{what}: {}", answer.text());
        }
        assert_eq!(until(&server, &token, &second, is_over)["state"], "done");
    }
}

#[test]
fn whoever_does_not_wait_for_the_best_so_far_ends_a_run_at_once() {
    let (_desk, server, token) = opened(&[]);
    let [first, second] = two_runs(&server, &token);
    until(&server, &token, &first, |run| run["state"] == "running");
    ask(&server, &token, "POST", &format!("/api/runs/{second}/stop"), b"");
    assert_eq!(state_of(&server, &token, &second)["error"], "stopped before it began");
    ask(&server, &token, "POST", &format!("/api/runs/{first}/end"), b"");
    let ended = until(&server, &token, &first, is_over);
    match ended["state"].as_str() {
        Some("done") => assert_eq!(ended["result"]["stopped"], true, "{ended}"),
        _ => assert!(
            ended["error"].as_str().unwrap().contains("before there was a result"),
            "{ended}"
        ),
    }
}

#[test]
fn stability_is_that_of_the_command_line() {
    let (desk, server, token) = opened(&["wine.csv"]);
    let table =
        ask(&server, &token, "GET", "/api/state", b"").json()["tables"][0]["table"].as_u64();
    let wanted = json!({ "k": 3, "drop": ["cultivar"], "stability": true });
    let run = fitted(&server, &token, table.unwrap(), wanted);
    let own = ask(&server, &token, "GET", &format!("/api/runs/{}/details", run["run"]), b"").json();
    let theirs = desk.separa("cluster wine.csv -k 3 --drop cultivar --stability 20 --json -q").ok();
    let theirs: Value = serde_json::from_str(&theirs).unwrap();
    assert_eq!(own["stability"]["jaccard"].as_array().unwrap().len(), 3, "{own}");
    assert_eq!(own["stability"], theirs["stability"]);
    let without = fitted(&server, &token, table.unwrap(), json!({ "k": 3, "drop": ["cultivar"] }));
    let own =
        ask(&server, &token, "GET", &format!("/api/runs/{}/details", without["run"]), b"").json();
    assert_eq!(own["stability"], Value::Null);
}

#[test]
fn sparse_rows_and_records_are_tables_too() {
    let (desk, server, token) = opened(&[]);
    let sparse: String = (0..60)
        .map(|i| format!("0 1:{} 3:{}\n", i % 2 * 9 + i % 3, 40 * (i % 2) + i % 7))
        .collect();
    let records: String = (0..60)
        .map(|i| format!("{{\"a\": {}, \"b\": {}}}\n", i % 2 * 9 + i % 3, 40 * (i % 2) + i % 7))
        .collect();
    for (name, body) in [("rows.svm", sparse), ("rows.jsonl", records)] {
        desk.put(name, &body);
        let headers = [("x-separa-token", token.as_str()), ("x-separa-name", name)];
        let looked = server.ask("POST", "/api/tables", &headers, body.as_bytes());
        assert_eq!(looked.status, 200, "{name}: {}", looked.text());
        let looked = looked.json();
        assert_eq!(looked["look"]["rows"], 60, "{name}: {looked}");
        let run = fitted(&server, &token, looked["table"].as_u64().unwrap(), json!({ "k": 2 }));
        assert_eq!(run["state"], "done", "{run}");
        let command = run["result"]["command"].as_str().unwrap();
        desk.separa(&format!("{} -q", command.strip_prefix("separa ").unwrap())).ok();
        let path = format!("/api/runs/{}/labels.csv", run["run"]);
        assert_eq!(
            ask(&server, &token, "GET", &path, b"").text(),
            desk.get("labels.csv"),
            "{name}"
        );
    }
}

#[test]
fn the_suggested_method_is_the_one_of_the_hint() {
    let (_desk, server, token) = opened(&[]);
    let looked = ask(&server, &token, "POST", "/api/tables", WINE.as_bytes()).json();
    assert_eq!(looked["suggested"], Value::Null, "wine is a table like most");
    let short =
        "a,b\n".to_owned() + &(0..20).map(|i| format!("{},{}\n", i % 2 * 9, i)).collect::<String>();
    let looked = ask(&server, &token, "POST", "/api/tables", short.as_bytes()).json();
    assert_eq!(looked["suggested"]["methods"], json!(["mspc", "logistic"]), "{looked}");
    assert!(looked["suggested"]["kind"].as_str().unwrap().contains("short table"));
}

#[test]
fn questions_about_rows_have_the_answers_of_the_command_line() {
    let (desk, server, token) = opened(&["wine.csv"]);
    let table =
        ask(&server, &token, "GET", "/api/state", b"").json()["tables"][0]["table"].as_u64();
    let run = fitted(&server, &token, table.unwrap(), json!({ "k": 3, "drop": ["cultivar"] }));
    let path = format!("/api/runs/{}", run["run"]);
    let get = |what: &str| ask(&server, &token, "GET", &format!("{path}/{what}"), b"");
    desk.separa("cluster wine.csv -k 3 --drop cultivar -o labels.csv --model rule.separa -q").ok();

    let map = get("map").json();
    assert_eq!((map["rows"].as_array().unwrap().len(), &map["k"]), (178, &json!(3)));
    assert_eq!(map["places"].as_array().unwrap().len(), 178);
    let labels: Vec<i64> = desk
        .get("labels.csv")
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    assert_eq!(map["labels"], json!(labels));

    let own = get("explain/59").json();
    let theirs = desk.separa("explain rule.separa wine.csv --row 60 --json -q").ok();
    let theirs: Value = serde_json::from_str(&theirs).unwrap();
    let theirs = &theirs["explanations"][0];
    assert_eq!((&own["name"], &own["cluster"]), (&json!("60"), &theirs["cluster"]));
    for (own, theirs) in
        own["adds"].as_array().unwrap().iter().zip(theirs["contributions"].as_array().unwrap())
    {
        assert_eq!(own["column"], theirs["column"]);
        assert_eq!(own["adds"], theirs["contribution"]);
    }

    let post = |what: &str, body: Value| {
        ask(&server, &token, "POST", &format!("{path}/{what}"), body.to_string().as_bytes())
    };
    let found = post("find", json!({ "text": "17" })).json();
    let names: Vec<&str> =
        found["rows"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["17", "117", "170", "171", "172", "173", "174", "175", "176", "177", "178"]);
    // The rows of a cluster have its profile.
    let members: Vec<usize> = (0..178).filter(|i| labels[*i] == 1).collect();
    let selected = post("selection", json!({ "rows": members })).json();
    let profile = &get("details").json()["profile"]["clusters"][1];
    assert_eq!(selected["rows"], profile["size"]);
    for j in 0..8 {
        let (own, theirs) = (&selected["features"][j], &profile["features"][j]);
        assert_eq!(own["name"], theirs["name"]);
        // The other rows are added up cluster by cluster in a profile: another order, another rounding.
        for key in ["mean", "others", "effect"] {
            let (own, theirs) = (own[key].as_f64().unwrap(), theirs[key].as_f64().unwrap());
            assert!((own - theirs).abs() <= 1e-12 * theirs.abs(), "{j} {key}: {own}, {theirs}");
        }
    }
    let saved = post("selection.csv", json!({ "rows": [5, 2] })).text();
    let wine: Vec<&str> = WINE.lines().collect();
    let lines: Vec<&str> = saved.lines().collect();
    assert!(lines[0].starts_with("row,cluster,alcohol,"), "{saved}");
    assert_eq!(lines.len(), 3);
    let alcohol = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
    let column = wine[0].split(',').position(|name| name == "alcohol").unwrap();
    let known = wine[6].split(',').nth(column).unwrap().parse::<f64>().unwrap();
    assert!(lines[1].starts_with("6,") && alcohol(lines[1]) == known, "{saved}");

    let rows = get("rows").json();
    assert!(
        !rows["close"].as_array().unwrap().is_empty()
            && rows["odd"]["rows"].as_array().unwrap().len() == 20
    );
    for (what, body) in [
        ("selection", json!({ "rows": [178] })),
        ("selection", json!({ "rows": [-1] })),
        ("find", json!({})),
    ] {
        assert_eq!(post(what, body).status, 422, "{what}");
    }
    for what in ["explain/178", "explain/x", "beside/99", "rule.oracle.sql", "labels.doc"] {
        assert_eq!(get(what).status, 422, "{what}: {}", get(what).text());
    }
}

#[test]
fn the_rule_and_the_labels_are_taken_away_as_the_command_line_writes_them() {
    let (desk, server, token) = opened(&["wine.csv"]);
    let table =
        ask(&server, &token, "GET", "/api/state", b"").json()["tables"][0]["table"].as_u64();
    let run =
        fitted(&server, &token, table.unwrap(), json!({ "drop": ["cultivar"], "stability": true }));
    let path = format!("/api/runs/{}", run["run"]);
    let command = run["result"]["command"].as_str().unwrap();
    assert!(command.contains("--stability=20"), "{command}");
    for file in ["labels.csv", "labels.parquet", "labels.xlsx"] {
        let words = command.strip_prefix("separa ").unwrap().replace("labels.csv", file);
        desk.separa(&format!("{words} -q")).ok();
        let own = ask(&server, &token, "GET", &format!("{path}/{file}"), b"").body;
        assert!(own == desk.bytes(file), "{file} differs");
    }
    for dialect in ["duckdb", "postgres", "bigquery", "snowflake", "sqlite"] {
        let theirs = desk.separa(&format!("export rule.separa --to sql --dialect {dialect}")).ok();
        let own = ask(&server, &token, "GET", &format!("{path}/rule.{dialect}.sql"), b"").text();
        assert_eq!(own, theirs, "{dialect}");
    }
    // Named, too.
    let names = br#"{"names": [[0, "light"]]}"#;
    ask(&server, &token, "POST", &format!("{path}/names"), names);
    let state = ask(&server, &token, "GET", "/api/state", b"").json();
    let command = state["runs"][0]["result"]["command"].as_str().unwrap().to_owned();
    desk.separa(&format!("{} -q", command.strip_prefix("separa ").unwrap())).ok();
    for file in ["labels.csv", "rule.separa"] {
        let own = ask(&server, &token, "GET", &format!("{path}/{file}"), b"").body;
        assert!(own == desk.bytes(file), "{file} of {command}");
    }
}
