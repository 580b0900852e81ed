//! An open Parquet file: its schema, and its column chunks as streams that do not share a file position.

use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes};
use parquet::column::reader::get_column_reader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::error::{Error, Result};
use crate::parquet_column::{Stream, stream};
use crate::parquet_schema::{Column, columns};
use crate::source::{Source, read_error};

pub(crate) struct ParquetFile {
    pub name: String,
    pub columns: Vec<Column>,
    /// Rows of each row group.
    pub groups: Vec<usize>,
    metadata: ParquetMetaData,
    content: Content,
}

enum Content {
    // Behind a lock because seek and read must stay together; only column chunks are read through it.
    OnDisk(Mutex<File>),
    InMemory(Bytes),
}

impl ParquetFile {
    /// What to say where so many rows of the file do not fit in memory.
    pub fn too_large(&self, rows: usize) -> Error {
        Error::TooLarge { file: self.name.clone(), rows, columns: self.columns.len() }
    }

    pub fn open(source: Source) -> Result<Self> {
        let name = source.name.clone();
        let length_of = |file: &File| file.metadata().map(|m| m.len());
        let (metadata, content) = match source.plain_path() {
            Some(path) => {
                let file = File::open(path).map_err(|e| read_error(&name, e))?;
                check_length(&name, length_of(&file).map_err(|e| read_error(&name, e))?)?;
                let metadata =
                    guard(&name, || ParquetMetaDataReader::new().parse_and_finish(&file))?;
                (metadata, Content::OnDisk(Mutex::new(file)))
            }
            None => {
                let bytes = Bytes::from(source.into_bytes()?);
                check_length(&name, bytes.len() as u64)?;
                let metadata =
                    guard(&name, || ParquetMetaDataReader::new().parse_and_finish(&bytes))?;
                (metadata, Content::InMemory(bytes))
            }
        };
        let rows = |n: i64| {
            usize::try_from(n).map_err(|_| damaged(&name, format!("a row group of {n} rows")))
        };
        let groups = metadata.row_groups().iter().map(|g| rows(g.num_rows()));
        let groups = groups.collect::<Result<_>>()?;
        let schema = metadata.file_metadata().schema_descr();
        let columns = guard(&name, || Ok::<_, ParquetError>(columns(schema)))?;
        Ok(Self { name, columns, groups, metadata, content })
    }

    /// The values of `column` in row group `group`.
    pub fn stream(&self, group: usize, column: &Column) -> Result<Box<dyn Stream>> {
        let chunk = self.metadata.row_group(group).column(column.leaf);
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (Ok(start), Ok(length)) =
            (u64::try_from(start), usize::try_from(chunk.compressed_size()))
        else {
            return Err(damaged(&self.name, "a column at a negative position"));
        };
        let most = u64::try_from(chunk.uncompressed_size()).unwrap_or(0);
        let bytes = Arc::new(Chunk { start, bytes: self.bytes(start, length)?, most });
        self.decode(|| {
            let pages = SerializedPageReader::new(bytes, chunk, self.groups[group], None)?;
            Ok(stream(get_column_reader(chunk.column_descr_ptr(), Box::new(pages)), column.holds))
        })
    }

    /// Runs a step of decoding; whatever goes wrong in it is the file's fault.
    pub fn decode<T>(&self, step: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T> {
        guard(&self.name, step)
    }

    fn bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let cut_short = || damaged(&self.name, "a column lies beyond the end");
        match &self.content {
            Content::InMemory(bytes) => {
                let from = usize::try_from(start).map_err(|_| cut_short())?;
                let to = from
                    .checked_add(length)
                    .filter(|to| *to <= bytes.len())
                    .ok_or_else(cut_short)?;
                Ok(bytes.slice(from..to))
            }
            Content::OnDisk(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut part = Vec::new();
                file.seek(SeekFrom::Start(start)).map_err(|e| read_error(&self.name, e))?;
                let read = Read::by_ref(&mut *file).take(length as u64).read_to_end(&mut part);
                match read.map_err(|e| read_error(&self.name, e))? {
                    read if read == length => Ok(Bytes::from(part)),
                    _ => Err(cut_short()),
                }
            }
        }
    }
}

fn check_length(name: &str, length: u64) -> Result<()> {
    if length == 0 { Err(Error::Empty { file: name.to_owned() }) } else { Ok(()) }
}

fn damaged(name: &str, detail: impl ToString) -> Error {
    Error::Damaged { file: name.to_owned(), detail: detail.to_string() }
}

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Lets a program's panic messages pass, except those of decoders on a damaged file: they come
/// back as errors. For the `main` of a program: the panic hook belongs to the whole process.
pub fn hush_decoder() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !DECODING.get() {
            usual(info);
        }
    }));
}

/// Decoders check most of what they read, but panic on some altered bytes: both mean a damaged file.
pub(crate) fn guard<T, E: ToString>(
    name: &str,
    step: impl FnOnce() -> std::result::Result<T, E>,
) -> Result<T> {
    // Nothing half-changed survives: on any error the whole table is given up.
    let outer = DECODING.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(step));
    DECODING.set(outer);
    match outcome {
        Ok(done) => done.map_err(|e| damaged(name, e)),
        Err(_) => Err(damaged(name, "it cannot be decoded")),
    }
}

/// The bytes of one column chunk, addressed by their position in the file.
struct Chunk {
    start: u64,
    bytes: Bytes,
    /// What all its pages have together, uncompressed.
    most: u64,
}

impl Chunk {
    fn slice(&self, start: u64, length: Option<usize>) -> parquet::errors::Result<Bytes> {
        let outside = || ParquetError::EOF(format!("a page at {start} lies outside its column"));
        let from = start.checked_sub(self.start).ok_or_else(outside)? as usize;
        let to =
            length.map_or(Some(self.bytes.len()), |l| from.checked_add(l)).ok_or_else(outside)?;
        if from > to || to > self.bytes.len() {
            return Err(outside());
        }
        Ok(self.bytes.slice(from..to))
    }
}

impl Chunk {
    /// Refuses a page that says it is larger than the whole column, or than the memory: the decoder allocates
    /// what the page says.
    fn check_page(&self, header: &[u8]) -> parquet::errors::Result<()> {
        let Some(size) = page_size(header) else { return Ok(()) };
        if size > self.most {
            let most = self.most;
            return Err(ParquetError::General(format!(
                "a page of {size} bytes in a column of {most}"
            )));
        }
        let fits = Vec::<u8>::new().try_reserve_exact(size as usize).is_ok();
        match fits {
            true => Ok(()),
            false => Err(ParquetError::General(format!(
                "a page of {size} bytes, more than there is memory for"
            ))),
        }
    }
}

/// The uncompressed size at the start of a page's header: its second field, after the type. Both are 32-bit integers in
/// Thrift's compact protocol.
fn page_size(header: &[u8]) -> Option<u64> {
    const NEXT_I32: u8 = 0x15;
    let rest = header.strip_prefix(&[NEXT_I32])?;
    let (_, rest) = varint(rest)?;
    let (zigzag, _) = varint(rest.strip_prefix(&[NEXT_I32])?)?;
    // Sizes are never negative: where one is, the decoder says so.
    (zigzag % 2 == 0).then_some(zigzag / 2)
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (i, byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[i + 1..]));
        }
    }
    None
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let bytes = self.slice(start, None)?;
        self.check_page(&bytes)?;
        Ok(bytes.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        self.slice(start, Some(length))
    }
}
