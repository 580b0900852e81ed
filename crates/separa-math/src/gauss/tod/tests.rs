use super::*;
use crate::matrix::Dense;
use crate::rng::Rng;
use crate::test_tables::normals;

/// The algorithm in words, with no thought for speed.
fn textbook(x: &Dense, order: &[usize], factors: &[f64], threshold: f64) -> Vec<(Vec<f64>, f64)> {
    let mut groups: Vec<(Vec<f64>, f64)> = Vec::new();
    for &i in order {
        let gap = |mean: &[f64]| -> f64 {
            let mut sum = 0.0;
            for j in 0..x.cols() {
                sum += (x[(i, j)] * factors[j] - mean[j] * factors[j]).powi(2);
            }
            sum.sqrt()
        };
        let near =
            (0..groups.len()).min_by(|&a, &b| gap(&groups[a].0).total_cmp(&gap(&groups[b].0)));
        match near.filter(|&g| gap(&groups[g].0) <= threshold) {
            Some(g) => {
                let (mean, n) = &mut groups[g];
                *n += 1.0;
                for j in 0..x.cols() {
                    mean[j] += (x[(i, j)] - mean[j]) / *n;
                }
            }
            None => groups.push((x.row(i).to_vec(), 1.0)),
        }
    }
    groups
}

fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    Rng::new(seed, 0).shuffle(&mut order);
    order
}

#[test]
fn one_pass_makes_the_groups_of_the_textbook() {
    let factors = [1.0, 0.5, 2.0];
    for (n, threshold) in [(1, 1.0), (300, 0.0), (300, 1.5), (300, 3.0), (300, 100.0)] {
        let (x, order) = (normals(n, 3, 9), shuffled(n, 2));
        let made =
            Tod::of(&x, None, &order, (&Tod::new(&factors, threshold, Shape::Diag), usize::MAX));
        let want = textbook(&x, &order, &factors, threshold);
        assert_eq!(made.cells().len(), want.len(), "{n} {threshold}");
        for (cell, (mean, weight)) in made.cells().iter().zip(&want) {
            assert_eq!(cell.weight, *weight);
            assert!(cell.mean.iter().zip(mean).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}

#[test]
fn a_target_count_is_met_or_missed_from_below() {
    let (x, order) = (normals(600, 4, 1), shuffled(600, 5));
    let factors = [1.0; 4];
    for count in [1, 2, 5, 15, 40, 600] {
        let threshold = threshold_for(&x, None, &order, &factors, count);
        let made =
            Tod::of(&x, None, &order, (&Tod::new(&factors, threshold, Shape::Diag), usize::MAX));
        let found = made.cells().len();
        assert!(found <= count && found * 3 >= count * 2, "{found} for {count}");
    }
}

#[test]
fn parts_have_the_same_bits_on_any_number_of_threads_and_all_rows_are_in_some_cell() {
    let n = 3 * PART + 100;
    let (x, order) = (normals(n, 5, 3), shuffled(n, 1));
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let empty = Tod::new(&[1.0; 5], 2.5, Shape::Full);
        pool.install(|| Tod::of(&x, None, &order, (&empty, usize::MAX)).into_cells())
    };
    let one = run(1);
    assert_eq!(one.iter().map(|c| c.weight).sum::<f64>(), n as f64);
    assert!([2, 3].into_iter().all(|t| run(t) == one));
}

#[test]
fn coarser_cells_hold_the_same_rows() {
    let (x, order) = (normals(500, 3, 8), shuffled(500, 4));
    let mut made = Tod::of(&x, None, &order, (&Tod::new(&[1.0; 3], 0.3, Shape::Full), usize::MAX));
    let mut before = Cell::empty(3, Shape::Full);
    made.cells().iter().for_each(|c| before.merge(c));
    assert!(made.cells().len() > 60);
    for count in [60, 10, 1] {
        made.coarsen(count);
        assert_eq!(made.cells().len(), count);
        let mut after = Cell::empty(3, Shape::Full);
        made.cells().iter().for_each(|c| after.merge(c));
        assert!((after.weight - before.weight).abs() < 1e-9);
        assert!(after.scatter.iter().zip(&before.scatter).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}

/// Ward's criterion by its definition: of all pairs the one whose union adds least to the scatter within.
#[test]
fn coarsening_merges_the_pair_that_adds_least_scatter() {
    let (x, order) = (normals(200, 2, 8), shuffled(200, 4));
    let mut made = Tod::of(&x, None, &order, (&Tod::new(&[1.0; 2], 0.6, Shape::Diag), usize::MAX));
    let within = |cells: &[Cell]| cells.iter().flat_map(|c| &c.scatter).sum::<f64>();
    for _ in 0..6 {
        let cells = made.cells().to_vec();
        let mut least = f64::INFINITY;
        for i in 0..cells.len() {
            for j in 0..i {
                let mut rest = cells.clone();
                let taken = rest.remove(i);
                rest[j].merge(&taken);
                least = least.min(within(&rest));
            }
        }
        made.coarsen(cells.len() - 1);
        assert!((within(made.cells()) - least).abs() < 1e-9 * least);
    }
    let all = made.cells().len();
    made.widen();
    assert!(made.cells().len() < all && made.threshold() > 0.6);
}

#[test]
fn rows_without_weight_found_nothing() {
    let x = Dense::from_vec(3, 1, vec![0.0, 50.0, 0.1]).unwrap();
    let empty = Tod::new(&[1.0], 1.0, Shape::Diag);
    let made = Tod::of(&x, Some(&[1.0, 0.0, 2.0]), &[0, 1, 2], (&empty, usize::MAX));
    assert_eq!(made.cells().len(), 1);
    assert!((made.cells()[0].mean[0] - 0.2 / 3.0).abs() < 1e-15);
}

#[test]
fn a_pass_ends_early_where_cells_are_too_many_and_only_there() {
    let x = normals(40_000, 2, 3);
    let order: Vec<usize> = (0..40_000).collect();
    let empty = Tod::new(&[1.0; 2], 0.2, Shape::Diag);
    let cells = |most| Tod::of(&x, None, &order, (&empty, most)).cells().to_vec();
    let all = cells(usize::MAX);
    assert_eq!(cells(all.len()), all);
    assert!(all.len() > 100 && cells(50).len() > 50);
}
