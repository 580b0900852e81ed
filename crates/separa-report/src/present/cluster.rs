//! The document of a clustering.

use super::{
    counted, glossary, importance, pairs, points, preparation, profile, quality, rows, rules,
    settings, sizes, stability, timeline, verdict,
};
use crate::document::{Block, Document, Histogram, Legend, On, Section};
use crate::figures::{distribution, histogram, separation};
use crate::names::ShortNames;
use crate::{About, Names, SeenRows, Subject, number};
use separa::note::codes;
use separa::quality::Quality;
use separa::view::{AxisKind, Decided, View};
use separa::{Clustering, Profile, VerdictCode};
use serde_json::Value;

/// A clustering with what is known about it.
#[derive(Clone, Copy)]
struct Known<'a> {
    found: &'a Clustering,
    about: &'a About<'a>,
    seen: &'a SeenRows<'a>,
    quality: Option<&'a Quality>,
    profile: Option<&'a Profile>,
    /// What features are called in sentences on a terminal.
    narrow: &'a ShortNames,
}

/// What the map's script draws from: the rows of a view with their clusters, and what is said of each cluster.
pub fn map_data(found: &Clustering, view: &View, names: Names<'_>) -> Value {
    let (sizes, n, profile) = (found.sizes(), found.n(), found.profile());
    points::data(view, &points::Picked { sizes, n, profile }, names, found.thing())
}

/// Everything that is known about it.
pub fn document(found: &Clustering, about: &About<'_>, seen: &SeenRows<'_>) -> Document {
    let (quality, profile) = (found.quality().ok(), found.profile());
    let whole: Vec<String> = (0..found.d()).map(about.names.column).collect();
    let narrow = &ShortNames::narrow(whole.clone());
    let Some(short) = ShortNames::of(whole) else {
        return told(&Known { found, about, seen, quality, profile, narrow });
    };
    let column = |place: usize| short.column(place);
    let about = &About { names: Names { column: &column, ..about.names }, ..*about };
    let quality = quality.map(|q| short.quality(q.clone()));
    let profile = profile.map(|p| short.profile(p.clone()));
    let (quality, profile) = (quality.as_ref(), profile.as_ref());
    let mut document = told(&Known { found, about, seen, quality, profile, narrow });
    document.add(settings::long_names(&short));
    document
}

fn told(c: &Known<'_>) -> Document {
    let Known { found, about, seen, quality, profile, narrow } = *c;
    let subject = Subject { about, fitted: found };
    let (k, thing, names) = (found.k(), found.thing(), about.names);
    let view = seen.view.ok();
    let mut document = subject.document(summary(found), good(found));
    document.facts[1].1 = format!("{}, {}", number::counted(k, "cluster"), subject.course());
    let (sizes, n) = (found.sizes(), found.n());
    let picked = points::Picked { sizes, n, profile };
    document.data = view.map(|view| points::data(view, &picked, names, thing));
    document.add(match found.count().filter(|counted| counted.k == 1) {
        Some(counted) => counted::next(counted),
        None => {
            let titles = ["cluster", thing];
            sizes::section("Cluster sizes", titles, found.sizes(), found.n(), names.cluster)
        }
    });
    if !seen.sequences.is_empty() {
        document.add(timeline::section(seen.sequences, names.cluster));
    }
    document.add(map(c));
    document.add(margins(c));
    if k > 1 {
        document.add(judged(found));
    }
    if let Some(q) = quality.filter(|q| q.pairs.len() > 1) {
        document.add(pairs::section(q, k, names.cluster));
    }
    if let Some(found) = found.stability() {
        document.add(stability::section(found, thing));
    }
    if let Some(found) = found.count() {
        document.add(counted::section(found));
    }
    document.add(profiles(c));
    if let Some(found) = seen.rules {
        let asked = seen.rules_asked.then_some(narrow);
        document.add(rules::section(found, asked, names.cluster));
    }
    if k > 1 {
        document.add(features(c));
    }
    document.add(rows::section(view, found.exemplars(), k, names, thing));
    if let Some(truth) = seen.truth {
        document.add(truth.section(thing, names.cluster));
    }
    document.add(preparation::section(found));
    if let Some(found) = found.count() {
        document.add(counted::steps(found));
    }
    document.add(settings::convergence(&subject));
    let elsewhere = match k > 1 && quality.is_some_and(|q| !q.pairs.is_empty()) {
        true => quality::cautions(found.notes()),
        false => Vec::new(),
    };
    let mut document = subject.end(document, &elsewhere);
    document.add(glossary::section());
    document
}

/// Whether the clusters are good news: a gap between every two of them, and rules learnt on two halves that agree; if that
/// is not known, p-values that can be read.
pub fn good(found: &Clustering) -> Option<bool> {
    let quality = found.quality().ok()?;
    let as_given = found.notes().iter().any(|note| note.code == codes::LABELS_AS_GIVEN);
    let reproducible = quality.is_reproducible().unwrap_or(!as_given);
    Some(quality.is_real() && reproducible)
}

/// The verdict, and whether the number of clusters is uncertain.
fn summary(found: &Clustering) -> String {
    let (counted, verdict) = (found.count(), found.verdict());
    match verdict.code {
        VerdictCode::OneCluster if counted.is_some() => {
            return format!(
                "{}. Every row is labelled 0.",
                stability::sentence_case(&verdict.text)
            );
        }
        VerdictCode::Suggested => {
            let guarantee = found.quality().map(verdict::guarantee).unwrap_or_default();
            return format!("{}. {guarantee}", stability::sentence_case(&verdict.text));
        }
        _ => {}
    }
    let said = verdict::summary(found.sizes(), found.n(), found.thing(), found.quality().ok());
    match counted.and_then(counted::doubt) {
        Some(doubt) => format!("{said} {doubt}"),
        None => said,
    }
}

fn map(c: &Known<'_>) -> Section {
    let k = c.found.k();
    let mut section = Section::new("separation", "Cluster map");
    let view = match c.seen.view {
        Ok(view) => view,
        Err(why) => return section.missing(why).clone(),
    };
    let caption = map_caption(c.found, view);
    let outliers = view.labels.contains(&-1).then(|| (-1, "outliers".to_owned()));
    let items = (0..k as i32).map(|i| (i, (c.about.names.cluster)(i))).chain(outliers).collect();
    let legend = Legend { title: "Clusters", items };
    let drawing = separation::draw(view, k, c.about.names.column);
    section.add(On::Html, Block::Plot { drawing, caption, legend }).clone()
}

/// What the first two axes of a view are, and how many rows are drawn.
pub fn map_caption(found: &Clustering, view: &View) -> String {
    let (k, thing) = (found.k(), found.thing());
    let mut caption = match view.axes[0].kind {
        AxisKind::Decision => format!(
            "Across: the decision value, with the boundary at 0. The shaded strip holds {:.0} % of each cluster: a \
             wide strip is a gap.",
            100.0 * separation::STRIP
        ),
        AxisKind::Discriminant(_) => {
            let said = "Seen along the two directions that separate the clusters best, compared with the spread \
                        within them.";
            match k <= separation::NUMBERED {
                true => format!("{said} Numbers stand at the middle of their cluster."),
                false => said.to_owned(),
            }
        }
        AxisKind::Nothing => format!(
            "No feature separates these {thing}s: they are spread for the eye, and places mean nothing."
        ),
        AxisKind::Column(_) if view.regions.is_some() => {
            "The two features as they are. The ground has the colour of the cluster that a row there would get: the \
             boundary is where it changes."
                .to_owned()
        }
        AxisKind::Column(_) => "The two features as they are.".to_owned(),
        _ => format!("Seen along the main directions of all {thing}s."),
    };
    caption.push_str(&drawn(view, thing));
    caption
}

/// How many of the rows are drawn, where not all are.
fn drawn(view: &View, thing: &str) -> String {
    if view.whole() {
        return String::new();
    }
    format!(
        " Drawn: a random sample of {} of {} {thing}s, with more rows of small clusters.",
        number::count(view.rows.len()),
        number::count(view.n)
    )
}

fn margins(c: &Known<'_>) -> Section {
    let (k, thing, n) = (c.found.k(), c.found.thing(), c.found.n());
    let mut section = Section::new("margins", "Margins");
    let decided: Option<&Decided> = c.seen.view.ok().map(|view| &view.decided).or(c.seen.decided);
    let Some(decided) = decided.filter(|_| k > 1) else { return section };
    let Some(bins) = histogram::Bins::of(decided, k) else { return section };
    let mut caption = match k {
        2 => "Decision values: left of 0 is cluster 0, right of it cluster 1. Two modes with an antimode at the \
              boundary are two clusters; one mode that is split is not."
            .to_owned(),
        _ => "Margin: the score of the best cluster minus that of the runner-up. The further left, the closer the \
              call."
            .to_owned(),
    };
    let seen = decided.rows.len();
    let sample = (seen < n).then(|| {
        format!("of a random sample of {} of {} {thing}s", number::count(seen), number::count(n))
    });
    if seen < n {
        let seen = number::count(seen);
        caption.push_str(&format!(" Counted: the {seen} {thing}s that are drawn above."));
    }
    let drawing = histogram::draw(&bins, k, seen);
    let axis = if k == 2 { "decision value" } else { "margin" };
    let boundary = k == 2;
    let found = Histogram { bins, drawing, caption, axis, boundary, sample };
    section.add(On::Everywhere, Block::Histogram(found)).clone()
}

fn judged(found: &Clustering) -> Section {
    match found.quality().ok().filter(|q| !q.pairs.is_empty()) {
        Some(q) => {
            quality::section(q, found.method().quality_reg(), &quality::cautions(found.notes()))
        }
        None => Section::new("quality", "Is the separation real?")
            .missing(
                "The separability of these clusters was not judged; a warning or a note on this page says why.",
            )
            .clone(),
    }
}

/// What sets each cluster apart, and the features one by one in their own units.
fn profiles(c: &Known<'_>) -> Section {
    let mut section = Section::new("features", "Cluster profiles");
    if let Some(found) = c.profile {
        section.add(On::Html, Block::Table(profile::table(found, c.about.names.cluster)));
    }
    if let Some(whole) = c.found.profile().filter(|_| c.seen.profile) {
        let short = c.narrow.profile(whole.clone());
        section.add(On::Terminal, Block::Table(profile::table(&short, c.about.names.cluster)));
    }
    let Ok(view) = c.seen.view else { return section };
    if view.columns.is_empty() {
        return section
            .missing("These data have no features that could be shown one by one.")
            .clone();
    }
    let k = c.found.k();
    let which = if k > 1 { "The most important features" } else { "The first features" };
    let mut said = format!(
        "{which}, in their own units: the box holds the middle half of a cluster, the line nine rows in ten, the \
         stroke is the median."
    );
    if k > distribution::GROUPS {
        said.push_str(&format!(" The first {} of {k} clusters are shown.", distribution::GROUPS));
    }
    said.push_str(&drawn(view, c.found.thing()));
    let column = |j: usize| (c.about.names.column)(j);
    let drawings = view.columns.iter().map(|v| distribution::draw(v, &column(v.column))).collect();
    section.say(On::Page, said).add(On::Page, Block::Gallery(drawings)).clone()
}

fn features(c: &Known<'_>) -> Section {
    let names = c.about.names;
    let known = c.quality.map(|q| importance::section(q, names.column, names.cluster));
    match known.filter(|section| !section.blocks.is_empty()) {
        Some(section) => section,
        None => Section::new("importance", "Feature importance")
            .missing(
                "The importance of the features is not known: the clusters were not judged, or no feature separates \
                 them.",
            )
            .clone(),
    }
}
