//! The labels that a split begins with.

use super::{Job, ROUGH};
use crate::error::Result;
use crate::methods::armc::initializations::{self, ArmcInit, Line, Part, begins};
use crate::methods::armc::iterations::{self, Begin};
use crate::methods::armc::machine::HingeProblem;
use crate::methods::armc::params::Armc;
use crate::params::Init;

/// Spare initializations that go on after their first iteration.
const KEPT: usize = 2;

impl Job<'_> {
    pub fn first_labels(
        &self,
        local: &Part<'_>,
        shares: &[f64],
    ) -> Result<(Vec<ArmcInit>, Vec<Line>)> {
        let (mut out, mut lines) = (Vec::new(), Vec::new());
        if let Init::Labels(labels) = &self.params.init {
            out = self.given(local, labels, shares);
        }
        if out.is_empty() {
            lines = initializations::lines(self.params, local)?;
            for &share in shares {
                for mut start in begins(&lines, local.weights, share) {
                    if shares.len() > 1 {
                        start.name = format!("{}, fraction {share:.2}", start.name);
                    }
                    out.push(start);
                }
            }
        }
        Ok((out, lines))
    }

    /// All initializations but those to spare, and of these the clearest after a rough first iteration.
    pub fn screened(
        &self,
        machine: &HingeProblem<'_>,
        initializations: Vec<ArmcInit>,
    ) -> Result<Vec<ArmcInit>> {
        let (spare, mut kept): (Vec<ArmcInit>, Vec<ArmcInit>) =
            initializations.into_iter().partition(|s| s.spare);
        let rough = Armc { tol: ROUGH.max(self.params.tol), ..self.params.clone() };
        let machine = HingeProblem { params: &rough, ..*machine };
        let mut ranked = Vec::with_capacity(spare.len());
        for start in spare {
            let value = machine.solve(&start.begin.side, machine.weights, None)?.value;
            ranked.push((value / iterations::level(&start.begin.side, machine.weights), start));
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(ranked.into_iter().take(KEPT).map(|(_, start)| start));
        Ok(kept)
    }

    /// Given labels: each cluster among these rows against the others. Empty where one is alone.
    fn given(&self, local: &Part<'_>, labels: &[i32], shares: &[f64]) -> Vec<ArmcInit> {
        let given = self.table.labels(labels);
        let mine: Vec<i32> = local.index.iter().map(|&i| given[i]).collect();
        let say: Vec<bool> = mine.iter().map(|l| *l >= 0).collect();
        let mut present: Vec<i32> = mine.iter().copied().filter(|l| *l >= 0).collect();
        present.sort_unstable();
        present.dedup();
        if present.len() < 2 {
            return Vec::new();
        }
        if present.len() == 2 {
            present.remove(0);
        }
        let mut out = Vec::new();
        for c in present {
            let side: Vec<bool> = mine.iter().map(|l| *l == c).collect();
            for &share in shares {
                let begin = Begin { side: side.clone(), say: say.clone() };
                let name = format!("given label {c}, fraction {share:.2}");
                out.push(ArmcInit { name, begin, share, spare: false });
            }
        }
        out
    }
}
