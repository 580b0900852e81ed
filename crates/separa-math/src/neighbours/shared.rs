//! Rows that share neighbours.

use super::graph::{Graph, Join, Weight};
use super::search::Neighbours;
use crate::par;

/// |a ∩ b| / |a ∪ b| of two ascending lists without repeats; 0 where both are empty.
pub fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut p, mut q, mut both) = (0, 0, 0);
    while p < a.len() && q < b.len() {
        let (x, y) = (a[p], b[q]);
        both += usize::from(x == y);
        p += usize::from(x <= y);
        q += usize::from(y <= x);
    }
    both as f64 / (a.len() + b.len() - both).max(1) as f64
}

/// The neighbours of every row, ascending by index, one list after the other.
pub fn ascending_lists(nearest: &Neighbours) -> Vec<u32> {
    let mut lists: Vec<u32> =
        (0..nearest.n_rows()).flat_map(|i| nearest.row(i).0).copied().collect();
    lists.chunks_exact_mut(nearest.k().max(1)).for_each(<[u32]>::sort_unstable);
    lists
}

/// The graph of neighbours, an edge weighing Jaccard's index of the two rows' lists; edges between
/// rows that share none are left out.
/// See  Jarvis & Patrick (1973).      Cost  n·k².
pub fn shared_neighbours(nearest: &Neighbours, join: Join) -> Graph {
    let (n, k) = (nearest.n_rows(), nearest.k());
    let edges = Graph::new(nearest, Weight::One, join);
    let lists = ascending_lists(nearest);
    let list = |i: usize| &lists[i * k..(i + 1) * k];
    let mut graph = Graph { n, indptr: vec![0], indices: Vec::new(), values: Vec::new() };
    par::fold_chunks(
        n,
        |range| {
            let (mut ends, mut places, mut values) = (Vec::new(), Vec::new(), Vec::new());
            for i in range {
                let row = edges.indptr[i]..edges.indptr[i + 1];
                for (&j, w) in edges.indices[row.clone()].iter().zip(&edges.values[row]) {
                    let share = jaccard(list(i), list(j as usize));
                    if share > 0.0 {
                        places.push(j);
                        values.push(w * share);
                    }
                }
                ends.push(places.len());
            }
            (ends, places, values)
        },
        |(ends, places, values)| {
            let before = graph.indices.len();
            graph.indptr.extend(ends.into_iter().map(|e| before + e));
            graph.indices.extend(places);
            graph.values.extend(values);
        },
    );
    graph
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Metric;
    use crate::test_tables::whole_numbers;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn weights_are_jaccards_index_of_the_lists(n in 1usize..70, k in 0usize..9, seed in 0u64..99) {
            let x = whole_numbers(n, 2, 9, seed);
            let nearest = Neighbours::among(Metric::Euclidean, &x, k);
            let graph = shared_neighbours(&nearest, Join::Blend { share: 0.1 });
            let rows = graph.rows();
            for i in 0..n {
                let (places, values) = rows.row(i);
                for j in 0..n {
                    let (a, b) = (nearest.row(i).0, nearest.row(j).0);
                    let both = b.iter().filter(|t| a.contains(t)).count();
                    let index = both as f64 / (2 * nearest.k() - both).max(1) as f64;
                    let to = f64::from(u8::from(a.contains(&(j as u32))));
                    let back = f64::from(u8::from(b.contains(&(i as u32))));
                    let want = index * (to.min(back) + 0.1 * to.max(back));
                    let found = places.binary_search(&(j as u32)).map_or(0.0, |p| values[p]);
                    prop_assert!((found - want).abs() < 1e-15);
                }
            }
        }
    }
}
