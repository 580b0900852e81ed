//! Text to number, and the words that mean "missing".

use separa::preparation::MISSING_WORDS;

/// Integers up to here are exact in f64.
pub(crate) const EXACT: u64 = 1 << 53;

/// What a field of a text file is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Field {
    Number(f64),
    Boolean(bool),
    Missing,
    /// `inf`, or a literal beyond the range of f64.
    Infinite,
    /// An integer literal beyond ±2^53.
    BigInteger,
    Text,
}

pub(crate) fn is_missing(text: &str) -> bool {
    MISSING_WORDS.contains(&text.trim())
}

/// Tells what `text` is; blanks around it do not matter.
pub(crate) fn classify(text: &str) -> Field {
    let text = text.trim();
    if is_missing(text) {
        return Field::Missing;
    }
    match text {
        "true" | "True" | "TRUE" => return Field::Boolean(true),
        "false" | "False" | "FALSE" => return Field::Boolean(false),
        _ => {}
    }
    let Ok(value) = text.parse::<f64>() else { return Field::Text };
    if value.is_nan() {
        Field::Missing
    } else if value.is_infinite() {
        Field::Infinite
    } else if value.abs() >= EXACT as f64 && is_big_integer(text) {
        Field::BigInteger
    } else {
        Field::Number(value)
    }
}

fn is_big_integer(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u64>().map_or(true, |v| v > EXACT)
}

/// What is in the way of reading a number as people write it, with a decimal comma, grouped digits or a
/// percent sign; nothing for any other text.
pub(crate) fn for_people(text: &str) -> Option<&'static str> {
    let text = text.trim().trim_start_matches(['+', '-', '\u{2212}']);
    if let Some(share) = text.strip_suffix('%') {
        let share = share.trim_end();
        let plain = share.starts_with(|c: char| c.is_ascii_digit()) && share.parse::<f64>().is_ok();
        return (plain || for_people(share).is_some()).then_some("a percent sign");
    }
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let grouped = |s: &str, separator: &[char]| {
        let mut groups = s.split(separator);
        let first = groups.next().is_some_and(|g| digits(g) && g.len() <= 3);
        first && s.contains(separator) && groups.all(|g| digits(g) && g.len() == 3)
    };
    const BLANKS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\''];
    if let Some((whole, decimals)) = text.split_once(',')
        && digits(decimals)
    {
        return match (digits(whole), whole.len(), decimals.len()) {
            (true, 1..=3, 3) => Some("a decimal comma or thousands separators"),
            (true, ..) => Some("a decimal comma"),
            _ => (grouped(whole, &['.']) || grouped(whole, &BLANKS)).then_some("a decimal comma"),
        };
    }
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let separated = (grouped(whole, &[',']) || grouped(whole, &BLANKS)) && digits(decimals);
    let dotted = text.matches('.').count() > 1 && grouped(text, &['.']);
    (separated || dotted).then_some("thousands separators")
}

/// Reads a decimal number at `start`: its value and the position after it. Leaves to [`classify`] whatever
/// needs a second look: words, and values so large that they could be inexact integers.
#[inline]
pub(crate) fn decimal(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    if let Some((value, end)) = short_decimal(bytes, start)
        && !matches!(bytes.get(end), Some(b'e' | b'E'))
    {
        return Some((value, end));
    }
    let (value, length) = fast_float2::parse_partial::<f64, _>(bytes.get(start..)?).ok()?;
    (value.abs() < EXACT as f64).then_some((value, start + length))
}

/// Reads a short plain decimal (`-12.5`) at `start`: its value and the position after it.
///
/// Takes at most 15 digits, so the digits as an integer are exact, the power of ten is exact, and
/// their quotient is the correctly rounded value (Clinger 1990); anything else is left to others.
#[inline]
fn short_decimal(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let (whole, mut end) = digits(bytes, first, 0);
    let mut count = end - first;
    let mut value = whole as f64;
    if bytes.get(end) == Some(&b'.') {
        let (all, after) = digits(bytes, end + 1, whole);
        let decimals = after - (end + 1);
        count += decimals;
        if count > 15 {
            return None;
        }
        value = all as f64 / POWERS[decimals];
        end = after;
    }
    let usable = (1..=15).contains(&count);
    usable.then_some((if negative { -value } else { value }, end))
}

#[inline]
fn digits(bytes: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    while let Some(&byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (value, at)
}

/// IEEE half precision to f64, exactly.
pub(crate) fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    match exponent {
        0 => sign * fraction * (-24f64).exp2(),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1024.0 + fraction) * f64::from(exponent - 25).exp2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_what_a_reader_would_say() {
        assert_eq!(classify(" 1.5 "), Field::Number(1.5));
        assert_eq!(classify("1e3"), Field::Number(1000.0));
        assert_eq!(classify("True"), Field::Boolean(true));
        assert_eq!(classify("n/a"), Field::Missing);
        assert_eq!(classify("-nan"), Field::Missing);
        assert_eq!(classify("-inf"), Field::Infinite);
        assert_eq!(classify("1e999"), Field::Infinite);
        assert_eq!(classify("abc"), Field::Text);
        assert_eq!(classify("1,5"), Field::Text);
    }

    #[test]
    fn integers_are_exact_up_to_2_to_the_53_and_refused_beyond() {
        assert_eq!(classify("9007199254740992"), Field::Number(9007199254740992.0));
        assert_eq!(classify("9007199254740993"), Field::BigInteger);
        assert_eq!(classify("-123456789012345678901234567890"), Field::BigInteger);
        assert_eq!(classify("9007199254740993.0"), Field::Number(9007199254740992.0));
    }

    #[test]
    fn numbers_for_people_are_told_from_words() {
        let either = Some("a decimal comma or thousands separators");
        for (text, what) in [
            ("-1,858", either),
            ("1,5", Some("a decimal comma")),
            ("1.234,56", Some("a decimal comma")),
            ("48,142.00", Some("thousands separators")),
            ("1 000", Some("thousands separators")),
            ("1,234,567", Some("thousands separators")),
            ("1.234.567", Some("thousands separators")),
            ("10%", Some("a percent sign")),
            ("2,5 %", Some("a percent sign")),
            ("2024.01.02", None),
            ("12 05", None),
            ("1,2,3", None),
            ("x%", None),
            ("%", None),
            ("red", None),
            ("", None),
        ] {
            assert_eq!(for_people(text), what, "{text}");
        }
    }

    #[test]
    fn half_precision_covers_all_kinds_of_values() {
        assert_eq!(half_to_f64(0x3c00), 1.0);
        assert_eq!(half_to_f64(0xc000), -2.0);
        assert_eq!(half_to_f64(0x7bff), 65504.0);
        assert_eq!(half_to_f64(0x0001), 2f64.powi(-24));
        assert_eq!(half_to_f64(0x7c00), f64::INFINITY);
        assert!(half_to_f64(0x7e00).is_nan());
    }

    proptest! {
        #[test]
        fn decimal_equals_the_standard_parser(text in "-?[0-9]{0,9}(\\.[0-9]{0,12})?(e-?[0-9]{1,2})?") {
            if let Some((value, end)) = decimal(text.as_bytes(), 0)
                && end == text.len()
            {
                prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
            }
        }

        #[test]
        fn decimal_reads_back_every_printed_number(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            let text = format!("{value:?}");
            if let Some(read) = decimal(text.as_bytes(), 0) {
                prop_assert_eq!(read, (value, text.len()));
            } else {
                prop_assert!(value.is_nan() || value.abs() >= EXACT as f64);
            }
        }
    }
}
