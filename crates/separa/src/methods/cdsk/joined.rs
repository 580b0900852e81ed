//! The similarity of all pairs of fitted rows, as a graph or through landmarks.

use crate::error::Result;
use crate::note::{Note, Remedy};
use crate::start::graph_notes::{components, inexact};
use separa_math::linalg::{EigOptions, SymOp, SymRows};
use separa_math::matrix::Dense;
use separa_math::neighbours::{AnchorGraph, LeadingVectors, NormalisedGraph, leading, unit_rows};

/// What joins the rows.
#[derive(Debug)]
pub(super) enum Joined {
    Graph(NormalisedGraph),
    Anchors(AnchorGraph),
}

/// Rows among eigenvectors.
pub(super) struct Embedded {
    /// One row each, of length one; zero for the rows that have no place.
    pub rows: Dense,
    /// Connected parts without an eigenvector of their own, and rows joined to none.
    pub lost: Vec<Vec<usize>>,
}

impl Joined {
    /// The leading eigenvectors of D^{-½}·S·D^{-½}, rows scaled to length one.
    pub fn embed(
        &self,
        weights: &[f64],
        k: usize,
        seed: u64,
        notes: &mut Vec<Note>,
    ) -> Result<Embedded> {
        match self {
            Self::Graph(graph) => {
                let (mut parts, lone) = graph.components();
                let connect = Some(Remedy::change("similarity"));
                let labelled = "their nearest rows decide for them";
                notes.extend(components(parts.len(), lone, k, connect, labelled));
                let LeadingVectors { vectors, converged, .. } = leading(graph, &parts, k, seed)?;
                notes.extend(inexact(converged));
                let mut lost = parts.split_off(k.min(parts.len()));
                let alone = (0..graph.degrees.len()).filter(|&i| graph.degrees[i] <= 0.0);
                lost.extend(alone.map(|i| vec![i]));
                Ok(Embedded { rows: unit_rows(&vectors), lost })
            }
            Self::Anchors(graph) => {
                let options = EigOptions { tol: 1e-8, seed, ..EigOptions::default() };
                let (_, vectors, converged) = graph.leading(weights, k, &options)?;
                notes.extend(inexact(converged));
                Ok(Embedded { rows: unit_rows(&vectors), lost: Vec::new() })
            }
        }
    }

    /// Σⱼ αⱼ·s(i, j) over the other rows j of each cluster: one line a row, one column a cluster.
    pub fn votes(&self, labels: &[i32], alpha: &[f64], weights: &[f64], k: usize) -> Dense {
        let n = labels.len();
        let mut out = Dense::zeros(n, k);
        match self {
            Self::Graph(graph) => {
                let root: Vec<f64> = graph.degrees.iter().map(|d| d.sqrt()).collect();
                for i in 0..n {
                    let line = out.row_mut(i);
                    let own = root[i] / weights[i];
                    graph.each(i, |j, v| {
                        if j != i {
                            line[labels[j] as usize] += own * v * root[j] * alpha[j] / weights[j];
                        }
                    });
                }
            }
            Self::Anchors(graph) => {
                let sums: Vec<Vec<f64>> = (0..k as i32)
                    .map(|c| graph.gather(|i| if labels[i] == c { alpha[i] } else { 0.0 }))
                    .collect();
                for i in 0..n {
                    let line = out.row_mut(i);
                    line.iter_mut().zip(&sums).for_each(|(o, s)| *o = graph.spread(i, s));
                    line[labels[i] as usize] -= alpha[i] * graph.own(i);
                }
            }
        }
        out
    }

    fn op(&self) -> &dyn SymOp {
        match self {
            Self::Graph(graph) => graph.op(),
            Self::Anchors(graph) => graph,
        }
    }

    /// The similarity itself with ones on its diagonal: what weights are learnt on.
    pub fn gram(&self, weights: &[f64]) -> UnitGram<'_> {
        let n = weights.len();
        let (scale, own): (Vec<f64>, Vec<f64>) = match self {
            Self::Graph(graph) => {
                let scale: Vec<f64> =
                    graph.degrees.iter().zip(weights).map(|(d, w)| d.sqrt() / w).collect();
                let mut own = vec![0.0; n];
                for (i, o) in own.iter_mut().enumerate() {
                    graph.each(i, |j, v| {
                        if j == i {
                            *o = scale[i] * v * scale[i];
                        }
                    });
                }
                (scale, own)
            }
            // s(i,j)/√(s(i,i)·s(j,j)): at most one, by Cauchy and Schwarz.
            Self::Anchors(graph) => {
                let own = |i: usize| graph.own(i).max(f64::MIN_POSITIVE);
                ((0..n).map(|i| 1.0 / own(i).sqrt()).collect(), vec![1.0; n])
            }
        };
        UnitGram { joined: self, scale, rest: own.iter().map(|o| 1.0 - o).collect() }
    }
}

/// diag(scale)·A·diag(scale) + diag(rest).
pub(super) struct UnitGram<'a> {
    joined: &'a Joined,
    scale: Vec<f64>,
    rest: Vec<f64>,
}

impl SymOp for UnitGram<'_> {
    fn dim(&self) -> usize {
        self.scale.len()
    }
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        self.apply_rows(x, out);
    }
    fn apply_rows(&self, x: &[f64], out: &mut [f64]) {
        let n = self.dim().max(1);
        let mut scaled = x.to_vec();
        for line in scaled.chunks_exact_mut(n) {
            line.iter_mut().zip(&self.scale).for_each(|(v, s)| *v *= s);
        }
        self.joined.op().apply_rows(&scaled, out);
        for (line, x) in out.chunks_exact_mut(n).zip(x.chunks_exact(n)) {
            for i in 0..n {
                line[i] = self.scale[i] * line[i] + self.rest[i] * x[i];
            }
        }
    }
}

impl SymRows for UnitGram<'_> {
    fn size(&self) -> usize {
        self.scale.len()
    }
    fn diagonal(&self, out: &mut [f64]) {
        out.fill(1.0);
    }
    fn copy_row(&self, i: usize, out: &mut [f64]) {
        match self.joined {
            Joined::Graph(graph) => {
                out.fill(0.0);
                graph.each(i, |j, v| out[j] = self.scale[i] * v * self.scale[j]);
            }
            Joined::Anchors(graph) => {
                let sums = graph.gather(|j| if j == i { self.scale[i] } else { 0.0 });
                for (j, o) in out.iter_mut().enumerate() {
                    *o = self.scale[j] * graph.spread(j, &sums);
                }
            }
        }
        out[i] = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa_math::distance::Metric;
    use separa_math::kernel::mercer::Kernel;
    use separa_math::linalg::{Precision, dot, sym_eig};
    use separa_math::neighbours::{Affinities, Graph, Join, Neighbours, Weight, anchor_weights};
    use separa_math::rng::Rng;

    fn normals(n: usize, d: usize, seed: u64) -> Dense {
        let mut rng = Rng::new(seed, 0);
        Dense::from_vec(n, d, (0..n * d).map(|_| rng.normal()).collect()).unwrap()
    }

    /// A graph with its explicit similarity.
    fn graph(weights: &[f64]) -> (Joined, Dense) {
        let x = normals(weights.len(), 2, 1);
        let nearest = Neighbours::among(Metric::Euclidean, &x, 5);
        let join = Join::Blend { share: 0.1 };
        let graph = Graph::new(&nearest, Weight::SelfTuning { neighbour: 5 }, join);
        let all: Vec<usize> = (0..weights.len()).collect();
        let full = separa_math::matrix::pick(&graph.rows(), &all);
        (
            Joined::Graph(NormalisedGraph::new(Affinities::Sparse(graph.into_matrix()), weights)),
            full,
        )
    }

    #[test]
    fn the_matrix_free_gram_equals_the_explicit_one_with_a_unit_diagonal() {
        let weights: Vec<f64> = (0..80).map(|i| 1.0 + f64::from(i % 3)).collect();
        let (sparse, mut first) = graph(&weights);
        (0..80).for_each(|i| first[(i, i)] = 1.0);
        let x = normals(80, 2, 1);
        let kernel = Kernel::Rbf { gamma: 0.5 };
        let dense = Joined::Graph(NormalisedGraph::new(
            Affinities::Dense(kernel.symmetric(&x, Precision::Double)),
            &weights,
        ));
        let anchored = AnchorGraph::new(anchor_weights(&x, &normals(9, 2, 2), 3), 9, &weights);
        let mut third = Dense::zeros(80, 80);
        anchored.apply_rows(Dense::identity(80).data(), third.data_mut());
        for i in 0..80 {
            let root = |j: usize| anchored.own(i).sqrt() * anchored.own(j).sqrt();
            (0..80).for_each(|j| third[(i, j)] /= root(j));
        }
        let cases =
            [(sparse, first), (dense, kernel.matrix(&x, &x)), (Joined::Anchors(anchored), third)];
        let v = normals(2, 80, 5);
        for (joined, full) in cases {
            let mut image = vec![0.0; 160];
            let gram = joined.gram(&weights);
            gram.apply_rows(v.data(), &mut image);
            let mut row = vec![0.0; 80];
            for i in 0..80 {
                gram.copy_row(i, &mut row);
                let worst = row.iter().zip(full.row(i)).map(|(a, b)| (a - b).abs());
                assert!(worst.fold(0.0, f64::max) < 1e-12);
            }
            for r in 0..2 {
                for i in 0..80 {
                    let want = dot(full.row(i), v.row(r));
                    assert!(
                        (image[r * 80 + i] - want).abs() < 1e-11,
                        "{} {want}",
                        image[r * 80 + i]
                    );
                    assert!((full[(i, i)] - 1.0).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn equal_weights_embed_as_ng_jordan_and_weiss() {
        let weights = vec![1.0; 90];
        let (joined, full) = graph(&weights);
        let degree: Vec<f64> = (0..90).map(|i| full.row(i).iter().sum::<f64>()).collect();
        let mut normal = full.clone();
        for i in 0..90 {
            (0..90).for_each(|j| normal[(i, j)] /= (degree[i] * degree[j]).sqrt());
        }
        let eig = sym_eig(&normal).unwrap();
        let k = 4;
        let found = joined.embed(&weights, k, 0, &mut Vec::new()).unwrap();
        assert!(found.lost.is_empty());
        let line = |i: usize| -> Vec<f64> {
            let row: Vec<f64> = (90 - k..90).map(|c| eig.vectors[(c, i)]).collect();
            let length = dot(&row, &row).sqrt();
            row.iter().map(|v| v / length).collect()
        };
        // Vectors of one eigenvalue may be turned: products of rows may not.
        for i in 0..90 {
            for j in 0..90 {
                let gap = dot(found.rows.row(i), found.rows.row(j)) - dot(&line(i), &line(j));
                assert!(gap.abs() < 1e-5, "{i} {j} {gap}");
            }
        }
    }

    #[test]
    fn votes_equal_their_definition() {
        let weights: Vec<f64> = (0..60).map(|i| 1.0 + f64::from(i % 2)).collect();
        let (joined, full) = graph(&weights);
        let labels: Vec<i32> = (0..60).map(|i| i % 3).collect();
        let alpha: Vec<f64> = (0..60).map(|i| f64::from(i) / 100.0).collect();
        let votes = joined.votes(&labels, &alpha, &weights, 3);
        for i in 0..60 {
            for c in 0..3 {
                let others = (0..60).filter(|&j| j != i && labels[j] == c);
                let want: f64 = others.map(|j| alpha[j] * full[(i, j)]).sum();
                assert!((votes[(i, c as usize)] - want).abs() < 1e-12);
            }
        }
    }
}
