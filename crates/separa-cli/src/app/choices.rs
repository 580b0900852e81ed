//! What a person chose on the page, as the words of a command and as Python code.

use crate::args::{Cli, ClusterArgs, Command};
use crate::failure::{Failure, Result};
use clap::Parser;
use separa_io::shell_word;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Refits on halves, if they are wanted.
const REFITS: usize = 20;

/// What was chosen; everything that is empty is left to separa.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
    pub k: Option<usize>,
    pub method: Option<String>,
    pub drop: Vec<String>,
    pub categorical: Vec<String>,
    pub numeric: Vec<String>,
    pub date: Vec<String>,
    pub text: Vec<String>,
    pub id: Option<String>,
    pub truth: Option<String>,
    pub missing: Option<String>,
    pub scaling: Option<String>,
    pub seed: u64,
    /// Whether the fit is repeated on halves of the rows.
    pub stability: bool,
}

impl Choices {
    /// The words of `separa cluster`, without the name of the program.
    pub fn words(&self, file: &str) -> Result<Vec<String>> {
        let mut words = vec!["cluster".to_owned(), file_word(file)];
        let mut add = |name: &str, value: &str| words.push(format!("--{name}={value}"));
        if let Some(k) = self.k {
            add("clusters", &k.to_string());
        }
        let single = [
            ("method", &self.method),
            ("id", &self.id),
            ("truth", &self.truth),
            ("missing", &self.missing),
            ("scaling", &self.scaling),
        ];
        for (name, value) in single {
            value.iter().for_each(|value| add(name, value));
        }
        for (name, columns) in self.lists() {
            if let Some(column) = columns.iter().find(|column| column.contains(',')) {
                return Err(Failure::new(format!(
                    "column \"{column}\" has a comma in its name, by which --{name} tells columns apart; rename it"
                )));
            }
            if !columns.is_empty() {
                add(name, &columns.join(","));
            }
        }
        if self.seed != 0 {
            add("seed", &self.seed.to_string());
        }
        if self.stability {
            words.push(format!("--stability={REFITS}"));
        }
        Ok(words)
    }

    /// What decides how a table is prepared; the rest is left out.
    pub fn columns(&self) -> Self {
        let (k, method, scaling, seed) = (None, None, None, 0);
        Self { k, method, scaling, seed, stability: false, ..self.clone() }
    }

    fn lists(&self) -> [(&'static str, &Vec<String>); 5] {
        [
            ("drop", &self.drop),
            ("categorical", &self.categorical),
            ("numeric", &self.numeric),
            ("date", &self.date),
            ("text", &self.text),
        ]
    }

    /// The command as a person types it; `names` are those of clusters.
    pub fn command(&self, file: &str, names: &[(usize, String)]) -> Result<String> {
        let words = self.words(file)?;
        let mut words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
        for (cluster, name) in names {
            words.push(format!("--names={}", shell_word(&format!("{cluster}={name}"))));
        }
        Ok(format!("separa {} -o labels.csv --model rule.separa", words.join(" ")))
    }

    /// Python code that gives the same labels, for files that pandas reads.
    pub fn python(&self, file: &str) -> Option<String> {
        // Pandas decides about types and gaps by itself: what was said about them is for the command line.
        let typed =
            [&self.categorical, &self.numeric, &self.date].iter().any(|list| !list.is_empty());
        if typed || self.missing.is_some() {
            return None;
        }
        let ending = file.rsplit('.').next().unwrap_or_default().to_lowercase();
        let read = match ending.as_str() {
            "csv" => "read_csv",
            "parquet" => "read_parquet",
            "xlsx" | "ods" => "read_excel",
            _ => return None,
        };
        let quoted = |text: &str| Value::from(text).to_string();
        let mut lines =
            vec!["import pandas as pd".to_owned(), "import separa".to_owned(), String::new()];
        lines.push(format!("table = pd.{read}({})", quoted(file)));
        let aside = self.id.iter().chain(&self.truth);
        let gone: Vec<String> =
            self.drop.iter().chain(&self.text).chain(aside).map(|name| quoted(name)).collect();
        if !gone.is_empty() {
            lines.push(format!("table = table.drop(columns=[{}])", gone.join(", ")));
        }
        let k = self.k.map_or("\"auto\"".to_owned(), |k| k.to_string());
        let mut call = vec!["table".to_owned()];
        call.extend(self.method.iter().map(|name| format!("method={}", quoted(name))));
        call.push(format!("n_clusters={k}"));
        call.extend(self.scaling.iter().map(|scaling| format!("scaling={}", quoted(scaling))));
        call.push(format!("random_state={}", self.seed));
        lines.push(format!("model = separa.fit({})", call.join(", ")));
        lines.push("print(model.verdict_)".to_owned());
        lines.push("labels = model.labels_\n".to_owned());
        Some(lines.join("\n"))
    }

    /// The options that these words stand for.
    pub fn args(&self, file: &str) -> Result<Box<ClusterArgs>> {
        let words = std::iter::once("separa".to_owned()).chain(self.words(file)?);
        match Cli::try_parse_from(words).map(|cli| cli.command) {
            Ok(Command::Cluster(args)) => Ok(args),
            Ok(_) => unreachable!("the first word is cluster"),
            Err(said) => {
                let text = said.to_string();
                let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
                Err(Failure::new(first.to_owned()))
            }
        }
    }
}

/// A file's name that is no option.
fn file_word(file: &str) -> String {
    if file.starts_with('-') { format!("./{file}") } else { file.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_that_a_shell_takes() {
        let choices = Choices {
            k: Some(3),
            method: Some("kmeans".into()),
            drop: vec!["a b".into(), "-x".into()],
            truth: Some("c".into()),
            ..Choices::default()
        };
        let command = choices.command("-my table.csv", &[(1, "big ones".into())]).unwrap();
        assert_eq!(
            command,
            "separa cluster './-my table.csv' --clusters=3 --method=kmeans --truth=c '--drop=a b,-x' \
             --names='1=big ones' -o labels.csv --model rule.separa"
        );
        let args = choices.args("-my table.csv").unwrap();
        assert_eq!(args.columns.drop, ["a b", "-x"]);
        let comma = Choices { drop: vec!["a,b".into()], ..Choices::default() };
        assert!(comma.words("t.csv").is_err());
        let strange = Choices { missing: Some("sometimes".into()), ..Choices::default() };
        assert!(strange.args("t.csv").is_err());
    }

    #[test]
    fn code_quotes_what_a_table_may_hold() {
        let choices = Choices { drop: vec!["\"); import os".into()], ..Choices::default() };
        let code = choices.python("t.csv").unwrap();
        assert!(code.contains(r#"columns=["\"); import os"]"#), "{code}");
        assert_eq!(choices.python("t.sqlite"), None);
        let typed = Choices { date: vec!["day".into()], ..Choices::default() };
        assert_eq!(typed.python("t.csv"), None);
    }
}
