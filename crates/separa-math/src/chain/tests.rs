use super::*;
use crate::rng::Rng;
use proptest::prelude::*;

/// Random scores of sequences of the given lengths.
struct Case {
    k: usize,
    sequences: Sequences,
    transitions: Vec<f64>,
    emissions: Vec<f64>,
    weights: Vec<f64>,
    /// Whether the gradient is that of the entropy, too.
    entropy: bool,
}

impl Case {
    fn new(k: usize, lengths: &[usize], scale: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed, 0);
        let rows = lengths.iter().sum::<usize>();
        let mut draw = |n: usize| (0..n).map(|_| scale * rng.normal()).collect::<Vec<f64>>();
        let (transitions, emissions) = (draw(k * k), draw(rows * k));
        let weights = lengths.iter().enumerate().map(|(s, _)| 0.5 + s as f64).collect();
        let sequences = Sequences::new(ranges(lengths));
        Self { k, sequences, transitions, emissions, weights, entropy: true }
    }

    fn run(&self) -> (Beliefs, Forward) {
        let mut beliefs = Beliefs::new(self.sequences.rows(), self.k);
        let forward = beliefs.forward(&self.scored(&Chain::new(self.k, &self.transitions)));
        (beliefs, forward)
    }

    fn scored<'a>(&'a self, chain: &'a Chain) -> Scored<'a> {
        let (sequences, emissions) = (&self.sequences, self.emissions.as_slice());
        Scored { chain, sequences, weights: Some(&self.weights), emissions }
    }

    /// Σ weight·(H + Σₜ c(yₜ)).
    fn value(&self, cost: &[f64]) -> f64 {
        let forward = self.run().1;
        (if self.entropy { forward.entropy } else { 0.0 })
            + forward.mass.iter().zip(cost).map(|(m, c)| m * c).sum::<f64>()
    }

    fn gradient(&self, cost: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let chain = Chain::new(self.k, &self.transitions);
        let mut slope = vec![0.0; self.emissions.len()];
        let (beliefs, _) = self.run();
        let transitions = beliefs.backward(&self.scored(&chain), self.entropy, cost, &mut slope);
        (slope, transitions)
    }

    fn marginals(&self) -> Vec<f64> {
        let (beliefs, _) = self.run();
        (0..self.sequences.rows()).flat_map(|i| beliefs.marginal(i).to_vec()).collect()
    }
}

fn ranges(lengths: &[usize]) -> Vec<Range<usize>> {
    let ends = lengths.iter().scan(0, |end, n| {
        *end += n;
        Some(*end)
    });
    ends.zip(lengths).map(|(end, n)| end - n..end).collect()
}

/// log Z, entropy, marginals and the best path of one sequence, from the list of all paths.
fn enumerated(case: &Case, rows: Range<usize>) -> (f64, f64, Vec<f64>, Vec<u32>) {
    let (k, length) = (case.k, rows.len());
    let paths: Vec<Vec<usize>> = (0..k.pow(length as u32))
        .map(|code| (0..length).map(|t| code / k.pow(t as u32) % k).collect())
        .collect();
    let score = |path: &Vec<usize>| -> f64 {
        let emitted =
            path.iter().enumerate().map(|(t, y)| case.emissions[(rows.start + t) * k + y]);
        let moved = path.windows(2).map(|w| case.transitions[w[0] * k + w[1]]);
        emitted.chain(moved).sum()
    };
    let scores: Vec<f64> = paths.iter().map(score).collect();
    let best = (0..paths.len()).fold(0, |b, i| if scores[i] > scores[b] { i } else { b });
    let log_z = scores[best] + scores.iter().map(|s| (s - scores[best]).exp()).sum::<f64>().ln();
    let mut marginals = vec![0.0; length * k];
    let mut entropy = 0.0;
    for (path, score) in paths.iter().zip(&scores) {
        let p = (score - log_z).exp();
        entropy -= p * (score - log_z);
        path.iter().enumerate().for_each(|(t, y)| marginals[t * k + y] += p);
    }
    (log_z, entropy, marginals, paths[best].iter().map(|y| *y as u32).collect())
}

fn assert_close(found: &[f64], expected: &[f64], tol: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tol * b.abs().max(1.0), "{i}: {a} instead of {b}");
    }
}

proptest! {
    #[test]
    fn short_chains_equal_the_list_of_all_paths(
        k in 1usize..4, lengths in prop::collection::vec(1usize..6, 1..4),
        scale in 0.0..4.0f64, seed in 0u64..1000
    ) {
        let case = Case::new(k, &lengths, scale, seed);
        let (_, forward) = case.run();
        let (mut log_z, mut entropy, mut marginals, mut path) = (0.0, 0.0, vec![], vec![]);
        for (rows, weight) in case.sequences.ranges().iter().zip(&case.weights) {
            let (z, h, p, best) = enumerated(&case, rows.clone());
            log_z += weight * z;
            entropy += weight * h;
            marginals.extend(p);
            path.extend(best);
        }
        // 1e-12, as sums of up to 15 rows with weights up to 2.5 round.
        assert_close(&[forward.log_z, forward.entropy], &[log_z, entropy], 1e-12);
        assert_close(&case.marginals(), &marginals, 1e-12);
        let chain = Chain::new(k, &case.transitions);
        prop_assert_eq!(best_path(&chain, &case.sequences, &case.emissions), path);
    }

    #[test]
    fn gradient_matches_central_difference(
        k in 1usize..4, lengths in prop::collection::vec(1usize..7, 1..4),
        scale in 0.1..2.0f64, entropy: bool, seed in 0u64..1000
    ) {
        let mut case = Case { entropy, ..Case::new(k, &lengths, scale, seed) };
        let cost: Vec<f64> = (0..k).map(|y| 0.7 * y as f64 - 0.4).collect();
        let (slope, transitions) = case.gradient(&cost);
        let step = 1e-5;
        let mut numeric = (vec![0.0; slope.len()], vec![0.0; transitions.len()]);
        for (i, out) in numeric.0.iter_mut().enumerate() {
            for sign in [1.0, -1.0] {
                case.emissions[i] += sign * step;
                *out += sign * case.value(&cost) / (2.0 * step);
                case.emissions[i] -= sign * step;
            }
        }
        for (i, out) in numeric.1.iter_mut().enumerate() {
            for sign in [1.0, -1.0] {
                case.transitions[i] += sign * step;
                *out += sign * case.value(&cost) / (2.0 * step);
                case.transitions[i] -= sign * step;
            }
        }
        // Rounding of the value over the step, 1e-15/1e-5, and the third derivative times its square.
        assert_close(&slope, &numeric.0, 1e-7);
        assert_close(&transitions, &numeric.1, 1e-7);
    }

    #[test]
    fn time_reversal_with_transposed_transitions_changes_nothing(
        k in 1usize..5, length in 1usize..40, seed in 0u64..1000
    ) {
        let case = Case::new(k, &[length], 2.0, seed);
        let cost: Vec<f64> = (0..k).map(|y| y as f64).collect();
        let flip = |values: &[f64]| -> Vec<f64> {
            values.chunks_exact(k).rev().flatten().copied().collect()
        };
        let turn = |a: &[f64]| -> Vec<f64> { (0..k * k).map(|i| a[i % k * k + i / k]).collect() };
        let turned = Case {
            emissions: flip(&case.emissions),
            transitions: turn(&case.transitions),
            ..Case::new(k, &[length], 2.0, seed)
        };
        let (a, b) = (case.run().1, turned.run().1);
        assert_close(&[b.log_z, b.entropy], &[a.log_z, a.entropy], 1e-12);
        assert_close(&turned.marginals(), &flip(&case.marginals()), 1e-12);
        let (there, back) = (case.gradient(&cost), turned.gradient(&cost));
        assert_close(&back.0, &flip(&there.0), 1e-10);
        assert_close(&back.1, &turn(&there.1), 1e-10);
    }
}

#[test]
fn without_transitions_rows_are_independent_and_a_cut_changes_nothing() {
    let mut case = Case::new(3, &[8, 5], 1.5, 4);
    case.transitions.fill(0.3);
    case.weights.fill(1.0);
    let mut cut = Case::new(3, &[2, 6, 1, 4], 1.5, 4);
    cut.emissions = case.emissions.clone();
    cut.transitions.fill(0.3);
    cut.weights.fill(1.0);
    assert_close(&cut.marginals(), &case.marginals(), 1e-14);
    let (a, b) = (case.run().1, cut.run().1);
    assert_close(&[b.entropy], &[a.entropy], 1e-13);
    // Two steps fewer, at 0.3 each.
    assert_close(&[a.log_z - b.log_z], &[2.0 * 0.3], 1e-12);
}

#[test]
fn marginals_and_pairs_are_the_gradient_of_log_z() {
    let mut case = Case::new(3, &[4, 1, 6], 1.0, 2);
    let chain = Chain::new(3, &case.transitions);
    let pairs = case.run().0.pairs(&case.scored(&chain));
    let marginals = case.marginals();
    let step = 1e-5;
    let difference = |case: &mut Case, at: fn(&mut Case) -> &mut Vec<f64>, i: usize| {
        at(case)[i] += step;
        let above = case.run().1.log_z;
        at(case)[i] -= 2.0 * step;
        let below = case.run().1.log_z;
        at(case)[i] += step;
        (above - below) / (2.0 * step)
    };
    for (i, pair) in pairs.iter().enumerate() {
        let numeric = difference(&mut case, |case| &mut case.transitions, i);
        assert!((numeric - pair).abs() < 1e-7, "{i}: {pair} instead of {numeric}");
    }
    for (i, p) in marginals.iter().enumerate() {
        let weight = [0.5, 1.5, 2.5][if i < 12 {
            0
        } else if i < 15 {
            1
        } else {
            2
        }];
        let numeric = difference(&mut case, |case| &mut case.emissions, i);
        assert!((numeric - weight * p).abs() < 1e-7, "{i}: {p} instead of {numeric}");
    }
}

#[test]
fn a_cut_changes_its_own_sequence_alone() {
    let whole = Case::new(2, &[6, 5], 1.0, 9);
    let mut cut = Case::new(2, &[3, 3, 5], 1.0, 9);
    cut.emissions = whole.emissions.clone();
    let (a, b) = (whole.marginals(), cut.marginals());
    assert_eq!(a[12..], b[12..]);
    assert!(a[..12].iter().zip(&b[..12]).all(|(a, b)| (a - b).abs() > 1e-6));
}

#[test]
fn marginals_sum_to_one_and_entropy_keeps_its_digits_in_a_long_chain() {
    // Every step of a symmetric chain without emissions has the entropy of a coin of this bias.
    let (length, a): (usize, f64) = (200_000, 6.0);
    let mut case = Case::new(2, &[length], 0.0, 0);
    case.transitions = vec![a, 0.0, 0.0, a];
    case.weights = vec![1.0];
    let (beliefs, forward) = case.run();
    let p = 1.0 / (1.0 + (-a).exp());
    let coin = -p * p.ln() - (1.0 - p) * (1.0 - p).ln();
    let expected = 2.0f64.ln() + (length - 1) as f64 * coin;
    // The rounding of 200,000 additions, relative.
    assert!((forward.entropy / expected - 1.0).abs() < 1e-11, "{} {expected}", forward.entropy);
    for i in (0..length).step_by(1000) {
        assert_close(beliefs.marginal(i), &[0.5, 0.5], 1e-12);
    }
}

#[test]
fn scores_of_any_size_give_finite_beliefs() {
    let mut case = Case::new(3, &[50], 1.0, 3);
    case.emissions.iter_mut().enumerate().for_each(|(i, e)| *e *= [1.0, 1e3, 1e6, 1e9][i % 4]);
    case.transitions = vec![0.0, -5e3, 900.0, -1e6, 3.0, 0.0, 800.0, -800.0, 0.0];
    let (beliefs, forward) = case.run();
    assert!(forward.log_z.is_finite() && forward.entropy.is_finite());
    for i in 0..50 {
        let total: f64 = beliefs.marginal(i).iter().sum();
        assert!((total - 1.0).abs() < 1e-12 && beliefs.marginal(i).iter().all(|p| *p >= 0.0));
    }
    let (slope, transitions) = case.gradient(&[0.0, 1.0, 2.0]);
    assert!(slope.iter().chain(&transitions).all(|v| v.is_finite()));
}

#[test]
fn one_two_and_four_threads_give_equal_bits() {
    let lengths: Vec<usize> = (0..300).map(|i| [1, 40, 7, 300, 2000][i % 5]).collect();
    let case = Case::new(3, &lengths, 1.0, 5);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let chain = Chain::new(3, &case.transitions);
            let path = best_path(&chain, &case.sequences, &case.emissions);
            (case.run().1, case.gradient(&[0.1, 0.2, 0.3]), path)
        })
    };
    let one = run(1);
    assert!(run(2) == one && run(4) == one);
}
