//! Seeded randomness: one ChaCha8 stream per (seed, task), equal on every machine and thread count.

use rand::{Rng as _, RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random stream. Tasks draw from streams of their own, so their order does not matter.
#[derive(Debug, Clone)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// Stream `task` of a seed.
    pub fn new(seed: u64, task: u64) -> Self {
        let mut inner = ChaCha8Rng::seed_from_u64(seed);
        inner.set_stream(task);
        Self(inner)
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Standard normal, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Fisher-Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// `m` distinct indices of `0..n`, ascending.
    pub fn sample(&mut self, n: usize, m: usize) -> Vec<usize> {
        if m >= n {
            return (0..n).collect();
        }
        // Floyd's algorithm: m draws whatever n is.
        let mut chosen = std::collections::BTreeSet::new();
        for j in n - m..n {
            let t = self.below(j + 1);
            if !chosen.insert(t) {
                chosen.insert(j);
            }
        }
        chosen.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_one_seed_differ_and_repeat() {
        let draw = |seed, task| Rng::new(seed, task).next_u64();
        assert_eq!(draw(7, 1), draw(7, 1));
        assert_ne!(draw(7, 1), draw(7, 2));
        assert_ne!(draw(7, 1), draw(8, 1));
    }

    #[test]
    fn a_sample_has_distinct_ascending_members_of_the_range() {
        for (n, m) in [(1, 1), (10, 3), (10, 10), (10, 20), (1000, 999)] {
            let s = Rng::new(1, 0).sample(n, m);
            assert_eq!(s.len(), m.min(n));
            assert!(s.windows(2).all(|w| w[0] < w[1]) && s.iter().all(|&i| i < n));
        }
    }

    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut rng = Rng::new(3, 0);
        let x: Vec<f64> = (0..40_000).map(|_| rng.normal()).collect();
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let var = x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64;
        // Five standard errors: 5/√40000 and 5·√2/√40000.
        assert!(mean.abs() < 0.025 && (var - 1.0).abs() < 0.036, "{mean} {var}");
    }
}
