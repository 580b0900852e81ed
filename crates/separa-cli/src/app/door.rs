//! What the page asks, path by path.

use super::choices::Choices;
use super::desk::Desk;
use super::guard::Guard;
use super::{explore, shown, take};
use crate::failure::{Failure, Result};
use separa_serve::{Accepts, Answer, Body, Door, Head, Metrics, Problem, Request};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Bytes of a request that is no table.
const SMALL: u64 = 1 << 20;

/// The page and what is behind it.
#[derive(Debug)]
pub struct AppDoor {
    desk: Arc<Desk>,
    guard: Guard,
    max_body: u64,
    began: Instant,
    /// Milliseconds from the beginning to the last request; how long nobody asked tells that the page is closed.
    asked: Arc<AtomicU64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    table: u32,
    #[serde(default)]
    choices: Choices,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    names: Vec<(usize, String)>,
}

/// Rows by their places in the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    rows: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    text: String,
}

impl AppDoor {
    pub fn new(desk: Arc<Desk>, guard: Guard, max_body: u64) -> Self {
        Self { desk, guard, max_body, began: Instant::now(), asked: Arc::default() }
    }

    /// Says how many seconds ago the page asked something; none if it never did.
    pub fn silence(&self) -> impl Fn() -> Option<f64> + Send + 'static {
        let (began, asked) = (self.began, self.asked.clone());
        move || match asked.load(Ordering::Relaxed) {
            0 => None,
            at => Some(began.elapsed().as_secs_f64() - at as f64 / 1000.0),
        }
    }
}

impl Door for AppDoor {
    fn route(&self, head: &Head) -> &'static str {
        let parts: Vec<&str> = head.path().split('/').skip(1).collect();
        match (head.method(), parts.as_slice()) {
            ("GET", [""]) => "page",
            ("GET", ["report", _]) => "report",
            ("GET", ["api", "state"]) => "state",
            ("POST", ["api", "tables"]) => "table",
            ("POST", ["api", "look"]) => "look",
            ("POST", ["api", "runs"]) => "run",
            ("POST", ["api", "runs", _, "stop"]) => "stop",
            ("POST", ["api", "runs", _, "end"]) => "end",
            ("POST", ["api", "runs", _, "names"]) => "names",
            ("POST", ["api", "runs", _, "find"]) => "find",
            ("POST", ["api", "runs", _, "selection"]) => "selection",
            ("POST", ["api", "runs", _, "selection.csv"]) => "selection.csv",
            ("GET", ["api", "runs", _, "agreement"]) => "agreement",
            ("GET", ["api", "runs", _, "details"]) => "details",
            ("GET", ["api", "runs", _, "map"]) => "map",
            ("GET", ["api", "runs", _, "rows"]) => "rows",
            ("GET", ["api", "runs", _, "explain", _]) => "explain",
            ("GET", ["api", "runs", _, "beside", _]) => "beside",
            ("GET", ["api", "runs", _, _]) => "take",
            _ => "unknown",
        }
    }

    fn admit(&self, head: &Head) -> std::result::Result<Accepts, Problem> {
        self.guard.check(head)?;
        let now = self.began.elapsed().as_millis() as u64;
        self.asked.store(now.max(1), Ordering::Relaxed);
        match self.route(head) {
            "unknown" => Err(Problem::unknown_path(head.path(), "the page that separa opened")),
            "table" => Ok(Accepts::File(self.max_body)),
            "look" | "run" | "names" | "stop" | "end" | "find" | "selection" | "selection.csv" => {
                Ok(Accepts::Memory(SMALL))
            }
            _ => Ok(Accepts::Nothing),
        }
    }

    fn answer(&self, request: Request, _: &Metrics) -> std::result::Result<Answer, Problem> {
        let route = self.route(&request.head);
        self.answered(route, request)
            .map_err(|failure| Problem::sentence(422, "refused", &failure.sentence()))
    }
}

impl AppDoor {
    fn answered(&self, route: &'static str, request: Request) -> Result<Answer> {
        let Request { head, body } = request;
        match (route, body) {
            ("page", _) => shown::page(),
            ("state", _) => Ok(Answer::json(&shown::state(&self.desk))),
            ("table", Body::File(file)) => {
                let name = decoded(head.header("x-separa-name").unwrap_or_default());
                let number = self.desk.tables.keep(&name, file)?;
                let looked = shown::look(&self.desk, number, &Choices::default());
                // What cannot be looked at cannot be clustered.
                let looked = looked.inspect_err(|_| self.desk.tables.forget(number))?;
                Ok(Answer::json(&looked))
            }
            ("look", Body::Memory(bytes)) => {
                let Asked { table, choices } = parsed(&bytes)?;
                Ok(Answer::json(&shown::look(&self.desk, table, &choices)?))
            }
            ("run", Body::Memory(bytes)) => {
                let Asked { table, choices } = parsed(&bytes)?;
                Ok(Answer::json(&json!({ "run": self.desk.ask(table, choices)? })))
            }
            ("stop" | "end", _) => {
                self.desk.stop(numbers(&head, 1)?[0], route == "end");
                Ok(Answer::json(&json!({})))
            }
            (_, Body::Memory(bytes)) => self.asked(route, &head, &bytes),
            (_, Body::File(_)) => Err(Failure::new("a file was not expected here")),
        }
    }

    /// A question about a run that is done.
    fn asked(&self, route: &'static str, head: &Head, body: &[u8]) -> Result<Answer> {
        let number = numbers(head, 1)?[0];
        let outcome = self.desk.outcome(number)?;
        let answer = match route {
            "agreement" => shown::agreement(&self.desk, number)?,
            "details" => shown::details(&outcome),
            "map" => explore::map(&outcome)?,
            "rows" => explore::rows(&outcome)?,
            "explain" => explore::explain(&outcome, numbers(head, 2)?[1] as usize)?,
            "beside" => {
                let other = self.desk.outcome(numbers(head, 2)?[1])?;
                explore::beside(&outcome, &other)?
            }
            "find" => explore::find(&outcome, &parsed::<Wanted>(body)?.text),
            "selection" => explore::selection(&outcome, &parsed::<Places>(body)?.rows)?,
            "selection.csv" => {
                let bytes = explore::selection_csv(&outcome, &parsed::<Places>(body)?.rows)?;
                let answer = Answer::text("text/csv; charset=utf-8", bytes);
                return Ok(answer.with("content-disposition", take::attachment(route)));
            }
            "names" => {
                outcome.rename(parsed::<Names>(body)?.names)?;
                json!({})
            }
            "report" => return take::report(&outcome),
            _ => return take::file(&outcome, head.path().rsplit('/').next().unwrap_or_default()),
        };
        Ok(Answer::json(&answer))
    }
}

/// The numbers in a path, at least so many of them: of a run, then of a row or another run.
fn numbers(head: &Head, count: usize) -> Result<Vec<u32>> {
    let found: Vec<u32> = head.path().split('/').filter_map(|part| part.parse().ok()).collect();
    match found.len() >= count {
        true => Ok(found),
        false => Err(Failure::new(format!("{} names no run by its number", head.path()))),
    }
}

fn parsed<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T> {
    serde_json::from_slice(bytes)
        .map_err(|e| Failure::new(format!("the request cannot be read ({e}); load the page again")))
}

/// Text whose bytes were written as %XX where a header cannot hold them.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn names_come_through_a_header() {
        assert_eq!(decoded("w%C3%A4in%20%25.csv"), "wäin %.csv");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}
