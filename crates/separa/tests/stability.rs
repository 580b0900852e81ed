//! Refits on halves of the rows.

use crate::common;

use common::unjudged;
use separa::stability::Stability;
use separa::{Clusterer, CsrRef, Dataset, DenseRef, Event, Named, Observer};
use separa_testkit::clouds::{self, Covariance, blobs, two_gaussians};
use serde_json::json;
use std::ops::ControlFlow;

fn data(x: &[f64], d: usize) -> Dataset<'_> {
    Dataset::new(DenseRef::new(x.len() / d, d, x).unwrap().into()).unwrap()
}

fn given(k: usize) -> Named {
    [("n_clusters".to_owned(), json!(k))].into_iter().collect()
}

fn found(table: &Dataset<'_>, method: &str, given: &Named, b: usize) -> separa::Result<Stability> {
    let request = unjudged(method, given);
    request.refit(table, &request.fit(table)?, b)
}

#[test]
fn separated_clusters_come_back_row_by_row() {
    let cloud = blobs(300, 4, 3, 20.0, 1);
    for method in ["mspc", "kmeans", "spectral", "msc"] {
        let s = found(&data(&cloud.x, 4), method, &given(3), 6).unwrap();
        assert_eq!((s.refits, s.jaccard.len(), s.uncertain), (6, 3, 0), "{method}");
        assert!(s.jaccard.iter().all(|j| *j > 0.99), "{method} {:?}", s.jaccard);
        assert!(s.agreement.iter().all(|a| *a == 1.0), "{method}");
    }
}

#[test]
fn rows_near_the_boundary_are_the_uncertain_ones() {
    let cloud = two_gaussians(600, 2, 0.5, 3.0, 2);
    let s = found(&data(&cloud.x, 2), "mspc", &given(2), 12).unwrap();
    let fit = unjudged("mspc", &given(2)).fit(&data(&cloud.x, 2)).unwrap();
    let margin = fit.decision(&data(&cloud.x, 2)).unwrap();
    let mut order: Vec<usize> = (0..600).collect();
    order.sort_by(|a, b| margin[(*a, 0)].abs().total_cmp(&margin[(*b, 0)].abs()));
    let mean =
        |rows: &[usize]| rows.iter().map(|i| s.agreement[*i]).sum::<f64>() / rows.len() as f64;
    assert!(
        mean(&order[..60]) < mean(&order[540..]),
        "{} {}",
        mean(&order[..60]),
        mean(&order[540..])
    );
    assert_eq!(s.uncertain, s.agreement.iter().filter(|a| **a < Stability::SURE).count());
}

#[test]
fn a_cloud_cut_in_many_pieces_does_not_come_back() {
    let x = clouds::gaussian(400, 6, Covariance::Spherical, 3);
    let s = found(&data(&x, 6), "kmeans", &given(6), 8).unwrap();
    assert!(s.jaccard.iter().all(|j| *j < 0.75) && s.mean_agreement < 0.8, "{s:?}");
}

#[test]
fn the_answer_is_a_function_of_rows_and_seed_alone() {
    let cloud = two_gaussians(200, 5, 0.3, 2.0, 4);
    let indptr: Vec<usize> = (0..=200).map(|i| 5 * i).collect();
    let indices: Vec<u32> = (0..1000).map(|i| (i % 5) as u32).collect();
    let sparse = CsrRef::new(5, &indptr, &indices, &cloud.x).unwrap();
    let sparse = Dataset::new(sparse.into()).unwrap();
    let dense = data(&cloud.x, 5);
    let run = |table: &Dataset<'_>, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| found(table, "mspc", &given(2), 6).unwrap())
    };
    let one = run(&dense, 1);
    assert_eq!(one, run(&dense, 3));
    assert_eq!(one, run(&sparse, 2));
}

#[test]
fn starts_and_marks_of_all_rows_are_not_given_to_halves() {
    let cloud = two_gaussians(120, 3, 0.5, 9.0, 5);
    let mut given = given(2);
    given.insert("init".into(), json!(cloud.labels));
    given.insert("outliers".into(), json!("mark"));
    let s = found(&data(&cloud.x, 3), "mspc", &given, 4).unwrap();
    assert_eq!(s.refits, 4);
}

#[test]
fn weights_go_along() {
    let cloud = two_gaussians(120, 3, 0.5, 9.0, 6);
    let weights: Vec<f64> = (0..120).map(|i| f64::from(1 + i % 3)).collect();
    let table = data(&cloud.x, 3).with_weights(&weights).unwrap();
    assert!(found(&table, "kmeans", &given(2), 4).unwrap().mean_agreement > 0.99);
}

#[test]
fn what_cannot_be_halved_is_refused() {
    let cloud = two_gaussians(40, 2, 0.5, 9.0, 7);
    let table = data(&cloud.x, 2);
    let said = |r: separa::Result<Stability>| r.unwrap_err().to_string();
    for b in [0, 1] {
        let said = said(found(&table, "kmeans", &given(2), b));
        assert!(said.contains(&format!("at least 2 refits, got {b}")), "{said}");
    }
    assert!(said(found(&table, "kmeans", &given(30), 4)).contains("ask for fewer clusters"));
    let bags: Vec<_> = (0..20).map(|i| 2 * i..2 * i + 2).collect();
    let bagged = table.with_bags(&bags).unwrap();
    assert!(said(found(&bagged, "msc", &given(2), 4)).contains("give a table of features"));
}

#[test]
fn an_interrupt_keeps_the_refits_that_are_done() {
    #[derive(Clone)]
    struct After(usize);
    impl Observer for After {
        fn on(&mut self, event: &Event) -> ControlFlow<()> {
            match event {
                Event::Start { index, .. } if *index >= self.0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let cloud = two_gaussians(100, 2, 0.5, 9.0, 8);
    let table = data(&cloud.x, 2);
    let request: Clusterer<'_> = unjudged("kmeans", &given(2));
    let found = request.fit(&table).unwrap();
    let run = |after| request.clone().observe(After(after)).refit(&table, &found, 20);
    assert_eq!(run(8).unwrap().refits, 8);
    assert!(run(0).unwrap_err().to_string().contains("interrupted"));
}
