//! Draws every figure of the reports into a folder: `cargo run --release -p separa-report --example gallery --
//! docs/figures/report`. The pictures of docs/report.md are made by it.

use separa::params::KernelChoice;
use separa::prelude::*;
use separa::view::{Map, Plane, View, ViewOptions};
use separa::{Ctx, DenseRef};
use separa_report::figures::{
    bounds, distribution, histogram, kinship, map, pairs, regions, roc, separation, standing,
    trace, tree,
};
use separa_report::html::Html;
use separa_report::svg::alone::standalone;
use separa_testkit::clouds::Source;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give a folder to draw into")?;
    let put = |name: &str, figure: Option<Html>| -> std::io::Result<()> {
        let figure = figure.expect("the gallery has something to draw");
        std::fs::write(Path::new(&folder).join(format!("{name}.svg")), standalone(&figure))
    };
    let (two, three) = (Clouds::new(2), Clouds::new(3));
    for clouds in [&two, &three] {
        let k = clouds.k;
        let data = clouds.data()?;
        let found = Mspc::new(k).fit(&data)?;
        let (labels, quality) = (found.labels(), found.quality()?);
        let options = ViewOptions { seed: 0, features: true, flat: true, columns: None };
        let view = View::of(&data, labels, found.model().as_ref(), &options)?;
        put(&format!("separation-{k}"), Some(separation::draw(&view, k, &name)))?;
        put(
            &format!("histogram-{k}"),
            histogram::Bins::of(&view.decided, k)
                .map(|bins| histogram::draw(&bins, k, view.decided.rows.len())),
        )?;
        if k == 3 {
            put("standing", Some(standing::draw(quality)))?;
            put("pairs", Some(pairs::draw(&quality.pairs, k)))?;
            put("kinship", kinship::draw(&quality.pairs))?;
            let column = &view.columns[0];
            put("distribution", Some(distribution::draw(column, &name(column.column))))?;
            let map = Map::of(&data, labels, k, 0)?;
            put("map", Some(map::draw(&map, labels, "1. mspc")))?;
        }
    }
    let (data, target) = (two.data()?, two.target()?);
    let rule = Mpm { kernel: KernelChoice::Rbf, ..Mpm::default() }.fit(&data, &target)?;
    let learnt = rule.learnt();
    put("bounds", bounds::draw(&learnt.bounds, |c| learnt.classes[c].clone()))?;
    let scores = rule.decision(&data)?.column(0);
    let curve = roc::Roc::of(&scores, |i| target.classes()[i] == 1).ok_or("two classes")?;
    put("roc", roc::draw(&[(1, curve)]))?;
    let classes: Vec<i32> = target.classes().iter().map(|c| *c as i32).collect();
    let plane = Plane::of(&data, &classes, rule.model().as_ref(), 0)?.ok_or("two columns")?;
    put("regions", Some(regions::draw(&plane, ["length, cm", "weight, g"])))?;
    let rounds: Vec<f64> = (0..12).map(|i| 0.6 - 0.4 * 0.6f64.powi(i)).collect();
    put("trace", trace::draw(&rounds))?;
    let options = separa::k_auto::count::Options::default();
    let found = separa::k_auto::count::how_many(&three.data()?, &options, &mut Ctx::new(0))?;
    put("tree", tree::draw(&found.counted))?;
    Ok(())
}

fn name(column: usize) -> String {
    ["length, cm", "weight, g"][column].to_owned()
}

/// A few hundred rows around k places.
struct Clouds {
    k: usize,
    rows: Vec<f64>,
}

impl Clouds {
    fn new(k: usize) -> Self {
        let mut source = Source::new(5);
        let places = [(20.0, 300.0), (28.0, 340.0), (22.0, 480.0)];
        let row = |i: usize| {
            let (x, y) = places[i % k];
            [x + 1.6 * source.normal(), y + 30.0 * source.normal()]
        };
        Self { k, rows: (0..k * 150).flat_map(row).collect() }
    }

    fn data(&self) -> separa::Result<Dataset<'_>> {
        Dataset::new(DenseRef::new(self.rows.len() / 2, 2, &self.rows)?.into())
    }

    fn target(&self) -> separa::Result<Target> {
        let classes = (0..self.rows.len() as u32 / 2).map(|i| i % self.k as u32).collect();
        Target::new(classes, vec!["perch".into(), "pike".into()])
    }
}
