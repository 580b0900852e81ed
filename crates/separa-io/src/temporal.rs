//! Dates and times as text: they can name rows or classes, but they are no features.

/// `2024-02-29` from days since 1970-01-01 (proleptic Gregorian calendar).
pub(crate) fn date(days: i64) -> String {
    // Count from 0000-03-01, so that the leap day is the last day of a year, in eras of 400 years.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // March to July and August to December: 153 days each five months.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Today's date (UTC), or that of the variable SOURCE_DATE_EPOCH, by which documents can be made the same again.
pub fn today() -> String {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok();
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let seconds: u64 = fixed.or_else(|| now().map(|now| now.as_secs())).unwrap_or(0);
    date((seconds / 86_400) as i64)
}

/// Date and time now (UTC) to the millisecond, such as `2024-02-29T13:45:00.25Z`.
pub fn now() -> String {
    let passed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    timestamp(passed.unwrap_or_default().as_millis() as i64, 1000) + "Z"
}

/// `13:45:00.25` from a count of `per_second` units since midnight.
pub(crate) fn time(units: i64, per_second: i64) -> String {
    let (seconds, part) = (units.div_euclid(per_second), units.rem_euclid(per_second));
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if part == 0 {
        return clock;
    }
    let digits = per_second.ilog10() as usize;
    format!("{clock}.{}", format!("{part:0digits$}").trim_end_matches('0'))
}

/// `2024-02-29T13:45:00` from a count of `per_second` units since 1970-01-01.
pub(crate) fn timestamp(units: i64, per_second: i64) -> String {
    let per_day = 86_400 * per_second;
    format!("{}T{}", date(units.div_euclid(per_day)), time(units.rem_euclid(per_day), per_second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days_have_their_known_names() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_454), "2026-01-01");
        assert_eq!(date(-719_528), "0000-01-01");
    }

    #[test]
    fn consecutive_days_never_repeat_and_stay_in_order() {
        let days: Vec<String> = (-150_000..150_000).map(date).collect();
        assert!(days.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn times_keep_the_fraction_they_have() {
        assert_eq!(time(49_500, 1), "13:45:00");
        assert_eq!(time(49_500_250, 1000), "13:45:00.25");
        assert_eq!(timestamp(-1, 1_000_000), "1969-12-31T23:59:59.999999");
    }
}
