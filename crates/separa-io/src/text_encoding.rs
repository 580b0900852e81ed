//! Bytes of a text file to UTF-8: UTF-16 in both orders, and Windows-1252 where nothing else fits.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use rayon::prelude::*;

use crate::error::{Error, Result};

/// Bytes looked at to tell UTF-16 without a byte order mark.
const SAMPLE: usize = 4096;
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text as UTF-8 without a byte order mark, and what was assumed about it.
pub(crate) fn to_utf8(file: &str, bytes: Vec<u8>) -> Result<(Vec<u8>, Option<String>)> {
    if let [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] = bytes[..] {
        return Ok((decode_utf_32(file, &bytes)?, None));
    }
    if let Some(encoding) = utf_16(&bytes) {
        let marked = matches!(bytes[..2], [0xff, 0xfe] | [0xfe, 0xff]);
        let text = decode_utf_16(file, &bytes[if marked { 2 } else { 0 }..], encoding)?;
        return Ok((text, (!marked).then(|| assumed(file, encoding.name()))));
    }
    if is_utf_8(&bytes) {
        let marked = bytes.starts_with(MARK);
        return Ok((if marked { bytes[MARK.len()..].to_vec() } else { bytes }, None));
    }
    if is_binary(&bytes) {
        return Err(not_text(file));
    }
    // Where most characters beyond ASCII are UTF-8, single bytes are damaged: the parser says which.
    if mostly_utf_8(&bytes) {
        return Ok((bytes, None));
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(&bytes);
    Ok((owned(text), Some(assumed(file, "Windows-1252 (Latin-1)"))))
}

fn assumed(file: &str, encoding: &str) -> String {
    format!("{file}: the text is not UTF-8 and was read as {encoding}")
}

fn not_text(file: &str) -> Error {
    Error::Unsupported {
        file: file.to_owned(),
        what: "the file is not text".to_owned(),
        expected: "expected a table as text; give a file of another type the ending of its type"
            .to_owned(),
    }
}

fn owned(text: Cow<'_, str>) -> Vec<u8> {
    text.into_owned().into_bytes()
}

pub(crate) fn is_utf_16(bytes: &[u8]) -> bool {
    utf_16(bytes).is_some()
}

/// Which UTF-16 the bytes are: by their mark or, without one, by zeros in every second place.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let pairs = || bytes[..bytes.len().min(SAMPLE)].chunks_exact(2);
    let count = pairs().count();
    let zeros = |place: usize| pairs().filter(|pair| pair[place] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    // Most tables are mostly digits and Latin letters, whose upper byte is zero.
    let plain = |upper: usize, lower: usize| count > 1 && 2 * upper > count && lower == 0;
    match () {
        () if plain(second, first) => Some(UTF_16LE),
        () if plain(first, second) => Some(UTF_16BE),
        () => None,
    }
}

fn decode_utf_16(file: &str, bytes: &[u8], encoding: &'static Encoding) -> Result<Vec<u8>> {
    let (text, damaged) = encoding.decode_without_bom_handling(bytes);
    if damaged {
        let detail = format!("a character of the {} text is incomplete", encoding.name());
        return Err(Error::Damaged { file: file.to_owned(), detail });
    }
    Ok(owned(text))
}

/// UTF-32 with its mark in front, in either order.
fn decode_utf_32(file: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let read = if bytes[0] == 0xff { u32::from_le_bytes } else { u32::from_be_bytes };
    let (units, rest) = bytes[4..].as_chunks::<4>();
    let text: Option<String> = units.iter().map(|unit| char::from_u32(read(*unit))).collect();
    text.filter(|_| rest.is_empty()).map(String::into_bytes).ok_or_else(|| Error::Damaged {
        file: file.to_owned(),
        detail: "a character of the UTF-32 text is incomplete".to_owned(),
    })
}

fn is_utf_8(bytes: &[u8]) -> bool {
    const PART: usize = 1 << 20;
    bytes.par_chunks(PART).all(<[u8]>::is_ascii) || std::str::from_utf8(bytes).is_ok()
}

/// Whether bytes hold what no text holds: a zero, or many control characters.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(1 << 16)];
    let control = |byte: &&u8| **byte < 32 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1a);
    sample.contains(&0) || 100 * sample.iter().filter(control).count() > sample.len()
}

/// Whether more characters beyond ASCII are UTF-8 than not.
fn mostly_utf_8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf_16_bytes(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    proptest! {
        #[test]
        fn marked_utf_16_of_any_text_is_read_back(text in "[ -~äßπ😀\n]{0,40}") {
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let (read, notice) = to_utf8("t", utf_16_bytes(&format!("\u{feff}{text}"), bytes)).unwrap();
                prop_assert_eq!(read, text.as_bytes());
                prop_assert_eq!(notice, None);
            }
        }

        #[test]
        fn marked_utf_32_of_any_text_is_read_back(text in "[ -~äßπ😀\n]{0,40}") {
            for bytes in [u32::to_le_bytes, u32::to_be_bytes] {
                let whole = format!("\u{feff}{text}");
                let coded: Vec<u8> = whole.chars().flat_map(|c| bytes(u32::from(c))).collect();
                prop_assert_eq!(to_utf8("t", coded).unwrap(), (text.clone().into_bytes(), None));
            }
        }

        #[test]
        fn unmarked_utf_16_of_latin_text_is_told(text in "[ -~\n]{2,40}[é]?") {
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let (read, notice) = to_utf8("t", utf_16_bytes(&text, bytes)).unwrap();
                prop_assert_eq!(read, text.as_bytes());
                prop_assert!(notice.unwrap().contains("UTF-16"));
            }
        }

        #[test]
        fn utf_8_stays_as_it_is(text in "[a-zä€😀\n,]{0,40}") {
            prop_assert_eq!(to_utf8("t", text.clone().into_bytes()).unwrap(), (text.into_bytes(), None));
        }
    }

    #[test]
    fn latin_1_is_assumed_only_where_utf_8_is_not_the_rule() {
        let (read, notice) = to_utf8("t", b"caf\xe9;5 \x80".to_vec()).unwrap();
        assert_eq!(read, "café;5 €".as_bytes());
        assert!(notice.unwrap().contains("Windows-1252"));
        let damaged = b"\xc3\xa4\xc3\xb6\xc3,1".to_vec();
        assert_eq!(to_utf8("t", damaged.clone()).unwrap(), (damaged, None));
        assert!(to_utf8("t", b"\x00\x01\xff\xfe\x00\x00\xe9\x01".to_vec()).is_err());
    }
}
