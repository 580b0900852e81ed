//! Many small micro-clusters, joined until every two that are left have a gap between them.

use super::gap::{Evidence, MicroCluster, SHOWN, SplitHalves, between};
use super::history::History;
use super::space::PrincipalSpace;
use crate::error::Result;
use rayon::prelude::*;
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::matrix::Dense;
use std::collections::{BTreeMap, BTreeSet};

/// Pieces are compared with this many of their nearest.
const NEAREST: usize = 6;
/// Two micro-clusters are joined where the gap between them has a p-value above LEAST_LEVEL + EASE/n, n the rows
/// that are looked at, or above MOST_LEVEL: small micro-clusters hardly reach small ones.
const LEAST_LEVEL: f64 = 0.15;
const MOST_LEVEL: f64 = 0.25;
const EASE: f64 = 20.0;
/// With more axes than this only those longer than noise are looked along; cuts look along all.
const MANY_AXES: usize = 32;

/// `k` micro-clusters by k-means.
pub(super) fn micro_clusters(
    space: &PrincipalSpace,
    split_halves: &SplitHalves,
    k: usize,
    seed: u64,
) -> Vec<MicroCluster> {
    let limits = Limits { max_iter: 50, tol: 1e-4 };
    let n_init = if space.n() <= 1000 { 8 } else { 2 };
    let run = kmeans(&space.rough, None, k, Restarts { n_init, limits, seed }, &mut || false);
    let mut members = vec![Vec::new(); k];
    run.labels.iter().enumerate().for_each(|(i, &l)| members[l as usize].push(i));
    let filled: Vec<Vec<usize>> = members.into_iter().filter(|m| !m.is_empty()).collect();
    filled
        .into_par_iter()
        .enumerate()
        .map(|(number, rows)| MicroCluster::new(&space.y, split_halves, rows, number))
        .collect()
}

/// The p-values of the gaps that joining left between two micro-clusters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gaps {
    /// Gaps between micro-clusters that were joined because there may be no more count as well.
    pub least_p: f64,
    pub most_p: f64,
}

/// Joins the two micro-clusters with the least gap between them while its p-value is large, then while more than
/// `most` micro-clusters are left. Returns what is left, and the gaps between.
pub(super) fn merge(
    space: &PrincipalSpace,
    split_halves: &SplitHalves,
    micro_clusters: Vec<MicroCluster>,
    most: usize,
    history: &mut History,
) -> Result<(Vec<MicroCluster>, Option<Gaps>)> {
    let y = &space.y;
    let widths: &[usize] = &[space.signal, y.cols()];
    let alone = space.signal == y.cols() || y.cols() > MANY_AXES;
    let widths = if alone { &widths[..1] } else { widths };
    let mut micro_clusters: Vec<Option<MicroCluster>> =
        micro_clusters.into_iter().map(Some).collect();
    let mut near = Nearest::of(&micro_clusters);
    let mut known: BTreeMap<(usize, usize), Evidence> = BTreeMap::new();
    // Whether all gaps were real when there were still too many micro-clusters: from then on only those too many are
    // joined, for a whole of unlike micro-clusters may have no gap to others.
    let (mut least_p, mut forced): (f64, bool) = (1.0, false);
    loop {
        let wanted = near.pairs();
        test(y, split_halves, widths, &micro_clusters, &wanted, &mut known)?;
        // The p-value that is the largest fraction of its level, of equal ones the shallowest antimode.
        let size = |i: usize| {
            micro_clusters[i].as_ref().map_or(0, |micro_cluster| micro_cluster.rows.len())
        };
        let share =
            |(a, b): (usize, usize)| known[&(a, b)].p() / level((size(a) + size(b)).min(SHOWN));
        let worst = wanted
            .iter()
            .map(|pair| (share(*pair), known[pair], *pair))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.depth().total_cmp(&a.1.depth())));
        let left = micro_clusters.iter().flatten().count();
        let p = || wanted.iter().map(|pair| known[pair].p());
        if worst.is_some_and(|w| w.0 <= 1.0) {
            least_p = p().fold(least_p, f64::min);
            forced = true;
        }
        let joins = |share: f64| left > most || (share > 1.0 && !forced);
        let Some((_, evidence, (a, b))) = worst.filter(|w| joins(w.0)) else {
            let gaps = Gaps { least_p, most_p: p().fold(0.0, f64::max) };
            return Ok((micro_clusters.into_iter().flatten().collect(), worst.map(|_| gaps)));
        };
        let [one, two] = [a, b].map(|i| micro_clusters[i].take().expect("neighbours are alive"));
        micro_clusters[a] = Some(history.join([&one, &two], evidence.p(), left - 1));
        near.joined(&micro_clusters, [a, b]);
        known.retain(|(i, j), _| ![a, b].contains(i) && ![a, b].contains(j));
    }
}

fn level(rows: usize) -> f64 {
    (LEAST_LEVEL + EASE / rows as f64).min(MOST_LEVEL)
}

/// Tests those wanted pairs that are not known yet.
fn test(
    y: &Dense,
    split_halves: &SplitHalves,
    widths: &[usize],
    micro_clusters: &[Option<MicroCluster>],
    wanted: &BTreeSet<(usize, usize)>,
    known: &mut BTreeMap<(usize, usize), Evidence>,
) -> Result<()> {
    let micro_cluster = |i: usize| micro_clusters[i].as_ref().expect("neighbours are alive");
    let missing: Vec<(usize, usize)> =
        wanted.iter().copied().filter(|pair| !known.contains_key(pair)).collect();
    let found: Vec<Evidence> = missing
        .par_iter()
        .map(|&(a, b)| between(y, split_halves, widths, [micro_cluster(a), micro_cluster(b)]))
        .collect::<Result<_>>()?;
    known.extend(missing.into_iter().zip(found));
    Ok(())
}

/// Of every micro-cluster the others, the nearest first, by the distance of their means.
#[derive(Debug)]
struct Nearest(BTreeMap<usize, Vec<(f64, usize)>>);

impl Nearest {
    fn of(micro_clusters: &[Option<MicroCluster>]) -> Self {
        let alive = || (0..micro_clusters.len()).filter(|&i| micro_clusters[i].is_some());
        Self(alive().map(|a| (a, others(micro_clusters, a))).collect())
    }

    /// `a` is now both, `b` is gone.
    fn joined(&mut self, micro_clusters: &[Option<MicroCluster>], [a, b]: [usize; 2]) {
        self.0.remove(&b);
        let own = others(micro_clusters, a);
        for (square, i) in &own {
            let Some(list) = self.0.get_mut(i) else { continue };
            list.retain(|(_, j)| ![a, b].contains(j));
            let place = list.partition_point(|x| x.0.total_cmp(square).then(x.1.cmp(&a)).is_lt());
            list.insert(place, (*square, a));
        }
        self.0.insert(a, own);
    }

    /// Every micro-cluster with its nearest ones.
    fn pairs(&self) -> BTreeSet<(usize, usize)> {
        let of = |(&a, list): (&usize, &Vec<(f64, usize)>)| -> Vec<(usize, usize)> {
            list.iter().take(NEAREST).map(|(_, b)| (a.min(*b), a.max(*b))).collect()
        };
        self.0.iter().flat_map(of).collect()
    }
}

fn others(micro_clusters: &[Option<MicroCluster>], a: usize) -> Vec<(f64, usize)> {
    let Some(own) = &micro_clusters[a] else { return Vec::new() };
    let square = |other: &MicroCluster| -> f64 {
        own.mean.iter().zip(&other.mean).map(|(x, y)| (x - y).powi(2)).sum()
    };
    let alive = micro_clusters.iter().enumerate().filter(|(b, _)| *b != a);
    let mut others: Vec<(f64, usize)> =
        alive.filter_map(|(b, micro_cluster)| Some((square(micro_cluster.as_ref()?), b))).collect();
    others.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    others
}
