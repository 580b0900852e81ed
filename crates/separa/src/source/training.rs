//! Classifiers from a source: a sample in memory, then passes over all rows.

use super::fit::SUMS;
use super::matrix;
use crate::any_classifier::AnyClassifier;
use crate::clustering::{StreamFacts, Trained};
use crate::data::{Dataset, Target};
use crate::error::{Error, Result};
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes, thousands};
use crate::params::Named;
use crate::pass::{ClassPassRule, Sums};
use crate::progress::{Event, Observer};
use crate::registry;
use crate::report::{Bound, Learnt, Stop};
use crate::trainer::Trainer;
use separa_math::matrix::{Dense, MatrixRef};
use separa_math::moments::Moments;
use separa_math::rng::Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::time::Instant;

const FORMAT: &str = "separa-training";
const KEY: &str = "separa";
/// Rows of each class that a sample has at least, if there are so many.
const LEAST: usize = 1000;
/// The stream of the sample of a class.
const STREAM: u64 = 0x636c;

/// Blocks of rows with known classes in a fixed order, which can be read again.
pub trait ClassSource {
    /// What reading can end in.
    type Error: From<Error>;

    /// All rows, if that is known before they are read.
    fn n_rows(&self) -> Option<usize>;

    /// Goes back to the first block.
    fn rewind(&mut self) -> std::result::Result<(), Self::Error>;

    /// The next block with the number of each row's class, which can be empty; None after the last.
    fn next_block(&mut self) -> std::result::Result<Option<(Dense, Vec<u32>)>, Self::Error>;
}

/// Which rows of each class a training begins from: their places among the rows of the class, ascending. About `most`
/// rows in proportion to the classes, but a thousand of each if there are so many; a function of the numbers and the seed.
pub fn class_sample(sizes: &[usize], most: usize, seed: u64) -> Vec<Vec<usize>> {
    let all: usize = sizes.iter().sum();
    let least = LEAST.min(most / sizes.len().max(1)).max(2);
    let of = |(c, &n): (usize, &usize)| {
        let part = (most as f64 * n as f64 / all.max(1) as f64).ceil() as usize;
        Rng::new(seed, STREAM + ((c as u64) << 16)).sample(n, part.max(least).min(n))
    };
    sizes.iter().enumerate().map(of).collect()
}

/// The weight of each row of a sample, so that classes weigh what they do in all rows: 1 on the whole.
pub fn class_weights(sizes: &[usize], target: &Target) -> Vec<f64> {
    let drawn = target.sizes();
    let factor: Vec<f64> = sizes.iter().zip(&drawn).map(|(&n, &m)| n as f64 / m as f64).collect();
    target.classes().iter().map(|&c| factor[c as usize]).collect()
}

/// A classifier between two passes over all rows: one teaches, one measures.
///
/// As [`Passes`](super::Passes), for rows with known classes: [`ClassPasses::sum`] is the map, of one block and without
/// memory; [`ClassPasses::step`] takes the total, added in the order of the blocks.
#[derive(Debug, Clone)]
pub struct ClassPasses {
    method: &'static str,
    params: Named,
    rule: Box<dyn ClassPassRule>,
    done: usize,
    stop: Option<Stop>,
    counted: Option<(usize, Vec<usize>)>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    method: String,
    params: Named,
    learnt: Learnt,
    done: usize,
}

impl ClassPasses {
    /// Begins from a classifier that was trained on a sample of the rows.
    pub fn begin(trained: &Trained, sample: &Dataset<'_>, target: &Target) -> Result<Self> {
        let facts = &trained.fitted.facts;
        let method = (registry::find_classifier(&facts.method)?.parse)(&facts.params)?;
        Self::begin_with(method.as_ref(), trained, sample, target)
    }

    /// As [`ClassPasses::begin`], for a classifier that need not be registered.
    pub fn begin_with(
        method: &dyn AnyClassifier,
        trained: &Trained,
        sample: &Dataset<'_>,
        target: &Target,
    ) -> Result<Self> {
        let mut tensors = trained.model().tensors();
        tensors.put_matrix("pass.means", &class_means(sample, target));
        Self::of(method, &tensors, trained.learnt(), 0)
    }

    fn of(
        method: &dyn AnyClassifier,
        tensors: &Tensors,
        learnt: &Learnt,
        done: usize,
    ) -> Result<Self> {
        let name = method.entry().name;
        let rule = method.passes(tensors, learnt)?.ok_or(Error::NotStreamed { method: name })?;
        Ok(Self { method: name, params: method.params(), rule, done, stop: None, counted: None })
    }

    /// Whether all rows take part, or the rule of the sample stays as it is and all rows measure it.
    pub fn takes_all_rows(&self) -> bool {
        self.rule.takes_all_rows()
    }

    /// Bytes of the sums of one block.
    pub fn sum_bytes(&self) -> u64 {
        self.rule.sum_bytes()
    }

    /// How many passes are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Why there is no further pass; None as long as there is one.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The sums of one block of rows, each with the number of its class. Rows must be finite; the first that is not is
    /// named.
    pub fn sum(&self, block: MatrixRef<'_>, classes: &[u32]) -> Result<Sums> {
        if block.rows() == 0 {
            return Ok(Sums::default());
        }
        Dataset::new(block)?;
        self.rule.sum(block, classes)
    }

    /// Ends a pass with the sums of all rows.
    pub fn step(&mut self, total: &Sums) -> Result<()> {
        let (found, expected) = (total.values.len(), (self.sum_bytes() / 8) as usize);
        if total.rows == 0 || found != expected {
            let (what, of) = ("sums of all rows", "sums of this pass");
            return Err(Error::Length { what, found, expected, of });
        }
        self.done += 1;
        self.counted =
            Some((total.rows as usize, total.sizes.iter().map(|&n| n as usize).collect()));
        if self.rule.step(total)? {
            self.stop = Some(Stop::Converged);
        }
        Ok(())
    }

    /// Ends in the middle of a pass: the current rule is the best so far.
    pub fn cancel(&mut self) {
        self.stop.get_or_insert(Stop::Cancelled);
    }

    /// Puts the rule, and what is known of all rows, in the place of those of the sample.
    pub fn finish(self, trained: &mut Trained) {
        let sample = trained.n();
        let all_rows = self.takes_all_rows() && self.done > 0;
        let (n, sizes) = self.counted.unwrap_or((sample, trained.sizes().to_vec()));
        trained.learnt = self.rule.learnt().clone();
        trained.fitted.model = self.rule.model().into();
        trained.fitted.labels = None;
        let facts = &mut trained.fitted.facts;
        if all_rows {
            let stale = [codes::NOT_CONVERGED, codes::FLOOR_NOT_MET, codes::EQUAL_MEANS];
            facts.notes.retain(|note| !stale.contains(&note.code.as_ref()));
            facts.notes.extend(self.rule.notes().iter().cloned());
            facts.objective = Some(Bound::least(&trained.learnt.bounds));
            let unsolved = self.rule.notes().iter().any(|note| note.code == codes::NOT_CONVERGED);
            facts.stop = if unsolved { Stop::MaxIter } else { Stop::Converged };
        }
        if self.stop != Some(Stop::Converged) {
            facts.stop = Stop::Cancelled;
        }
        (facts.n, facts.sizes) = (n, sizes);
        facts.stream =
            Some(StreamFacts { all_rows, sample_rows: sample, passes: self.done, msp_rows: None });
        facts.notes.insert(0, said(all_rows, n, sample, self.stop == Some(Stop::Converged)));
    }

    /// As bytes, for another process.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let (method, params) = (self.method.to_owned(), self.params.clone());
        let learnt = Learnt { accuracy: 0.0, ..self.rule.learnt().clone() };
        let header = Header { format: FORMAT.into(), method, params, learnt, done: self.done };
        let text = serde_json::to_string(&header).map_err(|e| Error::Model(e.to_string()))?;
        self.rule.tensors().serialize(HashMap::from([(KEY.to_owned(), text)]))
    }

    /// From [`ClassPasses::to_bytes`]; other bytes give an error, never a panic.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let wrong = |why: String| Error::Model(format!("{why}; these bytes are no passes"));
        let file =
            safetensors::SafeTensors::deserialize(bytes).map_err(|e| wrong(e.to_string()))?;
        let (_, metadata) =
            safetensors::SafeTensors::read_metadata(bytes).map_err(|e| wrong(e.to_string()))?;
        let text = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let text = text.ok_or_else(|| wrong("no header".into()))?;
        let header: Header = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if header.format != FORMAT {
            return Err(wrong(format!("their format is \"{}\"", header.format)));
        }
        let method = (registry::find_classifier(&header.method)?.parse)(&header.params)?;
        Self::of(method.as_ref(), &Tensors::from_file(&file)?, &header.learnt, header.done)
    }
}

/// The mean of each class, in the units of the table.
fn class_means(sample: &Dataset<'_>, target: &Target) -> Dense {
    let labels: Vec<i32> = target.classes().iter().map(|&c| c as i32).collect();
    let mut means = Dense::zeros(target.k(), sample.d());
    let mut members = vec![Vec::new(); target.k()];
    labels.iter().enumerate().for_each(|(i, &c)| members[c as usize].push(i));
    for (c, own) in members.iter().enumerate() {
        let own = Moments::of_rows(&sample.x(), own, None);
        means.row_mut(c).copy_from_slice(own.mean());
    }
    means
}

/// What took part in the training.
fn said(all_rows: bool, n: usize, sample: usize, whole: bool) -> Note {
    let (n, sample) = (thousands(n), thousands(sample));
    let measured = match whole {
        true => "accuracy and achieved accuracies are of all rows",
        false => "it was interrupted, accuracy and achieved accuracies are of the sample",
    };
    let text = match all_rows {
        true => format!(
            "streamed: learnt from all {n} rows; the scaling of the columns and the settings that were chosen are of a \
             sample of {sample} rows; {measured}"
        ),
        false => format!("streamed: learnt from a sample of {sample} rows of {n}; {measured}"),
    };
    Note::notice(codes::STREAMED, text)
}

impl Trainer<'_> {
    /// Trains on `sample` in memory, as [`Trainer::fit`] does, and learns the boundaries again from all rows of `source`,
    /// with the settings that were chosen: [`ClassPasses`]. Labels are not kept.
    pub fn fit_source<S>(
        &self,
        source: &mut S,
        sample: &Dataset<'_>,
        target: &Target,
    ) -> std::result::Result<Trained, S::Error>
    where
        S: ClassSource + Send,
        S::Error: Send,
    {
        let began = Instant::now();
        let mut trained = self.fit(sample, target)?;
        let mut passes = ClassPasses::begin_with(self.method(), &trained, sample, target)?;
        let remedy = Remedy::DropColumns.or(Remedy::RaiseMemory);
        self.run.budget()?.require(
            self.method().entry().name,
            SUMS * passes.sum_bytes(),
            remedy,
        )?;
        if trained.stop() == Stop::Cancelled {
            passes.cancel();
        }
        let mut observer = self.run.observer.clone();
        while passes.stop().is_none() {
            passes = self.run.threads.install(|| run(passes, source, &mut observer))?;
        }
        passes.finish(&mut trained);
        trained.seconds = began.elapsed().as_secs_f64();
        Ok(trained)
    }
}

/// One pass, unless the observer ends it.
fn run<S: ClassSource>(
    mut passes: ClassPasses,
    source: &mut S,
    observer: &mut impl Observer,
) -> std::result::Result<ClassPasses, S::Error> {
    let mut total = Sums::default();
    source.rewind()?;
    while let Some((block, classes)) = source.next_block()? {
        let rows = total.rows as usize;
        let sums = passes.sum(matrix(&block), &classes).map_err(|e| e.further(rows))?;
        total.add(&sums)?;
        let (pass, rows) = (passes.done() + 1, total.rows as usize);
        if observer.on(&Event::Pass { pass, rows, of: source.n_rows() }).is_break() {
            passes.cancel();
            return Ok(passes);
        }
    }
    passes.step(&total)?;
    Ok(passes)
}
