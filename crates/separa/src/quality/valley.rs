//! Is there a gap? Three equal windows on a line: two crowded ones, an emptier one between them.
//!
//! If a density has one mode, the middle window cannot be less likely than both outer ones. So for
//! windows chosen on other rows, of the rows that fall into the middle or into the less crowded
//! outer window at least half are expected in the middle: a sign test, whatever the distribution.

use super::special::fair_binomial_cdf;

/// Left ends of the three windows and their common width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Windows {
    pub low: f64,
    pub middle: f64,
    pub high: f64,
    pub width: f64,
}

/// Rows in the less crowded outer window and in the middle one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub mode: u64,
    pub valley: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.mode += other.mode;
        self.valley += other.valley;
    }
}

impl Counts {
    /// P(Bin(mode + valley, ½) ≤ valley): small when the middle is emptier than one mode allows.
    pub fn p_value(self) -> f64 {
        fair_binomial_cdf(self.mode + self.valley, self.valley)
    }

    fn score(self) -> f64 {
        (self.mode as f64 - self.valley as f64) / ((self.mode + self.valley + 1) as f64).sqrt()
    }
}

impl Windows {
    /// The best windows for ascending `t`, whose two sides meet at `cut`, with their score.
    ///
    /// Widths are a third and a quarter of the distance between the medians of the two sides.
    pub fn choose(t: &[f64], cut: f64) -> Option<(f64, Self)> {
        let at = t.partition_point(|v| *v < cut);
        if at == 0 || at == t.len() {
            return None;
        }
        let apart = median(&t[at..]) - median(&t[..at]);
        let found = [3.0, 4.0].into_iter().filter_map(|parts| Self::of_width(t, apart / parts));
        found.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// For every place of the middle window the most crowded windows on either side of it.
    fn of_width(t: &[f64], width: f64) -> Option<(f64, Self)> {
        if width <= 0.0 || !width.is_finite() {
            return None;
        }
        let n = t.len();
        // end[i]: the first row beyond the window that starts at row i.
        let mut end = vec![0; n];
        let mut e = 0;
        for i in 0..n {
            while e < n && t[e] < t[i] + width {
                e += 1;
            }
            end[i] = e;
        }
        let count = |i: usize| end[i] - i;
        // from[i]: where the most crowded window at or after row i starts.
        let mut from: Vec<usize> = (0..n).collect();
        for i in (0..n - 1).rev() {
            if count(from[i + 1]) > count(i) {
                from[i] = from[i + 1];
            }
        }
        // `low`: the most crowded window among those that end before the middle one starts.
        let (mut low, mut next) = (0, 0);
        let mut best: Vec<(f64, Self)> = Vec::new();
        for start in middle_starts(t, width) {
            while next < n && t[next] + width <= start {
                if count(next) > count(low) {
                    low = next;
                }
                next += 1;
            }
            let high = t.partition_point(|v| *v < start + width);
            if next == 0 || high == n {
                continue;
            }
            let inside = high - t.partition_point(|v| *v < start);
            let outer = count(low).min(count(from[high]));
            let score = Counts { mode: outer as u64, valley: inside as u64 }.score();
            if best.first().is_none_or(|(top, _)| score > *top) {
                best.clear();
            }
            if best.first().is_none_or(|(top, _)| score == *top) {
                let windows = Self { low: t[low], middle: start, high: t[from[high]], width };
                best.push((score, windows));
            }
        }
        // Of equally good places the middle one.
        best.get(best.len() / 2).copied()
    }

    /// Counts of ascending `t`.
    pub fn count(&self, t: &[f64]) -> Counts {
        let inside = |left: f64| {
            let below = |x: f64| t.partition_point(|v| *v < x);
            (below(left + self.width) - below(left)) as u64
        };
        Counts { mode: inside(self.low).min(inside(self.high)), valley: inside(self.middle) }
    }
}

/// Where the middle window may start, ascending: just after a row, where an outer window that
/// starts at a row ends, or so that it ends at a row.
fn middle_starts(t: &[f64], width: f64) -> Vec<f64> {
    // Three ascending runs, which a merging sort joins in one pass.
    let mut starts: Vec<f64> = Vec::with_capacity(3 * t.len());
    starts.extend(t.iter().map(|v| v.next_up()));
    starts.extend(t.iter().map(|v| v + width));
    starts.extend(t.iter().map(|v| v - width));
    starts.sort_by(f64::total_cmp);
    starts
}

fn median(t: &[f64]) -> f64 {
    0.5 * (t[(t.len() - 1) / 2] + t[t.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_testkit::clouds::Source;

    fn sorted(mut t: Vec<f64>) -> Vec<f64> {
        t.sort_by(f64::total_cmp);
        t
    }

    #[test]
    fn windows_find_the_gap_between_two_modes() {
        let mut source = Source::new(4);
        let t = sorted((0..600).map(|i| source.normal() + f64::from(i % 2) * 8.0).collect());
        let (_, w) = Windows::choose(&t, 4.0).unwrap();
        assert!(w.low + w.width <= w.middle && w.middle + w.width <= w.high, "{w:?}");
        assert!(w.low > -3.0 && w.low < 1.5 && w.high > 5.0 && w.high < 9.5, "{w:?}");
        let counts = w.count(&t);
        assert!(counts.mode > 100 && counts.valley <= 2, "{counts:?}");
        assert!(counts.p_value() < 1e-20);
    }

    #[test]
    fn no_side_no_room_or_no_rows_means_no_evidence() {
        assert!(Windows::choose(&[1.0, 2.0], 5.0).is_none());
        assert!(Windows::choose(&[1.0, 1.0, 1.0], 1.0).is_none());
        assert_eq!(Counts::default().p_value(), 1.0);
    }

    #[test]
    fn the_middle_window_never_overlaps_the_outer_ones() {
        for seed in 0..200 {
            let mut source = Source::new(seed);
            let n = 2 + source.below(60);
            let t = sorted((0..n).map(|_| source.below(12) as f64).collect());
            if let Some((_, w)) = Windows::choose(&t, 6.0) {
                assert!(w.low + w.width <= w.middle + 1e-9, "{w:?}");
                assert!(w.middle + w.width <= w.high + 1e-9, "{w:?}");
            }
        }
    }
}
