//! `separa app` under a thousand requests, slow clients and large bodies: refused or queued, and memory stays flat.

use crate::common::{self, http};

use common::{Desk, WINE};
use http::{Server, reply};
use serde_json::json;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

/// The app on a desk of its own, with the token of its address.
fn opened(words: &[&str]) -> (Desk, Server, String) {
    let desk = Desk::new();
    let server = Server::start(&desk, &[&["app", "--no-open"], words].concat());
    let token = server.said.split("token=").nth(1).expect("a token").trim().to_owned();
    (desk, server, token)
}

/// Megabytes of a process that are in memory.
#[cfg(target_os = "linux")]
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS")).expect("it says so");
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
#[cfg(target_os = "linux")]
fn a_thousand_requests_at_once_are_answered_or_refused_and_memory_stays_flat() {
    let (_desk, server, token) = opened(&[]);
    let headers = [("x-separa-token", token.as_str()), ("x-separa-name", "wine.csv")];
    let table =
        server.ask("POST", "/api/tables", &headers, WINE.as_bytes()).json()["table"].clone();
    let run = json!({ "table": table, "choices": { "k": 3, "drop": ["cultivar"] } }).to_string();
    let round = |requests: usize| {
        thread::scope(|scope| {
            let asked: Vec<_> = (0..requests)
                .map(|i| {
                    let (server, headers, run) = (&server, &headers, &run);
                    scope.spawn(move || match i % 4 {
                        0 => server.ask("POST", "/api/runs", headers, run.as_bytes()).status,
                        1 => server.ask("GET", "/api/state", headers, b"").status,
                        2 => server.ask("GET", "/api/state", &[], b"").status,
                        _ => server.ask("POST", "/api/tables", headers, WINE.as_bytes()).status,
                    })
                })
                .collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect::<Vec<u16>>()
        })
    };
    // Once to warm up: as many runs and tables as are ever kept.
    round(200);
    let before = memory(&server);
    for _ in 0..2 {
        let found = round(1000);
        let count = |status| found.iter().filter(|s| **s == status).count();
        assert_eq!(count(403), 250, "requests without a token: {found:?}");
        assert_eq!(count(200) + count(422) + count(403), 1000, "{found:?}");
        // All 250 states, and tables: one that eight others pushed out before it was looked at is not there any more.
        assert!(count(200) >= 400, "what can be answered is: {found:?}");
        // A queue of 20 runs is full.
        assert!(count(422) > 0, "not every run is taken: {found:?}");
    }
    let after = memory(&server);
    assert!(after <= before + 60, "{before} MB before, {after} MB after");
    assert_eq!(server.ask("GET", "/api/state", &headers, b"").status, 200);
}

#[test]
fn clients_that_send_a_byte_at_a_time_do_not_keep_the_page_waiting() {
    let (_desk, server, token) = opened(&[]);
    // All connections there are, each with a head that never ends.
    let mut slow: Vec<_> = (0..128).map(|_| server.connect()).collect();
    let began = Instant::now();
    slow.iter_mut().for_each(|s| s.write_all(b"GET / HTTP/1.1\r\nX-A: ").unwrap());
    let headers = [("x-separa-token", token.as_str())];
    let dripped = thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..14 {
                thread::sleep(Duration::from_secs(1));
                slow.iter_mut().for_each(|s| drop(s.write_all(b"a")));
            }
        });
        let answer = server.ask("GET", "/api/state", &headers, b"");
        assert_eq!(answer.status, 200, "{}", answer.head);
        began.elapsed()
    });
    assert!(dripped < Duration::from_secs(40), "the page waited {dripped:?}");
    assert!(dripped > Duration::from_secs(5), "the connections were not all taken: {dripped:?}");
}

#[test]
fn a_body_above_the_limit_is_refused_and_the_next_one_is_taken() {
    let (_desk, server, token) = opened(&["--max-body", "1M"]);
    let headers = [("x-separa-token", token.as_str()), ("x-separa-name", "wine.csv")];
    let large = vec![b'1'; 3 << 20];
    server.ask("POST", "/api/tables", &headers, &large).refused(413, "body-too-large");
    // A small request may not be large either.
    let long = format!("{{\"table\": 1, \"choices\": {{\"id\": \"{}\"}}}}", "x".repeat(2 << 20));
    server.ask("POST", "/api/runs", &headers, long.as_bytes()).refused(413, "body-too-large");
    assert_eq!(server.ask("POST", "/api/tables", &headers, WINE.as_bytes()).status, 200);
}

#[test]
fn a_body_that_stops_coming_is_no_table() {
    let (_desk, server, token) = opened(&[]);
    let mut stream = server.connect();
    let head = format!(
        "POST /api/tables HTTP/1.1\r\nHost: {}\r\nx-separa-token: {token}\r\nContent-Length: 100000\r\n\r\n1,2\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert_ne!(reply(stream).status, 200);
    let headers = [("x-separa-token", token.as_str())];
    let state = server.ask("GET", "/api/state", &headers, b"").json();
    assert_eq!(state["tables"], json!([]));
}
