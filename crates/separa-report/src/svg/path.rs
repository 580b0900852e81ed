//! Outlines and marks, written shortly: thousands of points stand in one path.

use crate::html::Html;

/// The `d` of a path.
#[derive(Debug, Clone, Default)]
pub struct Path(Html);

/// The outline of an outlier, after a move to its middle.
pub const CROSS: &str = "m-2.5-2.5l5 5m0-5l-5 5";

/// How a point of a cluster looks: colours repeat after eight clusters, shapes after thirty-two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Round.
    Dot,
    /// Four sides.
    Square,
    /// Three sides.
    Triangle,
    /// A square on its corner.
    Diamond,
}

impl Mark {
    /// The mark of a cluster.
    pub fn of(cluster: usize) -> Self {
        [Self::Dot, Self::Square, Self::Triangle, Self::Diamond]
            [(cluster + cluster / super::palette::COUNT) % 4]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::Square => "square",
            Self::Triangle => "triangle",
            Self::Diamond => "diamond",
        }
    }

    /// What it is drawn with: a dot is stroked, the others are filled.
    pub fn class(self) -> &'static str {
        if self == Self::Dot { "dots" } else { "marks" }
    }

    /// The outline after a move to its middle; a dot is the round end of a line without length.
    pub fn outline(self) -> &'static str {
        match self {
            Self::Dot => "h0",
            Self::Square => "m-2-2h4v4h-4z",
            Self::Triangle => "m0-3l3 5h-6z",
            Self::Diamond => "m0-3l3 3-3 3-3-3z",
        }
    }
}

impl Path {
    /// Moves without drawing.
    pub fn to(&mut self, at: (f64, f64)) -> &mut Self {
        self.place("M", at)
    }

    /// Draws a line.
    pub fn line(&mut self, at: (f64, f64)) -> &mut Self {
        self.place("L", at)
    }

    /// Draws a mark.
    pub fn mark(&mut self, at: (f64, f64), mark: Mark) -> &mut Self {
        self.outline(at, mark.outline())
    }

    /// Draws the mark of an outlier.
    pub fn cross(&mut self, at: (f64, f64)) -> &mut Self {
        self.outline(at, CROSS)
    }

    fn outline(&mut self, at: (f64, f64), outline: &'static str) -> &mut Self {
        // A tenth of a unit is finer than any screen.
        let round = |v: f64| (v * 10.0).round() / 10.0;
        self.to((round(at.0), round(at.1)));
        self.0.raw(outline);
        self
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn html(&self) -> &Html {
        &self.0
    }

    fn place(&mut self, letter: &'static str, at: (f64, f64)) -> &mut Self {
        self.0.raw(letter).number(at.0).raw(" ").number(at.1);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_short() {
        let mut path = Path::default();
        path.mark((12.34, 5.0), Mark::Dot).mark((0.0, -1.27), Mark::Square);
        assert_eq!(path.html().as_str(), "M12.3 5h0M0 -1.3m-2-2h4v4h-4z");
    }

    #[test]
    fn clusters_differ_in_colour_or_shape_up_to_forty_eight() {
        let look = |c: usize| (c % crate::svg::palette::COUNT, Mark::of(c).outline());
        let mut seen: Vec<_> = (0..48).map(look).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 48);
    }
}
