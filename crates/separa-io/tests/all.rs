//! All tests of files in and out, in one program. `cargo test --test all csv::` runs those of one file.

mod columns;
mod common;
mod csv;
mod faults;
mod formats;
mod hostile;
mod npy_svmlight;
mod odd_text;
mod parquet;
mod prepare;
mod stream;
mod write;
