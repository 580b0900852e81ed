//! Where the solver begins.

use super::dual::{Dual, same_length};
use super::rows::KernelRows;
use crate::error::Result;

/// A point to begin with, for instance the solution for labels that have changed since.
///
/// It need not be feasible: every βᵢ is clipped to its box (a row that changed sides falls to 0), and
/// the sum that is left over is taken from the rows whose change costs least, one after the other.
/// Where |f| is bounded, a β of sum 0 stays as it is.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// One coefficient per row.
    pub beta: &'a [f64],
    /// Kβ where it is known: then only rows that were clipped or balanced are read.
    pub scores: Option<&'a [f64]>,
}

/// β and Kβ.
pub(super) struct Point {
    pub beta: Vec<f64>,
    pub scores: Vec<f64>,
}

impl Point {
    pub fn zero(n: usize) -> Self {
        Self { beta: vec![0.0; n], scores: vec![0.0; n] }
    }

    pub fn near(start: &Start<'_>, dual: &Dual, rows: &mut KernelRows<'_>) -> Result<Self> {
        let n = dual.size();
        same_length("start", start.beta.len(), n)?;
        let clipped = |(i, &x): (usize, &f64)| dual.inside(i, x);
        let beta: Vec<f64> = start.beta.iter().enumerate().map(clipped).collect();
        let mut point = Self::zero(n);
        if let Some(scores) = start.scores {
            same_length("scores of the start", scores.len(), n)?;
            point = Self { beta: start.beta.to_vec(), scores: scores.to_vec() };
        }
        for (i, x) in beta.into_iter().enumerate() {
            point.set(i, x, rows);
        }
        point.balance(dual, rows);
        Ok(point)
    }

    pub fn set(&mut self, i: usize, x: f64, rows: &mut KernelRows<'_>) {
        let step = x - self.beta[i];
        if step != 0.0 {
            let row = rows.whole(i);
            self.scores.iter_mut().zip(row).for_each(|(s, k)| *s += step * k);
            self.beta[i] = x;
        }
    }

    /// Brings Σβ to 0 by the steepest way, row by row.
    fn balance(&mut self, dual: &Dual, rows: &mut KernelRows<'_>) {
        let mut excess: f64 = self.beta.iter().sum();
        let scale = self.beta.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
        // What rounding leaves of a sum is no excess.
        while excess.abs() > 1e-14 * scale * self.beta.len() as f64 {
            let sign = excess.signum();
            // Of the rows that may move the one whose gradient speaks most for it.
            let (mut at, mut most) = (None, f64::NEG_INFINITY);
            for (i, &x) in self.beta.iter().enumerate() {
                let (down, up) = dual.slopes(i, x);
                let gain = sign * (self.scores[i] + if sign > 0.0 { down } else { up });
                if gain > most {
                    (at, most) = (Some(i), gain);
                }
            }
            let Some(i) = at else { return };
            let (below, above) = dual.ends(i, self.beta[i]);
            let end = if sign > 0.0 { below } else { above };
            let room = (self.beta[i] - end).abs();
            let all = room <= excess.abs();
            let to = if all { end } else { self.beta[i] - excess };
            excess = if all { excess - sign * room } else { 0.0 };
            self.set(i, to, rows);
        }
    }
}
