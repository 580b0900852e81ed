//! The rule: embed a row, then the nearest centre.

use super::extension::{Extension, ExtensionKind};
use crate::assign::mark_not_finite;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::model_file::Tensors;
use separa_math::kmeans::Nearest;
use separa_math::matrix::{Dense, MatrixRef, Rows};

/// Extends eigenvectors to any row; it belongs to the nearest centre there.
#[derive(Debug, Clone)]
pub struct SpectralModel {
    extension: Extension,
    centers: Dense,
    rule: Nearest,
}

impl SpectralModel {
    pub(super) fn new(extension: Extension, centers: Dense) -> Self {
        Self { rule: Nearest::new(&centers), extension, centers }
    }

    /// One row a cluster, in the embedding.
    pub fn centers(&self) -> &Dense {
        &self.centers
    }

    /// Where these rows lie among the eigenvectors. For the training rows of all affinities but `knn`
    /// these are the eigenvectors themselves: solutions u of A·u = λ·D·u with uᵀDu = 1, for `njw` each
    /// row scaled to length one.
    pub fn embedding(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let mut out = self.extension.embed(&x);
        mark_not_finite(x, &mut out);
        Ok(out)
    }

    pub(super) fn load(t: &Tensors) -> Result<Self> {
        let wrong = || Error::Model("its graph has an impossible shape".into());
        let (weights, centers) = (t.matrix("weights")?, t.matrix("centers")?);
        let (shape, numbers) = (t.integers("graph")?, t.vector("numbers")?);
        let ([kind, count, unit], [gamma, spare, floor]) = (&shape[..], &numbers[..]) else {
            return Err(wrong());
        };
        let count = usize::try_from(*count).map_err(|_| wrong())?;
        let points = if *kind == 3 { None } else { Some(t.rows("points")?) };
        let kind = match kind {
            0 if count > 0 => ExtensionKind::Knn(count),
            1 if *gamma > 0.0 => ExtensionKind::Rbf { gamma: *gamma },
            2 if count > 0 && *spare > 0.0 => {
                let scales = t.vector("scales")?;
                if scales.len() != weights.cols() || scales.iter().any(|s| *s <= 0.0) {
                    return Err(wrong());
                }
                ExtensionKind::SelfTuning { neighbor: count, scales, spare: *spare }
            }
            3 => ExtensionKind::Given,
            _ => return Err(wrong()),
        };
        let width = weights.rows().saturating_sub(1).max(1);
        let fits = points.as_ref().is_none_or(|p| p.n_rows() == weights.cols());
        if weights.rows() == 0
            || weights.cols() == 0
            || centers.rows() == 0
            || centers.cols() != width
            || !fits
            || *floor < 0.0
        {
            return Err(wrong());
        }
        let extension = Extension { kind, points, weights, floor: *floor, unit: *unit != 0 };
        Ok(Self::new(extension, centers))
    }
}

impl Model for SpectralModel {
    fn n_features(&self) -> usize {
        self.extension.n_features()
    }
    fn n_clusters(&self) -> usize {
        self.centers.rows()
    }

    /// y·c − ½‖c‖² of the embedded row y up to what all columns share; the difference of the two for
    /// two clusters.
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        let embedded = self.embedding(x)?;
        let mut scores = self.rule.scores(&embedded);
        mark_not_finite(x, &mut scores);
        Ok(scores)
    }

    fn tensors(&self) -> Tensors {
        let mut out = Tensors::default();
        let Extension { kind, points, weights, floor, unit } = &self.extension;
        let (code, count, gamma, spare) = match kind {
            ExtensionKind::Knn(count) => (0, *count, 0.0, 0.0),
            ExtensionKind::Rbf { gamma } => (1, 0, *gamma, 0.0),
            ExtensionKind::SelfTuning { neighbor, scales, spare } => {
                out.put_vector("scales", scales);
                (2, *neighbor, 0.0, *spare)
            }
            ExtensionKind::Given => (3, 0, 0.0, 0.0),
        };
        out.put_integers("graph", &[code, count as i64, i64::from(*unit)]);
        out.put_vector("numbers", &[gamma, spare, *floor]);
        if let Some(points) = points {
            out.put_rows("points", points);
        }
        out.put_matrix("weights", weights);
        out.put_matrix("centers", &self.centers);
        out
    }
}
