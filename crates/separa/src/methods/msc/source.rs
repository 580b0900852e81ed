//! Where distances come from, and those of one part.

use super::bags::Bagged;
use separa_math::distance::{Measure, Pairs};
use separa_math::kernel::mercer::Kernel;
use separa_math::linalg::{Precision, SymMatrix, dot_lanes};
use separa_math::matrix::{Dense, MatrixRef, Stored};
use separa_math::par;

/// Rows measured at a time.
const ROWS: usize = 128;

/// The rows or bags that take part, numbered from 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum DistanceSource<'a> {
    Rows {
        x: MatrixRef<'a>,
        measure: Measure,
    },
    Bags {
        bags: Bagged<'a>,
        measure: Measure,
    },
    /// The table holds the distances themselves.
    Given(&'a Dense),
}

/// The distances of one part.
#[derive(Debug)]
pub(super) enum StoredDistances {
    /// Of every row to every row.
    All(SymMatrix),
    /// Of every row to some.
    Some(Dense),
}

impl StoredDistances {
    /// The distances (2.3) of a kernel with a width, from the numbers that it is a function of: squares
    /// of Euclidean distances, or sums of gaps. To rounding they are those that the measure gives.
    pub fn induced(&self, kernel: Kernel) -> Self {
        let (Self::All(gaps), Kernel::Rbf { gamma } | Kernel::Laplacian { gamma }) = (self, kernel)
        else {
            unreachable!("widths are tried on all distances, for kernels that have one")
        };
        let mut d = gaps.clone();
        d.map(|_, _, gap| (-2.0 * (-gamma * gap).exp_m1()).sqrt());
        Self::All(d)
    }

    /// The distances of row `i`.
    pub fn row<'b>(&'b self, i: usize, buffer: &'b mut Vec<f64>) -> &'b [f64] {
        match self {
            Self::Some(d) => d.row(i),
            Self::All(d) => {
                buffer.resize(d.n(), 0.0);
                d.copy_row(i, buffer);
                buffer
            }
        }
    }
}

impl DistanceSource<'_> {
    pub fn n(&self) -> usize {
        match self {
            Self::Rows { x, .. } => x.rows(),
            Self::Bags { bags, .. } => bags.extents.len(),
            Self::Given(table) => table.rows(),
        }
    }

    /// The distances within a part.
    pub fn among(&self, part: &[usize], precision: Precision) -> StoredDistances {
        StoredDistances::All(match self {
            Self::Bags { bags, measure } => bags.among(part, *measure, precision),
            Self::Rows { x, measure } if part.len() == x.rows() => measure.symmetric(x, precision),
            Self::Rows { x, measure } => measure.symmetric(&Stored::of(x, part), precision),
            Self::Given(table) => {
                let mut d = SymMatrix::zeros(part.len(), precision);
                d.fill(|rows, cols, out| {
                    for (i, line) in rows.zip(out.chunks_exact_mut(cols.len())) {
                        let from = table.row(part[i]);
                        cols.clone().zip(line).for_each(|(j, v)| *v = from[part[j]]);
                    }
                });
                d
            }
        })
    }

    /// The distances of a part to some rows.
    pub fn to(&self, part: &[usize], marks: &[usize]) -> StoredDistances {
        StoredDistances::Some(match self {
            Self::Bags { bags, measure } => bags.to(part, marks, *measure),
            Self::Rows { x, measure } => {
                let marks = Stored::of(x, marks);
                if part.len() == x.rows() {
                    measure.matrix(x, &marks)
                } else {
                    measure.matrix(&Stored::of(x, part), &marks)
                }
            }
            Self::Given(table) => {
                let mut d = Dense::zeros(part.len(), marks.len());
                for (r, &i) in part.iter().enumerate() {
                    let line = d.row_mut(r);
                    line.iter_mut().zip(marks).for_each(|(v, &j)| *v = table.row(i)[j]);
                }
                d
            }
        })
    }

    /// f = Σ coefⱼ d(x, xⱼ) over the marks, for every row of the part: the bits of the model's rule.
    ///
    /// Stored distances are used where they are those that the model will measure.
    pub fn scores(
        &self,
        part: &[usize],
        marks: &[usize],
        coef: &[f64],
        stored: &StoredDistances,
    ) -> Vec<f64> {
        let mut f = vec![0.0; part.len()];
        match (stored, self) {
            // A given table is symmetric only to rounding, and its rows are what the model will see.
            (StoredDistances::All(_), Self::Given(table)) => {
                par::fill_chunks(&mut f, 1, |range, out| {
                    let mut line = Vec::new();
                    for (i, v) in range.zip(out) {
                        line.clear();
                        line.extend(marks.iter().map(|&j| table.row(part[i])[j]));
                        *v = dot_lanes(&line, coef);
                    }
                })
            }
            (StoredDistances::All(d), Self::Bags { bags, measure })
                if d.precision() == Precision::Single =>
            {
                f = bags.scores(part, marks, coef, *measure);
            }
            (StoredDistances::All(d), Self::Rows { x, measure })
                if d.precision() == Precision::Single =>
            {
                let (rows, marks) = (Stored::of(x, part), Stored::of(x, marks));
                each_line(
                    &Pairs::new(*measure, &rows, &marks),
                    coef.len(),
                    &mut f,
                    1,
                    |_, line, v| {
                        v[0] = dot_lanes(line, coef);
                    },
                );
            }
            _ => par::fill_chunks(&mut f, 1, |range, out| {
                let mut buffer = Vec::new();
                for (i, v) in range.zip(out) {
                    *v = dot_lanes(stored.row(i, &mut buffer), coef);
                }
            }),
        }
        f
    }
}

/// Shows `see` the values of every row with all `m` points, block by block, and the row's place in
/// `out` (`width` numbers a row), with room that it may use.
pub(super) fn each_line(
    pairs: &Pairs<'_>,
    m: usize,
    out: &mut [f64],
    width: usize,
    see: impl Fn(&mut Vec<f64>, &[f64], &mut [f64]) + Sync,
) {
    par::fill_chunks(out, width, |range, out| {
        let (mut block, mut room) = (vec![0.0; ROWS.min(range.len()) * m], Vec::new());
        for sub in par::chunks(range.len(), ROWS) {
            let block = &mut block[..sub.len() * m];
            pairs.block(range.start + sub.start..range.start + sub.end, 0..m, block);
            let lines = out[sub.start * width..sub.end * width].chunks_exact_mut(width);
            lines
                .zip(block.chunks_exact(m.max(1)))
                .for_each(|(out, line)| see(&mut room, line, out));
        }
    });
}
