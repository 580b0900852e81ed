//! Starting centres drawn from the rows.
//!
//! k-means++ draws each centre with probability proportional to the weighted squared distance from
//! the nearest centre so far; its greedy form draws 2 + ln k rows a step and keeps the one that
//! leaves the least inertia. See Arthur & Vassilvitskii (2007).

use super::lloyd::KMeansData;
use super::spread::Spread;
use crate::matrix::{Columns, Dense, pick, project_into};
use crate::par;
use crate::rng::Rng;

/// How starting centres are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeding {
    /// k-means++ with several trials a step.
    Greedy,
    /// Plain k-means++.
    PlusPlus,
    /// Distinct rows of positive weight, each as likely as any other.
    Random,
}

impl KMeansData<'_> {
    /// k starting centres, each a row of the table. Where fewer than k distinct rows have weight,
    /// some rows are drawn more than once.
    pub fn seed(&self, k: usize, how: Seeding, rng: &mut Rng) -> Dense {
        let chosen = match how {
            Seeding::Random => self.random_rows(k, rng),
            Seeding::PlusPlus => self.spread_rows(k, 1, rng),
            Seeding::Greedy => self.spread_rows(k, 2 + (k as f64).ln() as usize, rng),
        };
        pick(self.rows, &chosen)
    }

    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    fn random_rows(&self, k: usize, rng: &mut Rng) -> Vec<usize> {
        let heavy: Vec<usize> = (0..self.rows.n_rows()).filter(|&i| self.weight(i) > 0.0).collect();
        let mut chosen: Vec<usize> = rng.sample(heavy.len(), k).iter().map(|&i| heavy[i]).collect();
        while chosen.len() < k {
            chosen.push(heavy[rng.below(heavy.len())]);
        }
        chosen
    }

    fn spread_rows(&self, k: usize, trials: usize, rng: &mut Rng) -> Vec<usize> {
        let n = self.rows.n_rows();
        let mass: Vec<f64> = (0..n).map(|i| self.weight(i)).collect();
        let mut chosen = vec![draw(&mass, rng)];
        let mut closest = self.distances(&chosen, &vec![f64::INFINITY; n]).remove(0).closest;
        while chosen.len() < k {
            let mut mass: Vec<f64> = (0..n).map(|i| self.weight(i) * closest[i]).collect();
            if mass.iter().sum::<f64>() <= 0.0 {
                // Every row lies on a centre.
                mass = (0..n).map(|i| self.weight(i)).collect();
            }
            let rows: Vec<usize> = (0..trials).map(|_| draw(&mass, rng)).collect();
            let results = self.distances(&rows, &closest);
            let best = (1..trials).fold(0, |best, t| {
                if results[t].inertia < results[best].inertia { t } else { best }
            });
            chosen.push(rows[best]);
            closest = results.into_iter().nth(best).expect("one result a trial").closest;
        }
        chosen
    }

    /// For each candidate row: the squared distances to the nearest centre if it became one.
    fn distances(&self, candidates: &[usize], closest: &[f64]) -> Vec<Trial> {
        let mut points = pick(self.rows, candidates);
        let offset: Vec<f64> = (0..points.rows())
            .map(|c| shift_to(points.row_mut(c), self.spread.reference()))
            .collect();
        let mut scores = Dense::zeros(self.rows.n_rows(), candidates.len());
        project_into(self.rows, &Columns::pack(points.view()), &offset, scores.data_mut());
        let trial = |t: usize| {
            let mut near = vec![0.0; closest.len()];
            par::fill_chunks(&mut near, 1, |range, part| {
                for (i, out) in range.zip(part) {
                    let square = distance(&self.spread, i, scores[(i, t)], points.row(t).len());
                    *out = if i == candidates[t] { 0.0 } else { square.min(closest[i]) };
                }
            });
            let part =
                |r: std::ops::Range<usize>| -> f64 { r.map(|i| self.weight(i) * near[i]).sum() };
            let inertia = par::chunks(near.len(), par::CHUNK).map(part).sum();
            Trial { closest: near, inertia }
        };
        (0..candidates.len()).map(trial).collect()
    }
}

struct Trial {
    closest: Vec<f64>,
    inertia: f64,
}

/// c becomes δ = c − r; returns −r·δ − ½‖δ‖², so that x·δ + it = ½(‖x − r‖² − ‖x − c‖²).
fn shift_to(point: &mut [f64], reference: &[f64]) -> f64 {
    let mut offset = 0.0;
    for (v, r) in point.iter_mut().zip(reference) {
        *v -= r;
        offset -= *v * (r + 0.5 * *v);
    }
    offset
}

/// ‖x − c‖² from the score; 0 where it is no more than rounding.
fn distance(spread: &Spread, i: usize, score: f64, d: usize) -> f64 {
    let square = spread.squares()[i] - 2.0 * score;
    let noise = 4.0 * f64::EPSILON * (d as f64).sqrt() * (spread.squares()[i] + score.abs());
    if square > noise { square } else { 0.0 }
}

/// A row drawn with probability proportional to its mass; never one without mass.
pub fn draw(mass: &[f64], rng: &mut Rng) -> usize {
    let target = rng.uniform() * mass.iter().sum::<f64>();
    let mut sum = 0.0;
    for (i, m) in mass.iter().enumerate() {
        sum += m;
        if sum > target {
            return i;
        }
    }
    // Only where the product above rounded up to the whole.
    mass.iter().rposition(|m| *m > 0.0).expect("some row has mass")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Dense {
        Dense::from_vec(values.len(), 1, values.to_vec()).unwrap()
    }

    #[test]
    fn spread_starts_take_one_row_of_each_far_group() {
        let x = line(&[0.0, 0.001, 0.002, 1e3, 1e3, 1e3, 1e6, 1e6]);
        let table = KMeansData::new(&x, None);
        for how in [Seeding::Greedy, Seeding::PlusPlus] {
            for seed in 0..20 {
                let mut centers = table.seed(3, how, &mut Rng::new(seed, 0)).into_vec();
                centers.sort_by(f64::total_cmp);
                assert!(centers[0] < 1.0 && centers[2] == 1e6, "{centers:?}");
            }
        }
    }

    #[test]
    fn rows_without_weight_are_never_drawn() {
        let x = line(&[5.0, 1.0, 2.0, 3.0, 7.0]);
        let table = KMeansData::new(&x, Some(&[0.0, 1.0, 1.0, 1.0, 0.0]));
        for how in [Seeding::Greedy, Seeding::PlusPlus, Seeding::Random] {
            for seed in 0..20 {
                let mut centers = table.seed(3, how, &mut Rng::new(seed, 0)).into_vec();
                centers.sort_by(f64::total_cmp);
                assert_eq!(centers, [1.0, 2.0, 3.0]);
                assert_eq!(table.seed(5, how, &mut Rng::new(seed, 0)).rows(), 5);
            }
        }
    }

    #[test]
    fn plain_draws_follow_the_squared_distance() {
        // From 0, the rows at 1 and 2 have masses 1 and 4.
        let x = line(&[0.0, 1.0, 2.0]);
        let table = KMeansData::new(&x, None);
        let (mut far, mut from_zero) = (0.0, 0.0);
        for seed in 0..6000 {
            let centers = table.seed(2, Seeding::PlusPlus, &mut Rng::new(seed, 7)).into_vec();
            if centers[0] == 0.0 {
                from_zero += 1.0;
                far += f64::from(centers[1] == 2.0);
            }
        }
        // Five standard errors of a fraction of 0.8 in about 2,000 draws.
        assert!((far / from_zero - 0.8_f64).abs() < 0.045, "{far} of {from_zero}");
    }
}
