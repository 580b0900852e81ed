//! Where the values of a separation function are cut in two.
//!
//! Problem   the t that makes {f < t}, {f ≥ t} the best pair by one of three rules.
//! Given     f of every row, the distances to all or some rows, how often each row counts.
//! Returns   t between two distinct values, the disparity cut (3.7) of the two sides.
//! Cost      one sort; one pass over the distances for all n − 1 cuts where disparity cuts are asked.
//!
//! With |A| the rows of a side and d̄ mean distances, (3.7) with uniform vertex weights is
//! |A||B|/n·(2d̄(A,B) − d̄(A,A) − d̄(B,B)). Where only the distances to landmarks are known, the means
//! over rows and landmarks of the sides stand for those over pairs of rows.

use super::choices::Threshold;
use super::source::StoredDistances;
use separa_math::par;

/// Values closer than this fraction of their range count as equal.
const GAP: f64 = 1e-12;

#[derive(Debug)]
pub(super) struct Given<'a> {
    pub f: &'a [f64],
    pub distances: &'a StoredDistances,
    pub counts: &'a [f64],
    /// The places of the rows that distances are taken to.
    pub marks: &'a [usize],
    pub rule: Threshold,
    /// The value of f that stands for 0.
    pub zero: f64,
    /// Each side holds at least so many rows, where a cut allows it.
    pub floor: f64,
    /// Whether the disparity cut is asked for by others, whatever the rule.
    pub compare: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    pub threshold: f64,
    /// 0 where nobody asked.
    pub dcut: f64,
    /// Rows on the smaller side.
    pub smaller: f64,
    /// The cut of `otsu` or `zero` was below the floor, and gave way.
    pub moved: bool,
    /// The best scanned cut was below the floor, and the chosen one is the nearest to it.
    pub rests: bool,
}

/// One way to cut: before the place `at` of the sorted rows.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    threshold: f64,
    dcut: f64,
    /// |A||B|(mean f of A − mean f of B)²
    between: f64,
    smaller: f64,
}

/// The best cut; `None` where all values are equal.
pub(super) fn best(given: &Given<'_>) -> Option<Cut> {
    let mut order: Vec<usize> = (0..given.f.len()).collect();
    order.sort_by(|&i, &j| given.f[i].total_cmp(&given.f[j]));
    let scanned = given.compare || given.rule == Threshold::Scan;
    let mut all = candidates(given, &order, scanned);
    let ideal = match given.rule {
        Threshold::Scan => first_best(&all, |c| c.dcut, 0.0),
        Threshold::Otsu => first_best(&all, |c| c.between, 0.0),
        Threshold::Zero => around_zero(given, &order, &all),
    };
    // Where no cut leaves enough on both sides the rule has its way.
    let floor = given.floor * (1.0 - 1e-12);
    let possible = all.iter().any(|c| c.smaller >= floor);
    if let Some(c) = ideal.filter(|c| c.smaller >= floor || !possible) {
        return Some(c.cut(false, false));
    }
    let floor = if possible { floor } else { 0.0 };
    if given.rule == Threshold::Otsu {
        return first_best(&all, |c| c.between, floor).map(|c| c.cut(true, false));
    }
    if !scanned {
        all = candidates(given, &order, true);
    }
    let chosen = first_best(&all, |c| c.dcut, floor)?;
    let least = all.iter().map(|c| c.smaller).filter(|s| *s >= floor).fold(f64::INFINITY, f64::min);
    let (moved, scan) = (ideal.is_some(), given.rule == Threshold::Scan);
    Some(chosen.cut(moved && !scan, moved && scan && chosen.smaller <= least * (1.0 + 1e-12)))
}

/// The first of the best by `key` with at least `floor` rows on both sides.
fn first_best(all: &[Candidate], key: impl Fn(&Candidate) -> f64, floor: f64) -> Option<Candidate> {
    all.iter().filter(|c| c.smaller >= floor).fold(None, |best: Option<Candidate>, c| {
        if best.is_none_or(|b| key(c) > key(&b)) { Some(*c) } else { best }
    })
}

impl Candidate {
    fn cut(self, moved: bool, rests: bool) -> Cut {
        Cut { threshold: self.threshold, dcut: self.dcut, smaller: self.smaller, moved, rests }
    }
}

/// The cut at the value that stands for 0, which no row has.
fn around_zero(given: &Given<'_>, order: &[usize], all: &[Candidate]) -> Option<Candidate> {
    let low = order.iter().rev().map(|&i| given.f[i]).find(|v| *v < given.zero)?;
    let high = order.iter().map(|&i| given.f[i]).find(|v| *v >= given.zero)?;
    let cut = all.iter().find(|c| low < c.threshold && c.threshold < high)?;
    // A row at 0 belongs to the side above: the cut is below it.
    Some(if high > given.zero { Candidate { threshold: given.zero, ..*cut } } else { *cut })
}

/// Running sums over (row, mark) pairs by the sides of both.
#[derive(Default)]
struct Sums {
    aa: f64,
    ab: f64,
    ba: f64,
    bb: f64,
}

/// All cuts between distinct values; their disparity cuts are 0 unless `scanned`.
fn candidates(given: &Given<'_>, order: &[usize], scanned: bool) -> Vec<Candidate> {
    let (n, f) = (order.len(), given.f);
    let Some(range) = order.first().map(|&first| f[order[n - 1]] - f[first]) else {
        return Vec::new();
    };
    let lines = if scanned { Lines::of(given, order) } else { Lines::none(given) };
    let total: f64 = given.counts.iter().sum();
    let of_marks: f64 = given.marks.iter().map(|&i| given.counts[i]).sum();
    let mean = given.counts.iter().zip(f).map(|(m, f)| m * (f / total)).sum::<f64>();
    let (mut sums, mut rows_a, mut marks_a, mut sum_a) = (Sums::default(), 0.0, 0.0, 0.0);
    sums.bb = (0..n).map(|i| given.counts[i] * (lines.low[i] + lines.high[i])).sum();

    let mut out = Vec::new();
    for (at, &i) in order.iter().enumerate() {
        let gap = if at == 0 { 0.0 } else { f[i] - f[order[at - 1]] };
        let threshold = f[i] - 0.5 * gap;
        let rows_b = total - rows_a;
        let marks_b = of_marks - marks_a;
        let apart = gap > GAP * range && threshold < f[i] && threshold > f[i] - gap;
        if apart && marks_a > 0.0 && marks_b > 0.5 * lines.least {
            let between = (sums.ab + sums.ba) / (rows_a * marks_b + rows_b * marks_a);
            let within = sums.aa / (rows_a * marks_a) + sums.bb / (rows_b * marks_b);
            let spread = sum_a / rows_a / range;
            out.push(Candidate {
                threshold,
                dcut: lines.unit * (rows_a * rows_b / total) * (2.0 * between - within),
                between: rows_a * (total / rows_b) * spread * spread,
                smaller: rows_a.min(rows_b),
            });
        }
        // The row goes to A, and the mark that it is.
        let m = given.counts[i];
        sums.aa += m * lines.low[i];
        sums.ba -= m * lines.low[i];
        sums.ab += m * lines.high[i];
        sums.bb -= m * lines.high[i];
        rows_a += m;
        sum_a += m * (f[i] - mean);
        if let Some((below, above)) = lines.column(i) {
            sums.aa += m * below;
            sums.ab -= m * below;
            sums.ba += m * above;
            sums.bb -= m * above;
            marks_a += m;
        }
    }
    out
}

/// For every row the distances to marks that come before it, and to the others; for every mark the
/// distances of rows that come no later, and of the others. In units of the largest sum.
struct Lines {
    low: Vec<f64>,
    high: Vec<f64>,
    below: Vec<f64>,
    above: Vec<f64>,
    /// The mark that a row is.
    mark: Vec<Option<usize>>,
    unit: f64,
    /// How often the least of the marks counts.
    least: f64,
}

impl Lines {
    /// No distances: all sums are 0.
    fn none(given: &Given<'_>) -> Self {
        let (n, m) = (given.f.len(), given.marks.len());
        let mut mark = vec![None; n];
        given.marks.iter().enumerate().for_each(|(l, &i)| mark[i] = Some(l));
        let least = given.marks.iter().map(|&i| given.counts[i]).fold(f64::INFINITY, f64::min);
        let (rows, marks) = (vec![0.0; n], vec![0.0; m]);
        Self {
            low: rows.clone(),
            high: rows,
            below: marks.clone(),
            above: marks,
            mark,
            unit: 1.0,
            least,
        }
    }

    fn of(given: &Given<'_>, order: &[usize]) -> Self {
        let (n, m) = (order.len(), given.marks.len());
        let mut rank = vec![0; n];
        order.iter().enumerate().for_each(|(r, &i)| rank[i] = r);
        let mut mark = vec![None; n];
        given.marks.iter().enumerate().for_each(|(l, &i)| mark[i] = Some(l));
        // Marks in the order of f, and how many of them come before each row.
        let sorted: Vec<usize> = order.iter().filter_map(|&i| mark[i]).collect();
        let mut before = vec![0; n];
        let mut seen = 0;
        for &i in order {
            before[i] = seen;
            seen += usize::from(mark[i].is_some());
        }
        let weight: Vec<f64> = sorted.iter().map(|&l| given.counts[given.marks[l]]).collect();
        let (mut low, mut high) = (vec![0.0; n], vec![0.0; n]);
        let (mut below, mut above) = (vec![0.0; m], vec![0.0; m]);
        let part = |range: std::ops::Range<usize>| {
            let mut buffer = Vec::new();
            let mut lines = Vec::with_capacity(range.len());
            let (mut below, mut above) = (vec![0.0; m], vec![0.0; m]);
            for i in range {
                let row = given.distances.row(i, &mut buffer);
                let (first, rest) = sorted.split_at(before[i]);
                let (w_first, w_rest) = weight.split_at(before[i]);
                let sum = |marks: &[usize], w: &[f64]| -> f64 {
                    marks.iter().zip(w).map(|(&l, w)| w * row[l]).sum()
                };
                lines.push((sum(first, w_first), sum(rest, w_rest)));
                // A row is before the marks of its own place and later ones.
                let own = given.counts[i];
                rest.iter().for_each(|&l| below[l] += own * row[l]);
                first.iter().for_each(|&l| above[l] += own * row[l]);
            }
            (lines, below, above)
        };
        let mut at = 0;
        par::fold_chunks(n, part, |(lines, b, a)| {
            for (l, h) in lines {
                (low[at], high[at]) = (l, h);
                at += 1;
            }
            below.iter_mut().zip(b).for_each(|(x, y)| *x += y);
            above.iter_mut().zip(a).for_each(|(x, y)| *x += y);
        });
        let top = low.iter().zip(&high).map(|(l, h)| l + h).fold(0.0, f64::max);
        let unit = if top > 0.0 { top } else { 1.0 };
        for sums in [&mut low, &mut high, &mut below, &mut above] {
            sums.iter_mut().for_each(|v| *v /= unit);
        }
        let least = weight.iter().copied().fold(f64::INFINITY, f64::min);
        Self { low, high, below, above, mark, unit, least }
    }

    fn column(&self, i: usize) -> Option<(f64, f64)> {
        self.mark[i].map(|l| (self.below[l], self.above[l]))
    }
}
