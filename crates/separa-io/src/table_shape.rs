//! Where a table begins and ends among the rows of a text or a sheet: titles, header, units, footers.

use crate::number::{Field, classify, for_people};
use crate::options::Header;

/// The fields of one row.
pub(crate) type Fields = Vec<String>;

/// What the first rows of a text or a sheet are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Fields of most rows.
    pub width: usize,
    /// Rows above the header or, without one, above the data.
    pub titles: usize,
    /// Whether the row after the titles holds the names.
    pub named: bool,
    /// Whether it holds groups of columns instead, and the row after it the names.
    pub groups: bool,
    /// Whether the row after the names holds units or types.
    pub units: bool,
    /// Whether it holds the names of the columns that have none above, as pandas writes an index below two rows of names.
    pub index_names: bool,
    /// Whether the rows have one field more than the header, as R writes row names.
    pub row_names: bool,
}

impl Shape {
    /// Rows before the first one with data.
    pub fn above(self) -> usize {
        let rows = [self.groups, self.named, self.units, self.index_names];
        self.titles + rows.map(usize::from).iter().sum::<usize>()
    }

    /// The row of names.
    pub fn names_row(self) -> usize {
        self.titles + usize::from(self.groups)
    }

    /// The names that the first rows hold, each behind its group: `2024 price`.
    pub fn names(self, head: &[Fields]) -> Option<Fields> {
        let names = self.named.then(|| head[self.names_row()].clone())?;
        if !self.groups {
            return Some(names);
        }
        let mut joined = joined(&head[self.titles], &names);
        if self.index_names {
            let given = &head[self.names_row() + 1];
            let unnamed = joined.iter_mut().zip(given).filter(|(name, _)| name.is_empty());
            unnamed.for_each(|(name, given)| *name = given.trim().to_owned());
        }
        Some(joined)
    }
}

/// Names, each behind its group.
fn joined(groups: &[String], names: &[String]) -> Fields {
    let mut group = "";
    let joined = groups.iter().zip(names).map(|(above, name)| {
        // A merged cell leaves its text in the first of its columns.
        group = if above.trim().is_empty() { group } else { above.trim() };
        format!("{group} {}", name.trim()).trim().to_owned()
    });
    joined.collect()
}

/// Tells what the first rows are.
pub(crate) fn shape(head: &[Fields], header: Header) -> Shape {
    let width = modal(head.iter().map(Vec::len));
    let filled = modal(head.iter().map(|row| filled(row)));
    let titles = count_titles(head, width, filled);
    let Some(first) = head.get(titles) else { return Shape { width, ..Shape::default() } };
    if header != Header::No && are_groups(first, &head[titles + 1..]) {
        let index_names = names_an_index(&head[titles..]);
        return Shape { width, titles, named: true, groups: true, index_names, ..Shape::default() };
    }
    let named = match header {
        Header::Auto => has_names(first, &head[titles + 1..]),
        Header::Yes => true,
        Header::No => false,
    };
    let rows = &head[titles + usize::from(named)..];
    let row_names = named && first.len() + 1 == width;
    let units = named && header != Header::No && is_units_row(rows);
    Shape { width, titles, named, units, row_names, ..Shape::default() }
}

/// Whether a first row holds names: words that are no data, or years above what is none.
fn has_names(first: &[String], below: &[Fields]) -> bool {
    let words = first.iter().any(|field| is_text(field));
    let years = are_years(first) && below.first().is_some_and(|row| !are_years(row));
    years || (words && !is_data(first, below))
}

/// The columns at the left without a name in either of two rows: pandas writes an index so.
fn index_width(first: &[String], names: &[String]) -> usize {
    let blank =
        |(above, name): &(&String, &String)| above.trim().is_empty() && name.trim().is_empty();
    first.iter().zip(names).take_while(blank).count()
}

/// Whether the third row names the index that two rows of names leave without one.
fn names_an_index(rows: &[Fields]) -> bool {
    let [first, names, third, ..] = rows else { return false };
    let index = index_width(first, names);
    let named = third.iter().take(index).filter(|field| is_text(field)).count();
    index > 0 && named == filled(third) && named > 0 && third.len() == first.len()
}

/// Whether a first row holds groups of columns: it repeats itself, has gaps or is all numbers, and below it are names,
/// which differ with their groups, above numbers.
fn are_groups(first: &[String], below: &[Fields]) -> bool {
    let Some(names) = below.first().filter(|names| names.len() == first.len()) else {
        return false;
    };
    let index = index_width(first, names);
    let (first, names) = (&first[index..], &names[index..]);
    let differ = |row: &[String]| {
        let row: Vec<&str> = row.iter().map(|field| field.trim()).collect();
        let again = |(i, field): (usize, &&str)| row[..i].contains(field);
        !row.iter().enumerate().any(again) && row.iter().all(|field| !field.is_empty())
    };
    let numbers = first.iter().all(|field| field.trim().is_empty() || is_number(field));
    let words = names.iter().all(|field| is_text(field));
    let odd = numbers || first.len() > 1 && !differ(first);
    odd && words && differ(&joined(first, names)) && is_units_row(below)
}

/// At least three years that follow each other.
pub(crate) fn are_years(row: &[String]) -> bool {
    let years: Option<Vec<u32>> = row.iter().map(|field| field.trim().parse().ok()).collect();
    years.is_some_and(|years| {
        let rising = years.windows(2).all(|pair| pair[0] < pair[1]);
        years.len() > 2 && rising && years.iter().all(|year| (1500..2200).contains(year))
    })
}

/// Whether a first row with words is data nevertheless: it has numbers, and a word of it appears again below.
fn is_data(first: &[String], below: &[Fields]) -> bool {
    let again = |(column, word): (usize, &String)| {
        is_text(word) && below.iter().any(|row| row.get(column) == Some(word))
    };
    has_number(first) && first.iter().enumerate().any(again)
}

/// The most frequent count; of equally frequent ones the largest.
pub(crate) fn modal(counts: impl Iterator<Item = usize> + Clone) -> usize {
    let frequency = |count: usize| counts.clone().filter(|c| *c == count).count();
    counts.clone().max_by_key(|&count| (frequency(count), count)).unwrap_or(0)
}

fn filled(row: &[String]) -> usize {
    row.iter().filter(|field| !field.trim().is_empty()).count()
}

pub(crate) fn is_text(field: &str) -> bool {
    matches!(classify(field), Field::Text)
}

/// A number, also one that is written for people (`1.234,5`).
pub(crate) fn is_number(field: &str) -> bool {
    match classify(field) {
        Field::Number(_) | Field::Infinite | Field::BigInteger => true,
        Field::Text => for_people(field).is_some(),
        Field::Boolean(_) | Field::Missing => false,
    }
}

fn has_number(row: &[String]) -> bool {
    row.iter().any(|field| is_number(field))
}

/// Rows at the top that are neither names nor data: shorter than the others, or nearly empty above a full header.
fn count_titles(head: &[Fields], width: usize, full: usize) -> usize {
    let short = |row: &Fields| row.len() < width;
    let sparse = |row: &Fields| {
        filled(row) == 0 || (2 * filled(row) < full && row.iter().any(|field| is_text(field)))
    };
    let Some(first) = head.iter().position(|row| !short(row) && !sparse(row)) else { return 0 };
    // A long first row is a header whose rows lack fields: a fault to be named, not a title.
    if first == 0 || head[..first].iter().any(|row| row.len() > width) {
        return 0;
    }
    let below = &head[first];
    if head[..first].iter().any(|row| !short(row)) && has_number(below) {
        // A nearly empty row right above data is a header with few names, or data itself.
        return 0;
    }
    // R leaves out the name of the row names: what is below is data, not another header.
    let r_header =
        head[first - 1].len() + 1 == width && has_number(below) && !has_number(&head[first - 1]);
    if r_header { first - 1 } else { first }
}

/// Whether the first of the rows under the names holds units or types: words in every column of numbers.
fn is_units_row(rows: &[Fields]) -> bool {
    let Some((first, below)) = rows.split_first() else { return false };
    if below.len() < 2 || has_number(first) {
        return false;
    }
    let numeric = |column: &usize| {
        let mut present =
            below.iter().filter_map(|r| r.get(*column)).filter(|f| !is_missing(f)).peekable();
        present.peek().is_some() && present.all(|field| is_number(field))
    };
    let numbers: Vec<usize> = (0..first.len()).filter(numeric).collect();
    let word =
        |column: &&usize| first[**column].contains(|c: char| c.is_alphabetic() || "%°".contains(c));
    let words = numbers.iter().filter(word).count();
    let blank = |column: &usize| first[*column].trim().is_empty();
    let all = numbers.iter().all(|c| word(&c) || blank(c)) && words > 0;
    // One word above one column of numbers can be a value somebody did not know; a unit says that it is one.
    all && (words >= 2 || numbers.iter().filter(word).all(|&c| names_a_unit(&first[c])))
}

fn is_missing(field: &str) -> bool {
    matches!(classify(field), Field::Missing)
}

fn names_a_unit(field: &str) -> bool {
    const TYPES: [&str; 12] = [
        "numeric", "number", "float", "double", "real", "int", "integer", "count", "percent", "cm",
        "mm", "kg",
    ];
    let field = field.trim().to_lowercase();
    let bracketed = (field.starts_with('(') && field.ends_with(')'))
        || (field.starts_with('[') && field.ends_with(']'));
    bracketed || TYPES.contains(&field.as_str())
}

/// A row near the end.
#[derive(Debug, Clone)]
pub(crate) struct LastRow {
    pub fields: Fields,
    /// Whether a blank line is above it.
    pub after_blank: bool,
}

/// How many of the last rows are not data: notes, sources, totals, empty rows.
pub(crate) fn footers(last: &[LastRow], width: usize) -> usize {
    if width < 2 {
        return 0;
    }
    let odd = last.iter().rev().take_while(|row| is_odd(row, width)).count();
    let run = &last[last.len() - odd..];
    // A blank line sets off everything below it; without one each row must show what it is.
    let block = run.iter().position(|row| row.after_blank).map_or(0, |at| run.len() - at);
    let plain = run.iter().rev().take_while(|row| is_footer(row, width)).count();
    let notes = block.max(plain);
    let above = &last[..last.len() - notes];
    let totals = count_totals(above, width);
    let rows = above[..above.len() - totals].iter().rev();
    // Empty rows set the totals off.
    notes + totals + rows.take_while(|row| totals > 0 && filled(&row.fields) == 0).count()
}

/// A row that cannot be data: another number of fields with words in front, a note, or nothing at all.
fn is_odd(row: &LastRow, width: usize) -> bool {
    let words = row.fields.first().is_some_and(|field| is_text(field));
    let note = || is_note(&row.fields) || (row.after_blank && begins_a_note(&row.fields[0]));
    filled(&row.fields) == 0 || (words && (row.fields.len() != width || note()))
}

fn is_footer(row: &LastRow, width: usize) -> bool {
    let alone = filled(&row.fields) == 1 && row.fields.len() < width;
    filled(&row.fields) == 0 || alone || begins_a_note(&row.fields[0])
}

/// One field that begins like a note, in a row that is otherwise empty.
fn is_note(fields: &[String]) -> bool {
    filled(fields) == 1 && begins_a_note(&fields[0])
}

fn begins_a_note(field: &str) -> bool {
    const BEGINNINGS: [&str; 15] = [
        "source",
        "note",
        "footnote",
        "total",
        "grand total",
        "data from",
        "data source",
        "last updated",
        "copyright",
        "(c)",
        "©",
        "end of",
        "generated",
        "exported",
        "*",
    ];
    let field = field.trim().to_lowercase();
    BEGINNINGS.iter().any(|word| field.starts_with(word))
}

/// Rows at the end that sum up the others, each by a word of its own.
fn count_totals(last: &[LastRow], width: usize) -> usize {
    const WORDS: [&str; 10] = [
        "total",
        "totals",
        "grand total",
        "sum",
        "average",
        "mean",
        "median",
        "summe",
        "gesamt",
        "all",
    ];
    let word = |row: &LastRow| {
        let first = row.fields.iter().find(|field| !field.trim().is_empty())?;
        let word = first.trim().trim_end_matches(':').to_lowercase();
        (row.fields.len() == width && WORDS.contains(&word.as_str())).then_some(word)
    };
    let words: Vec<String> = last.iter().rev().map_while(word).collect();
    let repeated = words.iter().enumerate().any(|(i, word)| words[..i].contains(word));
    // Where all rows seen are called so, they are data.
    if repeated || words.len() == last.len() { 0 } else { words.len() }
}

/// What to say of lines or rows that were left out.
pub(crate) fn skipped(file: &str, count: usize, what: &str, place: &str) -> Option<String> {
    let (plural, were) = if count == 1 { ("", "was") } else { ("s", "were") };
    (count > 0).then(|| format!("{file}: {count} {what}{plural}{place} {were} skipped"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Fields> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    }

    fn found(text: &str) -> Shape {
        shape(&rows(text), Header::Auto)
    }

    #[test]
    fn a_plain_table_has_a_header_and_nothing_else() {
        let plain = Shape { width: 2, named: true, ..Shape::default() };
        assert_eq!(found("a,b\n1,2\n3,4"), plain);
        assert_eq!(found("1,2\n3,4"), Shape { named: false, ..plain });
        // The second row is short: a fault of that row, not a title above it.
        assert_eq!(found("a,b\n1\n3,4\n5,6"), plain);
    }

    #[test]
    fn a_row_whose_words_appear_again_is_no_header() {
        assert!(!found("5.1,setosa\n4.9,setosa\n4,x").named);
        assert!(found("1990,setosa\n4.9,x\n4,y").named);
        assert!(found("a,b\nx,b\n4,y").named);
        assert!(found("1990,1991,1993\n5,6,7\n8,9,1").named);
        assert!(!found("1990,1991,1993\n1991,1992,1994\n8,9,1").named);
    }

    #[test]
    fn titles_stand_above_the_names() {
        assert_eq!(found("Sales of 2020\na,b,c\n1,2,3\n4,5,6").titles, 1);
        assert_eq!(found("Sales, by region\na,b,c\n1,2,3\n4,5,6").titles, 1);
        assert_eq!(found("Sales of 2020,,\n,,\na,b,c\n1,2,3\n4,5,6").titles, 2);
        assert_eq!(found("a,,\n1,2,3\n4,5,6").titles, 0);
        assert_eq!(found("a,b,c,d\n1,2,3\n4,5,6").titles, 0);
    }

    #[test]
    fn row_names_have_no_name_in_r() {
        let shape = found("mpg,cyl\nMazda,21,6\nDatsun,22,4");
        assert!(shape.row_names && shape.named && shape.titles == 0);
        let titled = found("From R\nmpg,cyl,hp\nMazda,21,6,1\nDatsun,22,4,2");
        assert!(titled.row_names && titled.titles == 1);
    }

    #[test]
    fn units_are_words_above_every_column_of_numbers() {
        assert!(found("city,width,height\n,cm,kg\nA,1,2\nB,3,4").units);
        assert!(found("width,site\n(cm),\n1,A\n2,B").units);
        assert!(!found("age,site\nunknown,A\n1,A\n2,B").units);
        assert!(!found("a,b\n.,.\n1,2\n3,4").units);
        assert!(!found("a,b\ncm,5\n1,2\n3,4").units);
    }

    #[test]
    fn a_row_of_groups_stands_above_the_names() {
        let names = |text: &str| {
            let shape = found(text);
            (shape.groups && !shape.units && shape.above() == 2)
                .then(|| shape.names(&rows(text)).unwrap())
        };
        let grouped = "size,,price\nwidth,height,old\n1,2,3\n4,5,6";
        assert_eq!(names(grouped).unwrap(), ["size width", "size height", "price old"]);
        let years = "2023,2023,2024\na,b,a2\n1,2,3\n4,5,6";
        assert_eq!(names(years).unwrap(), ["2023 a", "2023 b", "2024 a2"]);
        let twice = "x,x\ncm,kg\n1,2\n3,4";
        assert_eq!(names(twice).unwrap(), ["x cm", "x kg"]);
        let pandas = ",a,a,b\n,mean,std,mean\nx,1,2,3\ny,4,5,6";
        assert_eq!(names(pandas).unwrap(), ["", "a mean", "a std", "b mean"]);
        let index = format!("{}\ncity,,,\nx,1,2,3\ny,4,5,6", &pandas[..21]);
        let shape = found(&index);
        assert!(shape.index_names && shape.above() == 3);
        assert_eq!(shape.names(&rows(&index)).unwrap()[..2], ["city", "a mean"]);
        // Units repeat themselves, or leave out what has none.
        assert_eq!(names("a,b,c\ncm,kg,m\n1,2,3\n4,5,6"), None);
        assert_eq!(names("x,x\ncm,cm\n1,2\n3,4"), None);
        assert_eq!(names(",x,y\n,cm,kg\n1,2,3\n3,4,5"), None);
        assert_eq!(names("1,2\na,b\nc,d\ne,f"), None);
    }

    #[test]
    fn footers_are_told_from_rows_cut_short() {
        let count = |text: &str| {
            let row = |line: &str| LastRow {
                fields: rows(line).remove(0),
                after_blank: line.starts_with('~'),
            };
            footers(&text.lines().map(row).collect::<Vec<_>>(), 3)
        };
        assert_eq!(count("A,1,2\nB,3,4"), 0);
        assert_eq!(count("A,1,2\nSource: the office"), 1);
        assert_eq!(count("A,1,2\nSource: the office, 2020"), 1);
        assert_eq!(count("A,1,2\n~made by,me\nand,you"), 2);
        assert_eq!(count("A,1,2\nB,3"), 0);
        assert_eq!(count("1,1,2\n3"), 0);
        assert_eq!(count("A,1,2\nTotal,4,6"), 1);
        assert_eq!(count("A,1,2\nTotal,4,6\nMean,2,3\n,,\nNote: x,,"), 4);
        assert_eq!(count("A,1,2\n,,\nTotal,4,6\nSource: the office,,"), 3);
        assert_eq!(count("Total,1,2\nTotal,4,6"), 0);
    }
}
