//! The rule: states of rows, or of rows among their neighbours.

use super::params::Decoding;
use crate::assign::mark_not_finite;
use crate::data::{Dataset, Grouping};
use crate::entropy::agree;
use crate::error::{Error, Result};
use crate::model::{Labels, Model, Proba, labels_of};
use crate::model_file::Tensors;
use separa_math::chain::{Beliefs, Chain, Scored, Sequences, best_path};
use separa_math::matrix::{Dense, MatrixRef, pick, project};

/// Scores f = weights·x + intercepts of every state, and transitions between the states of neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct CrfModel {
    /// One row a state.
    weights: Dense,
    intercepts: Vec<f64>,
    /// Row by row; none where it was fitted on unrelated rows.
    transitions: Option<Vec<f64>>,
    decoding: Decoding,
}

impl CrfModel {
    pub(super) fn new(
        weights: Dense,
        intercepts: Vec<f64>,
        transitions: Option<Vec<f64>>,
        decoding: Decoding,
    ) -> Self {
        Self { weights, intercepts, transitions, decoding }
    }

    /// One state for all rows.
    pub(super) fn single(d: usize, sequential: bool, decoding: Decoding) -> Self {
        let transitions = sequential.then(|| vec![0.0]);
        Self::new(Dense::zeros(1, d), vec![0.0], transitions, decoding)
    }

    /// Weights of the transitions, one row a state; None for a model of unrelated rows.
    pub fn transitions(&self) -> Option<&[f64]> {
        self.transitions.as_deref()
    }

    /// Some states, in another order.
    pub(super) fn reorder(&mut self, order: &[usize]) {
        let k = self.weights.rows();
        self.weights = pick(&self.weights, order);
        self.intercepts = order.iter().map(|&c| self.intercepts[c]).collect();
        if let Some(old) = &mut self.transitions {
            *old = order
                .iter()
                .flat_map(|&a| order.iter().map(move |&b| a * k + b))
                .map(|i| old[i])
                .collect();
        }
    }

    /// f of every row.
    fn scores(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        Ok(project(&x, self.weights.view(), &self.intercepts))
    }

    /// P(state) of every row of some sequences.
    fn marginals(&self, scores: &Dense, sequences: &Sequences) -> Dense {
        let (n, k) = (scores.rows(), scores.cols());
        let chain = self.chain();
        let mut beliefs = Beliefs::new(n, k);
        let emissions = scores.data();
        beliefs.forward(&Scored { chain: &chain, sequences, weights: None, emissions });
        let mut out = Dense::zeros(n, k);
        (0..n).for_each(|i| out.row_mut(i).copy_from_slice(beliefs.marginal(i)));
        out
    }

    fn chain(&self) -> Chain {
        let k = self.weights.rows();
        Chain::new(k, self.transitions.as_deref().unwrap_or(&vec![0.0; k * k]))
    }

    /// The scores of rows that stand in sequences, and these.
    fn in_sequences(&self, data: &Dataset<'_>) -> Result<(Dense, Sequences)> {
        self.check_grouping(data.grouping())?;
        let ranges = data.sequences().unwrap_or_default().to_vec();
        Ok((self.scores(data.x())?, Sequences::new(ranges)))
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its weights have an impossible shape".into());
        let (weights, intercepts) = (t.matrix("weights")?, t.vector("intercepts")?);
        let k = weights.rows();
        let transitions = match t.contains("transitions") {
            true => Some(t.matrix("transitions")?),
            false => None,
        };
        let square = transitions.as_ref().is_none_or(|a| a.rows() == k && a.cols() == k);
        if k == 0 || weights.cols() == 0 || intercepts.len() != k || !square {
            return Err(wrong());
        }
        let numbers = weights.data().iter().chain(&intercepts);
        let numbers = numbers.chain(transitions.iter().flat_map(|a| a.data()));
        // Scores that overflow have no probabilities.
        if !numbers.into_iter().all(|v| v.abs() < 1e200) {
            return Err(Error::Model("its weights are not finite numbers".into()));
        }
        let decoding = match t.integers("viterbi")?.as_slice() {
            [0] => Decoding::Marginals,
            [1] => Decoding::Viterbi,
            _ => return Err(wrong()),
        };
        Ok(Self { weights, intercepts, transitions: transitions.map(Dense::into_vec), decoding })
    }
}

/// One column for two states, else one a state.
fn columns(values: Dense) -> Dense {
    let n = values.rows();
    match values.cols() {
        1 => Dense::from_vec(n, 1, vec![-1.0; n]).expect("one number a row"),
        2 => {
            let gaps = (0..n).map(|i| values[(i, 1)] - values[(i, 0)]).collect();
            Dense::from_vec(n, 1, gaps).expect("one number a row")
        }
        _ => values,
    }
}

impl Model for CrfModel {
    fn n_features(&self) -> usize {
        self.weights.cols()
    }
    fn n_clusters(&self) -> usize {
        self.weights.rows()
    }
    fn grouping(&self) -> Option<Grouping> {
        self.transitions.as_ref().map(|_| Grouping::Sequences)
    }

    /// The scores of unrelated rows; their difference for two states.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_grouping(None)?;
        let mut out = columns(self.scores(x)?);
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    /// The logarithms of the probabilities of rows in sequences; their difference for two states.
    fn decision_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        if self.transitions.is_none() {
            self.check_grouping(data.grouping())?;
            return self.decision(data.x());
        }
        let (scores, sequences) = self.in_sequences(data)?;
        let mut values = self.marginals(&scores, &sequences);
        values.data_mut().iter_mut().for_each(|p| *p = p.max(f64::MIN_POSITIVE).ln());
        Ok(columns(values))
    }

    fn predict_on(&self, data: &Dataset<'_>) -> Result<Labels> {
        if self.transitions.is_none() || self.decoding == Decoding::Marginals {
            return labels_of(&self.decision_on(data)?);
        }
        let (scores, sequences) = self.in_sequences(data)?;
        let path = best_path(&self.chain(), &sequences, scores.data());
        Ok(path.into_iter().map(|state| state as i32).collect())
    }

    fn proba(&self) -> Option<&dyn Proba> {
        Some(self)
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (d, k) = (self.weights.cols(), self.weights.rows());
        match (&self.transitions, k) {
            (Some(_), _) => None,
            (None, 1) => Some((Dense::zeros(1, d), vec![-1.0])),
            (None, 2) => {
                let (a, b) = (self.weights.row(0), self.weights.row(1));
                let gap = b.iter().zip(a).map(|(b, a)| b - a).collect();
                let gap = Dense::from_vec(1, d, gap).expect("one row of weights");
                Some((gap, vec![self.intercepts[1] - self.intercepts[0]]))
            }
            _ => Some((self.weights.clone(), self.intercepts.clone())),
        }
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        out.put_matrix("weights", &self.weights);
        out.put_vector("intercepts", &self.intercepts);
        if let Some(transitions) = &self.transitions {
            let k = self.weights.rows();
            let square = Dense::from_vec(k, k, transitions.clone()).expect("k x k transitions");
            out.put_matrix("transitions", &square);
        }
        out.put_integers("viterbi", &[i64::from(self.decoding == Decoding::Viterbi)]);
        out
    }
}

impl Proba for CrfModel {
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense> {
        let decision = self.decision(x)?;
        let mut out = self.marginals(&self.scores(x)?, &Sequences::unrelated(x.rows()));
        agree(&decision, &mut out)?;
        Ok(out)
    }

    fn proba_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        if self.transitions.is_none() {
            self.check_grouping(data.grouping())?;
            return Proba::proba(self, data.x());
        }
        let (scores, sequences) = self.in_sequences(data)?;
        let mut out = self.marginals(&scores, &sequences);
        agree(&self.decision_on(data)?, &mut out)?;
        Ok(out)
    }
}
