//! What all initializations of one fit share: the rows, their moments and factors, and the two halves that
//! choose between initializations.

use super::order::by_content;
use super::vote::pairs_of;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::discriminant::{Ridge, factor};
use separa_math::kmeans::Tally;
use separa_math::linalg::{Chol, dot, orthonormalise, product, product_nt, quadratic, times};
use separa_math::matrix::{Dense, Rows, Subset, project};
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Side};
use separa_math::rng::Rng;
use separa_math::stats::msp_null;

/// Standardised rows with everything about them that does not depend on labels.
pub struct Standardised<'a> {
    pub rows: &'a dyn Rows,
    /// Zero for outliers.
    pub weights: Option<&'a [f64]>,
    pub reg: f64,
    pub total: Moments,
    /// Rows that weigh something, in an order that is not the table's: what random choices are made among.
    pub order: Vec<usize>,
    /// Factor of Σ + λI.
    pub chol: Chol,
    halves: [Half; 2],
}

/// How well a labelling separates rows that did not make its rules.
#[derive(Debug, Clone, Copy)]
pub struct CrossFit {
    /// Fraction-weighted mean of log p over all pairs: what scalings are compared by.
    pub mean_log: f64,
    /// As `mean_log`, over what one Gaussian cloud has that is cut into the fractions of each pair: small pieces at
    /// its ends look more separate than halves. What initializations are compared by.
    pub beyond_null: f64,
    /// The p of the worst pair.
    pub smallest: f64,
}

#[derive(Clone)]
struct Half {
    index: Vec<usize>,
    mean: Vec<f64>,
    chol: Chol,
}

impl<'a> Standardised<'a> {
    /// One pass for the moments of both halves; the whole is their sum.
    pub fn new(
        rows: &'a dyn Rows,
        weights: Option<&'a [f64]>,
        reg: f64,
        seed: u64,
    ) -> Result<Self> {
        let n = rows.n_rows();
        let weighty = (0..n).filter(|&i| weights.is_none_or(|w| w[i] > 0.0)).collect();
        let order = by_content(rows, weighty);
        let mut first = order.clone();
        Rng::new(seed, 0x68).shuffle(&mut first);
        let mut second = first.split_off(first.len() / 2);
        first.sort_unstable();
        second.sort_unstable();
        let mut total = Moments::empty(rows.n_cols());
        let mut half = |index: Vec<usize>| -> Result<Half> {
            let m = Moments::of_rows(rows, &index, weights);
            total.merge(&m);
            Ok(Half {
                index,
                mean: m.mean().to_vec(),
                chol: factor(m.covariance(), Ridge::AtLeast(reg))?,
            })
        };
        let halves = [half(first)?, half(second)?];
        let chol = factor(total.covariance(), Ridge::AtLeast(reg))?;
        Ok(Self { rows, weights, reg, total, order, chol, halves })
    }

    /// The same moments with only some of the rows: what initializations are tried on.
    pub fn with_rows<'b>(
        &self,
        rows: &'b dyn Rows,
        weights: Option<&'b [f64]>,
        index: &[usize],
    ) -> Standardised<'b> {
        let mut place = vec![usize::MAX; self.rows.n_rows()];
        index.iter().enumerate().for_each(|(r, &i)| place[i] = r);
        let halves = self.halves.clone().map(|half| {
            let kept = half.index.iter().map(|&i| place[i]).filter(|&r| r != usize::MAX);
            Half { index: kept.collect(), ..half }
        });
        let (total, chol) = (self.total.clone(), self.chol.clone());
        let kept = self.order.iter().map(|&i| place[i]).filter(|&r| r != usize::MAX);
        let order = kept.collect();
        Standardised { rows, weights, reg: self.reg, total, order, chol, halves }
    }

    pub fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    /// The sum of the weights of the rows.
    pub fn total_weight(&self) -> f64 {
        self.weights.map_or(self.rows.n_rows() as f64, |w| w.iter().sum())
    }

    /// The criterion between initializations: the fraction-weighted mean of log p over all pairs, rules from one
    /// half and moments from the other, p floored at 0.05, both directions averaged.
    pub fn cross_fitted(&self, labels: &[u32], k: usize) -> Result<CrossFit> {
        let forth = self.cross_fit(labels, k, 0, 1)?;
        let back = self.cross_fit(labels, k, 1, 0)?;
        Ok(CrossFit {
            mean_log: 0.5 * (forth.mean_log + back.mean_log),
            beyond_null: 0.5 * (forth.beyond_null + back.beyond_null),
            smallest: forth.smallest.min(back.smallest),
        })
    }

    fn cross_fit(&self, labels: &[u32], k: usize, from: usize, to: usize) -> Result<CrossFit> {
        const FLOOR: f64 = 0.05;
        let fitted = &self.halves[from];
        let picked = |half: &Half| -> Vec<u32> { half.index.iter().map(|&i| labels[i]).collect() };
        let half_weights = |half: &Half| -> Option<Vec<f64>> {
            self.weights.map(|w| half.index.iter().map(|&i| w[i]).collect())
        };
        let (labels_a, weights_a) = (picked(fitted), half_weights(fitted));
        let rows_a = Subset { rows: self.rows, index: &fitted.index };
        let (_, means) = Tally::of(&rows_a, weights_a.as_deref(), &labels_a, k).means();
        let basis = discriminants(&means, &fitted.mean, &fitted.chol);
        let small = |half: &Half| {
            let rows = Subset { rows: self.rows, index: &half.index };
            let y = project(&rows, basis.view(), &vec![0.0; basis.rows()]);
            Clusters::of(&y, half_weights(half).as_deref(), &picked(half), k, self.reg)
        };
        let (a, b) = (small(fitted), small(&self.halves[to]));
        let judge = |&(i, j): &(usize, usize)| -> Result<(f64, f64, f64)> {
            let share = (a.n[i] + b.n[i]) * (a.n[j] + b.n[j]);
            let present = [&a, &b].iter().all(|half| half.n[i] > 0.0 && half.n[j] > 0.0);
            let [n_i, n_j] = [i, j].map(|c| a.n[c] + b.n[c]);
            let null = msp_null(n_i / (n_i + n_j), 0.0).ln();
            if !present {
                return Ok((share, 0.0, null));
            }
            let w = mpm::solve(a.side(i), a.side(j))?.w;
            Ok((share, b.probability(&w, i, j), null))
        };
        let both: Vec<(usize, usize)> = pairs_of(k).collect();
        let judged: Vec<(f64, f64, f64)> = both.par_iter().map(judge).collect::<Result<_>>()?;
        let (mut sum, mut nulls, mut mass, mut smallest) = (0.0, 0.0, 0.0, 1.0f64);
        for (share, p, null) in judged.into_iter().filter(|(share, ..)| *share > 0.0) {
            smallest = smallest.min(p);
            sum += share * p.max(FLOOR).ln();
            nulls += share * null;
            mass += share;
        }
        let mean_log = if mass > 0.0 { sum / mass } else { FLOOR.ln() };
        let beyond_null = mean_log - if mass > 0.0 { nulls / mass } else { 0.0 };
        Ok(CrossFit { mean_log, beyond_null, smallest })
    }
}

/// An orthonormal basis (rows) of the span of (Σ + λI)⁻¹(μ_k − μ): the directions in which the
/// clusters differ. By Woodbury the span is that of the within-cluster scatter, too.
pub fn discriminants(means: &Dense, mean: &[f64], chol: &Chol) -> Dense {
    let (k, d) = (means.rows(), means.cols());
    // The k-th difference depends on the others: its weighted sum with them is zero.
    let q = (k - 1).max(1).min(d);
    let mut basis = Dense::zeros(q, d);
    for c in 0..q {
        let row = basis.row_mut(c);
        row.iter_mut().zip(means.row(c)).zip(mean).for_each(|((b, m), o)| *b = m - o);
        chol.solve(row);
    }
    orthonormalise(&mut basis);
    basis
}

/// Moments of every cluster in a few dimensions, λ already on the diagonal.
pub struct Clusters {
    pub n: Vec<f64>,
    means: Vec<Vec<f64>>,
    covs: Vec<Dense>,
}

impl Clusters {
    pub fn of(y: &Dense, weights: Option<&[f64]>, labels: &[u32], k: usize, reg: f64) -> Self {
        let signed: Vec<i32> = labels.iter().map(|&l| l as i32).collect();
        let moments = Moments::by_label(y, weights, &signed, k);
        Self {
            n: moments.iter().map(Moments::n).collect(),
            means: moments.iter().map(|m| m.mean().to_vec()).collect(),
            covs: moments.iter().map(|m| m.covariance_plus(reg)).collect(),
        }
    }

    /// Of clusters whose moments are known in all dimensions: V μ and V Σ Vᵀ for the rows V of `basis`.
    pub fn projected(moments: &[Moments], basis: &Dense, reg: f64) -> Self {
        let cov = |m: &Moments| {
            let half = product(basis.view(), m.covariance().view());
            let mut cov = product_nt(half.view(), basis.view());
            (0..cov.rows()).for_each(|i| cov[(i, i)] += reg);
            cov
        };
        Self {
            n: moments.iter().map(Moments::n).collect(),
            means: moments.iter().map(|m| times(basis, m.mean())).collect(),
            covs: moments.par_iter().map(cov).collect(),
        }
    }

    pub fn side(&self, c: usize) -> Side<'_> {
        Side { mean: &self.means[c], cov: &self.covs[c] }
    }

    /// The worst-case probability of a given direction between clusters i and j.
    fn probability(&self, w: &[f64], i: usize, j: usize) -> f64 {
        let gap = dot(w, &self.means[i]) - dot(w, &self.means[j]);
        let spread: f64 = [i, j].iter().map(|&c| quadratic(&self.covs[c], w).max(0.0).sqrt()).sum();
        if gap <= 0.0 { 0.0 } else { mpm::probability(gap / spread) }
    }
}
