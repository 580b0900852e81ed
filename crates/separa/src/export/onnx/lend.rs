//! Gaps filled from the most similar of some complete rows.
//!
//! Distances are added feature by feature in the order of the rule, not by one reduction: equal distances then stay equal, and
//! the first donor comes first as it does in the rule itself.

use super::graph::{Graph, Name};
use super::inputs::OnnxFeatures;
use crate::export::portable::{NEAREST, PortableRule};
use std::ops::Range;

/// Puts lent values in the place of the missing ones.
pub(super) fn lend(rule: &PortableRule, graph: &mut Graph, features: &mut OnnxFeatures) {
    let nearest = nearest(rule, graph, features);
    for (j, range) in rule.ranges().into_iter().enumerate() {
        let lent: Vec<Name> = range
            .clone()
            .map(|f| {
                let values: Vec<f64> = rule.donors.iter().map(|donor| donor[f]).collect();
                let values = graph.numbers(&[values.len()], &values);
                graph.add("Gather", &[&values, &nearest], &[])
            })
            .collect();
        let chosen =
            if lent.len() == 1 { vec![median(graph, &lent[0])] } else { middle(graph, &lent) };
        for (f, value) in range.zip(chosen) {
            features.columns[f] = graph.choose(&features.gaps[j], &value, &features.columns[f]);
        }
    }
}

/// The places of the nearest donors of every row.
fn nearest(rule: &PortableRule, graph: &mut Graph, features: &OnnxFeatures) -> Name {
    let zero = graph.number(0.0);
    let mut total: Option<Name> = None;
    for (j, range) in rule.ranges().into_iter().enumerate() {
        let apart = of_input(rule, graph, features, range);
        let apart = graph.choose(&features.gaps[j], &zero, &apart);
        total = Some(match total {
            Some(total) => graph.op("Add", &total, &apart),
            None => apart,
        });
    }
    let total = total.expect("a rule has inputs");
    let [_, places] = graph.least(&total, NEAREST);
    places
}

/// The squared distances of one input's features to every donor.
fn of_input(
    rule: &PortableRule,
    graph: &mut Graph,
    features: &OnnxFeatures,
    range: Range<usize>,
) -> Name {
    let mut sum: Option<Name> = None;
    for f in range {
        let donors: Vec<f64> = rule.donors.iter().map(|donor| donor[f]).collect();
        let donors = graph.numbers(&[1, donors.len()], &donors);
        let scale = graph.number(rule.donor_scales[f]);
        let gap = graph.op("Sub", &features.columns[f], &donors);
        let gap = graph.op("Mul", &gap, &scale);
        let square = graph.op("Mul", &gap, &gap);
        sum = Some(match sum {
            Some(sum) => graph.op("Add", &sum, &square),
            None => square,
        });
    }
    sum.expect("an input has features")
}

/// The median of each row of five.
fn median(graph: &mut Graph, five: &str) -> Name {
    let [sorted, _] = graph.least(five, NEAREST);
    let place = graph.integers(&[1], &[NEAREST as i64 / 2]);
    graph.pick(&sorted, &place)
}

/// The features of the donor that is nearest to the mean of the five.
fn middle(graph: &mut Graph, lent: &[Name]) -> Vec<Name> {
    let count = graph.number(NEAREST as f64);
    let mut off: Option<Name> = None;
    for five in lent {
        let total = graph.row_sum(five, true);
        let mean = graph.op("Div", &total, &count);
        let gap = graph.op("Sub", five, &mean);
        let square = graph.op("Mul", &gap, &gap);
        off = Some(match off {
            Some(off) => graph.op("Add", &off, &square),
            None => square,
        });
    }
    let place = graph.row_place(false, &off.expect("there are features"), true);
    let with = [super::protobuf::Attribute::Int("axis", 1)];
    lent.iter().map(|five| graph.add("GatherElements", &[five, &place], &with)).collect()
}
