//! Prints the seconds of reading a table and of preparing it, and their ratio: `prepare_timing FILE [REPEATS]`. First by the
//! clock, then of the processor (where `/proc` tells it), which other work on the machine does not change.

use std::time::Instant;

use separa_io::{TableOptions, read_table};

fn main() {
    let mut words = std::env::args().skip(1);
    let input = words.next().expect("usage: prepare_timing FILE [REPEATS]");
    let repeats: usize = words.next().map_or(1, |w| w.parse().expect("REPEATS is a number"));
    for _ in 0..repeats {
        let start = (Instant::now(), processor());
        let table = read_table(&input, &TableOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let between = (Instant::now(), processor());
        let prepared = table.prepare(&TableOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let end = (Instant::now(), processor());
        let clock = [between.0 - start.0, end.0 - between.0].map(|t| t.as_secs_f64());
        let used = [between.1 - start.1, end.1 - between.1];
        println!(
            "read {:.3} s, prepare {:.3} s ({:.2}); processor {:.2} s, {:.2} s ({:.2}): {} x {}",
            clock[0],
            clock[1],
            clock[1] / clock[0],
            used[0],
            used[1],
            used[1] / used[0],
            prepared.rows,
            prepared.cols()
        );
    }
}

/// Seconds of the processor that this process has used; the kernel counts hundredths.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, can hold blanks; user and system time are the 12th and 13th field after it.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
