//! One fit, from the words of a command to everything that can be taken away.

use super::choices::Choices;
use super::desk::Given;
use super::progress::{Progress, Watcher};
use crate::args::ClusterArgs;
use crate::commands::read_cluster;
use crate::failure::Result;
use crate::report::{self, Made};
use crate::table::{self, Classes, Input};
use crate::{groups, settings};
use separa::Clustering;
use separa_report::Truth;
use std::sync::{Arc, Mutex};

/// What a fit found, with what it takes to show it again under other names.
#[derive(Debug)]
pub struct Outcome {
    pub found: Clustering,
    pub input: Input,
    pub truth: Option<Classes>,
    pub known: Option<Truth>,
    pub report: String,
    args: Box<ClusterArgs>,
    /// The command, as documents show it.
    words: Vec<String>,
}

/// Documents show the words of one command at a time.
static DRAWING: Mutex<()> = Mutex::new(());

/// Runs the command that the choices stand for; the same steps as `separa cluster`.
pub fn fit(given: &Given, choices: &Choices, progress: &Arc<Progress>) -> Result<Outcome> {
    let mut args = choices.args(&given.name)?;
    args.input.input = given.path.display().to_string();
    args.run.quiet = true;
    // Rows are drawn where a report is written.
    args.report = Some("report.html".into());
    let request = settings::request(&args)?;
    groups::check_roles(&args.groups, args.columns.id.as_ref())?;
    let mut input = read_cluster(&args, request.method().is_precomputed())?;
    input.name = given.name.clone();
    let truth = args.truth.as_deref().map(|column| input.truth(column)).transpose()?;
    let data = input.dataset()?;
    request.check_on(&data).map_err(|e| input.wrong(e))?;
    let found = request.observe(Watcher(progress.clone())).fit(&data);
    let mut found = found.map_err(|e| input.wrong(e))?;
    input.preparation().into_iter().for_each(|done| found.prepared_by(done));
    let known = truth.as_ref().and_then(|classes| classes.against(found.labels()).ok());
    let words = std::iter::once("separa".to_owned()).chain(choices.words(&given.name)?).collect();
    let report = String::new();
    let mut outcome = Outcome { found, input, truth, known, report, args, words };
    outcome.draw()?;
    Ok(outcome)
}

impl Outcome {
    /// Names clusters, and shows them by their names.
    pub fn rename(&mut self, names: Vec<(usize, String)>) -> Result<()> {
        self.found.rename(names)?;
        self.draw()
    }

    /// The same document as `--report` writes.
    fn draw(&mut self) -> Result<()> {
        let _alone = DRAWING.lock().unwrap_or_else(|e| e.into_inner());
        crate::speak_as(&self.words);
        let Self { found, input, truth, known, args, .. } = &*self;
        let mut notes = [input.notes(), found.notes().to_vec()].concat();
        if let Some(classes) = truth {
            notes.extend(table::unknown_classes(classes.unknown, input.thing()));
        }
        let data = input.dataset()?;
        // Whoever stops a fit does not wait for rules.
        let rules = (!found.was_interrupted()).then(|| found.rules(&data).ok()).flatten();
        let rules = rules.as_ref();
        let made =
            Made { args, input, data: &data, found, rules, truth: known.as_ref(), notes: &notes };
        self.report = report::cluster(&made, Vec::new(), Vec::new()).html();
        Ok(())
    }
}
