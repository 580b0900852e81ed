//! One document about a result: a verdict and sections of sentences, tables and figures.
//!
//! `present` writes it once; `render` shows it as a page of HTML, on a terminal and in a notebook. Nothing here knows
//! how it will look: a block only says on which of them it belongs.

use crate::figures::histogram::Bins;
use crate::html::Html;
use serde_json::Value;

/// Where a block or a column of a table is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum On {
    /// On the page, the terminal and in a notebook.
    #[default]
    Everywhere,
    /// On the page alone.
    Page,
    /// On the terminal alone.
    Terminal,
    /// Not on the terminal.
    Html,
}

/// What a document is rendered as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// A file of HTML with figures and a script.
    Page,
    /// Text in columns.
    Terminal,
    /// A few tables of HTML.
    Notebook,
}

impl On {
    /// Whether `medium` shows it.
    pub fn holds(self, medium: Medium) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Page => medium == Medium::Page,
            Self::Terminal => medium == Medium::Terminal,
            Self::Html => medium != Medium::Terminal,
        }
    }
}

/// All that is said about a result.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// What the table is called.
    pub title: String,
    /// The method, or the command.
    pub kind: String,
    /// The first lines on a terminal and in a notebook: what is spoken of, and what is said about it.
    pub facts: Vec<(String, String)>,
    /// The day it was made; empty if it is to be the same whenever it is made.
    pub made: String,
    /// Sentences to read first.
    pub warnings: Vec<String>,
    /// The result in a sentence or two.
    pub verdict: String,
    /// Whether the verdict is good news, if it is news at all.
    pub good: Option<bool>,
    /// In the order in which they are read.
    pub sections: Vec<Section>,
    /// What the page's script draws from.
    pub data: Option<Value>,
}

impl Document {
    /// Adds a section, unless it is empty.
    pub fn add(&mut self, section: Section) {
        if !section.blocks.is_empty() {
            self.sections.push(section);
        }
    }
}

/// Blocks under one heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its name in links.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What the heading goes on with on a terminal.
    pub remark: String,
    /// What it holds, and where each block is shown.
    pub blocks: Vec<(On, Block)>,
}

impl Section {
    /// A section without blocks.
    pub fn new(id: &'static str, title: &'static str) -> Self {
        Self { id, title, remark: String::new(), blocks: Vec::new() }
    }

    /// Adds a block.
    pub fn add(&mut self, on: On, block: Block) -> &mut Self {
        self.blocks.push((on, block));
        self
    }

    /// Adds a sentence.
    pub fn say(&mut self, on: On, sentence: impl Into<String>) -> &mut Self {
        self.add(on, Block::Text(sentence.into()))
    }

    /// Adds a table that is shown everywhere.
    pub fn table(&mut self, table: Table) -> &mut Self {
        self.add(On::Everywhere, Block::Table(table))
    }

    /// Adds a figure, which only pages have.
    pub fn figure(&mut self, drawing: Html, caption: impl Into<String>) -> &mut Self {
        self.add(On::Page, Block::Figure { drawing, caption: caption.into() })
    }

    /// Says on the page why something is not there.
    pub fn missing(&mut self, why: impl Into<String>) -> &mut Self {
        self.add(On::Page, Block::Missing(why.into()))
    }

    /// The blocks that `medium` shows.
    pub fn on(&self, medium: Medium) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |(on, _)| on.holds(medium)).map(|(_, block)| block)
    }
}

/// A part of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Why something is not shown.
    Missing(String),
    /// Sentences, one below the other.
    List(Vec<String>),
    /// A command or a program.
    Code {
        /// Its heading; empty if it needs none.
        title: &'static str,
        /// Its lines.
        code: String,
    },
    /// Rows and columns.
    Table(Table),
    /// A drawing with its caption.
    Figure {
        /// SVG.
        drawing: Html,
        /// What it shows.
        caption: String,
    },
    /// Counts of rows by their margin.
    Histogram(Histogram),
    /// Small drawings side by side.
    Gallery(Vec<Html>),
    /// The drawing that the script redraws.
    Plot {
        /// SVG.
        drawing: Html,
        /// What it shows.
        caption: String,
        /// Its marks.
        legend: Legend,
    },
    /// The marks of a figure.
    Legend(Legend),
}

/// What clusters or classes look like in a figure: their numbers and names. Outliers have the number −1.
#[derive(Debug, Clone)]
pub struct Legend {
    /// What is listed.
    pub title: &'static str,
    /// Numbers and names.
    pub items: Vec<(i32, String)>,
}

/// A histogram: drawn on the page, in blocks on a terminal.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// What is counted, cluster by cluster.
    pub bins: Bins,
    /// The drawing of the page.
    pub drawing: Html,
    /// The caption of the page.
    pub caption: String,
    /// The name of the axis on a terminal.
    pub axis: &'static str,
    /// Whether 0 is the boundary between two clusters.
    pub boundary: bool,
    /// Of which rows, if not of all.
    pub sample: Option<String>,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// What is in it.
    pub caption: String,
    /// What its columns are called.
    pub columns: Vec<Column>,
    /// Cells, row by row.
    pub rows: Vec<Vec<Cell>>,
    /// Rows that a terminal and a notebook show; 0 for all.
    pub shown: usize,
    /// The row that stands there for those that are not shown; without it they are counted.
    pub rest: Option<Vec<Cell>>,
    /// Rows below all others.
    pub footer: Vec<Vec<Cell>>,
}

/// The head of a table's column.
#[derive(Debug, Clone)]
pub struct Column {
    /// Empty for columns that need none.
    pub name: String,
    /// Whether it holds numbers, which stand on the right.
    pub number: bool,
    /// Where it is shown.
    pub on: On,
    /// Whether a page leaves it out on a narrow screen.
    pub wide: bool,
}

impl Table {
    /// A table without columns.
    pub fn new(caption: impl Into<String>) -> Self {
        Self { caption: caption.into(), ..Self::default() }
    }

    /// Names without heads and what is said of them.
    pub fn of_pairs<A: Into<String>>(
        caption: &str,
        pairs: impl IntoIterator<Item = (A, String)>,
    ) -> Self {
        let mut table = Self::new(caption).text("").text("");
        pairs.into_iter().for_each(|(name, text)| {
            table.row(vec![Cell::Note(name.into()), Cell::Text(text)]);
        });
        table
    }

    /// Adds a column of text.
    pub fn text(self, name: impl Into<String>) -> Self {
        self.column(name, false, On::Everywhere)
    }

    /// Adds a column of numbers.
    pub fn number(self, name: impl Into<String>) -> Self {
        self.column(name, true, On::Everywhere)
    }

    /// Adds a column.
    pub fn column(mut self, name: impl Into<String>, number: bool, on: On) -> Self {
        self.columns.push(Column { name: name.into(), number, on, wide: false });
        self
    }

    /// Leaves the last column out on narrow screens.
    pub fn wide(mut self) -> Self {
        if let Some(column) = self.columns.last_mut() {
            column.wide = true;
        }
        self
    }

    /// Shows this many rows where room is scarce.
    pub fn shown(mut self, rows: usize) -> Self {
        self.shown = rows;
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) -> &mut Self {
        self.rows.push(cells);
        self
    }

    /// The rows that `medium` shows, and how many it does not.
    pub(crate) fn rows_on(&self, medium: Medium) -> (&[Vec<Cell>], usize) {
        // A line that says that one more is there has room for that one.
        let all = medium == Medium::Page || self.shown == 0 || self.rows.len() <= self.shown + 1;
        let shown = if all { self.rows.len() } else { self.shown };
        (&self.rows[..shown], self.rows.len() - shown)
    }

    /// The places of the columns that `medium` shows.
    pub(crate) fn columns_on(&self, medium: Medium) -> Vec<usize> {
        (0..self.columns.len()).filter(|c| self.columns[*c].on.holds(medium)).collect()
    }
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A name, often from the data.
    Name(String),
    /// A name that stands out.
    Title(String),
    /// A sentence, however long.
    Text(String),
    /// A sentence that explains its row.
    Note(String),
    /// What is shown, and what it is sorted by.
    Number(String, f64),
    /// A cluster or class with its colour, and its name; −1 are outliers.
    Cluster(i32, String),
    /// A fraction of the largest as a bar, with the cluster whose colour it has.
    Bar(f64, usize),
    /// A number on a ground that is the darker the larger its fraction.
    Shaded(String, f64),
    /// A word, and whether it is good news.
    Judged(&'static str, bool),
}

impl Cell {
    /// A number if there is one.
    pub fn number(value: Option<f64>, text: fn(f64) -> String) -> Self {
        Self::Number(value.map_or("unknown".into(), text), value.unwrap_or(f64::NAN))
    }

    /// A count.
    pub fn count(n: usize) -> Self {
        Self::Number(crate::number::count(n), n as f64)
    }

    /// A fraction in per cent.
    pub fn percent(fraction: f64) -> Self {
        Self::Number(crate::number::percent(fraction), fraction)
    }

    /// Its words, without colours.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Name(text)
            | Self::Title(text)
            | Self::Text(text)
            | Self::Note(text)
            | Self::Number(text, _)
            | Self::Shaded(text, _) => text,
            Self::Cluster(-1, _) => "outliers",
            Self::Cluster(_, name) => name,
            Self::Bar(..) => "",
            Self::Judged(word, _) => word,
        }
    }
}
