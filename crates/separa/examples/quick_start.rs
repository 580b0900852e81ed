//! Cluster rows, read the verdict, label new rows.
//!
//! `cargo run --release -p separa --example quick_start`

use separa::prelude::*;

pub fn main() -> separa::Result<()> {
    // Income in thousands and age of sixty customers.
    let rows: Vec<[f64; 2]> = (0..60)
        .map(|i| {
            let (young, spread) = (i % 3 > 0, f64::from(i * 7 % 20));
            if young {
                [25.0 + spread, 22.0 + 0.4 * spread]
            } else {
                [70.0 + spread, 51.0 + 0.6 * spread]
            }
        })
        .collect();

    let found = Mspc::new(2).fit(&rows)?;

    println!("{} clusters of {:?} rows", found.k(), found.sizes());
    println!("first labels: {:?}", &found.labels()[..6]);

    // Is the separation real? One sentence, and the numbers behind it.
    println!("verdict: {}", found.verdict().text);
    let quality = found.quality()?;
    println!("MSP {:.2}, p (unimodal) {:?}", quality.msp, quality.p_unimodal);
    for note in found.notes() {
        println!("note [{}]: {note}", note.code);
    }

    // A clustering is a rule: it labels rows that it has not seen.
    let new = found.predict(&[[30.0, 25.0], [85.0, 60.0]])?;
    println!("new rows: {new:?}");
    assert_eq!(found.predict(&rows)?, found.labels());
    assert_ne!(new[0], new[1]);
    Ok(())
}
