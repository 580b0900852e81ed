//! Where rows lie for the eye: a sample of them, axes to draw them along, the margin of each.
//!
//! Numbers to draw, and no drawing: whoever shows a clustering asks [`View::of`] once. What it costs does not
//! grow with the table: a few thousand rows are looked at, fewer where they are wide. Only the decision values
//! of a linear rule, which are cheap, are those of all rows.

mod axes;
mod columns;
mod directions;
mod map;
mod plane;
mod rows;
mod sample;

pub use axes::{Axis, AxisKind};
pub use columns::{ColumnView, Spread};
pub use map::Map;
pub use plane::{RegionPlot, Regions, range, widened};
pub use rows::{Decided, RowLine, leading_scores};

use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model::{Labels, Model};
use columns::RobustColumns;
use separa_math::matrix::{Dense, pick};

/// Rows that are drawn at most, but for small clusters that would be lost.
const MOST: usize = 2_500;
/// Values of the table that are looked at at most.
const VALUES: usize = 3_000_000;
const FEWEST: usize = 400;
/// Rows whose decision values are computed for a glance, and bags that are drawn: a rule may be as dear as a fit.
const FEW: usize = 500;
/// Columns that are shown.
const COLUMNS: usize = 10;
/// Decision values of a linear rule that are computed for all rows.
const DECISIONS: usize = 4_000_000;

/// What to show.
#[derive(Debug, Clone, Copy)]
pub struct ViewOptions<'a> {
    /// Of the rows that are drawn.
    pub seed: u64,
    /// Whether columns are features; those of bags and of tables of pairs are not.
    pub features: bool,
    /// Whether the boundaries of the clusters are flat in the columns.
    pub flat: bool,
    /// Columns to show, the most telling first; none for those along which the clusters differ most.
    pub columns: Option<&'a [usize]>,
}

/// A clustering, ready to be drawn.
#[derive(Debug, Clone)]
pub struct View {
    /// How many rows (or bags) there are.
    pub n: usize,
    /// Those that are drawn, by their place, ascending.
    pub rows: Vec<usize>,
    /// Their clusters.
    pub labels: Labels,
    /// Across, up, and others to choose from; a value for each row that is drawn.
    pub axes: Vec<Axis>,
    /// What a curved rule says everywhere, where the first two axes are the table's only columns.
    pub regions: Option<Regions>,
    /// Margins of rows; empty for one cluster.
    pub decided: Decided,
    /// The columns along which the clusters differ most.
    pub columns: Vec<ColumnView>,
    /// Rows from the middle of each cluster.
    pub typical: Vec<RowLine>,
    /// Rows that another cluster nearly had, the closest call first.
    pub borderline: Vec<RowLine>,
}

impl View {
    /// Looks at `data` as `model` clusters it; `labels` are those of all its rows (or bags).
    pub fn of(
        data: &Dataset<'_>,
        labels: &[i32],
        model: &dyn Model,
        options: &ViewOptions<'_>,
    ) -> Result<Self> {
        if labels.len() != data.n() {
            let (found, expected) = (labels.len(), data.n());
            return Err(Error::Length { what: "labels", found, expected, of: data.things() });
        }
        let k = model.n_clusters();
        let features = options.features && data.bags().is_none();
        let most = match (features, data.bags()) {
            (true, _) => (VALUES / data.d()).clamp(FEWEST, MOST),
            (false, Some(_)) => FEW,
            (false, None) => MOST,
        };
        let rows = sample::draw(labels, k, most, options.seed);
        let drawn: Labels = rows.iter().map(|&i| labels[i]).collect();
        let (decided, scores) = rows::decide(data, labels, model, &rows)?;
        let raw = if features { pick(&data.x(), &rows) } else { scores.clone() };
        let z = RobustColumns::of(&raw);
        let shown = match (features, options.columns) {
            (false, _) => Vec::new(),
            (true, Some(columns)) => columns.iter().copied().take(COLUMNS).collect(),
            (true, None) => columns::telling(&z, &drawn, k, COLUMNS),
        };
        let table = axes::AxisInput { raw: &raw, z: &z.rows, labels: &drawn, k, scores: &scores };
        let axes = axes::choose(&table, &shown, features, options)?;
        let planar = features && data.d() == 2 && !options.flat && k > 1;
        let regions = match planar && data.grouping().is_none() {
            true => {
                let [x, y] = [0, 1].map(|i| axes[i].values.iter().copied());
                Regions::of(&x.zip(y).collect::<Vec<_>>(), model).ok()
            }
            false => None,
        };
        let lines = rows::Lines { data, labels, decided: &decided, shown: &shown };
        Ok(Self {
            n: data.n(),
            axes,
            regions,
            columns: columns::spreads(&raw, &drawn, k, &shown),
            typical: lines.typical(&rows, &z.rows, k),
            borderline: lines.borderline(),
            labels: drawn,
            rows,
            decided,
        })
    }

    /// Whether every row is drawn.
    pub fn whole(&self) -> bool {
        self.rows.len() == self.n
    }
}

/// Margins of rows, alone: of all rows where that is cheap, else of a sample.
pub fn decided(
    data: &Dataset<'_>,
    labels: &[i32],
    model: &dyn Model,
    seed: u64,
) -> Result<Decided> {
    let most = if model.linear().is_some() { MOST } else { FEW };
    let rows = sample::draw(labels, model.n_clusters(), most, seed);
    Ok(rows::decide(data, labels, model, &rows)?.0)
}

/// The mean of each cluster's rows, and how many it has.
fn group_means(z: &Dense, labels: &[i32], k: usize) -> (Dense, Vec<f64>) {
    let (mut means, mut counts) = (Dense::zeros(k, z.cols()), vec![0.0; k]);
    for (i, c) in labels.iter().enumerate().filter(|(_, c)| **c >= 0) {
        counts[*c as usize] += 1.0;
        means.row_mut(*c as usize).iter_mut().zip(z.row(i)).for_each(|(m, v)| *m += v);
    }
    for (c, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0.0) {
        means.row_mut(c).iter_mut().for_each(|m| *m /= n);
    }
    (means, counts)
}
