//! The steps of a run, with a number for every micro-cluster.

use super::gap::MicroCluster;
use crate::k_auto::{Decision, Step};

/// The steps so far.
#[derive(Debug)]
pub(super) struct History {
    pub steps: Vec<Decision>,
    /// The number of the next micro-cluster that a step makes.
    next: usize,
}

impl History {
    /// The micro-clusters of the beginning have the numbers below `first`.
    pub fn new(first: usize) -> Self {
        Self { steps: Vec::new(), next: first }
    }

    /// One micro-cluster of two; `k` are left.
    pub fn join(&mut self, [a, b]: [&MicroCluster; 2], p: f64, k: usize) -> MicroCluster {
        let whole = MicroCluster { number: self.number(), ..a.join(b) };
        self.note(Step::Merge, [a, b], whole.number, p, k);
        whole
    }

    /// Numbers two parts of a micro-cluster; `k` are left.
    pub fn cut(
        &mut self,
        whole: &MicroCluster,
        parts: [MicroCluster; 2],
        p: f64,
        k: usize,
    ) -> [MicroCluster; 2] {
        let parts = parts.map(|part| MicroCluster { number: self.number(), ..part });
        self.note(Step::Split, [&parts[0], &parts[1]], whole.number, p, k);
        parts
    }

    fn number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn note(&mut self, step: Step, parts: [&MicroCluster; 2], parent: usize, p: f64, k: usize) {
        let (children, sizes) = (parts.map(|part| part.number), parts.map(|part| part.rows.len()));
        self.steps.push(Decision { step, children, parent, sizes, p, k });
    }
}
