//! A clustering in one plain sentence.

use crate::number;
use separa::quality::Quality;

/// Shares are listed for this many groups; for more, the smallest and the largest.
const LISTED: usize = 4;

/// How many groups, how large, whether they are real, and what is promised.
pub fn sentence(sizes: &[usize], n: usize, thing: &str, quality: Option<&Quality>) -> String {
    let groups = groups(sizes, n, thing);
    if sizes.len() < 2 {
        return format!("{groups}: nothing to tell apart.");
    }
    let Some(q) = quality else { return format!("{groups}.") };
    format!("{groups}, {}{}.", reality(q, sizes.len()), promise(q, sizes.len()))
}

/// Where groups were looked for and none was found.
pub fn none_found(n: usize, thing: &str, p: f64) -> String {
    let things = number::counted(n, thing);
    format!("One group of {things}: no gap was found that would part them ({}).", p_value(p))
}

fn groups(sizes: &[usize], n: usize, thing: &str) -> String {
    let share = |size: usize| percent(size as f64 / n.max(1) as f64);
    let things = format!("{thing}s");
    let count = match sizes.len() {
        1 => return format!("One group of {}", number::counted(n, thing)),
        2 => "Two groups".to_owned(),
        3 => "Three groups".to_owned(),
        4 => "Four groups".to_owned(),
        5 => "Five groups".to_owned(),
        6 => "Six groups".to_owned(),
        k => format!("{k} groups"),
    };
    let shares: Vec<String> = sizes.iter().map(|size| share(*size)).collect();
    match shares.split_last() {
        Some((last, rest)) if sizes.len() <= LISTED => {
            format!("{count}, {} and {last} of {things}", rest.join(", "))
        }
        _ => {
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            let [low, high] = [least, most].map(|s| share(s.copied().unwrap_or(0)));
            match low == high {
                true => format!("{count} of about {low} of {things} each"),
                false => format!("{count}, from {low} to {high} of {things} each"),
            }
        }
    }
}

fn reality(q: &Quality, k: usize) -> String {
    let between = match (k, q.untested()) {
        (2, _) => "between them".to_owned(),
        (_, 0) => "between every two of them".to_owned(),
        _ => "between those that could be tested".to_owned(),
    };
    let Some(gap) = q.p_unimodal else {
        return "too few rows to tell whether they are more than one cloud".into();
    };
    let small = match q.untested() {
        0 => String::new(),
        few => {
            format!("; {few} of {} are too small to test", number::counted(q.pairs.len(), "pair"))
        }
    };
    let p = p_value(gap);
    if q.has_gap() && !q.beyond_one_cloud() {
        return format!("in data that have a gap ({p}), but not along these groups{small}");
    }
    if q.has_gap() {
        return format!("with a real gap {between} ({p}){small}");
    }
    if let Some(pair) = q.closest() {
        let [a, b] = [pair.a, pair.b];
        return format!(
            "with a gap between some of them, but none between {a} and {b} ({p}){small}"
        );
    }
    let where_no_gap = if k == 2 { "between them" } else { "between some of them" };
    match q.p_gauss {
        Some(g) if g <= Quality::LEVEL => format!(
            "more than one bell-shaped cloud ({}), but with no gap {where_no_gap} ({p}){small}",
            p_value(g)
        ),
        _ => format!("no better apart than one cloud cut in pieces ({p}){small}"),
    }
}

fn promise(q: &Quality, k: usize) -> String {
    let of = if k == 2 { "" } else { "of any two " };
    let one_cloud = match q.msp_null {
        Some(null) if !q.is_real() => {
            format!(" (one cloud cut in the same place: {})", percent(floor(null)))
        }
        _ => String::new(),
    };
    format!(
        "; whatever the shape of the groups, {of}at least {} of each lies on its own side{one_cloud}",
        percent(floor(q.msp))
    )
}

/// A promise is rounded down.
fn floor(share: f64) -> f64 {
    (share * 100.0).floor() / 100.0
}

fn p_value(p: f64) -> String {
    let text = number::p_value(p);
    if text.starts_with('<') { format!("p {text}") } else { format!("p = {text}") }
}

/// Whole per cents, but not 0 of some or 100 of not all.
fn percent(share: f64) -> String {
    match share * 100.0 {
        p if !p.is_finite() => "an unknown share".into(),
        p if p > 0.0 && p < 0.5 => "less than 1 %".into(),
        p if (99.5..100.0).contains(&p) => "over 99 %".into(),
        p => format!("{p:.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::quality::Pair;

    fn quality(msp: f64, null: f64, gauss: f64, gap: f64) -> Quality {
        Quality {
            msp,
            msp_null: Some(null),
            p_gauss: Some(gauss),
            p_unimodal: Some(gap),
            cross_fitted_msp: Some(msp),
            min_share: 0.3,
            pairs: Vec::new(),
            importance: Vec::new(),
        }
    }

    #[test]
    fn two_real_groups_are_told_as_people_would() {
        let q = quality(0.7689, 0.4, 1e-9, 1e-9);
        assert_eq!(
            sentence(&[61, 39], 100, "row", Some(&q)),
            "Two groups, 61 % and 39 % of rows, with a real gap between them (p < 0.001); whatever the \
             shape of the groups, at least 76 % of each lies on its own side."
        );
    }

    #[test]
    fn doubts_are_told() {
        let said = |q| sentence(&[50, 50], 100, "row", Some(&q));
        assert!(
            said(quality(0.6, 0.5, 0.001, 0.3))
                .contains("but with no gap between them (p = 0.300)")
        );
        let cloud = said(quality(0.4, 0.4, 0.5, 0.5));
        assert!(
            cloud.contains("no better apart than one cloud")
                && cloud.contains("one cloud cut in the same place: 40 %")
        );
        assert!(said(quality(0.3, 0.4, 0.001, 0.001)).contains("not along these groups"));
        let unknown = Quality { p_gauss: None, p_unimodal: None, ..quality(0.5, 0.4, 0.0, 0.0) };
        assert!(said(unknown).contains("too few rows"));
    }

    #[test]
    fn pairs_that_were_not_tested_are_not_called_real() {
        let pair = |b, p| Pair { a: 0, b, msp: 0.7, p_gauss: p, p_unimodal: p };
        let pairs = vec![pair(1, Some(1e-9)), pair(2, None), pair(3, None)];
        let q = Quality { pairs, ..quality(0.7, 0.4, 1e-9, 1e-9) };
        let said = sentence(&[50, 47, 2, 1], 100, "row", Some(&q));
        assert!(!said.contains("every two") && !q.is_real(), "{said}");
        assert!(said.contains("with a real gap between those that could be tested (p < 0.001)"));
        assert!(said.contains("; 2 of 3 pairs are too small to test; whatever"), "{said}");
    }

    #[test]
    fn two_groups_of_many_without_a_gap_are_named() {
        let pair = |a, b, p| Pair { a, b, msp: 0.7, p_gauss: Some(p), p_unimodal: Some(p) };
        let pairs = vec![pair(0, 1, 0.9), pair(0, 2, 1e-9), pair(1, 2, 1e-9)];
        let q = Quality { pairs, ..quality(0.4, 0.5, 0.9, 0.9) };
        let said = sentence(&[50, 30, 20], 100, "row", Some(&q));
        assert!(
            said.contains("with a gap between some of them, but none between 0 and 1 (p = 0.900)"),
            "{said}"
        );
    }

    #[test]
    fn many_groups_and_one_are_told() {
        let q = quality(0.5, 0.4, 1e-9, 1e-9);
        let many = sentence(&[1, 9, 10, 10, 10, 10, 10], 1000, "bag", Some(&q));
        assert!(many.starts_with("7 groups, from less than 1 % to 1 % of bags each, with a real gap between every two"), "{many}");
        assert_eq!(
            sentence(&[12], 12, "row", None),
            "One group of 12 rows: nothing to tell apart."
        );
        assert!(sentence(&[3, 1], 4, "row", None).ends_with("75 % and 25 % of rows."));
    }
}
