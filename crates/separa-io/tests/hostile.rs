//! Altered and arbitrary bytes: an error or a table, never a panic.

use crate::common;

use common::{Col, npy_bytes, parquet_bytes};
use proptest::prelude::*;
use separa::preparation::MissingRule;
use separa_io::{TableOptions, read_bytes};

fn try_to_read(bytes: Vec<u8>, id: Option<&str>) {
    let id = id.map(str::to_owned);
    let options = TableOptions { missing: Some(MissingRule::Mean), id, ..Default::default() };
    let _ = read_bytes("bytes", bytes, &options);
}

fn parquet_file() -> Vec<u8> {
    let message = "message t { optional double a; required int64 b; required binary c (UTF8); }";
    let a = Col::OptF64((0..300).map(|i| (i % 7 != 0).then_some(f64::from(i))).collect());
    let c = Col::Text((0..300).map(|i| if i % 2 == 0 { "even" } else { "odd" }).collect());
    parquet_bytes(message, &[vec![a, Col::I64((0..300).collect()), c]])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn altered_parquet_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = parquet_file();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        try_to_read(bytes, Some("c"));
    }

    #[test]
    fn altered_npy_never_panics(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = npy_bytes("'<f8'", true, "(4, 2)", &[1; 64]);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        try_to_read(bytes, None);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9a,;:\"\n\r\t |#.-]{0,80}") {
        try_to_read(text.into_bytes(), None);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        try_to_read(bytes, None);
    }
}
