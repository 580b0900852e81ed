//! The rule as an ONNX model: one input per column of the table, one output, the label.
//!
//! Columns of numbers and dates (seconds since 1970-01-01) are doubles, NaN where a value is missing; columns of
//! words are texts. All numbers are doubles, so that labels differ from the rule's own on ties at most.

mod graph;
mod inputs;
mod lend;
mod protobuf;

use super::PortableRule;
use super::portable::RuleLabel;
use crate::flat_rule::{Branch, LabelChoice, VoteMargin};
use graph::{Graph, Name};
use inputs::OnnxFeatures;
use protobuf::{Attribute, Element};

/// The label of a row with a missing value that the rule refuses.
const REFUSED: i64 = -2;

impl PortableRule {
    /// The bytes of an ONNX model. Rows with a missing value that the rule refuses get the label −2, or an empty class.
    pub fn to_onnx(&self) -> Vec<u8> {
        let mut graph = Graph::default();
        let mut features = OnnxFeatures::of(self, &mut graph);
        if !self.donors.is_empty() {
            lend::lend(self, &mut graph, &mut features);
        }
        let table = graph.beside(&features.columns);
        let places: Vec<i64> = self.scaled.iter().map(|c| c.feature as i64).collect();
        let places = graph.integers(&[places.len()], &places);
        let seen = graph.pick(&table, &places);
        let scores = self.scores(&mut graph, &seen);
        let mut label = self.chosen(&mut graph, &scores);
        if self.marks_outliers {
            let outside = self.outside(&mut graph, &seen);
            let outlier = graph.integer(-1);
            label = graph.choose(&outside, &outlier, &label);
        }
        if !self.fills_gaps() {
            let gap = features.any_gap(&mut graph);
            let refused = graph.integer(REFUSED);
            label = graph.choose(&gap, &refused, &label);
        }
        match self.is_classifier() {
            true => {
                let named = self.named(&mut graph, &label);
                graph.into_model(&named, Element::Text, &self.method)
            }
            false => graph.into_model(&label, Element::Int64, &self.method),
        }
    }

    /// One column per score; a column of zeros if there is none.
    fn scores(&self, graph: &mut Graph, seen: &str) -> Name {
        let of = |value: &dyn Fn(&super::ScaledFeature) -> f64| -> Vec<f64> {
            self.scaled.iter().map(value).collect()
        };
        let lo = graph.numbers(&[self.scaled.len()], &of(&|c| c.lo.unwrap_or(f64::NEG_INFINITY)));
        let hi = graph.numbers(&[self.scaled.len()], &of(&|c| c.hi.unwrap_or(f64::INFINITY)));
        let shift = graph.numbers(&[self.scaled.len()], &of(&|c| c.shift));
        let factor = graph.numbers(&[self.scaled.len()], &of(&|c| c.factor));
        let clipped = graph.op("Max", seen, &lo);
        let clipped = graph.op("Min", &clipped, &hi);
        let centred = graph.op("Sub", &clipped, &shift);
        let z = graph.op("Mul", &centred, &factor);
        let width = self.weights.len().max(1);
        let mut weights = vec![0.0; self.scaled.len() * width];
        for (p, line) in self.weights.iter().enumerate() {
            line.iter().enumerate().for_each(|(i, w)| weights[i * width + p] = *w);
        }
        let weights = graph.numbers(&[self.scaled.len(), width], &weights);
        let scores = graph.op("MatMul", &z, &weights);
        let offsets = if self.intercepts.is_empty() { &[0.0][..] } else { &self.intercepts[..] };
        let offsets = graph.numbers(&[offsets.len()], offsets);
        graph.op("Add", &scores, &offsets)
    }

    /// The place of the label of each row.
    fn chosen(&self, graph: &mut Graph, scores: &str) -> Name {
        match &self.choice {
            LabelChoice::Tree { splits } => {
                let first = if splits.is_empty() { Branch::Label(0) } else { Branch::Split(0) };
                let label = branch(graph, scores, splits, first);
                // A single label is a constant, and there are as many as rows.
                let place = graph.row_place(true, scores, false);
                let nothing = graph.op("Sub", &place, &place);
                graph.op("Add", &nothing, &label)
            }
            LabelChoice::Largest => graph.row_place(true, scores, false),
            LabelChoice::Votes { pairs, margin } => self.most_votes(graph, scores, pairs, *margin),
        }
    }

    fn most_votes(
        &self,
        graph: &mut Graph,
        scores: &str,
        pairs: &[[usize; 2]],
        margin: VoteMargin,
    ) -> Name {
        let k = self.labels.len();
        // A label has a vote for each pair it is below in, less those that are from zero up, and so on.
        let (mut signs, mut constant) = (vec![0.0; pairs.len() * k], vec![0.0; k]);
        for (p, [up, down]) in pairs.iter().enumerate() {
            signs[p * k + up] = 1.0;
            signs[p * k + down] = -1.0;
            constant[*down] += 1.0;
        }
        let zero = graph.number(0.0);
        let up = graph.op("GreaterOrEqual", scores, &zero);
        let up = graph.cast(&up, Element::Double);
        let signs = graph.numbers(&[pairs.len(), k], &signs);
        let constant = graph.numbers(&[k], &constant);
        let votes = graph.op("MatMul", &up, &signs);
        let votes = graph.op("Add", &votes, &constant);
        let margins = match margin {
            VoteMargin::Sum => graph.op("MatMul", scores, &signs),
            VoteMargin::Worst => {
                let worst: Vec<Name> =
                    (0..k).map(|c| worst_margin(graph, scores, pairs, c)).collect();
                graph.beside(&worst)
            }
        };
        let most = graph.row_extreme(true, &votes);
        let leads = graph.op("Equal", &votes, &most);
        let never = graph.number(f64::NEG_INFINITY);
        let margins = graph.choose(&leads, &margins, &never);
        graph.row_place(true, &margins, false)
    }

    /// Whether more than half of the scaled features are beyond their limits.
    fn outside(&self, graph: &mut Graph, seen: &str) -> Name {
        let limits = |limit: &dyn Fn(&super::ScaledFeature) -> f64| -> Vec<f64> {
            self.scaled.iter().map(limit).collect()
        };
        let lo =
            graph.numbers(&[self.scaled.len()], &limits(&|c| c.lo.unwrap_or(f64::NEG_INFINITY)));
        let hi = graph.numbers(&[self.scaled.len()], &limits(&|c| c.hi.unwrap_or(f64::INFINITY)));
        let below = graph.op("Less", seen, &lo);
        let above = graph.op("Greater", seen, &hi);
        let beyond = graph.op("Or", &below, &above);
        let beyond = graph.cast(&beyond, Element::Int64);
        let count = graph.row_sum(&beyond, false);
        let half = graph.integer(self.scaled.len() as i64 / 2);
        graph.op("Greater", &count, &half)
    }

    /// The class of each label.
    fn named(&self, graph: &mut Graph, label: &str) -> Name {
        let name = |label: &RuleLabel| match label {
            RuleLabel::Name(name) => name.clone(),
            RuleLabel::Number(number) => number.to_string(),
        };
        let with = [
            Attribute::Ints("keys_int64s", (0..self.labels.len() as i64).collect()),
            Attribute::Texts("values_strings", self.labels.iter().map(name).collect()),
            Attribute::Text("default_string", String::new()),
        ];
        graph.add("LabelEncoder", &[label], &with)
    }
}

fn branch(graph: &mut Graph, scores: &str, splits: &[[Branch; 2]], at: Branch) -> Name {
    match at {
        Branch::Label(c) => graph.integer(c as i64),
        Branch::Split(i) => {
            let [below, from_zero] = splits[i].map(|side| branch(graph, scores, splits, side));
            let place = graph.integer(i as i64);
            let score = graph.pick(scores, &place);
            let zero = graph.number(0.0);
            let is_below = graph.op("Less", &score, &zero);
            graph.choose(&is_below, &below, &from_zero)
        }
    }
}

/// The least score of a label's pairs, signed towards it, as a column.
fn worst_margin(graph: &mut Graph, scores: &str, pairs: &[[usize; 2]], label: usize) -> Name {
    let own = || pairs.iter().enumerate().filter(|(_, pair)| pair.contains(&label));
    let places: Vec<i64> = own().map(|(p, _)| p as i64).collect();
    let signs: Vec<f64> =
        own().map(|(_, pair)| if pair[0] == label { 1.0 } else { -1.0 }).collect();
    let (places, signs) =
        (graph.integers(&[places.len()], &places), graph.numbers(&[signs.len()], &signs));
    let values = graph.pick(scores, &places);
    let values = graph.op("Mul", &values, &signs);
    graph.row_extreme(false, &values)
}
