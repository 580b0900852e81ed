//! A model behind the scaler that its rows pass first: what every fit returns.

use crate::context::Ctx;
use crate::data::{Dataset, Grouping};
use crate::error::{Error, Result};
use crate::flat_rule::FlatRule;
use crate::method::Fit;
use crate::model::{Labels, Model, Proba};
use crate::model_file::Tensors;
use crate::note::Remedy;
use crate::params::Scaling;
use crate::start;
use separa_math::matrix::{Dense, DenseRef, MatrixRef, Stored};
use separa_math::scaling::Scaler;
use std::ops::Deref;

/// Rows that are scaled at a time when they are labelled: so many values.
const BLOCK: usize = 4 << 20;
/// The name of the scaler in a model file.
const TENSOR: &str = "scaling";
/// The name of the power of two before it.
pub(crate) const UNIT: &str = "scaling.unit";

/// A model and the scaler before it, none where it sees the table as it is. It is asked as the model itself is;
/// what only that model knows is reached through it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaledModel<M> {
    /// What rows are multiplied by before anything else: 1, or a power of two where the table was tiny.
    unit: f64,
    scaler: Option<Scaler>,
    model: M,
}

impl<M> Deref for ScaledModel<M> {
    type Target = M;
    fn deref(&self) -> &M {
        &self.model
    }
}

/// What a fit asks of the scaling of its columns.
pub(crate) struct Wanted {
    pub method: &'static str,
    pub scaling: Scaling,
    /// How many clusters or classes will be looked for.
    pub k: usize,
}

/// Scales the columns, fits, and puts the scaler before the model.
pub(crate) fn fit<M>(
    wanted: &Wanted,
    data: &Dataset<'_>,
    ctx: &mut Ctx<'_>,
    run: impl FnOnce(&Dataset<'_>, &mut Ctx<'_>) -> Result<Fit<M>>,
) -> Result<Fit<ScaledModel<M>>> {
    if let Some(unit) = data.unit() {
        let table = data.times(unit);
        let mut fit = fit_in_range(wanted, &data.rescaled(table.matrix()), ctx, run)?;
        fit.model.unit = unit;
        return Ok(fit);
    }
    fit_in_range(wanted, data, ctx, run)
}

fn fit_in_range<M>(
    wanted: &Wanted,
    data: &Dataset<'_>,
    ctx: &mut Ctx<'_>,
    run: impl FnOnce(&Dataset<'_>, &mut Ctx<'_>) -> Result<Fit<M>>,
) -> Result<Fit<ScaledModel<M>>> {
    if wanted.scaling == Scaling::None {
        return run(data, ctx).map(|fit| behind(None, fit));
    }
    let copy = copied_bytes(data.x());
    let remedy = Remedy::RaiseMemory.or(Remedy::set("scaling", Scaling::None.name()));
    ctx.memory.require(wanted.method, copy, remedy)?;
    let Some(found) = start::scaling::fit(data, wanted.scaling, wanted.k, ctx)? else {
        return run(data, ctx).map(|fit| behind(None, fit));
    };
    let table = found.scaler.copy(data.x());
    let whole = ctx.memory;
    ctx.memory = whole.less(copy);
    let fitted = run(&data.rescaled(table.matrix()), ctx);
    ctx.memory = whole;
    let mut fit = behind(Some(found.scaler), fitted.map_err(|e| e.beside(copy))?);
    fit.report.notes.extend(found.note);
    Ok(fit)
}

fn behind<M>(scaler: Option<Scaler>, fit: Fit<M>) -> Fit<ScaledModel<M>> {
    let Fit { model, labels, report } = fit;
    Fit { model: ScaledModel { unit: 1.0, scaler, model }, labels, report }
}

/// Bytes of a scaled copy of the table.
fn copied_bytes(x: MatrixRef<'_>) -> u64 {
    let stored: usize = (0..x.rows()).map(|i| x.row_values(i).len()).sum();
    match x {
        MatrixRef::Dense(_) => 8 * stored as u64,
        MatrixRef::Sparse(_) => 12 * stored as u64,
    }
}

impl<M: Model> ScaledModel<M> {
    /// A model that sees the table as it is.
    pub(crate) fn plain(model: M) -> Self {
        Self { unit: 1.0, scaler: None, model }
    }

    /// Rebuilds the model with `load`, and its scaler where there is one.
    pub(crate) fn load(tensors: &Tensors, load: fn(&Tensors) -> Result<M>) -> Result<Self> {
        let model = load(tensors)?;
        let scaler = match tensors.contains(&format!("{TENSOR}.factor")) {
            true => Some(tensors.scaler(TENSOR, model.n_features())?),
            false => None,
        };
        if scaler.as_ref().is_some_and(|s| s.columns.len() != s.n_features) {
            return Err(Error::Model("its scaler leaves columns out".into()));
        }
        let unit = match tensors.contains(UNIT) {
            true => tensors.limits(UNIT)?.first().copied().unwrap_or(0.0),
            false => 1.0,
        };
        if unit <= 0.0 || !unit.is_finite() {
            return Err(Error::Model(format!("its unit is {unit}, expected a power of two")));
        }
        Ok(Self { unit, scaler, model })
    }

    /// Rows times the unit, where that is another one than the table's.
    fn in_range(&self, x: MatrixRef<'_>) -> Option<Stored> {
        (self.unit != 1.0).then(|| Scaler::uniform(x.cols(), self.unit).copy(x))
    }

    /// Another model behind the same scaler.
    pub(crate) fn with(&self, model: M) -> Self {
        Self { unit: self.unit, scaler: self.scaler.clone(), model }
    }

    /// Whether the rows meet the scaler as they are: not in tiny tables.
    pub(crate) fn in_own_units(&self) -> bool {
        self.unit == 1.0
    }

    /// The scaler before the model.
    pub fn scaler(&self) -> Option<&Scaler> {
        self.scaler.as_ref()
    }

    /// Calls `see` with one scaled block of rows after the other.
    fn blocks(
        &self,
        x: MatrixRef<'_>,
        mut see: impl FnMut(MatrixRef<'_>) -> Result<()>,
    ) -> Result<()> {
        let near = self.in_range(x);
        let x = near.as_ref().map_or(x, Stored::matrix);
        let Some(scaler) = &self.scaler else { return see(x) };
        self.check_width(x)?;
        check_finite(x)?;
        let MatrixRef::Dense(table) = x else {
            return see(scaler.copy(x).matrix());
        };
        let rows = (BLOCK / x.cols().max(1)).max(1);
        for start in (0..x.rows().max(1)).step_by(rows) {
            let range = start..x.rows().min(start + rows);
            let part = &table.data()[range.start * x.cols()..range.end * x.cols()];
            let part = DenseRef::new(range.len(), x.cols(), part)?;
            see(scaler.copy(part.into()).matrix())?;
        }
        Ok(())
    }

    /// One block of numbers after the other, as one.
    fn stacked(
        &self,
        x: MatrixRef<'_>,
        see: impl Fn(MatrixRef<'_>) -> Result<Dense>,
    ) -> Result<Dense> {
        let (mut width, mut values) = (0, Vec::new());
        self.blocks(x, |part| {
            let found = see(part)?;
            width = found.cols();
            values.extend(found.into_vec());
            Ok(())
        })?;
        Ok(Dense::from_vec(x.rows(), width, values)?)
    }

    /// Whether neither the rows nor the model know groups: then rows are scaled block by block.
    fn is_plain(&self, data: &Dataset<'_>) -> bool {
        data.grouping().is_none() && self.grouping().is_none()
    }

    /// Calls `see` with the whole table on the model's scale: rows of a group belong together.
    fn whole<T>(
        &self,
        data: &Dataset<'_>,
        see: impl FnOnce(&Dataset<'_>) -> Result<T>,
    ) -> Result<T> {
        let near = self.in_range(data.x());
        let x = near.as_ref().map_or(data.x(), Stored::matrix);
        match &self.scaler {
            Some(scaler) => see(&data.rescaled(scaler.copy(x).matrix())),
            None => see(&data.rescaled(x)),
        }
    }

    fn inner_proba(&self) -> &dyn Proba {
        self.model.proba().expect("only models with probabilities are asked for them")
    }
}

impl<M: Model> Model for ScaledModel<M> {
    fn n_features(&self) -> usize {
        self.model.n_features()
    }
    fn n_clusters(&self) -> usize {
        self.model.n_clusters()
    }

    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        self.stacked(x, |part| self.model.decision(part))
    }

    fn predict(&self, x: MatrixRef<'_>) -> Result<Labels> {
        let mut labels = Vec::with_capacity(x.rows());
        self.blocks(x, |part| {
            labels.extend(self.model.predict(part)?);
            Ok(())
        })?;
        Ok(labels)
    }

    fn grouping(&self) -> Option<Grouping> {
        self.model.grouping()
    }

    fn decision_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        match self.is_plain(data) {
            true => self.decision(data.x()),
            false => self.whole(data, |data| self.model.decision_on(data)),
        }
    }

    fn predict_on(&self, data: &Dataset<'_>) -> Result<Labels> {
        match self.is_plain(data) {
            true => self.predict(data.x()),
            false => self.whole(data, |data| self.model.predict_on(data)),
        }
    }

    fn proba(&self) -> Option<&dyn Proba> {
        self.model.proba().map(|_| self as &dyn Proba)
    }

    /// Exact for values inside the clip limits; a value beyond counts as the limit.
    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let (mut weights, intercepts) = self.model.linear()?;
        if let Some(scaler) = &self.scaler {
            for r in 0..weights.rows() {
                let line = weights.row_mut(r).iter_mut().zip(&scaler.columns);
                line.for_each(|(w, c)| *w *= c.factor);
            }
        }
        weights.data_mut().iter_mut().for_each(|w| *w *= self.unit);
        // Rows that are smaller than any number 1 over which is one have no weights in their own units.
        weights.data().iter().all(|w| w.is_finite()).then_some((weights, intercepts))
    }

    fn flat(&self) -> Option<FlatRule> {
        let inner = self.model.flat().filter(|_| self.in_own_units())?;
        match &self.scaler {
            Some(scaler) => inner.behind(scaler),
            None => Some(inner),
        }
    }

    fn row_weights(&self) -> Option<&[f64]> {
        self.model.row_weights()
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        if let Some(scaler) = &self.scaler {
            out.put_scaler(TENSOR, scaler);
        }
        if self.unit != 1.0 {
            out.put_vector(UNIT, &[self.unit]);
        }
        out
    }

    fn set_unit(&mut self, unit: f64) {
        self.unit = unit;
    }
}

impl<M: Model> Proba for ScaledModel<M> {
    fn proba(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        self.stacked(x, |part| self.inner_proba().proba(part))
    }

    fn proba_on(&self, data: &Dataset<'_>) -> Result<Dense> {
        match self.is_plain(data) {
            true => Proba::proba(self, data.x()),
            false => self.whole(data, |data| self.inner_proba().proba_on(data)),
        }
    }
}

/// Names the first row that holds a value which is not finite: clip limits would hide it.
fn check_finite(x: MatrixRef<'_>) -> Result<()> {
    let finite = |i: &usize| x.row_values(*i).iter().all(|v| v.is_finite());
    match (0..x.rows()).find(|i| !finite(i)) {
        Some(i) => Err(Error::NotFinite { row: i + 1 }),
        None => Ok(()),
    }
}
