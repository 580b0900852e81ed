//! A row of weight two is two equal rows, whatever the method.

use crate::common;

use common::{params, unjudged};
use separa::registry::METHODS;
use separa::{Dataset, DenseRef, Labels, MatrixRef, Named};
use separa_testkit::clouds::{Cloud, blobs};
use serde_json::json;

const ROWS: usize = 90;

/// Labels of rows of weight two, and of the first of each of twice as many rows.
fn both(method: &str, given: &Named, cloud: &Cloud) -> [Labels; 2] {
    let d = cloud.d;
    let rows: MatrixRef<'_> = DenseRef::new(cloud.n, d, &cloud.x).unwrap().into();
    let weights = vec![2.0; cloud.n];
    let weighted = Dataset::new(rows).unwrap().with_weights(&weights).unwrap();
    let twice: Vec<f64> = cloud.x.chunks_exact(d).flat_map(|row| row.repeat(2)).collect();
    let copies: MatrixRef<'_> = DenseRef::new(2 * cloud.n, d, &twice).unwrap().into();
    let request = unjudged(method, given);
    let copied = request.fit(&copies).unwrap();
    let copied = copied.labels();
    assert!(copied.chunks_exact(2).all(|pair| pair[0] == pair[1]), "{method} tears copies apart");
    let copied = copied.iter().copied().step_by(2).collect();
    [request.fit(&weighted).unwrap().labels().to_vec(), copied]
}

#[test]
fn separated_clusters_of_rows_of_weight_two_are_those_of_copies() {
    for entry in METHODS {
        for seed in 0..3 {
            let cloud = blobs(ROWS, 3, 3, 6.0, seed);
            let given = params(&[("n_clusters", json!(3))]);
            let [weighted, copied] = both(entry.name, &given, &cloud);
            assert_eq!(weighted, copied, "{} {seed}", entry.name);
        }
    }
}

/// The choice of a scaling is made on halves of the rows, and copies can be halved otherwise: it is given here.
#[test]
fn armc_on_overlapping_rows_of_weight_two_is_armc_on_copies() {
    for scaling in ["standard", "none"] {
        for (k, seed) in [(2, 1), (2, 2), (2, 3), (3, 4), (3, 5), (3, 6)] {
            let cloud = blobs(ROWS, 3, 3, 2.0, seed);
            let given = params(&[("n_clusters", json!(k)), ("scaling", json!(scaling))]);
            let [weighted, copied] = both("armc", &given, &cloud);
            let differ = weighted.iter().zip(&copied).filter(|(a, b)| a != b).count();
            assert_eq!(differ, 0, "{scaling} {k} {seed}");
        }
    }
}
