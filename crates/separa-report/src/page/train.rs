//! The page of a classifier.

use super::{Cell, Page, Table, missing, settings};
use crate::figures::{bounds, figure, regions, roc};
use crate::html::Html;
use crate::{Training, TrainingRows, number};

/// Classes that have a line of their own.
const CLASSES: usize = 30;
/// Classes that have a curve of their own.
const CURVES: usize = 8;

pub fn page(t: &Training<'_>) -> String {
    let about = &t.about;
    let mut page = Page::default();
    page.section("classes", "Classes", &classes(t));
    page.section("bounds", "Promised and reached", &promised(t));
    match t.rows {
        Ok(rows) => {
            page.section("boundary", "The boundary", &boundary(t, rows));
            page.section("confusion", "What was taken for what", &confusion(t, rows));
            page.section("roc", "Over all thresholds", &curves(t, rows));
        }
        Err(why) => page.section("boundary", "The rows", &missing(why)),
    }
    page.section("reached", "Right answers", &reached(t));
    page.section("notices", "Keep in mind", &settings::notices(about.notices));
    page.section("apply", "How to apply it", &about.apply.section());
    page.section("settings", "Settings", &settings::settings(about));
    page.finish(&about.head(), &sentence(t), None)
}

fn sentence(t: &Training<'_>) -> String {
    let least = t.learnt.bounds.iter().flat_map(|b| b.alpha).min_by(f64::total_cmp);
    let promise = match least {
        Some(alpha) => format!(
            "; whatever the distributions, every boundary keeps at least {} of each side on its side",
            number::percent((alpha * 1000.0).floor() / 1000.0)
        ),
        None => String::new(),
    };
    let judged = match t.cv {
        Some(cv) => format!(", and {} of rows held out", number::percent(cv.accuracy)),
        None => String::new(),
    };
    format!(
        "A rule for {} from {}: it gives {} of them their own class{judged}{promise}.",
        number::counted(t.learnt.classes.len(), "class").replace("classs", "classes"),
        number::counted(t.about.n, "row"),
        number::percent(t.learnt.accuracy)
    )
}

fn name(t: &Training<'_>, class: usize) -> String {
    t.learnt.classes.get(class).cloned().unwrap_or_default()
}

fn classes(t: &Training<'_>) -> Html {
    let n = t.about.n.max(1) as f64;
    let largest = t.sizes.iter().copied().max().unwrap_or(1).max(1) as f64;
    let heads = [("class", false), ("rows", true), ("share", true), ("", false)];
    let mut table = Table::new("Sizes of the classes", &heads);
    for (c, size) in t.sizes.iter().enumerate() {
        let share = *size as f64 / n;
        table.row(&[
            Cell::Name(name(t, c)),
            Cell::Number(number::count(*size), *size as f64),
            Cell::Number(number::percent(share), share),
            Cell::Bar(*size as f64 / largest, c),
        ]);
    }
    table.finish()
}

fn promised(t: &Training<'_>) -> Html {
    let Some(drawing) = bounds::draw(&t.learnt.bounds, |c| name(t, c)) else {
        return missing("This classifier promises no worst case.");
    };
    let of = match t.about.method[0] {
        "mcpm" => "the moments of the summaries, not of the rows",
        _ => "the moments of the training rows",
    };
    let mut caption = format!(
        "For each side of each boundary: the stroke is the share that is promised whatever the distributions, given {of} \
         and the regulariser; the dot is the share of the training rows that was reached."
    );
    if 2 * t.learnt.bounds.len() > bounds::MOST {
        caption.push_str(&format!(
            " The first {} of {} sides.",
            bounds::MOST,
            2 * t.learnt.bounds.len()
        ));
    }
    figure(&drawing, &caption)
}

fn boundary(t: &Training<'_>, rows: &TrainingRows) -> Html {
    let Some(plane) = &rows.plane else { return Html::new() };
    let names = [0, 1].map(|j| (t.about.names.column)(j));
    let drawing = regions::draw(plane, [&names[0], &names[1]]);
    figure(
        &drawing,
        "What the rule says everywhere, and the training rows in the colours of their own classes.",
    )
}

fn confusion(t: &Training<'_>, rows: &TrainingRows) -> Html {
    let k = t.learnt.classes.len();
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
    let mut heads = vec![("class", false)];
    heads.extend(names.iter().map(|name| (name.as_str(), true)));
    let mut table = Table::new("Training rows by class (down) and answer (across)", &heads);
    for (c, line) in counts.iter().enumerate().take(shown) {
        let size = line.iter().sum::<usize>().max(1) as f64;
        let mut cells = vec![Cell::Name(names[c].clone())];
        cells.extend(
            line[..shown].iter().map(|n| Cell::Shaded(number::count(*n), *n as f64 / size)),
        );
        table.row(&cells);
    }
    let mut html = table.finish();
    if shown < k {
        html.add(&missing(&format!("The first {shown} of {k} classes.")));
    }
    html
}

fn curves(t: &Training<'_>, rows: &TrainingRows) -> Html {
    let k = t.learnt.classes.len();
    // Of two classes the second has the positive side.
    let column = |c: usize| rows.scores.column(if rows.scores.cols() == 1 { 0 } else { c });
    let wanted: Vec<usize> = if k == 2 { vec![1] } else { (0..k.min(CURVES)).collect() };
    let curve = |&c: &usize| {
        roc::Roc::of(&column(c), |i| rows.classes[i] as usize == c).map(|found| (c, found))
    };
    let found: Vec<(usize, roc::Roc)> = wanted.iter().filter_map(curve).collect();
    let Some(drawing) = roc::draw(&found) else { return Html::new() };
    let areas: Vec<String> = found
        .iter()
        .map(|(c, r)| format!("{} {}", name(t, *c), number::fraction(r.area)))
        .collect();
    let caption = format!(
        "ROC of the training rows, each class against the rest; area below: {}. Rows that the rule has not seen do a little \
         worse.",
        areas.join(", ")
    );
    figure(&drawing, &caption)
}

fn reached(t: &Training<'_>) -> Html {
    let heads = [("rows", false), ("right", true), ("note", false)];
    let mut table = Table::new("Share of right answers", &heads);
    let mut say = |what: &str, share: f64, note: String| {
        table.row(&[
            Cell::Name(what.into()),
            Cell::Number(number::percent(share), share),
            Cell::Text(note),
        ]);
    };
    say("training rows", t.learnt.accuracy, "the rule has seen them".into());
    if let Some(held_out) = t.learnt.held_out {
        say("held out to choose settings", held_out, "chosen by it, so a little too high".into());
    }
    if let Some(cv) = t.cv {
        let note = format!(
            "± {} over {}",
            number::percent(cv.sd),
            number::counted(cv.folds.len(), "fold")
        );
        say("cross-validated", cv.accuracy, note);
    }
    let mut html = table.finish();
    let used: Vec<String> = t.learnt.settings.iter().map(|(n, v)| format!("{n} {v}")).collect();
    if !used.is_empty() {
        html.raw("<p>Settings in use: ").text(&used.join(", ")).raw(".</p>");
    }
    html
}
