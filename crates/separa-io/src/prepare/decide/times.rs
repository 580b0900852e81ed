//! Columns of dates and times.

use separa::preparation::{ColumnType, Cycle, Encoding};

use super::{Decision, FEWEST_COUNTED, Judge, feature, id, left_out};
use crate::prepare::stats::sorted;
use crate::prepare::texts;
use crate::table::{TimeKind, Words};

impl Judge<'_> {
    pub(super) fn dates(
        &self,
        name: &str,
        words: &Words,
        dates: Dates,
        missing: usize,
    ) -> Decision {
        let of_row = |code: &u32| dates.seconds.get(*code as usize).copied().unwrap_or(f64::NAN);
        let seconds: Vec<f64> = words.codes.iter().map(of_row).collect();
        let unread = seconds.iter().filter(|s| s.is_nan()).count() - missing;
        let mut decision =
            self.times(name, &seconds, dates.kind, dates.day_first, missing + unread);
        if dates.ambiguous {
            decision.why = "day and month could be exchanged; taken as month/day/year".to_owned();
        }
        decision
    }

    pub(super) fn times(
        &self,
        name: &str,
        seconds: &[f64],
        kind: TimeKind,
        day_first: bool,
        missing: usize,
    ) -> Decision {
        let all = sorted(seconds.iter().copied(), seconds.len(), true);
        let (Some(first), Some(last)) = (all.first().copied(), all.last().copied()) else {
            return left_out(ColumnType::Empty, missing, "it is empty".to_owned());
        };
        let asked = self.is_asked(name);
        if first == last && !asked {
            return left_out(ColumnType::Date, missing, "every value is the same".to_owned());
        }
        if missing == 0 && !asked && seconds.len() >= FEWEST_COUNTED && is_regular(seconds) {
            return id(
                ColumnType::Date,
                missing,
                "its dates follow each other at equal steps, one per row",
            );
        }
        let span = (last - first) / 86_400.0;
        let varies = |part: &dyn Fn(f64) -> i64| all.windows(2).any(|p| part(p[0]) != part(p[1]));
        let mut cycles = Vec::new();
        if kind != TimeKind::Clock && span >= 2.0 * Cycle::Year.days() {
            cycles.push(Cycle::Year);
        }
        // Which day of the week a month begins with says nothing about the month.
        let days = || !all.iter().all(|s| texts::begins_a_month(*s));
        if kind != TimeKind::Clock && span >= 4.0 * Cycle::Week.days() && varies(&weekday) && days()
        {
            cycles.push(Cycle::Week);
        }
        if kind != TimeKind::Date && varies(&|s| s.rem_euclid(86_400.0).round() as i64) {
            cycles.push(Cycle::Day);
        }
        let parts: Vec<String> =
            cycles.iter().map(|c| format!("place in the {}", c.word())).collect();
        let elapsed = match kind {
            TimeKind::Clock => "time of the day".to_owned(),
            _ => "days since the first date".to_owned(),
        };
        let done = [vec![elapsed], parts].concat().join(", ");
        let fill = self.middle(all);
        let encoding = Encoding::Date { origin: first, cycles, day_first, fill };
        feature(ColumnType::Date, missing, done, encoding)
    }
}

/// The dates that the texts of a column stand for.
pub(super) struct Dates {
    /// One per level; NaN for what is no date.
    pub seconds: Vec<f64>,
    pub kind: TimeKind,
    pub fraction: f64,
    pub day_first: bool,
    pub ambiguous: bool,
}

impl Dates {
    pub(super) fn of(words: &Words) -> Option<Self> {
        let first = words.levels.iter().take(20);
        if !first.clone().any(|l| texts::date(l, false).or(texts::date(l, true)).is_some()) {
            return None;
        }
        let counts = words.counts();
        let total: usize = counts.iter().sum::<usize>().max(1);
        let read = |day_first: bool| {
            let dates: Vec<Option<(f64, TimeKind)>> =
                words.levels.iter().map(|l| texts::date(l, day_first)).collect();
            let rows: usize =
                counts.iter().zip(&dates).filter(|(_, d)| d.is_some()).map(|(c, _)| c).sum();
            (dates, rows)
        };
        let (month, day) = (read(false), read(true));
        let day_first = day.1 > month.1;
        let ambiguous = day.1 == month.1 && day.0 != month.0;
        let (dates, rows) = if day_first { day } else { month };
        let mut kinds = dates.iter().flatten().map(|(_, kind)| *kind);
        let kind = kinds.next()?;
        // Days with and without a time are days with a time; a time of the day alone is no day.
        let mut kind = kind;
        for other in kinds {
            match (kind, other) {
                (a, b) if a == b => {}
                (TimeKind::Clock, _) | (_, TimeKind::Clock) => return None,
                _ => kind = TimeKind::DateTime,
            }
        }
        let seconds = dates.iter().map(|d| d.map_or(f64::NAN, |(s, _)| s)).collect();
        Some(Self { seconds, kind, fraction: rows as f64 / total as f64, day_first, ambiguous })
    }
}

fn weekday(seconds: f64) -> i64 {
    (seconds / 86_400.0).floor().rem_euclid(7.0) as i64
}

/// Whether times follow each other at equal steps; months and years are equal steps, too.
fn is_regular(seconds: &[f64]) -> bool {
    let steps: Vec<f64> = seconds.windows(2).map(|p| p[1] - p[0]).collect();
    let (least, most) =
        steps.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), s| (l.min(*s), m.max(*s)));
    let day = 86_400.0;
    let months = |n: f64| least >= n * 28.0 * day && most <= (n * 31.0) * day;
    let same_sign = least > 0.0 || most < 0.0;
    let weekdays = least == day && most <= 4.0 * day;
    same_sign && (least == most || [1.0, 3.0, 12.0].into_iter().any(months) || weekdays)
}
