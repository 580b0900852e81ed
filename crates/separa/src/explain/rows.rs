//! Why rows are where they are.

use super::ask::{Asker, two_best};
use super::background::Background;
use super::changes::{Boundaries, Mover};
use super::exact::{self, Parts};
use super::explanation::{
    Change, Contribution, ContributionMethod, Counterfactual, ExemplarSource, Explanation,
    OtherColumns,
};
use super::sampled::Sampling;
use super::words::{ColumnKind, TableColumn, table_columns};
use crate::clustering::{Clustering, Fitted};
use crate::data::{AsRows, Dataset};
use crate::error::{Error, Result};
use crate::flat_rule::{FlatRule, Plane};
use crate::model_file::Saved;
use separa_math::matrix::Dense;

/// Columns that are listed one by one, and exemplars.
const KEPT: usize = 50;
const EXEMPLARS: usize = 3;

/// How rows are explained.
#[derive(Debug, Clone, Copy, Default)]
pub struct ExplainOptions<'a> {
    /// Of all that is drawn.
    pub seed: u64,
    /// The rows that others are compared with; none for those of the table itself.
    pub background: Option<&'a Dataset<'a>>,
}

impl Clustering {
    /// Why some rows of a table (by their places, from 0) are in their clusters; see [`Fitted::explain`]. An error for
    /// measures of pairs.
    pub fn explain(
        &self,
        table: &(impl AsRows + ?Sized),
        rows: &[usize],
        options: &ExplainOptions<'_>,
    ) -> Result<Vec<Explanation>> {
        super::check_features(self.is_precomputed())?;
        Fitted::explain(self, table, rows, options)
    }
}

impl Saved {
    /// [`Clustering::explain`], or [`Fitted::explain`] of a classifier.
    pub fn explain(
        &self,
        table: &(impl AsRows + ?Sized),
        rows: &[usize],
        options: &ExplainOptions<'_>,
    ) -> Result<Vec<Explanation>> {
        match self {
            Self::Clustering(found) => found.explain(table, rows, options),
            Self::Trained(trained) => Fitted::explain(trained, table, rows, options),
        }
    }
}

impl Fitted {
    /// Why some rows of a table (by their places, from 0) are in their clusters: the runner-up, what every column adds to
    /// the margin, the smallest change that would move the row to the runner-up, and rows that are like it.
    ///
    /// Cost: the rule is asked about a few thousand rows per row that is explained, if it is not made of planes.
    pub fn explain(
        &self,
        table: &(impl AsRows + ?Sized),
        rows: &[usize],
        options: &ExplainOptions<'_>,
    ) -> Result<Vec<Explanation>> {
        table.with_rows(|data| {
            self.check_columns(data.names(), data.d())?;
            self.model().check_grouping(data.grouping())?;
            self.check_explainable(data)?;
            if let Some(&row) = rows.iter().find(|row| **row >= data.n()) {
                return Err(Error::RowRange { row: row + 1, rows: data.n() });
            }
            let background = options.background.unwrap_or(data);
            self.check_columns(background.names(), background.d())?;
            self.model().check_grouping(background.grouping())?;
            let columns = table_columns(self, data.names());
            let mut seen = Background::of(self, background, options.seed)?;
            // The table itself need not have rows of every cluster, nor the spread of the training rows.
            let other = options.background.is_none() && data.n() != self.n();
            if let Some(training) = self.baseline.as_ref().filter(|_| other) {
                seen = seen.seen_from(training);
            }
            let known = Known {
                fitted: self,
                data,
                columns: &columns,
                background: seen,
                rule: self.model().flat().filter(|_| data.grouping().is_none()),
                own: options.background.is_none(),
                seed: options.seed,
            };
            rows.iter().map(|&row| known.explain(row)).collect()
        })
    }

    fn check_explainable(&self, data: &Dataset<'_>) -> Result<()> {
        let why = match (data.bags(), self.k()) {
            (Some(_), _) => {
                "bags are decided by all of their rows together, so no feature of a single row explains them"
            }
            (None, 0 | 1) => "there is one cluster: no other that a row could be in",
            _ => return Ok(()),
        };
        Err(Error::NotExplained { why: why.into() })
    }
}

/// All that rows are explained by.
struct Known<'a> {
    fitted: &'a Fitted,
    data: &'a Dataset<'a>,
    columns: &'a [TableColumn<'a>],
    background: Background,
    /// The rule as planes, if it is made of them and looks at one row at a time.
    rule: Option<FlatRule>,
    /// Whether the background is the table itself.
    own: bool,
    seed: u64,
}

impl Known<'_> {
    fn explain(&self, at: usize) -> Result<Explanation> {
        let asker = Asker::new(self.fitted, self.data, at);
        let row = asker.own();
        let alone = Dense::from_vec(1, row.len(), row.clone())?;
        let decision = asker.decision(&alone)?;
        let a = asker.labels(&alone)?[0];
        let runner_up = match two_best(decision.row(0)) {
            (best, second) if best as i32 == a => second as i32,
            // A whole sequence was decided otherwise than its rows would be.
            (best, _) => best as i32,
        };
        let rule = self.boundaries(runner_up);
        let plane = self.pair(a as usize, runner_up as usize).filter(|plane| {
            let mut seen = row.clone();
            self.clip(&mut seen);
            // A vote can be won although this pair is lost.
            plane.value(&seen) >= 0.0
        });
        let sampling = Sampling {
            asker,
            columns: self.columns,
            background: &self.background,
            seed: self.seed,
        };
        let parts = match &plane {
            Some(plane) => {
                let see = |row: &mut [f64]| self.clip(row);
                exact::parts(&row, [a, runner_up], plane, &self.background, see)
            }
            None => sampling.parts(&row, [a, runner_up])?,
        };
        let (contributions, order) = self.contributions(&row, &parts);
        let mover = Mover {
            asker,
            columns: self.columns,
            background: &self.background,
            row: &row,
            target: runner_up,
        };
        let projected = rule.as_ref().map(|rule| mover.projected(rule)).transpose()?.flatten();
        let single_changes = match &rule {
            Some(rule) => mover.singly_by_planes(rule)?,
            None => mover.singly_by_search(&order)?,
        };
        let counterfactual = match projected {
            Some(found) => Some(found),
            None => nearer(mover.searched()?, single_changes.first()),
        };
        let named = self.fitted.exemplars().get(a as usize).map(Vec::as_slice);
        let named = named.filter(|_| self.own && self.data.n() == self.fitted.n());
        let own = self.own.then_some(at);
        let listed: f64 = contributions.iter().take(KEPT).map(|c| c.contribution).sum();
        let rest = OtherColumns {
            columns: contributions.len().saturating_sub(KEPT),
            contribution: match contributions.len() > KEPT {
                true => parts.terms.iter().sum::<f64>() - listed,
                false => 0.0,
            },
        };
        Ok(Explanation {
            row: at,
            cluster: a,
            outlier: self.is_outlier(&alone)?,
            runner_up,
            confidence: asker.confidence()?,
            margin: parts.margin,
            method: match plane {
                Some(_) => ContributionMethod::Exact,
                None => ContributionMethod::Sampled,
            },
            samples: parts.samples,
            base: parts.base,
            contributions: contributions.into_iter().take(KEPT).collect(),
            rest,
            counterfactual,
            single_changes,
            exemplars: self.background.exemplars(&row, a, own, named, EXEMPLARS),
            exemplars_from: match named {
                Some(_) => ExemplarSource::Model,
                None => ExemplarSource::Table,
            },
        })
    }

    /// What every column adds, the largest first, and the columns in this order.
    fn contributions(&self, row: &[f64], parts: &Parts) -> (Vec<Contribution>, Vec<usize>) {
        let of = |c: &TableColumn<'_>| parts.terms[c.features.clone()].iter().sum::<f64>();
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        let size = |c: &usize| of(&self.columns[*c]).abs();
        order.sort_by(|x, y| size(y).total_cmp(&size(x)).then(x.cmp(y)));
        let contribution = |&c: &usize| {
            let column = &self.columns[c];
            let number = column.kind() == ColumnKind::Number;
            Contribution {
                column: column.name.clone(),
                value: column.value(row),
                boundary: number.then(|| parts.reference[column.features.start]),
                contribution: of(column),
            }
        };
        (order.iter().map(contribution).collect(), order)
    }

    /// The planes that the runner-up must win, if the rule is made of planes.
    fn boundaries(&self, runner_up: i32) -> Option<Boundaries> {
        let rule = self.rule.as_ref()?;
        let others = (0..self.fitted.k()).filter(|c| *c as i32 != runner_up);
        let planes: Option<Vec<_>> = others.map(|c| self.pair(runner_up as usize, c)).collect();
        let limits = rule.limits(self.fitted.d());
        Some(Boundaries { planes: planes?, limits, all: rule.is_won_by_pairs() })
    }

    fn pair(&self, a: usize, b: usize) -> Option<Plane> {
        self.rule.as_ref()?.pair(a, b, self.fitted.d())
    }

    /// A row as the rule sees it.
    fn clip(&self, row: &mut [f64]) {
        if let Some(rule) = &self.rule {
            let limits = rule.limits(row.len());
            row.iter_mut().zip(limits).for_each(|(v, [lo, hi])| *v = v.clamp(lo, hi));
        }
    }

    fn is_outlier(&self, alone: &Dense) -> Result<bool> {
        match self.data.grouping() {
            None => Ok(self.fitted.predict(alone)?[0] < 0),
            Some(_) => Ok(false),
        }
    }
}

/// What a search over all columns found, or the smallest change of one column if it found none or a larger one.
fn nearer(found: Option<Counterfactual>, single: Option<&Change>) -> Option<Counterfactual> {
    let closer = |single: &&Change| found.as_ref().is_none_or(|all| single.distance < all.distance);
    match single.filter(closer) {
        Some(one) => Some(Counterfactual {
            changes: vec![one.clone()],
            distance: one.distance,
            smallest: false,
        }),
        None => found,
    }
}
