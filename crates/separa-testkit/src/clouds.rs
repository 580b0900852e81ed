//! Clouds of points from seeds: shapes without groups, and groups with known labels.

use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows with the group each was drawn from.
#[derive(Debug, Clone)]
pub struct Cloud {
    pub n: usize,
    pub d: usize,
    /// Row-major, `n` rows of `d` values.
    pub x: Vec<f64>,
    pub labels: Vec<i32>,
}

/// The entries of dense rows that are not 0: where each row begins, columns, values.
pub fn sparse_rows(x: &[f64], d: usize) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in x.chunks_exact(d) {
        for (j, v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            indices.push(j as u32);
            values.push(*v);
        }
        indptr.push(values.len());
    }
    (indptr, indices, values)
}

/// Shapes of a Gaussian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covariance {
    /// The identity.
    Spherical,
    /// One axis five times as long as the others.
    Elongated,
    /// Unit variances, correlation 0.8^|i−j| between features i and j.
    Correlated,
}

/// A seeded source of numbers.
#[derive(Debug, Clone)]
pub struct Source(ChaCha8Rng);

impl Source {
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// Uniform in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    /// Standard normal (Box and Muller's transform).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    pub fn normals(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.normal()).collect()
    }
}

/// One Gaussian.
pub fn gaussian(n: usize, d: usize, covariance: Covariance, seed: u64) -> Vec<f64> {
    let mut x = Source::new(seed).normals(n * d);
    for row in x.chunks_exact_mut(d) {
        match covariance {
            Covariance::Spherical => {}
            Covariance::Elongated => row[0] *= 5.0,
            // A first-order autoregression along the features has the wanted correlations.
            Covariance::Correlated => {
                (1..d).for_each(|j| row[j] = 0.8 * row[j - 1] + 0.6 * row[j]);
            }
        }
    }
    x
}

/// Uniform in the cube [0, 1]^d.
pub fn uniform_box(n: usize, d: usize, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    (0..n * d).map(|_| source.uniform()).collect()
}

/// Uniform in the unit ball.
pub fn ball(n: usize, d: usize, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    let mut x = source.normals(n * d);
    for row in x.chunks_exact_mut(d) {
        let length = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        let radius = source.uniform().powf(1.0 / d as f64);
        row.iter_mut().for_each(|v| *v *= radius / length);
    }
    x
}

/// Student's t with five degrees of freedom, features independent.
pub fn t5(n: usize, d: usize, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    let mut draw = || {
        let z = source.normal();
        let chi2: f64 = (0..5).map(|_| source.normal().powi(2)).sum();
        z / (chi2 / 5.0).sqrt()
    };
    (0..n * d).map(|_| draw()).collect()
}

/// exp of a normal with standard deviation ½, features independent.
pub fn log_normal(n: usize, d: usize, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    (0..n * d).map(|_| (0.5 * source.normal()).exp()).collect()
}

/// Two spherical Gaussians `distance` standard deviations apart along a random direction; the
/// second one holds about `share` of the rows.
pub fn two_gaussians(n: usize, d: usize, share: f64, distance: f64, seed: u64) -> Cloud {
    let mut source = Source::new(seed);
    let direction = source.normals(d);
    let length = direction.iter().map(|v| v * v).sum::<f64>().sqrt();
    let mut x = source.normals(n * d);
    let labels: Vec<i32> = (0..n).map(|_| i32::from(source.uniform() < share)).collect();
    for (row, _) in x.chunks_exact_mut(d).zip(&labels).filter(|(_, l)| **l == 1) {
        row.iter_mut().zip(&direction).for_each(|(v, w)| *v += distance * w / length);
    }
    Cloud { n, d, x, labels }
}

/// Two half circles that hold each other, with noise; angles are drawn, so they have thin places.
pub fn moons(n: usize, noise: f64, seed: u64) -> Cloud {
    turned(n, noise, seed, |second, turn| {
        let t = 0.5 * turn;
        if second { [1.0 - t.cos(), 0.5 - t.sin()] } else { [t.cos(), t.sin()] }
    })
}

/// Two rings, one within the other, with noise.
pub fn rings(n: usize, noise: f64, seed: u64) -> Cloud {
    turned(n, noise, seed, |second, t| {
        let r = if second { 0.5 } else { 1.0 };
        [r * t.cos(), r * t.sin()]
    })
}

/// Points of two curves in turns, from an angle between 0 and 2π.
fn turned(n: usize, noise: f64, seed: u64, at: impl Fn(bool, f64) -> [f64; 2]) -> Cloud {
    let mut source = Source::new(seed);
    let (mut x, mut labels) = (Vec::new(), Vec::new());
    for i in 0..n {
        let second = i % 2 == 1;
        let point = at(second, std::f64::consts::TAU * source.uniform());
        x.extend(point.map(|v| v + noise * source.normal()));
        labels.push(i32::from(second));
    }
    Cloud { n, d: 2, x, labels }
}

/// `k` spherical Gaussians of about equal size whose centres are at least `distance` apart.
pub fn blobs(n: usize, d: usize, k: usize, distance: f64, seed: u64) -> Cloud {
    let mut source = Source::new(seed);
    let centres = spread_centres(&mut source, d, k, distance);
    let labels: Vec<i32> = (0..n).map(|i| (i % k) as i32).collect();
    let mut x = source.normals(n * d);
    for (row, l) in x.chunks_exact_mut(d).zip(&labels) {
        row.iter_mut().zip(&centres[*l as usize]).for_each(|(v, c)| *v += c);
    }
    Cloud { n, d, x, labels }
}

/// Draws centres until each is far from those before it, in a cube that grows when it is full.
fn spread_centres(source: &mut Source, d: usize, k: usize, distance: f64) -> Vec<Vec<f64>> {
    let mut side = distance * (k as f64).powf(1.0 / d as f64);
    let mut centres: Vec<Vec<f64>> = Vec::new();
    while centres.len() < k {
        let c: Vec<f64> = (0..d).map(|_| side * (2.0 * source.uniform() - 1.0)).collect();
        let gap = |o: &Vec<f64>| o.iter().zip(&c).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        if centres.iter().all(|o| gap(o) >= distance) {
            centres.push(c);
        } else {
            side *= 1.02;
        }
    }
    centres
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;

    #[test]
    fn covariances_are_as_stated() {
        let n = 40_000;
        let x = gaussian(n, 3, Covariance::Correlated, 1);
        let (_, cov) = naive::moments(&x, 3);
        // Standard errors are near 1/√n = 0.005.
        for (i, j, want) in [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0), (0, 1, 0.8), (0, 2, 0.64)] {
            assert!((cov[i * 3 + j] - want).abs() < 0.03, "{i} {j} {}", cov[i * 3 + j]);
        }
        let (_, cov) = naive::moments(&t5(n, 1, 2), 1);
        assert!((cov[0] - 5.0 / 3.0).abs() < 0.15, "{}", cov[0]);
    }

    #[test]
    fn blobs_keep_their_distance_and_balls_their_radius() {
        let cloud = blobs(600, 2, 6, 8.0, 3);
        let means = naive::group_means(&cloud.x, 2, &cloud.labels, 6);
        for a in 0..6 {
            for b in 0..a {
                let gap = (0..2).map(|j| (means[a][j] - means[b][j]).powi(2)).sum::<f64>().sqrt();
                assert!(gap > 7.0, "{gap}");
            }
        }
        let inside = |row: &[f64]| row.iter().map(|v| v * v).sum::<f64>() <= 1.0;
        assert!(ball(500, 4, 1).chunks_exact(4).all(inside));
    }
}
