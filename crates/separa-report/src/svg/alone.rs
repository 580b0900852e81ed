//! A figure as a file of its own, for documents.

use super::palette;
use crate::html::Html;

const STYLE: &str = include_str!("../assets/figures.css");

/// Colours and what figures are drawn with; for light and for dark paper.
pub fn style() -> Html {
    let mut html = Html::new();
    html.raw(":root{").text(&palette::properties(&palette::LIGHT)).raw("--paper:");
    html.text(palette::LIGHT_PAPER).raw("}\n@media screen and (prefers-color-scheme:dark){:root{");
    html.text(&palette::properties(&palette::DARK)).raw("--paper:").text(palette::DARK_PAPER);
    html.raw("}}\n").raw(STYLE);
    html
}

/// The figure with its style, its paper and its name space.
pub fn standalone(figure: &Html) -> String {
    let mut head = Html::new();
    head.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" ");
    let (tag, rest) = figure.as_str().split_once('>').unwrap_or_default();
    let attributes = tag.trim_start_matches("<svg ");
    let mut style = Html::new();
    style.raw("<style>").add(&self::style()).raw("svg{background:var(--paper)}</style>");
    format!("{}{attributes}>{}{rest}\n", head.as_str(), style.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::Sheet;

    #[test]
    fn a_figure_stands_alone() {
        let mut sheet = Sheet::new(10.0, 20.0, "a > b");
        sheet.dot("stop", (1.0, 2.0), 3.0);
        let text = standalone(&sheet.finish());
        assert!(text.starts_with("<svg xmlns="), "{text}");
        assert!(text.contains("viewBox=\"0 0 10 20\"") && text.contains("a &gt; b"));
        assert!(text.trim_end().ends_with("</svg>") && text.contains("--g0:#"));
    }
}
