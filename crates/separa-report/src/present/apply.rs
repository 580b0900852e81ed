//! How to use the model, and what was written.

use crate::document::{Block, On, Section, Table};

/// Commands and file names of a run.
#[derive(Debug, Clone, Default)]
pub struct Apply<'a> {
    /// What was typed, if anything was.
    pub command: Option<String>,
    /// The model file, if one was written.
    pub model: Option<&'a str>,
    /// The command that labels new rows, as a shell takes it, if it is known.
    pub predict: Option<String>,
    /// What was written: what it is, and where.
    pub written: Vec<(&'static str, String)>,
    /// Commands to try next.
    pub next: Vec<String>,
}

/// The file that is named where no model was written.
const UNWRITTEN: &str = "rule.separa";

impl Apply<'_> {
    /// The model at work in a shell, in Python and in Rust.
    pub(crate) fn section(&self) -> Section {
        let model = self.model.unwrap_or(UNWRITTEN);
        let mut section = Section::new("apply", "Apply the model");
        section.say(
            On::Page,
            match self.model {
                Some(_) => "The model labels rows that it has never seen:",
                None => {
                    "The model labels rows that it has never seen. No model file was written with this page: add \
                     `--model rule.separa` to the command, or call `separa.save(model, \"rule.separa\")`. Then:"
                }
            },
        );
        let shell = self.predict.clone().unwrap_or(format!("separa predict {UNWRITTEN} NEW.csv"));
        // JSON's strings are Python's, but Rust's are not.
        let quoted = serde_json::Value::from(model).to_string();
        let python =
            format!("import separa\n\nmodel = separa.load({quoted})\nlabels = model.predict(X)");
        let rust = format!(
            "let saved = separa::model_file::from_bytes(&std::fs::read({model:?})?)?;\nlet labels = \
             saved.model.predict(x)?;"
        );
        let shell = format!("{shell} -o labels.csv");
        for (title, code) in [("Command line", shell), ("Python", python), ("Rust", rust)] {
            section.add(On::Page, Block::Code { title, code });
        }
        if !self.written.is_empty() {
            section.add(On::Page, Block::Table(self.written()));
        }
        section
    }

    /// The files, and what a person may want to type after this.
    pub fn closing(&self) -> [Section; 2] {
        let mut written = Section::new("written", "Written");
        if !self.written.is_empty() {
            written.add(On::Terminal, Block::Table(self.written()));
        }
        let mut next = Section::new("next", "Try next");
        if !self.next.is_empty() {
            next.add(On::Terminal, Block::Code { title: "", code: self.next.join("\n") });
        }
        [written, next]
    }

    fn written(&self) -> Table {
        Table::of_pairs("Written with this page", self.written.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::render::page;

    fn html(apply: &Apply<'_>) -> String {
        let mut document = Document::default();
        document.add(apply.section());
        page::render(&document)
    }

    #[test]
    fn file_names_are_quoted_in_every_language() {
        let predict = Some("separa predict 'my \"best\" rule.separa' NEW.csv".to_owned());
        let html =
            html(&Apply { model: Some("my \"best\" rule's.separa"), predict, ..Apply::default() });
        for part in [
            "separa predict &#39;my &quot;best&quot; rule.separa&#39; NEW.csv -o labels.csv",
            "separa.load(&quot;my \\&quot;best\\&quot; rule&#39;s.separa&quot;)",
            "std::fs::read(&quot;my \\&quot;best\\&quot; rule&#39;s.separa&quot;)",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
    }

    #[test]
    fn names_that_rust_escapes_are_python_too() {
        // An acute that stands alone: {:?} of Rust writes \u{301}, which Python does not read.
        let html = html(&Apply { model: Some("cafe\u{301}.separa"), ..Apply::default() });
        assert!(html.contains("separa.load(&quot;cafe\u{301}.separa&quot;)"), "{html}");
    }
}
