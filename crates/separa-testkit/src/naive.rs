//! Slow, obvious references.

use crate::clouds::Source;

/// Mean and covariance (1/n, row-major d x d) of row-major rows.
pub fn moments(x: &[f64], d: usize) -> (Vec<f64>, Vec<f64>) {
    let n = (x.len() / d) as f64;
    let mean: Vec<f64> = (0..d).map(|j| x.iter().skip(j).step_by(d).sum::<f64>() / n).collect();
    let mut cov = vec![0.0; d * d];
    for row in x.chunks_exact(d) {
        for i in 0..d {
            for j in 0..d {
                cov[i * d + j] += (row[i] - mean[i]) * (row[j] - mean[j]) / n;
            }
        }
    }
    (mean, cov)
}

/// The rows with one label.
pub fn rows_of(x: &[f64], d: usize, labels: &[i32], label: i32) -> Vec<f64> {
    let kept = x.chunks_exact(d).zip(labels).filter(|(_, l)| **l == label);
    kept.flat_map(|(row, _)| row.iter().copied()).collect()
}

/// The mean of every group (zeros for an empty one).
pub fn group_means(x: &[f64], d: usize, labels: &[i32], k: usize) -> Vec<Vec<f64>> {
    let mut means = vec![vec![0.0; d]; k];
    let mut sizes = vec![0.0; k];
    for (row, l) in x.chunks_exact(d).zip(labels) {
        means[*l as usize].iter_mut().zip(row).for_each(|(m, v)| *m += v);
        sizes[*l as usize] += 1.0;
    }
    for (m, s) in means.iter_mut().zip(&sizes).filter(|(_, s)| **s > 0.0) {
        m.iter_mut().for_each(|v| *v /= s);
    }
    means
}

/// Every column with mean 0 and standard deviation 1; constant columns become 0.
pub fn z_scored(x: &[f64], d: usize) -> Vec<f64> {
    let n = (x.len() / d) as f64;
    let mut z = x.to_vec();
    for j in 0..d {
        let column = || x.iter().skip(j).step_by(d);
        let mean = column().sum::<f64>() / n;
        let sd = (column().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt();
        let scale = if sd > 0.0 { 1.0 / sd } else { 0.0 };
        z.iter_mut().skip(j).step_by(d).for_each(|v| *v = (*v - mean) * scale);
    }
    z
}

/// Two groups by Lloyd's iteration: the lowest inertia of `starts` pairs of random rows.
pub fn two_means(x: &[f64], d: usize, starts: usize, seed: u64) -> Vec<i32> {
    let n = x.len() / d;
    let mut source = Source::new(seed);
    let row = |i: usize| x[i * d..(i + 1) * d].to_vec();
    let mut best = (f64::INFINITY, vec![0; n]);
    for _ in 0..starts {
        let run = lloyd(x, d, [row(source.below(n)), row(source.below(n))]);
        if run.0 < best.0 {
            best = run;
        }
    }
    best.1
}

fn lloyd(x: &[f64], d: usize, mut centres: [Vec<f64>; 2]) -> (f64, Vec<i32>) {
    let mut labels = vec![-1; x.len() / d];
    let mut inertia = 0.0;
    for _ in 0..100 {
        inertia = 0.0;
        let mut changed = false;
        for (row, l) in x.chunks_exact(d).zip(labels.iter_mut()) {
            let gap = |c: &[f64]| row.iter().zip(c).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
            let (near, far) = (gap(&centres[0]), gap(&centres[1]));
            let next = i32::from(far < near);
            changed |= *l != next;
            *l = next;
            inertia += near.min(far);
        }
        let means = group_means(x, d, &labels, 2);
        if !changed || !labels.contains(&0) || !labels.contains(&1) {
            break;
        }
        centres = [means[0].clone(), means[1].clone()];
    }
    (inertia, labels)
}

/// The largest sum of entries that share no row and no column, by trying every choice.
pub fn best_matching(table: &[Vec<f64>]) -> f64 {
    fn place(table: &[Vec<f64>], row: usize, taken: &mut Vec<bool>) -> f64 {
        if row == table.len() {
            return 0.0;
        }
        let mut best = place(table, row + 1, taken);
        for j in 0..taken.len() {
            if !taken[j] {
                taken[j] = true;
                best = best.max(table[row][j] + place(table, row + 1, taken));
                taken[j] = false;
            }
        }
        best
    }
    let columns = table.first().map_or(0, Vec::len);
    place(table, 0, &mut vec![false; columns])
}
