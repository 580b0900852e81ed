//! Tables of tiny values, columns of tiny spread: as any other unit, or constant; never lost, never a file that does
//! not load.

use crate::common;

use common::params;
use separa::methods::Mspc;
use separa::model_file::from_bytes;
use separa::quality::{self, AssessOptions};
use separa::registry::{CLASSIFIERS, METHODS};
use separa::{Clusterer, Comparer, Ctx, Dataset, DenseRef, MatrixRef, Method, Target, Trainer};
use separa_testkit::clouds::{Cloud, blobs};
use serde_json::json;

fn rows(x: &[f64]) -> MatrixRef<'_> {
    DenseRef::new(x.len() / 3, 3, x).unwrap().into()
}

/// Three clear clusters, in another unit.
fn cloud(unit: f64) -> Cloud {
    let mut cloud = blobs(90, 3, 3, 9.0, 5);
    cloud.x.iter_mut().for_each(|v| *v *= unit);
    cloud
}

#[test]
fn tiny_tables_have_the_clusters_of_the_same_table_in_another_unit() {
    let plain = cloud(1.0);
    // A power of two, so that the values keep their digits; 2^-1060 leaves a few.
    for power in [-300, -500, -665, -1000, -1060] {
        let tiny = cloud(f64::from(power).exp2());
        for entry in METHODS {
            for scaling in ["auto", "none"] {
                let given = params(&[("n_clusters", json!(3)), ("scaling", json!(scaling))]);
                let fit = |x: &[f64]| {
                    Clusterer::named(entry.name, &given).unwrap().fit(&rows(x)).unwrap()
                };
                let (a, b) = (fit(&plain.x), fit(&tiny.x));
                let what = format!("{} {scaling} 2^{power}", entry.name);
                assert_eq!(a.labels(), b.labels(), "{what}");
                assert_eq!(b.predict(&rows(&tiny.x)).unwrap(), b.labels(), "{what}");
                let loaded = from_bytes(&b.to_bytes().unwrap()).unwrap();
                let decisions =
                    (b.decision(&rows(&tiny.x)).unwrap(), loaded.decision(&rows(&tiny.x)).unwrap());
                assert_eq!(decisions.0, decisions.1, "{what}");
                assert!(decisions.0.data().iter().all(|v| v.is_finite()), "{what}");
                assert_eq!(b.quality().is_ok(), a.quality().is_ok(), "{what}");
            }
            // Without the request around it, too.
            let given = params(&[("n_clusters", json!(3)), ("scaling", json!("none"))]);
            let data = Dataset::new(rows(&tiny.x)).unwrap();
            let fit = entry.solve(&given, &data, &mut Ctx::new(0)).unwrap();
            assert_eq!(fit.model.predict(rows(&tiny.x)).unwrap(), fit.labels, "{}", entry.name);
            assert_eq!(fit.model.n_clusters(), 3, "{} 2^{power}", entry.name);
        }
    }
}

#[test]
fn a_tiny_table_is_judged_compared_and_counted_as_any_other() {
    let (plain, tiny) = (cloud(1.0), cloud((-900.0_f64).exp2()));
    let assess = |x: &[f64]| {
        let data = Dataset::new(rows(x)).unwrap();
        quality::assess(&data, &plain.labels, &AssessOptions::default()).unwrap()
    };
    let (a, b) = (assess(&plain.x), assess(&tiny.x));
    assert_eq!(
        (a.msp, a.p_gauss, a.p_unimodal, a.pairs),
        (b.msp, b.p_gauss, b.p_unimodal, b.pairs)
    );
    let found = Clusterer::new(Mspc::auto()).fit(&rows(&tiny.x)).unwrap();
    assert_eq!(found.k(), 3);
    assert!(found.notes().iter().any(|n| n.code == "tiny-values" && n.text.contains("2^")));
    let given = params(&[("n_clusters", json!(3))]);
    let compared =
        Comparer::named(&["mspc", "kmeans"], &given).unwrap().fit(&rows(&tiny.x), None).unwrap();
    for result in &compared.results {
        let found = result.clustering.as_ref().unwrap();
        assert_eq!(found.predict(&rows(&tiny.x)).unwrap(), found.labels());
    }
}

#[test]
fn a_column_of_tiny_spread_counts_for_nothing_and_the_model_loads() {
    let plain = cloud(1.0);
    let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    let target = Target::new(plain.labels.iter().map(|l| *l as u32).collect(), names).unwrap();
    for power in [-100, -155, -158, -160, -250, -300] {
        let mut x = plain.x.clone();
        x.iter_mut().skip(2).step_by(3).for_each(|v| *v *= 10_f64.powi(power));
        for scaling in ["auto", "none"] {
            let given = params(&[("scaling", json!(scaling))]);
            for entry in CLASSIFIERS {
                let trained =
                    Trainer::named(entry.name, &given).unwrap().fit(&rows(&x), &target).unwrap();
                let what = format!("{} {scaling} 1e{power}", entry.name);
                assert_eq!(trained.labels(), plain.labels, "{what}");
                assert!(from_bytes(&trained.to_bytes().unwrap()).is_ok(), "{what}");
            }
            for entry in METHODS {
                let found = Clusterer::named(
                    entry.name,
                    &params(&[("n_clusters", json!(3)), ("scaling", json!(scaling))]),
                )
                .unwrap()
                .quality(false)
                .fit(&rows(&x))
                .unwrap();
                let what = format!("{} {scaling} 1e{power}", entry.name);
                assert_eq!(found.k(), 3, "{what}");
                assert!(from_bytes(&found.to_bytes().unwrap()).is_ok(), "{what}");
            }
        }
    }
}

#[test]
fn a_column_of_huge_spread_gives_a_model_that_loads_with_every_solver() {
    // Found by fuzzing: the printed rule multiplies by the square of a deviation.
    let mut x = cloud(1.0).x;
    x.iter_mut().step_by(3).for_each(|v| *v *= 1e147);
    for solver in ["mpm", "gep", "eig", "eig-paper"] {
        let given = params(&[("n_clusters", json!(2)), ("solver", json!(solver))]);
        let found =
            Clusterer::named("mspc", &given).unwrap().quality(false).fit(&rows(&x)).unwrap();
        let loaded = from_bytes(&found.to_bytes().unwrap()).unwrap();
        assert_eq!(loaded.predict(&rows(&x)).unwrap(), found.labels(), "{solver}");
    }
}

#[test]
fn odd_small_tables_give_a_model_that_loads_or_an_error_in_words() {
    let zeros_and_one: Vec<f64> = (0..44).map(|_| 0.0).chain([5e-324]).collect();
    let tables: [(usize, Vec<f64>); 5] = [
        (1, zeros_and_one),
        (3, [0.0, 0.0, 1.0].repeat(2)),
        (1, vec![7e-309, -1e-308, 3e-309]),
        (2, vec![5e-324; 8]),
        (2, vec![0.0; 12]),
    ];
    for (d, x) in &tables {
        let table: MatrixRef<'_> = DenseRef::new(x.len() / d, *d, x).unwrap().into();
        for entry in METHODS {
            for scaling in ["auto", "none"] {
                for k in [1, 2] {
                    let given = params(&[("n_clusters", json!(k)), ("scaling", json!(scaling))]);
                    let Ok(found) = Clusterer::named(entry.name, &given).unwrap().fit(&table)
                    else {
                        continue;
                    };
                    let what = format!("{} {scaling} {k} {x:?}", entry.name);
                    let bytes = found.to_bytes().unwrap_or_else(|e| panic!("{what}: {e}"));
                    let loaded = from_bytes(&bytes).unwrap();
                    assert_eq!(loaded.predict(&table).unwrap(), found.labels(), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_kernel_that_overflows_is_refused_with_a_remedy_in_every_form() {
    let x: Vec<f64> = blobs(40, 3, 2, 5.0, 1).x.iter().map(|v| v * 1e9).collect();
    for (method, landmarks) in
        [("kernel-kmeans", 0), ("kernel-kmeans", 5), ("logistic", 5), ("mspc", 5), ("armc", 5)]
    {
        let given = params(&[
            ("n_clusters", json!(2)),
            ("scaling", json!("none")),
            ("kernel", json!("poly")),
            ("degree", json!(20)),
            ("landmarks", json!(landmarks)),
        ]);
        let fit = Clusterer::named(method, &given).unwrap().quality(false).fit(&rows(&x));
        match fit {
            // The eigenvalues of ARMC's landmarks are where it is noticed.
            Err(e) if method == "armc" => {
                assert!(e.to_string().contains("numerical step failed"), "{e}")
            }
            Err(e) => assert!(e.to_string().contains("rescale the columns"), "{method}: {e}"),
            Ok(found) => {
                assert!(found.objective().is_finite(), "{method} {landmarks}");
                assert!(from_bytes(&found.to_bytes().unwrap()).is_ok(), "{method}");
            }
        }
    }
}

#[test]
fn a_machine_that_rounding_decides_ends_and_says_that_it_did_not_converge() {
    let cloud = blobs(30, 4, 1, 0.0, 3);
    let table: MatrixRef<'_> = DenseRef::new(30, 4, &cloud.x).unwrap().into();
    // Millions of steps for each of a hundred machines, without a bound on them.
    for landmarks in [0, 3] {
        let given = params(&[
            ("n_clusters", json!(2)),
            ("reg", json!(1e-12)),
            ("landmarks", json!(landmarks)),
        ]);
        // Which rows are landmarks decides whether rounding does: some seeds converge.
        let told = |seed: u64| {
            let request = Clusterer::named("armc", &given).unwrap().quality(false).seed(seed);
            let found = request.fit(&table).unwrap();
            assert_eq!(found.k(), 2);
            found.notes().iter().any(|n| n.code == "not-converged")
        };
        assert!((0..if landmarks == 0 { 1 } else { 8 }).any(told), "{landmarks}");
    }
}
