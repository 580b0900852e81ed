//! Groups against classes that are known.

use super::{Cell, Table};
use crate::html::Html;
use crate::number;
use separa::quality::{Contingency, External};

/// Groups and classes that have a line or a column of their own.
const LINES: usize = 30;
const COLUMNS: usize = 15;

/// The agreement with known classes.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Where the classes are from.
    pub column: String,
    pub measures: External,
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

    pub fn section(&self) -> Html {
        let mut html = Html::new();
        let m = &self.measures;
        html.raw("<p>Beside <b>").name(&self.column).raw("</b>, which the method did not see: ");
        html.text(&number::percent(m.accuracy))
            .raw(" of the rows are in the group that goes with their class (ARI ");
        html.text(&number::fraction(m.ari)).raw(", NMI ").text(&number::fraction(m.nmi));
        html.raw(", purity ").text(&number::percent(m.purity)).raw(").</p>");
        let lines = self.table.by_cluster();
        let shown = &lines[..lines.len().min(LINES)];
        let classes: Vec<String> =
            self.table.classes.iter().map(|c| self.names[*c as usize].clone()).collect();
        let columns = classes.len().min(COLUMNS);
        let mut heads = vec![("group", false)];
        heads.extend(classes[..columns].iter().map(|name| (name.as_str(), true)));
        if columns < classes.len() {
            heads.push(("other classes", true));
        }
        heads.push(("purity", true));
        let mut table = Table::new("Rows of each group by class", &heads);
        for line in shown {
            let mut cells = vec![Cell::Group(line.cluster)];
            let size = line.size.max(1) as f64;
            let shaded = |count: usize| Cell::Shaded(number::count(count), count as f64 / size);
            cells.extend(line.counts[..columns].iter().map(|count| shaded(*count)));
            if columns < classes.len() {
                cells.push(shaded(line.counts[columns..].iter().sum()));
            }
            cells.push(Cell::Number(number::percent(line.purity), line.purity));
            table.row(&cells);
        }
        html.add(&table.finish());
        if lines.len() > shown.len() {
            let rest = lines.len() - shown.len();
            html.raw("<p class=\"missing\">")
                .text(&number::counted(rest, "more group"))
                .raw(" not shown.</p>");
        }
        html
    }
}
