//! The clusters as rules in words.

use crate::document::{Block, Cell, On, Section, Table};
use crate::names::ShortNames;
use crate::number;
use separa::explain::{ClusterRule, Rules};

/// A row per rule, then how far the rules can be trusted. A terminal shows them if `asked` gives it names that have room.
pub fn section(found: &Rules, asked: Option<&ShortNames>, name: &dyn Fn(i32) -> String) -> Section {
    let mut section = Section::new("rules", "Rules");
    section.add(On::Html, Block::Table(table(found, name, &str::to_owned)));
    if let Some(short) = asked {
        let narrow = ShortNames::narrow(short.others(columns(found)));
        let text = |rule: &str| narrow.sentence(&short.sentence(rule));
        section.add(On::Terminal, Block::Table(table(found, name, &text)));
    }
    let on = if asked.is_some() { On::Everywhere } else { On::Html };
    section.say(on, trust(found, name)).clone()
}

/// The columns that the rules ask for.
fn columns(found: &Rules) -> impl Iterator<Item = &str> {
    found.rules.iter().flat_map(|rule| &rule.conditions).map(|asks| asks.column.as_str())
}

/// Whether a rule holds for some held-out row of its cluster, or there is none to see it on.
fn is_seen(rule: &ClusterRule) -> bool {
    rule.covers != Some(0.0)
}

fn table(found: &Rules, name: &dyn Fn(i32) -> String, text: &dyn Fn(&str) -> String) -> Table {
    let caption = "A row that meets a rule is in its cluster. Covers: how much of the cluster meets the rule. Right: how many \
                   of the rows that meet it are in the cluster. Both on held-out rows";
    let mut table =
        Table::new(caption).text("cluster").text("rule").number("covers").number("right");
    for rule in found.rules.iter().filter(|rule| is_seen(rule)) {
        table.row(vec![
            Cell::Cluster(rule.cluster, name(rule.cluster)),
            Cell::Text(text(&rule.text)),
            Cell::number(rule.covers, number::percent),
            Cell::number(rule.right, number::percent),
        ]);
    }
    table
}

/// How often the rules are right, and what they were learnt on.
fn trust(found: &Rules, name: &dyn Fn(i32) -> String) -> String {
    let of = match found.sample_of {
        Some(all) => format!(" of a sample of the {} rows", number::count(all)),
        None => String::new(),
    };
    let mut said = format!(
        "Learnt on {} and tested on {} others{of}: {} are in the cluster that the rules say (the largest cluster alone: {}).",
        number::counted(found.rows, "row"),
        number::count(found.held_out),
        number::percent(found.fidelity),
        number::percent(found.baseline)
    );
    match found.rules.iter().filter(|rule| !is_seen(rule)).count() {
        0 => {}
        1 => said.push_str(" Left out: 1 rule that holds for no held-out row of its cluster."),
        n => said.push_str(&format!(
            " Left out: {n} rules that hold for no held-out row of their cluster."
        )),
    }
    if !found.without.is_empty() {
        let names: Vec<String> = found.without.iter().map(|c| name(*c)).collect();
        said.push_str(&format!(" No rule leads to cluster {}.", names.join(", ")));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::render::{page, terminal};
    use serde_json::json;

    const COLUMN: &str = "average_monthly_number_of_transactions_per_registered_household_member";

    fn shown(covers: &[Option<f64>]) -> [String; 2] {
        let condition = json!({"column": COLUMN, "op": ">", "value": 2.0});
        let rule = |covers: &Option<f64>| {
            json!({"cluster": 1, "conditions": [condition], "text": format!("if {COLUMN} > 2"), "covers": covers,
                   "right": covers})
        };
        let rules: Vec<_> = covers.iter().map(rule).collect();
        let found =
            json!({"fidelity": 0.9, "baseline": 0.5, "rows": 60, "held_out": 40, "rules": rules});
        let found: Rules = serde_json::from_value(found).unwrap();
        let mut document = Document::default();
        let short = ShortNames::narrow(vec!["age".into()]);
        document.add(section(&found, Some(&short), &|c| c.to_string()));
        [page::render(&document), terminal::render(&document, 80)]
    }

    #[test]
    fn rules_that_hold_for_no_held_out_row_are_counted_and_not_listed() {
        for text in shown(&[Some(0.9), Some(0.0), None, Some(0.0)]) {
            assert_eq!(text.matches("if average").count(), 2, "{text}");
            assert!(text.contains("90 %") && text.contains("unknown"), "{text}");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let said = "Left out: 2 rules that hold for no held-out row of their cluster.";
            assert!(text.contains(said), "{text}");
        }
        assert!(shown(&[Some(0.9)]).iter().all(|text| !text.contains("Left out")));
    }

    #[test]
    fn long_names_are_whole_on_the_page_and_fit_the_terminal() {
        let [html, text] = shown(&[Some(0.9)]);
        assert!(html.contains(COLUMN) && !text.contains(COLUMN), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 90), "{text}");
    }
}
