//! A method of your own: parameters and a run. The rest (quality, stability, predictions, files) comes with it.
//!
//! `cargo run --release -p separa --example your_own_method`

use separa::methods::{KMeans, KMeansModel};
use separa::model_file::Tensors;
use separa::prelude::*;
use separa::{Checked, ClusterParams, Ctx, Dense, Fit, Metric, Params, Result, Rows};
use serde::{Deserialize, Serialize};

/// Farthest-first traversal (Gonzalez, 1985): every centre is the row farthest from those before it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct FarthestFirst {
    n_clusters: usize,
}

impl Params for FarthestFirst {
    const NAME: &'static str = "farthest-first";
}

impl ClusterParams for FarthestFirst {
    fn n_clusters(&self) -> usize {
        self.n_clusters
    }
    fn set_n_clusters(&mut self, k: usize) {
        self.n_clusters = k;
    }
}

impl Method for FarthestFirst {
    /// The rule of the nearest centre; a struct of your own with `impl Model` does as well.
    type Model = KMeansModel;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, _: &mut Ctx<'_>) -> Result<Fit<KMeansModel>> {
        let (x, mut next, mut values, mut row) = (data.x(), 0, Vec::new(), vec![0.0; data.d()]);
        loop {
            x.copy_row(next, &mut row);
            values.extend_from_slice(&row);
            let centers = Dense::from_vec(values.len() / data.d(), data.d(), values.clone())?;
            if centers.rows() >= p.n_clusters {
                return Fit::by_rule(KMeansModel::new(centers), data);
            }
            let distances = Metric::Euclidean.matrix(&x, &centers);
            let gap = |i: usize| distances.row(i).iter().copied().fold(f64::INFINITY, f64::min);
            next = (0..x.rows()).fold(0, |far, i| if gap(i) > gap(far) { i } else { far });
        }
    }

    fn load(tensors: &Tensors) -> Result<KMeansModel> {
        KMeans::load(tensors)
    }
}

pub fn main() -> Result<()> {
    let wave = |i: u32| f64::from(i * 37 % 50) / 50.0;
    let rows: Vec<[f64; 2]> =
        (0..150).map(|i| [f64::from(i % 3) * 6.0 + wave(i), wave(i)]).collect();
    let found = Clusterer::new(FarthestFirst::new(3)).stability(10).fit(&rows)?;
    println!("{} {:?}: {}", found.method_name(), found.sizes(), found.verdict().text);
    println!("stability (Jaccard): {:.2?}", found.stability().expect("it was asked for").jaccard);
    println!("a new row: cluster {}", found.predict(&[[12.5, 0.0]])?[0]);
    assert_eq!((found.k(), found.predict(&rows)?), (3, found.labels().to_vec()));
    Ok(())
}
