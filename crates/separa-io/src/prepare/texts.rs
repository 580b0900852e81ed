//! What a text stands for: a number as people write it, yes or no, a date, a step on a scale.

use chrono::{NaiveDate, NaiveTime};
use separa::preparation::NumberStyle;

use crate::table::TimeKind;

const CURRENCIES: [char; 6] = ['$', '€', '£', '¥', '₹', '₩'];
const CODES: [&str; 5] = ["USD", "EUR", "GBP", "CHF", "JPY"];
const BLANKS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\''];

/// The number that a text stands for, with currency and percent signs, grouped digits, or brackets for a minus.
pub(crate) fn number(text: &str, style: &NumberStyle) -> Option<f64> {
    let text = text.trim();
    if let Some(seconds) = duration(text) {
        return Some(seconds);
    }
    let (text, bracketed) = match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let text = match &style.unit {
        Some(unit) => text.strip_suffix(unit.as_str())?.trim_end(),
        None => text,
    };
    let (text, minus) = sign(text);
    let text = text.trim_start_matches(CURRENCIES).trim_end_matches(CURRENCIES);
    let text = CODES.iter().fold(text, |t, code| {
        let t = t.strip_prefix(code).unwrap_or(t);
        t.strip_suffix(code).unwrap_or(t)
    });
    let text = text.strip_suffix('%').unwrap_or(text).trim();
    let (text, inner_minus) = sign(text);
    let value = digits(text, style.decimal_comma)?;
    Some(if minus ^ inner_minus ^ bracketed { -value } else { value })
}

/// The seconds of a duration: as pandas writes it ("3 days 04:30:00"; an hour less than nothing is "-1 days +23:00:00"),
/// as ISO 8601 does ("PT8H30M"), or as people do ("8h 30m").
fn duration(text: &str) -> Option<f64> {
    if let Some((days, time)) = text.split_once(" days ").or_else(|| text.split_once(" day ")) {
        let time = time.trim().trim_start_matches('+');
        let days: i32 = days.parse().ok()?;
        return Some(86_400.0 * f64::from(days) + clock(time)?);
    }
    let (text, minus) = sign(text);
    let (text, fewest) = match text.strip_prefix('P') {
        Some(rest) => (rest, 1),
        // "8h" alone is a number with a unit.
        None => (text, 2),
    };
    let seconds = parts_of_time(text, fewest)?;
    Some(if minus { -seconds } else { seconds })
}

/// The seconds of "1d 8h 30m" and "1DT8H30M": numbers, each with its unit of time, from long to short.
fn parts_of_time(text: &str, fewest: usize) -> Option<f64> {
    const UNITS: [(&[&str], f64); 4] = [
        (&["d", "day", "days"], 86_400.0),
        (&["h", "hr", "hrs", "hour", "hours"], 3600.0),
        (&["m", "min", "mins", "minute", "minutes"], 60.0),
        (&["s", "sec", "secs", "second", "seconds"], 1.0),
    ];
    let (mut rest, mut seconds, mut next, mut found) = (text, 0.0, 0, 0);
    while !rest.is_empty() {
        // The letter T divides days from hours.
        rest = rest.strip_prefix('T').filter(|_| fewest == 1 && next <= 1).unwrap_or(rest);
        let letters = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let amount: f64 = rest[..letters].parse().ok()?;
        rest = rest[letters..].trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic() || c == 'T').unwrap_or(rest.len());
        let unit = rest[..end].to_ascii_lowercase();
        let place = UNITS.iter().position(|(names, _)| names.contains(&unit.as_str()))?;
        if place < next {
            return None;
        }
        (seconds, next, found) = (seconds + amount * UNITS[place].1, place + 1, found + 1);
        rest = rest[end..].trim_start_matches([' ', ',']);
    }
    (found >= fewest).then_some(seconds)
}

fn sign(text: &str) -> (&str, bool) {
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (rest.trim_start(), true),
        None => (text.strip_prefix('+').unwrap_or(text), false),
    }
}

/// Digits with at most one decimal mark, perhaps in groups of thousands.
fn digits(text: &str, decimal_comma: bool) -> Option<f64> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let (mark, group) = if decimal_comma { (',', '.') } else { ('.', ',') };
    let (whole, decimals) = text.split_once(mark).unwrap_or((text, ""));
    let separators: Vec<char> = BLANKS.into_iter().chain([group]).collect();
    let plain = match whole.contains(&separators[..]) {
        true if is_grouped(whole, &separators) => whole.replace(&separators[..], ""),
        true => return None,
        false => whole.to_owned(),
    };
    // The standard parser reads exponents, too.
    let text = if decimals.is_empty() { plain } else { format!("{plain}.{decimals}") };
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// `1,234,567` or `12,34,567`: a first group that is not 0, and three digits in the last.
fn is_grouped(whole: &str, separators: &[char]) -> bool {
    let groups: Vec<&str> = whole.split(separators).collect();
    let all_digits = groups.iter().all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()));
    let (first, rest) = (groups[0], &groups[1..]);
    all_digits
        && first.len() <= 3
        && !first.starts_with('0')
        && rest.iter().all(|g| (2..=3).contains(&g.len()))
        && rest.last().is_some_and(|g| g.len() == 3)
}

/// The unit behind a number, e.g. "kg" in "12 kg".
pub(crate) fn unit(text: &str) -> Option<&str> {
    let text = text.trim();
    let at = text.rfind(|c: char| c.is_ascii_digit() || c == '.')? + 1;
    let unit = text[at..].trim_start();
    let like = |c: char| c.is_alphabetic() || "°²³/".contains(c);
    let usable = !unit.is_empty() && unit.chars().count() <= 6 && unit.chars().all(like);
    let number = number(&text[..at], &NumberStyle::default()).is_some();
    (usable && number).then_some(unit)
}

/// Opposite words: the second is yes.
const OPPOSITES: [[&str; 2]; 6] =
    [["no", "yes"], ["n", "y"], ["false", "true"], ["f", "t"], ["off", "on"], ["0", "1"]];

/// The words for no and for yes, if all of these are one or the other.
pub(crate) fn opposites<'a>(
    levels: impl Iterator<Item = &'a str> + Clone,
) -> Option<[Vec<String>; 2]> {
    let lower = levels.map(|level| level.trim().to_lowercase());
    let mut sides = [Vec::new(), Vec::new()];
    for word in lower {
        let side = OPPOSITES.iter().find_map(|pair| pair.iter().position(|w| *w == word))?;
        if !sides[side].contains(&word) {
            sides[side].push(word);
        }
    }
    // A column of "n" and "no" alone, or of "t" and "on", is not a question that was answered.
    let pairs = OPPOSITES
        .iter()
        .any(|[no, yes]| sides[0].iter().any(|w| w == no) && sides[1].iter().any(|w| w == yes));
    pairs.then_some(sides)
}

/// Scales from low to high; words in one place mean the same.
const SCALES: &[&[&[&str]]] = &[
    &[
        &["very low", "lowest"],
        &["low", "lo"],
        &["medium", "med", "mid", "moderate", "middle", "average", "normal"],
        &["high", "hi"],
        &["very high", "highest"],
    ],
    &[&["xxs"], &["xs"], &["s"], &["m"], &["l"], &["xl"], &["xxl", "2xl"], &["xxxl", "3xl"]],
    &[
        &["tiny", "very small"],
        &["small"],
        &["medium", "middle"],
        &["large", "big"],
        &["very large", "extra large", "huge"],
    ],
    &[
        &["none", "no", "absent"],
        &["mild", "slight"],
        &["moderate"],
        &["severe", "strong"],
        &["critical"],
    ],
    &[
        &["never"],
        &["rarely", "seldom"],
        &["sometimes", "occasionally"],
        &["often", "frequently", "usually"],
        &["always"],
    ],
    &[
        &["strongly disagree"],
        &["disagree", "somewhat disagree"],
        &["neutral", "neither agree nor disagree", "undecided", "neither"],
        &["agree", "somewhat agree"],
        &["strongly agree"],
    ],
    &[&["very dissatisfied"], &["dissatisfied"], &["neutral"], &["satisfied"], &["very satisfied"]],
    &[
        &["very poor", "terrible"],
        &["poor", "bad"],
        &["fair", "average"],
        &["good"],
        &["very good"],
        &["excellent", "premium"],
        &["ideal"],
    ],
    &[
        &["first", "1st"],
        &["second", "2nd"],
        &["third", "3rd"],
        &["fourth", "4th"],
        &["fifth", "5th"],
    ],
    &[&["primary"], &["secondary"], &["tertiary"]],
    &[&["freshman"], &["sophomore"], &["junior"], &["senior"]],
    &[&["cold"], &["cool"], &["warm"], &["hot"]],
    &[&["slow"], &["medium"], &["fast"]],
    &[&["light"], &["medium"], &["dark"]],
    &[&["young"], &["middle-aged", "middle"], &["old"]],
    &[&["weak"], &["medium", "moderate"], &["strong"]],
    &[
        &["january", "jan"],
        &["february", "feb"],
        &["march", "mar"],
        &["april", "apr"],
        &["may"],
        &["june", "jun"],
        &["july", "jul"],
        &["august", "aug"],
        &["september", "sep", "sept"],
        &["october", "oct"],
        &["november", "nov"],
        &["december", "dec"],
    ],
    &[
        &["monday", "mon"],
        &["tuesday", "tue"],
        &["wednesday", "wed"],
        &["thursday", "thu"],
        &["friday", "fri"],
        &["saturday", "sat"],
        &["sunday", "sun"],
    ],
];

/// The words from low to high, if there are at least three and all stand on one scale.
pub(crate) fn scale(levels: &[String]) -> Option<Vec<String>> {
    if levels.len() < 3 {
        return None;
    }
    let place = |scale: &[&[&str]], level: &String| {
        let word = level.trim().to_lowercase();
        scale.iter().position(|step| step.contains(&word.as_str()))
    };
    SCALES.iter().find_map(|scale| {
        let places = levels.iter().map(|l| place(scale, l)).collect::<Option<Vec<usize>>>()?;
        let mut order: Vec<usize> = (0..levels.len()).collect();
        order.sort_by_key(|&i| places[i]);
        let different = order.windows(2).all(|pair| places[pair[0]] < places[pair[1]]);
        different.then(|| order.into_iter().map(|i| levels[i].clone()).collect())
    })
}

/// Seconds since 1970-01-01, or since midnight for a time of the day alone.
pub(crate) fn date(text: &str, day_first: bool) -> Option<(f64, TimeKind)> {
    let text = text.trim();
    if !text.contains(|c: char| c.is_ascii_digit()) || !(4..=40).contains(&text.len()) {
        return None;
    }
    if let Some(clock) = clock(text) {
        return Some((clock, TimeKind::Clock));
    }
    let (day, rest) = match text.find(['T', ' ']).filter(|&at| text[at + 1..].contains(':')) {
        // The last blank before the first colon: "3 Jan 2024 10:30".
        Some(_) => {
            let colon = text.find(':')?;
            let at = text[..colon].rfind(['T', ' '])?;
            (&text[..at], Some(text[at + 1..].trim()))
        }
        None => (text, None),
    };
    let days = calendar_day(day.trim_end_matches(','), day_first)?;
    let midnight = days * 86_400.0;
    match rest {
        None => Some((midnight, TimeKind::Date)),
        Some(rest) => Some((midnight + clock(rest)?, TimeKind::DateTime)),
    }
}

/// Days since 1970-01-01.
fn calendar_day(text: &str, day_first: bool) -> Option<f64> {
    // "%B" reads "Mar" and "March".
    const PLAIN: [&str; 12] = [
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%d.%m.%Y",
        "%d.%m.%y",
        "%d %B %Y",
        "%d-%B-%Y",
        "%d-%B-%y",
        "%d %B, %Y",
        "%B %d, %Y",
        "%B %d %Y",
        "%Y.%m.%d",
        "%d/%B/%Y",
    ];
    const DAY_FIRST: [&str; 3] = ["%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y"];
    const MONTH_FIRST: [&str; 3] = ["%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y"];
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        return compact_day(text.parse().ok()?);
    }
    let text = without_weekday(text);
    let numbers = if day_first { DAY_FIRST } else { MONTH_FIRST };
    let parse = |format: &&str| {
        let day = NaiveDate::parse_from_str(text, format).ok()?;
        // "%Y" takes two digits, too: the year 24 is 2024, which "%y" knows.
        let usable = !format.contains("%Y") || chrono::Datelike::year(&day) >= 1000;
        usable.then_some(day)
    };
    let found = PLAIN.iter().chain(&numbers).find_map(parse).or_else(|| month(text))?;
    Some(days_since_1970(found))
}

fn days_since_1970(day: NaiveDate) -> f64 {
    (day - NaiveDate::default()).num_days() as f64
}

/// The day that a number such as 20240331 stands for, in the years that such numbers are written for.
pub(crate) fn compact_day(number: u32) -> Option<f64> {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    let day = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    (1900..=2100).contains(&year).then(|| days_since_1970(day))
}

/// Whether a count of seconds is in the first day of a month.
pub(crate) fn begins_a_month(seconds: f64) -> bool {
    let days = chrono::Days::new((seconds / 86_400.0).floor().abs() as u64);
    let start = NaiveDate::default();
    let day = match seconds < 0.0 {
        true => start.checked_sub_days(days),
        false => start.checked_add_days(days),
    };
    day.is_some_and(|day| chrono::Datelike::day(&day) == 1)
}

/// "Mon, 5 Mar 2024" without its first word.
fn without_weekday(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    match word.len() >= 3 && word.parse::<chrono::Weekday>().is_ok() {
        true => rest.trim_start_matches([',', '.', ' ']),
        false => text,
    }
}

/// A month without a day: "2024-03", "Mar 2024".
fn month(text: &str) -> Option<NaiveDate> {
    const FORMATS: [&str; 3] = ["%Y-%m-%d", "%B %Y %d", "%B-%Y-%d"];
    let candidates = [format!("{text}-01"), format!("{text} 01")];
    let plausible = |day: &NaiveDate| (1000..=2999).contains(&chrono::Datelike::year(day));
    candidates
        .iter()
        .find_map(|t| FORMATS.iter().find_map(|f| NaiveDate::parse_from_str(t, f).ok()))
        .filter(plausible)
}

/// Seconds since midnight; a zone is not looked at, so that all times of a column are of one place.
fn clock(text: &str) -> Option<f64> {
    let text = text.trim_end_matches('Z').trim();
    let text = ["GMT", "UTC"].iter().fold(text, |t, zone| t.strip_suffix(zone).unwrap_or(t)).trim();
    let zone = text.rfind(['+', '-']).filter(|&at| at >= 5 && text[..at].contains(':'));
    let text = zone.map_or(text, |at| text[..at].trim_end());
    const FORMATS: [&str; 4] = ["%H:%M:%S%.f", "%H:%M", "%I:%M:%S %p", "%I:%M %p"];
    let time = FORMATS.iter().find_map(|f| NaiveTime::parse_from_str(text, f).ok())?;
    let since = time - NaiveTime::MIN;
    Some(since.num_microseconds()? as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, decimal_comma: bool) -> Option<f64> {
        number(text, &NumberStyle { decimal_comma, ..NumberStyle::default() })
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, value) in [
            ("1,234.5", 1234.5),
            ("$1,234", 1234.0),
            ("-$5.50", -5.5),
            ("$-5.50", -5.5),
            ("(120)", -120.0),
            ("12 %", 12.0),
            ("€ 3", 3.0),
            ("1 000", 1000.0),
            ("12,34,567", 1_234_567.0),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("EUR 20", 20.0),
            ("3 days 12:00:00", 302_400.0),
            ("-1 days +18:00:00", -21_600.0),
            ("1 day 06:00:00.000000", 108_000.0),
            ("PT8H30M", 30_600.0),
            ("P1DT0.5S", 86_400.5),
            ("-PT1M", -60.0),
            ("1h 34m", 5640.0),
            ("2 hours, 5 min 3 s", 7503.0),
            ("\u{2212}7", -7.0),
        ] {
            assert_eq!(read(text, false), Some(value), "{text}");
        }
        assert_eq!(read("1.234,5", true), Some(1234.5));
        assert_eq!(read("0,125", true), Some(0.125));
        for text in [
            "1,5", "0,125", "1,2,3", "5+", "136A", "2-10", "", "%", "12:30", "1.2.3", "-", "P",
            "8h", "5m 3h", "PT", "1h1h", "T1h 2m",
        ] {
            assert_eq!(read(text, false), None, "{text}");
        }
    }

    #[test]
    fn a_unit_is_what_follows_a_number() {
        assert_eq!(unit("12 kg"), Some("kg"));
        assert_eq!(unit("3.5mm"), Some("mm"));
        assert_eq!(unit("12"), None);
        assert_eq!(unit("A12kg"), None);
    }

    #[test]
    fn yes_and_no_are_opposites_but_words_of_two_questions_are_not() {
        let found = |levels: &[&str]| opposites(levels.iter().copied()).is_some();
        assert!(found(&["Yes", "no"]));
        assert!(found(&["T", "F"]));
        assert!(!found(&["yes", "perhaps"]));
        assert!(!found(&["t", "on"]));
        assert!(!found(&["yes"]));
    }

    #[test]
    fn scales_are_put_in_their_order() {
        let scale =
            |words: &[&str]| scale(&words.iter().map(|w| w.to_string()).collect::<Vec<_>>());
        assert_eq!(scale(&["High", "low", "Medium"]).unwrap(), ["low", "Medium", "High"]);
        assert_eq!(scale(&["L", "S", "M", "XL"]).unwrap(), ["S", "M", "L", "XL"]);
        assert_eq!(
            scale(&["Ideal", "Premium", "Good", "Very Good", "Fair"]).unwrap(),
            ["Fair", "Good", "Very Good", "Premium", "Ideal"]
        );
        assert_eq!(scale(&["red", "green", "blue"]), None);
        assert_eq!(scale(&["low", "high"]), None);
    }

    #[test]
    fn dates_are_counted_from_1970() {
        let day = 86_400.0;
        for (text, seconds) in [
            ("1970-01-02", day),
            ("1970/01/02", day),
            ("02.01.1970", day),
            ("01/02/1970", day),
            ("2 Jan 1970", day),
            ("Jan 2, 1970", day),
            ("1970-01-02T12:00:00Z", 1.5 * day),
            ("1970-01-02 12:00", 1.5 * day),
            ("1/2/1970 6:00 PM", 1.75 * day),
            ("1970-02", 31.0 * day),
        ] {
            assert_eq!(date(text, false).map(|d| d.0), Some(seconds), "{text}");
        }
        assert_eq!(date("03/04/1970", true).unwrap().0, date("1970-04-03", false).unwrap().0);
        assert_eq!(date("13:30", false), Some((13.5 * 3600.0, TimeKind::Clock)));
        for (text, same) in [
            ("March 5, 2024", "2024-03-05"),
            ("5 March 2024", "2024-03-05"),
            ("Tue, 05 Mar 2024 06:00:00 GMT", "2024-03-05 06:00"),
            ("Tuesday, March 5, 2024", "2024-03-05"),
            ("05.03.24", "2024-03-05"),
            ("20240305", "2024-03-05"),
            ("March 2024", "2024-03-01"),
        ] {
            assert_eq!(date(text, false).unwrap().0, date(same, false).unwrap().0, "{text}");
        }
        for text in
            ["2024", "12", "version 1-2", "hello", "99/99/2020", "1-2", "20241305", "12345678"]
        {
            assert_eq!(date(text, false), None, "{text}");
        }
    }
}
