//! Rows that lie apart: a few that became a cluster, or a small cluster that became part of a large one.
//!
//! Problem   did one of them go to a few far rows, or did a small one go unnoticed?
//! Given     rows and labels, no method.
//! Returns   warnings that name the rows.
//! How       of every cluster the row farthest from its medians is taken, in units of the columns' middle halves, and all
//!           rows are seen in the direction of that row and a few beside it. Rows behind a wide gap, close together and many enough for a cluster, are
//!           told; fewer are outliers and left out, and the next farthest row is taken.
//! Cost      a few passes over at most [`SAMPLE`] rows of every cluster.

use crate::data::Dataset;
use crate::note::{Note, Remedy, codes};
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;
use separa_math::scaling::{middle_spread, quantile};

/// Rows of a cluster that are looked at, and values in all; wide tables have fewer rows, at least so many.
const SAMPLE: usize = 4000;
const VALUES: usize = 2 << 20;
const FEWEST_SEEN: usize = 200;
/// The stream of the sample.
const STREAM: u64 = 0x6170;
/// A cluster of so few rows of a table of so many is told.
const LONE: usize = 3;
const MANY: usize = 30;
/// Rows that may be a cluster: at least so many and this part of the rows, at most this part.
const FEWEST: usize = 4;
const LEAST: f64 = 0.004;
const MOST: f64 = 0.2;
/// The gap before them, in deviations of the others along the direction, and over their own extent.
const GAP: f64 = 4.0;
/// Outliers that are left out one after the other, at most.
const TRIES: usize = 5;
/// Rows that are named.
const NAMED: usize = 3;

/// What to tell about the rows.
pub(super) fn notes(data: &Dataset<'_>, labels: &[i32], seed: u64) -> Vec<Note> {
    let k = labels.iter().map(|l| l + 1).max().unwrap_or(0).max(0) as usize;
    let mut members = vec![Vec::new(); k];
    let labelled = (0..labels.len()).filter(|&i| labels[i] >= 0 && data.weight(i) > 0.0);
    labelled.for_each(|i| members[labels[i] as usize].push(i));
    let mut notes: Vec<Note> = Vec::new();
    if k > 1 && labels.len() >= MANY {
        let few = members.iter().enumerate().filter(|(_, rows)| (1..=LONE).contains(&rows.len()));
        notes.extend(few.map(|(c, rows)| lone(c, rows)));
    }
    notes.extend(members.iter().enumerate().filter_map(|(c, rows)| {
        let far = missed(data, rows, seed)?;
        let text = format!(
            "{} rows of cluster {c} ({}) lie apart from the rest of it: they may be a cluster of their own",
            far.len(),
            named(&far)
        );
        Some(Note::warning(codes::MISSED_CLUSTER, text).with(Remedy::MoreClusters))
    }));
    notes
}

fn lone(cluster: usize, rows: &[usize]) -> Note {
    let what = if rows.len() == 1 { "it may be an outlier" } else { "they may be outliers" };
    let text =
        format!("cluster {cluster} holds {} only: {what} rather than a cluster", named(rows));
    Note::warning(codes::LONE_ROWS, text).with(Remedy::MoreClusters)
}

/// "row 7", "rows 1, 2 and 3", "rows 1, 2, 3 and 9 more".
fn named(rows: &[usize]) -> String {
    let numbers: Vec<String> = rows.iter().take(NAMED).map(|i| (i + 1).to_string()).collect();
    match (&numbers[..], rows.len().saturating_sub(NAMED)) {
        ([one], _) => format!("row {one}"),
        ([first @ .., last], 0) => format!("rows {} and {last}", first.join(", ")),
        (all, more) => format!("rows {} and {more} more", all.join(", ")),
    }
}

/// Rows of a cluster that lie apart from the rest of it, as many as a small cluster has.
fn missed(data: &Dataset<'_>, rows: &[usize], seed: u64) -> Option<Vec<usize>> {
    let most = (VALUES / data.d()).clamp(FEWEST_SEEN, SAMPLE);
    let drawn = Rng::new(seed, STREAM).sample(rows.len(), most);
    let index: Vec<usize> = drawn.into_iter().map(|r| rows[r]).collect();
    let least = FEWEST.max((LEAST * index.len() as f64).ceil() as usize);
    if index.len() < 4 * least {
        return None;
    }
    let z = in_deviations(pick(&data.x(), &index));
    let mut left: Vec<usize> = (0..index.len()).collect();
    for _ in 0..TRIES {
        let far = farthest(&z, &left)?;
        let behind = behind_a_gap(&z, &left, far)?;
        if behind.len() >= least {
            let few = behind.len() as f64 <= MOST * index.len() as f64;
            return few.then(|| behind.into_iter().map(|r| index[r]).collect());
        }
        left.retain(|r| !behind.contains(r));
    }
    None
}

/// Every column with median 0 and deviation 1 in its middle half. Those of one value there become 0: a rare value is no
/// distance ([`separa_math::scaling::Scaler::quartiles`] would take it for one).
fn in_deviations(mut z: Dense) -> Dense {
    for j in 0..z.cols() {
        let mut values = z.column(j);
        values.sort_unstable_by(f64::total_cmp);
        let (median, deviation) = (quantile(&values, 0.5), middle_spread(&values));
        let scale = if deviation > 0.0 { deviation.recip() } else { 0.0 };
        (0..z.rows()).for_each(|i| z[(i, j)] = (z[(i, j)] - median) * scale);
    }
    z
}

/// The row of largest norm.
fn farthest(z: &Dense, left: &[usize]) -> Option<usize> {
    let norm = |r: usize| z.row(r).iter().map(|v| v * v).sum::<f64>();
    left.iter().copied().max_by(|a, b| norm(*a).total_cmp(&norm(*b)))
}

/// The rows behind the widest gap in the direction of row `far` and its nearest, itself among them: at least that one.
/// None where there is no gap.
fn behind_a_gap(z: &Dense, left: &[usize], far: usize) -> Option<Vec<usize>> {
    // One row of many columns is mostly noise; the mean of a few that lie where it does is less.
    let near = along(z, left, z.row(far));
    let mut direction = vec![0.0; z.cols()];
    for (_, r) in near.iter().rev().take(FEWEST) {
        direction.iter_mut().zip(z.row(*r)).for_each(|(d, v)| *d += v);
    }
    let places = along(z, left, &direction);
    let values: Vec<f64> = places.iter().map(|p| p.0).collect();
    let deviation = middle_spread(&values);
    let first = values.len() - (MOST * values.len() as f64) as usize;
    let (mut widest, mut from) = (0.0, values.len());
    for r in first.max(1)..values.len() {
        if values[r] - values[r - 1] > widest {
            (widest, from) = (values[r] - values[r - 1], r);
        }
    }
    let last = *values.last()?;
    let apart = deviation > 0.0
        && widest >= GAP * deviation
        && from < values.len()
        && last - values[from] <= widest;
    apart.then(|| {
        let mut behind: Vec<usize> = places[from..].iter().map(|p| p.1).collect();
        behind.sort_unstable();
        behind
    })
}

/// The places of rows in a direction, ascending.
fn along(z: &Dense, rows: &[usize], direction: &[f64]) -> Vec<(f64, usize)> {
    let place = |r: usize| z.row(r).iter().zip(direction).map(|(a, b)| a * b).sum::<f64>();
    let mut places: Vec<(f64, usize)> = rows.iter().map(|&r| (place(r), r)).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::matrix::DenseRef;
    use separa_testkit::Covariance;
    use separa_testkit::clouds::gaussian;

    fn told(x: &[f64], d: usize, labels: &[i32]) -> Vec<(String, String)> {
        let rows = DenseRef::new(x.len() / d, d, x).unwrap();
        let found = notes(&Dataset::new(rows.into()).unwrap(), labels, 0);
        found.into_iter().map(|note| (note.code.into_owned(), note.text)).collect()
    }

    #[test]
    fn a_small_cluster_within_a_large_one_is_told_and_one_cloud_is_not() {
        for (d, seed) in [(1, 1), (2, 2), (5, 3), (20, 4)] {
            let mut x = gaussian(1000, d, Covariance::Spherical, seed);
            assert_eq!(told(&x, d, &[0; 1000]), []);
            (0..10).for_each(|i| x[i * d] += 12.0);
            let found = told(&x, d, &[0; 1000]);
            assert_eq!(found.len(), 1, "{d} columns: {found:?}");
            let text = "10 rows of cluster 0 (rows 1, 2, 3 and 7 more) lie apart";
            assert!(
                found[0].0 == codes::MISSED_CLUSTER && found[0].1.starts_with(text),
                "{found:?}"
            );
            // One row that is farther still does not hide them.
            x[999 * d] -= 40.0;
            assert_eq!(told(&x, d, &[0; 1000]).len(), 1, "{d} columns");
        }
    }

    #[test]
    fn rows_that_took_a_cluster_are_named() {
        let mut x = gaussian(100, 2, Covariance::Spherical, 1);
        x[34] = 60.0;
        let labels: Vec<i32> = (0..100).map(|i| i32::from(i == 17)).collect();
        let text = "cluster 1 holds row 18 only: it may be an outlier rather than a cluster";
        assert_eq!(told(&x, 2, &labels), [(codes::LONE_ROWS.to_owned(), text.to_owned())]);
        assert_eq!(named(&[0, 4]), "rows 1 and 5");
        assert_eq!(named(&[0, 4, 5]), "rows 1, 5 and 6");
    }
}
