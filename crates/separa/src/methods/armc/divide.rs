//! More than two clusters: one split after the other, a tree to descend.

use super::choices::{ArmcSplit, Balance};
use super::split::{Job, Split, SplitFunction};
use crate::assign::tree::{Next, Sides};
use crate::context::Ctx;
use crate::error::Result;

/// Fractions that a scan tries.
const SCAN: [f64; 5] = [0.5, 0.4, 0.3, 0.2, 0.1];

/// A part that is not split, or not yet.
struct Leaf {
    rows: Vec<usize>,
    /// How many clusters it is to become.
    clusters: usize,
    parent: Option<(usize, usize)>,
    split: Option<Option<Split>>,
}

/// The splits that were made, parents before their children.
#[derive(Debug, Default)]
pub(super) struct ArmcTree {
    pub rules: Vec<(SplitFunction, f64)>,
    pub nodes: Vec<Sides>,
    pub splits: Vec<Split>,
}

/// Splits until there are `k` parts, none can be split, or the observer says stop.
pub(super) fn grow(job: &Job<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<ArmcTree> {
    let mut tree = ArmcTree::default();
    let all: Vec<usize> = (0..job.table.n()).collect();
    let mut leaves = vec![Leaf { rows: all, clusters: k, parent: None, split: None }];
    while leaves.len() < k && (tree.nodes.is_empty() || !ctx.cancelled()) {
        let Some(at) = choose(job, &mut leaves, ctx)? else { break };
        let leaf = leaves.remove(at);
        let mut split = leaf.split.flatten().expect("only parts that can be split are chosen");
        let number = tree.nodes.len();
        if let Some((parent, side)) = leaf.parent {
            tree.nodes[parent][side] = Next::Node(number);
        }
        // The upper side has the fraction, and as many of the clusters.
        let above = (split.share * leaf.clusters as f64).round() as usize;
        let above = above.clamp(1, (leaf.clusters - 1).max(1));
        let clusters = [leaf.clusters.saturating_sub(above).max(1), above];
        for (side, rows) in std::mem::take(&mut split.sides).into_iter().enumerate() {
            let parent = Some((number, side));
            leaves.push(Leaf { rows, clusters: clusters[side], parent, split: None });
        }
        // Clusters are numbered when all splits are made.
        tree.nodes.push([Next::Cluster(0), Next::Cluster(0)]);
        tree.rules.push((split.rule.clone(), split.b));
        tree.splits.push(split);
    }
    for (c, leaf) in leaves.into_iter().enumerate() {
        if let Some((parent, side)) = leaf.parent {
            tree.nodes[parent][side] = Next::Cluster(c);
        }
    }
    Ok(tree)
}

/// The part to split next.
fn choose(job: &Job<'_>, leaves: &mut [Leaf], ctx: &mut Ctx<'_>) -> Result<Option<usize>> {
    let weight = |leaf: &Leaf| leaf.rows.iter().map(|&i| job.table.weights[i]).sum::<f64>();
    let by = job.params.split;
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    // Those that are to become most clusters first; where all have become what they should but some
    // could not be split, the largest.
    order.sort_by(|&a, &b| {
        let most = leaves[b].clusters.cmp(&leaves[a].clusters);
        let large = weight(&leaves[b]).total_cmp(&weight(&leaves[a]));
        if by == ArmcSplit::Fractions { most.then(large) } else { large }
    });
    let mut best: Option<(usize, f64)> = None;
    for &at in &order {
        let leaf = &mut leaves[at];
        if leaf.split.is_none() {
            let shares = shares(job, leaf.clusters);
            leaf.split = Some(job.split(&leaf.rows, &shares, ctx)?);
        }
        let Some(Some(split)) = &leaf.split else { continue };
        if by != ArmcSplit::Clearest {
            return Ok(Some(at));
        }
        if best.is_none_or(|(_, value)| split.run.relative < value) {
            best = Some((at, split.run.relative));
        }
    }
    Ok(best.map(|(at, _)| at))
}

/// The fractions that the upper side of a part may have.
pub(super) fn shares(job: &Job<'_>, clusters: usize) -> Vec<f64> {
    match job.params.balance {
        Balance::Scan => SCAN.to_vec(),
        _ if job.params.split == ArmcSplit::Fractions && clusters > 2 => {
            (1..=clusters / 2).rev().map(|j| j as f64 / clusters as f64).collect()
        }
        Balance::Fraction(r) => vec![r],
    }
}
