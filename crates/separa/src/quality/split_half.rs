//! One half of the rows, and directions fitted on it.

use super::columns::{MOST_COLUMNS, standardise};
use super::groups::Groups;
use super::separation::TestPlan;
use crate::error::Result;
use separa_math::discriminant::{Ridge, direction, factor, wide_direction};
use separa_math::linalg::{dot, norm};
use separa_math::matrix::{CsrRef, Dense, DenseRef, MatrixRef, Rows, pick, project};
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Side};
use separa_math::scaling::Scaler;

/// Up to this width the minimax direction is tried as well.
const MPM_WIDTH: usize = 300;

/// A copy of some rows, dense or sparse as their table is.
#[derive(Debug)]
pub(super) enum SplitHalf {
    Dense(Dense),
    Sparse { cols: usize, indptr: Vec<usize>, indices: Vec<u32>, values: Vec<f64> },
}

impl SplitHalf {
    pub fn pick(x: MatrixRef<'_>, index: &[usize]) -> Self {
        let MatrixRef::Sparse(table) = x else { return Self::Dense(pick(&x, index)) };
        let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in index {
            let (places, row) = table.row(*i);
            indices.extend_from_slice(places);
            values.extend_from_slice(row);
            indptr.push(values.len());
        }
        Self::Sparse { cols: table.cols(), indptr, indices, values }
    }

    pub fn view(&self) -> MatrixRef<'_> {
        match self {
            Self::Dense(x) => x.view().into(),
            Self::Sparse { cols, indptr, indices, values } => {
                let rows = CsrRef::new(*cols, indptr, indices, values);
                rows.expect("rows of a checked table").into()
            }
        }
    }
}

/// A hyperplane in standardised columns: side 1 is where wᵀz ≥ cut.
#[derive(Debug)]
pub(super) struct CutDirection {
    pub w: Vec<f64>,
    pub cut: f64,
    /// λ‖w‖², what regularisation adds to both variances along w.
    pub ridge: f64,
    /// The half's projections, in row order.
    pub t: Vec<f64>,
}

/// What a half teaches: how to scale columns, and one or two directions.
#[derive(Debug)]
pub(super) struct SplitRule {
    scaler: Scaler,
    /// Never empty. The minimax direction first where it was tried, then the ridge one.
    pub directions: Vec<CutDirection>,
}

impl SplitRule {
    /// From rows with sides 0 and 1 (others are left out); None where a side has no rows, or
    /// nothing tells the sides' means apart.
    pub fn fit(half: &SplitHalf, sides: &[i32], plan: &TestPlan<'_>) -> Result<Option<Self>> {
        let groups = Groups::of(sides, None);
        let mut scaler = standardise(half.view(), None, &groups, MOST_COLUMNS).scaler;
        // The unit of a column is its deviation over all rows: a column that hardly varies in this
        // half would be blown up by its own, and decide the other half by noise.
        scaler.columns.iter_mut().for_each(|c| c.factor = 1.0 / plan.deviations[c.source]);
        if groups.k() != 2 || scaler.columns.is_empty() {
            return Ok(None);
        }
        let z = scaler.view(half.view());
        let d = z.n_cols();
        let mut found = Vec::new();
        if d <= sides.len() {
            // A side is about one chunk of rows, so the two sides are what can run at once.
            let side = |c: usize| Moments::of_rows(&z, &groups.members[c], None);
            let (low, high) = rayon::join(|| side(0), || side(1));
            if plan.with_mpm && d <= MPM_WIDTH {
                let (s1, s0) = (high.covariance_plus(plan.reg), low.covariance_plus(plan.reg));
                let (one, two) =
                    (Side { mean: high.mean(), cov: &s1 }, Side { mean: low.mean(), cov: &s0 });
                found.push(mpm::solve(one, two)?.w);
            }
            found.push(ridge_direction(&low, &high)?);
        } else {
            found.push(wide_direction([0, 1].map(|c| pick(&z, &groups.members[c])), 1.0));
        }
        found.retain(|w| norm(w) > 0.0 && w.iter().all(|v| v.is_finite()));
        if found.is_empty() {
            return Ok(None);
        }
        let directions = place_cuts(&z, found, &groups, plan.reg);
        Ok(Some(Self { scaler, directions }))
    }

    /// Projections of another half on direction `which`.
    pub fn project(&self, half: &SplitHalf, which: usize) -> Vec<f64> {
        let z = self.scaler.view(half.view());
        let w = &self.directions[which].w;
        let w = DenseRef::new(1, w.len(), w).expect("one row of d weights");
        project(&z, w, &[0.0]).into_vec()
    }
}

/// (S_w + I)⁻¹(m₁ − m₀), S_w the pooled covariance within the sides.
fn ridge_direction(low: &Moments, high: &Moments) -> Result<Vec<f64>> {
    let (n0, n1) = (low.n(), high.n());
    let mut within = low.covariance();
    let other = high.covariance();
    within.data_mut().iter_mut().zip(other.data()).for_each(|(a, b)| {
        *a = (n0 * *a + n1 * b) / (n0 + n1);
    });
    Ok(direction(&factor(within, Ridge::Constant(1.0))?, low.mean(), high.mean()))
}

/// Projects the half and cuts each direction as the minimax machine does: where both sides are
/// equally many (regularised) standard deviations away.
fn place_cuts(z: &dyn Rows, found: Vec<Vec<f64>>, groups: &Groups, reg: f64) -> Vec<CutDirection> {
    let all = Dense::from_vec(found.len(), z.n_cols(), found.concat()).expect("rows of d weights");
    let t = project(z, all.view(), &vec![0.0; found.len()]);
    let place = |(c, w): (usize, Vec<f64>)| {
        let t = t.column(c);
        let ridge = reg * dot(&w, &w);
        let [low, high] = [0, 1].map(|s| {
            let side = groups.members[s].iter().map(|i| t[*i]);
            spread(side, ridge)
        });
        let total = low.1 + high.1;
        let share = if total > 0.0 { low.1 / total } else { 0.5 };
        CutDirection { cut: low.0 + (high.0 - low.0) * share, w, ridge, t }
    };
    found.into_iter().enumerate().map(place).collect()
}

/// Mean and √(variance + ridge) of some values.
pub(super) fn spread(values: impl Iterator<Item = f64> + Clone, ridge: f64) -> (f64, f64) {
    let n = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / n;
    let variance = values.map(|v| (v - mean).powi(2)).sum::<f64>() / n;
    (mean, (variance + ridge).sqrt())
}
