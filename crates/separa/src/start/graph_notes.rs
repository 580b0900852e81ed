//! What to say about a graph of rows.

use crate::note::{Note, Remedy, codes};

/// The notes on a graph with so many components and rows without a neighbour; `connect` says what would
/// connect them, `labelled` how such rows get their label.
pub fn components(
    parts: usize,
    lone: usize,
    k: usize,
    connect: Option<Remedy>,
    labelled: &str,
) -> Vec<Note> {
    let mut notes = Vec::new();
    if parts > k {
        let text = format!(
            "the graph has {parts} components, more than the {k} clusters asked for: the smaller ones share a cluster"
        );
        let more = Remedy::MoreClusters;
        let remedy = connect.map_or(more.clone(), |remedy| remedy.or(more));
        notes.push(Note::warning(codes::DISCONNECTED_GRAPH, text).with(remedy));
    } else if parts > 1 {
        let text = format!("the graph has {parts} components");
        notes.push(Note::notice(codes::DISCONNECTED_GRAPH, text));
    }
    if lone > 0 {
        let text = format!("{lone} rows have no neighbour in the graph: {labelled}");
        notes.push(Note::notice(codes::ISOLATED_ROWS, text));
    }
    notes
}

/// The warning if the solver of the eigenvectors ended early.
pub fn inexact(converged: bool) -> Option<Note> {
    let text = "the eigenvectors are not exact: their solver reached its limit of products";
    (!converged).then(|| Note::warning(codes::INEXACT_EIGENVECTORS, text))
}
