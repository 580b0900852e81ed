//! Why a command could not do its work: one sentence for standard error, and an exit code.

use crate::notes::word;
use crate::repair;
use crate::text::style;

/// Work that ended before `max_iter` let it converge.
pub const NOT_CONVERGED: u8 = 1;
/// New rows that are not distributed like the training rows.
pub const DRIFT: u8 = 1;
/// Input, options or targets that cannot be used.
pub const BAD_INPUT: u8 = 2;
/// Ctrl-C; what was best so far has been written.
pub const INTERRUPTED: u8 = 130;

/// What the process ends with. The standard library's own cannot be read, which the door to Python must.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitCode(pub u8);

impl ExitCode {
    pub const SUCCESS: Self = Self(0);
}

impl From<u8> for ExitCode {
    fn from(code: u8) -> Self {
        Self(code)
    }
}

pub type Result<T> = std::result::Result<T, Failure>;

#[derive(Debug)]
pub enum Failure {
    /// What was wrong, what was expected, what to do.
    Said(String),
    /// Ctrl-C came before there was anything to keep.
    Interrupted(String),
    /// The reader of our standard output has gone: nobody is left to tell.
    ReaderGone,
}

impl Failure {
    pub fn new(sentence: impl Into<String>) -> Self {
        Self::Said(sentence.into())
    }

    /// The sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Said(sentence) | Self::Interrupted(sentence) => sentence.clone(),
            Self::ReaderGone => "nobody reads the answer".to_owned(),
        }
    }

    /// Prints the sentence; the exit code that goes with it.
    pub fn report(&self) -> ExitCode {
        let (sentence, code) = match self {
            Self::Said(sentence) => (sentence, BAD_INPUT),
            Self::Interrupted(sentence) => (sentence, INTERRUPTED),
            Self::ReaderGone => return ExitCode::SUCCESS,
        };
        let sentence = style::plain(sentence);
        anstream::eprintln!("{} {sentence}", style::paint(style::ERROR, "error:"));
        ExitCode::from(code)
    }
}

impl From<separa::Error> for Failure {
    fn from(e: separa::Error) -> Self {
        match e {
            separa::Error::Interrupted { .. } => {
                Self::Interrupted(format!("{}; nothing was written", e.sentence(word)))
            }
            separa::Error::Param { method, name: "n_clusters", expected, found } if typed_k() => {
                Self::new(format!("{method}: -k must be {expected}, got {found}"))
            }
            separa::Error::UnknownParam { ref method, suggestion: None, .. } => Self::new(format!(
                "{}; `separa methods {method}` lists its parameters",
                e.sentence(word)
            )),
            other => Self::new(other.sentence(word)),
        }
    }
}

/// Whether the number of clusters was typed as an option of its own.
fn typed_k() -> bool {
    crate::typed_words().any(|word| {
        let word = word.to_string_lossy();
        word.starts_with("-k") || word.starts_with("--clusters")
    })
}

impl From<separa_io::Error> for Failure {
    fn from(e: separa_io::Error) -> Self {
        match repair::command(crate::typed_words(), &e.repairs()) {
            Some(command) => Self::new(format!("{e}\n  {command}")),
            None => Self::new(e.to_string()),
        }
    }
}
