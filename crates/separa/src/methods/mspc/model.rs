//! The fitted model: scaler, feature map where there is one, rule.

use super::rule::MspcRule;
use crate::error::{Error, Result};
use crate::flat_rule::{FlatRule, LabelChoice, VoteMargin};
use crate::model::{Labels, Model, labels_of};
use crate::model_file::Tensors;
use crate::start::vote::{Vote, pairs_of};
use separa_math::kernel::feature_map::FeatureMap;
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::scaling::Scaler;

/// Labels rows by the hyperplanes that MSPC ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct MspcModel {
    pub(super) scaler: Scaler,
    pub(super) features: Option<FeatureMap>,
    pub(super) rule: MspcRule,
    /// Rows beyond the clip in more than half of their columns get the label −1.
    pub(super) mark: bool,
}

impl Model for MspcModel {
    fn n_features(&self) -> usize {
        self.scaler.n_features
    }

    fn n_clusters(&self) -> usize {
        self.rule.n_clusters()
    }

    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let z = self.scaler.view(x);
        Ok(match &self.features {
            None => self.rule.decision(&z),
            Some(map) => self.rule.decision(&map.apply(&z)),
        })
    }

    fn predict(&self, x: MatrixRef<'_>) -> Result<Labels> {
        let mut labels = labels_of(&self.decision(x)?)?;
        if self.mark {
            self.scaler.outliers(x).into_iter().for_each(|i| labels[i] = -1);
        }
        Ok(labels)
    }

    /// Exact for values inside the clip; a value beyond it counts as the clip.
    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (MspcRule::Plane { w, b, swap }, None) = (&self.rule, &self.features) else {
            return None;
        };
        let sign = if *swap { -1.0 } else { 1.0 };
        let mut weights = Dense::zeros(1, self.scaler.n_features);
        let mut offset = *b;
        for (c, w) in self.scaler.columns.iter().zip(w) {
            weights[(0, c.source)] = sign * w * c.factor;
            offset -= w * c.factor * c.shift;
        }
        Some((weights, vec![sign * offset]))
    }

    /// The hyperplane of the pair, where there is a vote of them.
    fn flat(&self) -> Option<FlatRule> {
        let (weights, intercepts, choice) = match (&self.rule, &self.features) {
            (_, Some(_)) => return None,
            (MspcRule::One, _) => (
                Dense::zeros(0, self.scaler.columns.len()),
                vec![],
                LabelChoice::Tree { splits: vec![] },
            ),
            (MspcRule::Plane { w, b, swap }, _) => {
                let w = Dense::from_vec(1, w.len(), w.clone()).expect("one row of weights");
                (w, vec![*b], LabelChoice::sign(*swap))
            }
            (MspcRule::Vote { basis, vote, order }, _) => vote_rule(basis, vote, order),
        };
        let columns = self.scaler.columns.clone();
        Some(FlatRule { columns, weights, intercepts, choice, marks_outliers: self.mark })
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        out.put_scaler("front", &self.scaler);
        out.put_integers("shape", &[self.scaler.n_features as i64, i64::from(self.mark)]);
        if let Some(map) = &self.features {
            out.put_feature_map("lift", map);
        }
        match &self.rule {
            MspcRule::One => {}
            MspcRule::Plane { w, b, swap } => {
                out.put_vector("plane.w", w);
                out.put_vector("plane.b", &[*b]);
                out.put_integers("plane.swap", &[i64::from(*swap)]);
            }
            MspcRule::Vote { basis, vote, order } => {
                out.put_matrix("vote.basis", basis);
                out.put_matrix("vote.pairs", vote.pairs());
                let order: Vec<i64> = order.iter().map(|&c| c as i64).collect();
                out.put_integers("vote.order", &order);
            }
        }
        out
    }
}

/// The pairs' hyperplanes over the scaled columns instead of the discriminant coordinates.
fn vote_rule(basis: &Dense, vote: &Vote, order: &[usize]) -> (Dense, Vec<f64>, LabelChoice) {
    let q = basis.rows();
    let mut weights = Dense::zeros(vote.pairs().rows(), basis.cols());
    for p in 0..weights.rows() {
        for (r, v) in vote.pairs().row(p)[..q].iter().enumerate() {
            let line = weights.row_mut(p).iter_mut().zip(basis.row(r));
            line.for_each(|(w, b)| *w += v * b);
        }
    }
    let mut label = vec![0; order.len()];
    order.iter().enumerate().for_each(|(c, &of_vote)| label[of_vote] = c);
    let pairs = pairs_of(order.len()).map(|(i, j)| [label[i], label[j]]).collect();
    let choice = LabelChoice::Votes { pairs, margin: VoteMargin::Worst };
    (weights, vote.pairs().column(q), choice)
}

impl MspcModel {
    /// Rebuilds the model; every length and index is checked before it is used.
    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = |what: &str| Error::Model(format!("its {what} has an impossible shape"));
        let shape = t.integers("shape")?;
        let [n_features, mark] = shape[..] else { return Err(wrong("shape")) };
        // No table is wider than this; a file that says so is not to be allocated for.
        let widest = 1 << 26;
        let n_features = usize::try_from(n_features)
            .ok()
            .filter(|n| *n <= widest)
            .ok_or_else(|| wrong("shape"))?;
        let scaler = t.scaler("front", n_features)?;
        let features = t.feature_map("lift", scaler.columns.len())?;
        let width = features.as_ref().map_or(scaler.columns.len(), FeatureMap::n_features);
        let rule = if t.contains("plane.w") {
            let (w, b, swap) =
                (t.vector("plane.w")?, t.vector("plane.b")?, t.integers("plane.swap")?);
            let ([b], [swap]) = (&b[..], &swap[..]) else { return Err(wrong("hyperplane")) };
            if w.len() != width {
                return Err(wrong("hyperplane"));
            }
            MspcRule::Plane { w, b: *b, swap: *swap != 0 }
        } else if t.contains("vote.basis") {
            load_vote(t, width)?
        } else {
            MspcRule::One
        };
        Ok(Self { scaler, features, rule, mark: mark != 0 })
    }
}

fn load_vote(t: &Tensors, width: usize) -> Result<MspcRule> {
    let (basis, pairs, order) =
        (t.matrix("vote.basis")?, t.matrix("vote.pairs")?, t.integers("vote.order")?);
    let k = order.len();
    let mut seen = vec![false; k];
    for &c in &order {
        let place = usize::try_from(c).ok().and_then(|c| seen.get_mut(c));
        match place {
            Some(slot) if !*slot => *slot = true,
            _ => {
                return Err(Error::Model("its clusters are numbered twice or out of range".into()));
            }
        }
    }
    let fits = basis.cols() == width
        && pairs.cols() == basis.rows() + 1
        && k >= 2
        && pairs.rows() == k * (k - 1) / 2;
    if !fits {
        return Err(Error::Model("its votes have shapes that do not fit".into()));
    }
    let order = order.into_iter().map(|c| c as usize).collect();
    Ok(MspcRule::Vote { basis, vote: Vote::from_parts(k, pairs), order })
}
