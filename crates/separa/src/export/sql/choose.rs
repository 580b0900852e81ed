//! From scores to a label.

use super::{Query, sum};
use crate::export::portable::RuleLabel;
use crate::flat_rule::{Branch, LabelChoice, VoteMargin};

impl Query<'_> {
    /// Votes and margins of every label.
    pub(super) fn votes(&mut self) {
        let LabelChoice::Votes { pairs, margin } = &self.rule.choice else { return };
        let mut columns = self.flags();
        for c in 0..self.rule.labels.len() {
            let (mut votes, mut margins) = (Vec::new(), Vec::new());
            for (p, [up, down]) in pairs.iter().enumerate() {
                if *up == c {
                    votes.push(format!("CASE WHEN s{p} >= 0 THEN 1 ELSE 0 END"));
                    margins.push(format!("s{p}"));
                } else if *down == c {
                    votes.push(format!("CASE WHEN s{p} >= 0 THEN 0 ELSE 1 END"));
                    margins.push(format!("-s{p}"));
                }
            }
            let margin = match margin {
                VoteMargin::Worst => self.dialect.extreme(false, &margins),
                VoteMargin::Sum => sum(margins),
            };
            columns.push(format!("{} AS w{c}", sum(votes)));
            columns.push(format!("{margin} AS m{c}"));
        }
        self.step("separa_votes", columns, "separa_scores");
    }

    /// The label of a row, from its scores.
    pub(super) fn label(&self) -> String {
        let by_score = match &self.rule.choice {
            LabelChoice::Tree { splits } if splits.is_empty() => self.called(0),
            LabelChoice::Tree { splits } => self.branch(splits, Branch::Split(0)),
            LabelChoice::Largest => self.best(|a, b| format!("s{a} >= s{b}")),
            LabelChoice::Votes { .. } => {
                self.best(|a, b| format!("(w{a} > w{b} OR (w{a} = w{b} AND m{a} >= m{b}))"))
            }
        };
        let mut arms = String::new();
        if !self.rule.fills_gaps() {
            arms.push_str("WHEN gap = 1 THEN NULL ");
        }
        if self.rule.marks_outliers {
            arms.push_str(&format!("WHEN 2 * outside > {} THEN -1 ", self.rule.scaled.len()));
        }
        match arms.is_empty() {
            true => by_score,
            false => format!("CASE {arms}ELSE {by_score} END"),
        }
    }

    fn branch(&self, splits: &[[Branch; 2]], at: Branch) -> String {
        match at {
            Branch::Label(c) => self.called(c),
            Branch::Split(i) => {
                let [below, from_zero] = splits[i].map(|side| self.branch(splits, side));
                format!("CASE WHEN s{i} < 0 THEN {below} ELSE {from_zero} END")
            }
        }
    }

    /// The first label that is at least as good as all after it: one before it that is better would have won.
    fn best(&self, as_good: impl Fn(usize, usize) -> String) -> String {
        let k = self.rule.labels.len();
        let arm = |c: usize| {
            let others: Vec<String> = (c + 1..k).map(|other| as_good(c, other)).collect();
            format!("WHEN {} THEN {}", others.join(" AND "), self.called(c))
        };
        let arms: Vec<String> = (0..k - 1).map(arm).collect();
        format!("CASE {} ELSE {} END", arms.join(" "), self.called(k - 1))
    }

    fn called(&self, label: usize) -> String {
        match &self.rule.labels[label] {
            RuleLabel::Number(number) => number.to_string(),
            RuleLabel::Name(name) => self.dialect.text(name),
        }
    }
}
