//! k-means with its restarts: the whole of `kmeans`, and the last step of methods that embed rows.

use crate::assign::canonical;
use crate::context::Ctx;
use crate::driver::{Candidate, best_of};
use crate::error::Result;
use crate::model::Labels;
use crate::params::{Init, Params, bad_param};
use crate::progress::Event;
use crate::report::{InitializationReport, Report};
use separa_math::kmeans::{KMeansData, KMeansRun, Limits, Nearest, Seeding, Tally, clearly_less};
use separa_math::matrix::{Dense, pick};
use separa_math::rng::Rng;

/// Greedy k-means++ and k-means++ in turns: for callers that choose by something else than inertia.
pub const MIXED: &str = "mixed";

/// The initialization with a gap between every two clusters.
pub const GAPS: &str = "gaps";

pub fn seeding(name: &str) -> Option<Seeding> {
    match name {
        "greedy" => Some(Seeding::Greedy),
        "k-means++" => Some(Seeding::PlusPlus),
        "random" => Some(Seeding::Random),
        _ => None,
    }
}

/// How many clusters, from where, how often and how long.
#[derive(Debug, Clone, Copy)]
pub struct Restarts<'a> {
    pub k: usize,
    pub init: &'a Init,
    pub n_init: usize,
    pub limits: Limits,
}

/// The best run, its clusters numbered by first appearance and none of them empty.
#[derive(Debug)]
pub struct Rounded {
    pub centers: Dense,
    /// The nearest centre of every row.
    pub labels: Labels,
    pub run: KMeansRun,
    pub initializations: Vec<InitializationReport>,
}

impl Rounded {
    /// How the run went, with the inertia of all rows.
    pub fn report(&self, table: &KMeansData<'_>, ctx: &Ctx<'_>) -> Report {
        let nearest: Vec<u32> = self.labels.iter().map(|&l| l as u32).collect();
        Report {
            objective: table.exact_inertia(&nearest, &self.centers),
            iterations: self.run.iterations,
            stop: ctx.stop(self.run.converged),
            initializations: self.initializations.clone(),
            trace: self.run.trace.clone(),
            ..Report::idle()
        }
    }
}

/// Where a restart begins.
pub enum KMeansInit {
    Drawn(Seeding, u64),
    Centers(Dense),
}

impl KMeansInit {
    /// The first centres; those that are drawn have a stream of the seed for each restart.
    pub fn centers(self, k: usize, table: &KMeansData<'_>, seed: u64) -> Dense {
        match self {
            Self::Centers(centers) => centers,
            Self::Drawn(how, task) => table.seed(k, how, &mut Rng::new(seed, task)),
        }
    }
}

impl Restarts<'_> {
    /// The run of least inertia. Parameter errors carry the name of `P`.
    pub fn run<P: Params>(&self, table: &KMeansData<'_>, ctx: &mut Ctx<'_>) -> Result<Rounded> {
        let mut best = f64::INFINITY;
        self.run_judged::<P>(table, ctx, &mut |run| {
            if clearly_less(run.inertia, best) {
                best = run.inertia;
            }
            -run.inertia.max(best)
        })
    }

    /// The run to which `judge` gives the largest score.
    pub fn run_judged<P: Params>(
        &self,
        table: &KMeansData<'_>,
        ctx: &mut Ctx<'_>,
        judge: &mut dyn FnMut(&KMeansRun) -> f64,
    ) -> Result<Rounded> {
        let Limits { max_iter, .. } = self.limits;
        let suggested = ctx.suggested.clone();
        let (run, initializations) = best_of(
            ctx,
            initializations::<P>(self.k, self.init, self.n_init, table, suggested.as_deref())?,
            |ctx, start| {
                let centers = start.centers(self.k, table, ctx.seed);
                let run =
                    table.lloyd(centers, self.limits, &mut |iteration, objective, changed| {
                        ctx.emit(Event::Iteration { iteration, max_iter, objective, changed })
                    });
                let score = judge(&run);
                Ok(Candidate { score, iterations: run.iterations, value: run })
            },
        )?;
        let (run, centers, labels) = number(table, run, self.limits);
        Ok(Rounded { centers, labels, run, initializations })
    }
}

/// The restarts of `init`, each with its name; an open one begins from `suggested` labels, too.
pub fn initializations<P: Params>(
    k: usize,
    init: &Init,
    n_init: usize,
    table: &KMeansData<'_>,
    suggested: Option<&[i32]>,
) -> Result<Vec<(String, KMeansInit)>> {
    let (name, how) = match init {
        Init::Labels(labels) => {
            let centers = means::<P>(k, table, labels)?;
            return Ok(vec![("given labels".into(), KMeansInit::Centers(centers))]);
        }
        Init::Named(name) if name == MIXED => {
            let how = |i: usize| {
                if i.is_multiple_of(2) { Seeding::Greedy } else { Seeding::PlusPlus }
            };
            let start =
                |i| (format!("initialization {}", i + 1), KMeansInit::Drawn(how(i), i as u64));
            return Ok((0..n_init).map(start).collect());
        }
        Init::Auto => ("greedy", Seeding::Greedy),
        Init::Named(name) => (name.as_str(), seeding(name).expect("check knows every name")),
    };
    let start = |i: usize| (format!("{name} {}", i + 1), KMeansInit::Drawn(how, i as u64));
    let mut all: Vec<_> = (0..n_init).map(start).collect();
    if let (Init::Auto, Some(labels)) = (init, suggested) {
        // Rows without weight can be all that a cluster has.
        let centers = means::<P>(k, table, labels).ok();
        all.extend(centers.map(|centers| (GAPS.to_owned(), KMeansInit::Centers(centers))));
    }
    Ok(all)
}

/// Refuses given labels that do not fit: one a row, from 0 to k − 1, or −1 for no part.
pub fn check_labels<P: Params>(labels: &[i32], n: usize, k: usize) -> Result<()> {
    if labels.len() != n {
        let expected = format!("one label per row ({n})");
        return bad_param::<P, _>("init", expected, format!("{} labels", labels.len()));
    }
    match labels.iter().find(|l| **l < -1 || **l >= k as i32) {
        Some(l) => bad_param::<P, _>("init", format!("labels from 0 to {}, or -1", k - 1), l),
        None => Ok(()),
    }
}

/// Refuses given labels that leave cluster c without a row.
pub fn refuse_empty<P: Params, T>(k: usize, c: usize) -> Result<T> {
    let expected = format!("labels that give each of the {k} clusters a row of positive weight");
    bad_param::<P, _>("init", expected, format!("none for cluster {c}"))
}

/// The weighted means of given labels; rows marked −1 take no part.
pub fn means<P: Params>(k: usize, table: &KMeansData<'_>, labels: &[i32]) -> Result<Dense> {
    check_labels::<P>(labels, table.rows.n_rows(), k)?;
    // Rows that take no part are a cluster of their own, left out below.
    let slots: Vec<u32> = labels.iter().map(|&l| if l < 0 { k as u32 } else { l as u32 }).collect();
    let tally = Tally::of(table.rows, table.weights, &slots, k + 1);
    if let Some(c) = tally.count[..k].iter().position(|n| *n == 0) {
        return refuse_empty::<P, _>(k, c);
    }
    let means = tally.means().1;
    Ok(pick(&means, &(0..k).collect::<Vec<_>>()))
}

/// Numbers the clusters by first appearance and drops centres without rows.
///
/// A row as near to one centre as to another goes by their numbers, so renumbering may move it:
/// Lloyd's algorithm then goes on from there.
fn number(
    table: &KMeansData<'_>,
    mut run: KMeansRun,
    limits: Limits,
) -> (KMeansRun, Dense, Labels) {
    for _ in 0..4 {
        let old: Labels = run.labels.iter().map(|&l| l as i32).collect();
        let (labels, order) = canonical(&old);
        let centers = pick(&run.centers, &order);
        if order.iter().copied().eq(0..run.centers.rows()) {
            return (run, centers, labels);
        }
        if nearest(table, &centers) == labels {
            return (run, centers, labels);
        }
        let before = (run.iterations, run.trace);
        run = table.lloyd(centers, limits, &mut |_, _, _| false);
        run.iterations += before.0;
        run.trace.splice(0..0, before.1);
    }
    // Only rows without weight can still be torn between two centres: the rule has the last word.
    let labels = nearest(table, &run.centers);
    let centers = run.centers.clone();
    (run, centers, labels)
}

fn nearest(table: &KMeansData<'_>, centers: &Dense) -> Labels {
    Nearest::new(centers).labels(table.rows).iter().map(|&l| l as i32).collect()
}
