//! Few colours, each with one meaning. They are taken out again where no terminal shows them.

use anstyle::{AnsiColor, Style};
use separa_report::html::is_control;

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const TITLE: Style = Style::new().bold();
pub const BAR: Style = AnsiColor::Cyan.on_default();
pub const DIM: Style = Style::new().dimmed();

pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{}{style:#}", plain(&text.to_string()))
}

/// Text from data as a terminal may show it: what would steer the terminal is replaced. Every cell, sentence and
/// painted word passes here, so a name cannot move the cursor or change what is said around it.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if is_control(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A bar of `width` cells at most for a share between 0 and 1; never empty above zero.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * width as f64 * 8.0).round() as usize;
    let eighths = if share > 0.0 { eighths.max(1) } else { eighths };
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_steer_the_terminal() {
        let name = "a\u{1b}[2J\r\u{202e}b\u{9b}31m";
        assert_eq!(plain(name), "a\u{fffd}[2J\u{fffd}\u{fffd}b\u{fffd}31m");
        assert_eq!(paint(TITLE, name).matches('\u{1b}').count(), 2, "our own");
    }

    #[test]
    fn bars_grow_with_the_share_and_show_the_smallest() {
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(1e-9, 4), "▏");
        assert_eq!(bar(0.0, 4), "");
    }
}
