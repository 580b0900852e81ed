//! Which role and which type every column has, and how it becomes features.

use separa::preparation::{
    ColumnPreparation, ColumnType, Cycle, Encoding, MissingRule, NumberStyle, Preparation, Role,
};

use super::options::PrepareOptions;
use super::stats::{self, NumberStats, median, sorted};
use super::texts;
use crate::error::{Error, Result, quoted_list, shown};
use crate::number::{Field, classify};
use crate::table::{Column, Held, Table, TimeKind, Words};

/// Fewer equally spaced whole numbers can be data.
const FEWEST_COUNTED: usize = 10;
/// Levels of a category that have a feature of their own, at most.
const MOST_LEVELS: usize = 30;
/// A level in fewer rows than this fraction shares a feature with others like it.
const RARE: f64 = 0.01;
/// The levels that have features must cover so many rows of a category with more levels.
const COVERED: f64 = 0.8;
/// Of the values that are there, so many must be numbers (or dates) for the others to count as missing.
const MAJORITY: f64 = 0.8;
/// A column that lacks more than this fraction of its values is left out.
const MOSTLY_EMPTY: f64 = 0.5;

/// How the reason of a column that does not vary begins.
const CONSTANT: &str = "every value is";

/// What is decided about one column.
struct Decision {
    role: Role,
    kind: ColumnType,
    missing: usize,
    done: String,
    why: String,
    encoding: Option<Encoding>,
}

/// Decides about all columns of a table.
pub(crate) fn decide(table: &Table, options: &PrepareOptions) -> Result<Preparation> {
    let judge = Judge { table, options, stats: stats::numbers(table), rule: rule(options) };
    let mut columns = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        let Decision { role, kind, missing, done, why, encoding } = judge.column(column)?;
        let name = column.name.clone();
        columns.push(ColumnPreparation { name, role, kind, missing, done, why, encoding });
    }
    judge.leave_out_copies(&mut columns);
    judge.keep_one_id(&mut columns);
    Ok(Preparation { rows: table.rows(), columns, missing: judge.rule, ..Preparation::default() })
}

/// Columns of numbers that were left out because they do not vary.
pub(crate) fn constants(preparation: &Preparation) -> Vec<String> {
    let constant = |c: &&ColumnPreparation| {
        c.role == Role::LeftOut && c.kind == ColumnType::Number && c.why.starts_with(CONSTANT)
    };
    preparation.columns.iter().filter(constant).map(|c| c.name.clone()).collect()
}

pub(crate) fn rule(options: &PrepareOptions) -> MissingRule {
    let default = if options.strict { MissingRule::Refuse } else { MissingRule::Nearest };
    options.missing.unwrap_or(default)
}

struct Judge<'a> {
    table: &'a Table,
    options: &'a PrepareOptions,
    stats: Vec<NumberStats>,
    rule: MissingRule,
}

impl Judge<'_> {
    fn column(&self, column: &Column) -> Result<Decision> {
        let name = &column.name;
        let missing = self.missing(column);
        if self.options.is_kept(name) {
            let id = self.options.id.as_ref() == Some(name);
            let role = if id { Role::Id } else { Role::Kept };
            return Ok(Decision { role, ..plain(type_of(column), missing, "kept as it is") });
        }
        if let Held::Unreadable(what) = &column.held {
            return match self.options.features.contains(name) {
                true => Err(Error::UnreadableColumn {
                    file: self.table.source().to_owned(),
                    column: name.clone(),
                    what: what.clone(),
                    in_model: false,
                }),
                false => Ok(left_out(ColumnType::Unreadable, missing, format!("it holds {what}"))),
            };
        }
        let present = self.table.rows() - missing;
        if present == 0 {
            return Ok(left_out(ColumnType::Empty, missing, "it is empty".to_owned()));
        }
        if let Some(decision) = self.typed(column, missing)? {
            return Ok(decision);
        }
        if missing as f64 > MOSTLY_EMPTY * self.table.rows() as f64 && !self.is_asked(name) {
            let empty = 100.0 * missing as f64 / self.table.rows() as f64;
            return Ok(left_out(
                type_of(column),
                missing,
                format!("{empty:.0} % of it is missing"),
            ));
        }
        match &column.held {
            Held::Numbers(slot) => Ok(self.numbers(name, *slot, missing)),
            Held::Booleans(slot) => Ok(self.booleans(name, *slot, missing)),
            Held::Times(slot, kind) => {
                let seconds: Vec<f64> = self.table.number(*slot).collect();
                Ok(self.times(name, &seconds, *kind, false, missing))
            }
            Held::Words(at) => Ok(self.words(name, &self.table.words[*at], missing)),
            Held::Unreadable(_) => unreachable!("answered above"),
        }
    }

    /// Whether the user named the column as a feature or gave its type. In one or two rows, columns that do not
    /// vary say nothing, so none is left out.
    fn is_asked(&self, name: &str) -> bool {
        if self.table.rows() < 3 {
            return true;
        }
        let o = self.options;
        let has = |list: &[String]| list.iter().any(|n| n == name);
        o.strict
            || has(&o.features)
            || has(&o.numeric)
            || has(&o.categorical)
            || has(&o.date)
            || o.order.iter().any(|(n, _)| n == name)
    }

    fn missing(&self, column: &Column) -> usize {
        match &column.held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                self.stats[*slot].missing + self.stats[*slot].infinite
            }
            Held::Words(at) => {
                self.table.words[*at].codes.iter().filter(|c| **c == Words::MISSING).count()
            }
            Held::Unreadable(_) => 0,
        }
    }

    /// A column whose type the user gave.
    fn typed(&self, column: &Column, missing: usize) -> Result<Option<Decision>> {
        let (name, o) = (&column.name, self.options);
        let has = |list: &[String]| list.iter().any(|n| n == name);
        if has(&o.text) {
            return Ok(Some(left_out(ColumnType::Text, missing, "it was called text".to_owned())));
        }
        if let Some((_, levels)) = o.order.iter().find(|(n, _)| n == name) {
            return self.ordered_as(column, levels, missing).map(Some);
        }
        if has(&o.categorical) {
            let words = self.as_words(column);
            return Ok(Some(self.category(&words, missing, true)));
        }
        if has(&o.numeric) || o.strict {
            return self.numeric(column, missing).map(Some);
        }
        if has(&o.date) {
            return self.dates_asked(column, missing).map(Some);
        }
        Ok(None)
    }

    /// The column's values as text, each different one once.
    fn as_words(&self, column: &Column) -> Words {
        match &column.held {
            Held::Words(at) => self.table.words[*at].clone(),
            _ => {
                let place = self.table.position(&column.name).expect("the column is the table's");
                Words::from_texts(self.table.texts(place).iter().map(|t| Some(t.as_str())))
            }
        }
    }

    fn ordered_as(&self, column: &Column, levels: &[String], missing: usize) -> Result<Decision> {
        let words = self.as_words(column);
        let known = |level: &String| levels.iter().any(|l| same_word(l, level));
        let unknown: Vec<&String> = words.levels.iter().filter(|l| !known(l)).collect();
        if !unknown.is_empty() {
            let (column, found) = (column.name.clone(), quoted_list(&unknown));
            let file = self.table.source().to_owned();
            return Err(Error::OrderLacks { file, column, found });
        }
        Ok(self.ordered(levels.to_vec(), &words, missing))
    }

    fn ordered(&self, levels: Vec<String>, words: &Words, missing: usize) -> Decision {
        let place = |level: &String| levels.iter().position(|l| same_word(l, level));
        let of_level: Vec<f64> =
            words.levels.iter().map(|l| place(l).map_or(f64::NAN, |p| p as f64)).collect();
        let values = words.codes.iter().filter_map(|code| of_level.get(*code as usize).copied());
        let fill = self.middle(sorted(values, words.codes.len(), true));
        let done = format!("ordered: {}", listed(&levels, " < "));
        let encoding = Encoding::Ordered { levels, fill };
        feature(ColumnType::Ordered, missing, done, encoding)
    }

    /// A column that must be numbers.
    fn numeric(&self, column: &Column, missing: usize) -> Result<Decision> {
        match &column.held {
            Held::Numbers(slot) | Held::Booleans(slot) | Held::Times(slot, _) => {
                Ok(self.plain_numbers(*slot, missing))
            }
            Held::Words(at) => {
                let words = &self.table.words[*at];
                let reading = Reading::of(words);
                if reading.fraction == 0.0 {
                    let (file, column) = (self.table.source().to_owned(), column.name.clone());
                    let value = shown(words.levels.first().map_or("", String::as_str));
                    return Err(Error::NoNumbers { file, column, value });
                }
                Ok(self.read_numbers(words, reading, missing))
            }
            Held::Unreadable(_) => unreachable!("refused before"),
        }
    }

    fn dates_asked(&self, column: &Column, missing: usize) -> Result<Decision> {
        let name = &column.name;
        let wrong = |value: &str| Error::NotADate {
            file: self.table.source().to_owned(),
            column: name.clone(),
            value: shown(value),
        };
        match &column.held {
            Held::Times(slot, kind) => {
                let seconds: Vec<f64> = self.table.number(*slot).collect();
                Ok(self.times(name, &seconds, *kind, false, missing))
            }
            Held::Words(at) => {
                let words = &self.table.words[*at];
                match Dates::of(words) {
                    Some(dates) if dates.fraction > 0.5 => {
                        Ok(self.dates(name, words, dates, missing))
                    }
                    _ => Err(wrong(words.levels.first().map_or("", String::as_str))),
                }
            }
            Held::Numbers(slot) | Held::Booleans(slot) => {
                let first = self.table.number(*slot).find(|v| v.is_finite()).unwrap_or(f64::NAN);
                Err(wrong(&first.to_string()))
            }
            Held::Unreadable(_) => unreachable!("refused before"),
        }
    }

    // --- numbers ---

    fn numbers(&self, name: &str, slot: usize, missing: usize) -> Decision {
        let stats = &self.stats[slot];
        let asked = self.is_asked(name);
        if stats.is_constant() && !asked {
            let why = format!("{CONSTANT} {}", stats.min);
            return left_out(ColumnType::Number, missing, why);
        }
        if !asked {
            if let Some(why) = self.counts_rows(name, slot) {
                return id(ColumnType::Number, missing, &why);
            }
            if stats.whole && is_id_name(name) && !is_index_name(name) {
                let why = "it is called an id, and its numbers repeat".to_owned();
                return left_out(ColumnType::Number, missing, why);
            }
        }
        self.plain_numbers(slot, missing)
    }

    fn plain_numbers(&self, slot: usize, missing: usize) -> Decision {
        let fill = self.middle(self.sorted_slot(slot, missing > 0));
        let infinite = self.stats[slot].infinite;
        let mut done = "number".to_owned();
        if infinite > 0 {
            done = format!("number; infinite values taken for missing: {infinite}");
        }
        let mut decision = feature(
            ColumnType::Number,
            missing,
            done,
            Encoding::Number { style: NumberStyle::default(), fill },
        );
        decision.why = self.sentinel(slot).unwrap_or_default();
        decision
    }

    fn sorted_slot(&self, slot: usize, all: bool) -> Vec<f64> {
        sorted(self.table.number(slot), self.table.rows(), all)
    }

    /// What a missing number becomes.
    fn middle(&self, sorted: Vec<f64>) -> f64 {
        match self.rule {
            MissingRule::Mean => sorted.iter().sum::<f64>() / sorted.len() as f64,
            _ => median(&sorted),
        }
    }

    /// Why a column counts or names the rows, if it does.
    fn counts_rows(&self, name: &str, slot: usize) -> Option<String> {
        let stats = &self.stats[slot];
        if !stats.whole || stats.missing > 0 || self.table.rows() < FEWEST_COUNTED {
            return None;
        }
        if stats.spaced {
            return Some("it counts the rows".to_owned());
        }
        let suspect = is_index_name(name) || is_id_name(name);
        (suspect && self.all_different(slot))
            .then(|| "it is a different number in every row".to_owned())
    }

    fn all_different(&self, slot: usize) -> bool {
        let all = self.sorted_slot(slot, true);
        all.windows(2).all(|pair| pair[0] < pair[1])
    }

    /// A value that may stand for "missing": all nines, at an end, far from all others.
    fn sentinel(&self, slot: usize) -> Option<String> {
        let stats = &self.stats[slot];
        let suspects = [stats.min, stats.max].map(|v| is_nines(v).then_some(v));
        let value = suspects.into_iter().flatten().next()?;
        let all = self.sorted_slot(slot, true);
        let others: Vec<f64> = all.iter().copied().filter(|v| *v != value).collect();
        let (first, last) = (others.first()?, others.last()?);
        let gap = (first - value).max(value - last);
        let count = all.len() - others.len();
        let far = gap > (last - first) && others.len() >= 5;
        far.then(|| format!("{value} in {count} rows may stand for a missing value"))
    }

    // --- yes and no ---

    fn booleans(&self, name: &str, slot: usize, missing: usize) -> Decision {
        if self.stats[slot].is_constant() && !self.is_asked(name) {
            return left_out(ColumnType::Boolean, missing, "every value is the same".to_owned());
        }
        let (yes, no) = (vec!["true".to_owned()], vec!["false".to_owned()]);
        let values = self.table.number(slot);
        let encoding = Encoding::Boolean { yes, no, fill: majority(values) };
        feature(ColumnType::Boolean, missing, "true is 1, false is 0".to_owned(), encoding)
    }

    // --- words ---

    fn words(&self, name: &str, words: &Words, missing: usize) -> Decision {
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
        let reading = Reading::of(words);
        let coded = reading.leading_zeros;
        if reading.fraction >= MAJORITY && !coded {
            if let (Some(unit), false) = (&reading.style.unit, asked) {
                let why = format!(
                    "its numbers carry the unit \"{unit}\"; write plain numbers, or say that they are \
                     numbers all the same (--numeric)"
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
        if let Some(dates) = Dates::of(words).filter(|dates| dates.fraction >= MAJORITY) {
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
                levels.len()
            );
            return left_out(ColumnType::Text, missing, why);
        }
        self.category(words, missing, asked)
    }

    fn read_numbers(&self, words: &Words, reading: Reading, missing: usize) -> Decision {
        let Reading { style, values, odd, .. } = reading;
        let of_row = words.codes.iter().filter_map(|code| values.get(*code as usize).copied());
        let fill = self.middle(sorted(of_row, words.codes.len(), true));
        let unread: usize =
            words.counts().iter().zip(&values).filter(|(_, v)| v.is_nan()).map(|(c, _)| c).sum();
        let mut done = "number".to_owned();
        if style.decimal_comma {
            done.push_str(", decimal comma");
        }
        if let Some(unit) = &style.unit {
            done.push_str(&format!(", without its unit \"{unit}\""));
        }
        let why = match unread {
            0 => String::new(),
            count => format!("{count} values that are no numbers ({odd}) taken for missing"),
        };
        let encoding = Encoding::Number { style, fill };
        Decision { why, ..feature(ColumnType::Number, missing + unread, done, encoding) }
    }

    fn category(&self, words: &Words, missing: usize, asked: bool) -> Decision {
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

    // --- dates ---

    fn dates(&self, name: &str, words: &Words, dates: Dates, missing: usize) -> Decision {
        let of_row = |code: &u32| dates.seconds.get(*code as usize).copied().unwrap_or(f64::NAN);
        let seconds: Vec<f64> = words.codes.iter().map(of_row).collect();
        let unread = seconds.iter().filter(|s| s.is_nan()).count() - missing;
        let mut decision =
            self.times(name, &seconds, dates.kind, dates.day_first, missing + unread);
        if dates.ambiguous {
            decision.why = "day and month could be exchanged; taken as month/day/year".to_owned();
        }
        decision
    }

    fn times(
        &self,
        name: &str,
        seconds: &[f64],
        kind: TimeKind,
        day_first: bool,
        missing: usize,
    ) -> Decision {
        let all = sorted(seconds.iter().copied(), seconds.len(), true);
        let (Some(first), Some(last)) = (all.first().copied(), all.last().copied()) else {
            return left_out(ColumnType::Empty, missing, "it is empty".to_owned());
        };
        let asked = self.is_asked(name);
        if first == last && !asked {
            return left_out(ColumnType::Date, missing, "every value is the same".to_owned());
        }
        if missing == 0 && !asked && seconds.len() >= FEWEST_COUNTED && is_regular(seconds) {
            return id(
                ColumnType::Date,
                missing,
                "its dates follow each other at equal steps, one per row",
            );
        }
        let span = (last - first) / 86_400.0;
        let varies = |part: &dyn Fn(f64) -> i64| all.windows(2).any(|p| part(p[0]) != part(p[1]));
        let mut cycles = Vec::new();
        if kind != TimeKind::Clock && span >= 2.0 * Cycle::Year.days() {
            cycles.push(Cycle::Year);
        }
        if kind != TimeKind::Clock && span >= 4.0 * Cycle::Week.days() && varies(&weekday) {
            cycles.push(Cycle::Week);
        }
        if kind != TimeKind::Date && varies(&|s| s.rem_euclid(86_400.0).round() as i64) {
            cycles.push(Cycle::Day);
        }
        let parts: Vec<String> =
            cycles.iter().map(|c| format!("place in the {}", c.word())).collect();
        let elapsed = "days since the first date".to_owned();
        let done = [vec![elapsed], parts].concat().join(", ");
        let fill = self.middle(all);
        let encoding = Encoding::Date { origin: first, cycles, day_first, fill };
        feature(ColumnType::Date, missing, done, encoding)
    }

    // --- columns together ---

    /// Leaves out a column that says the same as one before it.
    fn leave_out_copies(&self, columns: &mut [ColumnPreparation]) {
        for j in 1..columns.len() {
            let asked = self.is_asked(&columns[j].name);
            if columns[j].role != Role::Feature || asked {
                continue;
            }
            let named =
                |c: &ColumnPreparation| c.kind != ColumnType::Number && c.kind != ColumnType::Date;
            let twin = (0..j).find(|&i| {
                let by_name = named(&columns[i]) && named(&columns[j]);
                columns[i].role == Role::Feature && self.is_copy(i, j, by_name)
            });
            if let Some(i) = twin {
                columns[j].done = "left out".to_owned();
                columns[j].why = format!("it copies \"{}\"", columns[i].name);
                columns[j].role = Role::LeftOut;
                columns[j].encoding = None;
            }
        }
    }

    /// Whether two columns say the same: the same values, or for words (`by_name`) other words in the same rows.
    fn is_copy(&self, i: usize, j: usize, by_name: bool) -> bool {
        match (&self.table.columns[i].held, &self.table.columns[j].held) {
            (Held::Numbers(a), Held::Numbers(b)) | (Held::Booleans(a), Held::Booleans(b)) => {
                self.stats[*a].fingerprint == self.stats[*b].fingerprint
                    && self
                        .table
                        .number(*a)
                        .zip(self.table.number(*b))
                        .all(|(x, y)| x.to_bits() == y.to_bits())
            }
            (Held::Words(a), Held::Words(b)) => {
                let (a, b) = (&self.table.words[*a], &self.table.words[*b]);
                // Codes go by first appearance, so other words for the same rows have the same codes.
                a.codes == b.codes && (by_name || a.levels == b.levels)
            }
            _ => false,
        }
    }

    /// One id goes beside the labels: the one that the user named, else the first of words, else the first.
    fn keep_one_id(&self, columns: &mut [ColumnPreparation]) {
        let ids = || columns.iter().filter(|c| c.role == Role::Id);
        let found = ids().find(|c| c.kind == ColumnType::Text).or(ids().next());
        let chosen = self.options.id.clone().or(found.map(|c| c.name.clone()));
        for column in columns.iter_mut().filter(|c| c.role == Role::Id) {
            if chosen.as_ref() != Some(&column.name) {
                column.role = Role::LeftOut;
                column.done = "left out".to_owned();
            }
        }
    }
}

/// The numbers that the texts of a column stand for.
struct Reading {
    style: NumberStyle,
    /// One per level; NaN for what is no number.
    values: Vec<f64>,
    /// Rows with a number, among those with a text.
    fraction: f64,
    /// Some of the texts that are no numbers.
    odd: String,
    /// Whole numbers beyond what can be told apart as numbers.
    huge: bool,
    /// Codes such as 007.
    leading_zeros: bool,
}

impl Reading {
    fn of(words: &Words) -> Self {
        let counts = words.counts();
        let total: usize = counts.iter().sum::<usize>().max(1);
        let unit = common_unit(words);
        let read = |decimal_comma: bool| {
            let style = NumberStyle { decimal_comma, unit: unit.clone() };
            let values: Vec<f64> =
                words.levels.iter().map(|l| texts::number(l, &style).unwrap_or(f64::NAN)).collect();
            let rows: usize =
                counts.iter().zip(&values).filter(|(_, v)| !v.is_nan()).map(|(c, _)| c).sum();
            (style, values, rows)
        };
        let (point, comma) = (read(false), read(true));
        let (style, values, rows) = if comma.2 > point.2 { comma } else { point };
        let unread =
            words.levels.iter().zip(&values).filter(|(_, v)| v.is_nan()).map(|(l, _)| shown(l));
        let huge = |l: &String| matches!(classify(l), Field::BigInteger);
        let zeros = |l: &String| {
            let l = l.trim();
            l.len() > 1 && l.starts_with('0') && l.bytes().all(|b| b.is_ascii_digit())
        };
        Self {
            fraction: rows as f64 / total as f64,
            odd: quoted_list(&unread.take(3).collect::<Vec<String>>()),
            huge: words.levels.iter().any(huge),
            leading_zeros: words.levels.iter().any(zeros),
            style,
            values,
        }
    }
}

/// The unit that every text has behind its number.
fn common_unit(words: &Words) -> Option<String> {
    let unit = texts::unit(words.levels.first()?)?;
    words.levels.iter().all(|l| texts::unit(l) == Some(unit)).then(|| unit.to_owned())
}

/// The dates that the texts of a column stand for.
struct Dates {
    /// One per level; NaN for what is no date.
    seconds: Vec<f64>,
    kind: TimeKind,
    fraction: f64,
    day_first: bool,
    ambiguous: bool,
}

impl Dates {
    fn of(words: &Words) -> Option<Self> {
        let first = words.levels.iter().take(20);
        if !first.clone().any(|l| texts::date(l, false).or(texts::date(l, true)).is_some()) {
            return None;
        }
        let counts = words.counts();
        let total: usize = counts.iter().sum::<usize>().max(1);
        let read = |day_first: bool| {
            let dates: Vec<Option<(f64, TimeKind)>> =
                words.levels.iter().map(|l| texts::date(l, day_first)).collect();
            let rows: usize =
                counts.iter().zip(&dates).filter(|(_, d)| d.is_some()).map(|(c, _)| c).sum();
            (dates, rows)
        };
        let (month, day) = (read(false), read(true));
        let day_first = day.1 > month.1;
        let ambiguous = day.1 == month.1 && day.0 != month.0;
        let (dates, rows) = if day_first { day } else { month };
        let mut kinds = dates.iter().flatten().map(|(_, kind)| *kind);
        let kind = kinds.next()?;
        // Days with and without a time are days with a time; a time of the day alone is no day.
        let mut kind = kind;
        for other in kinds {
            match (kind, other) {
                (a, b) if a == b => {}
                (TimeKind::Clock, _) | (_, TimeKind::Clock) => return None,
                _ => kind = TimeKind::DateTime,
            }
        }
        let seconds = dates.iter().map(|d| d.map_or(f64::NAN, |(s, _)| s)).collect();
        Some(Self { seconds, kind, fraction: rows as f64 / total as f64, day_first, ambiguous })
    }
}

fn weekday(seconds: f64) -> i64 {
    (seconds / 86_400.0).floor().rem_euclid(7.0) as i64
}

/// Whether times follow each other at equal steps; months and years are equal steps, too.
fn is_regular(seconds: &[f64]) -> bool {
    let steps: Vec<f64> = seconds.windows(2).map(|p| p[1] - p[0]).collect();
    let (least, most) =
        steps.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), s| (l.min(*s), m.max(*s)));
    let day = 86_400.0;
    let months = |n: f64| least >= n * 28.0 * day && most <= (n * 31.0) * day;
    let same_sign = least > 0.0 || most < 0.0;
    let weekdays = least == day && most <= 4.0 * day;
    same_sign && (least == most || [1.0, 3.0, 12.0].into_iter().any(months) || weekdays)
}

/// 1 or 0, whichever more rows hold.
fn majority(values: impl Iterator<Item = f64>) -> f64 {
    let (yes, all) =
        values.filter(|v| v.is_finite()).fold((0.0, 0.0), |(y, n), v| (y + v, n + 1.0));
    if yes > 0.5 * all { 1.0 } else { 0.0 }
}

fn is_nines(value: f64) -> bool {
    let size = value.abs();
    [99.0, 999.0, 9999.0, 99_999.0, 999_999.0].contains(&size) || value == -9.0
}

/// Names that software gives to row numbers.
fn is_index_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let known =
        ["unnamed: 0", "rownames", "row.names", "row", "index", "row_number", "rownum", "obs"];
    known.contains(&name.as_str()) || name.starts_with("column 1")
}

fn is_id_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = ["_id", ".id", " id", "-id"].iter().any(|end| lower.ends_with(end));
    lower == "id"
        || lower == "uuid"
        || lower == "guid"
        || ends
        || (name.ends_with("Id") || name.ends_with("ID")) && name.len() > 2
}

pub(crate) fn same_word(a: &str, b: &str) -> bool {
    a.trim() == b.trim() || a.trim().to_lowercase() == b.trim().to_lowercase()
}

fn type_of(column: &Column) -> ColumnType {
    match &column.held {
        Held::Numbers(_) => ColumnType::Number,
        Held::Booleans(_) => ColumnType::Boolean,
        Held::Times(..) => ColumnType::Date,
        Held::Words(_) => ColumnType::Category,
        Held::Unreadable(_) => ColumnType::Unreadable,
    }
}

fn listed(words: &[String], between: &str) -> String {
    words.iter().map(|w| shown(w)).collect::<Vec<_>>().join(between)
}

fn plain(kind: ColumnType, missing: usize, done: &str) -> Decision {
    let (done, why) = (done.to_owned(), String::new());
    Decision { role: Role::LeftOut, kind, missing, done, why, encoding: None }
}

fn left_out(kind: ColumnType, missing: usize, why: String) -> Decision {
    Decision { why, ..plain(kind, missing, "left out") }
}

fn id(kind: ColumnType, missing: usize, why: &str) -> Decision {
    Decision {
        role: Role::Id,
        why: why.to_owned(),
        ..plain(kind, missing, "kept beside the labels")
    }
}

fn feature(kind: ColumnType, missing: usize, done: String, encoding: Encoding) -> Decision {
    Decision { role: Role::Feature, done, encoding: Some(encoding), ..plain(kind, missing, "") }
}
