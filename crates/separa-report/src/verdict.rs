//! A clustering in one plain sentence.

use crate::number;
use separa::quality::Quality;

/// Below this a p-value speaks.
const LEVEL: f64 = 0.05;
/// Shares are listed for this many groups; for more, the smallest and the largest.
const LISTED: usize = 4;

/// How many groups, how large, whether they are real, and what is promised.
pub fn sentence(sizes: &[usize], n: usize, thing: &str, quality: Option<&Quality>) -> String {
    let groups = groups(sizes, n, thing);
    let Some(q) = quality else { return format!("{groups}.") };
    if sizes.len() < 2 {
        return format!("{groups}: nothing to tell apart.");
    }
    format!("{groups}, {}{}.", reality(q, sizes.len()), promise(q, sizes.len()))
}

/// Where groups were looked for and none was found.
pub fn none_found(n: usize, thing: &str, p: f64) -> String {
    let things = number::counted(n, thing);
    format!("One group of {things}: no gap was found that would part them ({}).", p_value(p))
}

/// Whether the groups are there: what the p-values and the null level say together.
pub fn is_real(q: &Quality) -> bool {
    q.p_unimodal.is_some_and(|p| p <= LEVEL) && q.msp_null.is_none_or(|null| q.msp > null)
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
    let between = if k == 2 { "between them" } else { "between every two of them" };
    let Some(gap) = q.p_unimodal else {
        return "too few rows to tell whether they are more than one cloud".into();
    };
    let p = p_value(gap);
    if is_real(q) {
        return format!("with a real gap {between} ({p})");
    }
    if gap <= LEVEL {
        return format!("in data that have a gap ({p}), but not along these groups");
    }
    let where_no_gap = if k == 2 { "between them" } else { "between some of them" };
    match q.p_gauss {
        Some(g) if g <= LEVEL => format!(
            "more than one bell-shaped cloud ({}), but with no gap {where_no_gap} ({p})",
            p_value(g)
        ),
        _ => format!("no better apart than one cloud cut in pieces ({p})"),
    }
}

fn promise(q: &Quality, k: usize) -> String {
    let of = if k == 2 { "" } else { "of any two " };
    let one_cloud = match q.msp_null {
        Some(null) if !is_real(q) => {
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
    fn many_groups_and_one_are_told() {
        let q = quality(0.5, 0.4, 1e-9, 1e-9);
        let many = sentence(&[1, 9, 10, 10, 10, 10, 10], 1000, "bag", Some(&q));
        assert!(many.starts_with("7 groups, from less than 1 % to 1 % of bags each, with a real gap between every two"), "{many}");
        assert_eq!(sentence(&[12], 12, "row", None), "One group of 12 rows.");
        assert!(sentence(&[3, 1], 4, "row", None).ends_with("75 % and 25 % of rows."));
    }
}
