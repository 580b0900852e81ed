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
mod path;
mod space;
mod split;

use crate::counted::Counted;
use crate::dataset::Dataset;
use crate::error::{Error, Result};
use crate::estimator::{Ctx, Labels};
use crate::progress::Event;
use crate::start::front::Front;
use gap::{Halves, Piece};
use path::Path;
use separa_math::kernel::nearest::nearest;
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;
use space::Space;

/// Fewer rows say nothing about how many clusters they are.
pub const FEWEST_ROWS: usize = 10;

/// Pieces that rows are cut into at first, and rows of a piece; more pieces where more clusters are
/// looked for.
const PIECES: usize = 24;
const ROWS_PER_PIECE: usize = 25;
/// Random halves that a gap is judged on.
const SPLITS: usize = 3;
/// Rounds of joining and cutting at most.
const ROUNDS: usize = 3;
/// Runs that are enough where they agree.
const ENOUGH: usize = 3;
/// Runs where they do not, at least; then they go on until the number that is taken is known to within
/// this standard error.
const SEVERAL: usize = 15;
const SURE: f64 = 0.2;
/// One gap at least must have this p-value, between two pieces or within all rows.
const CONFIRMED: f64 = 0.01;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Clusters at most.
    pub k_max: usize,
    /// Runs at most; the mean of the middle half of the numbers that they find is taken. Where the
    /// first three agree, they are all; otherwise there are as many as that mean needs.
    pub runs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { k_max: 24, runs: 99 }
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
    let front = Front::learn(data, true, ctx.seed);
    let usable: Vec<usize> = (0..data.n())
        .filter(|&i| data.weight(i) > 0.0 && front.aside.binary_search(&i).is_err())
        .collect();
    check(usable.len())?;
    let rows = space::sample_size(usable.len(), data.d(), options.k_max);
    ctx.memory.require(
        "auto",
        space::bytes(rows, data.d()),
        "give the number of clusters, or raise the limit (--memory, max_memory)",
    )?;
    let mut runs: Vec<(Run, Space)> = Vec::new();
    for index in 0..options.runs {
        let name = "counting clusters".to_owned();
        if ctx.emit(Event::Start { index, of: options.runs, name }) && index > 0 {
            break;
        }
        let seed = Rng::new(ctx.seed, 0x6b00 + index as u64).next_u64();
        let Some(space) = Space::of(data, &front, &usable, (rows, seed))? else { break };
        runs.push((run(&space, options.k_max, seed)?, space));
        if settled(&runs.iter().map(|(run, _)| run.pieces.len()).collect::<Vec<_>>()) {
            break;
        }
    }
    Ok(conclude(data, &front, &runs))
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

fn check(rows: usize) -> Result<()> {
    if rows < FEWEST_ROWS {
        return Err(Error::Data(format!(
            "{rows} rows (with a weight, not far outside) are too few to tell how many clusters they are, expected \
             at least {FEWEST_ROWS}; give the number of clusters (-k N, n_clusters=N)"
        )));
    }
    Ok(())
}

/// One run: what is left, and how it came to that.
#[derive(Debug)]
struct Run {
    pieces: Vec<Piece>,
    path: Path,
    p: f64,
}

/// Many pieces; join, cut, and join again, until nothing is cut.
fn run(space: &Space, k_max: usize, seed: u64) -> Result<Run> {
    let halves = Halves::draw(space.n(), SPLITS, seed);
    let k = (space.n() / ROWS_PER_PIECE).clamp(2, PIECES.max(k_max));
    let mut pieces = merge::pieces(space, &halves, k, seed);
    let mut path = Path::new(pieces.len());
    for round in 1.. {
        let merged = merge::merge(space, &halves, pieces, (k_max, &mut path))?;
        let left = merged.pieces.len();
        pieces = match round {
            ROUNDS => merged.pieces,
            _ => split::split(space, &halves, merged.pieces, (k_max, seed), &mut path)?,
        };
        if pieces.len() == left {
            return confirm(space, &halves, Run { pieces, path, p: 1.0 }, (merged.p, seed));
        }
    }
    unreachable!("the last round cuts nothing")
}

/// More than one piece are no more than one where no gap between two of them is clear, nor one within
/// all rows: chance leaves shallow ones in any flat cloud.
fn confirm(
    space: &Space,
    halves: &Halves,
    mut run: Run,
    (gaps, seed): (Option<[f64; 2]>, u64),
) -> Result<Run> {
    if let Some([shallowest, deepest]) = gaps
        && deepest <= CONFIRMED
    {
        run.p = shallowest;
        return Ok(run);
    }
    let all: Vec<usize> = (0..space.n()).collect();
    run.p = split::within(&space.y, halves, &all, seed)?.p();
    if run.p <= CONFIRMED {
        run.p = gaps.map_or(run.p, |[shallowest, _]| shallowest);
        return Ok(run);
    }
    while run.pieces.len() > 1 {
        let (Some(a), Some(b)) = (run.pieces.pop(), run.pieces.pop()) else { break };
        let whole = run.path.join([&a, &b], (run.p, run.pieces.len() + 1));
        run.pieces.push(whole);
    }
    Ok(run)
}

/// The number that is taken, and the labels of the first run that found it.
fn conclude(data: &Dataset<'_>, front: &Front, runs: &[(Run, Space)]) -> Found {
    let k_by_seed: Vec<usize> = runs.iter().map(|(run, _)| run.pieces.len()).collect();
    let k = middle(&k_by_seed);
    let spread = k_by_seed.iter().max().zip(k_by_seed.iter().min()).map_or(0, |(a, b)| a - b);
    let mut counted =
        Counted { k, k_by_seed, spread, p: 1.0, rows: 0, lattice: 0, path: Vec::new() };
    let Some((run, space)) = runs.iter().find(|(run, _)| run.pieces.len() == k) else {
        return Found { counted, labels: vec![0; data.n()] };
    };
    counted.p = run.p;
    counted.rows = space.n();
    counted.lattice = space.lattice;
    counted.path.clone_from(&run.path.steps);
    let view = front.view(data.x());
    let mut means = Dense::zeros(k, front.columns.len());
    for (c, piece) in run.pieces.iter().enumerate() {
        let index: Vec<usize> = piece.rows.iter().map(|&r| space.index[r]).collect();
        let (rows, share) = (pick(&view, &index), 1.0 / index.len() as f64);
        for i in 0..rows.rows() {
            means.row_mut(c).iter_mut().zip(rows.row(i)).for_each(|(m, v)| *m += share * v);
        }
    }
    let labels = nearest(&view, means.view());
    Found { counted, labels: labels.into_iter().map(|l| l as i32).collect() }
}

/// Whether more runs would hardly change the number.
fn settled(found: &[usize]) -> bool {
    match found.len() {
        ENOUGH => found.iter().all(|k| *k == found[0]),
        n => n >= SEVERAL && uncertainty(found) <= SURE,
    }
}

/// The standard error of the mean of the middle half: that of the numbers with those outside drawn in
/// to its ends, over the share of the middle (Tukey & McLaughlin 1963).
fn uncertainty(found: &[usize]) -> f64 {
    let mut sorted: Vec<f64> = found.iter().map(|k| *k as f64).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let (n, cut) = (sorted.len(), sorted.len() / 4);
    let (low, high) = (sorted[cut], sorted[n - 1 - cut]);
    let drawn: Vec<f64> = sorted.iter().map(|k| k.clamp(low, high)).collect();
    let mean = drawn.iter().sum::<f64>() / n as f64;
    let variance = drawn.iter().map(|k| (k - mean).powi(2)).sum::<f64>() / (n as f64 - 1.0);
    let share = (n - 2 * cut) as f64 / n as f64;
    (variance / n as f64).sqrt() / share
}

/// Of the numbers that were found the one nearest to the mean of their middle half: steadier than the
/// median, and runs that went astray do not count.
fn middle(found: &[usize]) -> usize {
    let mut sorted = found.to_vec();
    sorted.sort_unstable();
    let half = &sorted[sorted.len() / 4..sorted.len() - sorted.len() / 4];
    let mean = half.iter().sum::<usize>() as f64 / half.len().max(1) as f64;
    let away = |k: usize| (k as f64 - mean).abs();
    sorted.iter().copied().min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{SURE, middle, settled, uncertainty};

    #[test]
    fn the_middle_is_a_number_that_was_found() {
        for (found, k) in [
            (vec![], 1),
            (vec![3], 3),
            (vec![2, 2, 2], 2),
            // The middle half of eight is 4, 4, 5, 6: 4.75.
            (vec![2, 3, 4, 4, 5, 6, 24, 24], 5),
            // Nothing lies between; of equally near ones the smaller.
            (vec![2, 2, 4, 4], 2),
            (vec![1, 9, 9, 9], 9),
        ] {
            assert_eq!(middle(&found), k, "{found:?}");
        }
    }

    #[test]
    fn runs_go_on_while_the_middle_is_uncertain() {
        assert!(!settled(&[2]) && settled(&[2, 2, 2]) && !settled(&[2, 2, 3]));
        // Four of sixteen elsewhere are outside the middle half, which is sure.
        let mut found = [vec![5; 12], vec![1, 9, 9, 24]].concat();
        assert_eq!(uncertainty(&found), 0.0);
        assert!(settled(&found) && !settled(&found[..14]));
        // Half 4, half 6: a variance of 16/15, a middle half of half the weight.
        found = [vec![4; 8], vec![6; 8]].concat();
        assert!((uncertainty(&found) - 2.0 * (16.0 / 15.0 / 16.0f64).sqrt()).abs() < 1e-12);
        assert!(uncertainty(&found) > SURE && !settled(&found));
    }
}
