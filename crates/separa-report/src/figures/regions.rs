//! Two columns with what a rule says everywhere between its rows.

use crate::html::Html;
use crate::number;
use crate::svg::path::Mark;
use crate::svg::{Frame, Path, Scale, Sheet, axes::WIDE};
use separa::{DenseRef, Model, Result};

const HEIGHT: f64 = 400.0;
/// Cells across and up.
const CELLS: usize = 60;
/// Rows that are drawn at most.
const MOST: usize = 2_000;

/// A table of two columns and the classes of a grid of cells around it.
#[derive(Debug, Clone)]
pub struct Plane {
    pub points: Vec<(f64, f64)>,
    pub classes: Vec<u32>,
    low: (f64, f64),
    high: (f64, f64),
    cells: Vec<i32>,
}

impl Plane {
    /// Asks the rule at the middle of every cell.
    pub fn of(points: Vec<(f64, f64)>, classes: Vec<u32>, model: &dyn Model) -> Result<Self> {
        let step = points.len().div_ceil(MOST).max(1);
        let x = Scale::around(points.iter().map(|p| p.0), (0.0, 1.0)).range();
        let y = Scale::around(points.iter().map(|p| p.1), (0.0, 1.0)).range();
        let middle = |(low, high): (f64, f64), i: usize| {
            low + (high - low) * (i as f64 + 0.5) / CELLS as f64
        };
        let grid: Vec<f64> =
            (0..CELLS * CELLS).flat_map(|c| [middle(x, c % CELLS), middle(y, c / CELLS)]).collect();
        let cells = model.predict(DenseRef::new(CELLS * CELLS, 2, &grid)?.into())?;
        Ok(Self {
            points: points.into_iter().step_by(step).collect(),
            classes: classes.into_iter().step_by(step).collect(),
            low: (x.0, y.0),
            high: (x.1, y.1),
            cells,
        })
    }
}

pub fn draw(plane: &Plane, names: [&str; 2]) -> Html {
    let frame = Frame { width: WIDE, height: HEIGHT };
    let x = Scale::new((plane.low.0, plane.high.0), frame.across());
    let y = Scale::new((plane.low.1, plane.high.1), frame.up());
    let says = format!(
        "Scatter plot of {} over the regions of the rule. Across: {}. Up: {}.",
        number::counted(plane.points.len(), "row"),
        names[0],
        names[1]
    );
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    let size = (
        (x.at(plane.high.0) - x.at(plane.low.0)) / CELLS as f64,
        (y.at(plane.low.1) - y.at(plane.high.1)) / CELLS as f64,
    );
    for row in 0..CELLS {
        let line = &plane.cells[row * CELLS..(row + 1) * CELLS];
        let mut start = 0;
        while start < CELLS {
            // Neighbours of one class are one rectangle.
            let end = (start..CELLS).find(|i| line[*i] != line[start]).unwrap_or(CELLS);
            let top = frame.up().0 - size.1 * (row + 1) as f64;
            let left = frame.across().0;
            let corners =
                [(left + size.0 * start as f64, top), (left + size.0 * end as f64, top + size.1)];
            if line[start] >= 0 {
                let class = line[start] as usize;
                sheet.coloured(class, |sheet| sheet.rect("region", corners[0], corners[1]));
            }
            start = end;
        }
    }
    frame.draw(&mut sheet, (&x, names[0]), (&y, names[1]));
    let most = plane.classes.iter().max().map_or(0, |c| *c as usize + 1);
    for c in 0..most {
        let mut path = Path::default();
        let members = plane.points.iter().zip(&plane.classes).filter(|(_, k)| **k as usize == c);
        members.for_each(|(p, _)| {
            path.mark((x.at(p.0), y.at(p.1)), Mark::of(c));
        });
        let class = if Mark::of(c) == Mark::Dot { "dots" } else { "marks" };
        sheet.coloured(c, |sheet| sheet.path(class, &path));
    }
    sheet.finish()
}
