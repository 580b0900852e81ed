//! The assignment problem.

/// Pairs rows with columns so that the sum of the chosen entries is largest.
///
/// Problem   max Σ table(i, σ(i)) over one-to-one σ.      Given  r rows of c entries, any shape.
/// Returns   for each row its column; rows beyond the c-th best fit stay without one.
/// Cost      O(min(r,c)² · max(r,c)).
/// See       Kuhn (1955); shortest augmenting paths with potentials as Jonker & Volgenant (1987).
pub fn best_matching(table: &[Vec<f64>]) -> Vec<Option<usize>> {
    let (rows, cols) = (table.len(), table.first().map_or(0, Vec::len));
    if rows <= cols {
        let cost: Vec<f64> = table.iter().flatten().map(|v| -v).collect();
        return cheapest(rows, cols, &cost).into_iter().map(Some).collect();
    }
    let cost: Vec<f64> = (0..cols).flat_map(|j| table.iter().map(move |row| -row[j])).collect();
    let mut of_row = vec![None; rows];
    for (j, i) in cheapest(cols, rows, &cost).into_iter().enumerate() {
        of_row[i] = Some(j);
    }
    of_row
}

const FREE: usize = usize::MAX;

/// The cheapest column for each of `rows` ≤ `cols` rows, all different; `cost` row by row.
fn cheapest(rows: usize, cols: usize, cost: &[f64]) -> Vec<usize> {
    // Reduced costs cost(i,j) − u[i] − v[j] stay ≥ 0 and are 0 on matched pairs.
    let (mut u, mut v) = (vec![0.0; rows], vec![0.0; cols]);
    let mut row_of = vec![FREE; cols];
    let (mut shortest, mut parent) = (vec![0.0; cols], vec![FREE; cols]);
    let (mut left, mut done) = (Vec::with_capacity(cols), Vec::with_capacity(cols));
    for start in 0..rows {
        // Dijkstra from `start` over alternating paths to the nearest free column.
        shortest.fill(f64::INFINITY);
        left.clear();
        left.extend(0..cols);
        done.clear();
        let (mut i, mut reached, mut last) = (start, 0.0, FREE);
        let end = loop {
            let (line, before) = (&cost[i * cols..(i + 1) * cols], reached - u[i]);
            let (mut least, mut at) = (f64::INFINITY, 0);
            for (place, &j) in left.iter().enumerate() {
                let length = before + line[j] - v[j];
                if length < shortest[j] {
                    shortest[j] = length;
                    parent[j] = last;
                }
                // Of equals a free column: tables of counts are full of them, and there the path ends.
                let free = row_of[j] == FREE;
                if shortest[j] < least || (free && shortest[j] == least) {
                    (least, at) = (shortest[j], place);
                }
            }
            let next = left.swap_remove(at);
            (reached, last) = (least, next);
            if row_of[next] == FREE {
                break next;
            }
            done.push(next);
            i = row_of[next];
        };
        // Move the potentials by how far each visited node lies before the end.
        u[start] += reached;
        for &j in &done {
            u[row_of[j]] += reached - shortest[j];
            v[j] -= reached - shortest[j];
        }
        // Flip the path.
        let mut j = end;
        while parent[j] != FREE {
            row_of[j] = row_of[parent[j]];
            j = parent[j];
        }
        row_of[j] = start;
    }
    let mut column_of = vec![FREE; rows];
    for (j, i) in row_of.into_iter().enumerate().filter(|(_, i)| *i != FREE) {
        column_of[i] = j;
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use separa_testkit::naive;

    proptest! {
        #[test]
        fn the_sum_is_that_of_the_best_of_all_choices(
            rows in 1usize..6, cols in 1usize..6, seed in 0u64..10_000
        ) {
            let mut source = separa_testkit::clouds::Source::new(seed);
            let table: Vec<Vec<f64>> =
                (0..rows).map(|_| (0..cols).map(|_| source.below(9) as f64).collect()).collect();
            let chosen = best_matching(&table);
            let sum: f64 = chosen.iter().enumerate().filter_map(|(i, j)| Some(table[i][(*j)?])).sum();
            prop_assert_eq!(sum, naive::best_matching(&table));
            let mut used: Vec<usize> = chosen.iter().flatten().copied().collect();
            prop_assert_eq!(used.len(), rows.min(cols));
            used.sort_unstable();
            used.dedup();
            prop_assert_eq!(used.len(), rows.min(cols));
        }
    }
}
