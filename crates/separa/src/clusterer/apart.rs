//! Rows that lie apart: a few that became a cluster, or a small cluster that became part of a large one.
//!
//! Problem   did one of them go to a few far rows, or did a small one go unnoticed?
//! Given     rows and labels, no method.
//! Returns   warnings that name the rows.
//! How       every cluster is searched for rows that lie apart from the rest of it ([`Apart`]).

use crate::data::Dataset;
use crate::k_auto::count::apart::Apart;
use crate::note::{Note, Remedy, codes};

/// A cluster of so few rows of a table of so many is told.
const LONE: usize = 3;
const MANY: usize = 30;
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
        let far = Apart::WARNED.find(data, rows, seed)?;
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
