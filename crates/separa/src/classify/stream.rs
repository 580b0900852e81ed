//! The minimax clustering probability machine from a stream: one pass over rows that need not fit in memory.
//!
//! Every class keeps its summaries and a random sample of its rows; a batch of rows is summarised on its own
//! and merged; of more than four times the asked summaries those are joined whose union spreads least.
//! The sample chooses what is set to cv, from the summaries of all rows, and is what rates and accuracy are
//! measured on.

use super::choices::{Quantizer, Scaling, Tuned};
use super::machine::ClassifierModel;
use super::mcpm::Mcpm;
use super::outcome::{TrainingFacts, finish, members};
use super::plan::SummaryTraining;
use super::product::Ready;
use super::summaries::Summaries;
use super::tuning::{Room, Tuning};
use crate::context::{Ctx, MemoryBudget};
use crate::data::{Dataset, MOST_CLASSES, Target};
use crate::error::{Error, Result};
use crate::method::Fit;
use crate::note::{Note, Remedy, codes};
use crate::params::{Checked, Params, bad_param};
use rayon::prelude::*;
use separa_math::gauss::{Cell, Shape, Tod, threshold_for};
use separa_math::matrix::{Dense, DenseRef, pick};
use separa_math::rng::Rng;
use separa_math::scaling::Scaler;

/// Rows of each class in the sample.
const SAMPLE: usize = 1000;
/// Summaries of each class where their number is not given.
const COUNT: usize = 15;
/// Summaries of a class at most while rows come: beyond, the threshold grows.
const MOST: usize = 1000;
/// Parts that are summarised side by side before they are merged, and rows of a part: less where rows are so
/// wide that all parts together would hold more than this many numbers.
const PARTS: usize = 8;
const PART: usize = 8192;
const NUMBERS: usize = 1 << 22;

/// Summaries and samples of classes, growing batch by batch.
#[derive(Debug)]
pub struct Stream {
    plan: SummaryTraining,
    count: usize,
    d: usize,
    seed: u64,
    memory: MemoryBudget,
    /// None before the first batch.
    factors: Option<Vec<f64>>,
    classes: Vec<Class>,
    /// Rows that wait until there are enough for all parts, so that a rule does not depend on how rows were
    /// grouped; row-major, with their classes.
    values: Vec<f64>,
    numbers: Vec<u32>,
}

#[derive(Debug)]
struct Class {
    /// All that came, and those that took part already.
    came: usize,
    rows: f64,
    /// The threshold that was given made more summaries than are kept.
    joined: bool,
    rng: Rng,
    /// Row-major.
    sample: Vec<f64>,
    /// None until enough rows were seen to know the threshold: then they wait in `waiting`.
    tod: Option<Tod>,
    waiting: Vec<f64>,
}

impl Stream {
    /// For rows of `d` columns. The quantiser must be tod.
    pub fn new(params: Mcpm, d: usize, seed: u64) -> Result<Self> {
        let params = Checked::new(params)?;
        if params.quantizer != Quantizer::Tod {
            return bad_param::<Mcpm, Self>("quantizer", "tod for a stream of rows", "\"kmeans\"");
        }
        let count = match params.summaries {
            Tuned::Cv => COUNT,
            Tuned::Value(v) => v as usize,
        };
        Ok(Self {
            plan: params.plan(),
            count,
            d,
            seed,
            memory: MemoryBudget::default(),
            factors: None,
            classes: Vec::new(),
            values: Vec::new(),
            numbers: Vec::new(),
        })
    }

    /// The same where no more than this may be used; without it there is no limit.
    pub fn within(self, memory: MemoryBudget) -> Self {
        Self { memory, ..self }
    }

    /// Batches of rows with the number of each row's class; numbers need not come in order. The rule is the
    /// same however rows are grouped in batches.
    pub fn see(&mut self, batches: &[(DenseRef<'_>, &[u32])]) -> Result<()> {
        for (rows, classes) in batches {
            // Checked as every table is.
            Dataset::new((*rows).into())?;
            if rows.cols() != self.d || classes.len() != rows.rows() {
                let (found, expected) = (rows.cols(), self.d);
                return Err(Error::Features { found, expected, missing: Vec::new() });
            }
            let most = classes.iter().max().map_or(0, |c| *c as usize + 1);
            if most > MOST_CLASSES {
                return Err(Error::TooManyClasses {
                    what: "the target".into(),
                    found: format!("more than {MOST_CLASSES}"),
                    most: MOST_CLASSES,
                });
            }
            if most > self.classes.len() {
                self.require(most)?;
            }
            while self.classes.len() < most {
                self.classes.push(Class::new(self.seed, self.classes.len()));
            }
        }
        for (rows, classes) in batches {
            for (i, &c) in classes.iter().enumerate() {
                self.classes[c as usize].came += 1;
                self.values.extend_from_slice(rows.row(i));
                self.numbers.push(c);
                if self.numbers.len() == PARTS * self.part() {
                    self.digest()?;
                }
            }
        }
        Ok(())
    }

    /// Refuses so many classes that what is kept of each takes too much.
    fn require(&self, classes: usize) -> Result<()> {
        let cells = if self.plan.threshold > 0.0 { MOST } else { 4 * self.count };
        let cell = 2 * self.d + self.plan.kernel.shape.len(self.d);
        // The sample and the rows that wait; the summaries, and those of every part.
        let each = 2 * SAMPLE * self.d + (PARTS + 1) * cells * cell;
        let waiting = 2 * PARTS * self.part() * self.d;
        let fewer = Remedy::DropColumns.or(Remedy::lower("summaries"));
        let remedy = fewer.or(Remedy::RaiseMemory);
        let needed = 8 * (classes as u64 * each as u64 + waiting as u64);
        self.memory.require(Mcpm::NAME, needed, remedy)
    }

    /// Rows of a part.
    fn part(&self) -> usize {
        (NUMBERS / PARTS / self.d.max(1)).clamp(256, PART)
    }

    /// Summarises the rows that wait.
    fn digest(&mut self) -> Result<()> {
        let (values, numbers) =
            (std::mem::take(&mut self.values), std::mem::take(&mut self.numbers));
        let part = self.part();
        let mut batches: Vec<(DenseRef<'_>, &[u32])> = Vec::with_capacity(PARTS);
        for (x, classes) in values.chunks(part * self.d).zip(numbers.chunks(part)) {
            batches.push((DenseRef::new(classes.len(), self.d, x)?, classes));
        }
        self.take(&batches);
        Ok(())
    }

    fn take(&mut self, batches: &[(DenseRef<'_>, &[u32])]) {
        self.set_factors(batches);
        let factors = self.factors.as_deref().unwrap_or_default();
        let empty: Vec<Option<Tod>> = self
            .classes
            .iter()
            .map(|c| {
                c.tod.as_ref().map(|t| Tod::new(factors, t.threshold(), self.plan.kernel.shape))
            })
            .collect();
        let part = |(rows, classes): &(DenseRef<'_>, &[u32])| {
            let mut parts = empty.clone();
            for (i, &c) in classes.iter().enumerate() {
                if let Some(tod) = &mut parts[c as usize] {
                    tod.see(rows.row(i), 1.0);
                    if tod.cells().len() > MOST {
                        tod.widen();
                    }
                }
            }
            parts
        };
        let parts: Vec<Vec<Option<Tod>>> = batches.par_iter().map(part).collect();
        for ((rows, classes), parts) in batches.iter().zip(parts) {
            for (i, &c) in classes.iter().enumerate() {
                self.classes[c as usize].draw(rows.row(i));
            }
            for (class, part) in self.classes.iter_mut().zip(parts) {
                if let (Some(tod), Some(part)) = (&mut class.tod, part) {
                    class.joined |= part.threshold() > tod.threshold();
                    tod.merge(&part);
                    class.limit(if self.plan.threshold > 0.0 { MOST } else { 4 * self.count });
                }
            }
        }
        for class in &mut self.classes {
            if class.waiting.len() >= SAMPLE * self.d {
                class.begin(self.d, factors, self.count, &self.plan);
            }
        }
    }

    /// How many rows of each class came.
    pub fn sizes(&self) -> Vec<usize> {
        self.classes.iter().map(|c| c.came).collect()
    }

    /// The machine; labels and rates are those of the sample. `names[c]` is class c.
    pub fn finish(mut self, names: Vec<String>, ctx: &mut Ctx<'_>) -> Result<Fit<ClassifierModel>> {
        self.digest()?;
        let factors = self.factors.take().unwrap_or_default();
        for class in self.classes.iter_mut().filter(|c| c.tod.is_none()) {
            class.begin(self.d, &factors, self.count, &self.plan);
        }
        // Classes by name, whatever order they came in.
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        let number = |c: &usize| names[*c].parse::<f64>().ok();
        match order.iter().all(|c| number(c).is_some()) {
            true => {
                order.sort_by(|a, b| number(a).unwrap_or(0.0).total_cmp(&number(b).unwrap_or(0.0)))
            }
            false => order.sort_by(|a, b| names[*a].cmp(&names[*b])),
        }
        let (mut values, mut classes, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for (to, &c) in order.iter().enumerate() {
            let class = &self.classes[c];
            let rows = class.sample.len() / self.d;
            values.extend_from_slice(&class.sample);
            classes.extend(vec![to as u32; rows]);
            weights.extend(vec![class.rows / rows as f64; rows]);
        }
        let target = Target::new(classes, order.iter().map(|&c| names[c].clone()).collect())?;
        let sample = Dense::from_vec(weights.len(), self.d, values)?;
        let data = Dataset::new(sample.view().into())?.with_weights(&weights)?;
        target.check(Mcpm::NAME, |_| 1.0, data.n())?;
        let sizes: Vec<usize> = order.iter().map(|&c| self.classes[c].came).collect();
        self.plan.counts::<Mcpm>(&sizes, &target)?;
        // Nothing was left out of the sample: it is the table.
        if self.classes.iter().all(|c| c.rows <= SAMPLE as f64) {
            return self.plan.train::<Mcpm>(&data, &target, ctx);
        }
        let cells: Vec<Vec<Cell>> = order
            .iter()
            .map(|&c| {
                let mut tod = self.classes[c].tod.take().expect("every class has begun");
                if self.plan.threshold == 0.0 {
                    tod.coarsen(self.count);
                }
                tod.into_cells()
            })
            .collect();
        let summaries = Summaries::join(cells);
        let members = members(&data, &target);
        let room = self.plan.room::<Mcpm>(self.d, target.k(), self.memory);
        Room { tasks: 1, ..room }.require(data.n(), summaries.cells.len())?;
        let quantise = self.plan.quantise(&factors, self.seed, room);
        let tuning = Tuning {
            rows: &sample,
            weights: Some(&weights),
            target: &target,
            members: &members,
            quantise,
            plan: &self.plan,
            counts: vec![self.count],
            room,
        };
        let chosen = tuning.run_on(&Ready::new(summaries.clone(), self.plan.kernel)?)?;
        let (machine, planes, settings, reg) = self.plan.machine(summaries, &target, chosen)?;
        let text = format!(
            "one pass: rates, accuracy and the choice of settings are by a sample of {} rows, which were also \
             learnt from; none are held out",
            data.n()
        );
        let mut notes = vec![Note::notice(codes::SAMPLE_ONLY, text)];
        let joined = |c: &Class| c.joined && self.plan.threshold > 0.0;
        if self.classes.iter().any(joined) {
            let text = format!(
                "threshold {} makes more than {MOST} summaries of a class: those whose union spreads least \
                 were merged",
                self.plan.threshold
            );
            let remedy = Remedy::raise("threshold");
            notes.push(Note::notice(codes::SUMMARIES_MERGED, text).with(remedy));
        }
        let known = TrainingFacts { held_out: None, settings, reg, notes };
        finish(machine, &planes, &data, &target, known, ctx)
    }

    /// Columns are brought to one scale by what the first batches say of them.
    fn set_factors(&mut self, batches: &[(DenseRef<'_>, &[u32])]) {
        if self.factors.is_some() || batches.is_empty() {
            return;
        }
        let mut whole = Cell::empty(self.d, Shape::Diag);
        for (rows, _) in batches {
            (0..rows.rows()).for_each(|i| whole.add(rows.row(i), 1.0));
        }
        self.factors = Some(match self.plan.scaling {
            Scaling::None => vec![1.0; self.d],
            _ => Scaler::from_variances(whole.scatter.iter().map(|s| s / whole.weight)).factors(),
        });
    }
}

impl Class {
    fn new(seed: u64, number: usize) -> Self {
        Self {
            came: 0,
            rows: 0.0,
            joined: false,
            rng: Rng::new(seed, 0x7265 + ((number as u64) << 16)),
            sample: Vec::new(),
            tod: None,
            waiting: Vec::new(),
        }
    }

    /// Takes a row into the sample with the right probability (Vitter's algorithm R).
    fn draw(&mut self, row: &[f64]) {
        self.rows += 1.0;
        if self.tod.is_none() {
            self.waiting.extend_from_slice(row);
        }
        if self.rows <= SAMPLE as f64 {
            self.sample.extend_from_slice(row);
            return;
        }
        let at = self.rng.below(self.rows as usize);
        if at < SAMPLE {
            self.sample[at * row.len()..(at + 1) * row.len()].copy_from_slice(row);
        }
    }

    /// Joins summaries until there are at most this many.
    fn limit(&mut self, most: usize) {
        if let Some(tod) = &mut self.tod {
            self.joined |= tod.cells().len() > most;
            tod.coarsen(most);
        }
    }

    /// Finds the threshold from the rows that waited and summarises them, in seeded order.
    fn begin(&mut self, d: usize, factors: &[f64], count: usize, plan: &SummaryTraining) {
        let waiting = std::mem::take(&mut self.waiting);
        let n = waiting.len() / d;
        let rows = DenseRef::new(n, d, &waiting).expect("whole rows wait");
        let mut order: Vec<usize> = (0..n).collect();
        self.rng.shuffle(&mut order);
        let threshold = match plan.threshold {
            t if t > 0.0 => t,
            _ => {
                let some = pick(&rows, &order[..n.min(SAMPLE)]);
                let index: Vec<usize> = (0..some.rows()).collect();
                threshold_for(&some, None, &index, factors, count.min(n.max(1)))
            }
        };
        let mut tod = Tod::new(factors, threshold, plan.kernel.shape);
        for &i in &order {
            tod.see(rows.row(i), 1.0);
            if tod.cells().len() > MOST {
                tod.widen();
            }
        }
        self.joined |= tod.threshold() > threshold;
        self.tod = Some(tod);
    }
}
