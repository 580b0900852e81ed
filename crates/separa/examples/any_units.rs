//! Rescale any feature: not one label changes, unless you ask for the table as it is.
//!
//! `cargo run --release -p separa --example any_units`

use separa::prelude::*;
use separa::quality::External;

pub fn main() -> separa::Result<()> {
    // Two clusters by the first feature (metres); the second (seconds) says nothing.
    let metres: Vec<[f64; 2]> = (0..120)
        .map(|i| {
            let wave = f64::from(i * 37 % 60) / 60.0;
            [f64::from(i % 2) * 8.0 + wave, f64::from(i * 53 % 120) / 120.0]
        })
        .collect();
    // The same table in kilometres and milliseconds.
    let kilometres: Vec<[f64; 2]> = metres.iter().map(|[m, s]| [m / 1000.0, s * 1000.0]).collect();

    let raw = || KMeans::new(2).scaling(Scaling::None);
    println!("{:11} {:>20}", "method", "labels that agree");
    for (name, before, after) in [
        ("mspc", Mspc::new(2).fit(&metres)?, Mspc::new(2).fit(&kilometres)?),
        ("kmeans", KMeans::new(2).fit(&metres)?, KMeans::new(2).fit(&kilometres)?),
        ("raw k-means", raw().fit(&metres)?, raw().fit(&kilometres)?),
    ] {
        let agreement = External::new(after.labels(), before.labels())?.accuracy;
        println!("{name:11} {:>19.0}%", 100.0 * agreement);
        assert_eq!(agreement == 1.0, name != "raw k-means");
    }
    Ok(())
}
