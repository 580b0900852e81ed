//! Rows with known classes that pass by: the classifier that learns in one pass, batch by batch.

use crate::convert::{self, Table};
use crate::rule::Rule;
use crate::{enter, error};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use separa::classify::{Mcpm, Stream};
use separa::model_file::Saved;
use separa::{AnyFit, Ctx, Fit, MatrixRef, MemoryBudget, Named, Streamed, Trained};

/// Summaries of classes, growing batch by batch.
#[pyclass(module = "separa._separa")]
#[derive(Debug)]
pub struct ClassStream {
    /// None after `finish`.
    stream: Option<Stream>,
    params: Named,
    seed: u64,
    memory: MemoryBudget,
    rows: usize,
}

#[pymethods]
impl ClassStream {
    /// For rows of `width` columns; `run` is the seed and the bytes that may be used.
    #[new]
    fn new(params: &Bound<'_, PyDict>, width: usize, run: (u64, Option<u64>)) -> PyResult<Self> {
        let entry = separa::registry::find_classifier("mcpm").map_err(error::raise)?;
        let params = entry.params(&convert::params(params)?).map_err(error::raise)?;
        let typed: Mcpm = serde_json::from_value(params.clone().into())
            .map_err(|e| error::parameter(format!("the parameters cannot be read ({e})")))?;
        let memory = run.1.map_or_else(MemoryBudget::free, |bytes| MemoryBudget(Some(bytes)));
        let stream = Stream::new(typed, width, run.0).map_err(error::raise)?.within(memory);
        Ok(Self { stream: Some(stream), params, seed: run.0, memory, rows: 0 })
    }

    /// Takes a batch of rows, with the number of each row's class.
    fn see(
        &mut self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        classes: Vec<u32>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let mut stream = self.stream.take().ok_or_else(ended)?;
        let table = Table::new(x)?;
        self.rows += classes.len();
        let work = move |_| {
            if let MatrixRef::Dense(rows) = table.matrix()? {
                stream.see(&[(rows, &classes)])?;
            }
            Ok((stream, table))
        };
        self.stream = Some(enter::run(py, threads, None, work)?.0);
        Ok(())
    }

    /// The classifier; `names[c]` is class c, `columns` are those of the table.
    fn finish(
        &mut self,
        py: Python<'_>,
        names: Vec<String>,
        columns: Vec<String>,
        threads: Option<usize>,
    ) -> PyResult<Rule> {
        let stream = self.stream.take().ok_or_else(ended)?;
        let came = stream.sizes();
        let (seed, memory, order) = (self.seed, self.memory, names.clone());
        let work = move |bell: enter::Bell| {
            let mut ctx = Ctx::observed(seed, bell);
            ctx.memory = memory;
            stream.finish(names, &mut ctx)
        };
        let Fit { model, labels, report } = enter::run(py, threads, None, work)?;
        let learnt = report.learnt.as_ref().expect("every classifier reports what it learnt");
        let place = |name: &String| order.iter().position(|n| n == name).map_or(0, |c| came[c]);
        let sizes = learnt.classes.iter().map(place).collect();
        let fit: AnyFit = Fit { model: Box::new(model), labels, report };
        let streamed = Streamed { n: self.rows, sizes, feature_names: columns, seed };
        let trained = Trained::of_stream(self.params.clone(), "mcpm", fit, streamed);
        Ok(Rule::from(Saved::Trained(Box::new(trained))))
    }
}

fn ended() -> PyErr {
    error::parameter("this stream has ended; begin another")
}
