//! The fitted model: front, feature map where there is one, rule.

use super::lift::Lift;
use super::rule::{Rule, Vote};
use crate::error::{Error, Result};
use crate::model::{Labels, Model, labels_of};
use crate::model_file::Tensors;
use crate::start::front::Front;
use separa_math::matrix::{Column, Dense, MatrixRef};

/// Labels rows by the hyperplanes that MSPC ended with.
#[derive(Debug, Clone, PartialEq)]
pub struct MspcModel {
    pub(super) front: Front,
    pub(super) lift: Option<Lift>,
    pub(super) rule: Rule,
    /// Rows beyond the clip in more than half of their columns get the label −1.
    pub(super) mark: bool,
}

impl Model for MspcModel {
    fn n_features(&self) -> usize {
        self.front.n_features
    }

    fn n_clusters(&self) -> usize {
        self.rule.n_clusters()
    }

    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let z = self.front.view(x);
        Ok(match &self.lift {
            None => self.rule.decision(&z),
            Some(lift) => self.rule.decision(&lift.apply(&z)),
        })
    }

    fn predict(&self, x: MatrixRef<'_>) -> Result<Labels> {
        let mut labels = labels_of(&self.decision(x)?)?;
        if self.mark {
            self.front.beyond(x).into_iter().for_each(|i| labels[i] = -1);
        }
        Ok(labels)
    }

    /// Exact for values inside the clip; a value beyond it counts as the clip.
    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (Rule::Plane { w, b, swap }, None) = (&self.rule, &self.lift) else {
            return None;
        };
        let sign = if *swap { -1.0 } else { 1.0 };
        let mut weights = Dense::zeros(1, self.front.n_features);
        let mut offset = *b;
        for (c, w) in self.front.columns.iter().zip(w) {
            weights[(0, c.source)] = sign * w * c.factor;
            offset -= w * c.factor * c.shift;
        }
        Some((weights, vec![sign * offset]))
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        let front = &self.front;
        let column = |f: fn(&Column) -> f64| -> Vec<f64> { front.columns.iter().map(f).collect() };
        let sources: Vec<i64> = front.columns.iter().map(|c| c.source as i64).collect();
        out.put_integers("front.source", &sources);
        out.put_vector("front.lo", &column(|c| c.lo));
        out.put_vector("front.hi", &column(|c| c.hi));
        out.put_vector("front.shift", &column(|c| c.shift));
        out.put_vector("front.factor", &column(|c| c.factor));
        out.put_integers("shape", &[front.n_features as i64, i64::from(self.mark)]);
        if let Some(lift) = &self.lift {
            out.put_measure("lift.kernel", lift.kernel);
            out.put_matrix("lift.points", &lift.points);
            out.put_matrix("lift.map", &lift.map);
            out.put_vector("lift.offset", &lift.offset);
        }
        match &self.rule {
            Rule::One => {}
            Rule::Plane { w, b, swap } => {
                out.put_vector("plane.w", w);
                out.put_vector("plane.b", &[*b]);
                out.put_integers("plane.swap", &[i64::from(*swap)]);
            }
            Rule::Vote { basis, vote, order } => {
                out.put_matrix("vote.basis", basis);
                out.put_matrix("vote.pairs", vote.pairs());
                let order: Vec<i64> = order.iter().map(|&c| c as i64).collect();
                out.put_integers("vote.order", &order);
            }
        }
        out
    }
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
        let front = load_front(t, n_features)?;
        let lift =
            if t.contains("lift.kernel") { Some(load_lift(t, front.columns.len())?) } else { None };
        let width = lift.as_ref().map_or(front.columns.len(), |l| l.map.rows());
        let rule = if t.contains("plane.w") {
            let (w, b, swap) =
                (t.vector("plane.w")?, t.vector("plane.b")?, t.integers("plane.swap")?);
            let ([b], [swap]) = (&b[..], &swap[..]) else { return Err(wrong("hyperplane")) };
            if w.len() != width {
                return Err(wrong("hyperplane"));
            }
            Rule::Plane { w, b: *b, swap: *swap != 0 }
        } else if t.contains("vote.basis") {
            load_vote(t, width)?
        } else {
            Rule::One
        };
        Ok(Self { front, lift, rule, mark: mark != 0 })
    }
}

fn load_front(t: &Tensors, n_features: usize) -> Result<Front> {
    let source = t.integers("front.source")?;
    let parts = [
        t.limits("front.lo")?,
        t.limits("front.hi")?,
        t.vector("front.shift")?,
        t.vector("front.factor")?,
    ];
    if parts.iter().any(|p| p.len() != source.len()) {
        return Err(Error::Model("its front has columns of unequal length".into()));
    }
    let mut columns = Vec::with_capacity(source.len());
    for (j, &s) in source.iter().enumerate() {
        let place = usize::try_from(s)
            .ok()
            .filter(|&s| s < n_features)
            .ok_or_else(|| Error::Model(format!("its front names column {s} of {n_features}")))?;
        let [lo, hi, shift, factor] = [0, 1, 2, 3].map(|p| parts[p][j]);
        columns.push(Column { source: place, lo, hi, shift, factor });
    }
    if !columns.is_sorted_by(|a, b| a.source < b.source) {
        return Err(Error::Model("its front names columns out of order".into()));
    }
    Ok(Front { n_features, columns, dropped: Vec::new(), aside: Vec::new(), alike: false })
}

fn load_lift(t: &Tensors, d: usize) -> Result<Lift> {
    let kernel = t.kernel("lift.kernel")?;
    let (points, map, offset) =
        (t.matrix("lift.points")?, t.matrix("lift.map")?, t.vector("lift.offset")?);
    if points.cols() != d || map.cols() != points.rows() || offset.len() != map.rows() {
        return Err(Error::Model("its kernel features have shapes that do not fit".into()));
    }
    Ok(Lift { kernel, points, map, offset })
}

fn load_vote(t: &Tensors, width: usize) -> Result<Rule> {
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
    Ok(Rule::Vote { basis, vote: Vote::from_parts(k, pairs), order })
}
