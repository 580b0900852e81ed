//! The document of a classifier.

use super::sizes;
use crate::document::{Block, Cell, Document, Legend, On, Section, Table};
use crate::figures::{bounds, regions, roc};
use crate::html::shortened;
use crate::{About, Subject, TrainingRows, number};
use separa::{Bound, Trained};

/// Classes that are shown one by one.
const CLASSES: usize = 30;
/// Sides of boundaries shown where room is scarce.
const SIDES: usize = 12;

/// Everything that is known about it.
pub fn document(t: &Trained, about: &About<'_>, rows: Result<&TrainingRows, &str>) -> Document {
    let subject = Subject { about, fitted: t };
    let mut document = subject.document(sentence(t), None);
    document.facts[1].1 = format!("{} classes{}", t.classes().len(), subject.time(", "));
    let class = |c: i32| name(t, c.max(0) as usize);
    document.add(sizes::section("Class sizes", ["class", t.thing()], t.sizes(), t.n(), &class));
    document.add(guarantees(t));
    match rows {
        Ok(rows) => {
            document.add(boundary(t, about, rows));
            document.add(confusion(t, rows));
            document.add(curves(t, rows));
        }
        Err(why) => {
            document.add(Section::new("boundary", "Boundary").missing(why).clone());
        }
    }
    document.add(accuracy(t));
    subject.end(document, &[])
}

fn sentence(t: &Trained) -> String {
    let judged = match t.cross_validated() {
        Some(cv) => format!(", {} of held-out rows", number::percent(cv.accuracy)),
        None => String::new(),
    };
    format!(
        "A classifier of {} classes, trained on {}: accuracy {} of the training rows{judged}{}.",
        t.learnt().classes.len(),
        number::counted(t.n(), "row"),
        number::percent(t.learnt().accuracy),
        guarantee(&t.learnt().bounds, of_summaries(t))
    )
}

/// Whether bounds hold for summaries of rows: they may guarantee more than the rows achieve.
fn of_summaries(t: &Trained) -> bool {
    t.method_name() == "mcpm"
}

/// The least bound, never without its regulariser and what it is a bound of, and the least rate beside it.
fn guarantee(bounds: &[Bound], summaries: bool) -> String {
    let least = |side: fn(&Bound) -> [f64; 2]| {
        bounds.iter().flat_map(|b| side(b).map(|v| (v, b.reg))).min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let (Some((alpha, reg)), Some((rate, _))) = (least(|b| b.alpha), least(|b| b.rate)) else {
        return String::new();
    };
    let alpha = rounded_down(alpha);
    let (kept, of) = match summaries {
        true => ("of the summaries of each side", " of the summaries, not of rows"),
        false => ("of each side", ""),
    };
    format!(
        "; whatever the distributions, every boundary keeps at least {alpha} {kept} on its side (at reg {reg}, \
         given these means and covariances{of}; the training rows achieve at least {})",
        number::percent(rate)
    )
}

/// A guarantee is rounded down.
fn rounded_down(alpha: f64) -> String {
    number::percent((alpha * 100.0).floor() / 100.0)
}

fn name(t: &Trained, class: usize) -> String {
    t.learnt().classes.get(class).cloned().unwrap_or_default()
}

fn guarantees(t: &Trained) -> Section {
    let mut section = Section::new("bounds", "Guaranteed and achieved accuracy");
    let Some(drawing) = bounds::draw(&t.learnt().bounds, |c| name(t, c)) else {
        return section.missing("This classifier guarantees no worst case.").clone();
    };
    let of = match of_summaries(t) {
        true => "the means and covariances of the summaries, not of the rows",
        false => "the means and covariances of the training rows",
    };
    let mut caption = format!(
        "For each side of each boundary: the stroke is the accuracy that is guaranteed whatever the distributions, given \
         the regulariser and {of}; the dot is what the training rows achieve. The table has the whole names."
    );
    let sides = 2 * t.learnt().bounds.len();
    if sides > bounds::MOST {
        caption.push_str(&format!(" The first {} of {sides} sides.", bounds::MOST));
    }
    section.figure(drawing, caption).table(bounds_table(t));
    let reg = t.learnt().bounds[0].reg;
    section.say(On::Terminal, format!("Guaranteed at reg {reg}, given {of}.")).clone()
}

/// The same in numbers.
fn bounds_table(t: &Trained) -> Table {
    let mut table = Table::new("Guaranteed and achieved accuracy of each side");
    table = table.number("side").text("class").text("against").number("guaranteed");
    table = table.number("achieved").column("reg", true, On::Html).shown(SIDES);
    let sides = t.learnt().bounds.iter().flat_map(|b| [(b, 0), (b, 1)]).take(bounds::MOST);
    for (i, (b, side)) in sides.enumerate() {
        let (class, other) =
            (name(t, b.class), b.against.map_or("the rest".into(), |c| name(t, c)));
        let [class, other] = if side == 0 { [class, other] } else { [other, class] };
        table.row(vec![
            Cell::Number((i + 1).to_string(), (i + 1) as f64),
            Cell::Name(class),
            Cell::Name(other),
            Cell::Number(rounded_down(b.alpha[side]), b.alpha[side]),
            Cell::percent(b.rate[side]),
            Cell::Number(b.reg.to_string(), b.reg),
        ]);
    }
    let rest = (2 * t.learnt().bounds.len()).saturating_sub(SIDES);
    table.rest = Some(vec![Cell::Name(String::new()), Cell::Name(format!("{rest} more"))]);
    table
}

fn boundary(t: &Trained, about: &About<'_>, rows: &TrainingRows) -> Section {
    let mut section = Section::new("boundary", "Boundary");
    let Some(plane) = &rows.plane else { return section };
    let names = [0, 1].map(|j| (about.names.column)(j));
    let drawing = regions::draw(plane, [&names[0], &names[1]]);
    let mut caption = "What the rule says everywhere (the ground), and the training rows in the colours of their own \
                       classes."
        .to_owned();
    if plane.rows.len() < plane.n {
        caption.push_str(&format!(
            " Drawn: a random sample of {} of {} rows, with more rows of small classes.",
            number::count(plane.rows.len()),
            number::count(plane.n)
        ));
    }
    let shown = t.learnt().classes.len().min(CLASSES);
    let items = (0..shown).map(|c| (c as i32, name(t, c))).collect();
    section.figure(drawing, caption);
    section.add(On::Page, Block::Legend(Legend { title: "Classes", items })).clone()
}

fn confusion(t: &Trained, rows: &TrainingRows) -> Section {
    let k = t.learnt().classes.len();
    let mut counts = vec![vec![0usize; k]; k];
    for (class, found) in rows.classes.iter().zip(&rows.found) {
        if let Some(cell) =
            usize::try_from(*found).ok().and_then(|f| counts[*class as usize].get_mut(f))
        {
            *cell += 1;
        }
    }
    let shown = k.min(CLASSES);
    let names: Vec<String> = (0..shown).map(|c| name(t, c)).collect();
    let mut table =
        Table::new("Training rows by class (down) and prediction (across)").text("class");
    table = names.iter().fold(table, |table, name| table.number(name));
    for (c, line) in counts.iter().enumerate().take(shown) {
        let size = line.iter().sum::<usize>().max(1) as f64;
        let mut cells = vec![Cell::Name(names[c].clone())];
        cells.extend(
            line[..shown].iter().map(|n| Cell::Shaded(number::count(*n), *n as f64 / size)),
        );
        table.row(cells);
    }
    let mut section = Section::new("confusion", "Confusion matrix");
    section.add(On::Page, Block::Table(table));
    if shown < k {
        section.missing(format!("The first {shown} of {k} classes."));
    }
    section
}

fn curves(t: &Trained, rows: &TrainingRows) -> Section {
    let mut section = Section::new("roc", "ROC curves");
    let k = t.learnt().classes.len();
    // Of two classes the second has the positive side.
    let column = |c: usize| rows.scores.column(if rows.scores.cols() == 1 { 0 } else { c });
    let wanted: Vec<usize> =
        if k == 2 { vec![1] } else { (0..k.min(TrainingRows::CURVES)).collect() };
    let curve = |&c: &usize| {
        roc::Roc::of(&column(c), |i| rows.classes[i] as usize == c).map(|found| (c, found))
    };
    let found: Vec<(usize, roc::Roc)> = wanted.iter().filter_map(curve).collect();
    let Some(drawing) = roc::draw(&found) else { return section };
    let mut caption = "ROC of the training rows, each class against the rest, and the area under it. New rows do a \
                       little worse."
        .to_owned();
    if k > TrainingRows::CURVES {
        caption.push_str(&format!(" The first {} of {k} classes.", TrainingRows::CURVES));
    }
    let item = |(c, r): &(usize, roc::Roc)| {
        (*c as i32, format!("{} {}", shortened(&name(t, *c), 40), number::fraction(r.area)))
    };
    let legend = Legend { title: "Classes", items: found.iter().map(item).collect() };
    section.figure(drawing, caption).add(On::Page, Block::Legend(legend)).clone()
}

fn accuracy(t: &Trained) -> Section {
    let mut table =
        Table::new("Accuracy by kind of rows").text("rows").number("accuracy").text("note");
    let mut say = |what: &str, accuracy: f64, note: String| {
        table.row(vec![Cell::Name(what.into()), Cell::percent(accuracy), Cell::Note(note)]);
    };
    say("training rows", t.learnt().accuracy, "the model has seen them".into());
    if let Some(held_out) = t.learnt().held_out {
        let note = "the settings were chosen by it, so a little too high";
        say("held-out rows", held_out, note.into());
    }
    if let Some(cv) = t.cross_validated() {
        let folds = number::counted(cv.folds.len(), "fold");
        say("cross-validated", cv.accuracy, format!("± {} over {folds}", number::percent(cv.sd)));
    }
    let mut section = Section::new("accuracy", "Accuracy");
    section.table(table);
    let used: Vec<String> = t.learnt().settings.iter().map(|(n, v)| format!("{n} {v}")).collect();
    if !used.is_empty() {
        section.say(On::Everywhere, format!("Settings in use: {}.", used.join(", ")));
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_with_its_regulariser_and_what_it_bounds() {
        let bound = |alpha, rate| Bound { class: 0, against: None, alpha, reg: 0.01, rate };
        let bounds = [bound([0.9, 0.8797], [0.95, 0.99]), bound([0.95; 2], [0.687, 0.9])];
        let rows = guarantee(&bounds, false);
        assert!(rows.contains("at least 87 % of each side on its side (at reg 0.01, given these means and covariances;"));
        assert!(rows.ends_with("the training rows achieve at least 69 %)"), "{rows}");
        let summaries = guarantee(&bounds, true);
        assert!(summaries.contains("of the summaries of each side"), "{summaries}");
        assert!(summaries.contains("covariances of the summaries, not of rows;"), "{summaries}");
        assert_eq!(guarantee(&[], false), "");
    }
}
