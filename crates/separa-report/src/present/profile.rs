//! What sets each cluster apart, as a table.

use crate::document::{Cell, Table};
use crate::number;
use separa::Profile;
use separa::profile::FeatureProfile;

/// Features of each cluster.
const FEATURES: usize = 4;

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
                Cell::Name(feature.name.clone()),
                value(feature, feature.mean),
                value(feature, feature.others),
                Cell::Number(format!("{:+.1}", feature.effect), feature.effect),
                Cell::Name(format!("{:+.1} to {:+.1}", feature.effect_low, feature.effect_high)),
            ]);
        }
    }
    table
}

fn value(feature: &FeatureProfile, value: f64) -> Cell {
    match feature.binary {
        true => Cell::percent(value),
        false => Cell::Number(number::value(value), value),
    }
}
