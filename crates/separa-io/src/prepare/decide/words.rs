//! Columns of words: yes and no, scales, categories, names, free text.

use separa::note::thousands;
use separa::preparation::{ColumnType, Encoding};

use super::numbers::{Reading, units};
use super::times::Dates;
use super::{
    Decision, FEWEST_COUNTED, Judge, MAJORITY, MOSTLY_EMPTY, feature, id, left_out, same_word,
};
use crate::error::{shell_word, shown};
use crate::prepare::stats::sorted;
use crate::prepare::texts;
use crate::table::Words;

/// Levels of a category that have a feature of their own, at most.
const MOST_LEVELS: usize = 30;
/// Numbers and other texts are a category if there are no more different ones than these.
const FEW_LEVELS: usize = 12;
/// Of few different values so many must be numbers for the others to count as missing.
const CLEAR: f64 = 0.8;
/// A level in fewer rows than this fraction shares a feature with others like it.
const RARE: f64 = 0.01;
/// The levels that have features must cover so many rows of a category with more levels.
const COVERED: f64 = 0.8;

impl Judge<'_> {
    pub(super) fn booleans(&self, name: &str, slot: usize, missing: usize) -> Decision {
        if self.stats[slot].is_constant() && !self.is_asked(name) {
            return left_out(ColumnType::Boolean, missing, "every value is the same".to_owned());
        }
        let (yes, no) = (vec!["true".to_owned()], vec!["false".to_owned()]);
        let values = self.table.number(slot);
        let encoding = Encoding::Boolean { yes, no, fill: majority(values) };
        feature(ColumnType::Boolean, missing, "true is 1, false is 0".to_owned(), encoding)
    }

    pub(super) fn words(&self, name: &str, words: &Words, missing: usize) -> Decision {
        let present = words.codes.len() - missing;
        let levels = &words.levels;
        let asked = self.is_asked(name);
        if levels.len() == 1 && !asked {
            let why = format!("every value is \"{}\"", shown(&levels[0]));
            return left_out(ColumnType::Category, missing, why);
        }
        if let Some([no, yes]) = texts::opposites(levels.iter().map(String::as_str)) {
            let is_yes = |code: &u32| {
                let word = levels.get(*code as usize)?.trim().to_lowercase();
                Some(f64::from(u8::from(yes.contains(&word))))
            };
            let fill = majority(words.codes.iter().filter_map(is_yes));
            let done = format!("{} is 1, {} is 0", listed(&yes, ", "), listed(&no, ", "));
            let encoding = Encoding::Boolean { yes, no, fill };
            return feature(ColumnType::Boolean, missing, done, encoding);
        }
        let few = levels.len() <= FEW_LEVELS;
        let reading = Reading::of(words, if few { 0.0 } else { MAJORITY });
        let coded = reading.leading_zeros || reading.codes;
        // "1", "2", "3+", or many "K" among them: the text beyond the numbers is one of few answers, not a slip.
        let answers = few && (reading.odd_digits || reading.fraction < CLEAR);
        if reading.fraction > MAJORITY && !coded && !answers {
            if let (Some(unit), false) = (&reading.style.unit, asked) {
                let why = format!(
                    "its numbers carry the unit \"{unit}\"; to use them: --numeric {}",
                    shell_word(name)
                );
                // The encoding says how it would be read.
                let Decision { encoding, .. } = self.read_numbers(words, reading, missing);
                return Decision { encoding, ..left_out(ColumnType::Number, missing, why) };
            }
            let lost = 1.0 - reading.fraction * present as f64 / words.codes.len() as f64;
            if lost > MOSTLY_EMPTY && !asked {
                let why = format!(
                    "{:.0} % of it is missing or no number ({})",
                    100.0 * lost,
                    reading.odd
                );
                return left_out(ColumnType::Number, missing, why);
            }
            let all_big = present == levels.len() && reading.fraction == 1.0 && reading.huge;
            if all_big {
                return id(ColumnType::Number, missing, "it is a different number in every row");
            }
            if !reading.huge {
                return self.read_numbers(words, reading, missing);
            }
        }
        if let (Some(units), false) = (units(words), asked || few) {
            let why = format!(
                "its numbers carry units ({units}); write plain numbers, all in the same unit"
            );
            return left_out(ColumnType::Number, missing, why);
        }
        if let Some(dates) = Dates::of(words).filter(|dates| dates.fraction > MAJORITY) {
            return self.dates(name, words, dates, missing);
        }
        if let Some(scale) = texts::scale(levels) {
            return self.ordered(scale, words, missing);
        }
        let all_different = levels.len() == present && present >= FEWEST_COUNTED;
        let long = levels.iter().take(200).map(|l| l.split_whitespace().count()).sum::<usize>()
            > 5 * levels.len().min(200);
        if all_different && !long && !asked {
            return id(ColumnType::Text, missing, "it is different in every row");
        }
        let mostly_different = 2 * levels.len() > present;
        if (long || mostly_different) && levels.len() > MOST_LEVELS / 3 && !asked {
            let why = format!(
                "{} different texts; to use their words, make TF-IDF features of them first",
                thousands(levels.len())
            );
            return left_out(ColumnType::Text, missing, why);
        }
        let mut decision = self.category(words, missing, asked);
        if answers && reading.fraction > 0.0 {
            decision.why = format!("beside numbers it holds {}", reading.odd);
        }
        decision
    }

    pub(super) fn ordered(&self, levels: Vec<String>, words: &Words, missing: usize) -> Decision {
        let place = |level: &String| levels.iter().position(|l| same_word(l, level));
        let of_level: Vec<f64> =
            words.levels.iter().map(|l| place(l).map_or(f64::NAN, |p| p as f64)).collect();
        let values = words.codes.iter().filter_map(|code| of_level.get(*code as usize).copied());
        let fill = self.middle(sorted(values, words.codes.len(), true));
        let done = format!("ordered: {}", listed(&levels, " < "));
        let encoding = Encoding::Ordered { levels, fill };
        feature(ColumnType::Ordered, missing, done, encoding)
    }

    pub(super) fn category(&self, words: &Words, missing: usize, asked: bool) -> Decision {
        let counts = words.counts();
        let present = words.codes.len() - missing;
        let mut order: Vec<usize> = (0..counts.len()).filter(|&l| counts[l] > 0).collect();
        order.sort_by(|&a, &b| {
            counts[b].cmp(&counts[a]).then(words.levels[a].cmp(&words.levels[b]))
        });
        if order.len() < 2 {
            return left_out(ColumnType::Category, missing, "every value is the same".to_owned());
        }
        let least = (RARE * present as f64).max(2.0);
        let common = order.iter().filter(|&&l| counts[l] as f64 >= least).count();
        // One rare level is as well alone as with others.
        let kept = match order.len() - common {
            _ if order.len() <= 2 => order.len(),
            0 | 1 => order.len(),
            _ => common,
        };
        let kept = if kept > MOST_LEVELS { MOST_LEVELS - 1 } else { kept };
        let covered: usize = order[..kept].iter().map(|&l| counts[l]).sum();
        if (covered as f64) < COVERED * present as f64 && !asked {
            let why = format!(
                "{} different words, and the {kept} most frequent cover only {:.0} % of the rows",
                order.len(),
                100.0 * covered as f64 / present as f64
            );
            return left_out(ColumnType::Category, missing, why);
        }
        if kept == 0 {
            let why = format!(
                "{} different words, and none in more than {:.0} % of the rows",
                thousands(order.len()),
                (100.0 * counts[order[0]] as f64 / present as f64).ceil()
            );
            return left_out(ColumnType::Text, missing, why);
        }
        let mut levels: Vec<String> =
            order[..kept].iter().map(|&l| words.levels[l].clone()).collect();
        let fill = levels.first().cloned().unwrap_or_default();
        levels.sort();
        let other = kept < order.len();
        if let ([_, _], false) = (&levels[..], other) {
            let (base, word) = (levels.remove(0), levels[0].clone());
            let done = format!("category: {} is 1, {} is 0", shown(&word), shown(&base));
            let encoding = Encoding::OneHot { levels, base: Some(base), other, fill };
            return feature(ColumnType::Category, missing, done, encoding);
        }
        let mut done = format!("category: {} indicators", levels.len() + usize::from(other));
        if other {
            done.push_str(&format!(", {} rare values together", order.len() - kept));
        }
        let encoding = Encoding::OneHot { levels, base: None, other, fill };
        feature(ColumnType::Category, missing, done, encoding)
    }
}

/// 1 or 0, whichever more rows hold.
fn majority(values: impl Iterator<Item = f64>) -> f64 {
    let (yes, all) =
        values.filter(|v| v.is_finite()).fold((0.0, 0.0), |(y, n), v| (y + v, n + 1.0));
    if yes > 0.5 * all { 1.0 } else { 0.0 }
}

fn listed(words: &[String], between: &str) -> String {
    words.iter().map(|w| shown(w)).collect::<Vec<_>>().join(between)
}
