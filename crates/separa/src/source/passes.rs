//! Passes over all rows, wherever they are.

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
use crate::registry;
use crate::report::Stop;
use separa_math::matrix::MatrixRef;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

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
}

impl Passes {
    /// Begins from a clustering of some of the rows.
    pub fn begin(found: &Clustering) -> Result<Self> {
        Self::begin_with(found.method(), found.model().as_ref())
    }

    /// Begins from a rule of this method.
    pub fn begin_with(method: &dyn AnyMethod, model: &dyn Model) -> Result<Self> {
        Self::of(method.boxed(), &model.tensors(), 0)
    }

    fn of(method: Box<dyn AnyMethod>, tensors: &Tensors, done: usize) -> Result<Self> {
        let work = match method.passes(tensors)? {
            Some(rule) => Work::AllRows(rule),
            None => Work::Count((method.entry().load)(tensors)?.into()),
        };
        Ok(Self { method, work, done, stop: None, counted: None })
    }

    /// Whether all rows take part in the fit, or the rule stays as it is.
    pub fn takes_all_rows(&self) -> bool {
        matches!(self.work, Work::AllRows(_))
    }

    /// Bytes of the sums of one block.
    pub fn sum_bytes(&self) -> u64 {
        match &self.work {
            Work::AllRows(rule) => rule.sum_bytes(),
            Work::Count(_) => 0,
        }
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
    pub fn sum(&self, block: MatrixRef<'_>) -> Result<Sums> {
        if block.rows() == 0 {
            return Ok(Sums::default());
        }
        Dataset::new(block)?;
        match &self.work {
            Work::AllRows(rule) => rule.sum(block),
            Work::Count(model) => {
                let labels = model.predict(block)?;
                let apart = labels.iter().filter(|l| **l < 0).count() as u64;
                Ok(Sums { apart, ..Sums::of_labels(&labels, model.n_clusters(), Vec::new()) })
            }
        }
    }

    /// Ends a pass with the sums of all rows.
    pub fn step(&mut self, total: &Sums) -> Result<()> {
        let k = match &self.work {
            Work::AllRows(rule) => rule.model().n_clusters(),
            Work::Count(model) => model.n_clusters(),
        };
        let numbers = (self.sum_bytes() / 8) as usize;
        if total.rows == 0 || total.sizes.len() != k || total.values.len() != numbers {
            let (found, expected) = (total.values.len(), numbers);
            let (what, of) = ("sums of all rows", "sums of this pass");
            return Err(Error::Length { what, found, expected, of });
        }
        self.done += 1;
        let mut sizes: Vec<usize> = total.sizes.iter().map(|&n| n as usize).collect();
        match &mut self.work {
            Work::Count(_) => self.stop = Some(Stop::Converged),
            Work::AllRows(rule) => {
                self.stop = rule.step(total)?;
                if self.stop.is_some() {
                    let order = total.order();
                    rule.reorder(&order);
                    sizes = order.iter().map(|&c| sizes[c]).collect();
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
        facts.stream = Some(StreamFacts { all_rows, sample_rows: sample, passes });
        facts.notes.insert(0, said(all_rows, n, sample, passes));
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
        };
        let text = serde_json::to_string(&header).map_err(|e| Error::Model(e.to_string()))?;
        let tensors = match &self.work {
            Work::AllRows(rule) => rule.tensors(),
            Work::Count(model) => model.tensors(),
        };
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
        let passes = Self::of(method, &Tensors::from_file(&file)?, header.done)?;
        Ok(Self { counted: header.counted, ..passes })
    }
}

/// What took part in the fit.
fn said(all_rows: bool, n: usize, sample: usize, passes: usize) -> Note {
    let (n, sample) = (thousands(n), thousands(sample));
    let text = match all_rows {
        true => format!(
            "streamed: all {n} rows took part in {passes} passes; the initialization, the scaling of the columns, \
             quality, profile and notes about rows are of a sample of {sample} rows"
        ),
        false => format!(
            "streamed: fitted on a sample of {sample} rows, whose rule labels all {n}; quality, profile and notes \
             about rows are of the sample"
        ),
    };
    Note::notice(codes::STREAMED, text)
}
