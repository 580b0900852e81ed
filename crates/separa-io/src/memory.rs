//! How much memory a fit may use: as asked, or most of what is free.

use separa::MemoryBudget;

/// The share of free memory that a fit takes unasked: 80 %.
const SHARE: (u64, u64) = (4, 5);

/// The budget asked for, or 80 % of what is free where the system tells.
pub fn budget(asked: Option<u64>) -> MemoryBudget {
    MemoryBudget(asked.or_else(|| available().map(|free| free / SHARE.1 * SHARE.0)))
}

/// `4G`, `500M`, `1.5GB`, `2GiB` or plain bytes; units are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size like 4G, 500M or a number of bytes".to_owned();
    let trimmed = text.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(digits);
    let unit = unit.trim().to_ascii_uppercase();
    let power = match unit.trim_end_matches('B').trim_end_matches('I') {
        "" if unit.len() <= 1 => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    let size = number.parse::<f64>().map_err(|_| wrong())? * 1024f64.powi(power);
    if size < 1.0 {
        return Err("expected a size above zero, like 4G or 500M".to_owned());
    }
    Ok(size as u64)
}

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
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "four", "4X", "-1G", "1.2.3M", "0", "4GG", "iB"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn free_memory_is_the_available_line() {
        let text = "MemTotal:  16000 kB\nMemFree: 1 kB\nMemAvailable:    8000 kB\n";
        assert_eq!(from_meminfo(text), Some(8000 * 1024));
        assert_eq!(from_meminfo("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn what_is_asked_for_goes_first() {
        assert_eq!(budget(Some(7)), MemoryBudget(Some(7)));
    }
}
