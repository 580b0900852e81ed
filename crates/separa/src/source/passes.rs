//! Passes over all rows, wherever they are.

use super::judge::{self, Judge};
use crate::any_method::AnyMethod;
use crate::clustering::{Clustering, StreamFacts};
use crate::confidence::Calibration;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use crate::note::{Note, Remedy, codes, thousands};
use crate::params::Named;
use crate::pass::{PassRule, Sums};
use crate::quality::all_rows::PairsJudged;
use crate::registry;
use crate::report::Stop;
use separa_math::matrix::MatrixRef;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// Rows of a dense block that are checked, labelled and summed together: they are read from memory once.
pub const PIECE: usize = 16_384;

const FORMAT: &str = "separa-passes";
const KEY: &str = "separa";

/// A rule between two passes over all rows.
///
/// [`Passes::sum`] is the map, of one block and without memory; [`Passes::step`] takes the total, added in the order
/// of the blocks. As bytes it goes to other processes, or into a file to go on from.
///
/// ```
/// use separa::prelude::*;
/// use separa::{Sums, source::Passes};
///
/// let rows: Vec<[f64; 2]> = (0..60).map(|i| [f64::from(i % 3) * 9.0, f64::from(i / 3) * 0.1]).collect();
/// let mut found = KMeans::new(3).fit(&rows)?;
/// let mut passes = Passes::begin(&found)?;
/// while passes.stop().is_none() {
///     let mut total = Sums::default();
///     for block in rows.chunks(7) {
///         let elsewhere = Passes::from_bytes(&passes.to_bytes()?)?;
///         let values: Vec<f64> = block.concat();
///         let block = separa::DenseRef::new(block.len(), 2, &values)?;
///         total.add(&elsewhere.sum(block.into())?)?;
///     }
///     passes.step(&total)?;
/// }
/// passes.finish(&mut found);
/// assert_eq!((found.n(), found.sizes()), (60, &[20, 20, 20][..]));
/// # Ok::<(), separa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Passes {
    method: Box<dyn AnyMethod>,
    work: Work,
    /// Passes that are done.
    done: usize,
    stop: Option<Stop>,
    /// Rows, and those of each cluster, in the last pass that was done.
    counted: Option<(usize, Vec<usize>)>,
    /// Whether and how the last rule is judged by all rows, and what came of it.
    judge: Option<Judge>,
    judged: Option<PairsJudged>,
    /// Why the rule is the last, while it is being judged.
    ending: Option<Stop>,
    /// What the clusters of the last rule were called before they were numbered by first appearance.
    order: Vec<usize>,
}

#[derive(Debug, Clone)]
enum Work {
    /// All rows take part in every iteration.
    AllRows(Box<dyn PassRule>),
    /// The rule stands; its rows are counted.
    Count(Arc<dyn Model>),
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    method: String,
    params: Named,
    done: usize,
    /// Rows, and those of each cluster, in the last pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counted: Option<(usize, Vec<usize>)>,
    /// While the last rule is being judged: why it is the last, and what its clusters were called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ending: Option<(Stop, Vec<usize>)>,
}

const ABOUT: &str = "judge.about";

impl Passes {
    /// Begins from a clustering of some of the rows.
    pub fn begin(found: &Clustering) -> Result<Self> {
        Self::begin_with(found.method(), found.model().as_ref())
    }

    /// Begins from a rule of this method.
    pub fn begin_with(method: &dyn AnyMethod, model: &dyn Model) -> Result<Self> {
        Self::of(method.boxed(), &model.tensors(), 0)
    }

    /// Judges the last rule by all rows, if its clustering was judged: one pass more, for up to 128 features. `sample` is
    /// what the clustering was fitted to.
    pub fn judging(mut self, found: &Clustering, sample: &Dataset<'_>) -> Self {
        let tiny = sample.unit().is_some();
        self.judge = found.quality().ok().filter(|_| !tiny).and_then(|_| Judge::of(sample));
        self
    }

    /// The same without judging, where the sums of it would take too much.
    pub fn unjudged(self) -> Self {
        Self { judge: None, ..self }
    }

    fn of(method: Box<dyn AnyMethod>, tensors: &Tensors, done: usize) -> Result<Self> {
        let work = match method.passes(tensors)? {
            Some(rule) => Work::AllRows(rule),
            None => Work::Count((method.entry().load)(tensors)?.into()),
        };
        Ok(Self {
            method,
            work,
            done,
            stop: None,
            counted: None,
            judge: None,
            judged: None,
            ending: None,
            order: Vec::new(),
        })
    }

    /// Whether all rows take part in the fit, or the rule stays as it is.
    pub fn takes_all_rows(&self) -> bool {
        matches!(self.work, Work::AllRows(_))
    }

    /// Bytes of the sums of one block.
    pub fn sum_bytes(&self) -> u64 {
        match (&self.work, self.judges_now()) {
            (_, Some(judge)) => 8 * judge.numbers(self.k()) as u64,
            (Work::AllRows(rule), None) => rule.sum_bytes(),
            (Work::Count(_), None) => 0,
        }
    }

    /// Bytes of the sums of one block in the pass that needs most.
    pub fn most_bytes(&self) -> u64 {
        let judging = self.judge.as_ref().map_or(0, |judge| 8 * judge.numbers(self.k()) as u64);
        self.sum_bytes().max(judging)
    }

    fn k(&self) -> usize {
        match &self.work {
            Work::AllRows(rule) => rule.model().n_clusters(),
            Work::Count(model) => model.n_clusters(),
        }
    }

    /// How this pass judges, if it does: a rule that stands is judged while its rows are counted.
    fn judges_now(&self) -> Option<&Judge> {
        let last = self.ending.is_some() || !self.takes_all_rows();
        self.judge.as_ref().filter(|_| last)
    }

    /// How many passes are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Why there is no further pass; None as long as there is one.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The sums of one block of rows. Rows must be finite; the first that is not is named.
    /// A large block is summed in pieces of [`PIECE`] rows, in their order: to give them one by one makes no difference.
    pub fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        let MatrixRef::Dense(rows) = block else { return self.sum_piece(block) };
        let mut total = Sums::default();
        for first in (0..rows.rows()).step_by(PIECE) {
            let piece = rows.part(first..(first + PIECE).min(rows.rows()));
            let sums = self.sum_piece(piece.into());
            total.add(&sums.map_err(|error| error.further(first))?)?;
        }
        Ok(total)
    }

    fn sum_piece(&self, block: MatrixRef<'_>) -> Result<Sums> {
        if block.rows() == 0 {
            return Ok(Sums::default());
        }
        Dataset::new(block)?;
        match (&self.work, self.judges_now()) {
            (Work::AllRows(rule), Some(judge)) => judge.sum(block, rule.model().as_ref()),
            (Work::Count(model), Some(judge)) => judge.sum(block, model.as_ref()),
            (Work::AllRows(rule), None) => rule.sum(block),
            (Work::Count(model), None) => {
                let labels = model.predict(block)?;
                let apart = labels.iter().filter(|l| **l < 0).count() as u64;
                Ok(Sums { apart, ..Sums::of_labels(&labels, model.n_clusters(), Vec::new()) })
            }
        }
    }

    /// Ends a pass with the sums of all rows.
    pub fn step(&mut self, total: &Sums) -> Result<()> {
        let k = self.k();
        let numbers = (self.sum_bytes() / 8) as usize;
        if total.rows == 0 || total.sizes.len() != k || total.values.len() != numbers {
            let (found, expected) = (total.values.len(), numbers);
            let (what, of) = ("sums of all rows", "sums of this pass");
            return Err(Error::Length { what, found, expected, of });
        }
        self.done += 1;
        if let Some(judge) = self.judges_now() {
            self.judged = Some(judge.judged(total, self.method.quality_reg())?);
        }
        let mut sizes: Vec<usize> = total.sizes.iter().map(|&n| n as usize).collect();
        match &mut self.work {
            Work::Count(_) => self.stop = Some(Stop::Converged),
            Work::AllRows(_) if self.ending.is_some() => self.stop = self.ending,
            Work::AllRows(rule) => {
                self.ending = rule.step(total)?;
                if self.ending.is_some() {
                    self.order = total.order();
                    rule.reorder(&self.order);
                    sizes = self.order.iter().map(|&c| sizes[c]).collect();
                }
                if self.judge.is_none() {
                    self.stop = self.ending;
                }
            }
        }
        self.counted = Some((total.rows as usize, sizes));
        Ok(())
    }

    /// Ends in the middle of a pass: the current rule is the best so far.
    pub fn cancel(&mut self) {
        self.stop.get_or_insert(Stop::Cancelled);
    }

    /// Puts the rule, and what is known of all rows, in the place of those of the sample.
    pub fn finish(self, found: &mut Clustering) {
        let sample = found.n();
        let (all_rows, passes) = (self.takes_all_rows(), self.done);
        let (n, sizes) = match self.counted {
            Some((n, sizes)) => (n, sizes),
            None => (sample, found.sizes().to_vec()),
        };
        let msp_rows = self.judged.as_ref().map_or(sample, |_| n);
        if let Some(quality) = found.quality_mut() {
            let mut new = vec![0; self.order.len()];
            self.order.iter().enumerate().for_each(|(to, &from)| new[from] = to);
            judge::renumber(quality, &new);
            self.judged.iter().for_each(|judged| judge::put(quality, judged));
        }
        let msp_rows = found.quality().ok().map(|_| msp_rows);
        let facts = &mut found.facts;
        if let Work::AllRows(rule) = &self.work {
            let trace = rule.trace();
            let finite = |v: &f64| Some(*v).filter(|v| v.is_finite());
            facts.trace = trace.iter().map(finite).collect();
            facts.objective = trace.last().and_then(finite);
            facts.iterations = trace.len();
            facts.notes.retain(|note| note.code != codes::NOT_CONVERGED);
            facts.stop = self.stop.unwrap_or(Stop::Cancelled);
            if facts.stop == Stop::MaxIter {
                let text = format!("labels still changed after {} iterations", trace.len());
                let note = Note::warning(codes::NOT_CONVERGED, text);
                facts.notes.push(note.with(Remedy::raise("max_iter")));
            }
        } else if self.stop == Some(Stop::Cancelled) {
            facts.stop = Stop::Cancelled;
        }
        (facts.n, facts.sizes) = (n, sizes);
        // Their places were those in the sample.
        facts.exemplars.clear();
        facts.stream = Some(StreamFacts { all_rows, sample_rows: sample, passes, msp_rows });
        facts.notes.insert(0, said(facts.stream.as_ref(), n));
        found.labels = None;
        found.interrupted |= self.stop == Some(Stop::Cancelled);
        if let Work::AllRows(rule) = self.work {
            found.model = rule.model().into();
            found.facts.confidence.iter_mut().for_each(Calibration::forget_clusters);
            // Shapes of clusters under their numbers in the sample.
            found.baseline = None;
        }
    }

    /// As bytes, for another process or a file to go on from.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let header = Header {
            format: FORMAT.into(),
            method: self.method.entry().name.into(),
            params: self.method.params(),
            done: self.done,
            counted: self.counted.clone(),
            ending: self.ending.map(|stop| (stop, self.order.clone())),
        };
        let text = serde_json::to_string(&header).map_err(|e| Error::Model(e.to_string()))?;
        let mut tensors = match &self.work {
            Work::AllRows(rule) => rule.tensors(),
            Work::Count(model) => model.tensors(),
        };
        if let Some(judge) = &self.judge {
            tensors.put_vector(ABOUT, &judge.about);
        }
        tensors.serialize(HashMap::from([(KEY.to_owned(), text)]))
    }

    /// From [`Passes::to_bytes`]; other bytes give an error, never a panic.
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
        let method = registry::restore(&header.method, &header.params)?;
        let tensors = Tensors::from_file(&file)?;
        let passes = Self::of(method, &tensors, header.done)?;
        let judge = match tensors.contains(ABOUT) {
            true => Some(Judge { about: tensors.vector(ABOUT)? }),
            false => None,
        };
        let (ending, order) = header.ending.map_or((None, Vec::new()), |(s, o)| (Some(s), o));
        Ok(Self { counted: header.counted, judge, ending, order, ..passes })
    }
}

/// What took part in the fit.
fn said(facts: Option<&StreamFacts>, n: usize) -> Note {
    let StreamFacts { all_rows, sample_rows, passes, msp_rows } =
        *facts.expect("a streamed fit knows its rows");
    let (judged, n, sample) =
        (msp_rows == Some(n) && n != sample_rows, thousands(n), thousands(sample_rows));
    let quality = match judged {
        true => "p-values, importance (MSP is of all rows)",
        false => "quality",
    };
    let text = match all_rows {
        true => format!(
            "streamed: all {n} rows took part in {passes} passes; the initialization, the scaling of the columns, \
             {quality}, profile and notes about rows are of a sample of {sample} rows"
        ),
        false => format!(
            "streamed: fitted on a sample of {sample} rows, whose rule labels all {n}; {quality}, profile and notes \
             about rows are of the sample"
        ),
    };
    Note::notice(codes::STREAMED, text)
}
