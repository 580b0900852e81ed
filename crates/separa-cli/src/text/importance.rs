//! Which features separate the groups: a short table for two, one line a pair for more.

use super::columns::{self, left, right};
use super::{number, style};
use separa::quality::{By, Importance, Quality, Share};

/// Features shown of two groups.
const FEATURES: usize = 8;
/// Pairs shown of many groups, and features of each.
const PAIRS: usize = 6;
const EACH: usize = 3;
/// Letters of a feature's name.
const LETTERS: usize = 24;
/// Room for the features of a pair on a line of 80.
const ROOM: usize = 60;
const BAR: usize = 20;

/// [`describe`] below an empty line, where there is something to say.
pub fn block(q: &Quality, name: impl Fn(i32) -> String) -> String {
    let text = describe(q, name);
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// `name` gives each group its name. Empty where nothing separates.
fn describe(q: &Quality, name: impl Fn(i32) -> String) -> String {
    let table = match q.importance.as_slice() {
        [] => return String::new(),
        [one] if one.features.is_empty() => return String::new(),
        [one] => columns::align(&features(one, &name)),
        _ => columns::align(&pairs(q, &name)),
    };
    let note = match q.importance[0].by {
        By::Boundary => "shares of the distance across the boundary",
        By::Exchange => "shares of what an exchange of values costs",
    };
    let title = style::paint(style::TITLE, "which features separate");
    format!("{title} {}\n{table}", style::paint(style::DIM, note))
}

fn features(one: &Importance, name: &impl Fn(i32) -> String) -> Vec<Vec<columns::Cell>> {
    let apart = format!("mean of {} minus {}", short(&name(one.a)), short(&name(one.b)));
    let mut rows = vec![vec![left("feature"), right("share"), left(""), right(apart)]];
    let largest = one.features[0].share.abs();
    for share in one.features.iter().take(FEATURES) {
        rows.push(vec![
            left(called(share)),
            right(number::percent(share.share)),
            left(style::bar(share.share.max(0.0) / largest, BAR)).styled(style::BAR),
            right(difference(share.difference)),
        ]);
    }
    let rest = one.features.len().saturating_sub(FEATURES) + one.rest;
    if rest > 0 {
        let said: f64 = one.features.iter().take(FEATURES).map(|s| s.share).sum();
        rows.push(vec![left(format!("{rest} more")), right(number::percent(1.0 - said))]);
    }
    rows
}

/// The closest pairs: there one wants to know most.
fn pairs(q: &Quality, name: &impl Fn(i32) -> String) -> Vec<Vec<columns::Cell>> {
    let mut order: Vec<usize> = (0..q.importance.len()).collect();
    order.sort_by(|x, y| q.pairs[*x].msp.total_cmp(&q.pairs[*y].msp));
    let mut rows = Vec::new();
    for i in order.iter().take(PAIRS) {
        let pair = &q.importance[*i];
        let groups = format!("{}-{}", short(&name(pair.a)), short(&name(pair.b)));
        rows.push(vec![left(groups), left(line(pair))]);
    }
    if order.len() > PAIRS {
        let more = format!("{} more", order.len() - PAIRS);
        rows.push(vec![left(more), left("(--json lists them)")]);
    }
    rows
}

/// "proline 41.0 %, alcohol 22.1 %, hue -8.3 %": as many as there is room for, at least one.
fn line(pair: &Importance) -> String {
    let words: Vec<String> = pair
        .features
        .iter()
        .take(EACH)
        .map(|s| format!("{} {}", called(s), number::percent(s.share)))
        .collect();
    let fits = |n: &usize| words[..*n].join(", ").chars().count() <= ROOM;
    let shown = (1..=words.len()).rev().find(fits).unwrap_or(words.len().min(1));
    match shown {
        0 => "nothing tells them apart".to_owned(),
        n => words[..n].join(", "),
    }
}

fn called(share: &Share) -> String {
    short(&share.name.clone().unwrap_or_else(|| format!("column {}", share.feature + 1)))
}

/// Four significant digits, signed.
fn difference(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if !value.is_finite() => "unknown".to_owned(),
        s if s != 0.0 && !(1e-3..1e7).contains(&s) => format!("{value:+.3e}"),
        s => {
            let digits = 3 - (s.max(1e-3).log10().floor() as i32).min(3);
            format!("{value:+.*}", digits as usize)
        }
    }
}

fn short(text: &str) -> String {
    match text.chars().count() {
        0..=LETTERS => text.to_owned(),
        _ => text.chars().take(LETTERS - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::quality::Pair;

    fn pair(a: i32, b: i32, names: &[&str]) -> Importance {
        let share = |(feature, name): (usize, &&str)| Share {
            feature,
            name: Some((*name).to_owned()),
            share: 1.0 / names.len() as f64,
            difference: -1234.5678,
        };
        let features = names.iter().enumerate().map(share).collect();
        Importance { a, b, by: By::Boundary, features, rest: 0 }
    }

    fn quality(importance: Vec<Importance>) -> Quality {
        let pair = |i: &Importance| Pair {
            a: i.a,
            b: i.b,
            msp: 0.1 * f64::from(i.b),
            p_gauss: None,
            p_unimodal: None,
        };
        Quality {
            msp: 0.5,
            msp_null: None,
            p_gauss: None,
            p_unimodal: None,
            cross_fitted_msp: None,
            min_share: 0.5,
            pairs: importance.iter().map(pair).collect(),
            importance,
        }
    }

    fn shown(q: &Quality) -> String {
        anstream::adapter::strip_str(&describe(q, |c| c.to_string())).to_string()
    }

    #[test]
    fn two_groups_have_a_line_a_feature_and_the_rest_is_counted() {
        let names: Vec<String> = (0..10).map(|i| format!("f{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = shown(&quality(vec![pair(0, 1, &names)]));
        assert!(text.contains("f7") && !text.contains("f8"), "{text}");
        assert!(text.contains("2 more    20.0 %"), "{text}");
        assert!(text.contains("mean of 0 minus 1") && text.contains("-1235"), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= columns::SCREEN), "{text}");
    }

    #[test]
    fn many_groups_have_a_line_a_pair_that_fits_the_screen_and_the_closest_come_first() {
        let long = "a name that is much longer than anyone would want to read";
        let all = (1..9).rev().map(|b| pair(0, b, &[long, long, long, long])).collect();
        let text = shown(&quality(all));
        assert!(text.lines().nth(1).is_some_and(|l| l.trim_start().starts_with("0-1")), "{text}");
        assert!(text.contains("2 more"), "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= columns::SCREEN), "{text}");
    }

    #[test]
    fn nothing_is_said_where_nothing_separates() {
        assert_eq!(shown(&quality(vec![])), "");
        assert_eq!(shown(&quality(vec![pair(0, 1, &[])])), "");
        let text = shown(&quality(vec![pair(0, 1, &[]), pair(0, 2, &["x"])]));
        assert!(text.contains("nothing tells them apart"), "{text}");
    }

    #[test]
    fn differences_keep_four_digits() {
        for (value, text) in [
            (-1234.5678, "-1235"),
            (1.5, "+1.500"),
            (0.01234567, "+0.01235"),
            (0.0, "+0.000000"),
            (1e9, "+1.000e9"),
            (f64::NAN, "unknown"),
        ] {
            assert_eq!(difference(value), text);
        }
    }
}
