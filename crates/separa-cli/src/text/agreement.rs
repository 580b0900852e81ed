//! Agreement with known classes: the measures, and every cluster against the classes.

use super::columns::{self, Cell, left, right};
use super::{number, style};
use crate::answer::{ClusterLine, Truth};

/// Clusters that have a line; the rest is counted.
const LINES: usize = 24;
/// Classes named where there is no room for a column each.
const NAMED: usize = 3;
/// Room for them on a line of 80.
const ROOM: usize = 42;
/// Letters of a class's name.
const LETTERS: usize = 20;

/// `titles` head the columns of clusters and of their sizes, `name` gives each cluster its name.
pub fn describe(
    column: &str,
    e: &Truth,
    titles: [&str; 2],
    name: impl Fn(i32) -> String,
) -> String {
    let title = style::paint(style::TITLE, format!("against {column}"));
    format!("{title}\n{}\n{}", measures(e), table(e, titles, name))
}

fn measures(e: &Truth) -> String {
    let rows = vec![
        vec![
            left("error").styled(style::DIM),
            right(number::percent(e.error)),
            left("accuracy").styled(style::DIM),
            right(number::percent(e.accuracy)),
            left("ARI").styled(style::DIM),
            right(number::fraction(e.ari)),
        ],
        vec![
            left("purity").styled(style::DIM),
            right(number::percent(e.purity)),
            left("entropy").styled(style::DIM),
            right(number::fraction(e.entropy)),
            left("NMI").styled(style::DIM),
            right(number::fraction(e.nmi)),
        ],
    ];
    columns::align(&rows)
}

/// A column for each class where the screen is wide enough, else the largest classes by name.
fn table(e: &Truth, [group, things]: [&str; 2], name: impl Fn(i32) -> String) -> String {
    let lines = &e.clusters[..e.clusters.len().min(LINES)];
    let build = |head: Vec<Cell>, classes: &dyn Fn(&ClusterLine) -> Vec<Cell>| {
        let mut first = vec![left(group), right(things), right("purity"), right("entropy")];
        first.extend(head);
        let mut rows = vec![first];
        for line in lines {
            let mut cells = vec![
                left(name(line.cluster)),
                right(number::count(line.size)),
                right(number::percent(line.purity)),
                right(number::fraction(line.entropy)),
            ];
            cells.extend(classes(line));
            rows.push(cells);
        }
        if e.clusters.len() > LINES {
            rows.push(vec![left(format!("{} more", e.clusters.len() - LINES))]);
        }
        columns::align(&rows)
    };
    let head = e.classes.iter().map(|class| right(short(class))).collect();
    let counts =
        |line: &ClusterLine| line.counts.iter().map(|c| right(number::count(*c))).collect();
    let wide = build(head, &counts);
    if wide.lines().all(|line| line.chars().count() <= columns::SCREEN) {
        return wide;
    }
    build(vec![left("largest classes")], &|line| vec![left(largest(&e.classes, &line.counts))])
}

/// "horses 41, dogs 22, beach 9, 4 more".
fn largest(classes: &[String], counts: &[usize]) -> String {
    let mut found: Vec<(&String, usize)> =
        classes.iter().zip(counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let said =
        |(class, count): &(&String, usize)| format!("{} {}", short(class), number::count(*count));
    let words: Vec<String> = found.iter().map(said).collect();
    let line = |named: usize| {
        let rest = words.len() - named;
        let tail = if rest > 0 { format!(", {rest} more") } else { String::new() };
        format!("{}{tail}", words[..named].join(", "))
    };
    let most = words.len().min(NAMED);
    let fits = (1..=most).rev().map(line).find(|text| text.chars().count() <= ROOM);
    fits.unwrap_or_else(|| line(most.min(1)))
}

fn short(class: &str) -> String {
    match class.chars().count() {
        0..=LETTERS => class.to_owned(),
        _ => class.chars().take(LETTERS - 1).chain(['…']).collect(),
    }
}
