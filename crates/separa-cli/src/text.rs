//! The one way to standard output.

pub use separa_report::{number, terminal as style};

use crate::failure::{Failure, Result};
use separa_report::Document;
use std::io::{ErrorKind, IsTerminal, Write};

/// Lines are never shorter or longer than these.
const WIDTHS: [usize; 2] = [60, 120];

/// Shows a document, as wide as the terminal is.
pub fn show(document: &Document) -> Result<()> {
    print(&document.terminal(width()))
}

/// The width of the terminal; the usual one where there is none.
pub fn width() -> usize {
    let known = match std::io::stdout().is_terminal() {
        true => terminal_size::terminal_size().map(|(terminal_size::Width(w), _)| usize::from(w)),
        false => None,
    };
    known.map_or(style::WIDTH, |w| w.clamp(WIDTHS[0], WIDTHS[1]))
}

/// Writes to standard output; colours are taken out where nobody sees them.
pub fn print(text: &str) -> Result<()> {
    write_to(&mut anstream::stdout().lock(), text.as_bytes())
}

/// Writes bytes to standard output as they are.
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    write_to(&mut std::io::stdout().lock(), bytes)
}

/// One JSON value on standard output.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|e| Failure::new(format!("the result cannot be written as JSON ({e})")))?;
    text.push('\n');
    print_bytes(text.as_bytes())
}

/// A sentence the user may read, on standard error.
pub fn notice(sentence: &str) {
    anstream::eprintln!("{} {}", style::paint(style::DIM, "note:"), style::plain(sentence));
}

fn write_to(out: &mut impl Write, bytes: &[u8]) -> Result<()> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => Err(Failure::ReaderGone),
        Err(e) => Err(Failure::new(format!("standard output: cannot be written ({e})"))),
    }
}
