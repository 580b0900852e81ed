//! Where a fit is, drawn on standard error for a person who watches.

use crate::interrupt::Interrupt;
use crate::text::number::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use separa::{Event, Observer};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Draws events and passes Ctrl-C on to the fit.
#[derive(Debug)]
pub struct Watch {
    bar: ProgressBar,
    interrupt: Interrupt,
    start: String,
    /// What a fit has several of, as it says: an initialization, or a method of a comparison.
    one: &'static str,
    /// The pass under way, and when it began.
    begun: Option<(usize, Instant)>,
}

impl Watch {
    /// The bar is hidden with `quiet`, with NO_PROGRESS set, or where no person can see it.
    pub fn new(interrupt: Interrupt, quiet: bool) -> Self {
        let unwanted = quiet || std::env::var_os("NO_PROGRESS").is_some_and(|v| !v.is_empty());
        let target =
            if unwanted { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(spinner());
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(100));
        }
        Self { bar, interrupt, start: String::new(), one: "initialization", begun: None }
    }

    /// Of a comparison: methods begin, not initializations.
    pub fn of_methods(self) -> Self {
        Self { one: "method", ..self }
    }

    /// Another handle on the bar, to clear it once the fit is over.
    pub fn handle(&self) -> ProgressBar {
        self.bar.clone()
    }
}

impl Watch {
    /// The pass, its rows so far, and how many there are in a second.
    fn pass(&mut self, pass: usize, rows: usize, of: Option<usize>) {
        if self.begun.is_none_or(|(number, _)| number != pass) {
            self.begun = Some((pass, Instant::now()));
            self.bar.set_length(of.unwrap_or(rows) as u64);
            self.bar.set_style(iterations());
        }
        self.bar.set_position(rows as u64);
        let seconds = self.begun.map_or(0.0, |(_, begun)| begun.elapsed().as_secs_f64());
        let rate = if seconds > 0.0 { rows as f64 / seconds } else { 0.0 };
        let left = of.filter(|_| rate > 0.0).map(|of| of.saturating_sub(rows) as f64 / rate);
        let left = left.map_or(String::new(), |s| format!(", {} s left", s.ceil() as u64));
        let rate = counted(rate as usize, "row");
        self.bar.set_message(format!("rows in pass {pass}, {rate} per second{left}"));
    }
}

impl Observer for Watch {
    fn on(&mut self, event: &Event) -> ControlFlow<()> {
        match event {
            Event::Phase { name } => {
                self.bar.unset_length();
                self.bar.set_style(spinner());
                self.bar.set_message((*name).to_owned());
            }
            Event::Start { index, of, name } => {
                self.start = begun(self.one, *index, *of, name);
                self.bar.set_position(0);
                self.bar.set_message(self.start.clone());
            }
            Event::Iteration { iteration, max_iter, objective, changed } => {
                if self.bar.length() != Some(*max_iter as u64) {
                    self.bar.set_length(*max_iter as u64);
                    self.bar.set_style(iterations());
                }
                self.bar.set_position(*iteration as u64);
                let before = if self.start.is_empty() { "" } else { ": " };
                self.bar.set_message(format!(
                    "{}{before}objective {objective:.4}, {} changed",
                    self.start,
                    counted(*changed, "label")
                ));
            }
            Event::Pass { pass, rows, of } => self.pass(*pass, *rows, *of),
            _ => {}
        }
        self.interrupt.on(event)
    }

    fn interrupt(&self) -> Option<separa::Interrupt> {
        self.interrupt.interrupt()
    }
}

/// Which initialization (refit, method) is under way. How many runs a count takes is not known before, only how many
/// at most.
fn begun(one: &str, index: usize, of: usize, name: &str) -> String {
    match name {
        "counting clusters" => format!("{name}: run {}", index + 1),
        "refit" => format!("refit {} of {of}", index + 1),
        _ => format!("{one} {} of {of} ({name})", index + 1),
    }
}

fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}")
        .expect("the template is well formed")
}

fn iterations() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {elapsed} [{bar:24}] {pos}/{len} {wide_msg}")
        .expect("the template is well formed")
        .progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::begun;

    #[test]
    fn a_count_does_not_promise_a_number_of_runs() {
        assert_eq!(
            begun("initialization", 0, 199, "counting clusters"),
            "counting clusters: run 1"
        );
        assert_eq!(
            begun("initialization", 2, 10, "k-means++"),
            "initialization 3 of 10 (k-means++)"
        );
        assert_eq!(begun("initialization", 2, 10, "refit"), "refit 3 of 10");
        assert_eq!(begun("method", 0, 3, "kmeans"), "method 1 of 3 (kmeans)");
    }
}
