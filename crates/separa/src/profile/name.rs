//! Names made of the features that set a cluster apart: "low flavanoids, high color_intensity".

use super::{ClusterProfile, FeatureProfile};

/// Features of a name at first, and at most where clusters would be called alike.
const WORDS: usize = 2;
const MOST: usize = 4;
/// A feature is named if its effect is at least this, and its interval leaves this out.
const MEDIUM: f64 = 0.5;
const SMALL: f64 = 0.2;

/// Gives every cluster a name, as short as it can be and different from all others.
pub(super) fn suggest(clusters: &mut [ClusterProfile]) {
    for words in WORDS..=MOST {
        let names: Vec<String> = clusters.iter().map(|c| name(&c.features, words)).collect();
        for (c, cluster) in clusters.iter_mut().enumerate() {
            let alike = names.iter().filter(|other| **other == names[c]).count() > 1;
            // A longer name that is not needed would only be longer.
            if cluster.name.is_empty() && (!alike || words == MOST) {
                cluster.name.clone_from(&names[c]);
            }
        }
    }
}

fn name(features: &[FeatureProfile], most: usize) -> String {
    let clear = |f: &&FeatureProfile| {
        f.effect.abs() >= MEDIUM && (f.effect_low > SMALL || f.effect_high < -SMALL)
    };
    let words: Vec<String> = features.iter().filter(clear).take(most).map(word).collect();
    match words.is_empty() {
        true => "average".to_owned(),
        false => words.join(", "),
    }
}

fn word(feature: &FeatureProfile) -> String {
    let name = &feature.name;
    match (feature.binary, feature.effect > 0.0) {
        (true, true) if feature.mean > 0.5 => name.clone(),
        (true, true) => format!("more {name}"),
        (true, false) if feature.mean < 0.05 => format!("no {name}"),
        (true, false) => format!("less {name}"),
        (false, true) => format!("high {name}"),
        (false, false) => format!("low {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(name: &str, effect: f64, mean: f64, binary: bool) -> FeatureProfile {
        let (effect_low, effect_high) = (effect - 0.2, effect + 0.2);
        FeatureProfile {
            feature: 0,
            name: name.into(),
            mean,
            median: mean,
            others: 0.0,
            effect,
            effect_low,
            effect_high,
            binary,
            most_frequent: None,
        }
    }

    fn cluster(features: Vec<FeatureProfile>) -> ClusterProfile {
        ClusterProfile {
            cluster: 0,
            size: 10,
            fraction: 0.5,
            name: String::new(),
            features,
            rest: 0,
        }
    }

    #[test]
    fn names_say_what_is_clear_and_no_more() {
        let wine = vec![
            feature("proline", 2.1, 1e3, false),
            feature("hue", -1.4, 0.7, false),
            feature("ash", 0.9, 2.0, false),
        ];
        assert_eq!(name(&wine, 2), "high proline, low hue");
        // Small, or not sure to be more than small.
        assert_eq!(name(&[feature("ash", 0.4, 1.0, false)], 2), "average");
        let unsure = FeatureProfile { effect_low: 0.1, ..feature("ash", 0.6, 1.0, false) };
        assert_eq!(name(&[unsure], 2), "average");
        let words = [
            feature("island=Biscoe", 3.0, 0.97, true),
            feature("island=Dream", -1.0, 0.01, true),
            feature("sex", 0.6, 0.4, true),
            feature("smoker", -0.7, 0.3, true),
        ];
        assert_eq!(name(&words, 4), "island=Biscoe, no island=Dream, more sex, less smoker");
    }

    #[test]
    fn clusters_that_would_be_called_alike_get_another_word() {
        let like = |third: &str| {
            cluster(vec![
                feature("a", 2.0, 1.0, false),
                feature("b", 1.5, 1.0, false),
                feature(third, 1.2, 1.0, false),
            ])
        };
        let mut all = [like("c"), like("d"), cluster(vec![feature("a", -1.0, 1.0, false)])];
        suggest(&mut all);
        let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["high a, high b, high c", "high a, high b, high d", "low a"]);
    }
}
