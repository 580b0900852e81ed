//! Prints the seconds that reading a table takes: `read_timing FILE [REPEATS]`.

use std::time::Instant;

use separa_io::{TableOptions, Values, read};

fn main() {
    let mut words = std::env::args().skip(1);
    let input = words.next().expect("usage: read_timing FILE [REPEATS]");
    let repeats: usize = words.next().map_or(1, |w| w.parse().expect("REPEATS is a number"));
    let options = TableOptions { truth: Some("label".to_owned()), ..TableOptions::default() };
    for _ in 0..repeats {
        let start = Instant::now();
        let table = read(&input, &options).unwrap_or_else(|error| panic!("{error}"));
        let seconds = start.elapsed().as_secs_f64();
        let sum: f64 = match &table.values {
            Values::Dense(values) => values.iter().sum(),
            Values::Sparse { values, .. } => values.iter().sum(),
        };
        println!("{seconds:.4} {} {} {sum}", table.rows, table.cols());
    }
}
