//! What sets each cluster apart, as a table.

use crate::document::{Cell, Table};
use crate::html::shortened;
use crate::number;
use separa::Profile;
use separa::profile::{ClusterProfile, FeatureProfile};

/// Features of each cluster.
const FEATURES: usize = 4;
/// Letters of a feature's name beside the map.
const LETTERS: usize = 60;

/// A few features of every cluster with their means, compared with all other rows.
pub fn table(profile: &Profile, name: &dyn Fn(i32) -> String) -> Table {
    let caption = "What sets each cluster apart: the mean in the cluster and in all other rows, and the effect, their \
                   difference in standard deviations with its 95 % interval (0.8 and more is large)";
    let mut table = Table::new(caption).text("cluster").text("suggested name").text("feature");
    table = table.number("mean").number("others").number("effect").text("interval");
    for cluster in &profile.clusters {
        for (i, feature) in cluster.features.iter().take(FEATURES).enumerate() {
            let first = |text: &str| if i == 0 { text.to_owned() } else { String::new() };
            table.row(vec![
                match i {
                    0 => Cell::Cluster(cluster.cluster, name(cluster.cluster)),
                    _ => Cell::Name(String::new()),
                },
                Cell::Text(first(&cluster.name)),
                Cell::Name(called(feature)),
                value(feature, feature.mean),
                value(feature, feature.others),
                Cell::Number(format!("{:+.1}", feature.effect), feature.effect),
                Cell::Name(format!("{:+.1} to {:+.1}", feature.effect_low, feature.effect_high)),
            ]);
        }
    }
    table
}

/// The feature, with the column's most frequent word in the cluster if that is another one.
fn called(feature: &FeatureProfile) -> String {
    match feature.most_frequent.as_ref().filter(|most| most.name != feature.name) {
        Some(most) => format!("{} (mostly {})", feature.name, level(&most.name)),
        None => feature.name.clone(),
    }
}

/// `Biscoe` of `island=Biscoe`.
fn level(name: &str) -> &str {
    name.split_once('=').map_or(name, |(_, level)| level)
}

/// What sets a cluster apart: names, means in it and in all other rows, effects.
pub fn lines(cluster: &ClusterProfile) -> Vec<[String; 4]> {
    let line = |f: &FeatureProfile| {
        let [mean, others] = [f.mean, f.others].map(|v| value(f, v).words().to_owned());
        [shortened(&called(f), LETTERS), mean, others, format!("{:+.1}", f.effect)]
    };
    cluster.features.iter().take(FEATURES).map(line).collect()
}

fn value(feature: &FeatureProfile, value: f64) -> Cell {
    match feature.binary {
        true => Cell::percent(value),
        false => Cell::Number(number::value(value), value),
    }
}
