//! `separa._separa`: the engine as Python sees it. Knows no method by name; the registry does.
//!
//! The package `python/separa` brings tables into shape and speaks scikit-learn's language; here
//! they cross the border once ([`enter`]), as views where they can be.

mod class_stream;
mod compare;
mod convert;
mod enter;
mod error;
mod explain;
mod fit;
mod metrics;
mod plot;
mod prepare;
mod report;
mod rule;
mod stream;
mod train;
mod view;

use pyo3::prelude::*;

/// What the processor must have; `separa/_cpu.py` looks for it in the file before it is loaded.
#[used]
static NEEDS: [u8; 17] =
    if cfg!(target_feature = "avx2") { *b"separa needs avx2" } else { *b"separa needs none" };

#[pymodule]
mod _separa {
    #[pymodule_export]
    use super::class_stream::{ClassPasses, class_sample, class_sums};
    #[pymodule_export]
    use super::compare::{compare, stability};
    #[pymodule_export]
    use super::explain::{explain, rules};
    #[pymodule_export]
    use super::fit::{complete, fit, memory_size, methods};
    #[pymodule_export]
    use super::metrics::{
        assess, cluster_table, dcut, distances, external, gmsp, importance, msp, pairwise_msp,
        separation_bound, separation_score,
    };
    #[pymodule_export]
    use super::plot::{bins, look, map, profile, view};
    #[pymodule_export]
    use super::prepare::prepare;
    #[pymodule_export]
    use super::report::{notebook, report};
    #[pymodule_export]
    use super::rule::Rule;
    #[pymodule_export]
    use super::stream::{Passes, add_sums, pass_sums, sample_rows};
    #[pymodule_export]
    use super::train::{classifiers, tod, tod_merge, train};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Rows of a block that are summed together.
    #[pymodule_export]
    const PIECE: usize = separa::source::PIECE;

    use super::*;

    /// The command line, as `separa` has it: takes the words, returns the exit code.
    #[pyfunction]
    fn command_line(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| separa_cli::run(words))
    }

    /// A panic at the gate, for the test that the interpreter survives one.
    #[pyfunction]
    fn _panic(py: Python<'_>) -> PyResult<()> {
        let work = |_: enter::Bell| -> separa::Result<()> { panic!("asked for") };
        enter::run(py, Some(1), None, work)
    }
}
