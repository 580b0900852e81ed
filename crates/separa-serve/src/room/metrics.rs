//! What was asked and how long it took, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Upper ends of the histogram's bins, in seconds.
const BINS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

/// Counts since the start.
#[derive(Debug, Default)]
pub struct Metrics {
    answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
    seconds: Mutex<Seconds>,
    rows: AtomicU64,
    in_flight: AtomicU64,
}

#[derive(Debug, Default)]
struct Seconds {
    bins: [u64; BINS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    /// Rows that were labelled.
    pub fn add_rows(&self, rows: usize) {
        self.rows.fetch_add(rows as u64, Ordering::Relaxed);
    }

    pub(super) fn begin(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn end(&self, route: &'static str, status: u16, seconds: f64) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        // A thread that panicked while it counted left the counts as they were.
        let mut answers = self.answers.lock().unwrap_or_else(|e| e.into_inner());
        *answers.entry((route, status)).or_default() += 1;
        drop(answers);
        let mut seen = self.seconds.lock().unwrap_or_else(|e| e.into_inner());
        seen.count += 1;
        seen.sum += seconds;
        if let Some(bin) = BINS.iter().position(|end| seconds <= *end) {
            seen.bins[bin] += 1;
        }
    }

    /// The text that is scraped.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let head = |out: &mut String, name: &str, kind: &str, help: &str| {
            let _ = write!(out, "# HELP separa_{name} {help}\n# TYPE separa_{name} {kind}\n");
        };
        head(&mut out, "requests_total", "counter", "Answers by route and status.");
        let answers = self.answers.lock().unwrap_or_else(|e| e.into_inner());
        for ((route, status), count) in answers.iter() {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            let _ = writeln!(out, "separa_requests_total{{{labels}}} {count}");
        }
        drop(answers);
        head(&mut out, "requests_in_flight", "gauge", "Requests that wait for their answer.");
        let _ =
            writeln!(out, "separa_requests_in_flight {}", self.in_flight.load(Ordering::Relaxed));
        head(&mut out, "rows_total", "counter", "Rows that were labelled.");
        let _ = writeln!(out, "separa_rows_total {}", self.rows.load(Ordering::Relaxed));
        head(&mut out, "request_seconds", "histogram", "From the head of a request to its answer.");
        let seen = self.seconds.lock().unwrap_or_else(|e| e.into_inner());
        let mut below = 0;
        for (end, count) in BINS.iter().zip(seen.bins) {
            below += count;
            let _ = writeln!(out, "separa_request_seconds_bucket{{le=\"{end}\"}} {below}");
        }
        let _ = writeln!(out, "separa_request_seconds_bucket{{le=\"+Inf\"}} {}", seen.count);
        let _ = writeln!(out, "separa_request_seconds_sum {}", seen.sum);
        let _ = writeln!(out, "separa_request_seconds_count {}", seen.count);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_add_up_to_the_count() {
        let metrics = Metrics::default();
        for seconds in [0.0001, 0.002, 0.002, 60.0] {
            metrics.begin();
            metrics.end("predict", 200, seconds);
        }
        metrics.begin();
        metrics.add_rows(3);
        let text = metrics.text();
        for line in [
            "separa_requests_total{route=\"predict\",status=\"200\"} 4",
            "separa_requests_in_flight 1",
            "separa_rows_total 3",
            "separa_request_seconds_bucket{le=\"0.001\"} 1",
            "separa_request_seconds_bucket{le=\"30\"} 3",
            "separa_request_seconds_bucket{le=\"+Inf\"} 4",
            "separa_request_seconds_count 4",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
    }
}
