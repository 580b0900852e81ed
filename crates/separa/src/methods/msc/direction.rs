//! The direction w of one split.
//!
//! Problem   max ‖Dw‖²  s.t.  ‖w‖ = 1, αᵀDw = 0 (Definition 2.1), or max −zᵀDz s.t. ‖z‖ = 1,
//!           βᵀz = 0 (3.8), with weights α = β of the rows.
//! Given     the distances of a part, all of them or those to some rows; how often each row counts.
//! Returns   coefficients of f(x) = Σ coefⱼ d(x, xⱼ), w/√m for m rows that distances are taken to, and
//!           the value of f that stands for 0.
//! Cost      one or two eigenpairs by block Lanczos: a few dozen products with D, or one product
//!           DᵀD for landmarks.
//!
//! A row that counts m times is m equal rows, whose entries of w are equal: that is the problem of
//! S = √M·D·√M instead of D, solved here. Instead of a basis of the null space of αᵀD, as in Theorem
//! 2.1, P = I − ccᵀ/cᵀc with c = Dα is applied: P D D P has the same eigenvectors. For α₃, an
//! eigenvector of D, the answer is the eigenvector of D with the second largest |eigenvalue|.
//! Landmarks restrict w to some of the rows: D is then n x m, and α₃ its leading left singular vector.

use super::choices::Objective;
use super::scaled::Scaled;
use super::source::StoredDistances;
use crate::error::Result;
use separa_math::linalg::{
    EigOptions, Precision, Projected, SymMatrix, Which, add_gram_lower, dot, eig_few, mirror_lower,
};
use separa_math::matrix::Dense;
use separa_math::par;

/// The weights α, or β of the disparity cut.
#[derive(Debug, Clone)]
pub(super) enum Alpha {
    Uniform,
    Distance,
    Perron,
    /// One a row of the part.
    Given(Vec<f64>),
}

#[derive(Debug)]
pub(super) struct Direction {
    pub coef: Vec<f64>,
    /// The value of f where the separation function changes its sign.
    pub zero: f64,
    /// ‖Dw‖² or −zᵀDz.
    pub value: f64,
    /// Whether wᵀDw > 0: distant rows are then on the same side.
    pub upside_down: bool,
    pub converged: bool,
}

#[derive(Debug)]
pub(super) struct DirectionProblem<'a> {
    /// How often each row of the part counts.
    pub counts: &'a [f64],
    /// The places within the part of the rows that distances are taken to.
    pub marks: &'a [usize],
    pub alpha: &'a Alpha,
    pub objective: Objective,
    pub options: EigOptions,
}

impl DirectionProblem<'_> {
    /// `None` where all distances are zero.
    pub fn solve(&self, distances: &StoredDistances) -> Result<Option<Direction>> {
        let found = match (distances, self.objective) {
            (StoredDistances::All(d), _) => self.solve_all(d),
            (StoredDistances::Some(d), Objective::Separation) => self.by_landmarks(d),
            (StoredDistances::Some(d), Objective::Dcut) => self.among_landmarks(d),
        }?;
        // f is told in the unit of the distances, for any number of rows that it takes them to.
        let rows: f64 = self.marks.iter().map(|&i| self.counts[i]).sum();
        Ok(found.map(|mut direction| {
            direction.coef.iter_mut().for_each(|c| *c /= rows.sqrt());
            direction.zero /= rows.sqrt();
            direction
        }))
    }

    fn solve_all(&self, d: &SymMatrix) -> Result<Option<Direction>> {
        let Some(op) = Scaled::new(d, self.counts) else { return Ok(None) };
        Ok(Some(match self.objective {
            Objective::Separation => op.separation(self.alpha, &self.options)?,
            Objective::Dcut => op.disparity(self.alpha, &self.options)?,
        }))
    }

    /// w lives on the landmarks: the eigenproblem of P SᵀS P with S = √M·D·√Mₗ, n x m.
    fn by_landmarks(&self, d: &Dense) -> Result<Option<Direction>> {
        let (n, m) = (d.rows(), d.cols());
        let mean = d.data().iter().sum::<f64>() / (n * m) as f64;
        if mean == 0.0 {
            return Ok(None);
        }
        let unit = 1.0 / mean;
        let of_marks: Vec<f64> = self.marks.iter().map(|&i| self.counts[i].sqrt()).collect();
        let scaled = |i: usize, line: &mut [f64]| {
            let own = unit * self.counts[i].sqrt();
            let entries = line.iter_mut().zip(d.row(i)).zip(&of_marks);
            entries.for_each(|((v, d), mark)| *v = own * d * mark);
        };
        let alpha = |i: usize, line: &[f64]| match self.alpha {
            Alpha::Uniform | Alpha::Perron => 1.0,
            Alpha::Distance => dot(line, &of_marks) / self.counts[i].sqrt(),
            Alpha::Given(alpha) => alpha[i],
        };
        // SᵀS and c = Sᵀ√Mα in one pass.
        let (mut gram, mut c) = (Dense::zeros(m, m), vec![0.0; m]);
        let part = |range: std::ops::Range<usize>| {
            let (mut block, mut c) = (Dense::zeros(range.len(), m), vec![0.0; m]);
            for (r, i) in range.enumerate() {
                scaled(i, block.row_mut(r));
                let a = self.counts[i].sqrt() * alpha(i, block.row(r));
                c.iter_mut().zip(block.row(r)).for_each(|(c, v)| *c += a * v);
            }
            let mut gram = Dense::zeros(m, m);
            add_gram_lower(&mut gram, 1.0, block.view());
            (gram, c)
        };
        par::fold_chunks(n, part, |(g, part)| {
            gram.data_mut().iter_mut().zip(g.data()).for_each(|(a, b)| *a += b);
            c.iter_mut().zip(&part).for_each(|(a, b)| *a += b);
        });
        mirror_lower(&mut gram);

        let (pairs, i) = if let Alpha::Perron = self.alpha {
            // c = Sᵀα₃ is the leading right singular vector: the answer is the second.
            (eig_few(&gram, 2, Which::Largest, &self.options)?, 1)
        } else {
            let away = Dense::from_vec(1, m, c)?;
            (eig_few(&Projected::new(&gram, &away), 1, Which::Largest, &self.options)?, 0)
        };
        let coef: Vec<f64> =
            pairs.vectors.row(i).iter().zip(&of_marks).map(|(v, s)| v * s).collect();
        let line = |&i: &usize| dot(d.row(i), &coef);
        let rayleigh: f64 = self.marks.iter().zip(&coef).map(|(i, c)| c * line(i)).sum();
        Ok(Some(Direction {
            zero: 0.0,
            value: pairs.values[i].max(0.0) * mean * mean,
            upside_down: rayleigh > 0.0,
            converged: pairs.converged,
            coef,
        }))
    }

    /// (3.8) of the landmarks alone; f carries it to the other rows.
    fn among_landmarks(&self, d: &Dense) -> Result<Option<Direction>> {
        let mut own = Dense::zeros(self.marks.len(), self.marks.len());
        (0..own.rows()).for_each(|r| own.row_mut(r).copy_from_slice(d.row(self.marks[r])));
        let counts: Vec<f64> = self.marks.iter().map(|&i| self.counts[i]).collect();
        let problem = DirectionProblem {
            counts: &counts,
            marks: &(0..counts.len()).collect::<Vec<_>>(),
            alpha: self.alpha,
            objective: self.objective,
            options: self.options,
        };
        problem.solve_all(&SymMatrix::from_dense(&own, Precision::Double))
    }
}
