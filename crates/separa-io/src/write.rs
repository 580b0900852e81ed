//! Results to files: whole or not at all, and several together.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// How temporary files are called: what a killed process left behind is known by it.
const PREFIX: &str = ".separa-";
const SUFFIX: &str = ".tmp";
/// A temporary file without an owner is swept when it is this old: a new one may not have its owner yet.
const OLD: Duration = Duration::from_secs(60);
/// Links that are followed at most.
const LINKS: usize = 40;

/// Writes a file so that a reader sees either the old content or the whole new one: a [`FileSet`] of one.
pub fn write_atomic(
    path: &Path,
    bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let mut set = FileSet::default();
    set.add(path, bytes_writer)?;
    set.commit()
}

/// Files that are written together: all of them, or none.
///
/// The bytes of each go to a temporary file in the same folder, which is synchronised with the disk;
/// [`FileSet::commit`] then renames all. When anything fails before, the temporary files are removed and what was there
/// stays; when a name cannot be given, those given before are taken back. Links are followed, dangling ones, too: the file
/// they name is replaced or made, not the link. A path that exists and is no regular file (a pipe, `/dev/stdout`) is
/// written to directly, last.
#[derive(Debug, Default)]
pub struct FileSet {
    ready: Vec<Ready>,
}

#[derive(Debug)]
struct Ready {
    /// As it was asked for.
    file: String,
    target: PathBuf,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// To be renamed.
    Temporary(NamedTempFile),
    /// To be written as it is.
    Bytes(Vec<u8>),
}

impl FileSet {
    /// Prepares one file.
    pub fn add(
        &mut self,
        path: &Path,
        bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let file = path.display().to_string();
        let target = real_path(path);
        let folder = folder_of(&target);
        if !folder.is_dir() {
            return Err(Error::NoFolder { file, folder: folder.display().to_string() });
        }
        let content = match fs::metadata(&target) {
            _ if target.is_symlink() => Err(io::Error::other("it is a link that leads nowhere")),
            Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(existing) if !existing.is_file() => {
                let mut bytes = Vec::new();
                bytes_writer(&mut bytes).map(|()| Content::Bytes(bytes))
            }
            _ => prepare(folder, &target, bytes_writer).map(Content::Temporary),
        };
        let content = content.map_err(|source| Error::Write { file: file.clone(), source })?;
        self.ready.push(Ready { file, target, content });
        Ok(())
    }

    /// Gives all files their names.
    pub fn commit(self) -> Result<()> {
        let (mut done, mut folders): (Vec<Replaced>, Vec<PathBuf>) = (Vec::new(), Vec::new());
        let mut direct = Vec::new();
        // What replaced files held, before any of them is: between two names nothing else is done.
        let several = self.ready.len() > 1;
        let backup = |ready: &Ready| several.then(|| Backup::of(&ready.target)).flatten();
        let kept: Vec<Option<Backup>> = self.ready.iter().map(backup).collect();
        for (Ready { file, target, content }, backup) in self.ready.into_iter().zip(kept) {
            match content {
                Content::Temporary(temporary) => {
                    let renamed = temporary.persist(&target).map(drop).map_err(|e| e.error);
                    if let Err(source) = renamed {
                        let back = done.into_iter().rev().all(Replaced::take_back);
                        return Err(match back {
                            true => Error::Write { file, source },
                            false => Error::WrittenInPart { file, source },
                        });
                    }
                    let folder = folder_of(&target).to_owned();
                    done.push(Replaced { target, backup });
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
                Content::Bytes(bytes) => direct.push((file, target, bytes)),
            }
        }
        folders.iter().for_each(|folder| sync_folder(folder));
        for (file, target, bytes) in direct {
            write_directly(&target, &bytes)
                .map_err(|source| Error::WrittenInPart { file, source })?;
        }
        Ok(())
    }
}

/// Where a path leads once all links are followed, whether or not there is a file.
pub fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        // A relative link is one from the folder that it stands in.
        path = folder_of(&path).join(next);
    }
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => fs::canonicalize(&path).unwrap_or(path),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The bytes in a temporary file beside the target, locked as long as this process lives.
fn prepare(
    folder: &Path,
    target: &Path,
    bytes_writer: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    sweep(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
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
    // Some file systems have no locks: their leftovers are swept when they are old.
    let _ = temporary.as_file().try_lock();
    let mut writer = BufWriter::new(temporary);
    bytes_writer(&mut writer)?;
    let temporary = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

/// Removes temporary files whose processes were killed: nobody holds their lock.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let old = || {
            let changed = entry.metadata().ok()?.modified().ok()?;
            Some(changed.elapsed().is_ok_and(|age| age >= OLD))
        };
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && old() == Some(true) {
            let free = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if free {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// A file that got its new content.
struct Replaced {
    target: PathBuf,
    backup: Option<Backup>,
}

impl Replaced {
    /// Puts back what was there.
    fn take_back(self) -> bool {
        match self.backup {
            Some(Backup { link: Some(link) }) => link.persist(&self.target).is_ok(),
            Some(Backup { link: None }) => false,
            None => fs::remove_file(&self.target).is_ok(),
        }
    }
}

/// A second name of a file that is about to be replaced; none where the file system has no such names.
struct Backup {
    link: Option<tempfile::TempPath>,
}

impl Backup {
    /// None where there is no file to be replaced.
    fn of(target: &Path) -> Option<Self> {
        if !target.is_file() {
            return None;
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        let link = builder.make_in(folder_of(target), |path| fs::hard_link(target, path));
        Some(Self { link: link.ok().map(tempfile::NamedTempFile::into_temp_path) })
    }
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

fn write_directly(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(target)?;
    file.write_all(bytes)?;
    file.flush()
}
