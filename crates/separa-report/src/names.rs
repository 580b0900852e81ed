//! Long names that stay different when they are shortened.

use crate::html::shortened;
use separa::Profile;
use separa::quality::Quality;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Letters of a feature's name where room is scarce.
pub const LETTERS: usize = 24;

/// The same where they stand in sentences on a terminal: with a comma they have room in its narrowest column of text.
pub const NARROW: usize = 18;

/// What features are called where there is no room for their whole names.
#[derive(Debug)]
pub struct ShortNames {
    whole: Vec<String>,
    short: Vec<String>,
}

impl ShortNames {
    /// For a document whose names would look alike when cut in the middle; None if they would not.
    pub fn of(whole: Vec<String>) -> Option<Self> {
        let short = told_apart(&whole, LETTERS)?;
        Some(Self { whole, short })
    }

    /// In at most [`NARROW`] letters.
    pub fn narrow(whole: Vec<String>) -> Self {
        let short = within(&whole, NARROW);
        Self { whole, short }
    }

    /// The name of a feature by its place.
    pub fn column(&self, place: usize) -> String {
        self.short.get(place).cloned().unwrap_or_else(|| format!("column {}", place + 1))
    }

    /// Short and whole names, of those that were shortened.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.short.iter().zip(&self.whole);
        all.filter(|(short, whole)| short != whole).map(|(s, w)| (s.as_str(), w.as_str()))
    }

    /// The quality with short names.
    pub fn quality(&self, mut quality: Quality) -> Quality {
        for feature in quality.importance.iter_mut().flat_map(|pair| &mut pair.features) {
            feature.name = Some(self.column(feature.feature));
        }
        quality
    }

    /// The profile with short names, those in the suggested names of clusters among them.
    pub fn profile(&self, mut profile: Profile) -> Profile {
        for cluster in &mut profile.clusters {
            cluster.name = self.sentence(&cluster.name);
            for feature in &mut cluster.features {
                // Short names do not show that the two are one.
                feature.most_frequent.take_if(|most| most.name == feature.name);
                feature.name = self.column(feature.feature);
            }
        }
        profile
    }

    /// Names that are none of these, each once.
    pub fn others<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let new: BTreeSet<&str> =
            names.filter(|name| !self.whole.iter().any(|known| known == name)).collect();
        new.into_iter().map(str::to_owned).collect()
    }

    /// The sentence with short names in the place of whole ones.
    pub fn sentence(&self, whole: &str) -> String {
        let mut pairs: Vec<(&str, &str)> =
            self.pairs().filter(|(_, name)| whole.contains(name)).collect();
        // A name can be the beginning of another one.
        pairs.sort_by_key(|(_, name)| Reverse(name.len()));
        pairs.iter().fold(whole.to_owned(), |text, (short, name)| text.replace(name, short))
    }
}

/// The names in at most `most` letters, different as long as they were: cut in the middle, if that is enough.
pub fn within(whole: &[String], most: usize) -> Vec<String> {
    told_apart(whole, most)
        .unwrap_or_else(|| whole.iter().map(|name| shortened(name, most)).collect())
}

/// None if cutting in the middle leaves all names different. Else words that all long names share become "…", and names
/// that still look alike get their number.
fn told_apart(whole: &[String], most: usize) -> Option<Vec<String>> {
    let is_long = |name: &&String| name.chars().count() > most;
    let long = || whole.iter().filter(is_long);
    let cut: Vec<String> = whole.iter().map(|name| shortened(name, most)).collect();
    if long().next().is_none() || differ(&cut) {
        return None;
    }
    let common = long()
        .map(|name| words(name).collect::<BTreeSet<_>>())
        .reduce(|a, b| a.intersection(&b).copied().collect())
        .unwrap_or_default();
    let mut short: Vec<String> = whole
        .iter()
        .map(|name| match is_long(&name) {
            true => shortened(&without(name, &common), most),
            false => name.clone(),
        })
        .collect();
    if !differ(&short) {
        let places = (0..whole.len()).filter(|place| is_long(&&whole[*place]));
        for place in places {
            let number = format!(" ({})", place + 1);
            let room = most.saturating_sub(number.chars().count());
            short[place] = format!("{}{number}", shortened(&short[place], room));
        }
    }
    Some(short)
}

fn differ(names: &[String]) -> bool {
    names.iter().collect::<BTreeSet<_>>().len() == names.len()
}

fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The name without these words: "…" in the place of every run of them.
fn without(name: &str, common: &BTreeSet<&str>) -> String {
    let mut kept = String::new();
    for part in name.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        match common.contains(word) {
            false => kept.push_str(part),
            true if kept.ends_with('…') => {}
            true => {
                kept.truncate(kept.trim_end_matches(|c: char| !c.is_alphanumeric()).len());
                kept.push('…');
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Option<Vec<String>> {
        ShortNames::of(names.iter().map(|n| (*n).to_owned()).collect()).map(|found| found.short)
    }

    #[test]
    fn names_that_differ_when_cut_are_left_alone() {
        assert_eq!(of(&["age", "income"]), None);
        assert_eq!(
            of(&["a_very_long_name_that_ends_in_one", "a_very_long_name_that_ends_in_two"]),
            None
        );
    }

    #[test]
    fn what_all_long_names_share_is_left_out() {
        let found = of(&[
            "consumption_of_electricity_in_region_north_at_night_in_kilowatt_hours",
            "consumption_of_electricity_in_region_north_at_noon_in_kilowatt_hours",
            "consumption_of_electricity_in_region_south_at_night_in_kilowatt_hours",
            "age",
        ]);
        assert_eq!(found.unwrap(), ["…north…night…", "…north…noon…", "…south…night…", "age"]);
    }

    #[test]
    fn names_that_nothing_tells_apart_get_their_number() {
        let same = "the same words in every one of these names";
        let found = of(&[same, &same.replace("every one", "every-one"), "x"]).unwrap();
        assert!(found[0].ends_with(" (1)") && found[1].ends_with(" (2)"), "{found:?}");
        assert!(found.iter().all(|name| name.chars().count() <= LETTERS), "{found:?}");
    }

    #[test]
    fn sentences_get_short_names_even_if_one_begins_like_another() {
        let name = "number_of_transactions_per_registered_household_member_";
        let whole = [1, 10].map(|i| format!("{name}{i}")).to_vec();
        let short = ShortNames::narrow(whole.clone());
        assert!((0..2).all(|i| short.column(i).chars().count() <= NARROW));
        let said = short.sentence(&format!("high {}, low {}, high age", whole[1], whole[0]));
        assert_eq!(said, format!("high {}, low {}, high age", short.column(1), short.column(0)));
    }

    #[test]
    fn thirty_names_of_ninety_letters_stay_different() {
        let places = ["north", "south", "east", "west", "centre"];
        let times = ["night", "morning", "noon", "afternoon", "evening", "peak"];
        let whole: Vec<String> = places
            .iter()
            .flat_map(|p| times.map(|t| format!("average monthly consumption in the region {p} measured at {t} in kilowatt hours")))
            .collect();
        let found = ShortNames::of(whole.clone()).unwrap();
        assert!(differ(&found.short), "{:?}", found.short);
        assert_eq!(found.pairs().count(), 30);
        assert_eq!(found.pairs().next(), Some(("…north…night…", whole[0].as_str())));
    }
}
