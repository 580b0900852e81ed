//! From values to places: scales with round ticks.

use crate::number;
use separa::view;

/// A straight scale from a range of values to a range of places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A range without width is widened around its value.
    pub fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let (low, high) = view::widened(low.min(high), high.max(low));
        Self { low, high, from, to }
    }

    /// Around values with a little room; a few that are far out do not squeeze the rest.
    pub fn around(values: impl IntoIterator<Item = f64>, places: (f64, f64)) -> Self {
        Self::new(view::range(values), places)
    }

    /// The place of a value; beyond the ends, the end.
    pub fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + share * (self.to - self.from)
    }

    /// Whether a value lies within.
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The ends of the values.
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Ticks whose texts have room side by side in `room` letters; the coarsest where none have.
    pub fn ticks_within(&self, room: usize) -> Vec<(f64, String)> {
        let fit = |ticks: &Vec<(f64, String)>| {
            let longest = ticks.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
            ticks.len() * (longest + 1) <= room
        };
        let choices = [5, 3, 2].map(|most| self.ticks(most));
        let [.., last] = &choices;
        choices.iter().find(|t| fit(t)).unwrap_or(last).clone()
    }

    /// At most about `most` round values within the range, with what is written beside them.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let step = round_step((self.high - self.low) / most.max(1) as f64);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        // A value so large that steps vanish in its rounding has no ticks.
        if !(0..=100).contains(&last.saturating_sub(first)) {
            return Vec::new();
        }
        (first..=last).map(|i| i as f64 * step).map(|v| (v, number::tick(v, step))).collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    let factors = [1.0, 2.0, 5.0, 10.0];
    let fit = factors.into_iter().find(|f| f * power >= least * (1.0 - 1e-12));
    fit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(low: f64, high: f64, most: usize) -> Vec<String> {
        let ticks = Scale::new((low, high), (0.0, 1.0)).ticks(most);
        ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_written_shortly() {
        assert_eq!(shown(0.0, 1.0, 5), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(shown(-7.0, 13.0, 5), ["-5", "0", "5", "10"]);
        assert_eq!(shown(0.0, 4_200_000.0, 3), ["0", "2M", "4M"]);
        assert_eq!(shown(1e-7, 3e-7, 3), ["1e-7", "2e-7", "3e-7"]);
        assert_eq!(shown(0.001, 0.0031, 3), ["0.001", "0.002", "0.003"]);
    }

    #[test]
    fn ticks_that_need_room_are_fewer() {
        let room = |low, high| Scale::new((low, high), (0.0, 1.0)).ticks_within(48).len();
        assert_eq!(room(0.0, 100.0), 6);
        assert!((2..=4).contains(&room(1.700_000_000e9, 1.700_000_100e9)));
    }

    #[test]
    fn a_range_without_width_is_widened() {
        for v in [0.0, 7.0, -1e9, 1e-300] {
            let scale = Scale::new((v, v), (0.0, 100.0));
            assert!((scale.at(v) - 50.0).abs() < 1.0, "{v}");
            assert!(scale.at(v).is_finite());
        }
        assert!(Scale::around([], (0.0, 1.0)).at(0.3).is_finite());
    }

    #[test]
    fn one_wild_value_does_not_squeeze_the_rest() {
        let values = (0..1000).map(f64::from).chain([1e9]);
        let scale = Scale::around(values, (0.0, 100.0));
        assert!(scale.at(999.0) > 35.0 && scale.at(1e9) == 100.0);
        assert!(!scale.holds(1e9));
    }

    proptest! {
        #[test]
        fn ticks_lie_within_in_order_and_are_not_many(
            low in -1e12f64..1e12, width in 1e-6f64..1e12, most in 2usize..12,
        ) {
            prop_assume!(width > 1e-9 * low.abs());
            let scale = Scale::new((low, low + width), (10.0, 20.0));
            let ticks = scale.ticks(most);
            prop_assert!(ticks.len() <= most + 1);
            // The coarsest choice still leaves two in five steps.
            prop_assert!(ticks.len() + 1 >= most * 2 / 5);
            prop_assert!(ticks.is_sorted_by(|a, b| a.0 < b.0));
            let mut written: Vec<&str> = ticks.iter().map(|t| t.1.as_str()).collect();
            written.sort_unstable();
            written.dedup();
            prop_assert_eq!(written.len(), ticks.len());
            for (v, _) in ticks {
                prop_assert!(v >= low - 1e-9 * width.max(low.abs()) && v <= low + width * (1.0 + 1e-9) + 1e-9 * low.abs());
                prop_assert!((10.0..=20.0).contains(&scale.at(v)));
            }
        }

        #[test]
        fn a_scale_keeps_order(a in -1e6f64..1e6, b in -1e6f64..1e6) {
            let scale = Scale::new((-1e6, 1e6), (400.0, 0.0));
            prop_assert_eq!(a < b, scale.at(a) > scale.at(b));
        }
    }
}
