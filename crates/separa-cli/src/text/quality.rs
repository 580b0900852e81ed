//! How separable the groups are, in plain words.

use super::columns::{self, Cell, left, right};
use super::{number, style};
use separa::quality::{Pair, Quality};

/// Pairs named in the short form.
const NAMED: usize = 5;
/// Largest table of pairs that fits a screen.
const SQUARE: usize = 12;
/// Room for the meaning of a number on a line of 80.
const MEANING: usize = 48;

/// MSP with everything that it must not be shown without, then the verdict. `reg` is what it was
/// computed with: a larger one promises less.
pub fn describe(q: &Quality, reg: f64, name_pairs: bool) -> String {
    let many = q.pairs.len() > 1;
    let line = |value: String, name: &str, meaning: &str| {
        vec![
            left(name.to_owned()),
            right(value).styled(style::TITLE),
            left(meaning.to_owned()).styled(style::DIM),
        ]
    };
    let optional =
        |value: Option<f64>, text: fn(f64) -> String| value.map_or("unknown".to_owned(), text);
    let mut rows = Vec::new();
    if !q.pairs.is_empty() {
        let meaning = match many {
            true => "least share told apart of the two closest groups",
            false => "least share of each group that is told apart",
        };
        rows.push(line(number::fraction(q.msp), "MSP", meaning));
        rows.push(line(
            optional(q.msp_null, number::fraction),
            "one blob's MSP",
            "of one Gaussian cloud, cut in the same place",
        ));
        rows.push(line(
            optional(q.cross_fitted_msp, number::fraction),
            "cross-fitted MSP",
            "judged on rows the boundary has not seen",
        ));
        rows.push(line(
            optional(q.p_gauss, number::p_value),
            "p, one Gaussian",
            "small: more than one bell-shaped cloud",
        ));
        rows.push(line(
            optional(q.p_unimodal, number::p_value),
            "p, no gap",
            "small: emptier between groups than inside them",
        ));
    }
    rows.push(line(number::percent(q.min_share), "smallest group", "its share of the rows"));
    if many && name_pairs {
        for (i, line) in columns::wrap(&closest(&q.pairs), MEANING).into_iter().enumerate() {
            rows.push(vec![
                left(if i == 0 { "closest groups" } else { "" }),
                right(""),
                left(line),
            ]);
        }
    }
    let title = style::paint(style::TITLE, "separability");
    let at = style::paint(style::DIM, format!("at reg {reg}"));
    format!("{title} {at}\n{}  {}\n", columns::align(&rows), verdict(q))
}

/// The verdict, coloured by what it says.
pub fn verdict(q: &Quality) -> String {
    style::paint(if q.is_real() { style::GOOD } else { style::WARNING }, q.verdict())
}

fn closest(pairs: &[Pair]) -> String {
    let mut sorted: Vec<&Pair> = pairs.iter().collect();
    sorted.sort_by(|x, y| x.msp.total_cmp(&y.msp));
    let named: Vec<String> = sorted
        .iter()
        .take(NAMED)
        // A pair and its number stay on one line.
        .map(|p| format!("{}-{}\u{a0}{}", p.a, p.b, number::fraction(p.msp)))
        .collect();
    let rest = pairs.len().saturating_sub(NAMED);
    let tail = if rest > 0 { format!(", {rest} more") } else { String::new() };
    format!("{}{tail}", named.join(", "))
}

/// MSP of each pair as a triangle, or as a list of the closest where there are many groups.
pub fn pairs(q: &Quality, name: impl Fn(i32) -> String) -> String {
    let mut groups: Vec<i32> = q.pairs.iter().flat_map(|p| [p.a, p.b]).collect();
    groups.sort_unstable();
    groups.dedup();
    let title = style::paint(style::TITLE, "MSP of each pair");
    let table = match groups.len() {
        0..=SQUARE => triangle(&groups, &q.pairs, &name),
        _ => listed(&q.pairs, &name),
    };
    format!("{title}\n{}", columns::align(&table))
}

fn triangle(groups: &[i32], pairs: &[Pair], name: &impl Fn(i32) -> String) -> Vec<Vec<Cell>> {
    let (columns, rows) = (&groups[..groups.len() - 1], &groups[1..]);
    let mut head = vec![left("")];
    head.extend(columns.iter().map(|c| right(name(*c))));
    let mut table = vec![head];
    for r in rows {
        let mut line = vec![left(name(*r))];
        for c in columns.iter().take_while(|c| *c < r) {
            let msp = pairs.iter().find(|p| (p.a, p.b) == (*c, *r)).map(|p| p.msp);
            line.push(right(msp.map_or(String::new(), number::fraction)));
        }
        table.push(line);
    }
    table
}

fn listed(pairs: &[Pair], name: &impl Fn(i32) -> String) -> Vec<Vec<Cell>> {
    let mut sorted: Vec<&Pair> = pairs.iter().collect();
    sorted.sort_by(|x, y| x.msp.total_cmp(&y.msp));
    let mut table: Vec<Vec<Cell>> = sorted
        .iter()
        .take(SQUARE)
        .map(|p| vec![left(name(p.a)), left(name(p.b)), right(number::fraction(p.msp))])
        .collect();
    if pairs.len() > SQUARE {
        let rest = pairs.len() - SQUARE;
        table.push(vec![left(format!("{rest} more, further apart")), left(""), right("")]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quality(msp: f64, msp_null: Option<f64>) -> Quality {
        let pair = |a, b| Pair { a, b, msp, p_gauss: Some(1e-9), p_unimodal: Some(1e-9) };
        Quality {
            msp,
            msp_null,
            p_gauss: Some(1e-9),
            p_unimodal: Some(1e-9),
            cross_fitted_msp: Some(msp),
            min_share: 0.1,
            pairs: (0..12).flat_map(|a| (a + 1..12).map(move |b| pair(a, b))).collect(),
            importance: Vec::new(),
        }
    }

    #[test]
    fn groups_no_better_apart_than_one_cloud_are_no_real_gap() {
        for (msp, null, real) in [
            (0.7, Some(0.6), true),
            (0.7, None, true),
            (0.6, Some(0.6), false),
            (0.4, Some(0.6), false),
        ] {
            let q = quality(msp, null);
            assert_eq!(q.verdict().starts_with("real gap"), real, "{}", q.verdict());
            assert_eq!(
                verdict(&q),
                style::paint(if real { style::GOOD } else { style::WARNING }, q.verdict())
            );
        }
    }

    #[test]
    fn many_pairs_fit_the_screen() {
        let q = quality(0.4, Some(0.6));
        let shown = anstream::adapter::strip_str(&describe(&q, 1.0, true)).to_string();
        assert!(shown.contains("61 more"), "{shown}");
        assert!(shown.lines().all(|l| l.chars().count() <= columns::SCREEN), "{shown}");
    }
}
