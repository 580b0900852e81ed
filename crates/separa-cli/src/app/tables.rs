//! Tables that were given, and the prepared ones that are in memory.

use super::choices::Choices;
use crate::failure::{Failure, Result};
use crate::table::Input;
use separa_io::Look;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tempfile::{NamedTempFile, TempDir};

/// Tables that are kept; the oldest go first.
const TABLES: usize = 8;
/// Prepared tables that are held in memory besides those of runs: the last ones.
const PREPARED: usize = 2;

/// A table as commands call it, and where it is.
#[derive(Debug, Clone)]
pub struct Given {
    pub name: String,
    pub path: PathBuf,
}

/// What all requests know of tables.
#[derive(Debug)]
pub struct Tables {
    folder: TempDir,
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    given: BTreeMap<u32, Given>,
    prepared: Vec<Ready>,
    last: u32,
}

/// A table as it was prepared for some choices.
#[derive(Debug, Clone)]
struct Ready {
    table: u32,
    columns: Choices,
    look: Arc<Look>,
    input: Option<Arc<Input>>,
}

impl Tables {
    pub fn new() -> std::io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("separa-app-").tempdir()?;
        Ok(Self { folder, shelf: Mutex::default() })
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// A file of this machine, read where it is.
    pub fn open(&self, path: &str) -> u32 {
        self.add(|_| Ok(Given { name: path.to_owned(), path: path.into() })).unwrap_or_default()
    }

    /// A file that the page sent, under the last part of its name.
    pub fn keep(&self, name: &str, file: NamedTempFile) -> Result<u32> {
        let name = plain_name(name);
        self.add(|number| {
            let folder = self.folder.path().join(number.to_string());
            let wrong = |e: std::io::Error| Failure::new(format!("{name}: cannot be kept ({e})"));
            std::fs::create_dir_all(&folder).map_err(wrong)?;
            let path = folder.join(&name);
            file.persist(&path).map_err(|e| wrong(e.error))?;
            Ok(Given { name: name.clone(), path })
        })
    }

    fn add(&self, given: impl FnOnce(u32) -> Result<Given>) -> Result<u32> {
        let mut shelf = self.shelf();
        shelf.last += 1;
        let number = shelf.last;
        let given = given(number)?;
        shelf.given.insert(number, given);
        while shelf.given.len() > TABLES {
            if let Some((old, given)) = shelf.given.pop_first() {
                shelf.prepared.retain(|ready| ready.table != old);
                self.remove(&given);
            }
        }
        Ok(number)
    }

    /// Takes a table off the shelf.
    pub fn forget(&self, number: u32) {
        let mut shelf = self.shelf();
        shelf.prepared.retain(|ready| ready.table != number);
        let gone = shelf.given.remove(&number);
        gone.iter().for_each(|given| self.remove(given));
    }

    /// Removes the copy of a file; a file of the user is left alone.
    fn remove(&self, given: &Given) {
        if given.path.starts_with(self.folder.path()) {
            let _ = std::fs::remove_file(&given.path);
        }
    }

    pub fn get(&self, number: u32) -> Result<Given> {
        self.shelf().given.get(&number).cloned().ok_or_else(|| {
            Failure::new(format!("table {number} is no longer here; give the file again"))
        })
    }

    /// Every table that is kept.
    pub fn list(&self) -> Vec<(u32, String)> {
        self.shelf().given.iter().map(|(number, given)| (*number, given.name.clone())).collect()
    }

    /// What is in a table, and how it is prepared with these choices.
    pub fn look(&self, number: u32, choices: &Choices) -> Result<(Arc<Look>, Option<Arc<Input>>)> {
        let ready = self.ready(number, choices)?;
        Ok((ready.look, ready.input))
    }

    /// The prepared table, as `separa cluster` would read it.
    pub fn input(&self, number: u32, choices: &Choices) -> Result<Arc<Input>> {
        if let Some(input) = self.ready(number, choices)?.input {
            return Ok(input);
        }
        // What cannot be clustered is refused in the words of the command.
        let given = self.get(number)?;
        let mut args = choices.args(&given.name)?;
        args.input.input = given.path.display().to_string();
        args.run.quiet = true;
        let read = crate::commands::read_cluster(&args, false);
        read.map(Arc::new).map_err(|failure| called(failure, &given))
    }

    /// Reads the file, unless it was the last that was read with these choices.
    fn ready(&self, number: u32, choices: &Choices) -> Result<Ready> {
        let (given, columns) = (self.get(number)?, choices.columns());
        let known = |ready: &&Ready| ready.table == number && ready.columns == columns;
        if let Some(ready) = self.shelf().prepared.iter().find(known) {
            return Ok(ready.clone());
        }
        let read = read(&given, choices).map_err(|failure| called(failure, &given))?;
        let ready = Ready { table: number, columns, look: Arc::new(read.0), input: read.1 };
        let mut shelf = self.shelf();
        shelf.prepared.push(ready.clone());
        let over = shelf.prepared.len().saturating_sub(PREPARED);
        shelf.prepared.drain(..over);
        Ok(ready)
    }
}

fn read(given: &Given, choices: &Choices) -> Result<(Look, Option<Arc<Input>>)> {
    let args = choices.args(&given.name)?;
    let options = crate::commands::cluster_options(&args, false);
    let (look, prepared) = separa_io::look(&given.path.display().to_string(), &options)?;
    let input = prepared.map(|table| Input::of(&given.name, table, options.id, true));
    Ok((look, input.map(Arc::new)))
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
