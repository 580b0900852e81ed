//! Several methods on one table, ranked without labels.
//!
//! Methods run at the same time, each with a budget of time and memory; one that fails or has to be stopped
//! does not end the others. They are ranked by how well the neighbours of a row know its cluster
//! ([`Neighbourhood`]), and a little by how far the other methods agree: of the criteria tried on
//! labelled sets the one that loses least against the best method (docs/reading-the-result.md). Whether anything was
//! found is another question, which the p-values answer.

mod result;
mod run;
mod verdict;

pub use result::{Comparison, MethodResult, Status};

use crate::clusterer::Clusterer;
use crate::clusterer::observers::SharedObserver;
use crate::context::{MemoryBudget, Threads};
use crate::data::{AsRows, Dataset};
use crate::error::{Error, Result};
use crate::k_auto::count::CountResult;
use crate::k_auto::{self};
use crate::model::Labels;
use crate::note::Note;
use crate::params::Named;
use crate::progress::{Observer, Silent};
use crate::quality::{Contingency, External, Neighbourhood};
use crate::registry::{self, METHODS};
use std::time::Duration;

/// A request to compare methods: which ones, their common parameters, and how to run them.
///
/// ```
/// use separa::prelude::*;
///
/// let rows: Vec<[f64; 2]> = (0..60).map(|i| [f64::from(i % 2) * 9.0, f64::from(i / 2) * 0.1]).collect();
/// let params = [("n_clusters".to_owned(), 2.into())].into_iter().collect();
/// let compared = Comparer::named(&["mspc", "kmeans"], &params)?.fit(&rows, None)?;
/// assert_eq!(compared.results.len(), 2);
/// # Ok::<(), separa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparer<'a> {
    requests: Vec<Clusterer<'static>>,
    /// The parameters as they were given to every method.
    params: Named,
    seed: u64,
    observer: SharedObserver<'a>,
}

impl Comparer<'static> {
    /// The methods of these names, each with the same parameters: `n_clusters`, a number or "auto". `all` are
    /// the methods that are made for rows without an order.
    pub fn named(names: &[&str], params: &Named) -> Result<Self> {
        let requests: Vec<Clusterer<'static>> = checked_names(names)?
            .into_iter()
            .map(|name| Ok(Clusterer::named(name, params)?.without_details()))
            .collect::<Result<_>>()?;
        // Those that run side by side have a part of the memory each.
        let workers = together(requests.len()) as u64;
        let part = MemoryBudget(MemoryBudget::free().0.map(|all| all / workers));
        let compare = Self {
            requests,
            params: params.clone(),
            seed: 0,
            observer: SharedObserver::new(Silent),
        };
        Ok(compare.memory(part))
    }
}

impl<'a> Comparer<'a> {
    /// Seed of all random choices: same seed, same answer.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self.each(|request| request.seed(seed)) }
    }

    /// Memory that each method may use beyond the data. Unset: those that run at the same time share 80 % of
    /// what is free.
    pub fn memory(self, memory: MemoryBudget) -> Self {
        self.each(|request| request.memory(memory))
    }

    /// Clusters to look for at most if their number is to be found.
    pub fn k_max(self, k_max: usize) -> Self {
        self.each(|request| request.k_max(k_max))
    }

    /// Time that each method can take, and counting if the number of clusters is to be found: each is stopped
    /// with its best so far. Answers that the clock ended depend on the machine.
    pub fn time_limit(self, limit: Duration) -> Self {
        self.each(|request| request.time_limit(limit).count_limit(limit))
    }

    /// Who hears of every method that begins, and can end the work.
    pub fn observe<'b>(self, observer: impl Observer + 'b) -> Comparer<'b> {
        Comparer { observer: SharedObserver::new(observer), ..self }
    }

    /// The parameters as they were given to every method.
    pub fn params(&self) -> &Named {
        &self.params
    }

    /// Refuses what can be refused without looking at data.
    pub fn check(&self) -> Result<()> {
        self.requests.iter().try_for_each(Clusterer::check)
    }

    /// Runs the methods, as many at a time as there are threads, and ranks them. `truth` are known classes to
    /// compare with afterwards (−1: unknown). Fails only if no method can be run, or all failed.
    pub fn fit(&self, rows: &(impl AsRows + ?Sized), truth: Option<&[i32]>) -> Result<Comparison> {
        let run = |data: &Dataset<'_>| match data.unit() {
            None => self.run(data, truth),
            Some(unit) => {
                let table = data.times(unit);
                let mut compared = self.run(&data.rescaled(table.matrix()), truth)?;
                let found = compared.results.iter_mut().filter_map(|r| r.clustering.as_mut());
                found.for_each(|found| found.set_unit(unit));
                Ok(compared)
            }
        };
        let handle = self.observer.interrupt();
        rows.with_rows(|data| Threads::default().install_watched(handle, || run(data)))
    }

    fn run(&self, data: &Dataset<'_>, truth: Option<&[i32]>) -> Result<Comparison> {
        if let Some(kind) = data.grouping() {
            return Err(Error::CompareGroups { kinds: kind.many() });
        }
        self.check()?;
        let first = &self.requests[0];
        if !first.is_auto() {
            return self.ranked(data, None, truth);
        }
        // The number of clusters is found once, for all methods; with one, none has anything to do.
        let found = first.clone().observed(self.observer.clone()).count(data, None)?;
        if found.counted.k == 1 {
            let verdict = k_auto::none_found(&found.counted);
            let auto = Some(found.counted);
            return Ok(Comparison {
                results: Vec::new(),
                gap_found: false,
                p_unimodal: None,
                verdict,
                auto,
            });
        }
        let compared = self.ranked(data, Some(&found), truth)?;
        Ok(Comparison { auto: Some(found.counted), ..compared })
    }

    /// Runs, ranks and concludes, each method from what was found if the number was.
    fn ranked(
        &self,
        data: &Dataset<'_>,
        found: Option<&CountResult>,
        truth: Option<&[i32]>,
    ) -> Result<Comparison> {
        let mut results = run::all(data, &self.requests, found, &self.observer);
        if let Some(trouble) = all_failed(&results) {
            return Err(trouble);
        }
        rank(data, self.seed, &mut results)?;
        if let Some(truth) = truth {
            for result in &mut results {
                let labels = result.clustering.as_ref().map(|found| found.labels());
                result.truth = labels.map(|labels| External::new(labels, truth)).transpose()?;
            }
        }
        Ok(verdict::conclude(results))
    }

    fn each(self, change: impl Fn(Clusterer<'static>) -> Clusterer<'static>) -> Self {
        Self { requests: self.requests.into_iter().map(change).collect(), ..self }
    }
}

/// What to keep in mind about a comparison.
pub fn cautions(comparison: &Comparison) -> Vec<Note> {
    verdict::cautions(comparison)
}

fn checked_names<'n>(names: &[&'n str]) -> Result<Vec<&'n str>> {
    if names == ["all"] {
        return Ok(METHODS
            .iter()
            .filter(|entry| !entry.sequences)
            .map(|entry| entry.name)
            .collect());
    }
    for (i, name) in names.iter().enumerate() {
        registry::find(name)?;
        if names[..i].contains(name) {
            return Err(Error::MethodTwice { name: (*name).to_owned() });
        }
    }
    if names.is_empty() {
        return Err(Error::NoMethods);
    }
    Ok(names.to_vec())
}

/// How many of so many methods run at the same time on this pool's threads.
pub(crate) fn together(methods: usize) -> usize {
    rayon::current_num_threads().min(methods).max(1)
}

/// One error for all if no method has labels.
fn all_failed(results: &[MethodResult]) -> Option<Error> {
    if results.iter().any(|result| result.clustering.is_some()) {
        return None;
    }
    if results.iter().any(|result| result.status == Status::Interrupted) {
        return Some(Error::Interrupted { before: "any method was done" });
    }
    let said = |result: &MethodResult| {
        let why = result.error.as_deref().unwrap_or("it found no clusters");
        // Most errors begin with the method's name.
        match why.starts_with(result.method) {
            true => why.to_owned(),
            false => format!("{}: {why}", result.method),
        }
    };
    Some(Error::AllFailed { reasons: results.iter().map(said).collect::<Vec<_>>().join("; ") })
}

/// What is left of a doubt if all other methods agree: e^-½.
const AGREED: f64 = 0.5;
/// The doubt about clusters that neighbours know entirely.
const DOUBT: f64 = 0.08;

/// Scores, agreement, and the order of the results.
fn rank(data: &Dataset<'_>, seed: u64, results: &mut [MethodResult]) -> Result<()> {
    let judge = Neighbourhood::new(data, seed)?;
    let k = results.iter().filter_map(MethodResult::k).max().unwrap_or(1);
    let labels = |result: &MethodResult| result.clustering.as_ref().map(|c| c.labels().to_vec());
    let known: Vec<Option<Labels>> = results.iter().map(labels).collect();
    for (i, result) in results.iter_mut().enumerate() {
        let Some(own) = &known[i] else { continue };
        let others =
            known.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, l)| l.as_ref());
        let like: Vec<f64> = others
            .filter_map(|other| Some(Contingency::new(own, other).ok()?.adjusted_rand()))
            .collect();
        result.agreement = (!like.is_empty()).then(|| like.iter().sum::<f64>() / like.len() as f64);
        let agreed = result.agreement.unwrap_or(0.0).max(0.0);
        let doubt = (1.0 - judge.score(own, k) + DOUBT) / (1.0 + DOUBT);
        result.score = Some(1.0 - doubt * (-AGREED * agreed).exp());
    }
    // Stable: equal scores stay in the order of the request.
    let value = |result: &MethodResult| result.score.unwrap_or(-1.0);
    results.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let ranked = results.iter_mut().filter(|result| result.score.is_some());
    ranked.enumerate().for_each(|(i, result)| result.rank = Some(i + 1));
    Ok(())
}
