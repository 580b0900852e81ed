//! What would move a row to another cluster: the smallest change of all columns, and changes of one column alone.
//!
//! Every row that is returned was given to the rule and has the label that it is said to have. Numbers move freely, levels
//! are exchanged as a whole. Distances are in standard deviations of the columns.

use super::ask::Asker;
use super::background::Background;
use super::explanation::{Change, Counterfactual};
use super::project::{HalfSpace, project};
use super::words::{ColumnKind, TableColumn};
use crate::error::Result;
use crate::flat_rule::Plane;
use separa_math::linalg::dot;
use separa_math::matrix::Dense;

/// How far beyond the boundary a row is moved, in standard deviations: the first that the rule agrees with.
const BEYOND: [f64; 4] = [1e-9, 1e-6, 1e-4, 1e-2];
/// Rows of the other cluster that a search goes towards.
const NEIGHBOURS: usize = 5;
/// Columns that a search tries one by one, and places in each direction.
const TRIED: usize = 32;
const PLACES: usize = 16;
const BISECTIONS: usize = 50;

/// A row that is to get another label.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub asker: Asker<'a>,
    pub columns: &'a [TableColumn<'a>],
    pub background: &'a Background,
    pub row: &'a [f64],
    pub target: i32,
}

/// The linear functions that the target must win, and the limits beyond which values count as the limits.
#[derive(Debug)]
pub(super) struct Boundaries {
    pub planes: Vec<Plane>,
    pub limits: Vec<[f64; 2]>,
    /// Whether the target's region is where it wins all of them, and no larger.
    pub all: bool,
}

impl Mover<'_> {
    /// The projection onto the target's region, if the rule is made of planes.
    pub fn projected(&self, rule: &Boundaries) -> Result<Option<Counterfactual>> {
        let scales = &self.background.scales;
        let free = self.free();
        let seen = |j: usize| self.row[j].clamp(rule.limits[j][0], rule.limits[j][1]);
        let start: Vec<f64> = free.iter().map(|&j| seen(j) / scales[j]).collect();
        let limits: Vec<[f64; 2]> =
            free.iter().map(|&j| rule.limits[j].map(|v| v / scales[j])).collect();
        let whole: Vec<f64> = (0..self.row.len()).map(seen).collect();
        for beyond in BEYOND {
            let space = |plane: &Plane| {
                let weights: Vec<f64> =
                    free.iter().map(|&j| plane.weights[j] * scales[j]).collect();
                let fixed = plane.value(&whole) - dot(&weights, &start);
                let offset = fixed - beyond * dot(&weights, &weights).sqrt();
                HalfSpace { weights, offset }
            };
            let spaces: Vec<HalfSpace> = rule.planes.iter().map(space).collect();
            let Some(found) = project(&start, &spaces, &limits) else { return Ok(None) };
            let mut moved = self.row.to_vec();
            for (at, &j) in free.iter().enumerate() {
                // What does not move stays as it is, also beyond the limits.
                if (found[at] - start[at]).abs() > 1e-12 * (1.0 + start[at].abs()) {
                    moved[j] = found[at] * scales[j];
                }
            }
            if self.reaches(&moved)? {
                return Ok(Some(self.counterfactual(&moved, rule.all)));
            }
        }
        Ok(None)
    }

    /// The nearest row that is found on the way to rows of the target.
    pub fn searched(&self) -> Result<Option<Counterfactual>> {
        let members = self.background.members(self.target);
        let near = self.background.nearest(self.row, &members, NEIGHBOURS);
        let mut best: Option<Vec<f64>> = None;
        for (r, _) in near {
            let end = self.background.rows.row(r);
            if !self.reaches(end)? {
                continue;
            }
            // Levels are exchanged first, numbers then as far as needed, and what was not needed is taken back.
            let mut start = self.row.to_vec();
            self.leap(&mut start, end);
            let on_the_way = match self.reaches(&start)? {
                true => start,
                false => self.bisected(&[start], &[end.to_vec()])?.remove(0),
            };
            let fewer = self.fewer(on_the_way)?;
            let mut start = self.row.to_vec();
            self.leap(&mut start, &fewer);
            let found = match self.reaches(&start)? {
                true => start,
                false => self.bisected(&[start], &[fewer])?.remove(0),
            };
            let far = |row: &Vec<f64>| self.background.distance(self.row, row);
            if best.as_ref().is_none_or(|best| far(&found) < far(best)) {
                best = Some(found);
            }
        }
        Ok(best.map(|found| self.counterfactual(&found, false)))
    }

    /// One number after the other, as far as planes ask for it; levels one by one.
    pub fn singly_by_planes(&self, rule: &Boundaries) -> Result<Vec<Change>> {
        let (scales, ranges) = (&self.background.scales, &self.background.ranges);
        let mut seen = self.row.to_vec();
        seen.iter_mut().zip(&rule.limits).for_each(|(v, l)| *v = v.clamp(l[0], l[1]));
        let values: Vec<f64> = rule.planes.iter().map(|plane| plane.value(&seen)).collect();
        let mut tried = self.exchanged();
        for j in self.free() {
            let [lo, hi] = rule.limits[j];
            let mut low = ranges[j][0].min(self.row[j]).max(lo) - seen[j];
            let mut high = ranges[j][1].max(self.row[j]).min(hi) - seen[j];
            for (plane, value) in rule.planes.iter().zip(&values) {
                let (w, beyond) = (plane.weights[j], BEYOND[1] * scales[j]);
                match w {
                    w if w > 0.0 => low = low.max(-value / w + beyond),
                    w if w < 0.0 => high = high.min(-value / w - beyond),
                    _ if *value <= 0.0 => low = f64::INFINITY,
                    _ => {}
                }
            }
            if low <= high {
                let mut moved = self.row.to_vec();
                moved[j] = seen[j] + 0.0_f64.clamp(low, high);
                tried.push(moved);
            }
        }
        self.single(tried)
    }

    /// One number after the other, by search within the range of the table; levels one by one. `order` are the columns
    /// to try, the most promising first.
    pub fn singly_by_search(&self, order: &[usize]) -> Result<Vec<Change>> {
        let free = self.free();
        let first = |c: &usize| self.columns[*c].features.start;
        let wanted: Vec<usize> =
            order.iter().map(first).filter(|j| free.contains(j)).take(TRIED).collect();
        let at = |j: usize, value: f64| {
            let mut moved = self.row.to_vec();
            moved[j] = value;
            moved
        };
        // From the row outwards, in both directions.
        let mut ways: Vec<Vec<Vec<f64>>> = Vec::new();
        for &j in &wanted {
            for end in self.background.ranges[j] {
                let place = |p: usize| self.row[j] + p as f64 / PLACES as f64 * (end - self.row[j]);
                ways.push((0..=PLACES).map(|p| at(j, place(p))).collect());
            }
        }
        let (mut from, mut to) = (Vec::new(), Vec::new());
        let all: Vec<Vec<f64>> = ways.iter().flatten().cloned().collect();
        let reached = self.all_reach(&all)?;
        for (way, reached) in ways.iter().zip(reached.chunks(PLACES + 1)) {
            if let Some(p) = (1..=PLACES).find(|p| reached[*p]) {
                from.push(way[p - 1].clone());
                to.push(way[p].clone());
            }
        }
        let mut tried = self.exchanged();
        tried.extend(self.bisected(&from, &to)?);
        self.single(tried)
    }

    /// Rows with another level in one column.
    fn exchanged(&self) -> Vec<Vec<f64>> {
        let mut rows = Vec::new();
        for column in self.columns.iter().filter(|c| self.background.has_levels(c)) {
            for level in self.background.levels(column) {
                let mut moved = self.row.to_vec();
                moved[column.features.clone()].copy_from_slice(&level);
                if moved != self.row {
                    rows.push(moved);
                }
            }
        }
        rows
    }

    /// The rows that reach the target as changes of one column, the smallest of each column.
    fn single(&self, tried: Vec<Vec<f64>>) -> Result<Vec<Change>> {
        let reached = self.all_reach(&tried)?;
        let rows = tried.iter().zip(reached).filter(|(_, reached)| *reached);
        let mut changes: Vec<Change> = rows.flat_map(|(row, _)| self.changes(row)).collect();
        changes.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        let mut kept: Vec<Change> = Vec::new();
        for change in changes {
            if kept.iter().all(|other| other.column != change.column) {
                kept.push(change);
            }
        }
        Ok(kept)
    }

    /// Features that can have any value.
    fn free(&self) -> Vec<usize> {
        let alone = |c: &&TableColumn<'_>| c.kind() != ColumnKind::Levels && c.features.len() == 1;
        let columns = self.columns.iter().filter(alone);
        columns.filter(|c| !self.background.has_levels(c)).map(|c| c.features.start).collect()
    }

    /// Takes what cannot move bit by bit from `end`.
    fn leap(&self, row: &mut [f64], end: &[f64]) {
        let free = self.free();
        for j in (0..row.len()).filter(|j| free.binary_search(j).is_err()) {
            row[j] = end[j];
        }
    }

    /// Takes back what is not needed, column by column, the smallest change first.
    fn fewer(&self, mut row: Vec<f64>) -> Result<Vec<f64>> {
        let scales = &self.background.scales;
        let size = |row: &[f64], c: &TableColumn<'_>| -> f64 {
            c.features.clone().map(|j| ((row[j] - self.row[j]) / scales[j]).abs()).sum()
        };
        let mut order: Vec<&TableColumn<'_>> =
            self.columns.iter().filter(|c| size(&row, c) > 0.0).collect();
        order.sort_by(|a, b| size(&row, a).total_cmp(&size(&row, b)));
        // Of very many columns the smallest half goes together.
        while order.len() > 4 * TRIED {
            let half = order.len() / 2;
            let mut moved = row.clone();
            for column in &order[..half] {
                let own = column.features.clone();
                moved[own.clone()].copy_from_slice(&self.row[own]);
            }
            if !self.reaches(&moved)? {
                break;
            }
            row = moved;
            order.drain(..half);
        }
        for column in order.iter().take(4 * TRIED) {
            let mut moved = row.clone();
            let own = column.features.clone();
            moved[own.clone()].copy_from_slice(&self.row[own]);
            if moved != self.row && self.reaches(&moved)? {
                row = moved;
            }
        }
        Ok(row)
    }

    /// Of segments whose second end reaches the target, the point nearest to the first end that does.
    fn bisected(&self, from: &[Vec<f64>], to: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
        let (mut from, mut to) = (from.to_vec(), to.to_vec());
        for _ in 0..BISECTIONS {
            let middle: Vec<Vec<f64>> = from
                .iter()
                .zip(&to)
                .map(|(a, b)| a.iter().zip(b).map(|(a, b)| 0.5 * a + 0.5 * b).collect())
                .collect();
            for (i, reached) in self.all_reach(&middle)?.into_iter().enumerate() {
                let end = if reached { &mut to[i] } else { &mut from[i] };
                end.clone_from(&middle[i]);
            }
        }
        Ok(to)
    }

    fn reaches(&self, row: &[f64]) -> Result<bool> {
        Ok(self.all_reach(&[row.to_vec()])?[0])
    }

    fn all_reach(&self, rows: &[Vec<f64>]) -> Result<Vec<bool>> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let stacked = Dense::from_vec(rows.len(), self.row.len(), rows.concat())?;
        Ok(self.asker.labels(&stacked)?.into_iter().map(|l| l == self.target).collect())
    }

    fn counterfactual(&self, moved: &[f64], smallest: bool) -> Counterfactual {
        let mut changes = self.changes(moved);
        changes.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        let distance = self.background.distance(self.row, moved);
        Counterfactual { changes, distance, smallest }
    }

    /// The columns in which a row differs.
    fn changes(&self, moved: &[f64]) -> Vec<Change> {
        let differs =
            |c: &&TableColumn<'_>| moved[c.features.clone()] != self.row[c.features.clone()];
        let change = |c: &TableColumn<'_>| {
            let square = |j: usize| ((moved[j] - self.row[j]) / self.background.scales[j]).powi(2);
            Change {
                column: c.name.clone(),
                from: c.value(self.row),
                to: c.value(moved),
                distance: c.features.clone().map(square).sum::<f64>().sqrt(),
            }
        };
        self.columns.iter().filter(differs).map(change).collect()
    }
}
