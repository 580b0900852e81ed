//! Model files on disk: the one place where the library writes.

use super::{Saved, from_bytes};
use crate::clustering::{Clustering, Trained};
use crate::error::{Error, Result};
use std::io::Write;
use std::path::Path;

impl Clustering {
    /// Writes the model file, whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        put(path.as_ref(), &self.to_bytes()?)
    }
}

impl Trained {
    /// Writes the model file, whole or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        put(path.as_ref(), &self.to_bytes()?)
    }
}

/// Reads a model file.
pub fn load(path: impl AsRef<Path>) -> Result<Saved> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|e| failed(path, "read", &e))?;
    from_bytes(&bytes)
}

/// A reader sees either what was there before or the whole new file.
fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let write = || -> std::io::Result<()> {
        // Its own words name the temporary file, of which nobody knows.
        let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        let mut file = file.map_err(|e| std::io::Error::from(e.kind()))?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map(drop).map_err(|e| e.error)
    };
    write().map_err(|e| failed(path, "written", &e))
}

fn failed(path: &Path, done: &'static str, why: &std::io::Error) -> Error {
    Error::File { path: path.display().to_string(), done, why: why.to_string() }
}
