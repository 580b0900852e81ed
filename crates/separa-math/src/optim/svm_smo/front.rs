//! The rows that take part, and the two passes over them that every step makes.

/// Numbers side by side in the passes.
const LANES: usize = 8;
/// Rows whose extremes are looked at together; the place is searched in the best block only.
const BLOCK: usize = 128;

/// Of the rows that may grow the least gradient and its place; of those that may fall the largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extremes {
    pub to: usize,
    pub least: f64,
    pub most: f64,
}

impl Extremes {
    /// By how much the optimality conditions fail.
    pub fn violation(&self) -> f64 {
        let gap = self.most - self.least;
        // Nothing can grow or nothing can fall: the one feasible point.
        if gap.is_finite() { gap.max(0.0) } else { 0.0 }
    }
}

/// Columns of numbers, one line for each row that takes part.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    /// The rows, ascending.
    pub rows: Vec<usize>,
    /// (Kβ)ᵢ
    pub score: Vec<f64>,
    /// Slopes of the row's cost below and above βᵢ.
    pub down: Vec<f64>,
    pub up: Vec<f64>,
    /// Kᵢᵢ
    pub diagonal: Vec<f64>,
}

impl Front {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn extremes(&self) -> Extremes {
        let mut best = Best::new();
        for at in blocks(self.len()) {
            let (score, up, down) =
                (&self.score[at.clone()], &self.up[at.clone()], &self.down[at.clone()]);
            let (least, most) = ends(score, up, down);
            best.see(at.start, least, most);
        }
        self.place(best)
    }

    /// score ← score + mass · (take − give), and the extremes after it.
    pub fn shift(&mut self, mass: f64, take: &[f64], give: &[f64]) -> Extremes {
        let mut best = Best::new();
        for at in blocks(self.len()) {
            let score = &mut self.score[at.clone()];
            let pair = take[at.clone()].iter().zip(&give[at.clone()]);
            score.iter_mut().zip(pair).for_each(|(s, (t, g))| *s += mass * (t - g));
            let (least, most) = ends(score, &self.up[at.clone()], &self.down[at.clone()]);
            best.see(at.start, least, most);
        }
        self.place(best)
    }

    /// The row from which a step to `to` gains most, by the curvature along the pair and without the
    /// ends of the segment. `row` is the kernel's row of `to`.
    pub fn giver(
        &self,
        Extremes { to, least, .. }: Extremes,
        row: &[f64],
        floor: f64,
    ) -> Option<usize> {
        let (mut top, mut start) = (0.0, usize::MAX);
        let mine = self.diagonal[to];
        let gain = |score: f64, down: f64, diagonal: f64, k: f64| {
            let slope = score + down - least;
            let slope = if slope > 0.0 { slope } else { 0.0 };
            let curvature = mine + diagonal - 2.0 * k;
            let curvature = if curvature > floor { curvature } else { floor };
            slope * slope / curvature
        };
        for at in blocks(self.len()) {
            let (score, down) = (&self.score[at.clone()], &self.down[at.clone()]);
            let (diagonal, row) = (&self.diagonal[at.clone()], &row[at.clone()]);
            let mut lanes = [0.0; LANES];
            let (s, s_rest) = score.as_chunks::<LANES>();
            let (d, d_rest) = down.as_chunks::<LANES>();
            let (q, q_rest) = diagonal.as_chunks::<LANES>();
            let (k, k_rest) = row.as_chunks::<LANES>();
            for (((s, d), q), k) in s.iter().zip(d).zip(q).zip(k) {
                for l in 0..LANES {
                    let this = gain(s[l], d[l], q[l], k[l]);
                    lanes[l] = if this > lanes[l] { this } else { lanes[l] };
                }
            }
            let mut best = lanes.iter().fold(0.0, |top: f64, v| top.max(*v));
            for (((s, d), q), k) in s_rest.iter().zip(d_rest).zip(q_rest).zip(k_rest) {
                best = best.max(gain(*s, *d, *q, *k));
            }
            if best > top {
                (top, start) = (best, at.start);
            }
        }
        (start != usize::MAX).then(|| {
            let same =
                |&i: &usize| gain(self.score[i], self.down[i], self.diagonal[i], row[i]) == top;
            (start..self.len()).find(same).expect("the block holds its largest gain")
        })
    }

    /// The places of rows that no violating pair holds: those between their slopes with room.
    pub fn kept(&self, Extremes { least, most, .. }: Extremes) -> Vec<usize> {
        let idle =
            |i: usize| self.score[i] + self.up[i] > most && self.score[i] + self.down[i] < least;
        (0..self.len()).filter(|&i| !idle(i)).collect()
    }

    pub fn narrow(&mut self, keep: &[usize]) {
        self.rows = keep.iter().map(|&i| self.rows[i]).collect();
        for column in [&mut self.score, &mut self.down, &mut self.up, &mut self.diagonal] {
            *column = keep.iter().map(|&i| column[i]).collect();
        }
    }

    fn place(&self, best: Best) -> Extremes {
        let is_least = |&i: &usize| self.score[i] + self.up[i] == best.least;
        let to = (best.start..self.len()).find(is_least).unwrap_or(0);
        Extremes { to, least: best.least, most: best.most }
    }
}

/// The extremes so far, and where the block of the least one starts.
struct Best {
    start: usize,
    least: f64,
    most: f64,
}

impl Best {
    fn new() -> Self {
        Self { start: 0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }

    fn see(&mut self, start: usize, least: f64, most: f64) {
        if least < self.least {
            (self.least, self.start) = (least, start);
        }
        self.most = self.most.max(most);
    }
}

fn blocks(n: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    crate::par::chunks(n, BLOCK)
}

/// min(score + up), max(score + down).
#[inline(always)]
fn ends(score: &[f64], up: &[f64], down: &[f64]) -> (f64, f64) {
    let (s, s_rest) = score.as_chunks::<LANES>();
    let (u, u_rest) = up.as_chunks::<LANES>();
    let (d, d_rest) = down.as_chunks::<LANES>();
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for ((s, u), d) in s.iter().zip(u).zip(d) {
        for l in 0..LANES {
            // Comparisons, not f64::min: a single instruction each.
            let (grow, fall) = (s[l] + u[l], s[l] + d[l]);
            low[l] = if grow < low[l] { grow } else { low[l] };
            high[l] = if fall > high[l] { fall } else { high[l] };
        }
    }
    let mut least = low.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let mut most = high.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
    for ((s, u), d) in s_rest.iter().zip(u_rest).zip(d_rest) {
        least = least.min(s + u);
        most = most.max(s + d);
    }
    (least, most)
}
