//! A hint to the method that suits a table, by what the table looks like.
//!
//! What suits what was measured (docs/methods): `cdsk` on pixels, `spectral` and `kmeans` on words, `logistic` where 0/1
//! columns stand beside measurements, `mspc` and `logistic` on few rows. A comparison on the table itself proves it.

use crate::any_method::AnyMethod;
use crate::data::Dataset;
use crate::note::{Note, Remedy, codes};
use separa_math::matrix::Rows;

/// No other method is hinted at where so many of the rows left out of the fit get the same cluster.
pub(super) const CLEAR: f64 = 0.9;
/// Rows that are looked at: every so many of the table.
const SAMPLE: usize = 500;

/// What a table looks like, and the methods that suit such tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suggested {
    /// What it looks like, e.g. "pixels (many columns of one range)".
    pub kind: &'static str,
    /// The methods by name, the best first.
    pub methods: &'static [&'static str],
}

/// The methods that suit a table of features, if it looks like something that some methods suit better than others.
///
/// ```
/// let rows: Vec<[f64; 2]> = (0..20).map(|i| [f64::from(i % 2) * 9.0, f64::from(i)]).collect();
/// let short = separa::AsRows::with_rows(&rows, |data| Ok(separa::suggested(data)))?;
/// assert_eq!(short.unwrap().methods, ["mspc", "logistic"]);
/// # Ok::<(), separa::Error>(())
/// ```
pub fn suggested(data: &Dataset<'_>) -> Option<Suggested> {
    if data.grouping().is_some() {
        return None;
    }
    let looks = Looks::of(data);
    let (kind, methods): (&str, &[&str]) = if looks.is_text() {
        ("words (many columns, nearly all entries 0)", &["spectral", "kmeans"])
    } else if looks.is_pixels() {
        ("pixels (many columns of one range)", &["cdsk"])
    } else if looks.is_mixed() {
        ("mixed types (many 0/1 columns and measurements)", &["logistic"])
    } else if looks.is_short() {
        ("a short table (fewer than 30 rows)", &["mspc", "logistic"])
    } else {
        return None;
    };
    Some(Suggested { kind, methods })
}

/// The note, if the table looks like something that another method suits.
pub(crate) fn hint(data: &Dataset<'_>, asked: &dyn AnyMethod) -> Option<Note> {
    let suits = |found: &Suggested| found.methods.contains(&asked.entry().name);
    let found = suggested(data).filter(|found| !asked.is_precomputed() && !suits(found))?;
    let methods = found.methods.iter().map(|name| (*name).to_owned()).collect();
    let said = format!("this looks like {}, which another method can suit better", found.kind);
    Some(Note::notice(codes::METHOD_HINT, said).with(Remedy::TryMethods { methods }))
}

/// What a sample of the rows shows.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Looks {
    n: usize,
    d: usize,
    /// The fraction of entries that are 0.
    zeros: f64,
    /// Columns that hold 0 and 1 and nothing else.
    binary: usize,
    /// The fraction of columns that begin at the smallest value of all and reach half of the whole range.
    alike: f64,
}

impl Looks {
    fn of(data: &Dataset<'_>) -> Self {
        let (n, d) = (data.n(), data.d());
        let step = n.div_ceil(SAMPLE).max(1);
        let (mut row, mut seen) = (vec![0.0; d], 0usize);
        let (mut low, mut high) = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
        let (mut plain, mut zeros) = (vec![true; d], 0usize);
        for i in (0..n).step_by(step) {
            data.x().copy_row(i, &mut row);
            seen += d;
            for (j, &v) in row.iter().enumerate() {
                (low[j], high[j]) = (low[j].min(v), high[j].max(v));
                plain[j] &= v == 0.0 || v == 1.0;
                zeros += usize::from(v == 0.0);
            }
        }
        let floor = low.iter().copied().fold(f64::INFINITY, f64::min);
        let range = high.iter().copied().fold(f64::NEG_INFINITY, f64::max) - floor;
        let alike = (0..d).filter(|&j| low[j] == floor && high[j] - floor >= 0.5 * range);
        Self {
            n,
            d,
            zeros: zeros as f64 / seen.max(1) as f64,
            alike: alike.count() as f64 / d.max(1) as f64,
            binary: (0..d).filter(|&j| plain[j] && low[j] < high[j]).count(),
        }
    }

    fn is_text(&self) -> bool {
        self.d > 100 && self.zeros > 0.9
    }

    /// The corners of images are often constant.
    fn is_pixels(&self) -> bool {
        self.d > 50 && self.alike >= 0.5 && 2 * self.binary < self.d
    }

    fn is_mixed(&self) -> bool {
        self.binary >= 3 && 3 * self.binary >= self.d && self.binary < self.d
    }

    fn is_short(&self) -> bool {
        self.n < 30
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use separa_math::matrix::{Dense, DenseRef};
    use separa_testkit::clouds::Source;

    fn methods_of(x: &Dense, asked: &str) -> Option<Vec<String>> {
        let asked = (registry::find(asked).unwrap().parse)(&Default::default()).unwrap();
        let rows = DenseRef::new(x.rows(), x.cols(), x.data()).unwrap();
        let note = hint(&Dataset::new(rows.into()).unwrap(), asked.as_ref())?;
        assert_eq!((note.code.as_ref(), note.is_warning()), (codes::METHOD_HINT, false));
        match note.remedy {
            Some(Remedy::TryMethods { methods }) => Some(methods),
            other => panic!("{other:?}"),
        }
    }

    fn table(n: usize, d: usize, mut entry: impl FnMut(&mut Source, usize) -> f64) -> Dense {
        let mut source = Source::new(1);
        let values = (0..n * d).map(|at| entry(&mut source, at % d)).collect();
        Dense::from_vec(n, d, values).unwrap()
    }

    #[test]
    fn the_method_that_suits_a_table_is_named_unless_it_was_asked_for() {
        let words = table(600, 200, |s, _| if s.uniform() < 0.05 { s.uniform() } else { 0.0 });
        let pixels = table(600, 64, |s, j| if j < 12 { 0.0 } else { s.below(17) as f64 });
        let mixed = table(300, 7, |s, j| if j < 4 { s.below(2) as f64 } else { s.normal() });
        let short = table(29, 3, |s, _| s.normal());
        for (x, named) in [
            (&words, vec!["spectral", "kmeans"]),
            (&pixels, vec!["cdsk"]),
            (&mixed, vec!["logistic"]),
            (&short, vec!["mspc", "logistic"]),
        ] {
            assert_eq!(methods_of(x, "armc").unwrap(), named);
            assert_eq!(methods_of(x, named[0]), None);
        }
    }

    #[test]
    fn measurements_one_hot_codes_alone_and_few_like_columns_are_no_reason_for_a_hint() {
        for x in [
            table(400, 60, |s, _| s.normal()),
            table(400, 60, |s, j| s.uniform() * 10f64.powi(j as i32 % 7)),
            table(400, 8, |s, _| s.below(17) as f64),
            table(400, 6, |s, _| s.below(2) as f64),
            table(400, 80, |s, _| f64::from(u8::from(s.uniform() < 0.3))),
            table(30, 3, |s, _| s.normal()),
        ] {
            assert_eq!(methods_of(&x, "armc"), None, "{} columns", x.cols());
        }
    }
}
