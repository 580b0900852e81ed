//! Several methods on one table, ranked without labels.
//!
//! `cargo run --release -p separa --example choose_a_method`

use separa::params::Named;
use separa::prelude::*;
use std::time::Duration;

pub fn main() -> separa::Result<()> {
    // Two rings about one centre: no flat boundary separates them.
    let rows: Vec<[f64; 2]> = (0..240)
        .map(|i| {
            let angle = f64::from(i) * 2.4;
            let radius = [1.0, 5.0][i as usize % 2] + 0.2 * (f64::from(i) * 0.7).sin();
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();

    let given: Named = [("n_clusters".to_owned(), 2.into())].into_iter().collect();
    let methods = ["mspc", "kmeans", "spectral", "kernel-kmeans"];
    let compared =
        Comparer::named(&methods, &given)?.time_limit(Duration::from_secs(60)).fit(&rows, None)?;

    println!("rank  method         score  sizes");
    for result in &compared.results {
        let sizes = result.clustering.as_ref().map(|found| found.sizes().to_vec());
        let (rank, score) = (result.rank.unwrap_or(0), result.score.unwrap_or(0.0));
        println!("{rank:>4}  {:13} {score:>6.2}  {:?}", result.method, sizes.unwrap_or_default());
    }
    println!("{}", compared.verdict);
    for note in separa::compare::cautions(&compared) {
        println!("note: {note}");
    }
    assert_eq!(compared.results[0].method, "spectral");
    Ok(())
}
