//! HTML that data cannot break out of.
//!
//! Markup is `&'static str`: only text of this crate can be markup. Everything else goes through
//! [`Html::text`], which escapes it, or is a number.

use std::fmt::Write;

/// A piece of a page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Html(String);

impl Html {
    /// An empty piece.
    pub fn new() -> Self {
        Self::default()
    }

    /// Markup: text of this crate, never of the data.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Any text, within an element or an attribute in double quotes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // Not allowed in HTML, or changes the direction of what follows.
                c if is_control(c) => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    /// A number as it is written in markup: two decimals at most.
    pub fn number(&mut self, value: f64) -> &mut Self {
        let rounded = (value * 100.0).round() / 100.0;
        let rounded = if rounded == 0.0 || !rounded.is_finite() { 0.0 } else { rounded };
        write!(self.0, "{rounded}").expect("strings take everything");
        self
    }

    /// A whole number.
    pub fn count(&mut self, value: usize) -> &mut Self {
        write!(self.0, "{value}").expect("strings take everything");
        self
    }

    /// A name from the data: shortened, its own direction of writing, the whole on hover.
    pub fn name(&mut self, name: &str) -> &mut Self {
        let short = shortened(name, 40);
        if short == name {
            return self.raw("<bdi>").text(name).raw("</bdi>");
        }
        self.raw("<bdi title=\"").text(&shortened(name, 1000)).raw("\">").text(&short).raw("</bdi>")
    }

    /// Another piece.
    pub fn add(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// JSON for a script to read: no `<` can end the element.
    pub fn json(&mut self, value: &serde_json::Value) -> &mut Self {
        for c in value.to_string().chars() {
            match c {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    write!(self.0, "\\u{:04x}", c as u32).expect("strings take everything");
                }
                c => self.0.push(c),
            }
        }
        self
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its text.
    pub fn into_string(self) -> String {
        self.0
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The start and the end: names that begin alike differ there.
pub fn shortened(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let mut end = most.saturating_sub(1) / 2;
    // A word that would lose three letters or fewer stays whole at the end: 2024 is not 024.
    let word = |letter: &&char| letter.is_alphanumeric();
    let cut = letters.len() - end;
    let lost = letters[..cut].iter().rev().take_while(word).count();
    if lost <= 3 && lost < end && letters[cut..].first().is_some_and(|c| c.is_alphanumeric()) {
        end += lost;
    }
    let start = most.saturating_sub(1 + end);
    let kept = letters[..start].iter().chain(&['…']);
    kept.chain(&letters[letters.len() - end..]).collect()
}

/// Whether a character steers what shows it instead of being shown: pages and terminals replace it.
pub fn is_control(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn markup_in_text_stays_text() {
        let mut html = Html::new();
        html.text("<script>alert('x')</script>&\"\u{0}\u{202e}");
        let wanted = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\u{fffd}\u{fffd}";
        assert_eq!(html.as_str(), wanted);
    }

    #[test]
    fn json_cannot_end_its_script() {
        let value = json!({"</script><!--": "a\u{2028}&b"});
        let mut html = Html::new();
        html.json(&value);
        assert!(!html.as_str().contains('<') && !html.as_str().contains('\u{2028}'));
        assert_eq!(serde_json::from_str::<serde_json::Value>(html.as_str()).unwrap(), value);
    }

    #[test]
    fn numbers_are_short_and_never_words() {
        let shown = |v| Html::new().number(v).clone().into_string();
        assert_eq!(shown(1.0), "1");
        assert_eq!(shown(-0.001), "0");
        assert_eq!(shown(12.3456), "12.35");
        assert_eq!(shown(f64::NAN), "0");
    }

    #[test]
    fn clipped_names_keep_both_ends() {
        assert_eq!(shortened("red soil", 8), "red soil");
        assert_eq!(shortened("very damp grey soil", 8), "ver…soil");
        assert_eq!(
            shortened("Number of support requests, 2024 (north)", 24),
            "Number of s…2024 (north)"
        );
        assert_eq!(shortened("color_intensity", 14), "colo…intensity");
        assert_eq!(shortened("damp", 2), "d…");
        assert_eq!(shortened("damp", 1), "…");
    }

    #[test]
    fn long_names_are_shortened_with_the_whole_at_hand() {
        let mut html = Html::new();
        html.name(&"x".repeat(2000));
        assert!(html.as_str().chars().count() < 1100);
        assert!(html.as_str().contains("x…x"));
    }

    proptest! {
        #[test]
        fn no_text_opens_a_tag_or_leaves_an_attribute(text in "\\PC{0,60}") {
            let mut html = Html::new();
            html.text(&text);
            prop_assert!(!html.as_str().contains(['<', '>', '"', '\'']));
        }
    }
}
