//! Splitting parts until there are enough: recursive bipartition (Section 4.3).

use super::choices::MscSplit;
use super::model::MscNode;
use super::split::{Halves, Setting};
use crate::assign::tree::Next;
use crate::context::Ctx;
use crate::error::Result;
use crate::progress::Event;

/// A part that is not split, or not yet.
#[derive(Debug)]
struct Leaf {
    rows: Vec<usize>,
    /// The side of a node that leads here.
    parent: Option<(usize, usize)>,
    /// How it would be split, once that was asked.
    halves: Option<Option<Halves>>,
}

/// The splits that were made, and the rows of every cluster.
#[derive(Debug, Default)]
pub(super) struct MscTree {
    /// Their points are rows that took part.
    pub nodes: Vec<MscNode>,
    pub parts: Vec<Vec<usize>>,
    /// What was maximised, summed, after each split.
    pub trace: Vec<f64>,
    pub converged: bool,
    pub upside_down: bool,
    pub arbitrary: bool,
    /// The rule's cut gave way to another that `min_cluster_size` allows.
    pub moved: bool,
    /// A scan ended at the smallest side that `min_cluster_size` allows.
    pub rests: bool,
    /// The least number of rows that a split below `min_cluster_size` left on one side.
    pub thin: Option<f64>,
}

/// Splits until there are `k` parts, no part can be split, or the observer says stop.
pub(super) fn grow(setting: &Setting<'_>, k: usize, ctx: &mut Ctx<'_>) -> Result<MscTree> {
    let mut tree = MscTree { converged: true, ..MscTree::default() };
    let all: Vec<usize> = (0..setting.source.n()).collect();
    let mut leaves = vec![Leaf { rows: all, parent: None, halves: None }];
    while leaves.len() < k {
        ctx.emit(Event::Phase { name: "splitting" });
        if ctx.cancelled() && !tree.nodes.is_empty() {
            break;
        }
        let Some(at) = choose(setting, &mut leaves)? else { break };
        let leaf = leaves.remove(at);
        let halves = leaf.halves.flatten().expect("only parts that can be split are chosen");
        let number = tree.nodes.len();
        if let Some((parent, side)) = leaf.parent {
            tree.nodes[parent].next[side] = Next::Node(number);
        }
        tree.note(&halves);
        let moved = halves.sides[1].len();
        let Halves { marks, coef, cut, sides, .. } = halves;
        // Clusters are numbered when all splits are made.
        let next = [Next::Cluster(0), Next::Cluster(0)];
        tree.nodes.push(MscNode { points: marks, coef, threshold: cut.threshold, next });
        for (side, rows) in sides.into_iter().enumerate() {
            leaves.push(Leaf { rows, parent: Some((number, side)), halves: None });
        }
        let (iteration, objective) = (number + 1, tree.trace[number]);
        let event = Event::Iteration { iteration, max_iter: k - 1, objective, changed: moved };
        if ctx.emit(event) {
            break;
        }
    }
    for (c, leaf) in leaves.into_iter().enumerate() {
        if let Some((parent, side)) = leaf.parent {
            tree.nodes[parent].next[side] = Next::Cluster(c);
        }
        tree.parts.push(leaf.rows);
    }
    Ok(tree)
}

/// The part to split next. One whose best cut is too thin waits until there is no other.
fn choose(setting: &Setting<'_>, leaves: &mut [Leaf]) -> Result<Option<usize>> {
    let weight = |leaf: &Leaf| leaf.rows.iter().map(|&i| setting.counts[i]).sum::<f64>();
    let by_size = setting.params.split == MscSplit::Largest;
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    if by_size {
        order.sort_by(|&a, &b| weight(&leaves[b]).total_cmp(&weight(&leaves[a])));
    }
    let mut best: Option<(usize, bool, f64)> = None;
    for &i in &order {
        let leaf = &mut leaves[i];
        if leaf.halves.is_none() {
            leaf.halves = Some(setting.split(&leaf.rows)?);
        }
        let Some(Some(halves)) = &leaf.halves else { continue };
        if by_size && !halves.thin {
            return Ok(Some(i));
        }
        let better = best.is_none_or(|(_, thin, dcut)| {
            (thin && !halves.thin) || (thin == halves.thin && halves.cut.dcut > dcut)
        });
        if better {
            best = Some((i, halves.thin, halves.cut.dcut));
        }
    }
    Ok(best.map(|(i, ..)| i))
}

impl MscTree {
    fn note(&mut self, halves: &Halves) {
        let so_far = self.trace.last().copied().unwrap_or(0.0);
        self.trace.push((so_far + halves.value).min(f64::MAX));
        self.converged &= halves.converged;
        self.upside_down |= halves.upside_down;
        self.arbitrary |= halves.arbitrary;
        self.moved |= halves.cut.moved;
        self.rests |= halves.cut.rests;
        if halves.thin {
            let least = self.thin.unwrap_or(f64::INFINITY);
            self.thin = Some(least.min(halves.cut.smaller));
        }
    }
}
