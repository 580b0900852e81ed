//! Numbers as people read them.

/// 1234567 → "1,234,567".
pub fn count(n: usize) -> String {
    separa::note::thousands(n)
}

/// "1 row", "2 rows".
pub fn counted(n: usize, one: &str) -> String {
    format!("{} {one}{}", count(n), if n == 1 { "" } else { "s" })
}

/// 0.281 → "28 %": whole numbers, and nothing that is not all or none is called so.
pub fn percent(fraction: f64) -> String {
    match 100.0 * fraction {
        p if !p.is_finite() => "unknown".into(),
        p if p > 0.0 && p < 0.5 => "< 1 %".into(),
        p if (99.5..100.0).contains(&p) => "> 99 %".into(),
        // A negative part that is next to nothing has no sign.
        p => format!("{:.0} %", if p.abs() < 0.5 { 0.0 } else { p }),
    }
}

/// Whole numbers in place of `parts` that add up to what their sum rounds to: those that lose most by rounding down
/// are rounded up (largest remainders). Equal parts get equal numbers: if only some of them would be rounded up, each part is
/// rounded by itself, because 34, 33 and 33 % of three equal clusters read as an error.
pub fn whole(parts: &[f64]) -> Vec<usize> {
    let mut rounded: Vec<usize> = parts.iter().map(|p| p.floor() as usize).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| parts[b].fract().total_cmp(&parts[a].fract()).then(a.cmp(&b)));
    let sum = parts.iter().sum::<f64>().round() as usize;
    let short = sum.saturating_sub(rounded.iter().sum()).min(order.len());
    let next = order.get(short).filter(|_| short > 0);
    if next.is_some_and(|&next| parts[next] == parts[order[short - 1]]) {
        return parts.iter().map(|p| p.round() as usize).collect();
    }
    order.iter().take(short).for_each(|&i| rounded[i] += 1);
    rounded
}

/// Three digits; a number that is none is "unknown".
pub fn fraction(value: f64) -> String {
    match value {
        v if !v.is_finite() => "unknown".into(),
        v if v.abs() >= 0.9995 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

/// A p-value: never a bare zero.
pub fn p_value(p: f64) -> String {
    match p {
        p if !p.is_finite() => "unknown".into(),
        p if p < 1e-3 => "< 0.001".into(),
        p if p >= 0.9995 => format!("{p:.2}"),
        p => format!("{p:.3}"),
    }
}

/// Six significant digits at most: initializations differ by little.
pub fn objective(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".into();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.4e}");
    }
    format!("{value:.4}")
}

/// A time in the unit that suits it.
pub fn seconds(s: f64) -> String {
    match s {
        s if s < 0.001 => "under 1 ms".into(),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

/// A value beside an axis whose ticks are `step` apart: as many digits as tell it from its neighbours. The
/// script of the page writes the same (`written` in map.js).
pub fn tick(value: f64, step: f64) -> String {
    let size = value.abs().max(step);
    if value.abs() < step * 1e-6 {
        return "0".into();
    }
    if !(1e-4..1e15).contains(&size) {
        return short(rounded(value, step));
    }
    for (unit, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M")] {
        if size >= unit && step >= unit / 1000.0 {
            return format!("{}{letter}", decimals(value / unit, step / unit));
        }
    }
    decimals(value, step)
}

/// The value in powers of ten, to about `step`.
pub fn rounded(value: f64, step: f64) -> String {
    let digits = (value.abs() / step).log10().ceil();
    // A double has no more than 17.
    let digits = if digits.is_nan() { 16.0 } else { digits.clamp(0.0, 16.0) } as usize;
    format!("{value:.digits$e}")
}

/// As many decimals as the step has.
fn decimals(value: f64, step: f64) -> String {
    // A power of ten may be a little less than itself.
    let places = (-step.log10() - 1e-9).ceil().clamp(0.0, 17.0) as usize;
    format!("{value:.places$}")
}

/// A measured value: three significant digits, and all of those before the point.
pub fn value(v: f64) -> String {
    let size = v.abs();
    if !v.is_finite() {
        return "unknown".into();
    }
    if v == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e7).contains(&size) {
        return short(format!("{v:.2e}"));
    }
    let places = (2 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{v:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => grouped(&text),
    }
}

/// "-12345" → "-12,345"; four digits of a table stay together, as in years.
fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    match digits.parse::<usize>() {
        Ok(n) if n >= 10_000 => format!("{sign}{}", count(n)),
        _ => text.to_owned(),
    }
}

/// What was computed of measured values, as a mean or a difference: three significant digits.
pub fn computed(v: f64) -> String {
    let size = v.abs();
    if !(1e-4..1e7).contains(&size) {
        return value(v);
    }
    let power = size.log10().floor() as i32;
    // 9.999 is 10.0, not 10.00.
    let unit = 10f64.powi(power - 2);
    let power = if (size / unit).round() >= 1000.0 { power + 1 } else { power };
    let sign = if v < 0.0 { "-" } else { "" };
    if power < 3 {
        return format!("{v:.*}", (2 - power) as usize);
    }
    let unit = 10f64.powi(power - 2);
    format!("{sign}{}", count(((size / unit).round() * unit) as usize))
}

/// The same as [`value`] with more digits where values differ by little: to about `step`.
pub fn value_to(v: f64, step: f64) -> String {
    let few = !(step > 0.0 && step.is_finite() && v.is_finite()) || v.abs() < 1e4 * step;
    if few { value(v) } else { tick(v, 10f64.powf(step.log10().floor())) }
}

/// 1.00e-7 → 1e-7.
fn short(text: String) -> String {
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1000), "1,000");
        assert_eq!(count(1234567), "1,234,567");
        assert_eq!(counted(1, "row"), "1 row");
    }

    #[test]
    fn what_is_computed_has_three_digits() {
        assert_eq!(computed(-1373.4), "-1,370");
        assert_eq!(computed(999_600.0), "1,000,000");
        assert_eq!(computed(0.012_34), "0.0123");
        assert_eq!(p_value(0.9999), "1.00");
        assert_eq!(p_value(0.998), "0.998");
        assert_eq!(computed(1111.2), "1,110");
        assert_eq!(computed(-12.04), "-12.0");
        assert_eq!(computed(1.7), "1.70");
        assert_eq!(computed(0.0), "0");
        assert_eq!(computed(9.999), "10.0");
        assert_eq!(computed(1.2345e9), "1.23e9");
        assert_eq!(percent(-0.0003), "0 %");
        assert_eq!(percent(-0.012), "-1 %");
    }

    #[test]
    fn nothing_is_shown_as_nan() {
        assert_eq!(percent(f64::NAN), "unknown");
        assert_eq!(fraction(f64::INFINITY), "unknown");
        assert_eq!(p_value(f64::NAN), "unknown");
        assert_eq!(objective(f64::NAN), "unknown");
    }

    #[test]
    fn all_and_none_are_said_only_of_all_and_none() {
        for (share, text) in [
            (0.0, "0 %"),
            (0.0281, "3 %"),
            (0.9999, "> 99 %"),
            (1.0, "100 %"),
            (0.331, "33 %"),
            (0.001, "< 1 %"),
        ] {
            assert_eq!(percent(share), text);
        }
    }

    #[test]
    fn parts_of_a_hundred_add_up_to_it() {
        assert_eq!(whole(&[34.8, 36.5, 28.7]), [35, 36, 29]);
        assert_eq!(whole(&[100.0 / 3.0; 3]), [33, 33, 33], "equals stay equal");
        assert_eq!(whole(&[100.0 / 6.0; 6]), [17; 6]);
        assert_eq!(whole(&[50.0, 50.0]), [50, 50]);
        assert_eq!(whole(&[]), [0; 0]);
    }

    #[test]
    fn small_p_values_are_bounded_not_zero() {
        assert_eq!(p_value(1e-12), "< 0.001");
        assert_eq!(p_value(0.04), "0.040");
        assert_eq!([fraction(0.9994), fraction(0.99996), fraction(1.0)], ["0.999", "1.00", "1.00"]);
    }

    #[test]
    fn ticks_have_the_digits_that_tell_them_apart() {
        for (value, step, text) in [
            (2.01e6, 1e4, "2.01M"),
            (2e6, 1e2, "2000000"),
            (1.00002, 1e-5, "1.00002"),
            (101_325.2, 0.2, "101325.2"),
            (1.700_002e9, 1e3, "1700.002M"),
            (2.05e-7, 5e-9, "2.05e-7"),
            (-3e-7, 1e-7, "-3e-7"),
            (1.5e18, 5e17, "1.5e18"),
            (1e-18, 0.2, "0"),
        ] {
            assert_eq!(tick(value, step), text);
        }
    }

    #[test]
    fn values_far_from_0_are_told_apart() {
        assert_eq!(value_to(101_325.432, 0.01), "101325.43");
        assert_eq!(value_to(1.700_000_042e9, 1.0), "1700000042");
        assert_eq!(value_to(1.000_012_34, 1e-8), "1.00001234");
        assert_eq!(value_to(3.24159, 1.0), "3.24");
        assert_eq!(value_to(3.24159, 0.0), "3.24");
    }

    #[test]
    fn measured_values_have_three_digits() {
        for (v, text) in [
            (0.0, "0"),
            (1065.0, "1065"),
            (13.2, "13.2"),
            (0.28, "0.28"),
            (-3.24159, "-3.24"),
            (123456.7, "123,457"),
            (-12345.6, "-12,346"),
            (1.2345e9, "1.23e9"),
            (1e-9, "1e-9"),
            (f64::INFINITY, "unknown"),
        ] {
            assert_eq!(value(v), text);
        }
    }
}
