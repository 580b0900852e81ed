//! A method of your own: parameters, a run and a rule. The rest (quality, stability, files) comes with it.
//!
//! `cargo run --release -p separa --example your_own_method`

use separa::model_file::Tensors;
use separa::prelude::*;
use separa::{
    Checked, ClusterParams, Ctx, Dense, Error, Fit, MatrixRef, Model, ParamSpec, Params, Report,
    Result, Rows,
};
use serde::{Deserialize, Serialize};

/// The nearest of `n_clusters` quantiles of the first feature.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Quantiles {
    n_clusters: usize,
}

impl Params for Quantiles {
    const NAME: &'static str = "quantiles";
    const CLASS: &'static str = "Quantiles";
    const ABOUT: &'static str = "the nearest quantile of the first feature";
    const SPECS: &'static [ParamSpec] = &[];

    fn check(&self) -> Result<()> {
        match self.n_clusters {
            0 | 1 => Err(Error::Data("quantiles: ask for 2 clusters or more".into())),
            _ => Ok(()),
        }
    }
}

impl ClusterParams for Quantiles {
    fn n_clusters(&self) -> usize {
        self.n_clusters
    }
    fn set_n_clusters(&mut self, k: usize) {
        self.n_clusters = k;
    }
    fn is_precomputed(&self) -> bool {
        false
    }
}

impl Method for Quantiles {
    type Model = Centres;

    fn run(p: &Checked<Self>, data: &Dataset<'_>, _: &mut Ctx<'_>) -> Result<Fit<Centres>> {
        let (mut first, k) = (first_feature(data.x()), p.n_clusters);
        first.sort_by(f64::total_cmp);
        let at = (0..k).map(|c| first[(2 * c + 1) * first.len() / (2 * k)]).collect();
        let model = Centres { at, d: data.d() };
        Ok(Fit { labels: model.predict(data.x())?, model, report: Report::idle() })
    }

    fn load(tensors: &Tensors) -> Result<Centres> {
        let d = tensors.integers("d")?.first().map_or(0, |d| *d as usize);
        Ok(Centres { at: tensors.vector("at")?, d })
    }
}

/// The rule.
#[derive(Debug)]
struct Centres {
    at: Vec<f64>,
    d: usize,
}

impl Model for Centres {
    fn n_features(&self) -> usize {
        self.d
    }
    fn n_clusters(&self) -> usize {
        self.at.len()
    }

    /// One column for two clusters (cluster 1 from 0 up), else one per cluster (the largest wins).
    fn decision(&self, x: MatrixRef<'_>) -> Result<Dense> {
        self.check_width(x)?;
        let values = first_feature(x).into_iter().flat_map(|value| {
            let near: Vec<f64> = self.at.iter().map(|centre| -(value - centre).abs()).collect();
            if near.len() == 2 { vec![near[1] - near[0]] } else { near }
        });
        let columns = if self.at.len() == 2 { 1 } else { self.at.len() };
        Ok(Dense::from_vec(x.rows(), columns, values.collect())?)
    }

    fn tensors(&self) -> Tensors {
        let mut tensors = Tensors::default();
        tensors.put_vector("at", &self.at);
        tensors.put_integers("d", &[self.d as i64]);
        tensors
    }
}

fn first_feature(x: MatrixRef<'_>) -> Vec<f64> {
    let mut row = vec![0.0; x.cols()];
    let mut first = |i| {
        x.copy_row(i, &mut row);
        row[0]
    };
    (0..x.rows()).map(&mut first).collect()
}

pub fn main() -> Result<()> {
    let wave = |i: u32| f64::from(i * 37 % 50) / 50.0;
    let rows: Vec<[f64; 2]> =
        (0..150).map(|i| [f64::from(i % 3) * 6.0 + wave(i), wave(i)]).collect();
    let found = Clusterer::new(Quantiles::new(3)).stability(10).fit(&rows)?;
    println!("{} {:?}: {}", found.method_name(), found.sizes(), found.verdict().text);
    println!("stability (Jaccard): {:.2?}", found.stability().expect("it was asked for").jaccard);
    println!("a new row: cluster {}", found.predict(&[[12.5, 0.0]])?[0]);
    assert_eq!((found.k(), found.predict(&rows)?), (3, found.labels().to_vec()));
    Ok(())
}
