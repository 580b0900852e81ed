//! What a parameter can be, as data: one description feeds the check, the error, the help and Python's types.

use super::{Params, bad_param};
use crate::error::{Result, nearest_name};
use serde_json::{Value, json};
use std::fmt;

/// The value of a parameter.
pub trait ParamValue {
    /// What a value of this type can be if the parameter says no more.
    const DOMAIN: Domain;
    /// The number it is, if it is one.
    fn number(&self) -> Option<f64> {
        None
    }
    /// The word it is, if it is one.
    fn word(&self) -> Option<&str> {
        None
    }
}

/// The values that a parameter takes: some words, some numbers, or something else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain {
    /// The words it takes.
    pub words: &'static [&'static str],
    /// The numbers it takes.
    pub numbers: Option<Interval>,
    /// What else it takes, described.
    pub other: &'static str,
    /// Why, for the error.
    remark: &'static str,
}

/// An interval of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Whether they are whole.
    pub whole: bool,
    /// Whether zero is in it although it lies below.
    or_zero: bool,
    low: f64,
    /// Whether `low` itself is left out.
    above: bool,
    high: f64,
    /// Whether `high` itself is left out.
    below: bool,
}

impl Domain {
    const NOTHING: Self = Self { words: &[], numbers: None, other: "", remark: "" };

    /// Any number.
    const fn numbers(whole: bool) -> Self {
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        let all = Interval { whole, or_zero: false, low, above: true, high, below: true };
        Self { numbers: Some(all), ..Self::NOTHING }
    }

    /// One of these words.
    pub const fn words(words: &'static [&'static str]) -> Self {
        Self { words, ..Self::NOTHING }
    }

    /// Something that is described.
    pub const fn other(other: &'static str) -> Self {
        Self { other, ..Self::NOTHING }
    }

    /// These words, too.
    pub const fn or_words(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    /// What is described, too.
    pub const fn or(self, other: &'static str) -> Self {
        Self { other, ..self }
    }

    /// All words but the last.
    pub const fn without_last(self) -> Self {
        let (_, words) = self.words.split_last().expect("there are words");
        Self { words, ..self }
    }

    /// The reason that an error gives.
    pub const fn because(self, remark: &'static str) -> Self {
        Self { remark, ..self }
    }

    const fn interval(self) -> Interval {
        self.numbers.expect("the parameter is a number")
    }

    const fn within(self, numbers: Interval) -> Self {
        Self { numbers: Some(numbers), ..self }
    }

    /// Numbers from `low`.
    pub const fn at_least(self, low: f64) -> Self {
        self.within(Interval { low, above: false, ..self.interval() })
    }

    /// Numbers above zero.
    pub const fn positive(self) -> Self {
        self.within(Interval { low: 0.0, above: true, ..self.interval() })
    }

    /// Numbers up to `high`.
    pub const fn at_most(self, high: f64) -> Self {
        self.within(Interval { high, below: false, ..self.interval() })
    }

    /// Numbers less than `high`.
    pub const fn below(self, high: f64) -> Self {
        self.within(Interval { high, below: true, ..self.interval() })
    }

    /// Whole numbers.
    pub const fn whole(self) -> Self {
        self.within(Interval { whole: true, ..self.interval() })
    }

    /// Zero, too.
    pub const fn or_zero(self) -> Self {
        self.within(Interval { or_zero: true, ..self.interval() })
    }

    /// Refuses a value that is not among them.
    pub(crate) fn check<P: Params>(
        &self,
        name: &'static str,
        value: &impl ParamValue,
    ) -> Result<()> {
        let found = match (value.number(), value.word()) {
            (Some(v), _) if !self.numbers.is_some_and(|all| all.contains(v)) => v.to_string(),
            (_, Some(word)) if !self.words.is_empty() && !self.words.contains(&word) => {
                self.misspelt(word)
            }
            _ => return Ok(()),
        };
        let expected = match self.remark {
            "" => self.to_string(),
            remark => format!("{self} ({remark})"),
        };
        bad_param::<P, ()>(name, expected, found)
    }

    /// Values all over the domain, its ends among them: what tests and fuzzers try.
    pub fn examples(&self) -> Vec<Value> {
        let words = self.words.iter().map(|word| Value::from(*word));
        let numbers = self.numbers.into_iter().flat_map(|numbers| numbers.examples());
        let switches: &[bool] = if *self == bool::DOMAIN { &[false, true] } else { &[] };
        words.chain(numbers).chain(switches.iter().map(|v| Value::from(*v))).collect()
    }

    /// A refused word in quotes, with the one that was perhaps meant.
    pub(crate) fn misspelt(&self, word: &str) -> String {
        match nearest_name(word, self.words.iter().copied()) {
            Some(meant) => format!("{word:?}, did you mean \"{meant}\"?"),
            None => format!("{word:?}"),
        }
    }
}

impl Interval {
    fn examples(self) -> impl Iterator<Item = Value> {
        let inside = [0.0, 1e-12, 1e-3, 0.3, 0.5, 0.9, 1.0, 2.0, 3.0, 7.0, 50.0, 1e3, 1e9, -1.5];
        let mut all = vec![self.low, self.high];
        all.extend(inside);
        all.retain(|v| self.contains(*v));
        all.dedup();
        all.into_iter().map(move |v| if self.whole { json!(v as u64) } else { json!(v) })
    }

    fn contains(&self, v: f64) -> bool {
        let over = if self.above { v > self.low } else { v >= self.low };
        let under = if self.below { v < self.high } else { v <= self.high };
        over && under && (!self.whole || v.fract() == 0.0) || self.or_zero && v == 0.0
    }
}

/// What is expected, as an error words it after "must be".
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { words, numbers, other, .. } = self;
        match numbers {
            None if other.is_empty() => write!(f, "one of {}", words.join(", ")),
            None if words.is_empty() => f.write_str(other),
            None => write!(f, "{}, or {other}", words.join(", ")),
            Some(numbers) if !words.is_empty() => {
                write!(f, "\"{}\" or {numbers}", words.join("\", \""))
            }
            Some(numbers) if !other.is_empty() => write!(f, "{other}, or {numbers}"),
            Some(numbers) => numbers.fmt(f),
        }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { low, high, .. } = *self;
        let (zero, number) = match (self.or_zero, self.whole) {
            (true, _) => ("0 or ", "a whole number"),
            (false, true) => ("", "a whole number"),
            (false, false) => ("", "a number"),
        };
        match (low.is_finite(), high.is_finite()) {
            (true, true) if self.above && self.below => {
                write!(f, "{number} between {low} and {high}")
            }
            (true, true) if self.above => write!(f, "{number} above {low}, at most {high}"),
            (true, true) if self.below => write!(f, "{number} from {low} to below {high}"),
            // {:?} writes 0.0000000001 as 1e-10.
            (true, true) if low != 0.0 && low.abs() < 1e-4 => {
                write!(f, "{number} from {low:?} to {high}")
            }
            (true, true) => write!(f, "{number} from {low} to {high}"),
            (true, false) if self.above => f.write_str("a positive number"),
            (true, false) => write!(f, "{zero}{number}, {low} or more"),
            (false, _) => f.write_str("a finite number"),
        }
    }
}

macro_rules! numbers {
    ($($number:ty: $whole:literal),*) => {$(
        impl ParamValue for $number {
            const DOMAIN: Domain = Domain::numbers($whole);
            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        }
    )*};
}

numbers!(usize: true, u32: true, f64: false);

impl Domain {
    /// Any finite number.
    pub const REAL: Self = Self::numbers(false);
    /// Any whole number.
    pub const WHOLE: Self = Self::numbers(true);
}

impl ParamValue for bool {
    const DOMAIN: Domain = Domain::other("true or false");
}

impl ParamValue for String {
    const DOMAIN: Domain = Domain::NOTHING;
    fn word(&self) -> Option<&str> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_worded_as_an_error_needs_it() {
        let (whole, real) = (Domain::WHOLE, Domain::REAL);
        for (domain, text) in [
            (whole.at_least(1.0), "a whole number, 1 or more"),
            (whole.at_least(1.0).at_most(10_000.0), "a whole number from 1 to 10000"),
            (whole.at_least(2.0).or_zero(), "0 or a whole number, 2 or more"),
            (real, "a finite number"),
            (real.at_least(0.0), "a number, 0 or more"),
            (real.positive(), "a positive number"),
            (real.positive().at_most(10.0), "a number above 0, at most 10"),
            (real.at_least(0.0).below(1.0), "a number from 0 to below 1"),
            (
                real.positive().below(1.0).or_words(&["scan"]),
                "\"scan\" or a number between 0 and 1",
            ),
            (real.at_least(1e-10).at_most(0.01), "a number from 1e-10 to 0.01"),
            (
                real.positive().or_words(&["auto", "median"]),
                "\"auto\", \"median\" or a positive number",
            ),
            (Domain::words(&["mpm", "gep"]), "one of mpm, gep"),
            (Domain::words(&["mpm", "gep"]).without_last(), "one of mpm"),
            (Domain::words(&["auto"]).or("one label per row"), "auto, or one label per row"),
            (bool::DOMAIN, "true or false"),
        ] {
            assert_eq!(domain.to_string(), text);
        }
    }

    #[test]
    fn an_interval_holds_what_its_words_say() {
        let holds = |domain: Domain, v| domain.interval().contains(v);
        let real = Domain::REAL;
        assert!(holds(real, -3.5) && !holds(real, f64::INFINITY) && !holds(real, f64::NAN));
        let positive = real.positive();
        assert!(
            holds(positive, 1e-300) && !holds(positive, 0.0) && !holds(positive, f64::INFINITY)
        );
        let part = real.at_least(0.0).below(1.0);
        assert!(
            holds(part, 0.0) && holds(part, 0.999) && !holds(part, 1.0) && !holds(part, f64::NAN)
        );
        let most = real.positive().at_most(10.0);
        assert!(holds(most, 10.0) && !holds(most, 10.1));
        let marks = Domain::WHOLE.at_least(2.0).or_zero();
        assert!(holds(marks, 0.0) && !holds(marks, 1.0) && holds(marks, 2.0) && !holds(marks, 2.5));
    }
}
