//! Rows as a similarity sees them, and their neighbours: found once for all members that share them.

use super::similarity::Lens;
use crate::error::Result;
use separa_math::distance::Metric;
use separa_math::kernel::principal::{DirectionMap, PrincipalAxes};
use separa_math::matrix::{Dense, Rows, Stored};
use separa_math::neighbours::{Neighbours, among_along};
use separa_math::scaling::{Scaler, ScalingKind};
use std::rc::Rc;

/// Tables of more rows and columns than these are searched along principal axes first, where those
/// are known, and so many candidates of each row are then checked.
const MANY: usize = 8192;
const WIDE: usize = 200;
const CANDIDATES: usize = 64;

/// Rows through a lens.
#[derive(Debug)]
pub(super) enum RowView {
    /// As they are in the table.
    Given,
    /// On another scale.
    Scaled(Scaler, Stored),
    /// Along axes and of length one.
    Mapped(DirectionMap, Dense),
}

impl RowView {
    /// The rows; `given` are those of the table.
    pub fn rows<'a>(&'a self, given: &'a dyn Rows) -> &'a dyn Rows {
        match self {
            Self::Given => given,
            Self::Scaled(_, rows) => rows,
            Self::Mapped(_, rows) => rows,
        }
    }
}

/// The table and what was made of it so far.
pub(super) struct CdskRows<'a> {
    pub rows: &'a dyn Rows,
    pub weights: &'a [f64],
    pub seed: u64,
    axes: Option<PrincipalAxes>,
    scaler: Option<Scaler>,
    seen: Option<(Lens, Rc<RowView>)>,
    nearest: Option<(Lens, Rc<Neighbours>)>,
    /// Rows without a direction in the current view.
    pub lost: usize,
}

impl<'a> CdskRows<'a> {
    pub fn new(rows: &'a dyn Rows, weights: &'a [f64], seed: u64) -> Self {
        Self { rows, weights, seed, axes: None, scaler: None, seen: None, nearest: None, lost: 0 }
    }

    /// The rows through a lens. Only one view is kept here: members come in the order of lenses.
    pub fn view(&mut self, lens: Lens) -> Result<Rc<RowView>> {
        if let Some((known, view)) = &self.seen
            && *known == lens
        {
            return Ok(view.clone());
        }
        self.seen = None;
        self.lost = 0;
        let fit = || Scaler::fit(self.rows, Some(self.weights), ScalingKind::Auto);
        let scaler = self.scaler.get_or_insert_with(fit).clone();
        let view = match lens {
            Lens::Raw if scaler.is_identity() => RowView::Given,
            Lens::Raw => {
                let rows = scaler.stored(self.rows);
                RowView::Scaled(scaler, rows)
            }
            Lens::Cosine | Lens::Half => {
                if self.axes.is_none() {
                    let weights = Some(self.weights);
                    self.axes = Some(PrincipalAxes::of(self.rows, weights, &scaler, self.seed)?);
                }
                let axes = self.axes.as_ref().expect("just found");
                let space = axes.space(if lens == Lens::Half { 0.25 } else { 0.0 });
                let (rows, lost) = space.see(self.rows);
                self.lost = lost;
                RowView::Mapped(space, rows)
            }
        };
        let view = Rc::new(view);
        self.seen = Some((lens, view.clone()));
        Ok(view)
    }

    /// The `k` nearest others of every row through a lens; `most` will be asked for.
    pub fn nearest(&mut self, lens: Lens, k: usize, most: usize) -> Result<Rc<Neighbours>> {
        let n = self.rows.n_rows();
        let most = most.max(k).min(n.saturating_sub(1));
        let k = k.min(most);
        if self.nearest.as_ref().is_none_or(|(l, found)| *l != lens || found.k() < k) {
            self.nearest = None;
            let view = self.view(lens)?;
            let rows = view.rows(self.rows);
            let wide = lens == Lens::Raw && n > MANY && rows.n_cols() > WIDE;
            let found = match &self.axes {
                Some(axes) if wide => among_along(rows, &axes.rotate(self.rows), most, CANDIDATES),
                _ => Neighbours::among(Metric::Euclidean, rows, most),
            };
            self.nearest = Some((lens, Rc::new(found)));
        }
        let found = self.nearest.as_ref().map(|(_, found)| found).expect("just found");
        Ok(if found.k() == k { found.clone() } else { Rc::new(found.first(k)) })
    }
}
