//! Results to files: whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::{Error, Result};

/// Writes a file so that a reader sees either the old content or the whole new one.
///
/// The bytes go to a temporary file in the same folder, which is synchronised with the disk and then renamed.
/// When anything fails, the temporary file is removed and what was at `path` stays. A `path` that exists and
/// is no regular file (a pipe, `/dev/stdout`) is written to directly.
pub fn write_atomic(
    path: &Path,
    bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let file = path.display().to_string();
    // Follow links, so that the file they name is replaced and not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder { file, folder: folder.display().to_string() });
    }
    let done = match fs::metadata(&target) {
        Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(existing) if !existing.is_file() => write_directly(&target, bytes_writer),
        _ => replace(folder, &target, bytes_writer),
    };
    done.map_err(|source| Error::Write { file, source })
}

fn replace(
    folder: &Path,
    target: &Path,
    bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".separa-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: the user's mask takes away what it should.
        let mode = fs::metadata(target).map_or(0o666, |m| m.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    // Dropped on any failure below, which removes the file.
    // Its error would name the temporary file, of which nobody knows.
    let temporary = builder.tempfile_in(folder).map_err(|e| io::Error::from(e.kind()))?;
    let mut writer = BufWriter::new(temporary);
    bytes_writer(&mut writer)?;
    let temporary = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    temporary.persist(target).map_err(|e| e.error)?;
    sync_folder(folder);
    Ok(())
}

/// Makes the new name itself durable. Some file systems cannot; the file is complete all the same.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

fn write_directly(
    target: &Path,
    bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::new(File::options().write(true).open(target)?);
    bytes_writer(&mut writer)?;
    writer.flush()
}
