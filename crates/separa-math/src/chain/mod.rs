//! Chains of discrete states: log Z, marginals, entropy, gradients and the best path.
//!
//! Problem   P(y) = exp(Σₜ eₜ(yₜ) + Σₜ A(yₜ, yₜ₊₁)) / Z over the states y₁ … y_T of each sequence.
//! Given     e (one row of k numbers a place), A (k x k), and which places follow each other.
//! Returns   log Z, H(y) of every whole sequence, P(yₜ), the gradient of H(y) + Σₜ c(yₜ) in e and A,
//!           and the most probable path.
//! Cost      O(T·k²) time and O(T·k) memory, k exponentials and logarithms a place.
//! See       Lafferty, McCallum & Pereira (2001); Li & Eisner (2009) for expectations of sums.
//!
//! Messages run backwards in the log domain, each shifted so that its largest entry is 0; with them
//! the sequence is a Markov chain that runs forwards among plain probabilities, which neither
//! overflow nor lose their digits however long it is.

mod beliefs;
mod path;
mod slope;

pub use beliefs::{Beliefs, Forward};
pub use path::best_path;

use crate::interrupt;
use crate::par;
use rayon::prelude::*;
use std::ops::Range;

/// Transitions below e^−600 of the most likely one are taken for so likely: a message then always
/// has an entry that does not underflow, and what does is below 1e-60 of the rest.
const FLOOR: f64 = -600.0;

/// The weights of transitions, with what the recursions need of them.
#[derive(Debug, Clone)]
pub struct Chain {
    k: usize,
    /// A(a, b) less the largest.
    log: Vec<f64>,
    /// Their exponentials M.
    weight: Vec<f64>,
    /// M·log, entry by entry.
    product: Vec<f64>,
    top: f64,
}

impl Chain {
    /// `transitions` are the k x k numbers A, row by row.
    pub fn new(k: usize, transitions: &[f64]) -> Self {
        debug_assert_eq!(transitions.len(), k * k);
        let top = transitions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log: Vec<f64> = transitions.iter().map(|a| (a - top).max(FLOOR)).collect();
        let weight: Vec<f64> = log.iter().map(|a| a.exp()).collect();
        let product = log.iter().zip(&weight).map(|(a, m)| a * m).collect();
        Self { k, log, weight, product, top }
    }
}

/// Which rows follow each other: sequences of at least one row, one after the other.
#[derive(Debug, Clone)]
pub struct Sequences {
    ranges: Vec<Range<usize>>,
    /// Sequences that are worked on together, about [`par::CHUNK`] rows or one long sequence. They
    /// follow from the ranges alone, because the order of every sum follows from them.
    groups: Vec<Range<usize>>,
}

impl Sequences {
    /// Ranges of rows, one per sequence, in the order of the rows.
    pub fn new(ranges: Vec<Range<usize>>) -> Self {
        let (mut groups, mut first) = (Vec::new(), 0);
        for s in 0..ranges.len() {
            if ranges[s].end - ranges[first].start >= par::CHUNK || s + 1 == ranges.len() {
                groups.push(first..s + 1);
                first = s + 1;
            }
        }
        Self { ranges, groups }
    }

    /// Rows that have nothing to do with each other.
    pub fn unrelated(rows: usize) -> Self {
        Self::new((0..rows).map(|i| i..i + 1).collect())
    }

    /// The rows of each sequence.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Rows in all sequences together.
    pub fn rows(&self) -> usize {
        self.ranges.last().map_or(0, |last| last.end)
    }

    fn rows_of(&self, group: &Range<usize>) -> Range<usize> {
        self.ranges[group.start].start..self.ranges[group.end - 1].end
    }

    /// Maps every group with its part of `out` (`width` values a row) in parallel; results come in
    /// the order of the groups.
    fn map<O: Send, T: Send>(
        &self,
        mut out: &mut [O],
        width: usize,
        map: impl Fn(Range<usize>, &mut [O]) -> T + Sync,
    ) -> Vec<T> {
        let map = |group, part: &mut [O]| {
            interrupt::check();
            map(group, part)
        };
        let mut parts = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let (part, rest) = out.split_at_mut(self.rows_of(group).len() * width);
            parts.push((group.clone(), part));
            out = rest;
        }
        match parts.len() {
            // One group: not worth a visit to the pool.
            1 => parts.into_iter().map(|(group, part)| map(group, part)).collect(),
            _ => parts.into_par_iter().map(|(group, part)| map(group, part)).collect(),
        }
    }
}

/// Sequences with the scores of their states.
#[derive(Debug, Clone, Copy)]
pub struct Scored<'a> {
    /// Scores of the transitions.
    pub chain: &'a Chain,
    /// Which rows follow each other.
    pub sequences: &'a Sequences,
    /// One a sequence; all 1 where there are none.
    pub weights: Option<&'a [f64]>,
    /// k numbers a row.
    pub emissions: &'a [f64],
}

impl Scored<'_> {
    fn weight(&self, sequence: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[sequence])
    }
}

#[cfg(test)]
mod tests;
