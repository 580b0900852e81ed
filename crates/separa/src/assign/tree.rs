//! A tree of splits that ends in clusters.

/// Where a side of a split leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Node(usize),
    Cluster(usize),
}

/// Where a split leads: below its threshold, and not below.
pub type Sides = [Next; 2];

/// Gives cluster `order[c]` the number c, and turns every split so that the cluster of least number
/// is below; `flip` hears of every split that is turned. Parents come before their children.
pub fn renumber<T>(
    nodes: &mut [T],
    order: &[usize],
    sides: impl Fn(&mut T) -> &mut Sides,
    flip: impl Fn(&mut T),
) {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(c, &old)| place[old] = c);
    let mut least = vec![usize::MAX; nodes.len()];
    for i in (0..nodes.len()).rev() {
        let number = |next: &mut Next| match next {
            Next::Node(j) => least[*j],
            Next::Cluster(c) => {
                *c = place[*c];
                *c
            }
        };
        let [below, above] = sides(&mut nodes[i]);
        let (below, above) = (number(below), number(above));
        least[i] = below.min(above);
        if above < below {
            sides(&mut nodes[i]).swap(0, 1);
            flip(&mut nodes[i]);
        }
    }
}

/// For every cluster the least value, signed towards it, on the way down to it. `way` is room for one
/// number a split.
pub fn descend<'a>(
    nodes: impl Iterator<Item = &'a Sides>,
    values: &[f64],
    way: &mut [f64],
    out: &mut [f64],
) {
    way[0] = f64::INFINITY;
    for (i, sides) in nodes.enumerate() {
        for (next, value) in sides.iter().zip([-values[i], values[i]]) {
            let least = way[i].min(value);
            match *next {
                Next::Node(j) => way[j] = least,
                Next::Cluster(c) => out[c] = least,
            }
        }
    }
}

/// Two whole numbers a split: another split, or −1 less a cluster.
pub fn store<'a>(nodes: impl Iterator<Item = &'a Sides>) -> Vec<i64> {
    let number = |n: &Next| match n {
        Next::Node(i) => *i as i64,
        Next::Cluster(c) => -1 - *c as i64,
    };
    nodes.flat_map(|sides| sides.iter().map(number)).collect()
}

/// What [`store`] gave of `q` splits, where every later split and every cluster is led to once.
pub fn load(links: &[i64], q: usize) -> Option<Vec<Sides>> {
    if links.len() != q.checked_mul(2)? {
        return None;
    }
    let (mut reached, mut found) = (vec![false; q], vec![false; q + 1]);
    let mut nodes = Vec::with_capacity(q);
    for (i, pair) in links.chunks_exact(2).enumerate() {
        let mut link = |v: i64| -> Option<Next> {
            if v > i as i64 {
                let seen = reached.get_mut(v as usize)?;
                return (!std::mem::replace(seen, true)).then_some(Next::Node(v as usize));
            }
            let c = usize::try_from((-1_i64).checked_sub(v)?).ok()?;
            let seen = found.get_mut(c)?;
            (!std::mem::replace(seen, true)).then_some(Next::Cluster(c))
        };
        nodes.push([link(pair[0])?, link(pair[1])?]);
    }
    let whole = reached.iter().skip(1).all(|r| *r) && (q == 0 || found.iter().all(|f| *f));
    whole.then_some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_come_back_and_others_are_refused() {
        let tree = [[Next::Cluster(2), Next::Node(1)], [Next::Cluster(0), Next::Cluster(1)]];
        let links = store(tree.iter());
        assert_eq!(links, [-3, 1, -1, -2]);
        assert_eq!(load(&links, 2), Some(tree.to_vec()));
        assert_eq!(load(&[], 0), Some(vec![]));
        for bad in [&[-3, 1, -1][..], &[-3, 1, -1, -1], &[-3, 2, -1, -2], &[-3, -2, -1, -4]] {
            assert_eq!(load(bad, 2), None, "{bad:?}");
        }
        assert_eq!(load(&[i64::MIN, i64::MAX], 1), None);
    }

    #[test]
    fn the_cluster_of_least_number_is_below_and_margins_are_the_least_on_the_way() {
        let mut tree = [[Next::Cluster(2), Next::Node(1)], [Next::Cluster(0), Next::Cluster(1)]];
        // Cluster 1 becomes 0, 2 becomes 1, 0 becomes 2.
        renumber(&mut tree, &[1, 2, 0], |n| n, |_| {});
        assert_eq!(tree[0], [Next::Node(1), Next::Cluster(1)]);
        assert_eq!(tree[1], [Next::Cluster(0), Next::Cluster(2)]);
        let (mut way, mut out) = ([0.0; 2], [0.0; 3]);
        descend(tree.iter(), &[-3.0, 1.0], &mut way, &mut out);
        assert_eq!(out, [-1.0, -3.0, 1.0]);
    }
}
