//! MSPC on rows that pass by: one pass per iteration.
//!
//! The iterations are those in memory: for two clusters the minimax machine between them in all dimensions, for more
//! the pairwise machines in the discriminant subspace. A pass sums weight, mean and scatter of every cluster in all
//! dimensions, from which the next rule follows without a second look at the rows: the moments of projections are
//! projections of the moments. The scaler, and the feature map of a kernel, stay those of the first rule.
//!
//! Cost      N·d² for the sums and N·d·K for the labels of a pass; memory for K·d² numbers.

use super::model::MspcModel;
use super::params::{Mspc, Solver};
use super::rule::{Labeller, MspcRule};
use crate::error::{Error, Result};
use crate::model::{Labels, Model, labels_of};
use crate::model_file::Tensors;
use crate::params::Checked;
use crate::pass::about::{self, Groups};
use crate::pass::{PassRule, Spare, Sums, few_rows};
use crate::report::Stop;
use crate::scaled_model::ScaledModel;
use crate::start::iterations::PATIENCE;
use crate::start::standardised::{Clusters, discriminants};
use crate::start::vote::Vote;
use separa_math::discriminant::{Ridge, factor};
use separa_math::matrix::{Dense, MatrixRef, Rows};
use separa_math::moments::Moments;
use separa_math::optim::mpm::{self, Side};
use separa_math::par;
use std::ops::Range;
use std::sync::Arc;

/// More weight than any pass can change, and a number that a file may hold.
const MOST_CHANGED: f64 = 1e200;
/// Two clusters are at rest when at most this fraction of the rows changes its label: none of a million. The last of
/// a billion would need dozens of passes.
const REST: f64 = 1e-6;

const BEFORE: &str = "before.";

/// MSPC between two passes.
#[derive(Debug, Clone)]
struct MspcPasses {
    p: Mspc,
    model: MspcModel,
    /// The rule before, by which changes of labels are counted.
    before: Option<MspcRule>,
    /// A point near each cluster, about which its rows are summed.
    about: Dense,
    trace: Vec<f64>,
    /// The least change so far, and the iteration it was in.
    calmest: (f64, usize),
    /// The rule is the last, and only its sizes are still to be counted.
    stalled: bool,
    spare: Arc<Spare<Room>>,
}

/// The rule of a model, or of passes under way; None for solvers that need all rows at once, and for one cluster.
pub(super) fn begin(p: &Checked<Mspc>, tensors: &Tensors) -> Result<Option<Box<dyn PassRule>>> {
    let model = MspcModel::load(tensors)?;
    // A tiny table keeps the rule of its sample.
    let tiny = tensors.contains(crate::scaled_model::UNIT);
    if tiny || p.solver != Solver::Mpm || matches!(model.rule, MspcRule::One) {
        return Ok(None);
    }
    let width = model.features.as_ref().map_or(model.scaler.columns.len(), |f| f.n_features());
    let mut passes = MspcPasses {
        p: (**p).clone(),
        // Standardised rows lie around 0.
        about: Dense::zeros(model.n_clusters(), width),
        model,
        before: None,
        trace: Vec::new(),
        calmest: (MOST_CHANGED, 0),
        stalled: false,
        spare: Arc::default(),
    };
    if let Some(before) = tensors.part(BEFORE) {
        passes.before = Some(MspcModel::load(&before)?.rule);
    }
    if tensors.contains("pass.trace") {
        passes.resume(tensors)?;
    }
    Ok(Some(Box::new(passes)))
}

impl MspcPasses {
    fn resume(&mut self, tensors: &Tensors) -> Result<()> {
        let wrong = || Error::Model("its state between passes has an impossible shape".into());
        let about = tensors.matrix("pass.about")?;
        let (calmest, stalled) =
            (tensors.vector("pass.calmest")?, tensors.integers("pass.stalled")?);
        let ([mass, when], [stalled]) = (&calmest[..], &stalled[..]) else { return Err(wrong()) };
        if [about.rows(), about.cols()] != [self.about.rows(), self.about.cols()] {
            return Err(wrong());
        }
        self.trace = tensors.vector("pass.trace")?;
        (self.about, self.calmest, self.stalled) = (about, (*mass, *when as usize), *stalled != 0);
        Ok(())
    }

    fn k(&self) -> usize {
        self.about.rows()
    }

    /// The labels of every row by the rule, and by the one before if there is one.
    fn labels(&self, rows: &dyn Rows) -> Result<(Labels, Option<Labels>)> {
        let before = self.before.as_ref().map(|rule| labels_of(&rule.decision(rows)));
        Ok((labels_of(&self.model.rule.decision(rows))?, before.transpose()?))
    }

    fn room(&self) -> Room {
        self.spare.take(|| Room {
            buffer: Vec::new(),
            labels: Vec::new(),
            earlier: Vec::new(),
            groups: Groups::new(self.k(), self.about.cols()),
        })
    }

    /// What the rows of a chunk are labelled and summed with.
    fn part(&self) -> Part<'_> {
        Part {
            now: Labeller::new(&self.model.rule),
            before: self.before.as_ref().map(Labeller::new),
            room: self.room(),
            changed: 0,
            failed: None,
        }
    }

    /// Whether the rule that made these sums is the last.
    fn ends(&mut self, changed: f64, weight: f64) -> Option<Stop> {
        self.before.as_ref()?;
        let iteration = self.trace.len();
        if changed < self.calmest.0 {
            self.calmest = (changed, iteration);
        }
        let tol = if self.k() == 2 { REST } else { self.p.tol };
        match () {
            () if changed <= tol * weight => Some(Stop::Converged),
            () if iteration >= self.p.max_iter => Some(Stop::MaxIter),
            () if iteration - self.calmest.1 >= PATIENCE => Some(Stop::Stalled),
            () => None,
        }
    }

    /// The rule that follows from the moments of the clusters, with its worst-case probability; None if no
    /// direction tells two clusters apart.
    fn next(&self, moments: &[Moments]) -> Result<Option<(MspcRule, f64)>> {
        if let [zero, one] = moments {
            let covs = [one, zero].map(|m| m.covariance_plus(self.p.reg));
            let solved = mpm::solve(
                Side { mean: one.mean(), cov: &covs[0] },
                Side { mean: zero.mean(), cov: &covs[1] },
            )?;
            let objective = solved.p();
            let rule = MspcRule::Plane { w: solved.w, b: solved.b, swap: false };
            return Ok((solved.kappa != 0.0).then_some((rule, objective)));
        }
        let mut total = Moments::empty(self.about.cols());
        moments.iter().for_each(|m| total.merge(m));
        let mut means = Dense::zeros(moments.len(), total.d());
        for (c, m) in moments.iter().enumerate() {
            means.row_mut(c).copy_from_slice(m.mean());
        }
        let chol = factor(total.covariance(), Ridge::AtLeast(self.p.reg))?;
        let basis = discriminants(&means, total.mean(), &chol);
        let clusters = Clusters::projected(moments, &basis, self.p.reg);
        let vote = Vote::fit(&clusters, moments.len(), basis.rows())?;
        let (objective, order) = (vote.worst, (0..moments.len()).collect());
        Ok(Some((MspcRule::Vote { basis, vote, order }, objective)))
    }
}

/// The rows of a block, and what is known of them.
struct Chunk<'a> {
    rows: &'a dyn Rows,
    /// Labels by the rule and by the one before, where they are known.
    known: Option<&'a (Labels, Option<Labels>)>,
    takes_part: &'a [bool],
    about: &'a Dense,
}

/// What the rows of a chunk come to, and what that takes.
struct Part<'a> {
    now: Labeller<'a>,
    before: Option<Labeller<'a>>,
    room: Room,
    changed: u64,
    failed: Option<Error>,
}

/// The large memory of a chunk, which goes from block to block.
#[derive(Debug)]
struct Room {
    buffer: Vec<f64>,
    labels: Vec<i32>,
    earlier: Vec<i32>,
    groups: Groups,
}

impl Room {
    /// As new, with the memory it has.
    fn cleared(mut self) -> Self {
        self.groups.clear();
        self.labels.clear();
        self
    }
}

impl Chunk<'_> {
    /// Scales, labels and sums rows while they are in the cache.
    fn sum<'p>(&self, range: Range<usize>, mut part: Part<'p>) -> Part<'p> {
        let size = few_rows(self.rows.n_cols());
        for start in range.clone().step_by(size) {
            let few = start..(start + size).min(range.end);
            if let Err(error) = self.add(few, &mut part) {
                part.failed = Some(error.further(start));
                break;
            }
        }
        part.room.groups.finish();
        part
    }

    fn add(&self, few: Range<usize>, part: &mut Part<'_>) -> Result<()> {
        let Room { buffer, labels, earlier, groups } = &mut part.room;
        let lines = self.rows.block(few.clone(), buffer);
        let first = labels.len();
        earlier.clear();
        match self.known {
            Some((now, before)) => {
                labels.extend_from_slice(&now[few.clone()]);
                let before = before.iter().flat_map(|before| &before[few.clone()]);
                earlier.extend(before);
            }
            None => {
                part.now.label(few.len(), lines, labels)?;
                if let Some(before) = &mut part.before {
                    before.label(few.len(), lines, earlier)?;
                }
            }
        }
        let takes_part = &self.takes_part[few];
        let labels = &labels[first..];
        let changes = labels.iter().zip(earlier).zip(takes_part);
        part.changed +=
            changes.filter(|((now, before), own)| **own && now != before).count() as u64;
        let each = lines.chunks_exact(self.about.cols().max(1)).zip(labels).zip(takes_part);
        for ((row, &label), _) in each.filter(|(_, own)| **own) {
            groups.add(label as usize, row, self.about.row(label as usize));
        }
        Ok(())
    }
}

impl PassRule for MspcPasses {
    fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        self.model.check_width(block)?;
        // Sparse rows stay sparse as a copy; dense ones are scaled whenever they are read, which costs less than a copy.
        let (scaler, features) = (&self.model.scaler, &self.model.features);
        let copied = features.is_some() || matches!(block, MatrixRef::Sparse(_));
        let copy = copied.then(|| scaler.copy(block));
        let mapped = features.as_ref().zip(copy.as_ref()).map(|(map, copy)| map.apply(copy));
        let view = scaler.view(block);
        let rows: &dyn Rows = match (&mapped, &copy) {
            (Some(rows), _) => rows,
            (None, Some(rows)) => rows,
            (None, None) => &view,
        };
        // Sparse rows are labelled as such.
        let known = rows.sparse().map(|_| self.labels(rows)).transpose()?;
        let apart = self.model.scaler.outliers(block);
        let mut takes_part = vec![true; rows.n_rows()];
        apart.iter().for_each(|&i| takes_part[i] = false);
        let chunk =
            Chunk { rows, known: known.as_ref(), takes_part: &takes_part, about: &self.about };
        let mut whole = self.room();
        let Room { groups: total, labels, .. } = &mut whole;
        let (mut changed, mut failed) = (0, None);
        let map = |range| chunk.sum(range, self.part());
        par::fold_chunks_of(rows.n_rows(), total.chunk(), map, |mut part: Part<'_>| {
            total.merge(&part.room.groups);
            labels.extend_from_slice(&part.room.labels);
            changed += part.changed;
            failed = failed.take().or(part.failed.take());
            self.spare.put(part.room.cleared());
        });
        failed.map_or(Ok(()), Err)?;
        if self.model.mark {
            apart.iter().for_each(|&i| labels[i] = -1);
        }
        let sums = Sums::of_labels(labels, self.k(), total.values());
        self.spare.put(whole.cleared());
        Ok(Sums { apart: apart.len() as u64, changed, ..sums })
    }

    fn step(&mut self, sums: &Sums) -> Result<Option<Stop>> {
        if self.stalled {
            return Ok(Some(Stop::Stalled));
        }
        let moments = about::moments(&sums.values, &self.about);
        if moments.iter().any(|m| m.n() <= 0.0) {
            // A cluster lost its last rows: the rule before is the last good one.
            let Some(rule) = self.before.take() else { return Ok(Some(Stop::Stalled)) };
            (self.model.rule, self.stalled) = (rule, true);
            return Ok(None);
        }
        let weight: f64 = moments.iter().map(Moments::n).sum();
        if let Some(stop) = self.ends(sums.changed as f64, weight) {
            return Ok(Some(stop));
        }
        let Some((rule, objective)) = self.next(&moments)? else {
            return Ok(Some(Stop::Converged));
        };
        self.trace.push(objective);
        self.before = Some(std::mem::replace(&mut self.model.rule, rule));
        for (c, m) in moments.iter().enumerate() {
            self.about.row_mut(c).copy_from_slice(m.mean());
        }
        Ok(None)
    }

    fn reorder(&mut self, seen: &[usize]) {
        match &mut self.model.rule {
            MspcRule::One => {}
            MspcRule::Plane { swap, .. } => *swap ^= seen.first() == Some(&1),
            MspcRule::Vote { order, .. } => *order = seen.iter().map(|&c| order[c]).collect(),
        }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(ScaledModel::plain(self.model.clone()))
    }

    fn tensors(&self) -> Tensors {
        let mut out = self.model.tensors();
        if let Some(rule) = &self.before {
            let before = MspcModel { rule: rule.clone(), ..self.model.clone() };
            out.put_all(BEFORE, before.tensors());
        }
        out.put_matrix("pass.about", &self.about);
        out.put_vector("pass.trace", &self.trace);
        out.put_vector("pass.calmest", &[self.calmest.0, self.calmest.1 as f64]);
        out.put_integers("pass.stalled", &[i64::from(self.stalled)]);
        out
    }

    fn trace(&self) -> &[f64] {
        &self.trace
    }

    fn sum_bytes(&self) -> u64 {
        8 * (self.k() * about::numbers(self.about.cols())) as u64
    }

    fn boxed(&self) -> Box<dyn PassRule> {
        Box::new(self.clone())
    }
}
