//! From the columns of a table to features, and which of them were missing.

use super::graph::{Graph, Name};
use super::protobuf::{Attribute, Element};
use crate::export::portable::{InputColumn, PortableRule};
use crate::preparation::{Encoding, MISSING_WORDS};
use std::f64::consts::{FRAC_PI_2, TAU};

/// What a word that is missing, or nothing, is encoded as.
const MISSING: i64 = -2;

/// Every feature as a column, and for every input whether its value is missing.
#[derive(Debug, Default)]
pub(super) struct OnnxFeatures {
    pub columns: Vec<Name>,
    /// Columns of truth values.
    pub gaps: Vec<Name>,
}

impl OnnxFeatures {
    /// Adds all inputs of the rule, gaps filled with constants.
    pub fn of(rule: &PortableRule, graph: &mut Graph) -> Self {
        let mut features = Self::default();
        for input in &rule.inputs {
            let (columns, gap) = one_input(graph, input);
            features.columns.extend(columns);
            features.gaps.push(gap);
        }
        features
    }

    /// Whether any value of a row is missing.
    pub fn any_gap(&self, graph: &mut Graph) -> Name {
        let gaps = graph.beside(&self.gaps);
        let gaps = graph.cast(&gaps, Element::Int64);
        let count = graph.row_sum(&gaps, false);
        let none = graph.integer(0);
        graph.op("Greater", &count, &none)
    }
}

fn one_input(graph: &mut Graph, input: &InputColumn) -> (Vec<Name>, Name) {
    match &input.encoding {
        Encoding::Number { fill, .. } => {
            let (value, gap) = number(graph, &input.name, *fill);
            (vec![value], gap)
        }
        Encoding::Date { origin, cycles, fill, .. } => {
            let (seconds, gap) = number(graph, &input.name, *fill);
            let (origin, day) = (graph.number(*origin), graph.number(86_400.0));
            let since = graph.op("Sub", &seconds, &origin);
            let mut columns = vec![graph.op("Div", &since, &day)];
            let days = graph.op("Div", &seconds, &day);
            for cycle in cycles {
                let length = graph.number(cycle.days());
                let turns = graph.op("Div", &days, &length);
                let whole = graph.add("Floor", &[&turns], &[]);
                let part = graph.op("Sub", &turns, &whole);
                let (tau, quarter) = (graph.number(TAU), graph.number(FRAC_PI_2));
                let angle = graph.op("Mul", &tau, &part);
                // Not every runtime has the cosine in double precision.
                let turned = graph.op("Add", &angle, &quarter);
                columns.push(graph.add("Sin", &[&angle], &[]));
                columns.push(graph.add("Sin", &[&turned], &[]));
            }
            (columns, gap)
        }
        Encoding::Boolean { yes, no, fill } => {
            let mut words = vec![(1, "true".to_owned()), (1, "1".to_owned())];
            words.extend([(0, "false".to_owned()), (0, "0".to_owned())]);
            let own = yes.iter().map(|w| (1, w.clone())).chain(no.iter().map(|w| (0, w.clone())));
            let words: Vec<(i64, String)> = own.chain(words).collect();
            placed(graph, &input.name, words, *fill)
        }
        Encoding::Ordered { levels, fill } => {
            let words = levels.iter().enumerate().map(|(p, l)| (p as i64, l.clone())).collect();
            placed(graph, &input.name, words, *fill)
        }
        Encoding::OneHot { levels, base, other, fill } => {
            let mut words: Vec<(i64, String)> =
                levels.iter().enumerate().map(|(p, l)| (p as i64, l.clone())).collect();
            words.extend(base.iter().map(|word| (levels.len() as i64, word.clone())));
            let rest = if *other { levels.len() as i64 } else { -1 };
            let place = encoded(graph, &input.name, words, rest);
            let gap = is_missing(graph, &place);
            let fill = levels.iter().position(|l| l == fill).unwrap_or(levels.len());
            let fill = graph.integer(fill as i64);
            let place = graph.choose(&gap, &fill, &place);
            let indicator = |feature: usize| {
                let feature = graph.integer(feature as i64);
                let equal = graph.op("Equal", &place, &feature);
                graph.cast(&equal, Element::Double)
            };
            ((0..input.encoding.width()).map(indicator).collect(), gap)
        }
    }
}

/// A column of numbers, and where it is not finite.
fn number(graph: &mut Graph, name: &str, fill: f64) -> (Name, Name) {
    let value = graph.input(name, Element::Double);
    let value = graph.column(&value);
    let nan = graph.add("IsNaN", &[&value], &[]);
    let infinite = graph.add("IsInf", &[&value], &[]);
    let gap = graph.op("Or", &nan, &infinite);
    let fill = graph.number(if fill.is_finite() { fill } else { 0.0 });
    (graph.choose(&gap, &fill, &value), gap)
}

/// A column of words in an order: the place of each, small or capital letters.
fn placed(
    graph: &mut Graph,
    name: &str,
    words: Vec<(i64, String)>,
    fill: f64,
) -> (Vec<Name>, Name) {
    let variants = |(place, word): (i64, String)| {
        let (lower, upper) = (word.to_lowercase(), word.to_uppercase());
        let first: String = upper.chars().take(1).chain(lower.chars().skip(1)).collect();
        [word, lower, upper, first].map(|word| (place, word))
    };
    let place = encoded(graph, name, words.into_iter().flat_map(variants).collect(), MISSING);
    let gap = is_missing(graph, &place);
    let value = graph.cast(&place, Element::Double);
    let fill = graph.number(if fill.is_finite() { fill } else { 0.0 });
    (vec![graph.choose(&gap, &fill, &value)], gap)
}

fn is_missing(graph: &mut Graph, place: &str) -> Name {
    let missing = graph.integer(MISSING);
    graph.op("Equal", place, &missing)
}

/// A column of words as places; the first place of a word counts.
fn encoded(graph: &mut Graph, name: &str, words: Vec<(i64, String)>, rest: i64) -> Name {
    let missing = MISSING_WORDS.iter().map(|word| (MISSING, (*word).to_owned()));
    let (mut keys, mut places): (Vec<String>, Vec<i64>) = Default::default();
    for (place, word) in missing.chain(words) {
        if !keys.contains(&word) {
            keys.push(word);
            places.push(place);
        }
    }
    let text = graph.input(name, Element::Text);
    let text = graph.column(&text);
    let with = [
        Attribute::Texts("keys_strings", keys),
        Attribute::Ints("values_int64s", places),
        Attribute::Int("default_int64", rest),
    ];
    graph.add("LabelEncoder", &[&text], &with)
}
