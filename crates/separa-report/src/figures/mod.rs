//! One file a figure: numbers in, a drawing with a sentence for those who do not see it out.

pub mod bounds;
pub mod distribution;
pub mod histogram;
pub mod kinship;
pub mod map;
pub mod pairs;
pub mod regions;
pub mod roc;
pub mod separation;
pub mod standing;
pub mod trace;
pub mod tree;

use crate::html::Html;

/// A drawing with its caption.
pub fn figure(drawing: &Html, caption: &str) -> Html {
    let mut html = Html::new();
    html.raw("<figure>")
        .add(drawing)
        .raw("<figcaption>")
        .text(caption)
        .raw("</figcaption></figure>");
    html
}
