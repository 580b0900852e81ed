//! How clearly rows were decided, in a few lines of blocks.

use super::{number, style};
use anstyle::{AnsiColor, Style};
use separa::view::Decided;
use separa_report::figures::histogram::Bins;

const WIDTH: usize = 56;
const HEIGHT: usize = 2;
/// The other side of a boundary.
const OTHER: Style = AnsiColor::Yellow.on_default();

/// A small histogram with its ends, and the boundary of two groups; nothing where nothing was decided. `n` is how
/// many `things` there are: where fewer were decided, that is said.
pub fn describe(decided: &Decided, k: usize, (n, things): (usize, &str)) -> String {
    let bins = if k > 1 { Bins::of(decided, k, WIDTH) } else { None };
    let Some(bins) = bins else { return String::new() };
    let most = (0..WIDTH).map(|b| bins.total(b)).max().unwrap_or(1).max(1) as f64;
    let (low, high) = (bins.low, bins.high);
    // Where the boundary of two groups falls, if it is in sight.
    let zero = (k == 2 && low < 0.0 && high > 0.0)
        .then(|| ((0.0 - low) / (high - low) * WIDTH as f64) as usize);
    let name = if k == 2 { "decision value" } else { "lead over second" };
    let mut text = "\n".to_owned();
    for line in (0..HEIGHT).rev() {
        let height = |b: usize| bins.total(b) as f64 / most * HEIGHT as f64 - line as f64;
        let mut drawn: Vec<char> = (0..WIDTH).map(|b| block(height(b))).collect();
        let used = drawn.iter().rposition(|c| *c != ' ').map_or(0, |last| last + 1);
        drawn.truncate(used);
        let (left, right) = drawn.split_at(zero.unwrap_or(WIDTH).min(used));
        let side = |part: &[char], colour| style::paint(colour, part.iter().collect::<String>());
        text.push_str(&format!("  {}{}\n", side(left, style::BAR), side(right, OTHER)));
    }
    text.push_str(&format!("  {}\n", scale(low, high, zero, name)));
    let seen = decided.rows.len();
    if seen < n {
        let (seen, n) = (number::count(seen), number::count(n));
        let said = format!("  of a random sample of {seen} of {n} {things}\n");
        text.push_str(&style::paint(style::DIM, said));
    }
    text
}

/// Eighths of a block for a height between 0 and 1.
fn block(height: f64) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BLOCKS[(height.clamp(0.0, 1.0) * 8.0).round() as usize]
}

/// The ends and the boundary below the blocks, and what is counted.
fn scale(low: f64, high: f64, zero: Option<usize>, name: &str) -> String {
    let (low, high) = (number::value(low), number::value(high));
    let mut line = low.clone();
    if let Some(at) = zero.filter(|at| *at > low.len() && at + high.len() + 1 < WIDTH) {
        line.push_str(&" ".repeat(at - low.len()));
        line.push('0');
    }
    let room = WIDTH.saturating_sub(line.len() + high.len());
    style::paint(style::DIM, format!("{line}{}{high}   {name}", " ".repeat(room)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(values: Vec<f64>) -> Decided {
        let labels = values.iter().map(|v| i32::from(*v >= 0.0)).collect();
        let n = values.len();
        Decided { rows: (0..n).collect(), labels, other: vec![0; n], values }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn two_hills_with_the_boundary_between_them() {
        let values = (0..200).map(|i| if i % 2 == 0 { -3.0 } else { 5.0 } + f64::from(i % 7) * 0.1);
        let text = plain(&describe(&decided(values.collect()), 2, (200, "rows")));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + HEIGHT + 1, "{text}");
        assert!(lines[HEIGHT + 1].contains(" 0 "), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80 && l.trim_end() == l));
        // The highest hill reaches the top, the valley is empty.
        assert!(lines[1].contains('█') && lines[HEIGHT].contains("█      "), "{text}");
    }

    #[test]
    fn nothing_decided_is_nothing_drawn_and_equal_values_do_no_harm() {
        assert_eq!(describe(&Decided::default(), 2, (0, "rows")), "");
        assert_eq!(describe(&decided(vec![1.0; 5]), 1, (5, "rows")), "");
        assert!(plain(&describe(&decided(vec![2.0; 9]), 2, (9, "rows"))).contains('█'));
    }

    #[test]
    fn a_sample_is_called_one() {
        let text = plain(&describe(&decided(vec![2.0; 500]), 2, (4000, "bags")));
        assert!(text.ends_with("\n  of a random sample of 500 of 4,000 bags\n"), "{text}");
    }
}
