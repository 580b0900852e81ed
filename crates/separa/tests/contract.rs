//! What every registered method must do. A new method is covered by being in the registry.

use crate::common;

use common::{StopAt, params, unjudged};
use separa::model_file::{self, Tensor, Tensors};
use separa::registry::{self, METHODS, MethodEntry};
use separa::{AnyFit, Clustering, CsrRef, Ctx, Dataset, DenseRef, MatrixRef, Stop};
use separa_testkit::clouds::{Cloud, Source, blobs, sparse_rows};
use serde_json::{Map, Value, json};

fn dense(cloud: &Cloud) -> MatrixRef<'_> {
    DenseRef::new(cloud.n, cloud.d, &cloud.x).unwrap().into()
}

fn fit(entry: &MethodEntry, x: MatrixRef<'_>, k: usize, ctx: &mut Ctx<'_>) -> AnyFit {
    let data = Dataset::new(x).unwrap();
    entry.solve(&params(&[("n_clusters", json!(k))]), &data, ctx).unwrap()
}

fn found(entry: &MethodEntry, x: MatrixRef<'_>, k: usize) -> Clustering {
    unjudged(entry.name, &params(&[("n_clusters", json!(k))])).fit(&x).unwrap()
}

fn each(check: impl Fn(&'static MethodEntry)) {
    assert!(!METHODS.is_empty());
    METHODS.iter().for_each(check);
}

#[test]
fn predict_on_training_rows_equals_labels() {
    each(|entry| {
        for k in [1, 2, 3, 5] {
            let cloud = blobs(200, 4, k, 6.0, 11);
            let fit = fit(entry, dense(&cloud), k, &mut Ctx::new(1));
            assert_eq!(fit.model.predict(dense(&cloud)).unwrap(), fit.labels, "{} {k}", entry.name);
            // A row's label does not depend on the rows beside it.
            for i in (0..200).step_by(37) {
                let row = &cloud.x[4 * i..4 * i + 4];
                let one = fit.model.predict(DenseRef::new(1, 4, row).unwrap().into()).unwrap();
                assert_eq!(one, [fit.labels[i]], "{} row {i}", entry.name);
            }
        }
    });
}

#[test]
fn labels_are_numbered_by_first_appearance_and_all_clusters_are_found() {
    each(|entry| {
        for k in [1, 2, 4] {
            let cloud = blobs(160, 3, k, 8.0, 5);
            let fit = fit(entry, dense(&cloud), k, &mut Ctx::new(0));
            assert_eq!((fit.model.n_clusters(), fit.model.n_features()), (k, 3));
            let mut next = 0;
            for &l in &fit.labels {
                assert!((0..=next).contains(&l), "{}: {l} before {next}", entry.name);
                next = next.max(l + 1);
            }
            assert_eq!(next as usize, k, "{}", entry.name);
            assert_eq!(fit.labels, relabel(&cloud.labels), "{} misses plain blobs", entry.name);
        }
    });
}

fn relabel(truth: &[i32]) -> Vec<i32> {
    let mut seen: Vec<i32> = Vec::new();
    truth
        .iter()
        .map(|t| {
            if !seen.contains(t) {
                seen.push(*t);
            }
            seen.iter().position(|s| s == t).unwrap() as i32
        })
        .collect()
}

#[test]
fn one_two_and_four_threads_give_equal_labels_and_model_bytes() {
    each(|entry| {
        let cloud = blobs(3000, 6, 3, 3.0, 2);
        let run = |threads| {
            let request = unjudged(entry.name, &params(&[("n_clusters", json!(3))]));
            let found = request.seed(3).threads(threads).fit(&dense(&cloud)).unwrap();
            (found.labels().to_vec(), found.to_bytes().unwrap())
        };
        let one = run(1);
        assert!(run(2) == one && run(4) == one, "{} depends on threads", entry.name);
    });
}

#[test]
fn sparse_rows_give_the_model_of_the_dense_table() {
    each(|entry| {
        let mut cloud = blobs(500, 5, 2, 5.0, 8);
        cloud.x.iter_mut().for_each(|v| *v = if v.abs() < 1.0 { 0.0 } else { *v });
        let (indptr, indices, values) = sparse_rows(&cloud.x, 5);
        let sparse = CsrRef::new(5, &indptr, &indices, &values).unwrap();
        let (a, b) = (found(entry, dense(&cloud), 2), found(entry, sparse.into(), 2));
        assert_eq!(a.labels(), b.labels(), "{}", entry.name);
        assert!(a.to_bytes().unwrap() == b.to_bytes().unwrap(), "{}", entry.name);
        assert_eq!(a.predict(&sparse).unwrap(), a.labels());
    });
}

#[test]
fn a_saved_model_loads_with_equal_decisions_bit_for_bit() {
    each(|entry| {
        for k in [1, 2, 3] {
            let cloud = blobs(120, 3, k, 5.0, 4);
            let found = found(entry, dense(&cloud), k);
            let saved = model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
            assert_eq!(saved.method_name(), entry.name);
            let (a, b) = (found.decision(&dense(&cloud)), saved.decision(&dense(&cloud)));
            assert_eq!(a.unwrap().data(), b.unwrap().data(), "{}", entry.name);
        }
    });
}

#[test]
fn probabilities_sum_to_one_and_the_largest_is_the_label() {
    each(|entry| {
        for (k, gap) in [(1, 5.0), (2, 0.5), (2, 6.0), (4, 0.5), (4, 6.0)] {
            let cloud = blobs(150, 3, k, gap, 4);
            let found = found(entry, dense(&cloud), k);
            let Some(model) = found.model().proba() else {
                assert!(!entry.proba, "{} promises probabilities", entry.name);
                continue;
            };
            assert!(entry.proba, "{} keeps its probabilities secret", entry.name);
            // Rows on a boundary or far out, too: they tie more often.
            let mut x = cloud.x.clone();
            x.extend([0.0; 3]);
            x.extend(cloud.x[..90].iter().map(|v| 1e6 * v));
            let rows: MatrixRef<'_> = DenseRef::new(x.len() / 3, 3, &x).unwrap().into();
            let (p, labels) = (model.proba(rows).unwrap(), found.predict(&rows).unwrap());
            assert_eq!((p.rows(), p.cols()), (rows.rows(), found.k()));
            for (i, &label) in labels.iter().enumerate() {
                let row = p.row(i);
                assert!(row.iter().all(|v| (0.0..=1.0).contains(v)), "{}: {row:?}", entry.name);
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{}", entry.name);
                let top = (1..row.len()).fold(0, |b, c| if row[c] > row[b] { c } else { b });
                assert_eq!(top as i32, label, "{} row {i}: {row:?}", entry.name);
            }
            let data = Dataset::new(rows).unwrap();
            assert_eq!(model.proba_on(&data).unwrap(), p);
            let saved = model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
            assert_eq!(saved.proba(&rows).unwrap(), p, "{}", entry.name);
            let narrow = [1.0, f64::NAN, 1.0];
            assert!(model.proba(DenseRef::new(1, 2, &narrow[..2]).unwrap().into()).is_err());
            assert!(model.proba(DenseRef::new(1, 3, &narrow).unwrap().into()).is_err());
        }
    });
}

#[test]
fn every_method_is_sure_of_its_labels_to_a_degree() {
    each(|entry| {
        for (k, gap) in [(1, 5.0), (2, 0.5), (4, 0.5), (4, 6.0)] {
            let cloud = blobs(150, 3, k, gap, 4);
            let found = found(entry, dense(&cloud), k);
            let mut x = cloud.x.clone();
            x.extend([0.0; 3]);
            x.extend(cloud.x[..90].iter().map(|v| 1e6 * v));
            let rows: MatrixRef<'_> = DenseRef::new(x.len() / 3, 3, &x).unwrap().into();
            let (p, sure) = (found.proba(&rows).unwrap(), found.confidence(&rows).unwrap());
            assert_eq!(sure.labels, found.predict(&rows).unwrap(), "{}", entry.name);
            assert_eq!((p.rows(), p.cols()), (rows.rows(), k));
            for (i, &label) in sure.labels.iter().enumerate() {
                let row = p.row(i);
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{} {row:?}", entry.name);
                let top = (1..k).fold(0, |b, c| if row[c] > row[b] { c } else { b });
                assert_eq!(top as i32, label, "{} row {i}: {row:?}", entry.name);
                let even = 1.0 / k as f64;
                assert!((even..=1.0).contains(&sure.confidence[i]), "{} row {i}", entry.name);
                assert_eq!(sure.runner_up[i] == -1, k == 1);
                assert!(k == 1 || (sure.margin[i] >= 0.0 && sure.runner_up[i] != label));
            }
            let saved = model_file::from_bytes(&found.to_bytes().unwrap()).unwrap();
            let again = saved.confidence(&rows).unwrap();
            assert_eq!((&again.confidence, saved.proba(&rows).unwrap()), (&sure.confidence, p));
            // A row by itself is as sure as among others.
            let one: MatrixRef<'_> = DenseRef::new(1, 3, &x[30..33]).unwrap().into();
            let alone = found.confidence(&one).unwrap();
            assert_eq!(alone.confidence[0], again.confidence[10], "{}", entry.name);
        }
    });
}

#[test]
fn damaged_model_files_are_refused_and_never_panic() {
    each(|entry| {
        let cloud = blobs(60, 3, 3, 5.0, 4);
        let good = found(entry, dense(&cloud), 3).to_bytes().unwrap();
        for cut in [0, 1, 7, 8, 9, good.len() / 2, good.len() - 1] {
            assert!(model_file::from_bytes(&good[..cut]).is_err(), "{} cut at {cut}", entry.name);
        }
        // One flipped bit anywhere is noticed: in the numbers by the checksum.
        for at in (0..good.len()).step_by(3) {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(model_file::from_bytes(&bad).is_err(), "{} flipped at {at}", entry.name);
        }
    });
}

/// Models of every kind that one method makes of a small table.
fn kinds(entry: &MethodEntry, x: MatrixRef<'_>) -> Vec<AnyFit> {
    let data = Dataset::new(x).unwrap();
    let settings = [
        ("n_clusters", json!(2)),
        ("landmarks", json!(12)),
        ("kernel", json!("rbf")),
        ("kernel", json!("poly")),
        ("metric", json!("manhattan")),
        ("affinity", json!("rbf")),
        ("affinity", json!("self-tuning")),
    ];
    let own = settings.iter().filter(|(name, _)| entry.has(name));
    let fit = |setting: &(&str, Value)| {
        let given = params(&[("n_clusters", json!(3)), setting.clone()]);
        entry.solve(&given, &data, &mut Ctx::new(0)).ok()
    };
    own.filter_map(fit).collect()
}

/// One array shorter, longer, reshaped, missing or with a number that does not belong there.
fn tampered(whole: &Tensors, source: &mut Source) -> Tensors {
    const WHOLE: [i64; 8] = [-1, 0, 1, 7, 1 << 20, 1 << 40, i64::MAX, i64::MIN];
    const REAL: [f64; 7] = [-1.0, 0.0, 1e300, -1e300, f64::NAN, f64::INFINITY, 1e-300];
    let mut arrays: Vec<(String, Tensor)> =
        whole.iter().map(|(name, tensor)| (name.to_owned(), tensor.clone())).collect();
    let at = source.below(arrays.len());
    let (how, pick) = (source.below(5), source.below(1000));
    if how == 0 {
        arrays.remove(at);
        return arrays.into_iter().collect();
    }
    let resized = |shape: &mut Vec<usize>, values: usize| match how {
        // A file cannot hold another number of values than its shape says.
        1 if shape[0] > 0 => shape[0] -= 1,
        2 => shape[0] += 1,
        3 => *shape = if pick % 2 == 0 { vec![1, values] } else { vec![values] },
        _ => {}
    };
    match &mut arrays[at].1 {
        Tensor::F64 { shape, data } => {
            resized(shape, data.len());
            data.resize(shape.iter().product(), 1.0);
            if how == 4 && !data.is_empty() {
                let i = pick % data.len();
                data[i] = REAL[source.below(REAL.len())];
            }
        }
        Tensor::I64 { shape, data } => {
            resized(shape, data.len());
            data.resize(shape.iter().product(), 1);
            if how == 4 && !data.is_empty() {
                let i = pick % data.len();
                data[i] = WHOLE[source.below(WHOLE.len())];
            }
        }
    }
    arrays.into_iter().collect()
}

#[test]
fn tampered_models_give_an_error_or_labels_but_never_a_panic() {
    each(|entry| {
        let cloud = blobs(40, 3, 3, 5.0, 4);
        let mut source = Source::new(7);
        for fit in kinds(entry, dense(&cloud)) {
            let whole = fit.model.tensors();
            for _ in 0..60 {
                let tampered = tampered(&whole, &mut source);
                let Ok(model) = (entry.load)(&tampered) else { continue };
                // Columns that a rule does not use may be any number: such a model refuses our rows.
                let d = Some(model.n_features()).filter(|d| *d < 1000).unwrap_or(3);
                let x: Vec<f64> = cloud.x.iter().copied().cycle().take(5 * d).collect();
                let Ok(rows) = DenseRef::new(5, d, &x) else { continue };
                let Ok(labels) = model.predict(rows.into()) else { continue };
                let known = -1..model.n_clusters() as i32;
                assert!(labels.iter().all(|l| known.contains(l)), "{}: {labels:?}", entry.name);
            }
        }
    });
}

#[test]
fn a_newer_format_version_is_named_in_the_error() {
    let cloud = blobs(60, 3, 2, 5.0, 4);
    let good = found(&METHODS[0], dense(&cloud), 2).to_bytes().unwrap();
    let text = String::from_utf8_lossy(&good)
        .replace("\\\"format_version\\\":2", "\\\"format_version\\\":9");
    // Only the header is text; splice the edited header back before the numbers.
    let length = u64::from_le_bytes(good[..8].try_into().unwrap()) as usize;
    let mut edited = good[..8].to_vec();
    edited.extend_from_slice(&text.as_bytes()[text.find("{\"__metadata__").unwrap()..][..length]);
    edited.extend_from_slice(&good[8 + length..]);
    let message = model_file::from_bytes(&edited).unwrap_err().to_string();
    assert!(message.contains("format version is 9") && message.contains("update"), "{message}");
}

#[test]
fn specs_list_every_parameter_with_its_default() {
    each(|entry| {
        let complete = entry.params(&Map::new()).unwrap();
        let names: Vec<&str> = entry.specs.iter().map(|s| s.name).collect();
        assert_eq!(
            names,
            complete.keys().map(String::as_str).collect::<Vec<_>>(),
            "{}",
            entry.name
        );
        for spec in entry.specs {
            assert_eq!(complete[spec.name], (spec.default)(), "{} {}", entry.name, spec.name);
            assert!(spec.doc.ends_with('.') && !spec.domain.to_string().is_empty());
        }
    });
}

#[test]
fn bad_parameters_are_named_with_what_was_expected() {
    let cloud = blobs(40, 2, 2, 5.0, 1);
    let data = Dataset::new(dense(&cloud)).unwrap();
    each(|entry| {
        let run = |pairs: &[(&str, Value)]| {
            entry.solve(&params(pairs), &data, &mut Ctx::new(0)).unwrap_err().to_string()
        };
        let many = run(&[("n_clusters", json!(99))]);
        let want = format!(
            "{}: parameter `n_clusters` must be at most the number of rows (40), got 99",
            entry.name
        );
        assert_eq!(many, want);
        assert!(run(&[("n_clusters", json!(0))]).contains("got 0"));
        assert!(run(&[("n_clusters", json!("three"))]).contains("got \"three\""));
        assert!(run(&[("n_clusters", json!(-2))]).contains("got -2"));
        let slip = run(&[("n_cluster", json!(2))]);
        assert!(slip.ends_with("did you mean `n_clusters`?"), "{slip}");
        assert!(run(&[("max_iter", json!(0))]).contains("`max_iter` must be"));
        assert!(run(&[("init", json!([0, 1]))]).contains("`init`"));
    });
    let unknown = registry::solve("mspk", &Map::new(), &data, &mut Ctx::new(0)).unwrap_err();
    assert!(unknown.to_string().contains("did you mean `mspc`?"));
}

#[test]
fn rows_of_another_width_are_refused() {
    each(|entry| {
        let cloud = blobs(60, 3, 2, 5.0, 1);
        let fit = fit(entry, dense(&cloud), 2, &mut Ctx::new(0));
        let narrow = [1.0, 2.0];
        let e = fit.model.predict(DenseRef::new(1, 2, &narrow).unwrap().into()).unwrap_err();
        assert_eq!(e.to_string(), "table has 2 feature columns, but the model was fitted on 3");
    });
}

#[test]
fn a_fit_beyond_the_memory_budget_is_refused_with_a_remedy() {
    each(|entry| {
        let cloud = blobs(2000, 20, 2, 5.0, 1);
        let data = Dataset::new(dense(&cloud)).unwrap();
        let mut ctx = Ctx::new(0);
        ctx.memory = separa::MemoryBudget(Some(1000));
        let given = params(&[("n_clusters", json!(2))]);
        let message = entry.solve(&given, &data, &mut ctx).unwrap_err().to_string();
        assert!(message.contains("1000 B may be used; "), "{message}");
    });
}

#[test]
fn a_cancelled_fit_returns_the_best_so_far() {
    each(|entry| {
        for k in [2, 4] {
            let cloud = blobs(800, 5, k, 1.0, 3);
            let fit = fit(entry, dense(&cloud), k, &mut Ctx::observed(0, StopAt(1)));
            assert_eq!(fit.report.stop, Stop::Cancelled, "{}", entry.name);
            assert_eq!(fit.model.predict(dense(&cloud)).unwrap(), fit.labels);
        }
    });
}

#[test]
fn unit_weights_change_nothing_and_zero_weights_remove_rows() {
    each(|entry| {
        let cloud = blobs(300, 4, 3, 5.0, 9);
        let from = |start: Value| {
            let mut given = params(&[("n_clusters", json!(3)), ("init", start)]);
            given.retain(|name, _| entry.specs.iter().any(|s| s.name == name));
            given
        };
        let given = from(json!(cloud.labels));
        let run = |weights: &[f64]| {
            let data = Dataset::new(dense(&cloud)).unwrap().with_weights(weights).unwrap();
            entry.solve(&given, &data, &mut Ctx::new(0)).unwrap()
        };
        let ones = run(&[1.0; 300]);
        let plain = {
            let data = Dataset::new(dense(&cloud)).unwrap();
            entry.solve(&given, &data, &mut Ctx::new(0)).unwrap()
        };
        assert_eq!(ones.labels, plain.labels, "{}", entry.name);
        // Rows of weight zero are labelled but leave the model alone.
        let weights: Vec<f64> = (0..300).map(|i| f64::from(i % 5 > 0)).collect();
        let thinned = run(&weights);
        let kept: Vec<usize> = (0..300).filter(|i| i % 5 > 0).collect();
        let x: Vec<f64> = kept.iter().flat_map(|&i| cloud.x[4 * i..4 * i + 4].to_vec()).collect();
        let labels: Vec<i32> = kept.iter().map(|&i| cloud.labels[i]).collect();
        let fewer = from(json!(labels));
        let data = Dataset::new(DenseRef::new(kept.len(), 4, &x).unwrap().into()).unwrap();
        let alone = entry.solve(&fewer, &data, &mut Ctx::new(0)).unwrap();
        let (a, b) = (thinned.labels, alone.model.predict(dense(&cloud)).unwrap());
        assert_eq!(relabel(&a), relabel(&b), "{}", entry.name);
    });
}

#[test]
fn degenerate_tables_give_a_result_or_a_clear_error_but_never_a_panic_or_nan() {
    let tables: Vec<(&str, usize, usize, Vec<f64>)> = vec![
        ("two rows", 2, 1, vec![0.0, 1.0]),
        ("all rows equal", 6, 2, [3.0, 4.0].repeat(6)),
        ("a constant column", 6, 2, vec![1., 7., 2., 7., 3., 7., 11., 7., 12., 7., 13., 7.]),
        ("duplicate columns", 5, 3, (0..5).flat_map(|i| [f64::from(i * i); 3]).collect()),
        ("more columns than rows", 4, 9, (0..36).map(|i| f64::from(i * 17 % 13)).collect()),
        ("one distinct pair", 6, 1, vec![0., 0., 0., 0., 0., 1.]),
        ("tiny values", 6, 1, vec![1e-300, 2e-300, 3e-300, 9e-300, 8e-300, 7e-300]),
        ("large values", 6, 1, vec![1e140, 2e140, 3e140, 9e140, 8e140, 7e140]),
        ("an offset", 6, 1, vec![1e8, 1e8 + 1., 1e8 + 2., 1e8 + 50., 1e8 + 51., 1e8 + 52.]),
    ];
    each(|entry| {
        for (name, n, d, x) in &tables {
            let data = Dataset::new(DenseRef::new(*n, *d, x).unwrap().into()).unwrap();
            for k in [1, 2, 3.min(*n)] {
                let given = params(&[("n_clusters", json!(k))]);
                let Ok(fit) = entry.solve(&given, &data, &mut Ctx::new(0)) else {
                    assert_eq!(*name, "all rows equal", "{}: {name}", entry.name);
                    continue;
                };
                assert!(fit.report.objective.is_finite(), "{}: {name}, k = {k}", entry.name);
                let decision = fit.model.decision(data.x()).unwrap();
                assert!(decision.data().iter().all(|v| v.is_finite()), "{}: {name}", entry.name);
                assert!(fit.labels.iter().all(|l| (0..k as i32).contains(l)));
            }
        }
    });
}
