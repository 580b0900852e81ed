//! What sets each cluster apart, as a table.

use crate::document::{Cell, On, Table};
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
    table = table.number("mean").number("others").wide().number("effect").number("interval").wide();
    let features = || profile.clusters.iter().flat_map(|c| c.features.iter().take(FEATURES));
    if features().any(|feature| other_word(feature).is_some()) {
        table = table.column("most frequent", false, On::Html).wide();
    }
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
                interval(feature),
                Cell::Text(other_word(feature).unwrap_or_default()),
            ]);
        }
    }
    table
}

/// The column's most frequent word in the cluster with its own fraction, if it is another one than the feature's.
fn other_word(feature: &FeatureProfile) -> Option<String> {
    let most = feature.most_frequent.as_ref().filter(|most| most.name != feature.name)?;
    Some(format!("{} {}", level(&most.name), number::percent(most.fraction)))
}

/// `Biscoe` of `island=Biscoe`.
fn level(name: &str) -> &str {
    name.split_once('=').map_or(name, |(_, level)| level)
}

/// What sets a cluster apart: names, means in it and in all other rows, effects.
pub fn lines(cluster: &ClusterProfile) -> Vec<[String; 4]> {
    let line = |f: &FeatureProfile| {
        let [mean, others] = [f.mean, f.others].map(|v| value(f, v).words().to_owned());
        [shortened(&f.name, LETTERS), mean, others, format!("{:+.1}", f.effect)]
    };
    cluster.features.iter().take(FEATURES).map(line).collect()
}

fn interval(feature: &FeatureProfile) -> Cell {
    let [low, high] = [feature.effect_low, feature.effect_high];
    Cell::Number(format!("{low:+.1} to {high:+.1}"), low)
}

fn value(feature: &FeatureProfile, value: f64) -> Cell {
    match feature.binary {
        true => Cell::percent(value),
        false => Cell::Number(number::computed(value), value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Medium;
    use separa::profile::FrequentLevel;

    fn profile(most: &str) -> Profile {
        let feature = FeatureProfile {
            feature: 0,
            name: "opinion=rather agree".into(),
            mean: 0.392,
            median: 0.0,
            others: 0.02,
            effect: 1.1,
            effect_low: 0.9,
            effect_high: 1.3,
            binary: true,
            most_frequent: Some(FrequentLevel { name: most.into(), fraction: 0.451 }),
        };
        let features = vec![feature];
        let name = "more opinion=rather agree".to_owned();
        let cluster =
            ClusterProfile { cluster: 0, size: 9, fraction: 0.5, name, features, rest: 0 };
        Profile { clusters: vec![cluster] }
    }

    #[test]
    fn a_feature_is_called_by_the_word_whose_numbers_stand_beside_it() {
        let found = profile("opinion=undecided");
        let table = table(&found, &|c| c.to_string());
        let row: Vec<&str> = table.rows[0].iter().map(Cell::words).collect();
        assert_eq!(row[2..4], ["opinion=rather agree", "39 %"]);
        assert_eq!(row[7], "undecided 45 %");
        assert_eq!(table.columns_on(Medium::Page).len(), 8);
        assert_eq!(table.columns_on(Medium::Terminal).len(), 7);
        assert_eq!(lines(&found.clusters[0])[0][..2], ["opinion=rather agree", "39 %"]);
    }

    #[test]
    fn the_most_frequent_word_is_told_only_if_it_is_another_one() {
        let table = table(&profile("opinion=rather agree"), &|c| c.to_string());
        assert_eq!(table.columns_on(Medium::Page).len(), 7);
    }
}
