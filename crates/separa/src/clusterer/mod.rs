//! The request: a method, its parameters, and how to run it.
//!
//! [`Clusterer::fit`] is the one place where the number of clusters is found, a method is fitted, its labels are
//! judged and its stability is measured, in this order.

pub(crate) mod agreement;
mod apart;
mod calibration;
mod hint;
pub(crate) mod judge;
pub(crate) mod observers;
pub(crate) mod part;
pub(crate) mod run_settings;

use crate::any_method::AnyMethod;
use crate::baseline::Baseline;
use crate::clustering::{Clustering, Verdict};
use crate::context::{MemoryBudget, Threads};
use crate::data::{AsRows, Dataset};
use crate::error::{Error, Result};
use crate::k_auto::segments::segments;
use crate::k_auto::{self, Counted, count};
use crate::method::{AnyFit, Method};
use crate::note::{Note, codes};
use crate::params::Named;
use crate::profile::Profile;
use crate::progress::{Event, Observer};
use crate::quality::Quality;
use crate::registry;
use crate::report::Stop;
use crate::stability::{self, Stability};
pub use hint::{Suggested, suggested};
use judge::Origin;
use observers::{Deadline, SharedObserver, Untold};
use run_settings::{RunSettings, run_setters};
use separa_math::interrupt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for the number of clusters unless another is given: three runs that agree take about a second, and those
/// that do not agree by then seldom do later.
pub const COUNT_LIMIT: Duration = Duration::from_secs(10);

/// A fit on its way to a [`Clustering`]: what is asked about it needs these.
struct Draft<'f, 'd, 'o> {
    data: &'f Dataset<'d>,
    fit: &'f AnyFit,
    origin: &'f Origin<'f>,
    clock: &'f Deadline<SharedObserver<'o>>,
}

/// What judging a fit found.
#[derive(Default)]
struct Judged {
    quality: Option<Quality>,
    refits: Option<agreement::Refits>,
    notes: Vec<Note>,
}

/// A method whose number of clusters is to be found: what [`Method::auto`] returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Auto<M>(pub M);

/// What a [`Clusterer`] is asked to fit: a method with its parameters, the number of clusters given or open.
#[derive(Debug, Clone)]
pub struct MethodChoice {
    method: Box<dyn AnyMethod>,
    auto: bool,
}

impl<M> From<M> for MethodChoice
where
    M: Method + std::fmt::Debug + Send + Sync + 'static,
    M::Model: Send,
{
    fn from(method: M) -> Self {
        Self { method: Box::new(method), auto: false }
    }
}

impl<M> From<Auto<M>> for MethodChoice
where
    M: Method + std::fmt::Debug + Send + Sync + 'static,
    M::Model: Send,
{
    fn from(Auto(method): Auto<M>) -> Self {
        Self { method: Box::new(method), auto: true }
    }
}

/// A request for a clustering: method, parameters, seed, threads, memory, observer.
///
/// ```
/// use separa::prelude::*;
///
/// let rows: Vec<[f64; 2]> = (0..60).map(|i| [f64::from(i % 3) * 9.0, f64::from(i / 3) * 0.1]).collect();
/// let found = Clusterer::new(Mspc::new(3)).seed(7).threads(1).memory("1G").fit(&rows)?;
/// assert_eq!(found.k(), 3);
/// # Ok::<(), separa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Clusterer<'a> {
    asked: MethodChoice,
    k_max: usize,
    run: RunSettings<'a>,
    time_limit: Option<Duration>,
    count_limit: Duration,
    quality: bool,
    details: bool,
    refits: Option<usize>,
}

impl Clusterer<'static> {
    /// A request with seed 0, all threads, 80 % of the free memory, judged afterwards.
    pub fn new(asked: impl Into<MethodChoice>) -> Self {
        Self {
            asked: asked.into(),
            k_max: count::CountOptions::default().k_max,
            run: RunSettings::default(),
            time_limit: None,
            count_limit: COUNT_LIMIT,
            quality: true,
            details: true,
            refits: None,
        }
    }

    /// The door for parameters by name: here they are parsed, once. `n_clusters` can be "auto".
    pub fn named(method: &str, params: &Named) -> Result<Self> {
        let entry = registry::find(method)?;
        let (params, auto) = k_auto::read_number(entry, params)?;
        Ok(Self::new(MethodChoice { method: (entry.parse)(&params)?, auto }))
    }
}

impl<'a> Clusterer<'a> {
    run_setters!();

    /// Clusters to look for at most if their number is to be found (24 unless set).
    pub fn k_max(self, k_max: usize) -> Self {
        Self { k_max, ..self }
    }

    /// Ends all work after this time with the best so far; the search for the number of clusters has half of it at
    /// most. An answer that the clock ended depends on the machine, and a note says so.
    pub fn time_limit(self, limit: Duration) -> Self {
        Self { time_limit: Some(limit), ..self }
    }

    /// Ends the search for the number of clusters after this time (10 s unless set) with the runs so far. A number
    /// that the clock ended depends on the machine, and a note says so.
    pub fn count_limit(self, limit: Duration) -> Self {
        Self { count_limit: limit, ..self }
    }

    /// Whether to judge how separable the clusters are (yes unless set).
    pub fn quality(self, quality: bool) -> Self {
        Self { quality, ..self }
    }

    /// Refits on so many random halves of the rows, to see which clusters are stable.
    pub fn stability(self, refits: usize) -> Self {
        Self { refits: Some(refits), ..self }
    }

    /// Without stability, if it was asked for.
    pub fn without_refits(&self) -> Self {
        Self { refits: None, ..self.clone() }
    }

    /// Who hears how the work goes, and can end it.
    pub fn observe<'b>(self, observer: impl Observer + 'b) -> Clusterer<'b> {
        self.observed(SharedObserver::new(observer))
    }

    /// Time that the whole can take, if it is limited.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.time_limit
    }

    /// Threads to use.
    pub(crate) fn threads_used(&self) -> Threads {
        self.run.threads
    }

    /// Memory that the fit may use.
    pub(crate) fn budget(&self) -> Result<MemoryBudget> {
        self.run.budget()
    }

    /// Who hears how the work goes.
    pub(crate) fn observer(&self) -> SharedObserver<'a> {
        self.run.observer.clone()
    }

    pub(crate) fn observed<'b>(self, observer: SharedObserver<'b>) -> Clusterer<'b> {
        Clusterer { run: self.run.observed(observer), ..self }
    }

    /// Labels are judged, but neither by halves fitted anew nor by the features that separate them.
    pub(crate) fn without_details(self) -> Self {
        Self { details: false, ..self }
    }

    /// The method with its parameters.
    pub fn method(&self) -> &dyn AnyMethod {
        self.asked.method.as_ref()
    }

    /// Whether the number of clusters is to be found.
    pub fn is_auto(&self) -> bool {
        self.asked.auto
    }

    /// Begins from these labels, one per row, instead of where the method would begin.
    pub fn begin_from(mut self, labels: &[i32]) -> Result<Self> {
        match self.asked.method.begin_from(labels) {
            true => Ok(self),
            false => Err(Error::NoInit { method: self.method().entry().name }),
        }
    }

    /// Refuses what can be refused without looking at data.
    pub fn check(&self) -> Result<()> {
        self.run.budget()?.check()?;
        if self.time_limit.is_some_and(|limit| limit.is_zero()) || self.count_limit.is_zero() {
            return Err(Error::NoTime);
        }
        if self.is_auto() {
            count::CountOptions { k_max: self.k_max, ..count::CountOptions::default() }.check()?;
            if self.method().begins_from_labels() {
                return Err(Error::AutoInit);
            }
        }
        self.method().check()
    }

    /// Refuses what can be refused before the work begins.
    pub fn check_on(&self, data: &Dataset<'_>) -> Result<()> {
        self.check()?;
        self.refits.map_or(Ok(()), |refits| stability::check(data, self.method(), refits))
    }

    /// Finds the number of clusters if it is open, fits, judges, and measures stability if asked to.
    pub fn fit(&self, rows: &(impl AsRows + ?Sized)) -> Result<Clustering> {
        rows.with_rows(|data| {
            self.check_on(data)?;
            self.run.install(|| match data.unit() {
                None => self.run(data),
                Some(unit) => {
                    let table = data.times(unit);
                    let mut found = self.run(&data.rescaled(table.matrix()))?;
                    found.set_unit(unit);
                    // A profile is in the units of the table.
                    if found.profile.is_some() {
                        found.profile = Profile::of(data, found.labels(), self.run.seed);
                    }
                    Ok(found)
                }
            })
        })
    }

    fn run(&self, data: &Dataset<'_>) -> Result<Clustering> {
        let began = Instant::now();
        let found = match self.is_auto() {
            true => Some(self.count(data, self.time_limit.map(|limit| limit / 2))?),
            false => None,
        };
        let counting = began.elapsed();
        let rest = self.time_limit.map(|limit| limit.saturating_sub(counting));
        let mut clustering = self.fit_found(data, found.as_ref(), rest)?;
        clustering.seconds += counting.as_secs_f64();
        Ok(clustering)
    }

    /// Looks for the number of clusters alone, within its own limit and `most`.
    pub(crate) fn count(
        &self,
        data: &Dataset<'_>,
        most: Option<Duration>,
    ) -> Result<count::CountResult> {
        let limit = most.map_or(self.count_limit, |most| most.min(self.count_limit));
        let clock = Deadline::new(self.run.observer.clone(), Some(limit));
        let mut ctx = self.run.ctx(clock.clone())?;
        let mut found = k_auto::count(data, self.method(), self.k_max, &mut ctx)?;
        let by_clock = found.counted.stopped && clock.late();
        found.counted.time_limit = by_clock.then_some(limit.as_secs_f64());
        Ok(found)
    }

    /// Fits and judges within this time; with the number of clusters as `found`, if it was open.
    pub(crate) fn fit_found(
        &self,
        data: &Dataset<'_>,
        found: Option<&count::CountResult>,
        limit: Option<Duration>,
    ) -> Result<Clustering> {
        let clock = Deadline::new(self.run.observer.clone(), limit);
        let mut ctx = self.run.ctx(clock.clone())?;
        let mut method = self.asked.method.clone();
        let began = Instant::now();
        let mut fit = match found {
            Some(found) => k_auto::fit(&mut method, data, found, &mut ctx)?,
            None => k_auto::solve(&mut method, data, &mut ctx)?,
        };
        let seconds = began.elapsed().as_secs_f64();
        let mut counted = found.map(|found| found.counted.clone());
        let origin = self.origin(method.as_ref())?;
        let draft = Draft { data, fit: &fit, origin: &origin, clock: &clock };
        let Judged { quality, refits, mut notes } = self.judged(&draft, counted.as_ref());
        self.tell_verdict(&clock, counted.as_ref(), quality.as_ref())?;
        if let Some(counted) = counted.as_mut().filter(|counted| counted.k == 1 && self.quality) {
            clock.unless_ended(|| self.add_segments(data, counted, &clock)).transpose()?;
            notes.extend(k_auto::segments_note(counted, data.n()));
        }
        notes.extend(self.warnings(&draft, quality.as_ref()));
        let interrupted = clock.ended();
        let told = self.quality && self.details && !interrupted;
        let features = told && data.bags().is_none() && !self.method().is_precomputed();
        let profile = || Profile::of(data, &fit.labels, self.run.seed);
        let profile = features.then(|| clock.unless_ended(profile)).flatten().flatten();
        let k = fit.model.n_clusters();
        let calibration = || calibration::of_fit(data, &fit, &origin, refits.as_ref());
        let calibration = (self.details && !interrupted && k > 1)
            .then(|| clock.unless_ended(calibration))
            .flatten()
            .flatten();
        let baseline = || Baseline::of(data, &fit.labels, k, self.run.seed);
        let baseline = (features && !clock.ended()).then(|| clock.unless_ended(baseline)).flatten();
        fit.report.notes.extend(notes);
        let mut found = Clustering::new(method, fit, data, self.run.seed, quality, counted);
        found.baseline = baseline.map(Arc::new);
        found.profile = profile;
        found.facts.confidence = calibration;
        found.interrupted = clock.ended();
        found.seconds = seconds;
        if let Some(refits) = self.refits {
            self.add_stability(data, &mut found, refits);
            // Refits that were ended leave the labels as they are, but whoever ended them is told so.
            found.interrupted |= self.run.observer.clone().on(&Event::Tick).is_break();
        }
        Ok(found)
    }

    fn origin<'m>(&self, method: &'m dyn AnyMethod) -> Result<Origin<'m>> {
        Ok(Origin { method, seed: self.run.seed, memory: self.run.budget()? })
    }

    /// The quality, unless the count says that there is nothing to judge, with what was learnt besides.
    fn judged(&self, draft: &Draft<'_, '_, '_>, counted: Option<&Counted>) -> Judged {
        if let Some(note) = counted.and_then(k_auto::unjudged) {
            let notes = if self.quality { vec![note] } else { Vec::new() };
            return Judged { notes, ..Judged::default() };
        }
        let judged = draft.clock.unless_ended(|| self.judge(draft));
        judged.unwrap_or_else(|| Judged { notes: vec![not_judged()], ..Judged::default() })
    }

    /// The quality, if it is wanted and can be had; the labels are worth keeping without it.
    fn judge(&self, draft: &Draft<'_, '_, '_>) -> Judged {
        let Draft { data, fit, origin, clock } = *draft;
        let without = |note: Note| Judged { notes: vec![note], ..Judged::default() };
        if !self.quality {
            return Judged::default();
        }
        if let Some(note) = judge::unjudged(data, origin.method) {
            return without(note);
        }
        // Whoever interrupts wants to leave.
        if clock.ended() || (fit.report.stop == Stop::Cancelled && !clock.late()) {
            return without(not_judged());
        }
        // Halves are not clustered anew by a method that had no time for the whole.
        let judged = match clock.late() {
            true => judge::given(data, fit, origin).map(|quality| (quality, None)),
            false => {
                let _ = clock.clone().on(&Event::Phase { name: "quality" });
                judge::fitted(data, fit, origin, &Untold(clock.clone()))
            }
        };
        match judged {
            Ok((mut quality, note)) => {
                let refits = self.ask_more(&mut quality, draft);
                let mut notes: Vec<Note> = note.into_iter().collect();
                for caution in judge::cautions(origin.method, fit.model.n_clusters()) {
                    if !notes.contains(&caution) {
                        notes.push(caution);
                    }
                }
                Judged { quality: Some(quality), refits, notes }
            }
            Err(e) => {
                let said = format!("the separability of the clusters is unknown: {e}");
                without(Note::warning(codes::QUALITY_UNKNOWN, said))
            }
        }
    }

    /// Importance by the rule, and the held-out agreement; returns the refits that it was measured on.
    fn ask_more(
        &self,
        quality: &mut Quality,
        draft: &Draft<'_, '_, '_>,
    ) -> Option<agreement::Refits> {
        let Draft { data, fit, origin, clock } = *draft;
        if !self.details {
            quality.importance.clear();
            return None;
        }
        judge::ask_rule(quality, data, fit, origin);
        if clock.late() {
            return None;
        }
        let refits = agreement::of_fit(data, &agreement::drawn(data, origin), origin, clock);
        let held_out = refits.as_ref().map(|refits| refits.held_out);
        quality.agreement = held_out.map(|found| found.agreement);
        quality.agreement_chance = held_out.map(|found| found.chance);
        refits
    }

    /// Tells the observer the verdict, as soon as there is one.
    fn tell_verdict(
        &self,
        clock: &Deadline<SharedObserver<'_>>,
        counted: Option<&Counted>,
        quality: Option<&Quality>,
    ) -> Result<()> {
        let one = counted.is_some_and(|counted| counted.k == 1);
        if self.details && (one || quality.is_some()) {
            let Verdict { text, .. } = Verdict::said(counted, quality.ok_or(Error::NoTime));
            let _ = clock.clone().on(&Event::Verdict { text });
        }
        Ok(())
    }

    /// What the labels themselves give reason to say: rows that lie apart, a method that suits better, a clock that ended the work.
    fn warnings(&self, draft: &Draft<'_, '_, '_>, quality: Option<&Quality>) -> Vec<Note> {
        let Draft { data, fit, clock, .. } = *draft;
        let mut notes = Vec::new();
        if data.grouping().is_none() && !self.method().is_precomputed() {
            let small = fit.report.notes.iter().any(|note| note.code == codes::SMALL_CLUSTER);
            let apart = clock.unless_ended(|| apart::notes(data, &fit.labels, self.run.seed));
            let apart = apart.into_iter().flatten();
            notes.extend(apart.filter(|note| !small || note.code != codes::LONE_ROWS));
        }
        let agreement = quality.and_then(|found| found.agreement);
        if !agreement.is_some_and(|agreement| agreement >= hint::CLEAR) {
            notes.extend(hint::hint(data, self.method()));
        }
        if clock.late() {
            notes.push(Note::notice(
                codes::TIME_LIMIT,
                "stopped at the time limit: the labels are the best so far, and the p-values do not count",
            ));
        }
        notes
    }
    /// Adds how reproducible segments would be, to a count that found no clusters.
    fn add_segments(
        &self,
        data: &Dataset<'_>,
        counted: &mut Counted,
        clock: &Deadline<SharedObserver<'_>>,
    ) -> Result<()> {
        // Equal rows have no segments, and half of a sequence is none.
        if counted.k_per_run.is_empty() || data.grouping().is_some() {
            return Ok(());
        }
        if clock.late() || clock.ended() {
            let limit = self.time_limit.filter(|_| clock.late());
            counted.segments_time_limit = limit.map(|limit| limit.as_secs_f64());
            return Ok(());
        }
        let origin = self.origin(self.method())?;
        let limited = Deadline::new(clock.clone(), Some(self.count_limit));
        let found = segments(data, &origin, &limited);
        counted.segments = found.each;
        counted.best_segments = found.best;
        (counted.segments_rows, counted.segments_by_kmeans) = (found.rows, found.by_kmeans);
        let limit = match clock.late() {
            true => self.time_limit,
            false => limited.late().then_some(self.count_limit),
        };
        counted.segments_time_limit = limit.map(|limit| limit.as_secs_f64());
        Ok(())
    }

    /// Adds the stability, or a note that says why there is none.
    fn add_stability(&self, data: &Dataset<'_>, found: &mut Clustering, refits: usize) {
        if found.count().is_some_and(|counted| counted.k == 1) {
            let said =
                "the stability was left out: one cluster has nothing to be distinguished from";
            found.add_note(Note::warning(codes::STABILITY_UNKNOWN, said));
            return;
        }
        let ended = Error::Interrupted { before: "the refits were done" };
        match interrupt::catch(|| self.refit(data, found, refits)).unwrap_or(Err(ended)) {
            Ok(stability) => {
                stability.note().into_iter().for_each(|note| found.add_note(note));
                found.stability = Some(stability);
            }
            Err(e) => {
                let said = format!("the stability is unknown: {e}");
                found.add_note(Note::warning(codes::STABILITY_UNKNOWN, said));
            }
        }
    }

    /// The stability of a clustering of these rows: its method is fitted anew to random halves of them.
    pub fn refit(
        &self,
        data: &Dataset<'_>,
        found: &Clustering,
        refits: usize,
    ) -> Result<Stability> {
        let labels = found.labels();
        let origin = self.origin(found.method())?;
        stability::stability(data, labels, &origin, refits, &self.run.observer)
    }
}

/// The note in place of a quality that nobody waited for.
fn not_judged() -> Note {
    let said = "interrupted: the separability of the clusters was not judged";
    Note::warning(codes::NOT_JUDGED, said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::KMeans;
    use separa_math::matrix::Dense;

    #[test]
    fn segments_that_the_clock_ends_are_said_to_be_cut_short() {
        let x = Dense::from_vec(400, 1, (0..400).map(f64::from).collect()).unwrap();
        let data = Dataset::new(x.view().into()).unwrap();
        let none = Counted { k: 1, k_per_run: vec![1], ..Counted::default() };
        let add = |limit: Duration| {
            let request = Clusterer::new(KMeans::new(2)).count_limit(limit);
            let clock = Deadline::new(request.run.observer.clone(), None);
            let mut counted = none.clone();
            request.add_segments(&data, &mut counted, &clock).unwrap();
            let said = k_auto::segments_note(&counted, 400).unwrap().text;
            (counted, said)
        };
        let (whole, said) = add(Duration::from_secs(3600));
        assert!(whole.segments_time_limit.is_none() && !said.contains("time limit"), "{said}");
        let (cut, said) = add(Duration::from_nanos(1));
        assert!(cut.segments.is_empty() && cut.segments_time_limit == Some(1e-9));
        assert!(said.starts_with("segments were not tried, because the time limit"), "{said}");
        let half = Counted { segments: whole.segments[..3].to_vec(), ..whole };
        let half = Counted { segments_time_limit: Some(10.0), ..half };
        let said = k_auto::segments_note(&half, 400).unwrap().text;
        let wanted =
            "more than 4 segments were not tried, because the time limit of 10 s was reached";
        assert!(said.ends_with(wanted), "{said}");
    }
}
