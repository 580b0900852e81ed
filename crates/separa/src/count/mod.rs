//! How many clusters? (docs/how-many.md)
//!
//! Problem   the number of groups with a gap between every two of them.
//! Given     rows, the most clusters to look for.
//! Returns   the number, a label for every row, and every decision with its p-value.
//! How       rows are cut into many small pieces by k-means; the two pieces with the least gap between
//!           them are joined until every gap is real; what is left is searched for gaps within.
//! Cost      a sample of at most 4,000 rows, whatever the table; several runs in parallel.

mod gap;
mod merge;
mod space;
mod split;

use crate::counted::{Counted, Decision, Step};
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::estimator::{Ctx, Labels};
use crate::progress::Event;
use crate::start::front::Front;
use gap::{Halves, Piece};
use separa_math::kernel::nearest::nearest;
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;
use space::Space;

/// Fewer rows say nothing about how many clusters they are.
pub const FEWEST_ROWS: usize = 10;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Clusters at most.
    pub k_max: usize,
    /// Runs; the number that most of them find is taken.
    pub runs: usize,
    pub tune: Tune,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tune {
    pub pieces: usize,
    pub rows_per_piece: usize,
    pub splits: usize,
    pub merge: f64,
    pub split: f64,
    pub full: bool,
    pub signal: bool,
}

impl Default for Options {
    fn default() -> Self {
        let tune = Tune {
            pieces: 24,
            rows_per_piece: 25,
            splits: 3,
            merge: 0.25,
            split: 0.01,
            full: true,
            signal: true,
        };
        Self { k_max: 24, runs: 5, tune }
    }
}

/// The number of clusters, with a first labelling.
#[derive(Debug, Clone)]
pub struct Found {
    pub counted: Counted,
    /// One label a row, 0..k: the nearest cluster mean in standardised columns.
    pub labels: Labels,
}

/// Finds the number of clusters.
pub fn how_many(data: &Dataset<'_>, options: &Options, ctx: &mut Ctx<'_>) -> Result<Found> {
    options.check()?;
    check(data)?;
    ctx.emit(Event::Phase { name: "counting clusters" });
    let front = Front::learn(data, true, ctx.seed);
    let usable: Vec<usize> = (0..data.n())
        .filter(|&i| data.weight(i) > 0.0 && front.aside.binary_search(&i).is_err())
        .collect();
    let rows = space::sample_size(usable.len(), data.d(), options.k_max);
    ctx.memory.require(
        "auto",
        space::bytes(rows, data.d()),
        "give the number of clusters, or raise the limit (--memory, max_memory)",
    )?;
    let mut runs = Vec::new();
    for index in 0..options.runs {
        let seed = Rng::new(ctx.seed, 0x6b00 + index as u64).next_u64();
        let Some(space) = Space::of(data, &front, &usable, (rows, seed))? else { break };
        runs.push((run(&space, options, seed)?, space));
        let name = format!("run {} found {}", index + 1, runs[index].0.pieces.len());
        if ctx.emit(Event::Start { index, of: options.runs, name }) {
            break;
        }
    }
    conclude(data, &front, runs)
}

impl Options {
    pub(crate) fn check(&self) -> Result<()> {
        if self.k_max < 2 {
            return Err(Error::Data(format!(
                "the most clusters to look for (--k-max, k_max) must be 2 or more, got {}",
                self.k_max
            )));
        }
        Ok(())
    }
}

fn check(data: &Dataset<'_>) -> Result<()> {
    if data.n() < FEWEST_ROWS {
        return Err(Error::Data(format!(
            "{} rows are too few to tell how many clusters they are, expected at least {FEWEST_ROWS}; give the \
             number of clusters (-k N, n_clusters=N)",
            data.n()
        )));
    }
    Ok(())
}

/// One run: what is left, and how it came to that.
#[derive(Debug)]
struct Run {
    pieces: Vec<Piece>,
    path: Vec<Decision>,
    p: f64,
}

fn run(space: &Space, options: &Options, seed: u64) -> Result<Run> {
    let (y, tune) = (&space.y, options.tune);
    let halves = Halves::draw(space.n(), tune.splits, seed);
    let mut widths = Vec::new();
    if tune.signal {
        widths.push(space.signal);
    }
    if tune.full {
        widths.push(y.cols());
    }
    widths.dedup();
    let most = tune.pieces.max(options.k_max);
    let k = (space.n() / tune.rows_per_piece).clamp(2, most);
    let axes = if tune.signal { space.signal } else { y.cols() };
    let pieces = merge::pieces(y, &halves, (k, axes), seed);
    let (pieces, joins) = merge::merge(y, &halves, &widths, pieces, (tune.merge, options.k_max))?;
    let mut path: Vec<Decision> = joins
        .iter()
        .map(|j| Decision { step: Step::Merge, sizes: j.sizes, p: j.p, k: j.left })
        .collect();
    let (mut done, mut open) = (Vec::new(), pieces);
    let mut p = 1.0;
    while let Some(piece) = open.pop() {
        let evidence = split::within(y, &halves, &piece.rows, seed)?;
        p = evidence.p();
        let count = done.len() + open.len() + 2;
        let parts = match evidence.p() <= tune.split && count <= options.k_max {
            true => split::cut(y, &piece.rows, seed)?,
            false => None,
        };
        match parts {
            Some(parts) => {
                let sizes = [parts[0].len(), parts[1].len()];
                path.push(Decision { step: Step::Split, sizes, p: evidence.p(), k: count });
                open.extend(parts.map(|rows| Piece::new(y, &halves, rows)));
            }
            None => done.push(piece),
        }
    }
    Ok(Run { pieces: done, path, p })
}

fn conclude(data: &Dataset<'_>, front: &Front, runs: Vec<(Run, Space)>) -> Result<Found> {
    let k_by_seed: Vec<usize> = runs.iter().map(|(run, _)| run.pieces.len()).collect();
    let k = median(&k_by_seed);
    let chosen = runs.iter().find(|(run, _)| run.pieces.len() == k);
    let spread = k_by_seed.iter().max().zip(k_by_seed.iter().min()).map_or(0, |(a, b)| a - b);
    let mut counted =
        Counted { k, k_by_seed, spread, p: 1.0, rows: 0, lattice: 0, path: Vec::new() };
    let Some((run, space)) = chosen else {
        return Ok(Found { counted, labels: vec![0; data.n()] });
    };
    counted.p = run.p;
    counted.rows = space.n();
    counted.lattice = space.lattice;
    counted.path = run.path.clone();
    let view = front.view(data.x());
    let mut means = Dense::zeros(k, front.columns.len());
    for (c, piece) in run.pieces.iter().enumerate() {
        let index: Vec<usize> = piece.rows.iter().map(|&r| space.index[r]).collect();
        let rows = pick(&view, &index);
        for i in 0..rows.rows() {
            means
                .row_mut(c)
                .iter_mut()
                .zip(rows.row(i))
                .for_each(|(m, v)| *m += v / index.len() as f64);
        }
    }
    let labels = nearest(&view, means.view());
    Ok(Found { counted, labels: labels.into_iter().map(|l| l as i32).collect() })
}

/// The middle one.
fn median(found: &[usize]) -> usize {
    let mut sorted = found.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(1)
}
