//! What states sequences go through, from their first row to their last.

use crate::document::{Cell, Section, Table};
use crate::figures::timeline;
use crate::number;
use std::ops::Range;

/// Sequences listed where room is scarce, and runs that are said of each.
const SHOWN: usize = 8;
const RUNS: usize = 8;

/// A sequence, by its name, and the clusters of its rows in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSequence {
    /// What it is called.
    pub name: String,
    /// The cluster of every row; −1 of outliers.
    pub states: Vec<i32>,
}

impl StateSequence {
    /// Those of a table: rows that belong together, what they are called by their place, the labels of all rows.
    pub fn of(
        ranges: &[Range<usize>],
        name: &dyn Fn(usize) -> String,
        labels: &[i32],
    ) -> Vec<Self> {
        let of = |(i, range): (usize, &Range<usize>)| {
            let states = labels.get(range.clone())?.to_vec();
            Some(Self { name: name(i), states })
        };
        ranges.iter().enumerate().filter_map(of).collect()
    }

    /// States with how many rows in turn have them.
    pub fn runs(&self) -> impl Iterator<Item = (i32, usize)> {
        self.states.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// "0 for 12, 1 for 9, …".
    fn course(&self, cluster: &dyn Fn(i32) -> String) -> String {
        let runs: Vec<String> = self
            .runs()
            .take(RUNS)
            .map(|(state, length)| format!("{} for {}", cluster(state), number::count(length)))
            .collect();
        let more = if self.runs().nth(RUNS).is_some() { ", …" } else { "" };
        format!("{}{more}", runs.join(", "))
    }
}

/// A strip for each sequence, and its runs in words.
pub fn section(sequences: &[StateSequence], cluster: &dyn Fn(i32) -> String) -> Section {
    let mut section = Section::new("timeline", "Timeline of states");
    let drawn = sequences.len().min(timeline::SHOWN);
    let which = match drawn < sequences.len() {
        true => format!("The first {drawn} of {} sequences", number::count(sequences.len())),
        false => "Every sequence".to_owned(),
    };
    let caption = format!(
        "{which} from its first row to its last; the colour is the cluster (the state) of the row."
    );
    section.figure(timeline::draw(sequences, cluster), caption);
    let mut table = Table::new("Sequences with their rows, changes of state and runs, in order");
    table = table.text("sequence").number("rows").number("changes").text("states");
    table = table.shown(SHOWN);
    for sequence in &sequences[..drawn] {
        table.row(vec![
            Cell::Name(sequence.name.clone()),
            Cell::count(sequence.states.len()),
            Cell::count(sequence.runs().count().saturating_sub(1)),
            Cell::Text(sequence.course(cluster)),
        ]);
    }
    let hidden = sequences.len().saturating_sub(SHOWN);
    let rest = format!("{} more", number::count(hidden));
    table.rest = Some(vec![
        Cell::Name(rest),
        Cell::Name(String::new()),
        Cell::Name(String::new()),
        Cell::Name(String::new()),
    ]);
    section.table(table);
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_states_with_their_lengths_in_order() {
        let labels = [0, 0, 1, 1, 1, 0, 2, -1];
        let name = |i: usize| format!("machine {i}");
        let all = StateSequence::of(&[0..6, 6..8], &name, &labels);
        assert_eq!(all[0].runs().collect::<Vec<_>>(), [(0, 2), (1, 3), (0, 1)]);
        assert_eq!(all[1].runs().collect::<Vec<_>>(), [(2, 1), (-1, 1)]);
        assert_eq!(all[0].course(&|c| format!("s{c}")), "s0 for 2, s1 for 3, s0 for 1");
        let html = timeline::draw(&all, &|c| c.to_string()).into_string();
        // One rectangle per run, the outlier's without a colour of its own.
        assert_eq!(html.matches("<rect").count(), 5);
        assert_eq!((html.matches("data-group=").count(), html.matches("bar dull").count()), (4, 1));
        assert!(html.contains("machine 0 begins with 2 in cluster 0"), "{html}");
    }

    #[test]
    fn names_of_sequences_are_text() {
        let all = StateSequence::of(std::slice::from_ref(&(0..2)), &|_| "<script>".into(), &[0, 1]);
        let html = timeline::draw(&all, &|c| c.to_string()).into_string();
        assert!(!html.contains("<script>"), "{html}");
    }
}
