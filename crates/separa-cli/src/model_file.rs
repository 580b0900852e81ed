//! Model files from disk.

use crate::failure::{Failure, Result};
use separa::model_file::{Saved, from_bytes};
use std::path::Path;

pub fn load(path: &Path) -> Result<Saved> {
    let name = path.display();
    let bytes = separa_io::read_model(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::new(format!("{name}: no such model file; check the path"))
        }
        _ => Failure::new(format!("{name}: cannot be read ({e})")),
    })?;
    from_bytes(&bytes).map_err(|e| Failure::new(format!("{name}: {e}")))
}
