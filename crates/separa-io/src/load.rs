//! What a reader hands over, and the steps from there to a [`Prepared`] that are the same for every format.

use crate::columns::Plan;
use crate::error::{Error, Result, shell_word, shown};
use crate::number::for_people;
use crate::options::{Missing, ReadOptions};
use crate::prepared::{Aside, Prepared, Values};
use crate::{encode, missing};

/// The selected columns of a file, before text is encoded and missing values are treated.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub origin: Origin,
    /// Row-major, one column per slot of the plan; NaN where a value is missing, nothing of use in
    /// the columns of text features.
    pub values: Vec<f64>,
    /// Text features: slot and values, where a missing one is a word of [`crate::number::is_missing`].
    pub texts: Vec<(usize, Vec<String>)>,
    pub aside: Vec<Aside>,
    /// The first missing value among the numbers, by row, then by slot.
    pub missing: Option<Cell>,
    pub notices: Vec<String>,
}

/// Which file a row came from.
#[derive(Debug, Default, Clone)]
pub(crate) struct Origin {
    /// Name and number of rows of each file, in order.
    pub files: Vec<(String, usize)>,
}

impl Origin {
    pub fn rows(&self) -> usize {
        self.files.iter().map(|f| f.1).sum()
    }

    /// How messages call the whole input.
    pub fn name(&self) -> String {
        self.files.first().map(|f| f.0.clone()).unwrap_or_default()
    }

    /// File name and row within it, counted from 1, of row `row` of the table.
    pub fn locate(&self, row: usize) -> (String, u64) {
        let mut before = 0;
        for (name, rows) in &self.files {
            if row < before + rows {
                return (name.clone(), (row - before) as u64 + 1);
            }
            before += rows;
        }
        (self.name(), row as u64 + 1)
    }
}

/// A cell that something has to be said about; ordered by row, then column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub row: usize,
    pub slot: usize,
    pub value: String,
}

impl Cell {
    pub fn missing(&self, origin: &Origin, column: &str) -> Error {
        let (file, row) = origin.locate(self.row);
        let what = match self.value.trim() {
            "" => "is empty".to_owned(),
            value => format!("holds \"{}\"", shown(value)),
        };
        Error::Missing { file, row, column: column.to_owned(), what, in_model: false }
    }

    pub fn not_a_number(&self, origin: &Origin, column: &str) -> Error {
        self.number_style(origin, column).unwrap_or_else(|| {
            let Place { file, row, column, value } = self.place(origin, column);
            Error::NotANumber { file, row, column, value, in_model: false }
        })
    }

    pub fn infinite(&self, origin: &Origin, column: &str) -> Error {
        let Place { file, row, column, value } = self.place(origin, column);
        Error::NotFinite { file, row, column, value, in_model: false }
    }

    pub fn big_integer(&self, origin: &Origin, column: &str) -> Error {
        let Place { file, row, column, value } = self.place(origin, column);
        Error::IntegerTooLarge { file, row, column, value, in_model: false }
    }

    pub fn text_column(&self, origin: &Origin, column: &str) -> Error {
        self.number_style(origin, column).unwrap_or_else(|| {
            let Place { file, row, column, value } = self.place(origin, column);
            Error::TextColumn { file, row, column, value, in_model: false }
        })
    }

    /// For a number that is written for people.
    fn number_style(&self, origin: &Origin, column: &str) -> Option<Error> {
        let what = for_people(&self.value)?;
        let Place { file, row, column, value } = self.place(origin, column);
        Some(Error::NumberStyle { file, row, column, value, what })
    }

    fn place(&self, origin: &Origin, column: &str) -> Place {
        let (file, row) = origin.locate(self.row);
        Place { file, row, column: column.to_owned(), value: shown(self.value.trim()) }
    }
}

/// Where a cell is and what it holds, as messages say it.
struct Place {
    file: String,
    row: u64,
    column: String,
    value: String,
}

/// Keeps the smaller of two optional cells: the one a reader of the file would meet first.
pub(crate) fn earlier(a: Option<Cell>, b: Option<Cell>) -> Option<Cell> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Text to indicators, missing values as asked, rows and names in place.
pub(crate) fn finish(mut loaded: Loaded, plan: Plan, options: &ReadOptions) -> Result<Prepared> {
    if options.missing == Missing::Refuse {
        let first = earlier(loaded.missing.take(), encode::first_missing(&loaded.texts));
        if let Some(cell) = first {
            return Err(cell.missing(&loaded.origin, &plan.features[cell.slot].name));
        }
    }
    let mut notices = plan.notices.clone();
    notices.append(&mut loaded.notices);
    let any_missing = loaded.missing.is_some() || encode::first_missing(&loaded.texts).is_some();
    let origin = std::mem::take(&mut loaded.origin);
    let mut aside = std::mem::take(&mut loaded.aside);
    let (names, values) = encode::encode(loaded, plan, &origin, &mut notices)?;
    let mut gaps = missing::Gaps { origin: &origin, names: &names, notices: &mut notices };
    let (values, source_rows) = match options.missing {
        _ if !any_missing => (values, Vec::new()),
        Missing::Mean => (gaps.fill_dense(values)?, Vec::new()),
        Missing::Drop => gaps.drop_dense(values, &mut aside)?,
        Missing::Refuse => unreachable!("a missing value was refused above"),
    };
    let rows = if source_rows.is_empty() { origin.rows() } else { source_rows.len() };
    if options.expect.is_none() {
        notices.extend(row_numbers(&names, &values));
    }
    Ok(Prepared { names, values: Values::Dense(values), rows, aside, source_rows, notices })
}

/// A notice for each column of whole numbers that rise from row to row: most likely it counts the rows.
fn row_numbers(names: &[String], values: &[f64]) -> Vec<String> {
    /// Fewer numbers may rise by chance.
    const FEWEST: usize = 10;
    let width = names.len();
    if width < 2 || values.len() < FEWEST * width {
        return Vec::new();
    }
    let rises = |column: &usize| {
        let whole = |at: usize| values[at].fract() == 0.0;
        let later = (column + width..values.len()).step_by(width);
        whole(*column) && later.into_iter().all(|at| whole(at) && values[at] > values[at - width])
    };
    let say = |column: usize| {
        let (name, word) = (&names[column], shell_word(&names[column]));
        format!(
            "column \"{name}\" counts rows; leave it out with --drop {word} or keep it as --id {word}"
        )
    };
    (0..width).filter(rises).map(say).collect()
}

/// A zeroed row-major matrix, or an error where the allocator would have aborted.
pub(crate) fn allocate(file: &str, rows: usize, columns: usize) -> Result<Vec<f64>> {
    let too_large = || Error::TooLarge { file: file.to_owned(), rows, columns };
    let length = rows.checked_mul(columns).ok_or_else(too_large)?;
    // Probe, then let the operating system hand out zeroed pages as they are first touched.
    Vec::<f64>::new().try_reserve_exact(length).map_err(|_| too_large())?;
    Ok(vec![0.0; length])
}
