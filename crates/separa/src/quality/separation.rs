//! Is a split real? Held-out answers with known nulls (docs/quality.md).
//!
//! A direction is fitted on a random half of the rows and judged on the other; then the halves swap.
//! Given the first half the projection of the second is a plain sample on a line, so
//! - `p_gauss` compares its κ with that of one Gaussian cut at the same fraction ([`gaussian_p_value`]),
//! - `p_unimodal` looks for an emptier place between two crowded ones ([`Windows`]),
//! - `msp_held_out` is the MSP of a hyperplane that never saw the rows it is judged on.
//!
//! The p-values hold where the first half alone decides the direction: with a [`Refit`], which
//! clusters that half anew (size at .05: p_gauss .050, p_unimodal at most .02; see
//! `benchmarks/calibration.md`). Without one the given labels of the first half are used. That is
//! right for labels that were not fitted to these rows. Labels that were carry the other half's noise
//! along: p_gauss is then far too small (up to .99 of single Gaussians fall below .05), p_unimodal
//! rather too small only on wide and large tables (.14 at d = 50, N = 2000).

use super::columns::{MOST_COLUMNS, standardise};
use super::groups::Groups;
use super::split_half::{CutDirection, SplitHalf, SplitRule, spread};
use crate::data::Dataset;
use crate::error::Result;
use separa_math::optim::mpm::probability;
use separa_math::rng::Rng;
use separa_math::stats::{Counts, Windows, gaussian_p_value};

/// Clusters the rows it is given in the same way as the labelling under test was made.
#[derive(Clone, Copy)]
pub struct Refit<'a>(pub &'a dyn Fn(&Dataset<'_>) -> Result<Vec<i32>>);

impl std::fmt::Debug for Refit<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Refit")
    }
}

/// The held-out answers for two clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// p (single Gaussian).
    pub p_gauss: f64,
    /// p (unimodal).
    pub p_unimodal: f64,
    /// MSP on rows not used for the boundary.
    pub msp_held_out: f64,
}

/// How much work to spend, and which stream of random numbers to draw from.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestPlan<'a> {
    pub reg: f64,
    pub seed: u64,
    pub task: u64,
    /// Random half-splits; the answers are medians over them.
    pub splits: u64,
    /// Values (rows times columns) to look at: a sample of at most 4,000 rows, at least 400.
    pub values: usize,
    pub with_mpm: bool,
    /// Standard deviation of every column over all clusters: its unit.
    pub deviations: &'a [f64],
}

impl<'a> TestPlan<'a> {
    /// For two clusters: one split, both directions.
    pub fn whole(reg: f64, seed: u64, deviations: &'a [f64]) -> Self {
        Self { reg, seed, task: 0, splits: 1, values: 2_000_000, with_mpm: true, deviations }
    }

    /// For one of many pairs: three splits of fewer rows.
    pub fn pair(reg: f64, seed: u64, task: u64, deviations: &'a [f64]) -> Self {
        Self { reg, seed, task, splits: 3, values: 800_000, with_mpm: false, deviations }
    }
}

/// Fewer rows than this in a cluster say nothing.
pub(super) const FEWEST: usize = 4;

/// Tests a labelling with two clusters; None where it has another number of them, or too few rows.
pub fn two_clusters(
    data: &Dataset<'_>,
    labels: &[i32],
    reg: f64,
    seed: u64,
    refit: Option<Refit<'_>>,
) -> Result<Option<Separation>> {
    let groups = Groups::new(data, labels)?;
    if groups.k() != 2 {
        return Ok(None);
    }
    let deviations = standardise(data.x(), data.weights(), &groups, MOST_COLUMNS).deviations;
    two_groups(data, &groups, &TestPlan::whole(reg, seed, &deviations), refit)
}

pub(super) fn two_groups(
    data: &Dataset<'_>,
    groups: &Groups,
    plan: &TestPlan<'_>,
    refit: Option<Refit<'_>>,
) -> Result<Option<Separation>> {
    test_pair(data, [&groups.members[0], &groups.members[1]], plan, refit)
}

/// Tests the rows of two clusters against each other. Weights do not count here.
pub(super) fn test_pair(
    data: &Dataset<'_>,
    members: [&[usize]; 2],
    plan: &TestPlan<'_>,
    refit: Option<Refit<'_>>,
) -> Result<Option<Separation>> {
    if members.iter().any(|m| m.len() < FEWEST) {
        return Ok(None);
    }
    let sided = |side: i32| members[side as usize].iter().map(move |i| (*i, side));
    let mut rows: Vec<(usize, i32)> = sided(0).chain(sided(1)).collect();
    rows.sort_unstable();
    let most = (plan.values / data.d()).clamp(400, 4000);
    let mut answers = Vec::new();
    for split in 0..plan.splits {
        let mut rng = Rng::new(plan.seed, plan.task * plan.splits + split);
        let mut order = rng.sample(rows.len(), most);
        rng.shuffle(&mut order);
        let drawn: Vec<(usize, i32)> = order.into_iter().map(|i| rows[i]).collect();
        answers.push(test_split(data, &drawn, plan, refit, &mut rng)?);
    }
    let median = |of: fn(&Separation) -> f64| {
        let mut values: Vec<f64> = answers.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Ok(Some(Separation {
        p_gauss: median(|s| s.p_gauss),
        p_unimodal: median(|s| s.p_unimodal),
        msp_held_out: median(|s| s.msp_held_out),
    }))
}

/// One split into halves, both ways round.
fn test_split(
    data: &Dataset<'_>,
    drawn: &[(usize, i32)],
    plan: &TestPlan<'_>,
    refit: Option<Refit<'_>>,
    rng: &mut Rng,
) -> Result<Separation> {
    let (first, second) = drawn.split_at(drawn.len() / 2);
    let half = |part: &[(usize, i32)]| {
        let index: Vec<usize> = part.iter().map(|(i, _)| *i).collect();
        SplitHalf::pick(data.x(), &index)
    };
    let sides = |part: &[(usize, i32)]| -> Vec<i32> { part.iter().map(|(_, s)| *s).collect() };
    let halves = [(half(first), sides(first)), (half(second), sides(second))];
    let (mut least_p, mut counts, mut msp) = (1.0f64, Counts::default(), Vec::new());
    for (learn, judge) in [(0, 1), (1, 0)] {
        let (rows, given) = &halves[learn];
        let fresh = refit.map(|refit| refitted(refit, data, rows)).transpose()?;
        let taught = fresh.as_deref().unwrap_or(given);
        let Some(rule) = SplitRule::fit(rows, taught, plan)? else { continue };
        let direction = &rule.directions[0];
        let t = rule.project(&halves[judge].0, 0);
        let judged = fresh.is_none().then_some(halves[judge].1.as_slice());
        msp.push(held_out_msp(&t, direction, judged));
        let below = direction.t.iter().filter(|v| **v < direction.cut).count();
        let share = below as f64 / direction.t.len() as f64;
        least_p = least_p.min(gaussian_p_value(&sorted(t), share));
        counts += held_out_counts(&rule, &halves[judge].0, rng);
    }
    Ok(Separation {
        // Two looks at the same question: Bonferroni.
        p_gauss: (2.0 * least_p).min(1.0),
        p_unimodal: counts.p_value(),
        // A half without two clusters has no hyperplane to judge.
        msp_held_out: msp.iter().sum::<f64>() / msp.len().max(1) as f64,
    })
}

/// Sides 0 and 1 from clustering a half anew; all −1 where it does not fall into two clusters.
fn refitted(refit: Refit<'_>, data: &Dataset<'_>, rows: &SplitHalf) -> Result<Vec<i32>> {
    let groups = Groups::of(&(refit.0)(&data.part(rows.view())?)?, None);
    if groups.k() == 2 { Ok(groups.of_row) } else { Ok(vec![-1; groups.of_row.len()]) }
}

/// The MSP of the hyperplane on rows it has not seen: between the given sides, or where there are
/// none between the sides the hyperplane itself makes.
fn held_out_msp(t: &[f64], direction: &CutDirection, given: Option<&[i32]>) -> f64 {
    let is_high = |i: usize| given.map_or(t[i] >= direction.cut, |sides| sides[i] == 1);
    let side = |high: bool| (0..t.len()).filter(move |i| is_high(*i) == high).map(|i| t[i]);
    if side(false).next().is_none() || side(true).next().is_none() {
        return 0.0;
    }
    let [low, high] = [false, true].map(|s| spread(side(s), direction.ridge));
    let gap = high.0 - low.0;
    // A hyperplane that puts the sides the wrong way round separates nothing.
    if gap > 0.0 { probability(gap / (low.1 + high.1)) } else { 0.0 }
}

/// The best windows over all directions on the first half, counted on the other.
fn held_out_counts(rule: &SplitRule, judge: &SplitHalf, rng: &mut Rng) -> Counts {
    let mut best: Option<(f64, Windows, usize, f64)> = None;
    for (which, direction) in rule.directions.iter().enumerate() {
        let mut t = sorted(direction.t.clone());
        let grain = grain(&t);
        blur(&mut t, grain, rng);
        if let Some((score, windows)) = Windows::choose(&t, direction.cut)
            && best.is_none_or(|b| score > b.0)
        {
            best = Some((score, windows, which, grain));
        }
    }
    let Some((_, windows, which, grain)) = best else { return Counts::default() };
    let mut t = sorted(rule.project(judge, which));
    blur(&mut t, grain, rng);
    windows.count(&t)
}

/// The step of a lattice: the median distance of neighbouring values where most rows share theirs,
/// else 0. Between the steps of counts and codes every place is empty, and none is a gap.
fn grain(t: &[f64]) -> f64 {
    let mut steps: Vec<f64> = t.windows(2).map(|w| w[1] - w[0]).filter(|s| *s > 0.0).collect();
    if steps.is_empty() || 2 * (steps.len() + 1) > t.len() {
        return 0.0;
    }
    steps.sort_by(f64::total_cmp);
    steps[steps.len() / 2]
}

/// Spreads every value evenly over its step.
fn blur(t: &mut [f64], grain: f64, rng: &mut Rng) {
    if grain > 0.0 {
        t.iter_mut().for_each(|v| *v += grain * (rng.uniform() - 0.5));
        t.sort_by(f64::total_cmp);
    }
}

fn sorted(mut t: Vec<f64>) -> Vec<f64> {
    t.sort_by(f64::total_cmp);
    t
}
