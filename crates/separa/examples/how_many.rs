//! Let the data say how many clusters there are, and ask whether they are stable.
//!
//! `cargo run --release -p separa --example how_many`

use separa::prelude::*;

/// `n` rows around each of the first `k` corners of a square.
fn square(k: usize, n: usize) -> Vec<[f64; 2]> {
    let corners = [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]];
    let mut state = 1_u64;
    let mut noise = || {
        // Twelve uniform numbers add up to nearly a normal one.
        let uniform = |_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        (0..12).map(uniform).sum::<f64>() - 6.0
    };
    (0..k * n).map(|i| corners[i % k].map(|at| at + noise())).collect()
}

pub fn main() -> separa::Result<()> {
    for k in [1, 3, 4] {
        let found = Clusterer::new(Mspc::auto()).seed(7).stability(10).fit(&square(k, 80))?;
        let count = found.count().expect("the number was open");
        println!("{k} corners: {} found, in runs {}", found.k(), count.runs());
        println!("  {}", found.verdict().text);
        match found.stability() {
            Some(stability) => println!("  stability (Jaccard): {:.2?}", stability.jaccard),
            None => println!("  one cluster: no stability to speak of"),
        }
        assert_eq!(found.k(), k);
    }
    Ok(())
}
