//! The rule as a Rust module without dependencies.

use super::PortableRule;
use super::portable::RuleLabel;
use crate::flat_rule::{Branch, LabelChoice, VoteMargin};
use crate::preparation::Encoding;
use std::fmt::Debug;

impl PortableRule {
    /// A module with a function `label(row)`, for a row as values in the order of its columns.
    pub fn to_rust(&self) -> String {
        let about =
            format!("Labels rows by a rule of {} that separa {} fitted.", self.method, self.separa);
        let names: Vec<&String> = self.inputs.iter().map(|input| &input.name).collect();
        let encodings: Vec<String> = self.inputs.iter().map(|i| encoding(&i.encoding)).collect();
        let scaled: Vec<String> = self
            .scaled
            .iter()
            .map(|c| {
                let lo = c.lo.map_or("f64::NEG_INFINITY".into(), |lo| format!("{lo:?}"));
                let hi = c.hi.map_or("f64::INFINITY".into(), |hi| format!("{hi:?}"));
                format!("({}, {lo}, {hi}, {:?}, {:?})", c.feature, c.shift, c.factor)
            })
            .collect();
        let labels: Vec<String> = self
            .labels
            .iter()
            .map(|label| match label {
                RuleLabel::Number(number) => number.to_string(),
                RuleLabel::Name(name) => name.clone(),
            })
            .collect();
        let mut out = format!("//! {about}\n\n");
        let mut constant = |about: &str, name: &str, kind: &str, value: String| {
            out.push_str(&format!("/// {about}\npub const {name}: {kind} = {value};\n"));
        };
        constant("The columns of a row, in their order.", "COLUMNS", "&[&str]", list(&names));
        constant("What the labels are called.", "LABELS", "&[&str]", list(&labels));
        let mut private = String::new();
        let mut constant = |name: &str, kind: &str, value: String| {
            private.push_str(&format!("const {name}: {kind} = {value};\n"));
        };
        constant("ENCODINGS", "&[Encoding]", lines(&encodings));
        constant("REFUSES_GAPS", "bool", (!self.fills_gaps()).to_string());
        constant(
            "DONORS",
            "&[&[f64]]",
            lines(&self.donors.iter().map(|d| list(d)).collect::<Vec<_>>()),
        );
        constant("DONOR_SCALES", "&[f64]", list(&self.donor_scales));
        constant("SCALED", "&[(usize, f64, f64, f64, f64)]", lines(&scaled));
        constant("MARKS_OUTLIERS", "bool", self.marks_outliers.to_string());
        constant(
            "WEIGHTS",
            "&[&[f64]]",
            lines(&self.weights.iter().map(|w| list(w)).collect::<Vec<_>>()),
        );
        constant("INTERCEPTS", "&[f64]", list(&self.intercepts));
        constant("CHOICE", "Choice", choice(&self.choice));
        format!("{out}\n{private}\n{}", include_str!("templates/rule.rs.txt"))
    }
}

/// Values as Rust writes them, which is how it reads them.
fn list<T: Debug>(values: &[T]) -> String {
    format!("&{values:?}")
}

fn lines(values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("\n    {value},")).collect();
    format!("&[{}\n]", values.concat())
}

fn encoding(encoding: &Encoding) -> String {
    // A constant that is never used if it is not finite.
    let number = |fill: &f64| if fill.is_finite() { *fill } else { 0.0 };
    match encoding {
        Encoding::Number { style, fill } => {
            let (comma, unit, fill) = (style.decimal_comma, &style.unit, number(fill));
            format!("Encoding::Number {{ decimal_comma: {comma}, unit: {unit:?}, fill: {fill:?} }}")
        }
        Encoding::Boolean { yes, no, fill } => {
            let (yes, no, fill) = (list(yes), list(no), number(fill));
            format!("Encoding::Boolean {{ yes: {yes}, no: {no}, fill: {fill:?} }}")
        }
        Encoding::Ordered { levels, fill } => {
            format!("Encoding::Ordered {{ levels: {}, fill: {:?} }}", list(levels), number(fill))
        }
        Encoding::OneHot { levels, base, other, fill } => {
            let levels = list(levels);
            format!(
                "Encoding::OneHot {{ levels: {levels}, base: {base:?}, other: {other}, fill: {fill:?} }}"
            )
        }
        Encoding::Date { origin, cycles, day_first, fill } => {
            let cycles: Vec<f64> = cycles.iter().map(|cycle| cycle.days()).collect();
            let (cycles, fill) = (list(&cycles), number(fill));
            format!(
                "Encoding::Date {{ origin: {origin:?}, cycles: {cycles}, day_first: {day_first}, fill: {fill:?} }}"
            )
        }
    }
}

fn choice(choice: &LabelChoice) -> String {
    match choice {
        LabelChoice::Largest => "Choice::Largest".to_owned(),
        LabelChoice::Tree { splits } => {
            let place = |branch: Branch| match branch {
                Branch::Split(i) => i as isize,
                Branch::Label(c) => -1 - c as isize,
            };
            let splits: Vec<[isize; 2]> = splits.iter().map(|sides| sides.map(place)).collect();
            format!("Choice::Tree({})", list(&splits))
        }
        LabelChoice::Votes { pairs, margin } => {
            format!("Choice::Votes({}, {})", list(pairs), *margin == VoteMargin::Worst)
        }
    }
}
