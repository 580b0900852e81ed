//! Files of every format: a table, a model, or an error that says something.

use separa::model_file;
use separa::preparation::MissingRule;
use separa_io::{Prepared, Result, TableOptions, Values, read_bytes};

pub(crate) fn csv(bytes: &[u8]) {
    table("t.csv", bytes);
}

pub(crate) fn json(bytes: &[u8]) {
    table("t.json", bytes);
}

pub(crate) fn parquet(bytes: &[u8]) {
    separa_io::hush_decoder();
    table("t.parquet", bytes);
}

pub(crate) fn npy(bytes: &[u8]) {
    table("t.npy", bytes);
}

pub(crate) fn svmlight(bytes: &[u8]) {
    table("t.svm", bytes);
}

/// What was read is finite and of its shape; read once more with what the model would keep, it is the same.
fn table(name: &str, bytes: &[u8]) {
    let options = TableOptions { missing: Some(MissingRule::Mean), ..TableOptions::default() };
    let first = said(name, read_bytes(name, bytes.to_vec(), &options));
    let Some(first) = first else { return };
    if let Values::Dense(values) = &first.values {
        assert_eq!(values.len() % first.names.len().max(1), 0, "{name}: not a table");
        assert!(values.iter().all(|v| v.is_finite()), "{name}: a value is not finite");
    }
    let again = said(name, read_bytes(name, bytes.to_vec(), &options)).expect("it was read before");
    assert!(first.values == again.values && first.names == again.names, "{name}: read twice");
}

fn said(name: &str, read: Result<Prepared>) -> Option<Prepared> {
    match read {
        Ok(table) => Some(table),
        Err(e) => {
            let said = e.to_string();
            assert!(said.starts_with(name) && said.len() > name.len() + 10, "{said}");
            None
        }
    }
}

/// A model that loads is written and loads again, with the same bytes.
pub(crate) fn model(bytes: &[u8]) {
    match model_file::from_bytes(bytes) {
        Ok(saved) => {
            let written = saved.to_bytes().expect("what was loaded can be saved");
            let again = model_file::from_bytes(&written).expect("what was saved loads");
            assert!(again.to_bytes().expect("and again") == written, "saved twice");
        }
        Err(e) => assert!(e.to_string().len() > 10, "{e}"),
    }
}
