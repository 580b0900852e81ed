//! Names for columns that have none, or the name of another.

use std::collections::HashSet;

use crate::error::quoted_list;

/// Gives every column a name of its own: columns without one are called `column 3`, later columns of the same name
/// `name (2)`. What was changed is added to `notices`.
pub(crate) fn unique(file: &str, given: Vec<String>, notices: &mut Vec<String>) -> Vec<String> {
    let given: Vec<String> = given.into_iter().map(|name| name.trim().to_owned()).collect();
    // Names that stand in the file are taken before any is made up.
    let mut taken: HashSet<String> = given.iter().filter(|n| !n.is_empty()).cloned().collect();
    let mut used: HashSet<String> = HashSet::new();
    let (mut unnamed, mut repeated) = (Vec::new(), Vec::new());
    let mut names = Vec::with_capacity(given.len());
    for (i, name) in given.into_iter().enumerate() {
        let name = if name.is_empty() {
            let made = free(&taken, &format!("column {}", i + 1), 1);
            unnamed.push(made.clone());
            made
        } else if used.contains(&name) {
            let made = free(&taken, &name, 2);
            repeated.push(made.clone());
            made
        } else {
            name
        };
        taken.insert(name.clone());
        used.insert(name.clone());
        names.push(name);
    }
    notices.extend(say(file, "without a name", &unnamed));
    notices.extend(say(file, "with the name of another", &repeated));
    names
}

/// `name`, or `name (2)`, `name (3)`, … from the count `from` on: the first that is not taken.
fn free(taken: &HashSet<String>, name: &str, from: usize) -> String {
    let candidate =
        |count: usize| if count == 1 { name.to_owned() } else { format!("{name} ({count})") };
    (from..).map(candidate).find(|name| !taken.contains(name)).expect("a count is always left")
}

fn say(file: &str, what: &str, made: &[String]) -> Option<String> {
    let (columns, were) = if made.len() == 1 { ("a column", "was") } else { ("columns", "were") };
    let list = quoted_list(made);
    (!made.is_empty()).then(|| format!("{file}: {columns} {what} {were} called {list}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(given: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut notices = Vec::new();
        let names = unique("t", given.iter().map(|n| (*n).to_owned()).collect(), &mut notices);
        (names, notices)
    }

    #[test]
    fn made_up_names_step_aside_for_real_ones() {
        let (names, notices) = named(&["", "a", "column 1", "a", "a (2)", ""]);
        assert_eq!(names, ["column 1 (2)", "a", "column 1", "a (3)", "a (2)", "column 6"]);
        assert_eq!(
            notices,
            [
                "t: columns without a name were called \"column 1 (2)\", \"column 6\"",
                "t: a column with the name of another was called \"a (3)\""
            ]
        );
    }

    proptest! {
        #[test]
        fn names_are_unique_and_first_holders_keep_theirs(given in prop::collection::vec("(a|b|a \\(2\\)|column [12]|)", 0..8)) {
            let (names, _) = named(&given.iter().map(String::as_str).collect::<Vec<_>>());
            let different: HashSet<&String> = names.iter().collect();
            prop_assert_eq!(different.len(), given.len());
            for (i, name) in given.iter().enumerate() {
                if !name.is_empty() && !given[..i].contains(name) {
                    prop_assert_eq!(&names[i], name);
                }
            }
        }
    }
}
