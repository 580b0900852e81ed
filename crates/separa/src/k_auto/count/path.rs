//! The steps of a run, with a number for every piece.

use super::gap::Piece;
use crate::k_auto::{Decision, Step};

/// The steps so far.
#[derive(Debug)]
pub(super) struct Path {
    pub steps: Vec<Decision>,
    /// The number of the next piece that a step makes.
    next: usize,
}

impl Path {
    /// The pieces of the beginning have the numbers below `first`.
    pub fn new(first: usize) -> Self {
        Self { steps: Vec::new(), next: first }
    }

    /// One piece of two; `k` are left.
    pub fn join(&mut self, [a, b]: [&Piece; 2], (p, k): (f64, usize)) -> Piece {
        let whole = Piece { number: self.number(), ..a.join(b) };
        self.note(Step::Merge, [a, b], &whole, (p, k));
        whole
    }

    /// Numbers two parts of a piece; `k` are left.
    pub fn cut(&mut self, whole: &Piece, parts: [Piece; 2], (p, k): (f64, usize)) -> [Piece; 2] {
        let parts = parts.map(|part| Piece { number: self.number(), ..part });
        self.note(Step::Split, [&parts[0], &parts[1]], whole, (p, k));
        parts
    }

    fn number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn note(&mut self, step: Step, parts: [&Piece; 2], whole: &Piece, (p, k): (f64, usize)) {
        let (pieces, sizes) = (parts.map(|part| part.number), parts.map(|part| part.rows.len()));
        self.steps.push(Decision { step, pieces, parent: whole.number, sizes, p, k });
    }
}
