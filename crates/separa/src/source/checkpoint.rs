//! Fits that go on where they were interrupted.

use super::Passes;
use crate::error::{Error, Result};

/// The first eight bytes of a checkpoint.
const MAGIC: &[u8; 8] = b"sepstop1";
/// The number of rows is not known before they are read.
const UNKNOWN: u64 = u64::MAX;

/// Where a fit from a source goes on from, and what it leaves behind after every pass.
#[allow(missing_debug_implementations)]
pub struct Checkpoint<'a, E> {
    /// What was saved last by the same fit: same rows, parameters and seed. None begins anew.
    pub resume: Option<&'a [u8]>,
    /// Keeps these bytes, in the place of those before.
    pub save: &'a mut dyn FnMut(&[u8]) -> std::result::Result<(), E>,
}

/// What a fit is known by: the first rule and the number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Begun {
    first: u32,
    rows: u64,
}

impl Begun {
    pub fn of(first: &Passes, rows: Option<usize>) -> Result<Self> {
        let first = crc32fast::hash(&first.to_bytes()?);
        Ok(Self { first, rows: rows.map_or(UNKNOWN, |n| n as u64) })
    }

    /// As bytes, with the passes that are under way.
    pub fn save(self, passes: &Passes) -> Result<Vec<u8>> {
        let body = passes.to_bytes()?;
        let mut out = MAGIC.to_vec();
        out.extend(self.first.to_le_bytes());
        out.extend(self.rows.to_le_bytes());
        out.extend(crc32fast::hash(&body).to_le_bytes());
        out.extend(body);
        Ok(out)
    }

    /// The passes that were under way; an error if they are those of another fit.
    pub fn resume(self, bytes: &[u8]) -> Result<Passes> {
        let wrong = |why: &str| Error::Model(format!("this checkpoint {why}"));
        let (head, body) =
            bytes.split_at_checked(24).ok_or_else(|| wrong("is shorter than its header"))?;
        if &head[..8] != MAGIC {
            return Err(wrong("is none, or of another version"));
        }
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
        if crc32fast::hash(body) != word(20) {
            return Err(wrong("is damaged"));
        }
        let rows = u64::from_le_bytes(head[12..20].try_into().expect("eight bytes"));
        if rows != self.rows {
            return Err(wrong("is of a table with another number of rows"));
        }
        if word(8) != self.first {
            return Err(wrong("is of another fit: rows, columns, parameters or seed differ"));
        }
        Passes::from_bytes(body)
    }
}
