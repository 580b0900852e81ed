//! The rows that are clustered: distinct and weighty.

use super::params::Armc;
use crate::assign::known::fingerprint;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::params::KernelChoice;
use crate::start::order::by_content;
use separa_math::distance::check_kernel;
use separa_math::matrix::{Dense, Stored, Subset, pick};
use separa_math::scaling::{Scaler, ScalingKind};
use std::collections::HashMap;

/// What the machine sees.
#[derive(Debug)]
pub(super) enum Seen {
    Rows(Stored),
    /// The kernel of the rows that take part.
    Gram(Dense),
}

/// Rows that take part: those with weight, equal ones as a single row of their summed weight. So a row
/// of weight w is w equal rows, and the balance cannot tear equal rows apart.
#[derive(Debug)]
pub(super) struct ArmcTable {
    pub seen: Seen,
    pub weights: Vec<f64>,
    /// Where the first of each stands in the given table.
    pub first: Vec<usize>,
    /// For every given row its place among these; none for rows without weight.
    pub home: Vec<Option<usize>>,
    /// Columns without spread.
    pub constant: usize,
}

impl ArmcTable {
    pub fn new(p: &Armc, data: &Dataset<'_>) -> Result<Self> {
        let given = p.kernel == KernelChoice::Precomputed;
        let (first, home) = match distinct(data, given) {
            found if given => found,
            found => in_own_order(data, found),
        };
        let mut weights = vec![0.0; first.len()];
        for (i, place) in home.iter().enumerate() {
            place.iter().for_each(|&r| weights[r] += data.weight(i));
        }
        let x = data.x();
        if given {
            let whole = pick(&x, &(0..x.rows()).collect::<Vec<_>>());
            check_kernel(&whole)?;
            let gram = square_part(&whole, &first);
            let seen = Seen::Gram(gram);
            return Ok(Self { seen, weights, first, home, constant: 0 });
        }
        let subset = Subset { rows: &x, index: &first };
        let scaler = Scaler::fit(&subset, Some(&weights), ScalingKind::Standard);
        let constant = scaler.columns.iter().filter(|c| c.factor == 0.0).count();
        let seen = Seen::Rows(Stored::of(&x, &first));
        Ok(Self { seen, weights, first, home, constant })
    }

    pub fn n(&self) -> usize {
        self.first.len()
    }

    /// The labels of these rows: the first that one of the equal rows has, -1 where none has.
    pub fn labels(&self, given: &[i32]) -> Vec<i32> {
        let mut out = vec![-1; self.n()];
        for (place, label) in self.home.iter().zip(given).rev().filter(|(_, l)| **l >= 0) {
            place.iter().for_each(|&r| out[r] = *label);
        }
        out
    }

    pub fn rows(&self) -> Option<&Stored> {
        match &self.seen {
            Seen::Rows(rows) => Some(rows),
            Seen::Gram(_) => None,
        }
    }
}

/// The rows and columns `part` of a square matrix.
pub(super) fn square_part(whole: &Dense, part: &[usize]) -> Dense {
    let mut out = Dense::zeros(part.len(), part.len());
    for (r, &i) in part.iter().enumerate() {
        let from = whole.row(i);
        out.row_mut(r).iter_mut().zip(part).for_each(|(v, &j)| *v = from[j]);
    }
    out
}

/// The first of equal rows, and for every row its place among these. Rows of a given kernel are not
/// compared: two things may have equal kernels with all others.
fn distinct(data: &Dataset<'_>, given: bool) -> (Vec<usize>, Vec<Option<usize>>) {
    let (mut first, mut seen) = (Vec::new(), HashMap::new());
    let place = |i: usize| {
        if data.weight(i) == 0.0 {
            return None;
        }
        let print = if given { i as u64 } else { fingerprint(data.x(), i) };
        Some(*seen.entry(print).or_insert_with(|| {
            first.push(i);
            first.len() - 1
        }))
    };
    let home = (0..data.n()).map(place).collect();
    (first, home)
}

/// The same rows in an order that is not the table's.
fn in_own_order(
    data: &Dataset<'_>,
    (first, mut home): (Vec<usize>, Vec<Option<usize>>),
) -> (Vec<usize>, Vec<Option<usize>>) {
    let subset = Subset { rows: &data.x(), index: &first };
    let order = by_content(&subset, (0..first.len()).collect());
    let mut to = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| to[old] = new);
    home.iter_mut().flatten().for_each(|r| *r = to[*r]);
    (order.into_iter().map(|r| first[r]).collect(), home)
}

/// Kernel values that cannot be summed.
pub(super) fn refuse_overflow(diagonal: impl Iterator<Item = f64>, first: &[usize]) -> Result<()> {
    for (i, value) in diagonal.enumerate() {
        if value.is_nan() || value.abs() > 1e100 {
            let of = format!("armc: the kernel of row {} with itself", first[i] + 1);
            return Err(Error::KernelOverflow { of, value, most: "1e100" });
        }
    }
    Ok(())
}
