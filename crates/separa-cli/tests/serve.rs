//! `separa serve`: the real binary, asked over real sockets.

use crate::common::{self, http};

use common::{Desk, WINE};
use http::{Server, reply};
use serde_json::{Value, json};
use std::io::Write;
use std::thread;
use std::time::Duration;

/// A desk with the wine's model, and a server of it.
fn served(cluster: &str, serve: &str) -> (Desk, Server) {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv --drop cultivar -q -o labels.csv --model m.separa";
    desk.separa(&format!("{words} {cluster}")).ok();
    let words = format!("serve m.separa --port 0 {serve}");
    let server = Server::start(&desk, &words.split_whitespace().collect::<Vec<_>>());
    (desk, server)
}

/// Wine's rows as lists of numbers, with their names; the class is left out.
fn wine_rows() -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = WINE.lines();
    let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap_or(0.0)).collect();
    let mut rows: Vec<Vec<f64>> = lines.map(row).collect();
    rows.iter_mut().for_each(|row| row.truncate(names.len() - 1));
    (names[..names.len() - 1].to_vec(), rows)
}

fn labels(answer: &Value) -> Vec<i64> {
    let all = answer["labels"].as_array().unwrap_or_else(|| panic!("no labels in {answer}"));
    all.iter().map(|label| label.as_i64().expect("a number")).collect()
}

/// The labels of a file.
fn label_column(csv: &str) -> Vec<i64> {
    common::label_column(csv).into_iter().map(i64::from).collect()
}

#[test]
fn every_spelling_of_a_table_has_the_labels_of_predict() {
    for cluster in ["-k 3", "-k 2 -m kmeans", "-k 3 -m logistic"] {
        let (desk, server) = served(cluster, "");
        let expected = label_column(&desk.get("labels.csv"));
        let (names, rows) = wine_rows();
        let record = |row: &Vec<f64>| {
            Value::Object(names.iter().cloned().zip(row.iter().map(|v| json!(v))).collect())
        };
        let records: Vec<Value> = rows.iter().map(record).collect();
        let split = json!({ "columns": names, "rows": rows });
        for body in [json!(records), split, json!(rows)] {
            let answer = server.post("/predict", body.to_string().as_bytes());
            assert_eq!(answer.status, 200, "{}", answer.text());
            assert_eq!(labels(&answer.json()), expected, "{cluster}");
        }
        let one = server.post("/predict", records[77].to_string().as_bytes()).json();
        assert_eq!(labels(&one), expected[77..78]);
        assert_eq!(labels(&server.post("/predict", WINE.as_bytes()).json()), expected);
    }
}

#[test]
fn an_answer_says_how_sure_it_is() {
    let (desk, server) = served("-k 3 -m logistic", "");
    let answer = server.post("/predict", WINE.as_bytes()).json();
    let table = desk.separa("predict m.separa wine.csv").ok();
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for (i, line) in table.lines().skip(1).enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        for name in ["confidence", "runner_up", "margin"] {
            let at = header.iter().position(|found| *found == name).unwrap();
            assert_eq!(answer[name][i].as_f64(), Some(cells[at]), "{name}: {line}");
        }
    }
}

#[test]
fn clusters_are_called_by_the_names_that_a_user_gave() {
    let (_desk, server) = served("-k 3 --names 0=bulk,2=premium", "");
    let answer = server.post("/predict", WINE.as_bytes()).json();
    for (i, label) in labels(&answer).into_iter().enumerate() {
        let expected = [json!("bulk"), Value::Null, json!("premium")];
        assert_eq!(answer["names"][i], expected[label as usize], "row {i}");
    }
    let (_desk, plain) = served("-k 3", "");
    assert!(plain.post("/predict", WINE.as_bytes()).json().get("names").is_none());
}

/// Rows 1, 61, 141, 178 and 78 of the wine, written by pyarrow 26: a file and a stream.
#[test]
fn arrow_bodies_are_read_if_the_feature_is_on_and_refused_with_the_way_out_if_not() {
    let (desk, server) = served("-k 3", "");
    let all = label_column(&desk.get("labels.csv"));
    let expected: Vec<i64> = [0, 60, 140, 177, 77].iter().map(|&i| all[i]).collect();
    let file = include_bytes!("data/wine5.arrow").as_slice();
    let stream = include_bytes!("data/wine5.arrows").as_slice();
    for body in [file, stream] {
        let answer = server.post("/predict", body);
        if cfg!(feature = "arrow") {
            assert_eq!(labels(&answer.json()), expected);
        } else {
            let said = answer.refused(422, "table");
            assert!(said.contains("built without Arrow files"), "{said}");
            let remedy = answer.json()["error"]["remedy"].to_string();
            assert!(remedy.contains("arrow") && remedy.contains("Parquet"), "{remedy}");
        }
    }
    // Cut in the middle: an answer in words, and the server stays.
    assert_eq!(server.post("/predict", &file[..file.len() / 2]).status / 100, 4);
    assert_eq!(server.post("/predict", &stream[..stream.len() / 2]).status / 100, 4);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn models_of_bags_and_sequences_are_not_served_and_that_is_said() {
    let desk = Desk::new();
    let mut bags = "x,y,image\n".to_owned();
    let mut courses = "x,y,machine\n".to_owned();
    for i in 0..60 {
        let (x, y) = (9 * (i / 3 % 2) + i % 4, i * 7 % 5);
        bags += &format!("{x},{y},img{}\n", i / 3);
        courses += &format!("{x},{y},m{}\n", i / 20);
    }
    desk.put("bags.csv", bags);
    desk.put("courses.csv", courses);
    desk.separa("cluster bags.csv -k 2 -m msc --bag image -q --model bags.separa").ok();
    desk.separa("cluster courses.csv -k 2 -m crf --sequence machine -q --model crf.separa").ok();
    desk.refused("serve bags.separa --port 0", &["rows of a bag together", "--bag"]);
    desk.refused("serve crf.separa --port 0", &["rows of a sequence together", "--sequence"]);
}

#[test]
fn words_dates_and_gaps_are_prepared_as_the_model_was() {
    let desk = Desk::new();
    let mut table = "joined,plan,spend\n".to_owned();
    for i in 0..120 {
        let (plan, spend) = if i % 2 == 0 { ("basic", 10 + i % 7) } else { ("gold", 90 + i % 5) };
        table += &format!("2024-{:02}-{:02},{plan},{spend}\n", 1 + i % 12, 1 + i % 27);
    }
    desk.put("t.csv", &table);
    desk.separa("cluster t.csv -k 2 -q --model m.separa -o labels.csv").ok();
    let server = Server::start(&desk, &["serve", "m.separa", "--port", "0"]);
    let body = json!([
        { "plan": "basic", "joined": "2024-01-01", "spend": 10 },
        { "plan": "gold", "spend": 93, "joined": null },
        { "plan": "platinum", "spend": 91, "joined": "2024-05-05" },
    ]);
    desk.put(
        "new.csv",
        "joined,plan,spend\n2024-01-01,basic,10\n,gold,93\n2024-05-05,platinum,91\n",
    );
    let expected = label_column(&desk.separa("predict m.separa new.csv -q").ok());
    let answer = server.post("/predict", body.to_string().as_bytes()).json();
    assert_eq!(labels(&answer), expected);
    assert!(answer["notes"].to_string().contains("platinum"), "{answer}");
}

#[test]
fn rows_that_the_preparation_leaves_out_have_no_label() {
    let (_desk, server) = served("-k 2 --missing drop", "");
    let (_, mut rows) = wine_rows();
    rows.truncate(3);
    let mut body = json!(rows);
    body[1][0] = Value::Null;
    let answer = server.post("/predict", body.to_string().as_bytes()).json();
    assert_eq!(answer["labels"].as_array().unwrap().len(), 3);
    assert!(answer["labels"][1].is_null() && answer["margin"][1].is_null(), "{answer}");
    assert!(answer["labels"][2].is_i64(), "{answer}");
}

#[test]
fn the_first_page_shows_a_request_that_works() {
    let (_desk, server) = served("-k 3", "");
    let about = server.get("/").json();
    assert_eq!((&about["method"], &about["k"]), (&json!("mspc"), &json!(3)));
    assert_eq!(about["columns"].as_array().unwrap().len(), 13);
    let answer = server.post("/predict", about["example"]["body"].to_string().as_bytes());
    assert_eq!(labels(&answer.json()).len(), 1);
    assert_eq!(server.get("/health").json()["status"], "ok");
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("separa_requests_total{route=\"predict\",status=\"200\"} 1\n"));
    assert!(metrics.contains("separa_rows_total 1\n"), "{metrics}");
}

#[test]
fn classes_are_called_by_their_names() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.separa("train wine.csv --target cultivar --model m.separa -q").ok();
    let server = Server::start(&desk, &["serve", "m.separa", "--port", "0"]);
    let expected = label_column(&desk.separa("predict m.separa wine.csv").ok());
    let answer = server.post("/predict", WINE.as_bytes()).json();
    let names = answer["labels"].as_array().unwrap().iter().map(|l| l.as_str().unwrap());
    assert_eq!(names.map(|name| name.parse::<i64>().unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn bad_requests_are_refused_in_words_and_the_server_stays() {
    let (_desk, server) = served("-k 3", "--max-body 64K --timeout 1s --threads 1");
    let big = vec![b' '; 70_000];
    type Case<'a> = (&'a str, &'a str, &'a [u8], u16, &'a str, &'a str);
    let cases: [Case<'_>; 10] = [
        ("POST", "/predict", b"[{\"a\": 1", 400, "malformed-body", "column 8"),
        ("POST", "/predict", b"", 400, "empty-body", "empty"),
        ("POST", "/predict", b"[{\"alcohol\": 1}]", 422, "columns", "\"malic_acid\""),
        ("POST", "/predict", b"[[1, 2, 3]]", 422, "columns", "3"),
        ("POST", "/predict", b"colour,weight\nred,1\nblue,2\n", 422, "columns", "\"alcohol\""),
        ("POST", "/predict", b"[{\"a\": {\"b\": 1}}]", 400, "malformed-body", "holds a record"),
        ("POST", "/predict", &big, 413, "body-too-large", "70000 bytes"),
        ("GET", "/predict", b"", 405, "wrong-method", "GET"),
        ("POST", "/health", b"", 405, "wrong-method", "POST"),
        ("GET", "/../etc/passwd", b"", 404, "unknown-path", "/../etc/passwd"),
    ];
    for (method, path, body, status, code, part) in cases {
        let said = server.ask(method, path, &[], body).refused(status, code);
        assert!(said.contains(part), "{part} is missing in {said}");
    }
    // A body whose length nobody said, one that never comes, and no request at all.
    let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
    let head = b"POST /predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    let chunked = [head.as_slice(), b"Transfer-Encoding: chunked\r\n\r\n", &chunk, &chunk].concat();
    server.send(&[&chunked[..], b"0\r\n\r\n"].concat()).refused(413, "body-too-large");
    // A client that was told to go on reads why it ends, too, however much it has sent by then.
    let told =
        [head.as_slice(), b"Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"].concat();
    let told = [told, chunk.repeat(200), b"0\r\n\r\n".to_vec()].concat();
    let said = String::from_utf8_lossy(&server.send(&told).body).into_owned();
    assert!(said.contains("body-too-large"), "{said}");
    let slow = [head.as_slice(), b"Content-Length: 100\r\n\r\n[["].concat();
    server.send(&slow).refused(408, "body-too-slow");
    assert_eq!(server.send(b"nonsense\r\n\r\n").status, 400);
    assert_eq!(server.get("/health").status, 200);

    let (code, told) = server.terminate();
    assert_eq!(code, Some(0), "{told}");
    let lines: Vec<Value> = told.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!(lines.len(), 13, "{told}");
    assert_eq!(
        (&lines[0]["code"], &lines[0]["path"]),
        (&json!("malformed-body"), &json!("/predict"))
    );
}

#[test]
fn a_gigabyte_is_refused_before_it_is_read() {
    let (_desk, server) = served("-k 2", "");
    let head = "POST /predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n";
    let head = format!("{head}Content-Length: {}\r\n\r\n", 1u64 << 30);
    let said = server.send(head.as_bytes()).refused(413, "body-too-large");
    assert!(said.contains("1073741824 bytes, at most 33554432 bytes"), "{said}");
}

#[test]
fn many_clients_at_once_wait_their_turn() {
    let (desk, server) = served("-k 3", "--threads 2");
    let expected = label_column(&desk.get("labels.csv"));
    // Some say nothing, some stop in the middle: they hold nobody up.
    let _idle: Vec<_> = (0..40).map(|_| server.connect()).collect();
    let mut cut = server.connect();
    cut.write_all(b"POST /predict HTTP/1.1\r\nContent-Length: 50\r\n\r\n[").unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let answer = server.post("/predict", WINE.as_bytes());
                    assert_eq!(labels(&answer.json()), expected);
                }
            });
        }
    });
}

#[cfg(unix)]
#[test]
fn a_request_in_flight_is_answered_before_the_end() {
    let (_desk, server) = served("-k 3", "");
    let mut stream = server.connect();
    let body = WINE.as_bytes();
    let head = "POST /predict HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body[..1000]).unwrap();
    // Until the server has seen the head, there is nothing in flight.
    while !server.get("/metrics").text().contains("separa_requests_in_flight 2\n") {
        thread::sleep(Duration::from_millis(5));
    }
    let address = server.address.clone();
    let ending = thread::spawn(move || server.terminate());
    while std::net::TcpStream::connect(&address).is_ok() {
        thread::sleep(Duration::from_millis(5));
    }
    stream.write_all(&body[1000..]).unwrap();
    assert_eq!(reply(stream).json()["labels"].as_array().unwrap().len(), 178);
    assert_eq!(ending.join().unwrap(), (Some(0), String::new()));
}

#[test]
fn what_cannot_be_served_is_said_before_anything_listens() {
    let desk = Desk::new();
    desk.put("none.separa", "nothing");
    desk.refused("serve gone.separa", &["gone.separa: no such model file"]);
    desk.refused("serve none.separa", &["none.separa"]);
    desk.put("t.csv", common::two_clouds(20, 2));
    desk.separa("cluster t.csv -k 2 -q --drop kind --model m.separa").ok();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    desk.refused(&format!("serve m.separa --port {port}"), &["cannot listen", "--port"]);
}
