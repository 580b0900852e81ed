//! A client of sockets: what a test wants to send is sent as it is.
#![allow(dead_code, reason = "every test file uses a part of this")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Desk;

/// A server that runs, and its address.
#[derive(Debug)]
pub struct Server {
    pub child: Child,
    pub address: String,
    /// The line that it said first.
    pub said: String,
    /// Reads standard error, so that a server that says much is never kept waiting.
    errors: Option<JoinHandle<String>>,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Server {
    /// Starts the binary and waits for the line that names its address.
    pub fn start(desk: &Desk, words: &[&str]) -> Self {
        let mut command = desk.command(words);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut said = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut said).expect("a line");
        let address = said.split("http://").nth(1).unwrap_or_default();
        let address = address.trim().split('/').next().unwrap_or_default().to_owned();
        assert!(!address.is_empty(), "no address in {said:?}");
        let mut stderr = child.stderr.take().expect("piped");
        let errors = std::thread::spawn(move || {
            let mut said = String::new();
            let _ = stderr.read_to_string(&mut said);
            said
        });
        Self { child, address, said, errors: Some(errors) }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        stream
    }

    /// Sends one request as it is, and reads the answer to its end.
    pub fn send(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server may refuse before all is written.
        let _ = stream.write_all(request);
        reply(stream)
    }

    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &[u8]) -> Reply {
        self.ask("POST", path, &[], body)
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if headers.iter().all(|(name, _)| *name != "Host") {
            text += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n", body.len());
        self.send(&[text.as_bytes(), body].concat())
    }

    /// Asks it to end as a service manager does; its exit code and what it said to standard error.
    #[cfg(unix)]
    pub fn terminate(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        std::process::Command::new("kill").arg(&id).status().expect("kill runs");
        let said = self.errors.take().expect("one end").join().expect("text");
        (self.child.wait().expect("it ends").code(), said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer to its end.
pub fn reply(mut stream: TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    Reply { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        let text = self.text();
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {} {text}", self.head))
    }

    /// A refusal with its code, a message and a remedy.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{} {}", self.head, self.text());
        let error = &self.json()["error"];
        assert_eq!(error["code"], code, "{error}");
        assert!(error["remedy"].as_str().is_some_and(|r| !r.is_empty()), "{error}");
        error["message"].as_str().expect("a message").to_owned()
    }
}
