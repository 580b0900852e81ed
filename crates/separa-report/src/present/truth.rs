//! Clusters against classes that are known.

use crate::document::{Cell, On, Section, Table};
use crate::html::shortened;
use crate::number;
use separa::quality::{ClusterPurity, Contingency, External};
use serde_json::{Value, json};

/// Clusters that are listed, those shown where room is scarce, and classes that have a column of their own.
const LISTED: usize = 30;
const SHOWN: usize = 24;
const COLUMNS: usize = 15;
/// Letters for the columns of all classes on a terminal; where they need more, the largest classes are named.
const ROOM: usize = 42;
const NAMED: usize = 3;
const LETTERS: usize = 20;

/// The agreement with known classes.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Where the classes are from.
    pub column: String,
    /// Measures of the agreement.
    pub measures: External,
    /// Counts of rows by cluster and class.
    pub table: Contingency,
    /// The names of all classes by number.
    pub names: Vec<String>,
}

impl Truth {
    /// `known` numbers the classes of the rows; −1 where it is not known.
    pub fn new(
        column: &str,
        labels: &[i32],
        known: &[i32],
        names: Vec<String>,
    ) -> separa::Result<Self> {
        let table = Contingency::new(labels, known)?;
        Ok(Self { column: column.to_owned(), measures: External::of(&table), table, names })
    }

    /// The same for programs: the measures, and each cluster against the classes, as in Tables 5 to 7 of Chen & Bi.
    pub fn answer(&self) -> Value {
        let name = |class: &i32| self.names[*class as usize].clone();
        let clusters: Vec<Value> = self
            .table
            .by_cluster()
            .iter()
            .map(|line| {
                let mut answer = json!(line);
                answer["class"] = name(&line.class).into();
                answer
            })
            .collect();
        let mut answer = json!(self.measures);
        answer["classes"] = self.table.classes.iter().map(name).collect();
        answer["clusters"] = clusters.into();
        answer
    }

    /// `name` gives each cluster its name; `thing` is what is counted.
    pub(crate) fn section(&self, thing: &str, name: &dyn Fn(i32) -> String) -> Section {
        let m = &self.measures;
        let mut section = Section::new("truth", "Known classes");
        let column = shortened(&self.column, 40);
        section
            .say(On::Everywhere, format!("Compared with {column}, which the method did not see."));
        let said = format!(
            "Accuracy {}, ARI {}, NMI {}, purity {}, entropy {}.",
            number::percent(m.accuracy),
            number::fraction(m.ari),
            number::fraction(m.nmi),
            number::percent(m.purity),
            number::fraction(m.entropy)
        );
        section.say(On::Everywhere, said);
        let rows = self.table.by_cluster();
        let classes: Vec<&str> =
            self.table.classes.iter().map(|c| self.names[*c as usize].as_str()).collect();
        let letters = |class: &&str| class.chars().count().max(4) + 3;
        let narrow = classes.iter().map(letters).sum::<usize>() <= ROOM;
        let columns = classes.len().min(COLUMNS);
        let mut table = Table::new("Rows of each cluster by class").text("cluster");
        table = table.column(format!("{thing}s"), true, On::Everywhere);
        table = table.number("purity").number("entropy");
        for class in &classes[..columns] {
            table = table.column(*class, true, if narrow { On::Everywhere } else { On::Page });
        }
        if columns < classes.len() {
            table = table.column("other classes", true, On::Page);
        }
        let largest = if narrow { None } else { Some("largest classes") };
        table.columns.extend(largest.map(|name| crate::document::Column {
            name: name.into(),
            number: false,
            on: On::Terminal,
            wide: false,
        }));
        for row in rows.iter().take(LISTED) {
            let size = row.size.max(1) as f64;
            let shaded = |count: usize| Cell::Shaded(number::count(count), count as f64 / size);
            let mut cells = vec![
                Cell::Cluster(row.cluster, name(row.cluster)),
                Cell::count(row.size),
                Cell::percent(row.purity),
                Cell::Number(number::fraction(row.entropy), row.entropy),
            ];
            cells.extend(row.counts[..columns].iter().map(|count| shaded(*count)));
            if columns < classes.len() {
                cells.push(shaded(row.counts[columns..].iter().sum()));
            }
            cells.push(Cell::Text(largest_classes(&classes, row)));
            table.row(cells);
        }
        let hidden = rows.len().saturating_sub(SHOWN);
        table.rest = Some(vec![Cell::Name(format!("{hidden} more"))]);
        section.table(table.shown(SHOWN));
        if rows.len() > LISTED {
            let rest = number::counted(rows.len() - LISTED, "more cluster");
            section.missing(format!("{rest} not shown."));
        }
        section
    }
}

/// "horses 41, dogs 22, beach 9, 4 more"; a class and its number stay on one line.
fn largest_classes(classes: &[&str], row: &ClusterPurity) -> String {
    let mut found: Vec<(&str, usize)> =
        classes.iter().copied().zip(row.counts.iter().copied()).filter(|c| c.1 > 0).collect();
    found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let said = |(class, count): &(&str, usize)| {
        format!("{} {}", shortened(class, LETTERS), number::count(*count)).replace(' ', "\u{a0}")
    };
    let mut words: Vec<String> = found.iter().take(NAMED).map(said).collect();
    if found.len() > NAMED {
        words.push(format!("{} more", found.len() - NAMED));
    }
    words.join(", ")
}
