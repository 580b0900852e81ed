//! How many clusters? (docs/how-many.md)
//!
//! Problem   the number of groups with a gap between every two of them.
//! Given     rows, the most clusters to look for.
//! Returns   the number, a label for every row, and every decision with its p-value.
//! How       rows are cut into many small micro-clusters by k-means; the two micro-clusters with the least gap between
//!           them are joined until every gap is real; what is left is searched for gaps within, and for a few rows
//!           that lie far from the rest.
//! Cost      a sample of at most 4,000 rows, or 100 for every cluster that is looked for, whatever the
//!           table; 3 to 199 runs, three at a time, fewer if runs differ so much that no number of them helps.

pub(crate) mod apart;
mod far;
mod gap;
mod history;
mod lattice;
mod merge;
mod space;
mod split;
mod tails;

use crate::context::{Ctx, UNFINISHED};
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::k_auto::{Counted, Decision};
use crate::model::Labels;
use crate::note::Remedy;
use crate::progress::Event;
use apart::Apart;
use far::Far;
use gap::{MicroCluster, SplitHalves};
use history::History;
use merge::Gaps;
use rayon::prelude::*;
use separa_math::interrupt;
use separa_math::kmeans::nearest;
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;
use separa_math::scaling::{RobustFit, Scaler};
use separa_math::stats::fair_binomial_cdf;
use space::PrincipalSpace;

/// Fewer rows say nothing about how many clusters they are.
pub const FEWEST_ROWS: usize = 10;

/// Pieces that rows are cut into at first, and rows of a micro-cluster; more micro-clusters where more clusters are
/// looked for.
const PIECES: usize = 24;
const ROWS_PER_PIECE: usize = 25;
/// Random halves that a gap is judged on.
const SPLITS: usize = 3;
/// Iterations of joining and cutting at most.
const ITERATIONS: usize = 3;
/// The most clusters that can be looked for.
const MOST: usize = 1000;
/// The most clusters of a partition to begin from.
const MOST_SUGGESTED: usize = 50;
/// Runs at the same time, and as many as are enough where they agree.
const TOGETHER: usize = 3;
/// Runs where they do not, at least; then they go on until the number that is taken is known to within
/// this standard error.
const SEVERAL: usize = 15;
const SURE: f64 = 0.15;
/// One gap at least must have this p-value, between two micro-clusters or within all rows.
pub const CONFIRMED: f64 = 0.01;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountOptions {
    /// Clusters at most.
    pub k_max: usize,
    /// Runs at most; the mean of the middle half of the numbers that they find is taken. Where the
    /// first three agree, they are all; otherwise there are as many as that mean needs.
    pub runs: usize,
}

impl Default for CountOptions {
    fn default() -> Self {
        Self { k_max: 24, runs: 199 }
    }
}

/// The number of clusters, with a first partition.
#[derive(Debug, Clone)]
pub struct CountResult {
    /// The number, and how it was found.
    pub counted: Counted,
    /// Whether outliers took part: they are many enough for a cluster.
    pub far: bool,
    /// The clusters' means in standardised columns, if there are several clusters.
    partition: Option<(Scaler, Dense)>,
    /// The run that they are from.
    run: usize,
}

impl CountResult {
    /// One label per row, from 0 to k − 1: the nearest cluster mean in standardised columns.
    pub fn labels(&self, data: &Dataset<'_>) -> Labels {
        match &self.partition {
            Some((scaler, means)) => nearest_mean(data, scaler, means),
            None => vec![0; data.n()],
        }
    }

    /// What [`partition`] would find anew for this number.
    pub(crate) fn suggestion(&self, data: &Dataset<'_>, ctx: &mut Ctx<'_>) -> Option<Labels> {
        let k = self.counted.k;
        if self.counted.k_max != k_max_given(k) {
            return partition(data, k, ctx).map(|found| found.labels);
        }
        if k > MOST_SUGGESTED || self.run >= TOGETHER || self.partition.is_none() {
            return None;
        }
        Some(self.labels(data)).filter(|labels| names_every(data, labels, k))
    }
}

/// Clusters at most in a search for `k` of them.
fn k_max_given(k: usize) -> usize {
    CountOptions::default().k_max.max(k + 1)
}

fn nearest_mean(data: &Dataset<'_>, scaler: &Scaler, means: &Dense) -> Labels {
    let labels = nearest(&scaler.view(data.x()), means.view());
    labels.into_iter().map(|l| l as i32).collect()
}

/// What every run looks at.
struct Job<'a> {
    data: &'a Dataset<'a>,
    scaler: Scaler,
    /// Rows that can be drawn.
    usable: Vec<usize>,
    /// Outliers, too few for a cluster.
    aside: Vec<usize>,
    /// What the outliers are.
    far: Far,
    /// Rows that are drawn.
    rows: usize,
    k_max: usize,
    seed: u64,
}

impl<'a> Job<'a> {
    /// `together` runs work at the same time.
    fn new(data: &'a Dataset<'a>, k_max: usize, together: usize, ctx: &Ctx<'_>) -> Result<Self> {
        let mut fit = RobustFit::of(data.x(), data.weights(), true, ctx.seed);
        fit.scaler.weigh_features(data.features());
        let weighed = |i: &usize| data.weight(*i) > 0.0;
        let mut aside: Vec<usize> = fit.outliers.iter().copied().filter(weighed).collect();
        let far = far::far(data, &fit, &aside, ctx.seed);
        if far != Far::Errors {
            aside.clear();
        }
        let usable: Vec<usize> =
            (0..data.n()).filter(weighed).filter(|i| aside.binary_search(i).is_err()).collect();
        check(usable.len(), aside.len())?;
        let rows = space::sample_size(usable.len(), data.d(), k_max);
        ctx.memory.require(
            "auto",
            together as u64 * space::bytes(rows, data.d(), micro_clusters(rows, k_max)),
            Remedy::GiveNumberOfClusters.or(Remedy::RaiseMemory),
        )?;
        Ok(Self { data, scaler: fit.scaler, usable, aside, far, rows, k_max, seed: ctx.seed })
    }

    /// One run; None if nothing varies among the rows that are drawn.
    fn run(&self, index: usize) -> Result<Option<Run>> {
        let seed = Rng::new(self.seed, 0x6b00 + index as u64).next_u64();
        let space = PrincipalSpace::of(self.data, &self.scaler, &self.usable, self.rows, seed)?;
        let found = space.map(|space| run(self.data, &space, self.k_max, seed)).transpose()?;
        Ok(found.map(|run| Run { index, ..run }))
    }

    /// The means of the clusters that a run found, in standardised columns.
    fn means(&self, run: &Run) -> Dense {
        let view = self.scaler.view(self.data.x());
        let mut means = Dense::zeros(run.micro_clusters.len(), self.scaler.columns.len());
        for (c, micro_cluster) in run.micro_clusters.iter().enumerate() {
            let (rows, share) = (pick(&view, micro_cluster), 1.0 / micro_cluster.len() as f64);
            for i in 0..rows.rows() {
                means.row_mut(c).iter_mut().zip(rows.row(i)).for_each(|(m, v)| *m += share * v);
            }
        }
        means
    }
}

/// Clusters to begin from.
pub(crate) struct Partition {
    pub labels: Labels,
    /// One of them is a small cluster that clip limits would hide.
    pub far: bool,
}

/// A partition into `k` clusters with a gap between every two of them, if one of the first runs finds exactly so many.
/// None for many clusters, where runs are slow, and if the observer ends it.
pub(crate) fn partition(data: &Dataset<'_>, k: usize, ctx: &mut Ctx<'_>) -> Option<Partition> {
    if k > MOST_SUGGESTED {
        return None;
    }
    let job = Job::new(data, k_max_given(k), 1, ctx).ok()?;
    for index in 0..TOGETHER {
        if ctx.emit(Event::Tick) {
            return None;
        }
        let found = job.run(index).ok().flatten();
        if let Some(run) = found.filter(|run| run.micro_clusters.len() == k) {
            let labels = nearest_mean(data, &job.scaler, &job.means(&run));
            let far = job.far == Far::Cluster;
            return names_every(data, &labels, k).then_some(Partition { labels, far });
        }
    }
    None
}

/// Whether each of k clusters has a row of weight.
fn names_every(data: &Dataset<'_>, labels: &[i32], k: usize) -> bool {
    let mut seen = vec![false; k];
    let weighed = labels.iter().enumerate().filter(|(i, _)| data.weight(*i) > 0.0);
    weighed.for_each(|(_, &l)| seen[l as usize] = true);
    seen.into_iter().all(|s| s)
}

/// Finds the number of clusters.
pub fn how_many(
    data: &Dataset<'_>,
    options: &CountOptions,
    ctx: &mut Ctx<'_>,
) -> Result<CountResult> {
    options.check()?;
    let job = Job::new(data, options.k_max, TOGETHER, ctx)?;
    let (mut runs, mut stopped, mut undecided) = (Vec::<Run>::new(), false, false);
    for first in (0..options.runs).step_by(TOGETHER) {
        let name = "counting clusters".to_owned();
        stopped = ctx.emit(Event::Start { index: first, of: options.runs, name }) && first > 0;
        if stopped {
            break;
        }
        let batch = first..options.runs.min(first + TOGETHER);
        let run = |index| interrupt::catch(|| job.run(index));
        let batch: Vec<Option<Result<Option<Run>>>> = batch.into_par_iter().map(run).collect();
        stopped = batch.iter().any(Option::is_none);
        for run in batch.into_iter().flatten() {
            runs.extend(run?);
        }
        if stopped {
            break;
        }
        // Nothing varies among the rows that are drawn.
        if runs.is_empty() {
            break;
        }
        let numbers: Vec<usize> = runs.iter().map(|run| run.micro_clusters.len()).collect();
        undecided = is_hopeless(&numbers, options.runs);
        if undecided || settled(&numbers) {
            break;
        }
    }
    if stopped && runs.is_empty() {
        return Err(UNFINISHED);
    }
    let mut found = conclude(&job, &runs);
    (found.counted.outliers, found.counted.stopped) = (job.aside.len(), stopped);
    found.counted.undecided = undecided;
    Ok(found)
}

impl CountOptions {
    pub(crate) fn check(&self) -> Result<()> {
        if !(2..=MOST).contains(&self.k_max) {
            return Err(Error::KMax { most: MOST, found: self.k_max });
        }
        Ok(())
    }
}

fn check(rows: usize, outliers: usize) -> Result<()> {
    if rows < FEWEST_ROWS {
        return Err(Error::AutoRows { rows, outliers, least: FEWEST_ROWS });
    }
    Ok(())
}

/// One run: what is left, and how it came to that.
#[derive(Debug)]
struct Run {
    /// Its number, from 0.
    index: usize,
    /// Rows of the table, micro-cluster by micro-cluster.
    micro_clusters: Vec<Vec<usize>>,
    history: Vec<Decision>,
    p: f64,
    lattice: usize,
    copies: usize,
}

/// Pieces that so many rows are cut into at first.
fn micro_clusters(rows: usize, k_max: usize) -> usize {
    (rows / ROWS_PER_PIECE).clamp(2, PIECES.max(k_max))
}

/// Many micro-clusters; join, cut, and join again, until nothing is cut.
fn run(data: &Dataset<'_>, space: &PrincipalSpace, k_max: usize, seed: u64) -> Result<Run> {
    let split_halves = SplitHalves::draw(space.n(), SPLITS, seed);
    let mut left =
        merge::micro_clusters(space, &split_halves, micro_clusters(space.n(), k_max), seed);
    let mut history = History::new(left.len());
    let mut gaps = None;
    for iteration in 1..=ITERATIONS {
        (left, gaps) = merge::merge(space, &split_halves, left, k_max, &mut history)?;
        let joined = left.len();
        if iteration < ITERATIONS {
            left = split::split(space, &split_halves, left, k_max, seed, &mut history)?;
        }
        if left.len() == joined {
            break;
        }
    }
    let mut p = confirm(space, &split_halves, &mut left, &mut history, gaps, seed)?;
    let single = left.len() == 1;
    let look = |rows: &[usize]| Apart::COUNTED.find(data, rows, seed);
    let (left, least) = split_apart(space, &split_halves, left, k_max, look, &mut history);
    if single {
        p = least.unwrap_or(p);
    }
    let rows = |micro_cluster: MicroCluster| {
        micro_cluster.rows.into_iter().map(|r| space.index[r]).collect()
    };
    let micro_clusters = left.into_iter().map(rows).collect();
    Ok(Run {
        index: 0,
        micro_clusters,
        history: history.steps,
        p,
        lattice: space.lattice,
        copies: space.copies,
    })
}

/// More than one micro-cluster are no more than one where no gap between two of them is clear, nor one within
/// all rows: chance leaves shallow ones in any flat cloud. Returns the p-value of what is left.
fn confirm(
    space: &PrincipalSpace,
    split_halves: &SplitHalves,
    micro_clusters: &mut Vec<MicroCluster>,
    history: &mut History,
    gaps: Option<Gaps>,
    seed: u64,
) -> Result<f64> {
    if let Some(gaps) = gaps
        && gaps.least_p <= CONFIRMED
    {
        return Ok(gaps.most_p);
    }
    let all: Vec<usize> = (0..space.n()).collect();
    let p = split::within(&space.y, split_halves, &all, seed)?.p();
    if p <= CONFIRMED {
        return Ok(gaps.map_or(p, |gaps| gaps.most_p));
    }
    while micro_clusters.len() > 1 {
        let (Some(a), Some(b)) = (micro_clusters.pop(), micro_clusters.pop()) else { break };
        let whole = history.join([&a, &b], p, micro_clusters.len() + 1);
        micro_clusters.push(whole);
    }
    Ok(p)
}

/// Splits off a few rows that lie far from the rest of their cluster, which `look` finds. Also returns the smallest of their
/// p-values: that many rows there and none in a gap of the same width.
fn split_apart(
    space: &PrincipalSpace,
    split_halves: &SplitHalves,
    mut open: Vec<MicroCluster>,
    k_max: usize,
    look: impl Fn(&[usize]) -> Option<Vec<usize>>,
    history: &mut History,
) -> (Vec<MicroCluster>, Option<f64>) {
    let (mut done, mut least) = (Vec::new(), None);
    while let Some(whole) = open.pop() {
        let k = done.len() + open.len() + 2;
        let rows: Vec<usize> = whole.rows.iter().map(|&r| space.index[r]).collect();
        let Some(far) = Some(&rows).filter(|_| k <= k_max).and_then(|rows| look(rows)) else {
            done.push(whole);
            continue;
        };
        let p = fair_binomial_cdf(far.len() as u64, 0);
        least = Some(least.map_or(p, |least: f64| least.min(p)));
        let is_far = |r: &&usize| far.binary_search(&space.index[**r]).is_ok();
        let (few, rest): (Vec<usize>, Vec<usize>) = whole.rows.iter().partition(is_far);
        let parts =
            [rest, few].map(|rows| MicroCluster::new(&space.y, split_halves, rows, whole.number));
        let [rest, few] = history.cut(&whole, parts, p, k);
        open.push(rest);
        done.push(few);
    }
    (done, least)
}

/// The number that is taken, and the partition of the first run that found it.
fn conclude(job: &Job<'_>, runs: &[Run]) -> CountResult {
    let (k_max, far) = (job.k_max, job.far != Far::Errors);
    let k_per_run: Vec<usize> = runs.iter().map(|run| run.micro_clusters.len()).collect();
    let k = middle(&k_per_run);
    let spread = k_per_run.iter().max().zip(k_per_run.iter().min()).map_or(0, |(a, b)| a - b);
    let range = Counted::range_of(&k_per_run);
    let mut counted = Counted { k, k_per_run, spread, range, k_max, p: 1.0, ..Counted::default() };
    let Some(run) = runs.iter().find(|run| run.micro_clusters.len() == k) else {
        return CountResult { counted, far, partition: None, run: 0 };
    };
    counted.p = run.p;
    counted.sample_size = run.micro_clusters.iter().map(Vec::len).sum();
    (counted.discrete_features, counted.duplicate_rows) = (run.lattice, run.copies);
    counted.history.clone_from(&run.history);
    let partition = Some((job.scaler.clone(), job.means(run)));
    CountResult { counted, far, partition, run: run.index }
}

/// Whether more runs would hardly change the number.
fn settled(found: &[usize]) -> bool {
    match found.len() {
        TOGETHER => found.iter().all(|k| *k == found[0]),
        n => n >= SEVERAL && uncertainty(found) <= SURE,
    }
}

/// Whether runs differ so much that not even all of them would make the number sure: a standard error falls with
/// the root of the number of runs. Whether there are clusters at all must be clear, though: the fraction of
/// runs that found none is two standard errors or more from one half.
fn is_hopeless(found: &[usize], runs: usize) -> bool {
    let n = found.len() as f64;
    let none = found.iter().filter(|k| **k == 1).count() as f64 / n.max(1.0);
    let left = (n / runs.max(1) as f64).sqrt();
    found.len() >= SEVERAL
        && (none - 0.5).abs() >= 1.0 / n.sqrt()
        && uncertainty(found) * left > SURE
}

/// The standard error of the mean of the middle half: that of the numbers with those outside drawn in
/// to its ends, over the fraction of the middle (Tukey & McLaughlin 1963).
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

/// One where most runs found one: whether there are clusters is yes or no. Otherwise of the larger numbers
/// that were found the one nearest to the mean of the middle half of all: steadier than the median, and runs
/// that went astray do not count.
fn middle(found: &[usize]) -> usize {
    let mut sorted = found.to_vec();
    sorted.sort_unstable();
    if sorted.get(sorted.len() / 2).is_none_or(|k| *k == 1) {
        return 1;
    }
    let half = &sorted[sorted.len() / 4..sorted.len() - sorted.len() / 4];
    let mean = half.iter().sum::<usize>() as f64 / half.len() as f64;
    let away = |k: usize| (k as f64 - mean).abs();
    let larger = sorted.iter().copied().filter(|k| *k > 1);
    larger.min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{CountOptions, SURE, is_hopeless, middle, settled, uncertainty};

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
            // A majority for none is not outvoted by large numbers.
            ([vec![1; 14], vec![2], vec![6; 6]].concat(), 1),
            ([vec![1; 12], vec![3], vec![5; 8]].concat(), 1),
            (vec![1, 1, 2, 2], 2),
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

    #[test]
    fn runs_that_no_number_of_runs_can_settle_are_given_up() {
        let runs = CountOptions::default().runs;
        // 2 to 16, drawn in to 5 to 13: √(156/14/15)/0.6 = 1.44 now, 0.39 after 199 runs.
        let wide: Vec<usize> = (0..15).map(|i| 2 + i).collect();
        assert!(is_hopeless(&wide, runs) && !is_hopeless(&wide[..14], runs));
        // √(4/15/16)/0.5 = 0.26 now, 0.07 after 199 runs.
        let near = [vec![4; 8], vec![5; 8]].concat();
        assert!(!settled(&near) && !is_hopeless(&near, runs));
        // What is settled is not hopeless.
        assert!(!is_hopeless(&[5; 15], runs));
        // With fewer runs to come, less can be mended.
        let some = [vec![4; 5], vec![5; 5], vec![6; 5]].concat();
        assert!(!is_hopeless(&some, runs) && is_hopeless(&some, 20));
        // Whether there is more than one cluster must not hang on the last run.
        let contested = [vec![1; 7], vec![3, 6, 9, 12, 15, 18, 21, 24]].concat();
        assert!(!is_hopeless(&contested, 20));
    }
}
