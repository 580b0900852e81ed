//! A small decision tree (CART, Breiman et al. 1984): splits that lower the Gini impurity most, level by level.
//!
//! Problem   labels from columns by thresholds, at most `depth` of them on a path.
//! Given     n rows of d columns, labels below k, weights.
//! Returns   the tree, its thresholds the roundest numbers between the two values that they part.
//! Cost      d sorts of n values, then n·d steps per level. Columns are looked at in parallel, ties go to the first column
//!           and the smallest threshold: the tree does not depend on the number of threads.

use rayon::prelude::*;
use separa_math::matrix::Dense;

/// A split must get this fraction of the rows right in addition, per leaf that it adds.
const WORTH: f64 = 0.002;

/// Rows to learn from.
#[derive(Debug)]
pub(super) struct TreeRows<'a> {
    pub rows: &'a Dense,
    pub labels: &'a [u32],
    pub weights: &'a [f64],
    pub k: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Leaf {
        label: u32,
    },
    /// Rows up to the threshold go to `left`, others to `left + 1`.
    Split {
        column: usize,
        threshold: f64,
        left: usize,
    },
}

/// Nodes, the root first and children behind their parents.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Σ c²/W of both sides: larger is purer.
    purity: f64,
    column: usize,
    below: f64,
    above: f64,
}

/// A node that can still be split.
#[derive(Debug, Clone)]
struct Open {
    node: usize,
    counts: Vec<f64>,
    rows: usize,
}

impl Tree {
    pub fn fit(data: &TreeRows<'_>, depth: usize, min_leaf: usize) -> Self {
        let n = data.rows.rows();
        let order: Vec<Vec<u32>> = (0..data.rows.cols())
            .into_par_iter()
            .map(|j| {
                let mut order: Vec<u32> = (0..n as u32).collect();
                let value = |i: u32| data.rows[(i as usize, j)];
                order.sort_by(|a, b| value(*a).total_cmp(&value(*b)).then(a.cmp(b)));
                order
            })
            .collect();
        let mut counts = vec![0.0; data.k];
        (0..n).for_each(|i| counts[data.labels[i] as usize] += data.weights[i]);
        let mut tree = Self { nodes: vec![Node::Leaf { label: largest(&counts) }] };
        let mut held = vec![counts.clone()];
        let mut open = vec![Open { node: 0, counts, rows: n }];
        // The open node that every row is in.
        let mut place = vec![0u32; n];
        for _ in 0..depth {
            let cuts = best_cuts(data, &order, &open, &place, min_leaf);
            let next = tree.split(data, &open, &cuts, &mut place, &mut held);
            if next.is_empty() {
                break;
            }
            open = next;
        }
        tree.prune(&held, WORTH * held[0].iter().sum::<f64>());
        tree
    }

    /// The leaf that a row ends in.
    pub fn leaf(&self, row: &[f64]) -> usize {
        let mut at = 0;
        while let Node::Split { column, threshold, left } = &self.nodes[at] {
            at = left + usize::from(row[*column] > *threshold);
        }
        at
    }

    /// Splits the open nodes where a cut was found, and sends their rows on.
    fn split(
        &mut self,
        data: &TreeRows<'_>,
        open: &[Open],
        cuts: &[Option<Cut>],
        place: &mut [u32],
        held: &mut Vec<Vec<f64>>,
    ) -> Vec<Open> {
        let mut next = Vec::new();
        // Where the rows of an open node go: its cut and its left child among the next ones.
        let mut ways: Vec<Option<(usize, f64, u32)>> = vec![None; open.len()];
        for (s, cut) in cuts.iter().enumerate() {
            let Some(cut) = cut else { continue };
            let (threshold, left) = (roundest(cut.below, cut.above), self.nodes.len());
            self.nodes[open[s].node] = Node::Split { column: cut.column, threshold, left };
            ways[s] = Some((cut.column, threshold, next.len() as u32));
            for node in [left, left + 1] {
                self.nodes.push(Node::Leaf { label: 0 });
                next.push(Open { node, counts: vec![0.0; data.k], rows: 0 });
            }
        }
        for (i, slot) in place.iter_mut().enumerate().filter(|(_, slot)| **slot != u32::MAX) {
            *slot = match ways[*slot as usize] {
                Some((column, threshold, left)) => {
                    left + u32::from(data.rows[(i, column)] > threshold)
                }
                None => u32::MAX,
            };
            if let Some(child) = next.get_mut(*slot as usize) {
                child.counts[data.labels[i] as usize] += data.weights[i];
                child.rows += 1;
            }
        }
        for child in &next {
            self.nodes[child.node] = Node::Leaf { label: largest(&child.counts) };
            held.push(child.counts.clone());
        }
        next
    }

    /// Takes back splits that are not worth their leaves, unless a cluster would lose its only one.
    fn prune(&mut self, held: &[Vec<f64>], worth: f64) {
        let wrong = |node: usize| -> f64 {
            let counts = &held[node];
            counts.iter().sum::<f64>() - counts[largest(counts) as usize]
        };
        for node in (0..self.nodes.len()).rev() {
            if matches!(self.nodes[node], Node::Leaf { .. }) {
                continue;
            }
            let leaves = self.leaves_under(node);
            let label = largest(&held[node]);
            let others = self.leaves_under(0).into_iter().filter(|leaf| !leaves.contains(leaf));
            let mut kept: Vec<u32> = others.map(|leaf| self.leaf_label(leaf)).collect();
            kept.push(label);
            let loses = leaves.iter().any(|leaf| !kept.contains(&self.leaf_label(*leaf)));
            let gained = wrong(node) - leaves.iter().map(|leaf| wrong(*leaf)).sum::<f64>();
            if !loses && gained <= worth * (leaves.len() - 1) as f64 {
                self.nodes[node] = Node::Leaf { label };
            }
        }
    }

    fn leaf_label(&self, leaf: usize) -> u32 {
        match self.nodes[leaf] {
            Node::Leaf { label } => label,
            Node::Split { .. } => unreachable!("only leaves have labels"),
        }
    }

    /// The leaves below a node, or itself.
    pub fn leaves_under(&self, node: usize) -> Vec<usize> {
        match self.nodes[node] {
            Node::Leaf { .. } => vec![node],
            Node::Split { left, .. } => {
                [left, left + 1].into_iter().flat_map(|child| self.leaves_under(child)).collect()
            }
        }
    }
}

/// The purest cut of every open node, if one is purer than none.
fn best_cuts(
    data: &TreeRows<'_>,
    order: &[Vec<u32>],
    open: &[Open],
    place: &[u32],
    min_leaf: usize,
) -> Vec<Option<Cut>> {
    let of_columns: Vec<Vec<Option<Cut>>> = order
        .par_iter()
        .enumerate()
        .map(|(j, order)| cuts_of(data, j, order, open, place, min_leaf))
        .collect();
    let mut best: Vec<Option<Cut>> = vec![None; open.len()];
    for found in of_columns {
        for (best, cut) in best.iter_mut().zip(found) {
            if let Some(cut) = cut.filter(|cut| best.is_none_or(|b| cut.purity > b.purity)) {
                *best = Some(cut);
            }
        }
    }
    best
}

/// What is left of a threshold that moves up through a node.
struct Sweep {
    left: Vec<f64>,
    right: Vec<f64>,
    weight: [f64; 2],
    squares: [f64; 2],
    rows: usize,
    last: f64,
    best: Option<Cut>,
    /// A cut must be purer than this.
    least: f64,
}

fn cuts_of(
    data: &TreeRows<'_>,
    column: usize,
    order: &[u32],
    open: &[Open],
    place: &[u32],
    min_leaf: usize,
) -> Vec<Option<Cut>> {
    let begin = |node: &Open| {
        let total: f64 = node.counts.iter().sum();
        let squares: f64 = node.counts.iter().map(|c| c * c).sum();
        Sweep {
            left: vec![0.0; data.k],
            right: node.counts.clone(),
            weight: [0.0, total],
            squares: [0.0, squares],
            rows: 0,
            last: f64::NAN,
            best: None,
            // More than rounding.
            least: squares / total.max(f64::MIN_POSITIVE) + 1e-9 * total,
        }
    };
    let mut sweeps: Vec<Sweep> = open.iter().map(begin).collect();
    for &i in order {
        let (i, slot) = (i as usize, place[i as usize] as usize);
        let Some(s) = sweeps.get_mut(slot) else { continue };
        let value = data.rows[(i, column)];
        let enough = s.rows >= min_leaf && open[slot].rows - s.rows >= min_leaf;
        if enough && value > s.last {
            let purity = s.squares[0] / s.weight[0] + s.squares[1] / s.weight[1];
            if purity > s.best.map_or(s.least, |best| best.purity) {
                s.best = Some(Cut { purity, column, below: s.last, above: value });
            }
        }
        let (label, w) = (data.labels[i] as usize, data.weights[i]);
        s.squares[0] += w * (2.0 * s.left[label] + w);
        s.squares[1] += w * (w - 2.0 * s.right[label]);
        s.left[label] += w;
        s.right[label] -= w;
        s.weight[0] += w;
        s.weight[1] -= w;
        s.rows += 1;
        s.last = value;
    }
    sweeps.into_iter().map(|s| s.best).collect()
}

/// The number of the largest count, the first of equals.
fn largest(counts: &[f64]) -> u32 {
    (1..counts.len()).fold(0, |best, c| if counts[c] > counts[best] { c } else { best }) as u32
}

/// The number with the fewest digits in the middle half of a gap, so that a rule reads well and means what it says.
pub(super) fn roundest(below: f64, above: f64) -> f64 {
    let middle = below + 0.5 * (above - below);
    let quarter = 0.25 * (above - below);
    let (low, high) = (middle - quarter, middle + quarter);
    let inside = |v: &f64| *v >= low && *v <= high && *v >= below && *v < above;
    if inside(&0.0) {
        return 0.0;
    }
    let size = middle.abs().log10().floor() as i32;
    let digits = (0..17).map(|d| size + 1 - d);
    let near = |power: i32| -> f64 {
        // Multiples of a power of ten, divided for negative powers: 1e-3 is not exact, 1000 is.
        let unit = 10f64.powi(power.abs());
        if power >= 0 { (middle / unit).round() * unit } else { (middle * unit).round() / unit }
    };
    let found = digits.map(near).find(inside);
    found.unwrap_or(if inside(&middle) { middle } else { below })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use separa_math::rng::Rng;

    /// The purest cut by trying all of them.
    fn slow(data: &TreeRows<'_>, rows: &[usize], min_leaf: usize) -> Option<(usize, f64, f64)> {
        let gini = |part: &[usize]| -> f64 {
            let mut counts = vec![0.0; data.k];
            part.iter().for_each(|&i| counts[data.labels[i] as usize] += data.weights[i]);
            let total: f64 = counts.iter().sum();
            counts.iter().map(|c| c * c).sum::<f64>() / total
        };
        let mut best = None;
        let mut purest = gini(rows) + 1e-9 * rows.iter().map(|&i| data.weights[i]).sum::<f64>();
        for j in 0..data.rows.cols() {
            let mut values: Vec<f64> = rows.iter().map(|&i| data.rows[(i, j)]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            for pair in values.windows(2) {
                let (a, b): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|&&i| data.rows[(i, j)] <= pair[0]);
                if a.len().min(b.len()) >= min_leaf && gini(&a) + gini(&b) > purest * (1.0 + 1e-12)
                {
                    purest = gini(&a) + gini(&b);
                    best = Some((j, pair[0], pair[1]));
                }
            }
        }
        best
    }

    #[test]
    fn the_first_split_is_the_best_of_all() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed, 0);
            let (n, d, k) = (30, 3, 3);
            let values = (0..n * d).map(|_| (rng.uniform() * 8.0).floor()).collect();
            let rows = Dense::from_vec(n, d, values).unwrap();
            let labels: Vec<u32> = (0..n).map(|_| rng.below(k) as u32).collect();
            let weights: Vec<f64> = (0..n).map(|_| 1.0 + rng.below(3) as f64).collect();
            let data = TreeRows { rows: &rows, labels: &labels, weights: &weights, k };
            let order: Vec<Vec<u32>> = (0..d)
                .map(|j| {
                    let mut order: Vec<u32> = (0..n as u32).collect();
                    order.sort_by(|a, b| rows[(*a as usize, j)].total_cmp(&rows[(*b as usize, j)]));
                    order
                })
                .collect();
            let mut counts = vec![0.0; k];
            (0..n).for_each(|i| counts[labels[i] as usize] += weights[i]);
            let open = [Open { node: 0, counts, rows: n }];
            let found = best_cuts(&data, &order, &open, &vec![0; n], 3)[0];
            let all: Vec<usize> = (0..n).collect();
            let expected = slow(&data, &all, 3);
            assert_eq!(found.map(|c| (c.column, c.below, c.above)), expected, "seed {seed}");
        }
    }

    #[test]
    fn rows_that_thresholds_part_are_parted() {
        let rows = Dense::from_vec(8, 1, (0..8).map(f64::from).collect()).unwrap();
        let labels = [0, 0, 1, 1, 0, 0, 2, 2];
        let data = TreeRows { rows: &rows, labels: &labels, weights: &[1.0; 8], k: 3 };
        let tree = Tree::fit(&data, 4, 1);
        let found: Vec<u32> = (0..8).map(|i| tree.leaf_label(tree.leaf(rows.row(i)))).collect();
        assert_eq!(found, labels);
        // Nothing to tell: one leaf.
        let alike = TreeRows { labels: &[1; 8], ..data };
        assert_eq!(Tree::fit(&alike, 4, 1).nodes, [Node::Leaf { label: 1 }]);
    }

    proptest! {
        #[test]
        fn the_roundest_number_lies_in_the_gap(a in -1e6f64..1e6, gap in 1e-9f64..1e6) {
            let (below, above) = (a, a + gap);
            prop_assume!(above > below);
            let found = roundest(below, above);
            prop_assert!(found >= below && found < above, "{below} {found} {above}");
        }
    }

    #[test]
    fn thresholds_are_short_numbers() {
        assert_eq!(roundest(750.0, 760.0), 755.0);
        assert_eq!(roundest(748.1, 763.9), 756.0);
        assert_eq!(roundest(2.2, 2.8), 2.5);
        assert_eq!(roundest(0.0, 1.0), 0.5);
        assert_eq!(roundest(-1.0, 1.0), 0.0);
        assert_eq!(roundest(3.0, 3.0 + 1e-9), 3.0 + 5e-10);
        let next = 1.0 + f64::EPSILON;
        assert_eq!(roundest(1.0, next), 1.0);
    }
}
