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
    pub antimode: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.mode += other.mode;
        self.antimode += other.antimode;
    }
}

impl Counts {
    /// P(Bin(mode + antimode, ½) ≤ antimode): small when the middle is emptier than one mode allows.
    pub fn p_value(self) -> f64 {
        fair_binomial_cdf(self.mode + self.antimode, self.antimode)
    }

    fn score(self) -> f64 {
        (self.mode as f64 - self.antimode as f64) / ((self.mode + self.antimode + 1) as f64).sqrt()
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
    ///
    /// Moved to the right, the middle window loses rows and the low one may find more, until the
    /// middle one meets its next row. So only the places just before that are looked at, one for
    /// every row; what is as good to the left of the best of them is then shared evenly.
    fn of_width(t: &[f64], width: f64) -> Option<(f64, Self)> {
        if width <= 0.0 || !width.is_finite() {
            return None;
        }
        let crowds = Crowds::of(t, width);
        // The most crowded low window among those that end in time, and how many do.
        let (mut low, mut in_time) = (0, 0);
        let mut begin = 0;
        let mut top = f64::NEG_INFINITY;
        let mut best: Vec<Place> = Vec::new();
        for end in 1..t.len() {
            let start = t[end] - width;
            while in_time < end && t[in_time] + width <= start {
                if crowds.rows[in_time] > crowds.rows[low] {
                    low = in_time;
                }
                in_time += 1;
            }
            while begin < end && t[begin] < start {
                begin += 1;
            }
            // Equal rows are met together, by the first of them.
            if in_time == 0 || t[end] == t[end - 1] {
                continue;
            }
            let high = crowds.from[end] as usize;
            let mode = u64::from(crowds.rows[low].min(crowds.rows[high]));
            let score = Counts { mode, antimode: (end - begin) as u64 }.score();
            if score > top {
                best.clear();
                top = score;
            }
            if score == top {
                best.push(Place { low, begin, end, high });
            }
        }
        // Of equally good places the middle one.
        best.get(best.len() / 2).map(|place| (top, place.windows(t, width)))
    }

    /// Counts of ascending `t`.
    pub fn count(&self, t: &[f64]) -> Counts {
        let inside = |left: f64| {
            let below = |x: f64| t.partition_point(|v| *v < x);
            (below(left + self.width) - below(left)) as u64
        };
        Counts { mode: inside(self.low).min(inside(self.high)), antimode: inside(self.middle) }
    }
}

/// How crowded the windows of one width are that start at a row.
struct Crowds {
    /// Rows within the window that starts at each row.
    rows: Vec<u32>,
    /// Where the most crowded window at or after each row starts.
    from: Vec<u32>,
}

impl Crowds {
    fn of(t: &[f64], width: f64) -> Self {
        let n = t.len();
        let mut end = 0;
        let rows: Vec<u32> = (0..n)
            .map(|i| {
                while end < n && t[end] < t[i] + width {
                    end += 1;
                }
                (end - i) as u32
            })
            .collect();
        let mut from: Vec<u32> = (0..n as u32).collect();
        for i in (0..n - 1).rev() {
            let later = from[i + 1];
            if rows[later as usize] > rows[i] {
                from[i] = later;
            }
        }
        Self { rows, from }
    }
}

/// Where three windows are: the first rows of each, and the row that the middle one ends before.
struct Place {
    low: usize,
    begin: usize,
    end: usize,
    high: usize,
}

impl Place {
    /// The middle window in the middle of where it may be without meeting another row.
    fn windows(&self, t: &[f64], width: f64) -> Windows {
        let last = t[self.end] - width;
        let first = (t[self.low] + width).max(t[self.end - 1] - width);
        let first = if self.begin > 0 { first.max(t[self.begin - 1]) } else { first };
        let middle = first + 0.5 * (last - first);
        Windows { low: t[self.low], middle, high: t[self.high], width }
    }
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
        assert!(counts.mode > 100 && counts.antimode <= 2, "{counts:?}");
        assert!(counts.p_value() < 1e-20);
    }

    #[test]
    fn no_side_no_room_or_no_rows_means_no_evidence() {
        assert!(Windows::choose(&[1.0, 2.0], 5.0).is_none());
        assert!(Windows::choose(&[1.0, 1.0, 1.0], 1.0).is_none());
        assert_eq!(Counts::default().p_value(), 1.0);
    }

    /// Less than any step between rows, and exact in sums with them.
    const JUST: f64 = 1.0 / 1_048_576.0;

    /// The best score of all places, each looked at by itself.
    fn best_score(t: &[f64], width: f64) -> Option<f64> {
        let rows = |left: f64| t.iter().filter(|v| **v >= left && **v < left + width).count();
        let most = |of: &mut dyn Iterator<Item = &f64>| of.map(|v| rows(*v)).max();
        // Just after a row, where a low window ends, and where the middle one ends at a row.
        let middles = t.iter().flat_map(|v| [v + JUST, v + width, v - width]);
        let score = |middle: f64| {
            let low = most(&mut t.iter().filter(|v| **v + width <= middle))?;
            let high = most(&mut t.iter().filter(|v| **v >= middle + width))?;
            let counts = Counts { mode: low.min(high) as u64, antimode: rows(middle) as u64 };
            Some(counts.score())
        };
        middles.filter_map(score).max_by(f64::total_cmp)
    }

    #[test]
    fn no_other_place_is_better() {
        for seed in 0..300 {
            let mut source = Source::new(seed);
            let n = 2 + source.below(80);
            // Of binary fractions sums and differences are exact; a third of the tables have many ties.
            let one = |s: &mut Source| match seed % 3 {
                0 => s.below(9) as f64,
                _ => (s.normal() * 256.0).round() / 256.0,
            };
            let t = sorted((0..n).map(|_| one(&mut source)).collect());
            for width in [0.125, 0.5, 1.0, 2.5] {
                let found = Windows::of_width(&t, width);
                assert_eq!(found.map(|f| f.0), best_score(&t, width), "{seed} {width}");
                if let Some((score, windows)) = found {
                    assert_eq!(windows.count(&t).score(), score, "{seed} {width}");
                }
            }
        }
    }

    #[test]
    fn windows_narrower_than_the_steps_of_numbers_do_no_harm() {
        let t = sorted([vec![0.0; 9], vec![3e-17; 9], vec![1.5e-16; 9], vec![1.0; 4]].concat());
        for cut in [2e-17, 1e-16, 0.5] {
            assert!(Windows::choose(&t, cut).is_none_or(|(score, _)| score.is_finite()));
        }
        assert!(Windows::of_width(&[0.0, 1.0, 1.0, 1.0], 1e-17).is_some());
    }

    #[test]
    fn the_middle_window_lies_in_the_middle_of_a_gap() {
        let t = [0.0, 0.1, 0.2, 0.3, 10.0, 10.1, 10.2, 10.3];
        let (_, w) = Windows::of_width(&t, 1.0).unwrap();
        assert!((w.middle + 0.5 * w.width - 5.15).abs() < 1.0, "{w:?}");
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
