//! Where the iterations begin: values that sort the rows, whose upper fraction is the first upper side.

use super::basis::ArmcBasis;
use super::iterations::{Begin, upper};
use super::params::Armc;
use crate::error::Result;
use crate::params::{Init, typical_rows};
use crate::start::spectral::{groups_at_widths, lines_at_widths};
use separa_math::distance::median_gamma;
use separa_math::kmeans::{Limits, Restarts, kmeans};
use separa_math::linalg::{EigOptions, SymOp, Which, eig_few};
use separa_math::matrix::{Dense, Rows, Subset};
use separa_math::rng::Rng;

/// A part of the table, and what is known of its pairs.
pub(super) struct Part<'a> {
    pub basis: &'a ArmcBasis<'a>,
    pub index: &'a [usize],
    pub weights: &'a [f64],
    pub gram: &'a Dense,
    pub seed: u64,
}

/// One value a row, and where they come from.
pub(super) struct Line {
    pub name: String,
    pub values: Vec<f64>,
    /// Tried only where its first iteration is promising.
    pub spare: bool,
}

impl Line {
    fn new(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), values, spare: false }
    }
}

/// The lines of the initializations that `init` names.
pub(super) fn lines(p: &Armc, part: &Part<'_>) -> Result<Vec<Line>> {
    let wants = |name: &str| match &p.init {
        Init::Named(one) => one == name,
        _ => true,
    };
    let mut out = Vec::new();
    if wants("spectral") {
        let squares = part.basis.squares(part.index);
        let gamma = width(part, &squares);
        let found = lines_at_widths(&squares, gamma, part.weights, part.seed)?;
        out.extend(found.into_iter().map(|(name, first, values)| Line {
            name,
            values,
            spare: !first,
        }));
    }
    if wants("kernel-pca") {
        out.push(Line::new("kernel pca", component(part)?));
    }
    if wants("kmeans")
        && let Some(line) = by_means(p, part)
    {
        out.push(Line::new("k-means", line));
    }
    let random = match &p.init {
        Init::Named(name) if name == "random" => p.n_init,
        Init::Named(_) => 0,
        _ => 1,
    };
    for task in 0..random {
        out.push(Line::new(format!("random {}", task + 1), direction(part, task as u64)));
    }
    if out.is_empty() {
        // k-means has no rows to look at where the kernel is given.
        out.push(Line::new("kernel pca", component(part)?));
    }
    Ok(out)
}

/// k clusters by spectral clustering of several widths.
pub(super) fn spectral_groups(part: &Part<'_>, k: usize) -> Result<Vec<(String, Vec<u32>)>> {
    let squares = part.basis.squares(part.index);
    let gamma = width(part, &squares);
    Ok(groups_at_widths(&squares, gamma, part.weights, k, part.seed)?)
}

/// 1 over the median squared distance.
fn width(part: &Part<'_>, squares: &Dense) -> f64 {
    if let Some(rows) = part.basis.rows() {
        let own = Subset { rows, index: part.index };
        let index = typical_rows(part.weights, part.seed);
        return median_gamma(&Subset { rows: &own, index: &index }, part.seed);
    }
    let mut all: Vec<f64> = squares.data().iter().copied().filter(|s| *s > 0.0).collect();
    if all.is_empty() {
        return 1.0;
    }
    let middle = all.len() / 2;
    1.0 / *all.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The first principal component in the space of the kernel.
fn component(part: &Part<'_>) -> Result<Vec<f64>> {
    let centred = Centred::new(part.gram, part.weights);
    let options =
        EigOptions { tol: 1e-3, max_products: 200, seed: part.seed, ..EigOptions::default() };
    let found = eig_few(&centred, 1, Which::Largest, &options)?;
    let line = found.vectors.row(0).iter().zip(&centred.roots);
    Ok(line.map(|(v, r)| v / r).collect())
}

/// √W (I − 1wᵀ) K (I − w1ᵀ) √W with w of sum 1.
struct Centred<'a> {
    gram: &'a Dense,
    roots: Vec<f64>,
    shares: Vec<f64>,
}

impl<'a> Centred<'a> {
    fn new(gram: &'a Dense, weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let shares: Vec<f64> = weights.iter().map(|w| w / total).collect();
        Self { gram, roots: shares.iter().map(|w| w.sqrt()).collect(), shares }
    }
}

impl SymOp for Centred<'_> {
    fn dim(&self) -> usize {
        self.gram.rows()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        let mut inner: Vec<f64> = x.iter().zip(&self.roots).map(|(x, r)| x * r).collect();
        let sum: f64 = inner.iter().sum();
        inner.iter_mut().zip(&self.shares).for_each(|(v, w)| *v -= w * sum);
        self.gram.apply(&inner, out);
        let mean: f64 = out.iter().zip(&self.shares).map(|(v, w)| v * w).sum();
        out.iter_mut().zip(&self.roots).for_each(|(v, r)| *v = (*v - mean) * r);
    }
}

/// How much nearer a row is to the second of two centres.
fn by_means(p: &Armc, part: &Part<'_>) -> Option<Vec<f64>> {
    let own = Subset { rows: part.basis.rows()?, index: part.index };
    let limits = Limits { max_iter: 100, tol: 1e-4 };
    let restarts = Restarts { n_init: p.n_init.min(10), limits, seed: part.seed };
    let centers = kmeans(&own, Some(part.weights), 2, restarts, &mut || false).centers;
    let (mut row, d) = (vec![0.0; own.n_cols()], own.n_cols());
    let line = |i: usize| {
        own.copy_row(i, &mut row);
        (0..d)
            .map(|j| {
                let (a, b) = (row[j] - centers[(0, j)], row[j] - centers[(1, j)]);
                (a - b) * (a + b)
            })
            .sum()
    };
    Some((0..own.n_rows()).map(line).collect())
}

/// A random direction in the space of the kernel.
fn direction(part: &Part<'_>, task: u64) -> Vec<f64> {
    let mut rng = Rng::new(part.seed, 0x7277 + task);
    let beta: Vec<f64> = (0..part.index.len()).map(|_| rng.normal()).collect();
    let mut out = vec![0.0; beta.len()];
    part.gram.apply(&beta, &mut out);
    out
}

/// First labels of all lines: each once, for both ends of a line where the fraction is not a half.
pub(super) fn begins(lines: &[Line], weights: &[f64], share: f64) -> Vec<ArmcInit> {
    let total: f64 = weights.iter().sum();
    let mut out: Vec<ArmcInit> = Vec::new();
    for Line { name, values, spare } in lines {
        let turned: Vec<f64> = values.iter().map(|v| -v).collect();
        let ends = [(name.clone(), values), (format!("{name}, turned"), &turned)];
        for (name, line) in ends.into_iter().take(if share == 0.5 { 1 } else { 2 }) {
            let side = upper(line, weights, share * total);
            let other: Vec<bool> = side.iter().map(|s| !s).collect();
            let same = |b: &Begin| b.side == side || (share == 0.5 && b.side == other);
            if !out.iter().any(|start| same(&start.begin)) {
                let begin = Begin { side, say: Vec::new() };
                out.push(ArmcInit { name, begin, share, spare: *spare });
            }
        }
    }
    out
}

/// Where one run of iterations begins.
pub(super) struct ArmcInit {
    pub name: String,
    pub begin: Begin,
    /// Of the upper side.
    pub share: f64,
    pub spare: bool,
}
