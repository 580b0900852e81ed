//! How much memory a fit may use: as asked, or most of what is free.

use crate::error::{Error, Result};
use crate::note::Remedy;
use std::convert::Infallible;

/// The part of the free memory that a fit takes unasked: 80 %.
const PART: (u64, u64) = (4, 5);

const ABOVE_ZERO: &str = "a size above zero, like 4G or 500M";

/// What a fit may use beyond the data, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryBudget(pub Option<u64>);

impl MemoryBudget {
    /// Whether so many bytes are within the budget; always, without one.
    pub fn allows(self, needed: u64) -> bool {
        self.0.is_none_or(|budget| needed <= budget)
    }

    /// What is left when so many bytes are taken.
    pub fn less(self, taken: u64) -> Self {
        Self(self.0.map(|budget| budget.saturating_sub(taken)))
    }

    /// The most landmarks of a few round numbers, below `n`, whose `needed` bytes are allowed: for
    /// methods that take them by themselves where all rows are too many.
    pub fn landmarks(self, n: usize, needed: impl Fn(usize) -> u64) -> Option<usize> {
        [500, 200, 100, 50].into_iter().find(|&m| m < n && self.allows(needed(m)))
    }

    /// 80 % of what is free, if the system tells; else no limit.
    pub fn free() -> Self {
        Self(available().map(|free| free / PART.1 * PART.0))
    }

    /// `4G`, `500M`, `1.5GB`, `2GiB` or plain bytes; units are powers of 1024.
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |expected| Error::MemorySize { found: text.to_owned(), expected };
        let form = || wrong("a size like 4G, 500M or a number of bytes");
        let trimmed = text.trim();
        let digits =
            trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(digits);
        let unit = unit.trim().to_ascii_uppercase();
        let power = match unit.trim_end_matches('B').trim_end_matches('I') {
            "" if unit.len() <= 1 => 0,
            "K" => 1,
            "M" => 2,
            "G" => 3,
            "T" => 4,
            _ => return Err(form()),
        };
        let size = number.parse::<f64>().map_err(|_| form())? * 1024f64.powi(power);
        if size < 1.0 {
            return Err(wrong(ABOVE_ZERO));
        }
        Ok(Self(Some(size as u64)))
    }

    /// Refuses no memory at all.
    pub(crate) fn check(self) -> Result<()> {
        match self.0 {
            Some(0) => Err(Error::MemorySize { found: "0".into(), expected: ABOVE_ZERO }),
            _ => Ok(()),
        }
    }

    /// An error that names the remedy where `needed` bytes are too many.
    pub fn require(self, method: &'static str, needed: u64, remedy: Remedy) -> Result<()> {
        match self.0 {
            Some(budget) if needed > budget => {
                Err(Error::Memory { method, needed, budget, remedy: Box::new(remedy) })
            }
            _ => Ok(()),
        }
    }
}

impl From<u64> for MemoryBudget {
    fn from(bytes: u64) -> Self {
        Self(Some(bytes))
    }
}

impl TryFrom<&str> for MemoryBudget {
    type Error = Error;
    fn try_from(size: &str) -> Result<Self> {
        Self::parse(size)
    }
}

impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// What the system says is available. The one thing that the library reads from the machine.
fn available() -> Option<u64> {
    from_meminfo(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn from_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("1024", 1024),
            ("10B", 10),
            ("4G", 4 << 30),
            ("500m", 500 << 20),
            ("1.5 GB", 3 << 29),
            ("2GiB", 2 << 30),
            ("1T", 1 << 40),
        ] {
            assert_eq!(MemoryBudget::parse(text), Ok(bytes.into()), "{text}");
        }
        for text in ["", "G", "four", "4X", "-1G", "1.2.3M", "0", "4GG", "iB"] {
            assert!(MemoryBudget::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn free_memory_is_the_available_line() {
        let text = "MemTotal:  16000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n";
        assert_eq!(from_meminfo(text), Some(8000 * 1024));
        assert_eq!(from_meminfo("MemTotal: 1 kB\n"), None);
    }
}
