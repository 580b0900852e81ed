//! The model as arrays, and back.

use super::bags::StoredBags;
use super::model::{MscModel, MscNode, TrainingPoints};
use crate::assign::tree;
use crate::error::{Error, Result};
use crate::model_file::Tensors;
use separa_math::matrix::Rows;
use separa_math::scaling::Scaler;

impl MscModel {
    pub(super) fn store(&self) -> Tensors {
        let mut tensors = Tensors::default();
        if let Some(scaler) = &self.scaler {
            tensors.put_vector("factors", &scaler.factors());
        }
        match &self.frame {
            TrainingPoints::Rows { points, measure } => {
                tensors.put_rows("points", points);
                tensors.put_measure("measure", *measure);
            }
            TrainingPoints::Bags(bags) => {
                bags.store(&mut tensors);
                tensors.put_measure("measure", bags.measure);
            }
            TrainingPoints::Distances(n) => tensors.put_integers("width", &[*n as i64]),
        }
        tensors.put_integers("links", &tree::store(self.nodes.iter().map(|node| &node.next)));
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
                [n] if n > 0 => TrainingPoints::Distances(n as usize),
                _ => return Err(bad("columns")),
            },
            false => {
                let measure = tensors.measure("measure")?;
                match StoredBags::load(tensors, measure)? {
                    Some(bags) => TrainingPoints::Bags(bags),
                    None => TrainingPoints::Rows { points: tensors.rows("points")?, measure },
                }
            }
        };
        let n_points = match &frame {
            TrainingPoints::Rows { points, .. } => points.n_rows(),
            TrainingPoints::Bags(bags) => bags.count(),
            TrainingPoints::Distances(n) => *n,
        };
        let (links, lengths) = (tensors.integers("links")?, tensors.integers("lengths")?);
        let (points, coef) = (tensors.integers("node_points")?, tensors.vector("coef")?);
        let thresholds = tensors.vector("thresholds")?;
        let q = thresholds.len();
        if lengths.len() != q || points.len() != coef.len() {
            return Err(bad("splits"));
        }
        let sides = tree::load(&links, q).ok_or_else(|| bad("splits"))?;
        let (mut nodes, mut at) = (Vec::with_capacity(q), 0_usize);
        for i in 0..q {
            let end = usize::try_from(lengths[i]).ok().and_then(|l| at.checked_add(l));
            let end = end.filter(|e| *e <= coef.len()).ok_or_else(|| bad("splits"))?;
            let place = |p: &i64| usize::try_from(*p).ok().filter(|p| *p < n_points);
            let places = points[at..end].iter().map(place).collect::<Option<Vec<usize>>>();
            let places = places.ok_or_else(|| bad("splits"))?;
            let coef = coef[at..end].to_vec();
            nodes.push(MscNode { points: places, coef, threshold: thresholds[i], next: sides[i] });
            at = end;
        }
        if at != coef.len() {
            return Err(bad("splits"));
        }
        let scaler = match tensors.contains("factors") {
            true => {
                let factors = tensors.vector("factors")?;
                let columns = match &frame {
                    TrainingPoints::Rows { points, .. } => points.n_cols(),
                    TrainingPoints::Bags(bags) => bags.cols(),
                    TrainingPoints::Distances(_) => return Err(bad("columns")),
                };
                if factors.len() != columns || !factors.iter().all(|f| f.is_finite() && *f >= 0.0) {
                    return Err(bad("columns"));
                }
                Some(Scaler::from_factors(&factors))
            }
            false => None,
        };
        Ok(Self { frame, nodes, scaler })
    }
}
