//! The model as arrays, and back.

use super::model::{Frame, MscModel, Next, Node};
use super::points::Points;
use crate::error::{Error, Result};
use crate::estimator::Model;
use crate::persist::Tensors;
use separa_math::kernel::measure::{Measure, Metric};
use separa_math::kernel::mercer::Kernel;

impl MscModel {
    pub(super) fn store(&self) -> Tensors {
        let mut tensors = Tensors::default();
        let code = match &self.frame {
            Frame::Rows { points, measure } => {
                points.store(&mut tensors);
                let (code, numbers) = measure_code(*measure);
                tensors.put_vector("measure", &numbers);
                code
            }
            Frame::Distances(_) => 0,
        };
        let width = self.n_features() as i64;
        tensors.put_integers("kind", &[code, width]);
        let next = |n: &Next| match n {
            Next::Node(i) => *i as i64,
            Next::Cluster(c) => -1 - *c as i64,
        };
        let links: Vec<i64> = self.nodes.iter().flat_map(|n| n.next.iter().map(next)).collect();
        tensors.put_integers("links", &links);
        let lengths: Vec<i64> = self.nodes.iter().map(|n| n.points.len() as i64).collect();
        tensors.put_integers("lengths", &lengths);
        let all = self.nodes.iter().flat_map(|n| n.points.iter().map(|&p| p as i64));
        tensors.put_integers("node_points", &all.collect::<Vec<_>>());
        let all = self.nodes.iter().flat_map(|n| n.coef.iter().copied());
        tensors.put_vector("coef", &all.collect::<Vec<_>>());
        let thresholds: Vec<f64> = self.nodes.iter().map(|n| n.threshold).collect();
        tensors.put_vector("thresholds", &thresholds);
        tensors
    }

    pub(super) fn load(tensors: &Tensors) -> Result<Self> {
        let bad = |what: &str| Error::Model(format!("its {what} do not fit together"));
        let kind = tensors.integers("kind")?;
        let &[code, width] = kind.as_slice() else { return Err(bad("measure and columns")) };
        let frame = if code == 0 {
            Frame::Distances(usize::try_from(width).map_err(|_| bad("columns"))?)
        } else {
            let measure = measure_of(code, &tensors.vector("measure")?)
                .ok_or_else(|| bad("measure and its numbers"))?;
            Frame::Rows { points: Points::load(tensors)?, measure }
        };
        let n_points = match &frame {
            Frame::Rows { points, .. } => points.view().rows(),
            Frame::Distances(n) => *n,
        };
        let (links, lengths) = (tensors.integers("links")?, tensors.integers("lengths")?);
        let (points, coef) = (tensors.integers("node_points")?, tensors.vector("coef")?);
        let thresholds = tensors.vector("thresholds")?;
        let q = thresholds.len();
        if links.len() != 2 * q || lengths.len() != q || points.len() != coef.len() {
            return Err(bad("splits"));
        }
        let (mut nodes, mut at) = (Vec::with_capacity(q), 0_usize);
        let (mut reached, mut found) = (vec![false; q], vec![false; q + 1]);
        for i in 0..q {
            let end = usize::try_from(lengths[i]).ok().and_then(|l| at.checked_add(l));
            let end = end.filter(|e| *e <= coef.len()).ok_or_else(|| bad("splits"))?;
            let place = |p: &i64| usize::try_from(*p).ok().filter(|p| *p < n_points);
            let places = points[at..end].iter().map(place).collect::<Option<Vec<usize>>>();
            let mut link = |v: i64| -> Option<Next> {
                // Every later node and every cluster is led to once.
                if v > i as i64 {
                    let seen = reached.get_mut(v as usize)?;
                    return (!std::mem::replace(seen, true)).then_some(Next::Node(v as usize));
                }
                let c = usize::try_from(-1 - v).ok()?;
                let seen = found.get_mut(c)?;
                (!std::mem::replace(seen, true)).then_some(Next::Cluster(c))
            };
            let next = link(links[2 * i]).zip(link(links[2 * i + 1]));
            let (places, (low, high)) = places.zip(next).ok_or_else(|| bad("splits"))?;
            let coef = coef[at..end].to_vec();
            let next = [low, high];
            nodes.push(Node { points: places, coef, threshold: thresholds[i], next });
            at = end;
        }
        let whole = reached.iter().skip(1).all(|r| *r) && (q == 0 || found.iter().all(|f| *f));
        if !whole || at != coef.len() {
            return Err(bad("splits"));
        }
        Ok(Self { frame, nodes })
    }
}

const METRICS: [Metric; 6] = [
    Metric::Euclidean,
    Metric::SqEuclidean,
    Metric::Manhattan,
    Metric::Chebyshev,
    Metric::Cosine,
    Metric::Correlation,
];

/// A measure as a number and the numbers of its kernel.
fn measure_code(measure: Measure) -> (i64, Vec<f64>) {
    let kernel = match measure {
        Measure::Metric(metric) => {
            let place = METRICS.iter().position(|m| *m == metric);
            return (1 + place.expect("every metric is listed") as i64, Vec::new());
        }
        Measure::Kernel(kernel) | Measure::Induced(kernel) => kernel,
    };
    match kernel {
        Kernel::Linear => (11, Vec::new()),
        Kernel::Rbf { gamma } => (12, vec![gamma]),
        Kernel::Laplacian { gamma } => (13, vec![gamma]),
        Kernel::Poly { gamma, degree, coef0 } => (14, vec![gamma, f64::from(degree), coef0]),
        Kernel::Tanh { gamma, coef0 } => (15, vec![gamma, coef0]),
        Kernel::Cosine => (16, Vec::new()),
    }
}

fn measure_of(code: i64, numbers: &[f64]) -> Option<Measure> {
    if let (1..=6, []) = (code, numbers) {
        return Some(METRICS[code as usize - 1].into());
    }
    let kernel = match (code, numbers) {
        (11, []) => Kernel::Linear,
        (12, &[gamma]) => Kernel::Rbf { gamma },
        (13, &[gamma]) => Kernel::Laplacian { gamma },
        (14, &[gamma, degree, coef0]) if (1.0..=20.0).contains(&degree) => {
            Kernel::Poly { gamma, degree: degree as u32, coef0 }
        }
        (15, &[gamma, coef0]) => Kernel::Tanh { gamma, coef0 },
        (16, []) => Kernel::Cosine,
        _ => return None,
    };
    Some(kernel.distance())
}
