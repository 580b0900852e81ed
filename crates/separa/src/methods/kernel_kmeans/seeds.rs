//! Starting centres drawn from the rows, by distances in the space of the kernel.

use super::iterations::{KernelSpace, NONE};
use separa_math::kmeans::draw;
use separa_math::rng::Rng;

impl KernelSpace<'_> {
    /// k rows as centres: greedy k-means++ with squared distances in the space of the kernel, or
    /// distinct rows, each as likely as any other. All other rows belong to none.
    pub fn seed(&self, k: usize, spread: bool, rng: &mut Rng) -> Vec<u32> {
        let n = self.gram.n();
        let mut members = vec![NONE; n];
        if !spread {
            let rows = rng.sample(n, k);
            rows.iter().enumerate().for_each(|(c, &i)| members[i] = c as u32);
            return members;
        }
        let trials = 2 + (k as f64).ln() as usize;
        let mut closest = vec![f64::INFINITY; n];
        let mut mass = self.weights.to_vec();
        for c in 0..k {
            let rows: Vec<usize> =
                (0..if c == 0 { 1 } else { trials }).map(|_| draw(&mass, rng)).collect();
            let results: Vec<Vec<f64>> = rows.iter().map(|&i| self.closer(i, &closest)).collect();
            let left: Vec<f64> = results.iter().map(|r| self.total(r)).collect();
            let best = (1..rows.len()).fold(0, |b, t| if left[t] < left[b] { t } else { b });
            members[rows[best]] = c as u32;
            closest.clone_from(&results[best]);
            mass = closest.iter().zip(self.weights).map(|(d, w)| w * d).collect();
            if mass.iter().sum::<f64>() <= 0.0 {
                // Every row lies on a centre.
                mass = self.weights.to_vec();
            }
        }
        members
    }

    /// Squared distances to the nearest centre if row i became one.
    fn closer(&self, i: usize, closest: &[f64]) -> Vec<f64> {
        let mut row = vec![0.0; closest.len()];
        self.gram.copy_row(i, &mut row);
        for (j, (value, old)) in row.iter_mut().zip(closest).enumerate() {
            let size = self.diagonal[i].abs() + self.diagonal[j].abs();
            let square = self.diagonal[i] + self.diagonal[j] - 2.0 * *value;
            let square = if j == i || square <= 4.0 * f64::EPSILON * size { 0.0 } else { square };
            *value = square.min(*old);
        }
        row
    }
}
