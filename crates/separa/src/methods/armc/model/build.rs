//! The model of a fit: its rules by the rows, landmarks or columns that they use.

use super::{ArmcModel, ArmcWeights, Shape};
use crate::methods::armc::basis::{ArmcBasis, Way};
use crate::methods::armc::split::{Job, SplitFunction};
use separa_math::kernel::feature_map::KernelSums;
use separa_math::matrix::{Dense, Stored};

impl ArmcModel {
    /// Of rules and their biases.
    pub(in crate::methods::armc) fn new(
        job: &Job<'_>,
        rules: &[(SplitFunction, f64)],
        shape: Shape,
        d: usize,
    ) -> Self {
        let mut offsets: Vec<f64> = rules.iter().map(|(_, b)| *b).collect();
        let planes = || {
            let width = rules.first().map_or(0, |(rule, _)| match rule {
                SplitFunction::Plane(w) => w.len(),
                SplitFunction::Rows { .. } => 0,
            });
            let mut out = Dense::zeros(rules.len(), width);
            for (r, (rule, _)) in rules.iter().enumerate() {
                if let SplitFunction::Plane(w) = rule {
                    out.row_mut(r).copy_from_slice(w);
                }
            }
            out
        };
        if rules.is_empty() {
            let frame = ArmcWeights::Plane(Dense::zeros(0, d));
            return Self { frame, offsets, shape };
        }
        let frame = match &job.basis {
            ArmcBasis::Kernel(rows, kernel) => {
                let (index, weights) = gathered(rules, job.table.n());
                let landmarks = Stored::of(*rows, &index);
                ArmcWeights::Kernel(
                    KernelSums { kernel: *kernel, landmarks, scaler: None },
                    weights,
                )
            }
            ArmcBasis::Given(_) => {
                let (index, packed) = gathered(rules, job.table.n());
                let mut weights = Dense::zeros(rules.len(), d);
                for r in 0..rules.len() {
                    let places = index.iter().zip(packed.row(r));
                    places.for_each(|(&i, w)| weights[(r, job.table.first[i])] = *w);
                }
                ArmcWeights::Given(weights)
            }
            ArmcBasis::Features(_, features) => match &features.way {
                Way::Columns(mean, factor) => {
                    // f = w·t(s∘x − m) + b in the columns' own units.
                    let mut w = planes();
                    for (r, offset) in offsets.iter_mut().enumerate() {
                        let line = w.row_mut(r);
                        line.iter_mut().for_each(|w| *w *= factor);
                        *offset -= line.iter().zip(mean).map(|(w, m)| w * m).sum::<f64>();
                    }
                    ArmcWeights::Plane(w)
                }
                Way::Landmarks(map) => {
                    let weights = map.landmark_weights(&planes());
                    ArmcWeights::Kernel(map.as_ref().clone().into_sums(None), weights)
                }
            },
        };
        Self { frame, offsets, shape }
    }
}

/// The rows that any rule uses, and the weights of each rule.
fn gathered(rules: &[(SplitFunction, f64)], n: usize) -> (Vec<usize>, Dense) {
    let mut place = vec![usize::MAX; n];
    for (rule, _) in rules {
        if let SplitFunction::Rows { index, .. } = rule {
            index.iter().for_each(|&i| place[i] = 0);
        }
    }
    let mut used: Vec<usize> = (0..n).filter(|&i| place[i] == 0).collect();
    if used.is_empty() {
        // No support vector: the first row says how many columns there are.
        used.push(0);
    }
    used.iter().enumerate().for_each(|(r, &i)| place[i] = r);
    let mut weights = Dense::zeros(rules.len(), used.len());
    for (r, (rule, _)) in rules.iter().enumerate() {
        if let SplitFunction::Rows { index, coef } = rule {
            index.iter().zip(coef).for_each(|(&i, c)| weights[(r, place[i])] = *c);
        }
    }
    (used, weights)
}
