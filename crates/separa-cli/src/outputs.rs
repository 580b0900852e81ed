//! Targets are looked at before the work begins: hours of it must not end at a missing folder.

use crate::failure::{Failure, Result};
use separa::Clustering;
use std::fs;
use std::path::Path;

/// Refuses a target that could not be written at the end, or that would overwrite the input.
pub fn check(target: &Path, input: &str) -> Result<()> {
    let wrong = |what: String| Err(Failure::new(format!("{}: {what}", target.display())));
    if same_file(target, Path::new(input)) {
        return wrong("this is the input itself; write to another file".into());
    }
    match fs::metadata(target) {
        Ok(found) if found.is_dir() => {
            return wrong("this is a folder, expected a file name; add one".into());
        }
        Ok(found) if found.permissions().readonly() => {
            return wrong("the file is read-only; make it writable or choose another name".into());
        }
        // A device or a pipe: written to as it is, no folder needed.
        Ok(found) if !found.is_file() => return Ok(()),
        _ => {}
    }
    // A link is followed, also one to a file that is not there yet.
    let real = separa_io::real_path(target);
    let folder = match real.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return wrong(format!("the folder {} does not exist; create it first", folder.display()));
    }
    match tempfile::tempfile_in(folder) {
        Ok(_) => Ok(()),
        // Its own words name the temporary file, of which nobody knows.
        Err(e) => wrong(format!(
            "the folder {} cannot be written to ({}); choose another",
            folder.display(),
            std::io::Error::from(e.kind())
        )),
    }
}

/// As [`check`], for a file of labels: its ending must name a format that can be written.
pub fn check_labels(target: &Path, input: &str) -> Result<()> {
    let name = target.to_string_lossy().to_lowercase();
    let text = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    let whole = [".parquet", ".xlsx"].iter().any(|ending| name.ends_with(ending));
    if !(text.ends_with(".csv") || text.ends_with(".tsv") || whole) {
        let extension = target.extension().map(|e| format!(".{}", e.to_string_lossy()));
        let (file, extension) = (target.display().to_string(), extension.unwrap_or_default());
        return Err(separa_io::Error::UnknownOutput { file, extension }.into());
    }
    check(target, input)
}

/// Refuses two targets that are one file, however they are spelled; each comes with what is written there.
pub fn check_distinct(targets: &[(&str, Option<&Path>)]) -> Result<()> {
    for (i, (one, a)) in targets.iter().enumerate() {
        for (other, b) in &targets[i + 1..] {
            if let (Some(a), Some(b)) = (a, b)
                && separa_io::real_path(a) == separa_io::real_path(b)
            {
                let name = a.display();
                return Err(Failure::new(format!(
                    "{name}: {one} and {other} go to the same file; give them two names"
                )));
            }
        }
    }
    Ok(())
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b && a.is_file())
}

/// The columns that say how sure labels are.
pub fn sure(found: &separa::Confidence) -> separa_io::Sure<'_> {
    separa_io::Sure {
        confidence: &found.confidence,
        runner_up: &found.runner_up,
        margin: &found.margin,
    }
}

/// What a user calls every cluster; an empty text for those without a name, nothing if none has one.
pub fn called(found: &Clustering) -> Vec<String> {
    let name = |c: usize| found.names().get(&c).cloned().unwrap_or_default();
    if found.names().is_empty() { Vec::new() } else { (0..found.k()).map(name).collect() }
}

/// The names of the columns of [`novelty`].
pub const NOVELTY: [&str; 2] = ["novelty", "novelty_p"];

/// The columns that say how far rows lie from their clusters.
pub fn novelty(found: &separa::Novelty) -> Result<separa::Dense> {
    let both = found.distance.iter().zip(&found.p).flat_map(|(d, p)| [*d, *p]).collect();
    Ok(separa::Dense::from_vec(found.p.len(), 2, both).map_err(separa::Error::from)?)
}
