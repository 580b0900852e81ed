//! What generic code asks of the parameters of a clustering method.

use super::{Init, Outliers};

/// The parameters of a clustering method, asked by meaning.
///
/// A parameter that a method does not have is `None`. `cluster_params!` writes the impl from the list
/// of fields.
pub trait ClusterParams {
    /// The number of clusters asked for.
    fn n_clusters(&self) -> usize;
    /// Asks for another number of clusters.
    fn set_n_clusters(&mut self, k: usize);

    /// Where the fit begins.
    fn init_mut(&mut self) -> Option<&mut Init> {
        None
    }
    /// How many rows stand for all in a kernel or a graph.
    fn landmarks_mut(&mut self) -> Option<&mut usize> {
        None
    }
    /// Whether outliers are kept out of the fit.
    fn robust_mut(&mut self) -> Option<&mut bool> {
        None
    }
    /// What becomes of outliers.
    fn outliers_mut(&mut self) -> Option<&mut Outliers> {
        None
    }
    /// Forgets numbers that were given per row.
    fn forget_row_values(&mut self) {}

    /// Whether the table holds no features but distances or similarities of pairs of rows.
    fn is_precomputed(&self) -> bool {
        false
    }
    /// Whether there is nothing to scale: pairs of rows, or a distance that brings its own scale.
    fn ignores_scaling(&self) -> bool {
        self.is_precomputed()
    }
    /// Whether there is no kernel, or it is the linear one.
    fn is_kernel_linear(&self) -> bool {
        true
    }
    /// The regulariser that the quality of the labels is measured with: MSPC's own, because it weighs the
    /// same term; other methods mean other things by `reg`.
    fn quality_reg(&self) -> f64 {
        1.0
    }

    /// Makes the parameters fit a part of the table: its own initialization, every row labelled, nothing
    /// given per row, at most `rows` landmarks.
    fn for_part(&mut self, rows: usize) {
        if let Some(init) = self.init_mut().filter(|init| matches!(init, Init::Labels(_))) {
            *init = Init::Auto;
        }
        if let Some(outliers) = self.outliers_mut() {
            *outliers = Outliers::Assign;
        }
        if let Some(landmarks) = self.landmarks_mut() {
            *landmarks = rows.min(*landmarks);
        }
        self.forget_row_values();
    }
}

/// Implements [`ClusterParams`] for a struct with these fields; a field that it does not know adds nothing.
macro_rules! cluster_params {
    ([$($generic:tt)*] $params:ty: n_clusters $($field:ident)*) => {
        impl $($generic)* $crate::params::ClusterParams for $params {
            fn n_clusters(&self) -> usize {
                self.n_clusters
            }
            fn set_n_clusters(&mut self, k: usize) {
                self.n_clusters = k;
            }
            $(accessor!($field);)*

            fn is_precomputed(&self) -> bool {
                [$(word_if_measure!(self.$field)),*].contains(&Some("precomputed"))
            }

            fn ignores_scaling(&self) -> bool {
                let words = [$(word_if_measure!(self.$field)),*];
                words.contains(&Some("precomputed")) || words.contains(&Some("gower"))
            }
        }
    };
    // A classifier.
    ($($other:tt)*) => {};
}

/// The method of [`ClusterParams`] that one field answers.
macro_rules! accessor {
    (init) => {
        fn init_mut(&mut self) -> Option<&mut $crate::params::Init> {
            Some(&mut self.init)
        }
    };
    (landmarks) => {
        fn landmarks_mut(&mut self) -> Option<&mut usize> {
            Some(&mut self.landmarks)
        }
    };
    (robust) => {
        fn robust_mut(&mut self) -> Option<&mut bool> {
            Some(&mut self.robust)
        }
        // Only MSPC has `robust`, and its `reg` is the one of the quality.
        fn quality_reg(&self) -> f64 {
            self.reg
        }
    };
    (outliers) => {
        fn outliers_mut(&mut self) -> Option<&mut $crate::params::Outliers> {
            Some(&mut self.outliers)
        }
    };
    (weights) => {
        fn forget_row_values(&mut self) {
            if word_of!(self.weights).is_none() {
                self.weights = Self::default().weights;
            }
        }
    };
    (kernel) => {
        fn is_kernel_linear(&self) -> bool {
            word_of!(self.kernel) == Some("linear")
        }
    };
    ($other:ident) => {};
}

/// The word of a field that can say that the table holds measures of pairs of rows.
macro_rules! word_if_measure {
    ($self:ident.kernel) => {
        word_of!($self.kernel)
    };
    ($self:ident.metric) => {
        word_of!($self.metric)
    };
    ($self:ident.affinity) => {
        word_of!($self.affinity)
    };
    ($self:ident.similarity) => {
        word_of!($self.similarity)
    };
    ($self:ident.$other:ident) => {
        None
    };
}

macro_rules! word_of {
    ($($value:tt)*) => { $crate::params::ParamValue::word(&$($value)*) };
}
