//! From the words on a command line to files: paths, folders, patterns, standard input, compression.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Delimited,
    Parquet,
    Npy,
    Svmlight,
    Sheets,
    Json,
    Arrow,
    Sqlite,
    DuckDb,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// One file to read, or standard input already read.
#[derive(Debug)]
pub(crate) struct Source {
    /// How messages call it.
    pub name: String,
    pub format: Format,
    /// The sheet or table that was asked for.
    pub part: Option<String>,
    packing: Packing,
    place: Place,
}

#[derive(Debug)]
enum Place {
    File(PathBuf),
    Memory(Vec<u8>),
}

impl Source {
    /// The path, when the file can be read in parts because it is not compressed as a whole.
    pub fn plain_path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) if self.packing == Packing::Plain => Some(path),
            _ => None,
        }
    }

    /// The path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::File(path) => Some(path),
            Place::Memory(_) => None,
        }
    }

    /// The same file, to be opened once more.
    pub fn again(&self) -> Self {
        let place = match &self.place {
            Place::File(path) => Place::File(path.clone()),
            Place::Memory(bytes) => Place::Memory(bytes.clone()),
        };
        Self { name: self.name.clone(), part: self.part.clone(), place, ..*self }
    }

    /// The content as it comes, decompressed; None if it is in memory.
    pub fn reader(&self) -> Option<Result<Box<dyn Read + Send>>> {
        let open = |path: &Path| -> io::Result<Box<dyn Read + Send>> {
            let file = fs::File::open(path)?;
            Ok(match self.packing {
                Packing::Plain => Box::new(file),
                Packing::Gzip => {
                    Box::new(flate2::read::MultiGzDecoder::new(io::BufReader::new(file)))
                }
                Packing::Zstd => Box::new(zstd::stream::Decoder::new(file)?),
            })
        };
        self.path().map(|path| open(path).map_err(|e| read_error(&self.name, e)))
    }

    /// The whole content, decompressed.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        match self.place {
            Place::Memory(bytes) => Ok(bytes),
            Place::File(path) => {
                let bytes = read_whole(&path).map_err(|e| read_error(&self.name, e))?;
                unpack(&self.name, bytes, self.packing)
            }
        }
    }
}

/// Finds what `input` stands for: at least one source, all of one format.
pub(crate) fn find(input: &str) -> Result<Vec<Source>> {
    if input == "-" {
        let mut bytes = Vec::new();
        let name = "standard input";
        io::stdin().lock().read_to_end(&mut bytes).map_err(|e| read_error(name, e))?;
        return Ok(vec![from_memory(name, bytes)?]);
    }
    let path = Path::new(input);
    if path.is_dir() {
        return folder(path);
    }
    // A file whose name looks like a pattern is still that file.
    if !path.exists()
        && let Some((file, part)) = input.rsplit_once("::")
        && Path::new(file).is_file()
    {
        return Ok(vec![part_of(Path::new(file), part)?]);
    }
    if !path.exists() && input.contains(['*', '?', '[']) {
        return pattern(input);
    }
    if !path.exists() {
        return Err(Error::NotFound { file: input.to_owned() });
    }
    Ok(vec![file(path)?])
}

/// A source whose format is told by its first bytes.
pub(crate) fn from_memory(name: &str, bytes: Vec<u8>) -> Result<Source> {
    let packing = sniff_packing(&bytes);
    let bytes = unpack(name, bytes, packing)?;
    let format = sniff_format(&bytes);
    Ok(Source {
        name: name.to_owned(),
        format,
        part: None,
        packing: Packing::Plain,
        place: Place::Memory(bytes),
    })
}

/// A sheet of a book, or a table of a database.
fn part_of(path: &Path, part: &str) -> Result<Source> {
    let source = file(path)?;
    if !matches!(source.format, Format::Sheets | Format::Sqlite | Format::DuckDb) {
        return Err(Error::NoParts { file: source.name, part: part.to_owned() });
    }
    Ok(Source { part: Some(part.to_owned()), ..source })
}

fn folder(path: &Path) -> Result<Vec<Source>> {
    let mut found = Vec::new();
    collect(path, &mut found)?;
    if found.is_empty() {
        return Err(Error::NoDataFiles { folder: path.display().to_string() });
    }
    several(found)
}

/// The data files of a folder, and of folders in it that are called like `year=2024`.
fn collect(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let shown = path.display().to_string();
    let entries = fs::read_dir(path).map_err(|e| read_error(&shown, e))?;
    for entry in entries {
        let path = entry.map_err(|e| read_error(&shown, e))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Writers leave marks such as _SUCCESS and .part.crc beside the data.
        if name.starts_with(['.', '_']) {
            continue;
        }
        if path.is_dir() && name.contains('=') {
            collect(&path, found)?;
        } else if path.is_file() && joinable(&path) {
            found.push(path);
        }
    }
    Ok(())
}

fn pattern(input: &str) -> Result<Vec<Source>> {
    let paths = glob::glob(input)
        .map_err(|e| Error::BadPattern { pattern: input.to_owned(), detail: e.to_string() })?;
    let mut found = Vec::new();
    for path in paths {
        let path = path.map_err(|e| {
            read_error(&e.path().display().to_string(), io::Error::other(e.to_string()))
        })?;
        if path.is_file() {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Error::NoMatch { pattern: input.to_owned() });
    }
    several(found)
}

fn several(mut paths: Vec<PathBuf>) -> Result<Vec<Source>> {
    paths.sort();
    let sources: Vec<Source> = paths.iter().map(|p| file(p)).collect::<Result<_>>()?;
    for other in &sources[1..] {
        let (first, second) = (sources[0].name.clone(), other.name.clone());
        if other.format != sources[0].format {
            return Err(Error::MixedFormats { first, second });
        }
        if !matches!(other.format, Format::Delimited | Format::Parquet) {
            return Err(Error::CannotJoin { first, second });
        }
    }
    Ok(sources)
}

fn file(path: &Path) -> Result<Source> {
    let name = path.display().to_string();
    let (format, packing) = by_ending(path);
    match format {
        // Programs export tables of text or HTML under the names of Excel's files.
        Some(Format::Sheets) if packing == Packing::Plain => by_content(path, name),
        Some(format) => {
            Ok(Source { name, format, part: None, packing, place: Place::File(path.to_owned()) })
        }
        // `data.gz` says how it is packed but not what is inside, and a pipe (`<(command)` in a shell) says
        // nothing at all: look.
        None if packing != Packing::Plain || !path.is_file() => {
            from_memory(&name, fs::read(path).map_err(|e| read_error(&name, e))?)
        }
        None => by_content(path, name),
    }
}

/// A file whose ending says nothing: its first bytes do, unless they are of no known format and no text.
fn by_content(path: &Path, name: String) -> Result<Source> {
    let mut first = Vec::new();
    let opened = fs::File::open(path).and_then(|file| file.take(1 << 16).read_to_end(&mut first));
    opened.map_err(|e| read_error(&name, e))?;
    if sniff_packing(&first) != Packing::Plain {
        return from_memory(&name, fs::read(path).map_err(|e| read_error(&name, e))?);
    }
    let format = sniff_format(&first);
    if format == Format::Delimited && !looks_like_text(&first) {
        let extension =
            path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
        return Err(Error::UnknownExtension { file: name, extension });
    }
    let place = Place::File(path.to_owned());
    Ok(Source { name, format, part: None, packing: Packing::Plain, place })
}

/// The content of a file; a large one is read by several threads, each with a handle of its own.
fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    const PART: usize = 4 << 20;
    let length = fs::metadata(path)?.len() as usize;
    // Pipes and the like do not know their length.
    if length <= PART {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
    bytes.resize(length, 0);
    bytes.par_chunks_mut(PART).enumerate().try_for_each(|(i, part)| {
        let mut file = fs::File::open(path)?;
        file.seek(SeekFrom::Start((i * PART) as u64))?;
        file.read_exact(part)
    })?;
    Ok(bytes)
}

fn joinable(path: &Path) -> bool {
    matches!(by_ending(path).0, Some(Format::Delimited | Format::Parquet))
}

fn by_ending(path: &Path) -> (Option<Format>, Packing) {
    let packing = match ending(path).as_str() {
        "gz" => Packing::Gzip,
        "zst" => Packing::Zstd,
        _ => Packing::Plain,
    };
    let inner = if packing == Packing::Plain { path.to_owned() } else { path.with_extension("") };
    let format = match ending(&inner).as_str() {
        "csv" | "tsv" | "txt" | "tab" | "dat" | "data" | "psv" => Some(Format::Delimited),
        "parquet" => Some(Format::Parquet),
        "npy" => Some(Format::Npy),
        "svm" | "libsvm" | "svmlight" => Some(Format::Svmlight),
        "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Some(Format::Sheets),
        "json" | "jsonl" | "ndjson" => Some(Format::Json),
        "arrow" | "feather" | "ipc" => Some(Format::Arrow),
        "sqlite" | "sqlite3" => Some(Format::Sqlite),
        "duckdb" => Some(Format::DuckDb),
        _ => None,
    };
    (format, packing)
}

pub(crate) fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn sniff_packing(bytes: &[u8]) -> Packing {
    match bytes {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
        _ => Packing::Plain,
    }
}

fn sniff_format(bytes: &[u8]) -> Format {
    if bytes.starts_with(b"PAR1") {
        Format::Parquet
    } else if bytes.starts_with(b"\x93NUMPY") {
        Format::Npy
    } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        Format::Sheets
    } else if bytes.starts_with(b"ARROW1")
        || bytes.starts_with(b"\xff\xff\xff\xff")
        || bytes.starts_with(b"FEA1")
    {
        Format::Arrow
    } else if bytes.starts_with(b"SQLite format 3\0") {
        Format::Sqlite
    } else if bytes.get(8..12) == Some(b"DUCK") {
        Format::DuckDb
    } else if crate::json_read::looks_like(bytes) {
        Format::Json
    } else if crate::svmlight_read::looks_like(bytes) {
        Format::Svmlight
    } else {
        Format::Delimited
    }
}

/// Text in any encoding that is read: UTF-16 has zeros, which nothing else that is text has.
fn looks_like_text(bytes: &[u8]) -> bool {
    crate::text_encoding::is_utf_16(bytes) || !crate::text_encoding::is_binary(bytes)
}

fn unpack(name: &str, bytes: Vec<u8>, packing: Packing) -> Result<Vec<u8>> {
    let most = separa::MemoryBudget::free().0.unwrap_or(u64::MAX);
    match packing {
        Packing::Plain => Ok(bytes),
        Packing::Gzip => grow(name, flate2::read::MultiGzDecoder::new(&bytes[..]), most),
        Packing::Zstd => match zstd::stream::Decoder::new(&bytes[..]) {
            Ok(decoder) => grow(name, decoder, most),
            Err(e) => Err(Error::Damaged { file: name.to_owned(), detail: e.to_string() }),
        },
    }
}

/// All that comes, while it fits the memory: a small file can hold a large one.
fn grow(name: &str, mut from: impl Read, most: u64) -> Result<Vec<u8>> {
    const STEP: usize = 1 << 18;
    let file = || name.to_owned();
    let (mut out, mut part) = (Vec::new(), vec![0; STEP]);
    loop {
        let read = match from.read(&mut part) {
            Ok(0) => return Ok(out),
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Error::Damaged { file: file(), detail: e.to_string() }),
        };
        let length = (out.len() + read) as u64;
        if length > most || out.try_reserve(read).is_err() {
            return Err(Error::Unpacked { file: file(), megabytes: (length - 1) >> 20 });
        }
        out.extend_from_slice(&part[..read]);
    }
}

pub(crate) fn read_error(name: &str, source: io::Error) -> Error {
    Error::Read { file: name.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unpacks_to_more_than_the_memory_is_refused_while_it_grows() {
        let bomb = || io::repeat(0).take(1 << 40);
        let said = grow("bomb.gz", bomb(), 5 << 20).unwrap_err().to_string();
        assert!(said.starts_with("bomb.gz: unpacks to more than 5 MB"), "{said}");
        assert_eq!(
            grow("small.gz", io::repeat(7).take(3 << 20), 5 << 20).unwrap(),
            vec![7; 3 << 20]
        );
    }
}
