//! What goes back: a body with its type, or a problem as JSON.

use serde::Serialize;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// As the protocol counts.
    pub status: u16,
    /// Type of the body.
    pub kind: &'static str,
    /// Headers besides those that every answer has, by their names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why a request was refused: what was wrong, what was expected, what to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// As the protocol counts.
    pub status: u16,
    /// The same for the same mistake.
    pub code: &'static str,
    /// What was wrong, and what was expected.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Answer {
    /// A text of some type.
    pub fn text(kind: &'static str, text: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, headers: Vec::new(), body: text.into() }
    }

    /// A value as JSON.
    pub fn json(value: &impl Serialize) -> Self {
        // What is sent holds strings, finite numbers and nulls: there is nothing that JSON lacks.
        let body = serde_json::to_vec(value).unwrap_or_default();
        Self::text("application/json", body)
    }

    /// With one more header.
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

impl Problem {
    /// A problem with a remedy.
    pub fn new(
        status: u16,
        code: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { status, code, message: message.into(), remedy: Some(remedy.into()) }
    }

    /// A sentence as separa words them, the remedy behind its last semicolon.
    pub fn sentence(status: u16, code: &'static str, sentence: &str) -> Self {
        match sentence.rsplit_once("; ") {
            Some((message, remedy)) => Self::new(status, code, message, remedy),
            None => Self { status, code, message: sentence.to_owned(), remedy: None },
        }
    }

    /// No such path.
    pub fn unknown_path(path: &str, known: &str) -> Self {
        Self::new(404, "unknown-path", format!("nothing is at {path}"), format!("use {known}"))
    }

    /// A path that is asked for in another way.
    pub fn wrong_method(method: &str, path: &str, expected: &'static str) -> Self {
        let message = format!("{path} does not answer {method}");
        Self::new(405, "wrong-method", message, format!("send {expected}"))
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Self {
        let mut answer = Answer::json(&serde_json::json!({ "error": problem }));
        answer.status = problem.status;
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_stands_behind_the_last_semicolon() {
        let problem = Problem::sentence(400, "table", "row 3 is 5; x; drop it");
        assert_eq!(
            (problem.message.as_str(), problem.remedy.as_deref()),
            ("row 3 is 5; x", Some("drop it"))
        );
        assert_eq!(Problem::sentence(400, "table", "row 3 is 5").remedy, None);
        let answer = Answer::from(problem);
        assert_eq!(answer.status, 400);
        let said = String::from_utf8(answer.body).unwrap();
        assert_eq!(
            said,
            r#"{"error":{"status":400,"code":"table","message":"row 3 is 5; x","remedy":"drop it"}}"#
        );
    }
}
