//! How to use the rule and how to get the same again.

use crate::html::Html;

/// Commands and file names of a run.
#[derive(Debug, Clone, Default)]
pub struct Apply<'a> {
    /// What was typed or called, where that is known.
    pub command: Option<String>,
    /// The model file, where one was written.
    pub model: Option<&'a str>,
    /// What was written besides: what it is, and where.
    pub written: Vec<(&'static str, String)>,
    /// Options that name bags or sequences, as the command line takes them.
    pub options: String,
}

/// The file that is named where no model was written.
const UNWRITTEN: &str = "rule.separa";

impl Apply<'_> {
    pub fn section(&self) -> Html {
        let model = self.model.unwrap_or(UNWRITTEN);
        let mut html = Html::new();
        match self.model {
            Some(_) => html.raw("<p>The rule labels rows that it has never seen:</p>"),
            None => html.raw(
                "<p>The rule labels rows that it has never seen. No model file was written with this page: add \
                 <code>--model rule.separa</code> to the command, or call <code>separa.save(model, \
                 \"rule.separa\")</code>. Then:</p>",
            ),
        };
        let shell =
            format!("separa predict {} NEW.csv{} -o labels.csv", shell_word(model), self.options);
        // JSON's strings are Python's, but Rust's are not.
        let quoted = serde_json::Value::from(model).to_string();
        let python =
            format!("import separa\n\nmodel = separa.load({quoted})\nlabels = model.predict(X)");
        let rust = format!(
            "let saved = separa::model_file::from_bytes(&std::fs::read({model:?})?)?;\nlet labels = \
             saved.model.predict(x)?;"
        );
        for (name, code) in [("Command line", shell), ("Python", python), ("Rust", rust)] {
            html.raw("<h3>").raw(name).raw("</h3>").add(&code_block(&code));
        }
        if !self.written.is_empty() {
            html.raw("<p>Written beside this page:</p><ul>");
            for (what, path) in &self.written {
                html.raw("<li>").raw(what).raw(": <code>").text(path).raw("</code></li>");
            }
            html.raw("</ul>");
        }
        html
    }

    /// The command that gives the same page again.
    pub fn again(&self) -> Html {
        let mut html = Html::new();
        if let Some(command) = &self.command {
            html.raw("<p>This page again:</p>").add(&code_block(command));
        }
        html
    }
}

fn code_block(code: &str) -> Html {
    let mut html = Html::new();
    html.raw("<pre tabindex=\"0\"><code>").text(code).raw("</code></pre>");
    html
}

/// A word as a shell takes it.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-.,+:@%/=".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_quoted_in_every_language() {
        let apply = Apply { model: Some("my \"best\" rule's.separa"), ..Apply::default() };
        let html = apply.section().into_string();
        for part in [
            "separa predict &#39;my &quot;best&quot; rule&#39;\\&#39;&#39;s.separa&#39; NEW.csv",
            "separa.load(&quot;my \\&quot;best\\&quot; rule&#39;s.separa&quot;)",
            "std::fs::read(&quot;my \\&quot;best\\&quot; rule&#39;s.separa&quot;)",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
    }

    #[test]
    fn names_that_rust_escapes_are_python_too() {
        // An acute that stands alone: {:?} of Rust writes \u{301}, which Python does not read.
        let apply = Apply { model: Some("cafe\u{301}.separa"), ..Apply::default() };
        let html = apply.section().into_string();
        assert!(html.contains("separa.load(&quot;cafe\u{301}.separa&quot;)"), "{html}");
    }
}
