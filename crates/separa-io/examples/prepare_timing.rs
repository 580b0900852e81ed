//! Prints the seconds of reading a table and of preparing it, and their ratio: `prepare_timing FILE [REPEATS]`.

use std::time::Instant;

use separa_io::{TableOptions, read_table};

fn main() {
    let mut words = std::env::args().skip(1);
    let input = words.next().expect("usage: prepare_timing FILE [REPEATS]");
    let repeats: usize = words.next().map_or(1, |w| w.parse().expect("REPEATS is a number"));
    for _ in 0..repeats {
        let start = Instant::now();
        let table = read_table(&input, &TableOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let read = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let prepared = table.prepare(&TableOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let prepare = start.elapsed().as_secs_f64();
        let (rows, features) = (prepared.rows, prepared.cols());
        println!(
            "read {read:.3} s, prepare {prepare:.3} s ({:.2}): {rows} x {features}",
            prepare / read
        );
    }
}
