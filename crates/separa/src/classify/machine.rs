//! The model of every classifier: weighted sums of a few functions of a row, and a vote.

use super::basis::BasisFunctions;
use super::choices::Multiclass;
use super::class_pairs::{ClassPair, class_pairs, decide};
use super::planes::PairBoundary;
use crate::assign::mark_not_finite;
use crate::data::MOST_CLASSES;
use crate::error::{Error, Result};
use crate::flat_rule::{FlatRule, LabelChoice, VoteMargin};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::matrix::{Dense, MatrixRef, Rows, Subset};
use separa_math::par;
use std::ops::Range;

/// Boundaries between classes.
#[derive(Debug, Clone)]
pub struct ClassifierModel {
    k: usize,
    how: Multiclass,
    pairs: Vec<ClassPair>,
    basis: BasisFunctions,
    /// One boundary a row, in the order of the pairs.
    coef: Dense,
    offsets: Vec<f64>,
}

impl ClassifierModel {
    pub(super) fn new(
        k: usize,
        how: Multiclass,
        basis: BasisFunctions,
        planes: &[PairBoundary],
    ) -> Self {
        let (coef, offsets) = table(planes, basis.len());
        Self { k, how, pairs: class_pairs(k, how), basis, coef, offsets }
    }

    /// Other boundaries over the same functions.
    pub(super) fn with_boundaries(&self, planes: &[PairBoundary]) -> Self {
        Self::new(self.k, self.how, self.basis.clone(), planes)
    }

    pub(super) fn class_pairs(&self) -> &[ClassPair] {
        &self.pairs
    }

    /// The values of all boundaries, some rows at a time (the first's number, one line a row): a boundary is
    /// ≥ 0 where its first class is.
    pub(super) fn each(
        &self,
        rows: &dyn Rows,
        mut see: impl FnMut(usize, Dense) -> Result<()>,
    ) -> Result<()> {
        for range in blocks(rows.n_rows(), self.pairs.len()) {
            let start = range.start;
            let values = if range.len() == rows.n_rows() {
                self.basis.sums(rows, &self.coef, &self.offsets)
            } else {
                let index: Vec<usize> = range.collect();
                self.basis.sums(&Subset { rows, index: &index }, &self.coef, &self.offsets)
            };
            see(start, values)?;
        }
        Ok(())
    }

    /// The values of all boundaries for a row that the kernel finds nothing in common with; none where there is
    /// no such row.
    pub(super) fn blank(&self) -> Option<Vec<f64>> {
        self.basis.blank(&self.coef, &self.offsets)
    }

    /// How many summaries or points the model holds; the number of columns where it is linear.
    pub fn size(&self) -> usize {
        self.basis.len()
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its boundaries have an impossible shape".into());
        let (coef, offsets, classes) =
            (t.matrix("boundaries")?, t.vector("offsets")?, t.integers("classes")?);
        let [k, how] = classes[..] else { return Err(wrong()) };
        let how = match how {
            0 => Multiclass::Pairs,
            1 => Multiclass::Rest,
            _ => return Err(wrong()),
        };
        let k = usize::try_from(k).ok().filter(|k| (2..=MOST_CLASSES).contains(k));
        let k = k.ok_or_else(wrong)?;
        let pairs = class_pairs(k, how);
        let basis = BasisFunctions::load(t, coef.cols())?;
        if coef.rows() != pairs.len() || offsets.len() != pairs.len() || coef.cols() == 0 {
            return Err(wrong());
        }
        Ok(Self { k, how, pairs, basis, coef, offsets })
    }
}

/// Numbers at most that the values of all boundaries take at once: between many classes they are many more than
/// the numbers of the table.
const AT_ONCE: usize = 1 << 22;

/// Ranges of rows whose values of `boundaries` boundaries may be held together: all rows where they can.
pub(super) fn blocks(rows: usize, boundaries: usize) -> impl Iterator<Item = Range<usize>> {
    par::chunks(rows, (AT_ONCE / boundaries.max(1)).max(8))
}

/// What [`blocks`] and the coefficients of the boundaries over `width` functions take, in bytes.
pub(super) fn bytes(rows: usize, boundaries: usize, width: usize) -> u64 {
    let block = (AT_ONCE / boundaries.max(1)).max(8).min(rows);
    8 * boundaries as u64 * (block as u64 + 2 * width as u64)
}

/// The coefficients of some boundaries as a table.
pub(super) fn table(planes: &[PairBoundary], width: usize) -> (Dense, Vec<f64>) {
    let mut coef = Dense::zeros(planes.len(), width);
    for (c, plane) in planes.iter().enumerate() {
        coef.row_mut(c).copy_from_slice(&plane.coef);
    }
    (coef, planes.iter().map(|p| p.b).collect())
}

impl Model for ClassifierModel {
    fn n_features(&self) -> usize {
        self.basis.n_features()
    }
    fn n_clusters(&self) -> usize {
        self.k
    }

    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let width = if self.k == 2 { 1 } else { self.k };
        let mut out = Dense::zeros(x.rows(), width);
        self.each(&x, |start, values| {
            let values = decide(values, &self.pairs, self.k);
            out.data_mut()[start * width..][..values.data().len()].copy_from_slice(values.data());
            Ok(())
        })?;
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let votes = self.k > 2 && self.how == Multiclass::Pairs;
        match self.basis {
            BasisFunctions::Linear { .. } if !votes => {
                Some((self.coef.clone(), self.offsets.clone()))
            }
            _ => None,
        }
    }

    fn flat(&self) -> Option<FlatRule> {
        if !matches!(self.basis, BasisFunctions::Linear { .. }) {
            return None;
        }
        let mut rule = FlatRule::linear(self.coef.clone(), self.offsets.clone());
        if self.k > 2 && self.how == Multiclass::Pairs {
            let labels = |p: &ClassPair| [p.one, p.two.unwrap_or_default()];
            let pairs = self.pairs.iter().map(labels).collect();
            rule.choice = LabelChoice::Votes { pairs, margin: VoteMargin::Sum };
        }
        Some(rule)
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        out.put_integers("classes", &[self.k as i64, i64::from(self.how == Multiclass::Rest)]);
        out.put_matrix("boundaries", &self.coef);
        out.put_vector("offsets", &self.offsets);
        self.basis.store(&mut out);
        out
    }
}
