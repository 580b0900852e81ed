//! The known class of every row: what classifiers learn from.

use crate::error::{Error, Result};

/// Classes at most: more are most likely no classes.
pub const MOST_CLASSES: usize = 1000;

/// One class a row, by number; the names in the order of the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    names: Vec<String>,
    classes: Vec<u32>,
    text: bool,
}

impl Target {
    /// Classes by number, each below the number of names.
    pub fn new(classes: Vec<u32>, names: Vec<String>) -> Result<Self> {
        if names.len() > MOST_CLASSES {
            return Err(too_many("the target", names.len()));
        }
        if let Some(i) = classes.iter().position(|&c| c as usize >= names.len()) {
            let (found, most) = (classes[i], names.len());
            return Err(Error::ClassNumber { row: i + 1, found, most });
        }
        Ok(Self { names, classes, text: false })
    }

    /// The same, whose classes were given as text (or not). It is remembered if they could be read as numbers or
    /// truth values, too: words are text without being told.
    pub fn as_text(self, text: bool) -> Self {
        let number = |name: &String| name.parse::<f64>().is_ok();
        let truth = |name: &String| name == "True" || name == "False";
        let ambiguous = self.names.iter().all(number) || self.names.iter().all(truth);
        Self { text: text && ambiguous, ..self }
    }

    /// Classes from the texts of a column. Names are sorted, as numbers where all are numbers.
    pub fn from_texts<S: AsRef<str>>(column: &str, texts: &[S]) -> Result<Self> {
        let texts: Vec<&str> = texts.iter().map(|t| t.as_ref().trim()).collect();
        let numbers = Self::check_texts(column, &texts, |i| i + 1)?;
        let mut names: Vec<&str> = texts.clone();
        names.sort_unstable();
        names.dedup();
        if names.len() > MOST_CLASSES {
            return Err(too_many(&format!("column \"{column}\""), names.len()));
        }
        if numbers {
            let value = |t: &&str| t.parse::<f64>().unwrap_or(f64::NAN);
            names.sort_by(|a, b| value(a).total_cmp(&value(b)));
        }
        let place: std::collections::HashMap<&str, u32> =
            names.iter().enumerate().map(|(c, name)| (*name, c as u32)).collect();
        let classes = texts.iter().map(|t| place[t]).collect();
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Self { names, classes, text: false })
    }

    /// Refuses empty texts, and numbers that are no classes; `row` tells the number of a text's row. Returns
    /// whether all are numbers.
    pub fn check_texts<S: AsRef<str>>(
        column: &str,
        texts: &[S],
        row: impl Fn(usize) -> usize,
    ) -> Result<bool> {
        if let Some(i) = texts.iter().position(|t| t.as_ref().is_empty()) {
            return Err(Error::NoClass { row: row(i), column: column.to_string() });
        }
        let numbers: Option<Vec<f64>> = texts.iter().map(|t| t.as_ref().parse().ok()).collect();
        if let Some(numbers) = &numbers
            && let Some(i) = numbers.iter().position(|v| v.fract() != 0.0)
        {
            let (column, value) = (column.to_string(), texts[i].as_ref().to_owned());
            return Err(Error::NotAClass { row: row(i), column, value });
        }
        Ok(numbers.is_some())
    }

    /// The names of the classes, in the order of their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }
    /// Whether the classes read as numbers, but were given as text.
    pub fn is_text(&self) -> bool {
        self.text
    }
    /// The class of each row, as a number from 0.
    pub fn classes(&self) -> &[u32] {
        &self.classes
    }
    /// Rows of each class.
    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.k()];
        self.classes.iter().for_each(|&c| sizes[c as usize] += 1);
        sizes
    }
    /// How many classes there are.
    pub fn k(&self) -> usize {
        self.names.len()
    }

    /// Refuses what no classifier can learn from: one label per row, two classes, two rows of each.
    pub(crate) fn check(
        &self,
        method: &'static str,
        weights: impl Fn(usize) -> f64,
        n: usize,
    ) -> Result<()> {
        if self.classes.len() != n {
            let found = self.classes.len();
            return Err(Error::Length { what: "classes", found, expected: n, of: "rows" });
        }
        let mut counts = vec![0; self.k()];
        for (i, &c) in self.classes.iter().enumerate() {
            counts[c as usize] += usize::from(weights(i) > 0.0);
        }
        if self.k() < 2 {
            let only = self.names.first().map_or(String::new(), |n| format!(" (\"{n}\")"));
            return Err(Error::OneClass { method, only });
        }
        match counts.iter().position(|&n| n < 2) {
            None => Ok(()),
            Some(c) => {
                let (class, rows) = (self.names[c].clone(), counts[c]);
                Err(Error::SmallClass { method, class, rows })
            }
        }
    }
}

fn too_many(what: &str, found: usize) -> Error {
    let (what, found) = (what.to_owned(), found.to_string());
    Error::TooManyClasses { what, found, most: MOST_CLASSES }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_numbers_where_all_are_numbers() {
        let t = Target::from_texts("y", &["10", " 9", "10", "-1"]).unwrap();
        assert_eq!(t.names(), ["-1", "9", "10"]);
        assert_eq!(t.classes(), [2, 1, 2, 0]);
        let t = Target::from_texts("y", &["b", "10", "9"]).unwrap();
        assert_eq!(t.names(), ["10", "9", "b"]);
    }

    #[test]
    fn only_text_that_could_be_something_else_is_remembered_as_text() {
        let text = |names: &[&str]| Target::from_texts("y", names).unwrap().as_text(true).is_text();
        assert!(text(&["1", "2"]) && text(&["01", "02"]) && text(&["True", "False"]));
        assert!(!text(&["a", "b"]) && !text(&["1", "b"]) && !text(&["True", "1"]));
        assert!(!Target::from_texts("y", &["1", "2"]).unwrap().as_text(false).is_text());
    }

    #[test]
    fn texts_that_are_no_classes_are_refused_by_row() {
        let said = |texts: &[&str]| Target::from_texts("y", texts).unwrap_err().to_string();
        assert!(said(&["a", ""]).starts_with("row 2, column \"y\" is empty"));
        assert!(said(&["1", "2.5"]).starts_with("row 2, column \"y\" holds 2.5, expected a class"));
        // One word among them, and 2.5 is a name.
        assert!(Target::from_texts("y", &["1", "2.5", "old"]).is_ok());
        let many: Vec<String> = (0..1001).map(|i| format!("c{i}")).collect();
        let found = Target::from_texts("y", &many).unwrap_err().to_string();
        assert!(found.starts_with("column \"y\" holds 1001 classes"), "{found}");
        assert!(Target::from_texts("y", &many[..1000]).is_ok());
    }

    #[test]
    fn targets_that_nothing_can_be_learnt_from_are_refused() {
        let said = |t: Target, n| t.check("mpm", |_| 1.0, n).unwrap_err().to_string();
        let one = Target::from_texts("y", &["a", "a"]).unwrap();
        assert!(said(one, 2).contains("1 class (\"a\")"));
        let single = Target::from_texts("y", &["a", "a", "b"]).unwrap();
        assert!(said(single.clone(), 3).contains("class \"b\" has 1 with"));
        assert!(said(single, 4).starts_with("3 classes were given for 4 rows"));
        let two = Target::from_texts("y", &["a", "a", "b", "b"]).unwrap();
        let weights = [1.0, 1.0, 1.0, 0.0];
        assert!(two.check("mpm", |i| weights[i], 4).is_err());
        assert!(two.check("mpm", |_| 1.0, 4).is_ok());
        assert!(Target::new(vec![0, 2], vec!["a".into(), "b".into()]).is_err());
    }
}
