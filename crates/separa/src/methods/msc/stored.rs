//! The model as arrays, and back.

use super::bags::StoredBags;
use super::model::{Frame, MscModel, Next, Node};
use crate::error::{Error, Result};
use crate::persist::Tensors;
use separa_math::matrix::Rows;

impl MscModel {
    pub(super) fn store(&self) -> Tensors {
        let mut tensors = Tensors::default();
        match &self.frame {
            Frame::Rows { points, measure } => {
                tensors.put_rows("points", points);
                tensors.put_measure("measure", *measure);
            }
            Frame::Bags(bags) => {
                bags.store(&mut tensors);
                tensors.put_measure("measure", bags.measure);
            }
            Frame::Distances(n) => tensors.put_integers("width", &[*n as i64]),
        }
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
        let frame = match tensors.contains("width") {
            true => match tensors.integers("width")?[..] {
                [n] if n > 0 => Frame::Distances(n as usize),
                _ => return Err(bad("columns")),
            },
            false => {
                let measure = tensors.measure("measure")?;
                match StoredBags::load(tensors, measure)? {
                    Some(bags) => Frame::Bags(bags),
                    None => Frame::Rows { points: tensors.rows("points")?, measure },
                }
            }
        };
        let n_points = match &frame {
            Frame::Rows { points, .. } => points.n_rows(),
            Frame::Bags(bags) => bags.count(),
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
