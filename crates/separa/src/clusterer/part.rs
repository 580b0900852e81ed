//! A rule that is learnt on some of the rows: what agreement, stability and segments are made of.

use super::judge::Origin;
use super::observers::Untold;
use crate::context::{Ctx, MemoryBudget};
use crate::data::Dataset;
use crate::error::Result;
use crate::k_auto;
use crate::model::Model;
use crate::progress::Observer;
use separa_math::matrix::Stored;

/// How some rows are fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartFit {
    pub seed: u64,
    /// Fits at the same time, which share the memory.
    pub together: u64,
    /// Whether a partition with gaps is looked for, as the fit of all rows does.
    pub suggest: bool,
}

impl PartFit {
    /// The rule that the method of `origin` learns on the rows `index`; None if the fit was cut short.
    pub fn rule<O: Observer + Clone>(
        self,
        data: &Dataset<'_>,
        index: &[usize],
        origin: &Origin<'_>,
        observer: &O,
    ) -> Result<Option<Box<dyn Model>>> {
        let rows = Stored::of(&data.x(), index);
        let weights: Option<Vec<f64>> =
            data.weights().map(|all| index.iter().map(|&i| all[i]).collect());
        let part = data.part(rows.matrix())?.weighted(weights.as_deref())?;
        let mut ctx = Ctx::observed(self.seed, Untold(observer.clone()));
        ctx.memory = MemoryBudget(origin.memory.0.map(|all| all / self.together));
        let mut method = origin.method.boxed();
        method.restrict_to(index.len());
        let fit = match self.suggest {
            true => k_auto::solve(&mut method, &part, &mut ctx)?,
            false => method.solve(&part, &mut ctx)?,
        };
        Ok((!ctx.cancelled()).then_some(fit.model))
    }
}
