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

/// What the system says is available: the least of the free memory, what is left of a container's, and what this
/// process may still address. The one thing that the library reads from the machine.
fn available() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| from_meminfo(&text));
    let group = read("/proc/self/cgroup").and_then(|text| of_groups(&text, &read));
    let limits = read("/proc/self/limits").zip(read("/proc/self/statm"));
    let addressable = limits.and_then(|(limits, used)| of_limits(&limits, &used));
    [free, group, addressable].into_iter().flatten().min()
}

/// What is left of the memory of this process's control groups and those around them, version 2 (`0::/path`) or 1
/// (`9:memory:/path`). Inside a container its own group is the root of what can be seen.
fn of_groups(cgroup: &str, read: &impl Fn(&str) -> Option<String>) -> Option<u64> {
    let number = |path: String| read(&path)?.trim().parse::<u64>().ok();
    let left = |folder: &str, limit: &str, used: &str| {
        let limit = number(format!("{folder}/{limit}"))?;
        Some(limit.saturating_sub(number(format!("{folder}/{used}")).unwrap_or(0)))
    };
    let mut least: Option<u64> = None;
    for line in cgroup.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(kinds), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, limit, used) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            _ if kinds.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            let found = left(&format!("{root}{path}"), limit, used);
            least = least.into_iter().chain(found).min();
            let Some(above) = path.rfind('/') else { break };
            path = &path[..above];
        }
    }
    least
}

/// What is left of the address space that this process may have (`ulimit -v`).
fn of_limits(limits: &str, statm: &str) -> Option<u64> {
    const PAGE: u64 = 4096;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let pages: u64 = statm.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(pages * PAGE))
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
    fn a_container_and_a_limit_leave_less_than_the_machine_has() {
        let files = |path: &str| {
            let text = match path {
                "/sys/fs/cgroup/a/b/memory.max" => "max",
                "/sys/fs/cgroup/a/memory.max" => "1000000\n",
                "/sys/fs/cgroup/a/memory.current" => "300000\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "500",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes" => "600",
                _ => return None,
            };
            Some(text.to_owned())
        };
        // The limit of a group around this one holds, too; a container sees itself as the root.
        assert_eq!(of_groups("0::/a/b\n", &files), Some(700_000));
        assert_eq!(of_groups("12:cpu:/x\n9:memory,hugetlb:/docker/77\n", &files), Some(0));
        assert_eq!(of_groups("0::/\n", &files), None);
        assert_eq!(of_groups("nonsense", &files), None);
        let limits =
            "Limit  Soft Limit  Hard Limit  Units\nMax address space  1000000  unlimited  bytes\n";
        assert_eq!(of_limits(limits, "100 3 3"), Some(1_000_000 - 409_600));
        assert_eq!(of_limits(&limits.replace("1000000", "unlimited"), "100 3 3"), None);
    }

    #[test]
    fn free_memory_is_the_available_line() {
        let text = "MemTotal:  16000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n";
        assert_eq!(from_meminfo(text), Some(8000 * 1024));
        assert_eq!(from_meminfo("MemTotal: 1 kB\n"), None);
    }
}
