//! The rule: a row is as similar to a cluster as the cluster's rows are to it.

use super::params::CdskVote;
use super::rule::{Electorate, SimilarityRule};
use crate::assign::known::{KnownRows, labels_within};
use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::kernel::principal::DirectionMap;
use separa_math::matrix::{Dense, MatrixRef, Rows, Stored};
use separa_math::scaling::Scaler;

/// How a row is seen before it is compared.
#[derive(Debug, Clone)]
pub(super) enum Sight {
    Given,
    Scaled(Scaler),
    Mapped(DirectionMap),
}

/// Fitted rows vote for their clusters.
#[derive(Debug, Clone)]
pub struct CdskModel {
    pub(super) n_features: usize,
    pub(super) sight: Sight,
    pub(super) rule: SimilarityRule,
    /// The fitted rows as they are seen, where the rule asks for them.
    pub(super) points: Option<Stored>,
    pub(super) labels: Vec<u32>,
    pub(super) alpha: Vec<f64>,
    /// Σα of each cluster.
    pub(super) mass: Vec<f64>,
    pub(super) vote: CdskVote,
    pub(super) known: KnownRows,
}

impl CdskModel {
    /// α, the weight of each fitted row in the vote: they sum to one.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The fraction of each cluster in a row's vote.
    fn shares(&self, x: MatrixRef<'_>) -> Dense {
        let k = self.mass.len();
        let voters = Electorate {
            points: self.points.as_ref(),
            labels: &self.labels,
            alpha: &self.alpha,
            k,
        };
        let mut votes = match &self.sight {
            Sight::Given => self.rule.votes(&x, &voters),
            Sight::Scaled(scaler) => self.rule.votes(&scaler.view(x), &voters),
            Sight::Mapped(space) => self.rule.votes(&space.see(&x).0, &voters),
        };
        for i in 0..votes.rows() {
            let line = votes.row_mut(i);
            if self.vote == CdskVote::Size {
                line.iter_mut().zip(&self.mass).for_each(|(v, m)| *v /= m);
            }
            let total: f64 = line.iter().sum();
            if total > 0.0 {
                line.iter_mut().for_each(|v| *v /= total);
            }
        }
        votes
    }

    /// Cluster c becomes `to[c]`.
    pub(super) fn renumber(&mut self, to: &[usize]) {
        self.labels.iter_mut().for_each(|l| *l = to[*l as usize] as u32);
        let old = self.mass.clone();
        to.iter().zip(old).for_each(|(&c, m)| self.mass[c] = m);
        self.known.renumber(to);
        if let SimilarityRule::Anchors { says, .. } = &mut self.rule {
            let old = says.clone();
            for a in 0..old.rows() {
                to.iter().zip(old.row(a)).for_each(|(&c, v)| says[(a, c)] = *v);
            }
        }
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its graph has an impossible shape".into());
        let (shape, numbers) = (t.integers("graph")?, t.vector("numbers")?);
        let ([kind, count, size, d], [number, nowhere]) = (&shape[..], &numbers[..]) else {
            return Err(wrong());
        };
        let whole = |v: &i64| usize::try_from(*v).map_err(|_| wrong());
        let (count, n_features) = (whole(count)?, whole(d)?);
        let (mass, alpha) = (t.vector("mass")?, t.vector("alpha")?);
        let k = mass.len();
        let labels = labels_within(&t.integers("labels")?, k).ok_or_else(wrong)?;
        let n = labels.len();
        let points = if t.contains("points") || t.contains("points.columns") {
            Some(t.rows("points")?)
        } else {
            None
        };
        let sight = if t.contains("map") {
            let (map, offset) = (t.matrix("map")?, t.vector("offset")?);
            if map.rows() != offset.len() || map.cols() != n_features || map.rows() == 0 {
                return Err(wrong());
            }
            Sight::Mapped(DirectionMap { map, offset, nowhere: *nowhere })
        } else if t.contains("factors") {
            let factors = t.vector("factors")?;
            if factors.len() != n_features {
                return Err(wrong());
            }
            Sight::Scaled(Scaler::from_factors(&factors))
        } else {
            Sight::Given
        };
        let width = match &sight {
            Sight::Mapped(space) => space.map.rows(),
            _ => n_features,
        };
        let scales = || -> Result<Vec<f64>> {
            let scales = t.vector("scales")?;
            match scales.len() == n && scales.iter().all(|s| *s > 0.0) {
                true => Ok(scales),
                false => Err(wrong()),
            }
        };
        let rule = match kind {
            0 => SimilarityRule::Blend { k: count, share: *number, scales: scales()? },
            1 => {
                let lists = labels_within(&t.integers("lists")?, n).ok_or_else(wrong)?;
                if lists.len() != n * count || count == 0 {
                    return Err(wrong());
                }
                SimilarityRule::Shared { k: count, lists, scales: scales()? }
            }
            2 => SimilarityRule::SelfTuned { k: count, scales: scales()? },
            3 if *number > 0.0 => SimilarityRule::Rbf { gamma: *number },
            4 => SimilarityRule::Pursuit { most: count },
            5 => {
                let (anchors, says) = (t.matrix("anchors")?, t.matrix("says")?);
                if anchors.rows() != says.rows()
                    || anchors.rows() == 0
                    || anchors.cols() != width
                    || says.cols() != k
                {
                    return Err(wrong());
                }
                SimilarityRule::Anchors { anchors, says }
            }
            6 if n == n_features => SimilarityRule::Given,
            _ => return Err(wrong()),
        };
        let needs_points = !matches!(rule, SimilarityRule::Anchors { .. } | SimilarityRule::Given);
        let fits = match &points {
            Some(points) => points.n_rows() == n && points.n_cols() == width,
            None => !needs_points,
        };
        let asked = !needs_points || count > 0 || matches!(rule, SimilarityRule::Rbf { .. });
        let positive = mass.iter().all(|m| *m > 0.0) && alpha.iter().all(|a| *a >= 0.0);
        if n == 0 || k == 0 || alpha.len() != n || !fits || !asked || !positive {
            return Err(wrong());
        }
        let vote = if *size != 0 { CdskVote::Size } else { CdskVote::Sum };
        let known = KnownRows::load(t, k)?;
        Ok(Self { n_features, sight, rule, points, labels, alpha, mass, vote, known })
    }
}

impl Model for CdskModel {
    fn n_features(&self) -> usize {
        self.n_features
    }
    fn n_clusters(&self) -> usize {
        self.mass.len()
    }

    /// Each cluster's fraction of the vote, from 0 to 1; the difference of the two for two clusters. A
    /// row that was fitted has 1 more for its own cluster, and always the most.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let mut shares = self.shares(x);
        for i in 0..x.rows() {
            if let Some(label) = self.known.label(x, i) {
                // All of the vote can be another cluster's: then 1 more would be a tie.
                let most = shares.row(i).iter().copied().fold(0.0, f64::max);
                shares[(i, label)] = (shares[(i, label)] + 1.0).max(most.next_up());
            }
        }
        let mut out = match self.mass.len() {
            1 => Dense::from_vec(x.rows(), 1, vec![-1.0; x.rows()])?,
            2 => {
                let gap = |i: usize| shares[(i, 1)] - shares[(i, 0)];
                Dense::from_vec(x.rows(), 1, (0..x.rows()).map(gap).collect())?
            }
            _ => shares,
        };
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    fn row_weights(&self) -> Option<&[f64]> {
        Some(&self.alpha)
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        let (kind, count, number) = match &self.rule {
            SimilarityRule::Blend { k, share, scales } => {
                out.put_vector("scales", scales);
                (0, *k, *share)
            }
            SimilarityRule::Shared { k, lists, scales } => {
                out.put_vector("scales", scales);
                let lists: Vec<i64> = lists.iter().map(|&j| i64::from(j)).collect();
                out.put_integers("lists", &lists);
                (1, *k, 0.0)
            }
            SimilarityRule::SelfTuned { k, scales } => {
                out.put_vector("scales", scales);
                (2, *k, 0.0)
            }
            SimilarityRule::Rbf { gamma } => (3, 0, *gamma),
            SimilarityRule::Pursuit { most } => (4, *most, 0.0),
            SimilarityRule::Anchors { anchors, says } => {
                out.put_matrix("anchors", anchors);
                out.put_matrix("says", says);
                (5, 0, 0.0)
            }
            SimilarityRule::Given => (6, 0, 0.0),
        };
        let nowhere = match &self.sight {
            Sight::Given => 0.0,
            Sight::Scaled(scaler) => {
                out.put_vector("factors", &scaler.factors());
                0.0
            }
            Sight::Mapped(space) => {
                out.put_matrix("map", &space.map);
                out.put_vector("offset", &space.offset);
                space.nowhere
            }
        };
        let size = i64::from(self.vote == CdskVote::Size);
        out.put_integers("graph", &[kind, count as i64, size, self.n_features as i64]);
        out.put_vector("numbers", &[number, nowhere]);
        if let Some(points) = &self.points {
            out.put_rows("points", points);
        }
        let labels: Vec<i64> = self.labels.iter().map(|&l| i64::from(l)).collect();
        out.put_integers("labels", &labels);
        out.put_vector("alpha", &self.alpha);
        out.put_vector("mass", &self.mass);
        self.known.put(&mut out);
        out
    }
}
