//! What is on the desk: tables, runs, and the one fit at a time.

use super::choices::Choices;
use super::job::{self, Outcome};
use super::progress::Progress;
use crate::failure::{Failure, Result};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use tempfile::{NamedTempFile, TempDir};

/// Tables and runs that are kept; the oldest go first.
const TABLES: usize = 8;
const RUNS: usize = 30;
/// Runs that may wait.
const WAITING: usize = 20;

/// A table as commands call it, and where it is.
#[derive(Debug, Clone)]
pub struct Given {
    pub name: String,
    pub path: PathBuf,
}

/// One fit that was asked for.
#[derive(Debug, Clone)]
pub struct Run {
    pub table: u32,
    pub file: String,
    pub choices: Choices,
    pub progress: Arc<Progress>,
    pub state: State,
}

/// How far a run is.
#[derive(Debug, Clone)]
pub enum State {
    Waiting,
    Running,
    Done(Arc<Mutex<Outcome>>),
    Failed(String),
}

/// What requests share.
#[derive(Debug)]
pub struct Desk {
    folder: TempDir,
    kept: Mutex<Kept>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Kept {
    tables: BTreeMap<u32, Given>,
    runs: BTreeMap<u32, Run>,
    queue: VecDeque<u32>,
    last: u32,
}

impl Desk {
    pub fn new() -> std::io::Result<Arc<Self>> {
        let folder = tempfile::Builder::new().prefix("separa-app-").tempdir()?;
        let desk = Self { folder, kept: Mutex::default(), wake: Condvar::new() };
        Ok(Arc::new(desk))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A file of this machine, read where it is.
    pub fn open(&self, path: &str) -> u32 {
        self.add(Given { name: path.to_owned(), path: path.into() })
    }

    /// A file that the page sent, under the last part of its name.
    pub fn keep(&self, name: &str, file: NamedTempFile) -> Result<u32> {
        let name = plain_name(name);
        let number = self.kept().last + 1;
        let folder = self.folder.path().join(number.to_string());
        let wrong = |e: std::io::Error| Failure::new(format!("{name}: cannot be kept ({e})"));
        std::fs::create_dir_all(&folder).map_err(wrong)?;
        let path = folder.join(&name);
        file.persist(&path).map_err(|e| wrong(e.error))?;
        Ok(self.add(Given { name, path }))
    }

    fn add(&self, given: Given) -> u32 {
        let mut kept = self.kept();
        let number = kept.next();
        kept.tables.insert(number, given);
        while kept.tables.len() > TABLES {
            let gone = kept.tables.pop_first();
            gone.into_iter().for_each(|(_, given)| self.remove(&given));
        }
        number
    }

    /// Takes a table off the desk.
    pub fn forget(&self, number: u32) {
        let gone = self.kept().tables.remove(&number);
        gone.iter().for_each(|given| self.remove(given));
    }

    /// Removes the copy of a file; a file of the user is left alone.
    fn remove(&self, given: &Given) {
        if given.path.starts_with(self.folder.path()) {
            let _ = std::fs::remove_file(&given.path);
        }
    }

    pub fn table(&self, number: u32) -> Result<Given> {
        self.kept().tables.get(&number).cloned().ok_or_else(|| {
            Failure::new(format!("table {number} is no longer here; give the file again"))
        })
    }

    /// Every table that is kept.
    pub fn tables(&self) -> Vec<(u32, String)> {
        self.kept().tables.iter().map(|(number, given)| (*number, given.name.clone())).collect()
    }

    /// Puts a fit into the queue.
    pub fn ask(&self, table: u32, choices: Choices) -> Result<u32> {
        let given = self.table(table)?;
        // What can be refused is refused before it waits.
        crate::settings::request(&*choices.args(&given.name)?)?;
        let mut kept = self.kept();
        if kept.queue.len() >= WAITING {
            return Err(Failure::new(format!(
                "{WAITING} runs are waiting; stop one of them first"
            )));
        }
        let number = kept.next();
        let (file, progress) = (given.name, Progress::new());
        kept.runs.insert(number, Run { table, file, choices, progress, state: State::Waiting });
        kept.queue.push_back(number);
        while kept.runs.len() > RUNS {
            let over = |run: &Run| matches!(run.state, State::Done(_) | State::Failed(_));
            let Some(oldest) = kept.runs.iter().find(|(_, run)| over(run)).map(|(n, _)| *n) else {
                break;
            };
            kept.runs.remove(&oldest);
        }
        self.wake.notify_one();
        Ok(number)
    }

    pub fn run(&self, number: u32) -> Option<Run> {
        self.kept().runs.get(&number).cloned()
    }

    /// Every run that is kept, the oldest first.
    pub fn runs(&self) -> Vec<(u32, Run)> {
        self.kept().runs.iter().map(|(number, run)| (*number, run.clone())).collect()
    }

    /// Takes a run out of the queue, or asks it for the best so far.
    pub fn stop(&self, number: u32) {
        let mut kept = self.kept();
        kept.queue.retain(|waiting| *waiting != number);
        if let Some(run) = kept.runs.get_mut(&number) {
            run.progress.stop();
            if matches!(run.state, State::Waiting) {
                run.state = State::Failed("stopped before it began".to_owned());
            }
        }
    }

    /// Names clusters of a run that is done.
    pub fn rename(&self, number: u32, names: Vec<(usize, String)>) -> Result<()> {
        let Some(Run { state: State::Done(outcome), .. }) = self.run(number) else {
            return Err(Failure::new(format!("run {number} has no clusters to name")));
        };
        outcome.lock().unwrap_or_else(|e| e.into_inner()).rename(names)
    }

    fn set(&self, number: u32, state: State) {
        if let Some(run) = self.kept().runs.get_mut(&number) {
            run.state = state;
        }
    }

    /// Fits what is asked for, one after the other, for ever.
    pub fn work(&self) {
        loop {
            let (number, run) = self.wait();
            self.set(number, State::Running);
            run.progress.begin();
            let state = match self.fit(&run) {
                Ok(outcome) => State::Done(Arc::new(Mutex::new(outcome))),
                Err(failure) => State::Failed(failure.sentence()),
            };
            self.set(number, state);
        }
    }

    fn wait(&self) -> (u32, Run) {
        let mut kept = self.kept();
        loop {
            if let Some(number) = kept.queue.pop_front()
                && let Some(run) = kept.runs.get(&number)
            {
                return (number, run.clone());
            }
            kept = self.wake.wait(kept).unwrap_or_else(|e| e.into_inner());
        }
    }

    fn fit(&self, run: &Run) -> Result<Outcome> {
        let given = self.table(run.table)?;
        let fitted = || job::fit(&given, &run.choices, &run.progress);
        // A table that breaks a fit ends that fit and nothing else.
        let fitted = catch_unwind(AssertUnwindSafe(fitted)).unwrap_or_else(|_| {
            Err(Failure::new("the fit broke off: this is a mistake in separa, please report it"))
        });
        fitted.map_err(|failure| called(failure, &given))
    }
}

impl Kept {
    fn next(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}

/// A failure with the name that the user knows in place of where the file is kept.
pub fn called(failure: Failure, given: &Given) -> Failure {
    Failure::new(failure.sentence().replace(&given.path.display().to_string(), &given.name))
}

/// The last part of a name, without what no file's name should have.
fn plain_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control() && *c != ':').take(120).collect();
    let kept = kept.trim().trim_start_matches('.');
    if Path::new(kept).file_name().is_none() { "table".to_owned() } else { kept.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere() {
        for (name, kept) in [
            ("wine.csv", "wine.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\data\\t.xlsx", "t.xlsx"),
            ("..", "table"),
            ("", "table"),
            ("a\n\0b.csv", "ab.csv"),
            (".hidden", "hidden"),
        ] {
            assert_eq!(plain_name(name), kept);
        }
    }
}
