//! One fit, from the words of a command to everything that can be asked of it.

use super::desk::Run;
use super::progress::Watcher;
use super::tables::Tables;
use crate::args::ClusterArgs;
use crate::failure::Result;
use crate::report::{self, Made};
use crate::table::{self, Classes, Input};
use crate::{groups, settings};
use separa::view::View;
use separa::{Clustering, Note};
use separa_report::Truth;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a fit found, with what it takes to show it again under other names.
#[derive(Debug)]
pub struct Outcome {
    pub input: Arc<Input>,
    pub truth: Option<Classes>,
    pub known: Option<Truth>,
    found: Mutex<Arc<Clustering>>,
    view: OnceLock<std::result::Result<View, String>>,
    /// The document of the names that the clusters have now.
    report: Mutex<Option<Arc<String>>>,
    args: Box<ClusterArgs>,
    /// The command, as documents show it.
    words: Vec<String>,
}

/// Documents show the words of one command at a time.
static DRAWING: Mutex<()> = Mutex::new(());

/// Runs the command that the choices stand for; the same steps as `separa cluster`.
pub fn fit(tables: &Tables, run: &Run) -> Result<Outcome> {
    let (choices, progress) = (&run.choices, &run.progress);
    let mut args = choices.args(&run.file)?;
    // Rows are drawn where a report is written.
    args.report = Some("report.html".into());
    let request = settings::request(&args)?;
    groups::check_roles(&args.groups, args.columns.id.as_ref())?;
    let input = tables.input(run.table, choices)?;
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    request.check_on(&data).map_err(|e| input.wrong(e))?;
    progress.enter(if request.is_auto() { 1 } else { 2 });
    let found = request.observe(Watcher(progress.clone())).fit(&data);
    let mut found = found.map_err(|e| input.wrong(e))?;
    input.preparation().into_iter().for_each(|done| found.prepared_by(done));
    let known = truth.as_ref().and_then(|classes| classes.against(found.labels()).ok());
    let words = std::iter::once("separa".to_owned()).chain(choices.words(&run.file)?).collect();
    let found = Mutex::new(Arc::new(found));
    let (view, report) = (OnceLock::new(), Mutex::default());
    Ok(Outcome { input, truth, known, found, view, report, args, words })
}

impl Outcome {
    /// The clustering, under the names that its clusters have now.
    pub fn found(&self) -> Arc<Clustering> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Names clusters; documents show them by their names from now on.
    pub fn rename(&self, names: Vec<(usize, String)>) -> Result<()> {
        let mut renamed = (*self.found()).clone();
        renamed.rename(names)?;
        *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(renamed);
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// What there is to know besides, as notes.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = [self.input.notes(), self.found().notes().to_vec()].concat();
        if let Some(classes) = &self.truth {
            notes.extend(table::unknown_classes(classes.unknown, self.input.thing()));
        }
        notes
    }

    /// Where rows lie; drawn once, when somebody looks.
    pub fn view(&self) -> std::result::Result<&View, &str> {
        let draw = || {
            let data = self.input.dataset().map_err(|e| e.sentence())?;
            report::view(&data, &self.found())
        };
        self.view.get_or_init(draw).as_ref().map_err(String::as_str)
    }

    /// The same document as `--report` writes.
    pub fn report(&self) -> Result<Arc<String>> {
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(drawn) = &*report {
            return Ok(drawn.clone());
        }
        let drawn = Arc::new(self.draw()?);
        *report = Some(drawn.clone());
        Ok(drawn)
    }

    fn draw(&self) -> Result<String> {
        let _alone = DRAWING.lock().unwrap_or_else(PoisonError::into_inner);
        crate::speak_as(&self.words);
        let (found, notes, view) = (&*self.found(), &self.notes(), self.view());
        let (args, input) = (&*self.args, &*self.input);
        let data = &input.dataset()?;
        // Whoever stops a fit does not wait for rules.
        let rules = (!found.was_interrupted()).then(|| found.rules(data).ok()).flatten();
        let rules = rules.as_ref();
        let truth = self.known.as_ref();
        let made = Made { args, input, data, found, rules, truth, notes };
        Ok(report::cluster_seen(&made, view, Vec::new(), Vec::new()).html())
    }
}
