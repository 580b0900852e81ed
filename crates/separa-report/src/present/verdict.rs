//! A clustering in two plain sentences: how large the clusters are, whether they are real, and what is guaranteed.

use crate::number;
use separa::quality::{Pair, Quality};

/// Fractions are listed for this many clusters; for more, the smallest and the largest.
const LISTED: usize = 4;

/// What the library says of the quality stands after the sizes.
pub fn summary(sizes: &[usize], n: usize, thing: &str, quality: Option<&Quality>) -> String {
    let clusters = clusters(sizes, n, thing);
    let Some(q) = quality.filter(|_| sizes.len() > 1) else { return format!("{clusters}.") };
    format!("{clusters}: {}. {}", q.verdict(), guarantee(q))
}

fn clusters(sizes: &[usize], n: usize, thing: &str) -> String {
    let share = |size: usize| percent(size as f64 / n.max(1) as f64);
    let things = format!("{thing}s");
    let count = match sizes.len() {
        1 => return format!("One cluster of {}", number::counted(n, thing)),
        2 => "Two clusters".to_owned(),
        3 => "Three clusters".to_owned(),
        4 => "Four clusters".to_owned(),
        5 => "Five clusters".to_owned(),
        6 => "Six clusters".to_owned(),
        k => format!("{k} clusters"),
    };
    let parts: Vec<f64> = sizes.iter().map(|s| 100.0 * *s as f64 / n.max(1) as f64).collect();
    let whole = number::whole(&parts);
    let text = |(part, whole): (&f64, &usize)| match part {
        0.5..99.5 => format!("{whole} %"),
        _ => percent(part / 100.0),
    };
    let shares: Vec<String> = parts.iter().zip(&whole).map(text).collect();
    let equal = sizes.len() > 2 && shares.windows(2).all(|pair| pair[0] == pair[1]);
    match shares.split_last() {
        Some((last, rest)) if sizes.len() <= LISTED && !equal => {
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

/// The guarantee, always with what a single Gaussian would score: by itself a fraction below one half reads as a failure. Of
/// more than two clusters it speaks of the closest two.
pub fn guarantee(q: &Quality) -> String {
    let null = match q.msp_null {
        Some(null) => {
            format!(" (a single Gaussian, split in the same place: {})", percent(floor(null)))
        }
        None => String::new(),
    };
    let least = percent(floor(q.msp));
    let closest = q.pairs.iter().min_by(|a, b| a.msp.total_cmp(&b.msp));
    match closest.filter(|_| q.pairs.len() > 1) {
        Some(Pair { a, b, .. }) => format!(
            "Guaranteed whatever the distributions: at least {least} of each of the closest two clusters ({a} and {b}) \
             lies on its own side of their boundary{null}."
        ),
        None => format!("At worst, {least} of each lies on its own side of the boundary{null}."),
    }
}

/// A guarantee is rounded down.
fn floor(fraction: f64) -> f64 {
    (fraction * 100.0).floor() / 100.0
}

/// Whole per cents, but not 0 of some or 100 of not all.
fn percent(fraction: f64) -> String {
    match fraction * 100.0 {
        p if !p.is_finite() => "an unknown fraction".into(),
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
            agreement: None,
            agreement_chance: None,
            msp,
            msp_null: Some(null),
            p_gauss: Some(gauss),
            p_unimodal: Some(gap),
            msp_held_out: Some(msp),
            min_fraction: 0.3,
            pairs: Vec::new(),
            importance: Vec::new(),
        }
    }

    #[test]
    fn sizes_come_first_then_the_verdict_then_the_guarantee() {
        let q = quality(0.7689, 0.4, 1e-9, 1e-9);
        assert_eq!(
            summary(&[61, 39], 100, "row", Some(&q)),
            format!(
                "Two clusters, 61 % and 39 % of rows: {}. At worst, 76 % of each lies on its own side of the boundary \
                 (a single Gaussian, split in the same place: 40 %).",
                q.verdict()
            )
        );
    }

    #[test]
    fn a_guarantee_that_a_single_gaussian_gives_too_is_told_with_it() {
        let said = summary(&[50, 50], 100, "row", Some(&quality(0.4, 0.4, 0.5, 0.5)));
        assert!(said.ends_with("(a single Gaussian, split in the same place: 40 %)."), "{said}");
    }

    #[test]
    fn of_many_clusters_the_closest_two_are_spoken_of() {
        let pair = |a, b, msp| Pair { a, b, msp, p_gauss: None, p_unimodal: None };
        let pairs = vec![pair(0, 4, 0.6), pair(4, 10, 0.28), pair(0, 10, 0.5)];
        let q = Quality { pairs, ..quality(0.28, 0.18, 1e-9, 1e-9) };
        assert_eq!(
            guarantee(&q),
            "Guaranteed whatever the distributions: at least 28 % of each of the closest two clusters (4 and 10) lies on \
             its own side of their boundary (a single Gaussian, split in the same place: 18 %)."
        );
    }

    #[test]
    fn many_clusters_and_one_are_told() {
        let q = quality(0.5, 0.4, 1e-9, 1e-9);
        let many = summary(&[1, 9, 10, 10, 10, 10, 10], 1000, "bag", Some(&q));
        assert!(many.starts_with("7 clusters, from less than 1 % to 1 % of bags each: "), "{many}");
        assert_eq!(summary(&[12], 12, "row", None), "One cluster of 12 rows.");
        assert!(summary(&[3, 1], 4, "row", None).ends_with("75 % and 25 % of rows."));
    }
}
