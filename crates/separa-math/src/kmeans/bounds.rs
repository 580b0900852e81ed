//! Lower bounds that tell which rows keep their nearest point without reading them.
//!
//! A row x with nearest point a leads point j by the gap g = s_a − s_j = ½(‖x − c_j‖² − ‖x − c_a‖²).
//! About a fixed reference r, g = (x − r)·(c_a − c_j) − (b_a − b_j) with b = ½‖c − r‖²; so when the
//! points move by Δ, g falls by at most Δb_a − Δb_j + ‖x − r‖·‖Δ_a − Δ_j‖. The falls add up in one
//! small table for all rows; a row is read again only when its stored gap no longer exceeds them.
//! Tighter than the triangle inequality of Hamerly (2010) and Ding et al. (2015), whose groups of
//! points it shares: two points that move together cost nothing.

use super::spread::Spread;
use crate::distance::square_distance;
use crate::linalg::norm;
use crate::matrix::Dense;

/// Bounds kept a row; more points share them in groups.
const GROUPS: usize = 16;
/// Up to this many points, the table knows how each pair moved.
const PAIRS: usize = 64;

/// The bounds of all rows.
#[derive(Debug)]
pub(super) struct Gaps<'a> {
    spread: &'a Spread,
    groups: usize,
    /// For each row and group: its smallest gap when last read, plus the falls until then.
    stored: Vec<f64>,
    /// For each label and group: the falls so far, as constant and as factor of ‖x − r‖.
    constant: Vec<f64>,
    factor: Vec<f64>,
    /// The points of the last iteration, with b.
    last: Option<(Dense, Vec<f64>)>,
    /// What rounding may add to a gap: (constant, factor of ‖x − r‖).
    noise: (f64, f64),
    reach: f64,
}

impl<'a> Gaps<'a> {
    pub fn new(spread: &'a Spread, k: usize) -> Self {
        let groups = k.min(GROUPS);
        Self {
            spread,
            groups,
            stored: vec![f64::NEG_INFINITY; spread.squares().len() * groups],
            constant: vec![0.0; k * groups],
            factor: vec![0.0; k * groups],
            last: None,
            noise: (0.0, 0.0),
            reach: 0.0,
        }
    }

    /// Numbers stored a row.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The stored numbers, and the view that reads and renews them.
    pub fn split(&mut self) -> (&mut [f64], Ledger<'_>) {
        let ledger = Ledger {
            squares: self.spread.squares(),
            groups: self.groups,
            constant: &self.constant,
            factor: &self.factor,
            noise: self.noise,
        };
        (&mut self.stored, ledger)
    }

    /// Row `i` must be read in the next iteration.
    pub fn forget(&mut self, i: usize) {
        self.stored[i * self.groups..(i + 1) * self.groups].fill(f64::NEG_INFINITY);
    }

    /// The points are about to be `points`: adds what that may cost every gap.
    pub fn advance(&mut self, points: &Dense) {
        let b = self.halves(points);
        if let Some((last, old)) = self.last.take() {
            let mut moves = points.clone();
            moves.data_mut().iter_mut().zip(last.data()).for_each(|(x, y)| *x -= y);
            let lengths: Vec<f64> = (0..points.rows()).map(|c| norm(moves.row(c))).collect();
            for a in 0..points.rows() {
                self.fall(a, |j| {
                    let apart = match points.rows() {
                        ..=PAIRS => difference(moves.row(a), moves.row(j)),
                        _ => lengths[a] + lengths[j],
                    };
                    ((b[a] - old[a]) - (b[j] - old[j]), apart)
                });
            }
        }
        let reach = b.iter().fold(0.0_f64, |r, b| r.max(2.0 * b)).sqrt();
        self.reach = self.reach.max(reach);
        self.set_noise(points.cols());
        self.last = Some((points.clone(), b));
    }

    /// b of every point.
    fn halves(&self, points: &Dense) -> Vec<f64> {
        let half = |c: usize| {
            let square = difference(points.row(c), self.spread.reference());
            0.5 * square * square
        };
        (0..points.rows()).map(half).collect()
    }

    fn fall(&mut self, a: usize, of: impl Fn(usize) -> (f64, f64)) {
        let k = self.constant.len() / self.groups;
        let mut worst = vec![(f64::NEG_INFINITY, 0.0_f64); self.groups];
        for j in (0..k).filter(|&j| j != a) {
            let (constant, factor) = of(j);
            let group = &mut worst[j % self.groups];
            *group = (group.0.max(constant), group.1.max(factor));
        }
        for (g, (constant, factor)) in worst.into_iter().enumerate() {
            // A group that holds nothing but `a` never falls.
            if constant > f64::NEG_INFINITY {
                self.constant[a * self.groups + g] += constant;
                self.factor[a * self.groups + g] += factor;
            }
        }
    }

    /// A score is a chain of d products of ‖x‖ ≤ ρ + ‖r‖ and ‖δ‖ ≤ 2D, D the farthest point from r:
    /// its error is below 4ε(d + 16)(ρ + 2D)(‖r‖ + D), with the rounding of δ and b. A gap then and
    /// now are four scores; twice that to be safe.
    fn set_noise(&mut self, d: usize) {
        let unit =
            32.0 * f64::EPSILON * (d as f64 + 16.0) * (norm(self.spread.reference()) + self.reach);
        self.noise = (unit * 2.0 * self.reach, unit);
    }
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    square_distance(a, b).sqrt()
}

/// What the workers see of the bounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ledger<'a> {
    squares: &'a [f64],
    groups: usize,
    constant: &'a [f64],
    factor: &'a [f64],
    noise: (f64, f64),
}

impl Ledger<'_> {
    /// ‖x − r‖, rounded up.
    fn radius(&self, i: usize) -> f64 {
        self.squares[i].sqrt() * (1.0 + 1e-12)
    }

    fn falls(&self, label: u32) -> (&[f64], &[f64]) {
        let range = label as usize * self.groups..(label as usize + 1) * self.groups;
        (&self.constant[range.clone()], &self.factor[range])
    }

    /// True where row `i` keeps `label` for certain.
    #[inline]
    pub fn settled(&self, i: usize, label: u32, stored: &[f64]) -> bool {
        let radius = self.radius(i);
        let noise = self.noise.0 + self.noise.1 * radius;
        let (constant, factor) = self.falls(label);
        let mut settled = true;
        for g in 0..self.groups {
            // Sums of falls round by far less than 1e-12 of their size.
            let fall = constant[g] + factor[g] * radius + 1e-12 * factor[g] * radius;
            settled &= stored[g] > fall + noise;
        }
        settled
    }

    /// Stores the gaps of row `i`, which was just read.
    pub fn renew(&self, i: usize, label: u32, scores: &[f64], stored: &mut [f64]) {
        stored.fill(f64::INFINITY);
        let own = label as usize;
        if let [s] = scores {
            // Two points: one score is the gap. One point: there is no other.
            if self.groups == 2 {
                stored[1 - own] = s.abs();
            }
        } else {
            for (turn, line) in scores.chunks(self.groups).enumerate() {
                for (g, (&s, least)) in line.iter().zip(&mut *stored).enumerate() {
                    let other = turn * self.groups + g != own;
                    let gap = if other { scores[own] - s } else { f64::INFINITY };
                    *least = if gap < *least { gap } else { *least };
                }
            }
        }
        let radius = self.radius(i);
        let (constant, factor) = self.falls(label);
        for g in 0..self.groups {
            stored[g] += constant[g] + factor[g] * radius;
        }
    }
}
