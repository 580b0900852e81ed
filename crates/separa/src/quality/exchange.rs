//! Which features separate clusters with curved boundaries: what the rule's values lose by an exchange.
//!
//! Rows x of one cluster and y of the other are drawn in pairs. With f large in the first cluster and small
//! in the other, feature j is worth ½[f(x) − f(x with y_j) + f(y with x_j) − f(y)], averaged over the pairs.
//! For f = wᵀx + b this is w_j times the difference of the means, so that on flat rules the fractions are
//! those of [`super::importance`]; a ring around a cluster, whose means agree, has fractions all the same.

use super::groups::Groups;
use super::importance::{Importance, ImportanceMethod, Shares, kept};
use crate::data::Dataset;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::matrix::{Dense, MatrixRef, Rows};
use separa_math::rng::Rng;

/// Pairs of rows drawn at most, and at least: fewer say too little.
const MOST: usize = 64;
const FEWEST: usize = 8;
/// Multiplications that all exchanges together may cost: a second or two.
const EFFORT: f64 = 2e9;

/// The decision function of a rule: one column for two clusters, else one for each cluster.
#[allow(missing_debug_implementations)]
pub struct DecisionFunction<'a> {
    /// The values of the decision, one row per row.
    pub decision: &'a (dyn Fn(MatrixRef<'_>) -> Result<Dense> + Sync),
    /// Multiplications that one row costs, about.
    pub cost: f64,
    /// Of the rows that are drawn.
    pub seed: u64,
}

/// The fractions of the pairs in `flat`, as a permutation sees them. None where it would take too long: cost grows as
/// pairs · features · `rule.cost`.
pub fn exchange(
    data: &Dataset<'_>,
    labels: &[i32],
    flat: &[Importance],
    rule: &DecisionFunction<'_>,
) -> Result<Option<Vec<Importance>>> {
    let rows = EFFORT / (2.0 * (flat.len() * data.d()) as f64 * rule.cost.max(1.0));
    if flat.is_empty() || rows < FEWEST as f64 {
        return Ok(None);
    }
    let groups = Groups::new(data, labels)?;
    let draws = MOST.min(rows as usize);
    let of_pair = |(task, pair): (usize, &Importance)| {
        let place = |id: i32| groups.ids.binary_search(&id).expect("pairs are of these labels");
        let (a, b) = (place(pair.a), place(pair.b));
        let mut rng = Rng::new(rule.seed, task as u64);
        let drawn = draw(&groups.members[a], &groups.members[b], draws, &mut rng);
        let worth = worth(data, &drawn, pair.a, pair.b, rule)?;
        Ok(Shares {
            method: ImportanceMethod::Permutation,
            all: shared(data, worth, &groups, a, b),
        }
        .named(data, &groups, a, b, kept(flat.len())))
    };
    flat.iter().enumerate().map(of_pair).collect::<Result<_>>().map(Some)
}

/// Pairs of rows, one of each cluster: as many as asked for or as the larger cluster has.
fn draw(one: &[usize], two: &[usize], most: usize, rng: &mut Rng) -> Vec<[usize; 2]> {
    let count = most.min(one.len().max(two.len()));
    let mut picked = |members: &[usize]| -> Vec<usize> {
        let mut order = rng.sample(members.len(), count);
        rng.shuffle(&mut order);
        // The smaller cluster's rows come round again.
        order.iter().cycle().take(count).map(|i| members[*i]).collect()
    };
    let (a, b) = (picked(one), picked(two));
    a.into_iter().zip(b).map(|(x, y)| [x, y]).collect()
}

/// What every feature is worth, over all drawn pairs.
fn worth(
    data: &Dataset<'_>,
    drawn: &[[usize; 2]],
    a: i32,
    b: i32,
    rule: &DecisionFunction<'_>,
) -> Result<Vec<f64>> {
    let (m, d) = (drawn.len(), data.d());
    let mut rows = Dense::zeros(2 * m, d);
    for (i, pair) in drawn.iter().enumerate() {
        data.x().copy_row(pair[0], rows.row_mut(i));
        data.x().copy_row(pair[1], rows.row_mut(m + i));
    }
    let before = gap(&(rule.decision)(rows.view().into())?, a, b);
    let of_feature = |j: usize| -> Result<f64> {
        let mut changed = rows.clone();
        for i in 0..m {
            (changed[(i, j)], changed[(m + i, j)]) = (rows[(m + i, j)], rows[(i, j)]);
        }
        let after = gap(&(rule.decision)(changed.view().into())?, a, b);
        Ok(0.5 * (before - after))
    };
    (0..d).into_par_iter().map(of_feature).collect()
}

/// How much more the rule favours cluster a in the first half of the rows than in the second, summed.
fn gap(values: &Dense, a: i32, b: i32) -> f64 {
    let favour = |row: &[f64]| match row {
        // One column: cluster 1 where it is 0 or more.
        [value] => value * f64::from(a - b).signum(),
        _ => row[a as usize] - row[b as usize],
    };
    let half = values.rows() / 2;
    (0..half).map(|i| favour(values.row(i)) - favour(values.row(half + i))).sum()
}

/// Worths as fractions of their sum; none where the sum is lost in what cancels.
fn shared(
    data: &Dataset<'_>,
    worth: Vec<f64>,
    groups: &Groups,
    a: usize,
    b: usize,
) -> Vec<(usize, f64, f64)> {
    let (total, size): (f64, f64) = worth.iter().fold((0.0, 0.0), |(t, s), w| (t + w, s + w.abs()));
    if !total.is_finite() || total <= 1e-9 * size {
        return Vec::new();
    }
    let (one, two) = (mean(data, &groups.members[a]), mean(data, &groups.members[b]));
    let all = worth.iter().zip(one.iter().zip(&two)).enumerate();
    all.map(|(j, (w, (x, y)))| (j, w / total, x - y)).collect()
}

fn mean(data: &Dataset<'_>, rows: &[usize]) -> Vec<f64> {
    let (mut mean, mut row, mut total) = (vec![0.0; data.d()], vec![0.0; data.d()], 0.0);
    for i in rows {
        data.x().copy_row(*i, &mut row);
        total += data.weight(*i);
        // Updated, not summed: the scale of the sum does not matter then.
        let step = data.weight(*i) / total;
        mean.iter_mut().zip(&row).for_each(|(m, v)| *m += step * (v - *m));
    }
    mean
}
