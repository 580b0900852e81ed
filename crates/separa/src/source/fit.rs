//! A fit from a source: a sample in memory, then passes over all rows.

use super::checkpoint::Begun;
use super::{Checkpoint, Passes, Source, matrix, sample};
use crate::clusterer::Clusterer;
use crate::clusterer::observers::Deadline;
use crate::clustering::Clustering;
use crate::data::Dataset;
use crate::error::Error;
use crate::note::Remedy;
use crate::pass::Sums;
use crate::progress::{Event, Observer};
use separa_math::matrix::Dense;
use std::time::Instant;

/// Sums of blocks that are in memory at the same time: the total, the next, and those of its parts.
pub(super) const SUMS: u64 = 4;

/// A seeded sample of at most `m` rows, in their order. A source that does not know its rows is read once more.
pub fn draw<S: Source>(source: &mut S, m: usize, seed: u64) -> Result<Dense, S::Error> {
    let n = match source.n_rows() {
        Some(n) => n,
        None => count(source)?,
    };
    let drawn = sample(n, m, seed);
    let mut values = Vec::with_capacity(drawn.len() * source.n_features());
    let (mut before, mut next) = (0, drawn.iter().peekable());
    source.rewind()?;
    while let (Some(block), true) = (source.next_block()?, next.peek().is_some()) {
        while let Some(&i) = next.next_if(|i| **i < before + block.rows()) {
            values.extend_from_slice(block.row(i - before));
        }
        before += block.rows();
    }
    let rows = Dense::from_vec(drawn.len(), source.n_features(), values);
    Ok(rows.map_err(Error::from)?)
}

fn count<S: Source>(source: &mut S) -> Result<usize, S::Error> {
    let mut n = 0;
    source.rewind()?;
    while let Some(block) = source.next_block()? {
        n += block.rows();
    }
    Ok(n)
}

impl Clusterer<'_> {
    /// Fits `sample` in memory, as [`Clusterer::fit`] does, and improves its rule by passes over all rows of
    /// `source`, if the method can: [`Passes`]. Labels are not kept; [`predict`](crate::Fitted::predict) gives them.
    pub fn fit_source<S>(
        &self,
        source: &mut S,
        sample: &Dataset<'_>,
    ) -> Result<Clustering, S::Error>
    where
        S: Source + Send,
        S::Error: Send,
    {
        self.fit_source_from(source, sample, None)
    }

    /// As [`Clusterer::fit_source`], with a checkpoint after every pass: a fit that goes on from one has the bits of
    /// a fit that was not interrupted.
    pub fn fit_source_with<S>(
        &self,
        source: &mut S,
        sample: &Dataset<'_>,
        checkpoint: Checkpoint<'_, S::Error>,
    ) -> Result<Clustering, S::Error>
    where
        S: Source + Send,
        S::Error: Send,
    {
        self.fit_source_from(source, sample, Some(checkpoint))
    }

    fn fit_source_from<S>(
        &self,
        source: &mut S,
        sample: &Dataset<'_>,
        checkpoint: Option<Checkpoint<'_, S::Error>>,
    ) -> Result<Clustering, S::Error>
    where
        S: Source + Send,
        S::Error: Send,
    {
        let began = Instant::now();
        let mut found = self.fit(sample)?;
        let mut passes = Passes::begin(&found)?.judging(&found, sample);
        if !self.budget()?.allows(SUMS * passes.most_bytes()) {
            passes = passes.unjudged();
        }
        let begun = Begun::of(&passes, source.n_rows())?;
        if let Some(bytes) = checkpoint.as_ref().and_then(|c| c.resume) {
            passes = begun.resume(bytes)?;
        }
        let remedy = Remedy::DropColumns.or(Remedy::RaiseMemory);
        let name = found.method().entry().name;
        self.budget()?.require(name, SUMS * passes.sum_bytes(), remedy)?;
        let left = self.limit().map(|limit| limit.saturating_sub(began.elapsed()));
        let mut clock = Deadline::new(self.observer(), left);
        let ended = found.was_interrupted();
        let mut keep = checkpoint.map(|c| (begun, c.save));
        let mut passes = match ended {
            true => cancelled(passes),
            false => passes,
        };
        // One pass at a time, because what keeps checkpoints need not be sent to other threads.
        while passes.stop().is_none() {
            passes = self.threads_used().install(|| run(passes, source, &mut clock))?;
            if let (Some((begun, save)), None) = (&mut keep, passes.stop()) {
                save(&begun.save(&passes)?)?;
            }
        }
        passes.finish(&mut found);
        found.interrupted = ended || clock.ended();
        found.seconds = began.elapsed().as_secs_f64();
        Ok(found)
    }
}

fn cancelled(mut passes: Passes) -> Passes {
    passes.cancel();
    passes
}

/// One pass, unless the observer ends it.
fn run<S: Source>(
    mut passes: Passes,
    source: &mut S,
    observer: &mut impl Observer,
) -> Result<Passes, S::Error> {
    let mut total = Sums::default();
    source.rewind()?;
    while let Some(block) = source.next_block()? {
        let rows = total.rows as usize;
        let sums = passes.sum(matrix(&block)).map_err(|e| e.further(rows))?;
        total.add(&sums)?;
        let (pass, rows) = (passes.done() + 1, total.rows as usize);
        if observer.on(&Event::Pass { pass, rows, of: source.n_rows() }).is_break() {
            return Ok(cancelled(passes));
        }
    }
    passes.step(&total)?;
    Ok(passes)
}
