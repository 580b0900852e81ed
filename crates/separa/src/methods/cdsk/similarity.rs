//! Similarities by name: how rows are seen, and what joins two of them.

use crate::error::nearest_name;
use std::fmt;

/// How rows are seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lens {
    /// Along principal axes, of length one: the cosine of centred rows.
    Cosine,
    /// The same with axis j divided by λⱼ^¼.
    Half,
    /// As they are.
    Raw,
}

/// What joins two rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// min(w, wᵀ) + share·max(w, wᵀ), w = exp(−d²/(sᵢsⱼ)) on the edges to the k nearest.
    Blend { k: usize, share: f64 },
    /// As `Blend` with a fraction of 0.1, w Jaccard's index of the two lists of k nearest.
    Shared { k: usize },
    /// exp(−d²/(sᵢsⱼ)) of all pairs, s the distance to the k-th nearest.
    SelfTuned { k: usize },
    /// exp(−gamma·d²) of all pairs.
    Rbf,
    /// |c| + |cᵀ| with c the coefficients of each row as a sum of at most `most` others.
    Pursuit { most: usize },
    /// Shared weights over near landmarks.
    Landmark,
}

/// A similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Similarity {
    /// The best of a portfolio.
    Auto,
    /// The table itself.
    Given,
    Of(Lens, Form),
}

pub(super) const EXPECTED: &str = "auto, precomputed, rbf, self-expression, landmark, or a metric and a graph such as h-x7 (metrics c, h, raw; graphs x7, m7, snn10, st7)";

/// The fractions of `x` and `m` graphs.
pub(super) const X: f64 = 0.1;
const M: f64 = 0.001;
/// Rows that express another at most.
const PURSUIT: usize = 10;

/// What `auto` chooses from, rows that are seen alike side by side.
pub(super) const PORTFOLIO: [Similarity; 6] = [
    Similarity::Of(Lens::Cosine, Form::Blend { k: 4, share: X }),
    Similarity::Of(Lens::Cosine, Form::Blend { k: 7, share: X }),
    Similarity::Of(Lens::Half, Form::Blend { k: 4, share: X }),
    Similarity::Of(Lens::Half, Form::Blend { k: 7, share: X }),
    Similarity::Of(Lens::Raw, Form::SelfTuned { k: 7 }),
    Similarity::Of(Lens::Raw, Form::Blend { k: 7, share: M }),
];

impl Similarity {
    /// The similarity of this name, or the name that was perhaps meant.
    pub fn parse(name: &str) -> Result<Self, Option<String>> {
        match name {
            "auto" => return Ok(Self::Auto),
            "precomputed" => return Ok(Self::Given),
            _ => {}
        }
        let (lens, form) = match name.split_once('-').filter(|(lens, _)| lens_of(lens).is_some()) {
            Some((lens, form)) => (lens_of(lens), form),
            None => (None, name),
        };
        match form_of(form) {
            // Pairs of all rows see them as they are; directions and anchors need axes.
            Some(form) if lens != Some(Lens::Raw) || !matches!(form, Form::Pursuit { .. }) => {
                Ok(Self::Of(lens.unwrap_or(form.own_lens()), form))
            }
            // Rows of other lengths than one express others by their length, not their direction.
            _ => Err(nearest_name(name, names().iter().map(String::as_str))),
        }
    }

    /// Whether no eigenvalue of it can be negative.
    pub fn semidefinite(self) -> bool {
        matches!(self, Self::Of(_, Form::Rbf | Form::Landmark))
    }

    /// Whether rows are joined through landmarks.
    pub fn has_landmarks(self) -> bool {
        matches!(self, Self::Of(_, Form::Landmark))
    }

    /// Whether it holds a number for every pair of rows.
    pub fn dense(self) -> bool {
        matches!(self, Self::Of(_, Form::SelfTuned { .. } | Form::Rbf))
    }
}

impl Form {
    pub fn own_lens(self) -> Lens {
        match self {
            Self::Rbf | Self::SelfTuned { .. } => Lens::Raw,
            _ => Lens::Cosine,
        }
    }

    /// Neighbours that it needs.
    pub fn neighbours(self) -> usize {
        match self {
            Self::Blend { k, .. } | Self::Shared { k } | Self::SelfTuned { k } => k,
            _ => 0,
        }
    }
}

fn lens_of(name: &str) -> Option<Lens> {
    match name {
        "c" => Some(Lens::Cosine),
        "h" => Some(Lens::Half),
        "raw" => Some(Lens::Raw),
        _ => None,
    }
}

fn form_of(name: &str) -> Option<Form> {
    match name {
        "rbf" => return Some(Form::Rbf),
        "landmark" => return Some(Form::Landmark),
        "self-expression" => return Some(Form::Pursuit { most: PURSUIT }),
        _ => {}
    }
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let k = name[at..].parse().ok().filter(|k| (1..=1000).contains(k))?;
    match &name[..at] {
        "x" => Some(Form::Blend { k, share: X }),
        "m" => Some(Form::Blend { k, share: M }),
        "snn" => Some(Form::Shared { k }),
        "st" => Some(Form::SelfTuned { k }),
        _ => None,
    }
}

/// Names to compare a slip with.
fn names() -> Vec<String> {
    let mut names: Vec<String> =
        ["auto", "precomputed", "rbf", "self-expression", "landmark"].map(String::from).into();
    for lens in ["c", "h", "raw"] {
        for form in ["x7", "m7", "snn10", "st7"] {
            names.push(format!("{lens}-{form}"));
        }
    }
    names
}

impl fmt::Display for Similarity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Of(lens, form) = self else {
            return f.write_str(if *self == Self::Auto { "auto" } else { "precomputed" });
        };
        let lens_name = match lens {
            Lens::Cosine => "c",
            Lens::Half => "h",
            Lens::Raw => "raw",
        };
        let named = matches!(form, Form::Rbf | Form::Pursuit { .. } | Form::Landmark);
        if !named || *lens != form.own_lens() {
            write!(f, "{lens_name}-")?;
        }
        match form {
            Form::Blend { k, share } if *share == X => write!(f, "x{k}"),
            Form::Blend { k, .. } => write!(f, "m{k}"),
            Form::Shared { k } => write!(f, "snn{k}"),
            Form::SelfTuned { k } => write!(f, "st{k}"),
            Form::Rbf => f.write_str("rbf"),
            Form::Pursuit { .. } => f.write_str("self-expression"),
            Form::Landmark => f.write_str("landmark"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written_alike_and_slips_are_recognised() {
        for name in [
            "auto",
            "precomputed",
            "rbf",
            "h-rbf",
            "self-expression",
            "h-self-expression",
            "landmark",
            "h-landmark",
            "c-x7",
            "h-x7",
            "raw-st7",
            "c-snn10",
            "h-m15",
            "raw-m7",
        ] {
            assert_eq!(Similarity::parse(name).unwrap().to_string(), name);
        }
        assert_eq!(Similarity::parse("x7").unwrap().to_string(), "c-x7");
        assert_eq!(Similarity::parse("c_x7").unwrap_err().as_deref(), Some("c-x7"));
        assert_eq!(Similarity::parse("landmarks").unwrap_err().as_deref(), Some("landmark"));
        for bad in
            ["", "c-", "c-x", "c-x0", "q-x7", "snn", "x7-c", "c-x99999", "raw-self-expression"]
        {
            assert!(Similarity::parse(bad).is_err(), "{bad}");
        }
    }
}
