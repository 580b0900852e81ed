//! Drawing: a sheet of SVG, scales, axes and colours.

pub mod alone;
pub mod axes;
pub mod palette;
pub mod path;
pub mod scale;

pub use axes::Frame;
pub use path::Path;
pub use scale::Scale;

use crate::html::{Html, shortened};

/// A figure being drawn, in units of which a narrow phone shows two in three pixels.
#[derive(Debug)]
pub struct Sheet {
    html: Html,
}

/// Which point of a text stands where it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Sheet {
    /// `says` is what people hear who do not see it.
    pub fn new(width: f64, height: f64, says: &str) -> Self {
        let mut html = Html::new();
        html.raw("<svg viewBox=\"0 0 ").number(width).raw(" ").number(height);
        html.raw("\" role=\"img\" aria-label=\"").text(says).raw("\">");
        Self { html }
    }

    /// A straight line.
    pub fn line(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        self.begin("<line", class).raw(" x1=\"").number(from.0).raw("\" y1=\"").number(from.1);
        self.html.raw("\" x2=\"").number(to.0).raw("\" y2=\"").number(to.1).raw("\"/>");
    }

    /// A rectangle by two corners.
    pub fn rect(&mut self, class: &'static str, a: (f64, f64), b: (f64, f64)) {
        let (x, y) = (a.0.min(b.0), a.1.min(b.1));
        self.begin("<rect", class).raw(" x=\"").number(x).raw("\" y=\"").number(y);
        self.html.raw("\" width=\"").number((a.0 - b.0).abs());
        self.html.raw("\" height=\"").number((a.1 - b.1).abs()).raw("\"/>");
    }

    /// A square whose strength between 0 and 1 is its colour.
    pub fn shade(&mut self, corners: [(f64, f64); 2], strength: f64, says: &str) {
        self.html.raw("<g opacity=\"").number(strength).raw("\"><title>").text(says);
        self.html.raw("</title>");
        self.rect("shade", corners[0], corners[1]);
        self.html.raw("</g>");
    }

    /// A filled circle.
    pub fn dot(&mut self, class: &'static str, at: (f64, f64), radius: f64) {
        self.begin("<circle", class).raw(" cx=\"").number(at.0).raw("\" cy=\"").number(at.1);
        self.html.raw("\" r=\"").number(radius).raw("\"/>");
    }

    /// The same with what a pointer is told about it.
    pub fn dot_saying(&mut self, class: &'static str, dot: ((f64, f64), f64), says: &str) {
        self.html.raw("<g><title>").text(says).raw("</title>");
        self.dot(class, dot.0, dot.1);
        self.html.raw("</g>");
    }

    /// An outline.
    pub fn path(&mut self, class: &'static str, path: &Path) {
        self.begin("<path", class).raw(" d=\"").add(path.html()).raw("\"/>");
    }

    /// Text of at most `most` characters; a longer one is told in whole to a pointer.
    pub fn label(
        &mut self,
        class: &'static str,
        at: (f64, f64),
        (anchor, most): (Anchor, usize),
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => " text-anchor=\"start\"",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let short = shortened(text, most);
        self.begin("<text", class).raw(" x=\"").number(at.0).raw("\" y=\"").number(at.1);
        self.html.raw("\"").raw(anchor).raw(">").text(&short);
        if short != text {
            self.html.raw("<title>").text(&shortened(text, 1000)).raw("</title>");
        }
        self.html.raw("</text>");
    }

    /// What is drawn by `draw` has one colour: that of cluster `c`.
    pub fn coloured(&mut self, c: usize, draw: impl FnOnce(&mut Self)) {
        self.html.raw("<g class=\"").raw(palette::class(c)).raw("\" data-group=\"").count(c);
        self.html.raw("\">");
        draw(self);
        self.html.raw("</g>");
    }

    /// A part that a script finds by name.
    pub fn part(&mut self, id: &'static str, draw: impl FnOnce(&mut Self)) {
        self.html.raw("<g id=\"").raw(id).raw("\">");
        draw(self);
        self.html.raw("</g>");
    }

    /// The figure.
    pub fn finish(mut self) -> Html {
        self.html.raw("</svg>");
        self.html
    }

    fn begin(&mut self, element: &'static str, class: &'static str) -> &mut Html {
        self.html.raw(element).raw(" class=\"").raw(class).raw("\"")
    }
}
