//! Spectral clustering: against a naive decomposition, brute force, and what it promises.

use crate::common;

use common::{params, unjudged};
use separa::ScaledModel;
use separa::methods::{Affinity, GraphKind, NcutThreshold, Spectral, SpectralModel, Variant};
use separa::params::{Gamma, Scaling};
use separa::quality::External;
use separa::{
    CsrRef, Ctx, Dataset, Dense, DenseRef, Fit, Init, MatrixRef, MemoryBudget, Method, Model,
    model_file,
};
use separa_math::linalg::{SimultaneousDiagonal, product};
use separa_math::rng::Rng;
use separa_testkit::clouds::{Source, blobs, sparse_rows};
use separa_testkit::sentences;

fn view(x: &[f64], d: usize) -> MatrixRef<'_> {
    DenseRef::new(x.len() / d, d, x).unwrap().into()
}

fn fit(params: &Spectral, x: &[f64], d: usize) -> Fit<ScaledModel<SpectralModel>> {
    params.clone().solve(&Dataset::new(view(x, d)).unwrap(), &mut Ctx::new(3)).unwrap()
}

fn message(params: Spectral, x: MatrixRef<'_>) -> String {
    match Dataset::new(x) {
        Err(e) => e.to_string(),
        Ok(data) => params.solve(&data, &mut Ctx::new(0)).unwrap_err().to_string(),
    }
}

fn k(n_clusters: usize) -> Spectral {
    Spectral { n_clusters, scaling: Scaling::None, ..Spectral::default() }
}

fn with(affinity: Affinity) -> Spectral {
    Spectral { affinity, scaling: Scaling::None, ..Spectral::default() }
}

/// Two noisy rings about one centre, rows taking turns.
fn rings(n: usize, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 0);
    let mut x = Vec::new();
    for i in 0..n {
        let angle = std::f64::consts::TAU * rng.uniform();
        let radius = if i % 2 == 0 { 1.0 } else { 3.0 } + 0.1 * rng.normal();
        x.extend([radius * angle.cos(), radius * angle.sin()]);
    }
    x
}

fn in_turns(n: usize, k: usize) -> Vec<i32> {
    (0..n).map(|i| (i % k) as i32).collect()
}

/// Affinities of q blocks whose rows take turns: ½ to 1 within, `across` between.
fn blocks(n: usize, q: usize, across: f64, seed: u64) -> Vec<f64> {
    let mut rng = Rng::new(seed, 1);
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let v = if i % q == j % q { 0.5 + 0.5 * rng.uniform() } else { across * rng.uniform() };
            (a[i * n + j], a[j * n + i]) = (v, v);
        }
    }
    a
}

/// Solutions of A·u = λ·D·u, the largest λ first, uᵀDu = 1, by full decomposition.
fn naive_vectors(a: &[f64], n: usize, count: usize) -> (Vec<f64>, Dense) {
    let a = Dense::from_vec(n, n, a.to_vec()).unwrap();
    let mut d = Dense::zeros(n, n);
    (0..n).for_each(|i| d[(i, i)] = a.row(i).iter().sum());
    let all = SimultaneousDiagonal::new(d, &a).unwrap();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| all.values[j].total_cmp(&all.values[i]));
    let mut out = Dense::zeros(n, count);
    for c in 0..count {
        (0..n).for_each(|i| out[(i, c)] = all.vectors[(order[c], i)]);
    }
    (order[..count].iter().map(|&i| all.values[i]).collect(), out)
}

fn ncut_of(a: &[f64], n: usize, labels: &[i32]) -> f64 {
    let (mut cut, mut volume) = (0.0, [0.0; 2]);
    for i in 0..n {
        for j in 0..n {
            volume[labels[i] as usize] += a[i * n + j];
            cut += if labels[i] < labels[j] { a[i * n + j] } else { 0.0 };
        }
    }
    cut / volume[0] + cut / volume[1]
}

#[test]
fn two_rings_are_told_apart_by_every_affinity_and_variant() {
    let x = rings(400, 5);
    for affinity in [Affinity::Knn, Affinity::Rbf, Affinity::SelfTuning] {
        for variant in [Variant::Njw, Variant::Ncut] {
            for graph in [GraphKind::Union, GraphKind::Mutual] {
                let gamma = Gamma::Value(8.0);
                let p = Spectral { variant, graph, gamma, ..with(affinity) };
                let fit = fit(&p, &x, 2);
                assert_eq!(fit.labels, in_turns(400, 2), "{affinity:?} {variant:?} {graph:?}");
                assert_eq!(fit.model.predict(view(&x, 2)).unwrap(), fit.labels);
                // New rows of the same rings.
                let new = rings(200, 6);
                let found = fit.model.predict(view(&new, 2)).unwrap();
                assert_eq!(found, in_turns(200, 2), "{affinity:?} {variant:?} {graph:?}");
            }
        }
    }
}

#[test]
fn block_affinities_are_found_exactly_and_every_component_is_its_own_cluster() {
    for q in [2, 3, 7, 20] {
        for n in [3 * q, 240] {
            for across in [0.0, 0.01] {
                let a = blocks(n, q, across, n as u64);
                for variant in [Variant::Njw, Variant::Ncut] {
                    let p = Spectral { n_clusters: q, variant, ..with(Affinity::Precomputed) };
                    let fit = fit(&p, &a, n);
                    assert_eq!(fit.labels, in_turns(n, q), "{q} blocks of {n}, {across}");
                    assert_eq!(fit.model.predict(view(&a, n)).unwrap(), fit.labels);
                }
            }
        }
    }
}

#[test]
fn the_embedding_equals_a_naive_decomposition() {
    let (n, count) = (150, 4);
    let cloud = blobs(n, 3, 4, 3.0, 2);
    let gamma = 0.05;
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let row = |i: usize| &cloud.x[3 * i..3 * i + 3];
            let square: f64 = row(i).iter().zip(row(j)).map(|(a, b)| (a - b) * (a - b)).sum();
            a[i * n + j] = (-gamma * square).exp();
        }
    }
    let (values, want) = naive_vectors(&a, n, count);
    assert!(values.windows(2).all(|w| w[0] > w[1] + 1e-4), "{values:?}");
    for variant in [Variant::Ncut, Variant::Njw] {
        let gamma = Gamma::Value(gamma);
        let rows = Spectral { n_clusters: count, variant, gamma, ..with(Affinity::Rbf) };
        let given = Spectral { n_clusters: count, variant, ..with(Affinity::Precomputed) };
        for (p, x, d) in [(rows, &cloud.x, 3), (given, &a, n)] {
            let got = fit(&p, x, d).model.embedding(view(x, d)).unwrap();
            assert_eq!((got.rows(), got.cols()), (n, count));
            let length = |i: usize| match variant {
                Variant::Njw => want.row(i).iter().map(|v| v * v).sum::<f64>().sqrt(),
                Variant::Ncut => 1.0,
            };
            for c in 0..count {
                let top = (0..n)
                    .fold(0, |b, i| if want[(i, c)].abs() > want[(b, c)].abs() { i } else { b });
                let sign = (got[(top, c)] * want[(top, c)]).signum();
                for i in 0..n {
                    let gap = sign * got[(i, c)] - want[(i, c)] / length(i);
                    assert!(gap.abs() < 1e-6, "{variant:?} vector {c} row {i}: {gap}");
                }
            }
        }
    }
}

#[test]
fn the_best_cut_of_the_second_vector_equals_brute_force() {
    for seed in 0..30 {
        let n = 6 + seed as usize % 7;
        let a = blocks(n, 2, 0.8, seed);
        let line = naive_vectors(&a, n, 2).1.column(1);
        let mut best = f64::INFINITY;
        for at in &line {
            let labels: Vec<i32> = line.iter().map(|v| i32::from(v >= at)).collect();
            if labels.contains(&0) {
                best = best.min(ncut_of(&a, n, &labels));
            }
        }
        let p = |threshold| Spectral {
            variant: Variant::Ncut,
            threshold,
            ..with(Affinity::Precomputed)
        };
        let cut = fit(&p(NcutThreshold::Best), &a, n);
        assert!((cut.report.objective - best).abs() < 1e-9, "{} {best}", cut.report.objective);
        assert!((ncut_of(&a, n, &cut.labels) - best).abs() < 1e-9);
        assert_eq!(cut.labels[0], 0);
        let zero = fit(&p(NcutThreshold::Zero), &a, n);
        let side: Vec<i32> =
            line.iter().map(|v| i32::from((*v >= 0.0) != (line[0] >= 0.0))).collect();
        assert_eq!(zero.labels, side);
        assert!((zero.report.objective - ncut_of(&a, n, &side)).abs() < 1e-9);
        assert_eq!(zero.model.predict(view(&a, n)).unwrap(), zero.labels);
    }
}

#[test]
fn the_best_cut_of_components_and_of_landmarks_is_the_right_one() {
    let p = Spectral {
        variant: Variant::Ncut,
        threshold: NcutThreshold::Best,
        ..with(Affinity::Precomputed)
    };
    let two = fit(&p, &blocks(30, 2, 0.0, 1), 30);
    assert_eq!((two.labels, two.report.objective), (in_turns(30, 2), 0.0));
    let three = fit(&p, &blocks(30, 3, 0.0, 1), 30);
    assert!(three.report.objective < 1e-12);
    assert!(
        sentences(three.report.warnings())[0]
            .starts_with("the graph has 3 components, more than the 2")
    );
    let cloud = blobs(600, 3, 2, 8.0, 4);
    let p = Spectral { affinity: Affinity::Rbf, landmarks: 60, ..p };
    let some = fit(&p, &cloud.x, 3);
    assert_eq!(some.labels, in_turns(600, 2));
    let all = fit(&Spectral { landmarks: 600, ..p }, &cloud.x, 3).report.objective;
    assert!((some.report.objective - all).abs() < 0.02, "{} {all}", some.report.objective);
}

#[test]
fn landmarks_that_are_all_rows_give_the_full_method() {
    let cloud = blobs(300, 3, 3, 5.0, 7);
    let p = Spectral { n_clusters: 3, ..with(Affinity::Rbf) };
    let full = fit(&p, &cloud.x, 3);
    let all = fit(&Spectral { landmarks: 300, ..p.clone() }, &cloud.x, 3);
    let few = fit(&Spectral { landmarks: 50, ..p }, &cloud.x, 3);
    for fit in [&full, &all, &few] {
        assert_eq!(fit.labels, in_turns(300, 3));
        assert_eq!(fit.model.predict(view(&cloud.x, 3)).unwrap(), fit.labels);
    }
    let pair = [&full, &all].map(|f| f.model.embedding(view(&cloud.x, 3)).unwrap());
    // Vectors are the same up to a turn of their span: compare inner products of rows.
    let gram = pair.map(|e| product(e.view(), e.transposed().view()));
    let gap = gram[0].data().iter().zip(gram[1].data()).map(|(a, b)| (a - b).abs());
    assert!(gap.fold(0.0, f64::max) < 1e-4);
}

/// A sample of the rows carries the graph: the others go where their neighbours in it are.
#[test]
fn a_sample_of_rows_stands_for_all_and_labels_follow_the_rule() {
    let cloud = blobs(900, 3, 4, 8.0, 5);
    for affinity in [Affinity::Knn, Affinity::SelfTuning] {
        let p = Spectral { n_clusters: 4, affinity, landmarks: 200, ..Spectral::default() };
        let found = fit(&p, &cloud.x, 3);
        assert_eq!(External::new(&found.labels, &cloud.labels).unwrap().ari, 1.0, "{affinity:?}");
        assert_eq!(found.model.predict(view(&cloud.x, 3)).unwrap(), found.labels, "{affinity:?}");
        // As many as rows are all rows.
        let all = fit(&Spectral { landmarks: 900, ..p.clone() }, &cloud.x, 3);
        assert_eq!(all.labels, fit(&Spectral { landmarks: 0, ..p }, &cloud.x, 3).labels);
    }
}

#[test]
fn a_tight_memory_takes_landmarks_and_says_so() {
    let cloud = blobs(3000, 4, 3, 7.0, 7);
    let data = Dataset::new(view(&cloud.x, 4)).unwrap();
    let mut ctx = Ctx::new(0);
    ctx.memory = MemoryBudget(Some(36_000_000));
    let p = Spectral { n_clusters: 3, ..with(Affinity::Rbf) };
    let fit = p.solve(&data, &mut ctx).unwrap();
    assert_eq!(fit.labels, in_turns(3000, 3));
    assert!(
        sentences(fit.report.notices())[0].contains("approximated with 500 landmarks"),
        "{:?}",
        fit.report
    );
    // Graphs of all pairs are represented by a sample; where not even that fits, the remedy is named.
    let tuned = || Spectral { n_clusters: 3, ..with(Affinity::SelfTuning) };
    let fit = tuned().solve(&data, &mut ctx).unwrap();
    assert_eq!(fit.labels, in_turns(3000, 3));
    assert!(sentences(fit.report.notices())[0].contains("a sample of 500 rows is clustered"));
    ctx.memory = MemoryBudget(Some(1_000_000));
    let e = tuned().solve(&data, &mut ctx).unwrap_err().to_string();
    assert!(e.contains("set affinity=knn, or raise the memory limit"), "{e}");
}

#[test]
fn njw_finds_many_blobs_and_each_row_alone_has_its_label() {
    for seed in 0..5 {
        let cloud = blobs(1000, 5, 8, 7.0, seed);
        let fit = fit(&k(8), &cloud.x, 5);
        assert_eq!(fit.labels, in_turns(1000, 8));
        for i in [0, 17, 999] {
            let row = &cloud.x[5 * i..5 * i + 5];
            assert_eq!(fit.model.predict(view(row, 5)).unwrap(), [fit.labels[i]]);
        }
    }
}

#[test]
fn repeated_rows_share_a_label_and_are_predicted_as_labelled() {
    let mut rng = Rng::new(8, 0);
    let x: Vec<f64> = (0..600).map(|_| rng.below(4) as f64).collect();
    for affinity in [Affinity::Knn, Affinity::Rbf, Affinity::SelfTuning] {
        for graph in [GraphKind::Union, GraphKind::Mutual] {
            let p = Spectral { n_clusters: 4, graph, neighbors: 5, ..with(affinity) };
            let fit = fit(&p, &x, 2);
            assert_eq!(
                fit.model.predict(view(&x, 2)).unwrap(),
                fit.labels,
                "{affinity:?} {graph:?}"
            );
            let rows: Vec<&[f64]> = x.chunks_exact(2).collect();
            for i in 0..rows.len() {
                let first = rows.iter().position(|r| *r == rows[i]).unwrap();
                assert_eq!(fit.labels[i], fit.labels[first]);
            }
        }
    }
}

#[test]
fn weights_count_as_repeated_rows() {
    let cloud = blobs(60, 2, 2, 2.5, 3);
    let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 3)).collect();
    let mut repeated = Vec::new();
    for (i, row) in cloud.x.chunks_exact(2).enumerate() {
        (0..i % 3).for_each(|_| repeated.extend_from_slice(row));
    }
    for variant in [Variant::Njw, Variant::Ncut] {
        let p = Spectral { variant, gamma: Gamma::Value(0.3), ..with(Affinity::Rbf) };
        let data = Dataset::new(view(&cloud.x, 2)).unwrap().with_weights(&weights).unwrap();
        let heavy = p.clone().solve(&data, &mut Ctx::new(3)).unwrap();
        let long = fit(&p, &repeated, 2);
        let (a, b) =
            (heavy.model.decision(data.x()).unwrap(), long.model.decision(data.x()).unwrap());
        let sign = (a.data()[0] * b.data()[0]).signum();
        for (a, b) in a.data().iter().zip(b.data()) {
            // ncut's scale is that of uᵀDu = 1, which follows the weights' unit.
            let ratio = if variant == Variant::Njw { 1.0 } else { a / (sign * b) };
            assert!((a - sign * ratio * b).abs() < 1e-4, "{a} {b}");
            assert!((*a >= 0.0) == (sign * b >= 0.0) || a.abs() < 1e-4);
        }
    }
}

/// A Gaussian at the centre and one that was turned by a random angle, as in the tests of msc.
fn ring(seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    let mut x = source.normals(200);
    for _ in 0..100 {
        let (a, b) = (3.0 + source.normal(), 3.0 + source.normal());
        let (sin, cos) = (std::f64::consts::TAU * source.uniform()).sin_cos();
        x.extend([cos * a + sin * b, -sin * a + cos * b]);
    }
    x
}

#[test]
fn the_best_normalised_cut_misses_a_third_of_the_ring() {
    let truth: Vec<i32> = (0..200).map(|i| i32::from(i >= 100)).collect();
    let params = Spectral {
        variant: Variant::Ncut,
        gamma: Gamma::Value(1.0 / 9.0),
        threshold: NcutThreshold::Best,
        ..with(Affinity::Rbf)
    };
    let errors = (0..40)
        .map(|seed| External::new(&fit(&params, &ring(seed), 2).labels, &truth).unwrap().error);
    let mean = errors.sum::<f64>() / 40.0;
    assert!((0.28..0.36).contains(&mean), "{mean}");
}

#[test]
fn components_and_lone_rows_are_said_and_labelled() {
    // Nine clusters far apart, five asked for.
    let cloud = blobs(270, 2, 9, 40.0, 1);
    let five = fit(&k(5), &cloud.x, 2);
    assert_eq!(
        sentences(five.report.warnings())[0].split(':').next().unwrap(),
        "the graph has 9 components, more than the 5 clusters asked for"
    );
    for l in 0..9 {
        let of: Vec<i32> =
            (0..270).filter(|i| cloud.labels[*i] == l).map(|i| five.labels[i]).collect();
        assert!(of.iter().all(|v| *v == of[0]), "a component was cut");
    }
    let nine = fit(&k(9), &cloud.x, 2);
    assert_eq!(nine.labels, in_turns(270, 9));
    assert!(sentences(nine.report.warnings()).is_empty());
    assert_eq!(sentences(nine.report.notices()), ["the graph has 9 components"]);
    assert!(
        sentences(five.report.warnings())[0]
            .ends_with("raise `neighbors`, or ask for more clusters")
    );
    // A given table has neither neighbours nor a width.
    let mut given = blocks(30, 3, 0.0, 2);
    (0..30).for_each(|j| (given[j], given[30 * j]) = (0.0, 0.0));
    let three = fit(&with(Affinity::Precomputed), &given, 30).report;
    assert!(sentences(three.warnings())[0].ends_with("share a cluster; ask for more clusters"));
    let lone = "1 rows have no neighbour in the graph: nothing in the table says where they belong";
    assert!(
        sentences(three.notices()).iter().any(|n| n == lone),
        "{:?}",
        sentences(three.notices())
    );
    // A far row is nobody's mutual neighbour: those nearest to it decide.
    let mut x = blobs(100, 2, 2, 9.0, 3).x;
    x.extend([x[0] + 30.0, x[1] + 30.0]);
    let p = Spectral { graph: GraphKind::Mutual, neighbors: 5, ..k(2) };
    let lone = fit(&p, &x, 2);
    assert!(
        sentences(lone.report.notices())
            .iter()
            .any(|n| n.contains("have no neighbour in the graph"))
    );
    assert_eq!(lone.labels[..100], in_turns(100, 2));
    assert_eq!(lone.model.predict(view(&x, 2)).unwrap(), lone.labels);
}

#[test]
fn sparse_tables_and_sparse_affinities_give_the_dense_answer() {
    let n = 40;
    let a = blocks(n, 2, 0.0, 5);
    let (indptr, indices, values) = sparse_rows(&a, n);
    let sparse = CsrRef::new(n, &indptr, &indices, &values).unwrap();
    let p = with(Affinity::Precomputed);
    let fit = p.solve(&Dataset::new(sparse.into()).unwrap(), &mut Ctx::new(0)).unwrap();
    assert_eq!(fit.labels, in_turns(n, 2));
    assert_eq!(fit.model.predict(view(&a, n)).unwrap(), fit.labels);
    assert_eq!(fit.model.predict(sparse.into()).unwrap(), fit.labels);
    // Wide sparse rows: the model keeps them sparse and loads again.
    let mut rng = Rng::new(1, 0);
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..200_u32 {
        for c in 0..8 {
            indices.push(100 * (i % 2) + 10 * c + rng.below(10) as u32);
            values.push(1.0);
        }
        indptr.push(values.len());
    }
    let text = CsrRef::new(200, &indptr, &indices, &values).unwrap();
    for affinity in ["knn", "rbf", "self-tuning"] {
        let given = params(&[("affinity", affinity.into())]);
        let found = unjudged("spectral", &given).fit(&text).unwrap();
        assert_eq!(found.labels(), in_turns(200, 2), "{affinity}");
        let bytes = found.to_bytes().unwrap();
        assert!(bytes.len() < 90_000, "{} bytes", bytes.len());
        let again = model_file::from_bytes(&bytes).unwrap();
        assert_eq!(again.predict(&text).unwrap(), found.labels());
    }
}

#[test]
fn a_row_far_from_all_goes_with_its_nearest_and_bad_rows_are_named() {
    let cloud = blobs(200, 2, 2, 8.0, 3);
    for affinity in [Affinity::Knn, Affinity::Rbf, Affinity::SelfTuning] {
        let fit = fit(&with(affinity), &cloud.x, 2);
        let far = [1e4 * cloud.x[0], 1e4 * cloud.x[1]];
        let near = (0..200).min_by(|&i, &j| {
            let gap = |i: usize| (cloud.x[2 * i] - far[0]).hypot(cloud.x[2 * i + 1] - far[1]);
            gap(i).total_cmp(&gap(j))
        });
        let label = fit.model.predict(view(&far, 2)).unwrap();
        assert_eq!(label, [fit.labels[near.unwrap()]], "{affinity:?}");
        for bad in [f64::NAN, f64::INFINITY] {
            let rows = [cloud.x[0], cloud.x[1], 1.0, bad];
            let e = fit.model.predict(view(&rows, 2)).unwrap_err().to_string();
            assert!(e.starts_with("row 2 holds a value that is not a finite number"), "{e}");
        }
    }
}

#[test]
fn bad_affinities_are_named() {
    let p = || with(Affinity::Precomputed);
    assert_eq!(
        message(p(), view(&[1.0; 6], 3)),
        "affinity matrix has shape 2 x 3, expected as many rows as columns"
    );
    let mut a = blocks(4, 2, 0.5, 1);
    a[2] += 0.25;
    let said = message(p(), view(&a, 4));
    assert!(said.contains("row 3, column 1") && said.contains("as in row 1, column 3"), "{said}");
    (a[2], a[8]) = (-1.0, -1.0);
    assert!(
        message(p(), view(&a, 4)).contains("row 1, column 3 holds -1, expected an affinity >= 0")
    );
    a[2] = f64::NAN;
    assert!(message(p(), view(&a, 4)).starts_with("row 1, column 3 holds NaN"));
    let fit = fit(&p(), &blocks(6, 2, 0.1, 1), 6);
    let e = fit.model.predict(view(&[1.0; 4], 4)).unwrap_err().to_string();
    assert_eq!(e, "table has 4 feature columns, but the model was fitted on 6");
}

#[test]
fn bad_parameters_are_named() {
    let x = blobs(20, 2, 2, 5.0, 1).x;
    let said = |p: Spectral| message(p, view(&x, 2));
    let rbf = || with(Affinity::Rbf);
    assert!(
        said(Spectral { gamma: Gamma::Value(0.0), ..rbf() })
            .contains("`gamma` must be \"median\" or a positive number, got 0")
    );
    assert!(said(Spectral { gamma: Gamma::Value(f64::NAN), ..rbf() }).contains("`gamma`"));
    assert!(said(Spectral { landmarks: 21, ..rbf() }).contains(
        "`landmarks` must be at most the number of rows (20), or 0 to do without landmarks, got 21"
    ));
    assert!(
        said(Spectral { landmarks: 5, affinity: Affinity::Precomputed, ..k(2) })
            .contains("`landmarks` must be 0 if affinity is precomputed")
    );
    assert!(said(Spectral { neighbors: 0, ..k(2) }).contains("`neighbors`"));
    assert!(
        said(Spectral { threshold: NcutThreshold::Best, ..k(2) })
            .contains("`threshold` must be kmeans unless variant is ncut")
    );
    assert!(
        said(Spectral { threshold: NcutThreshold::Zero, variant: Variant::Ncut, ..k(3) })
            .contains("got zero")
    );
    assert!(said(Spectral { init: Init::Named("kmeans".into()), ..k(2) }).contains("`init`"));
    assert!(
        said(Spectral { init: Init::Labels(vec![0; 20]), ..k(2) }).contains("none for cluster 1")
    );
    assert!(said(Spectral { tol: -1.0, ..k(2) }).contains("`tol`"));
    // More neighbours than rows: fewer are taken, and that is said.
    let small = fit(&k(2), &[0.0, 0.2, 9.0, 9.1], 1);
    assert_eq!(small.labels, [0, 0, 1, 1]);
    assert_eq!(
        sentences(small.report.notices())[0],
        "neighbors is 1 instead of 10: the table has 4 rows"
    );
}

#[test]
fn one_row_is_one_cluster() {
    for affinity in [Affinity::Knn, Affinity::SelfTuning, Affinity::Rbf] {
        let fit = fit(&Spectral { n_clusters: 1, ..with(affinity) }, &[3.0, 4.0], 2);
        assert_eq!((fit.labels, fit.model.n_clusters()), (vec![0], 1));
    }
}
