//! The rule: the sign of f for two clusters, a tree of such functions or the largest of them for more.

mod build;

use crate::assign::mark_not_finite;
use crate::assign::tree::{self, Next, Sides};
use crate::error::{Error, Result};
use crate::flat_rule::{Branch, FlatRule, LabelChoice};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::kernel::feature_map::KernelSums;
use separa_math::matrix::{Dense, MatrixRef, pick, project};
use separa_math::par;

/// What f is made of; one line a function.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ArmcWeights {
    /// Weights of the columns.
    Plane(Dense),
    /// Weights of kernels with landmarks or support vectors.
    Kernel(KernelSums, Dense),
    /// Weights of the columns of a kernel matrix.
    Given(Dense),
}

/// How functions lead to clusters.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Tree(Vec<Sides>),
    /// The largest.
    Rest,
}

/// Functions of support vectors, landmarks or columns, and what they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct ArmcModel {
    frame: ArmcWeights,
    offsets: Vec<f64>,
    shape: Shape,
}

impl ArmcModel {
    /// Labels the rows, numbers the clusters by first appearance and the functions to match.
    pub(super) fn number(&mut self, x: MatrixRef<'_>) -> Result<Vec<i32>> {
        let mut values = self.values(x);
        let mut labels = crate::model::labels_of(&self.decide(x, &values))?;
        for _ in 0..4 + self.n_clusters() {
            let (renamed, mut order) = crate::assign::canonical(&labels);
            if self.shape == Shape::Rest && order.len() < self.n_clusters() {
                self.keep_only(&order, x.cols());
                values = self.values(x);
                labels = crate::model::labels_of(&self.decide(x, &values))?;
                continue;
            }
            // A cluster that rounding left without a row goes last.
            let absent: Vec<usize> =
                (0..self.n_clusters()).filter(|c| !order.contains(c)).collect();
            order.extend(absent);
            if order.iter().copied().eq(0..order.len()) {
                break;
            }
            self.reorder(&order, &mut values);
            labels = crate::model::labels_of(&self.decide(x, &values))?;
            if labels == renamed {
                break;
            }
        }
        Ok(labels)
    }

    /// Drops the functions that are the largest for no row; of two the difference is left, of one nothing.
    fn keep_only(&mut self, order: &[usize], d: usize) {
        if order.len() < 2 {
            self.frame = ArmcWeights::Plane(Dense::zeros(0, d));
            self.offsets.clear();
            self.shape = Shape::Tree(Vec::new());
            return;
        }
        let weights = match &mut self.frame {
            ArmcWeights::Plane(w) | ArmcWeights::Given(w) | ArmcWeights::Kernel(_, w) => w,
        };
        *weights = pick(weights, order);
        self.offsets = order.iter().map(|&c| self.offsets[c]).collect();
        if order.len() == 2 {
            let lower = weights.row(0).to_vec();
            *weights = pick(weights, &[1]);
            weights.row_mut(0).iter_mut().zip(lower).for_each(|(w, l)| *w -= l);
            self.offsets = vec![self.offsets[1] - self.offsets[0]];
            self.shape = Shape::Tree(vec![[Next::Cluster(0), Next::Cluster(1)]]);
        }
    }

    fn reorder(&mut self, order: &[usize], values: &mut Dense) {
        let weights = match &mut self.frame {
            ArmcWeights::Plane(w) | ArmcWeights::Given(w) | ArmcWeights::Kernel(_, w) => w,
        };
        match &mut self.shape {
            Shape::Tree(nodes) => {
                let mut turned: Vec<(Sides, bool)> = nodes.iter().map(|n| (*n, false)).collect();
                tree::renumber(&mut turned, order, |n| &mut n.0, |n| n.1 = true);
                for (r, (sides, turned)) in turned.into_iter().enumerate() {
                    nodes[r] = sides;
                    if turned {
                        weights.row_mut(r).iter_mut().for_each(|w| *w = -*w);
                        self.offsets[r] = -self.offsets[r];
                        (0..values.rows()).for_each(|i| values[(i, r)] = -values[(i, r)]);
                    }
                }
            }
            Shape::Rest => {
                *weights = pick(weights, order);
                self.offsets = order.iter().map(|&c| self.offsets[c]).collect();
                for line in values.data_mut().chunks_exact_mut(order.len()) {
                    let old = line.to_vec();
                    line.iter_mut().zip(order).for_each(|(v, &c)| *v = old[c]);
                }
            }
        }
    }

    /// Every f of every row.
    fn values(&self, x: MatrixRef<'_>) -> Dense {
        let q = self.offsets.len();
        if q == 0 {
            return Dense::zeros(x.rows(), 0);
        }
        match &self.frame {
            ArmcWeights::Plane(w) | ArmcWeights::Given(w) => {
                let mut out = project(&x, w.view(), &vec![0.0; q]);
                for line in out.data_mut().chunks_exact_mut(q) {
                    line.iter_mut().zip(&self.offsets).for_each(|(v, b)| *v += b);
                }
                out
            }
            ArmcWeights::Kernel(sums, weights) => sums.sums(&x, weights, &self.offsets),
        }
    }

    fn decide(&self, x: MatrixRef<'_>, values: &Dense) -> Dense {
        let q = self.offsets.len();
        let mut out = match &self.shape {
            Shape::Tree(nodes) if q > 1 => {
                let mut out = Dense::zeros(x.rows(), q + 1);
                par::fill_chunks(out.data_mut(), q + 1, |range, out| {
                    let mut way = vec![f64::INFINITY; q];
                    for (i, out) in range.zip(out.chunks_exact_mut(q + 1)) {
                        tree::descend(nodes.iter(), values.row(i), &mut way, out);
                    }
                });
                out
            }
            // A single cluster is number 0: below.
            Shape::Tree(_) if q == 0 => {
                Dense::from_vec(x.rows(), 1, vec![-1.0; x.rows()]).expect("one column")
            }
            _ => values.clone(),
        };
        mark_not_finite(x, &mut out);
        out
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its functions do not fit together".into());
        let (weights, offsets) = (t.matrix("weights")?, t.vector("offsets")?);
        let q = offsets.len();
        let [kind, width] = t.integers("kind")?[..] else { return Err(wrong()) };
        let width = usize::try_from(width).ok().filter(|w| (1..=1 << 26).contains(w));
        let width = width.ok_or_else(wrong)?;
        let (columns, frame) = match kind {
            0 => (weights.cols(), ArmcWeights::Plane(weights)),
            1 => {
                let sums = t.kernel_sums(weights.cols())?;
                (sums.n_cols(), ArmcWeights::Kernel(sums, weights))
            }
            2 => (weights.cols(), ArmcWeights::Given(weights)),
            _ => return Err(wrong()),
        };
        let lines = match &frame {
            ArmcWeights::Plane(w) | ArmcWeights::Given(w) | ArmcWeights::Kernel(_, w) => w.rows(),
        };
        let shape = match t.contains("links") {
            true => Shape::Tree(tree::load(&t.integers("links")?, q).ok_or_else(wrong)?),
            false => Shape::Rest,
        };
        let fits = columns == width && lines == q && (shape != Shape::Rest || q > 2);
        if fits { Ok(Self { frame, offsets, shape }) } else { Err(wrong()) }
    }
}

impl Model for ArmcModel {
    fn n_features(&self) -> usize {
        match &self.frame {
            ArmcWeights::Plane(w) | ArmcWeights::Given(w) => w.cols(),
            ArmcWeights::Kernel(sums, _) => sums.n_cols(),
        }
    }

    fn n_clusters(&self) -> usize {
        match &self.shape {
            Shape::Tree(nodes) => nodes.len() + 1,
            Shape::Rest => self.offsets.len(),
        }
    }

    /// f for two clusters; more: for every cluster the least f, signed towards it, on the way down to
    /// it, or its own f.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        Ok(self.decide(x, &self.values(x)))
    }

    fn linear(&self) -> Option<(Dense, Vec<f64>)> {
        let flat = self.shape == Shape::Rest || self.offsets.len() == 1;
        match &self.frame {
            ArmcWeights::Plane(w) if flat => Some((w.clone(), self.offsets.clone())),
            _ => None,
        }
    }

    fn flat(&self) -> Option<FlatRule> {
        let ArmcWeights::Plane(weights) = &self.frame else { return None };
        let mut rule = FlatRule::linear(weights.clone(), self.offsets.clone());
        if let Shape::Tree(nodes) = &self.shape {
            let branch = |next: Next| match next {
                Next::Node(i) => Branch::Split(i),
                Next::Cluster(c) => Branch::Label(c),
            };
            let splits = nodes.iter().map(|sides| sides.map(branch)).collect();
            rule.choice = LabelChoice::Tree { splits };
        }
        Some(rule)
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        let (kind, weights) = match &self.frame {
            ArmcWeights::Plane(w) => (0, w),
            ArmcWeights::Kernel(sums, weights) => {
                out.put_kernel_sums(sums);
                (1, weights)
            }
            ArmcWeights::Given(w) => (2, w),
        };
        out.put_integers("kind", &[kind, self.n_features() as i64]);
        out.put_matrix("weights", weights);
        out.put_vector("offsets", &self.offsets);
        if let Shape::Tree(nodes) = &self.shape {
            out.put_integers("links", &tree::store(nodes.iter()));
        }
        out
    }
}
