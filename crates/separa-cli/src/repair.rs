//! The command that was typed, changed so that it is not refused again.

use separa_io::{Repair, shell_word};
use std::ffi::OsString;

/// One line that can be pasted, if every repair has its place in the command.
pub fn command(words: impl Iterator<Item = OsString>, repairs: &[Repair]) -> Option<String> {
    let words: Option<Vec<String>> = words.map(|word| word.into_string().ok()).collect();
    let mut words = split(words?);
    if repairs.is_empty() {
        return None;
    }
    if let [Repair::Words { file, column }] = repairs {
        return by_words(&words, file, column);
    }
    for repair in repairs {
        apply(&mut words, repair)?;
    }
    let words = words.iter().map(|word| shell_word(word));
    Some(["separa".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" "))
}

/// The command that was typed with further options; one that it has already takes the new value, and a column that is to
/// be left out or read otherwise is named by nothing else.
pub fn with(words: impl Iterator<Item = OsString>, options: &[(&str, String)]) -> String {
    let mut words = split(words.map(|word| word.to_string_lossy().into_owned()).collect());
    for (option, value) in options {
        let columns = ["--drop", "--numeric"].contains(option);
        let names = || value.split(',').filter(|_| columns);
        for (other, name) in
            names().flat_map(|name| NAMES_FEATURES.iter().map(move |other| (other, name)))
        {
            if *other != "--features" || *option == "--drop" {
                change(&mut words, other, name, None);
            }
        }
        let given = values(&words, option).next();
        match given {
            Some(at) if columns => words[at] = format!("{},{value}", words[at]),
            Some(at) => words[at] = value.clone(),
            None => words.extend([(*option).to_owned(), value.clone()]),
        }
    }
    let words = words.iter().map(|word| shell_word(word));
    ["separa".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// Options by which a column is a feature or has a type.
const NAMES_FEATURES: [&str; 6] =
    ["--features", "--categorical", "--numeric", "--text", "--date", "--order"];

/// One line of two commands: scikit-learn makes TF-IDF features of a column of a text file, and the command is given these.
fn by_words(words: &[String], file: &str, column: &str) -> Option<String> {
    let (stem, end) = file.rsplit_once('.')?;
    let at = words.iter().position(|word| word == file).filter(|_| matches!(end, "csv" | "tsv"))?;
    let features = format!("{stem}-words.svm");

    let code = format!(
        "import pandas, sklearn.datasets as d, sklearn.feature_extraction.text as t; \
         x = pandas.read_csv({file:?}, sep=None, engine=\"python\")[{column:?}].fillna(\"\").astype(str); \
         d.dump_svmlight_file(t.TfidfVectorizer().fit_transform(x), [0] * len(x), {features:?})"
    );
    let mut words = words.to_vec();
    words[at] = features;
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    Some(format!("python3 -c {} && separa {}", shell_word(&code), words.join(" ")))
}

/// `--option=value` as two words.
fn split(words: Vec<String>) -> Vec<String> {
    let parts = |word: String| match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => {
            vec![option.to_owned(), value.to_owned()]
        }
        _ => vec![word],
    };
    words.into_iter().flat_map(parts).collect()
}

/// Options whose column a command cannot do without.
const NEEDED: [&str; 4] = ["--target", "--labels", "--bag", "--sequence"];

fn apply(words: &mut Vec<String>, repair: &Repair) -> Option<()> {
    match repair {
        Repair::Unname { option, .. } if NEEDED.contains(option) => None,
        Repair::Unname { option, column } => change(words, option, column, None),
        Repair::Rename { option, column, to } => change(words, option, column, Some(to)),
        Repair::Extend { column, words: more } => {
            let start = format!("{column}=");
            let at = values(words, "--order").find(|&at| words[at].starts_with(&start))?;
            words[at] = format!("{},{}", words[at], more.join(","));
            Some(())
        }
        Repair::Set { option, value } => {
            let before = values(words, option).next();
            match before {
                Some(at) => words[at] = value.clone(),
                None => words.extend([(*option).to_owned(), value.clone()]),
            }
            Some(())
        }
        // No option does it.
        Repair::Words { .. } => None,
    }
}

/// Where the values of an option are.
fn values<'a>(words: &'a [String], option: &'a str) -> impl Iterator<Item = usize> + 'a {
    (1..words.len()).filter(move |&at| words[at - 1] == option)
}

/// Gives a column that an option names another name, or takes it away; the option, too, if it names nothing else.
fn change(words: &mut Vec<String>, option: &str, column: &str, to: Option<&String>) -> Option<()> {
    let names = |word: &str| {
        word.split(',').any(|name| name == column)
            || option == "--order" && word.split_once('=').is_some_and(|(name, _)| name == column)
    };
    let at = values(words, option).find(|&at| names(&words[at]))?;
    if option == "--order" {
        let (_, order) = words[at].split_once('=')?;
        match to {
            Some(to) => words[at] = format!("{to}={order}"),
            None => drop(words.drain(at - 1..=at)),
        }
        return Some(());
    }
    let kept = words[at].split(',').filter_map(|name| match name == column {
        true => to.cloned(),
        false => Some(name.to_owned()),
    });
    match kept.collect::<Vec<String>>().join(",") {
        none if none.is_empty() => drop(words.drain(at - 1..=at)),
        some => words[at] = some,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(typed: &str, repairs: &[Repair]) -> Option<String> {
        command(typed.split(' ').map(Into::into), repairs)
    }

    #[test]
    fn another_way_is_typed_once_and_contradicts_nothing() {
        let drop = ("--drop", "c,d".to_owned());
        let complete = ("--missing", "drop".to_owned());
        for (typed, options, wanted) in [
            ("cluster t.csv", vec![drop.clone()], "cluster t.csv --drop c,d"),
            ("cluster t.csv --drop a -q", vec![drop.clone()], "cluster t.csv --drop a,c,d -q"),
            (
                "cluster t.csv --missing=mean --categorical c,x",
                vec![drop.clone(), complete.clone()],
                "cluster t.csv --missing drop --categorical x --drop c,d",
            ),
            (
                "cluster t.csv --order c=low,high --features c,e",
                vec![drop],
                "cluster t.csv --features e --drop c,d",
            ),
            (
                "cluster t.csv --text w --features w",
                vec![("--numeric", "w".to_owned())],
                "cluster t.csv --features w --numeric w",
            ),
        ] {
            let found = with(typed.split(' ').map(Into::into), &options);
            assert_eq!(found, format!("separa {wanted}"), "{typed}");
        }
    }

    #[test]
    fn every_repair_finds_its_place() {
        let unname = |column: &str| Repair::Unname { option: "--numeric", column: column.into() };
        let set = Repair::Set { option: "--missing", value: "nearest".into() };
        let extend = Repair::Extend { column: "size".into(), words: vec!["XL".into()] };
        let to = "price".to_owned();
        let rename = Repair::Rename { option: "--drop", column: "prise".into(), to };
        for (typed, repairs, wanted) in [
            ("cluster t.csv --numeric a,b", vec![unname("a")], "cluster t.csv --numeric b"),
            ("cluster t.csv --numeric=a -q", vec![unname("a")], "cluster t.csv -q"),
            ("cluster t.csv", vec![set.clone()], "cluster t.csv --missing nearest"),
            ("cluster t.csv --missing=drop -q", vec![set], "cluster t.csv --missing nearest -q"),
            (
                "cluster t.csv --order size=S,M --drop x,prise",
                vec![extend, rename],
                "cluster t.csv --order size=S,M,XL --drop x,price",
            ),
        ] {
            assert_eq!(repaired(typed, &repairs), Some(format!("separa {wanted}")), "{typed}");
        }
        assert_eq!(repaired("cluster t.csv", &[unname("a")]), None);
        assert_eq!(repaired("cluster t.csv", &[]), None);
        let needed = Repair::Unname { option: "--target", column: "y".into() };
        assert_eq!(repaired("train t.csv --target y", &[needed]), None);
    }
}
