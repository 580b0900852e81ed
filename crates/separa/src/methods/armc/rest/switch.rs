//! The E-step: labels that cost less with the functions as they are.

use super::biases::largest;
use crate::methods::armc::iterations::upper;
use crate::methods::armc::machine::Answer;

/// Sweeps over all pairs of clusters at most.
const SWEEPS: usize = 20;

/// Rows without a label get that of the largest f.
pub(super) fn told(answers: &[Answer], first: &[i32]) -> Vec<u32> {
    let scores: Vec<&[f64]> = answers.iter().map(|a| &a.scores[..]).collect();
    let biases: Vec<f64> = answers.iter().map(|a| a.b).collect();
    let label = |(i, l): (usize, &i32)| match *l {
        l if l < 0 => largest(&scores, &biases, i) as u32,
        l => l as u32,
    };
    first.iter().enumerate().map(label).collect()
}

/// Labels of no larger loss, with the sizes as they are, where no two clusters gain by switching rows.
pub(super) fn switch(answers: &[Answer], weights: &[f64], labels: &[u32]) -> Vec<u32> {
    let k = answers.len() as u32;
    // What a row costs more inside the cluster than outside.
    let cost: Vec<Vec<f64>> = answers
        .iter()
        .map(|a| a.f().map(|f| (1.0 - f).max(0.0) - (1.0 + f).max(0.0)).collect())
        .collect();
    let mut labels = labels.to_vec();
    for _ in 0..SWEEPS {
        let mut moved = false;
        for a in 0..k {
            for b in a + 1..k {
                let rows: Vec<usize> =
                    (0..labels.len()).filter(|&i| labels[i] == a || labels[i] == b).collect();
                let gain: Vec<f64> =
                    rows.iter().map(|&i| cost[b as usize][i] - cost[a as usize][i]).collect();
                let own: Vec<f64> = rows.iter().map(|&i| weights[i]).collect();
                let is_a = |&i: &usize| labels[i] == a;
                let mass: f64 = rows.iter().filter(|i| is_a(i)).map(|&i| weights[i]).sum();
                let side = upper(&gain, &own, mass);
                let worth = |(r, i): (usize, &usize)| {
                    let change = f64::from(u8::from(side[r])) - f64::from(u8::from(is_a(i)));
                    change * gain[r] * own[r]
                };
                let gained: f64 = rows.iter().enumerate().map(worth).sum();
                if gained > 1e-12 * mass {
                    moved = true;
                    rows.iter().zip(&side).for_each(|(&i, up)| labels[i] = if *up { a } else { b });
                }
            }
        }
        if !moved {
            break;
        }
    }
    labels
}
