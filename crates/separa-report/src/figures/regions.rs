//! Two features with what a rule says everywhere between its rows.

use super::separation;
use crate::html::Html;
use crate::number;
use crate::svg::{Frame, Scale, Sheet, axes::WIDE};
use separa::view::{Plane, Regions};

const HEIGHT: f64 = 400.0;

/// The rows of a plane over the regions of the rule.
pub fn draw(plane: &Plane, names: [&str; 2]) -> Html {
    let frame = Frame { width: WIDE, height: HEIGHT };
    let Regions { low, high, .. } = plane.regions;
    let x = Scale::new((low.0, high.0), frame.across());
    let y = Scale::new((low.1, high.1), frame.up());
    let says = format!(
        "Scatter plot of {} over the regions of the rule. Across: {}. Up: {}.",
        number::counted(plane.points.len(), "row"),
        names[0],
        names[1]
    );
    let mut sheet = Sheet::new(WIDE, HEIGHT, &says);
    ground(&mut sheet, &plane.regions, (&x, &y));
    frame.draw(&mut sheet, (&x, names[0]), (&y, names[1]));
    let most = plane.labels.iter().max().map_or(0, |c| (*c + 1).max(0) as usize);
    let place = |i: usize| (x.at(plane.points[i].0), y.at(plane.points[i].1));
    separation::points(&mut sheet, &plane.labels, most, place);
    sheet.finish()
}

/// The regions in the colours of their clusters, below everything else.
pub fn ground(sheet: &mut Sheet, regions: &Regions, (x, y): (&Scale, &Scale)) {
    let side = Regions::SIDE;
    let edge = |(low, high): (f64, f64), i: usize| low + (high - low) * i as f64 / side as f64;
    let across = |i| x.at(edge((regions.low.0, regions.high.0), i));
    let up = |i| y.at(edge((regions.low.1, regions.high.1), i));
    for row in 0..side {
        let line = &regions.cells[row * side..(row + 1) * side];
        let mut start = 0;
        while start < side {
            // Neighbours of one class are one rectangle.
            let end = (start..side).find(|i| line[*i] != line[start]).unwrap_or(side);
            if let Ok(class) = usize::try_from(line[start]) {
                let corners = [(across(start), up(row)), (across(end), up(row + 1))];
                sheet.coloured(class, |sheet| sheet.rect("region", corners[0], corners[1]));
            }
            start = end;
        }
    }
}
