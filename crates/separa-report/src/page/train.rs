//! The page of a classifier.

use super::{Cell, Page, Table, legend, missing, settings};
use crate::figures::{bounds, figure, regions, roc};
use crate::html::{Html, shortened};
use crate::{Training, TrainingRows, number};
use separa::Bound;

/// Classes that have a line of their own.
const CLASSES: usize = 30;

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
    let judged = match t.cv {
        Some(cv) => format!(", and {} of rows held out", number::percent(cv.accuracy)),
        None => String::new(),
    };
    format!(
        "A rule for {} from {}: it gives {} of them their own class{judged}{}.",
        number::counted(t.learnt.classes.len(), "class").replace("classs", "classes"),
        number::counted(t.about.n, "row"),
        number::percent(t.learnt.accuracy),
        promise(&t.learnt.bounds, of_summaries(t))
    )
}

/// Whether bounds hold for summaries of rows: they may promise more than the rows keep.
fn of_summaries(t: &Training<'_>) -> bool {
    t.about.method[0] == "mcpm"
}

/// The least bound, never without its regulariser and what it is a bound of, and the least rate beside it.
fn promise(bounds: &[Bound], summaries: bool) -> String {
    let least = |side: fn(&Bound) -> [f64; 2]| {
        bounds.iter().flat_map(|b| side(b).map(|v| (v, b.reg))).min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let (Some((alpha, reg)), Some((rate, _))) = (least(|b| b.alpha), least(|b| b.rate)) else {
        return String::new();
    };
    let alpha = promised_share(alpha);
    let (kept, of) = match summaries {
        true => ("of the summaries of each side", " of the summaries, not of rows"),
        false => ("of each side", ""),
    };
    format!(
        "; whatever the distributions, every boundary keeps at least {alpha} {kept} on its side (at reg {reg}, \
         given these means and covariances{of}; training rows reached {} at least)",
        number::percent(rate)
    )
}

/// A promise is rounded down.
fn promised_share(alpha: f64) -> String {
    number::percent((alpha * 1000.0).floor() / 1000.0)
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
    let of = match of_summaries(t) {
        true => "the means and covariances of the summaries, not of the rows",
        false => "the means and covariances of the training rows",
    };
    let mut caption = format!(
        "For each side of each boundary: the stroke is the share that is promised whatever the distributions, given the \
         regulariser and {of}; the dot is the share of the training rows that was reached. The table has the whole names."
    );
    if 2 * t.learnt.bounds.len() > bounds::MOST {
        caption.push_str(&format!(
            " The first {} of {} sides.",
            bounds::MOST,
            2 * t.learnt.bounds.len()
        ));
    }
    let mut html = figure(&drawing, &caption);
    html.add(&bounds_table(t));
    html
}

/// The same in numbers.
fn bounds_table(t: &Training<'_>) -> Html {
    let heads = [
        ("side", true),
        ("class", false),
        ("against", false),
        ("promised", true),
        ("reached", true),
        ("reg", true),
    ];
    let mut table = Table::new("Promised and reached share of each side", &heads);
    let sides = t.learnt.bounds.iter().flat_map(|b| [(b, 0), (b, 1)]).take(bounds::MOST);
    for (i, (b, side)) in sides.enumerate() {
        let (class, other) =
            (name(t, b.class), b.against.map_or("the rest".into(), |c| name(t, c)));
        let [class, other] = if side == 0 { [class, other] } else { [other, class] };
        table.row(&[
            Cell::Number((i + 1).to_string(), (i + 1) as f64),
            Cell::Name(class),
            Cell::Name(other),
            Cell::Number(promised_share(b.alpha[side]), b.alpha[side]),
            Cell::Number(number::percent(b.rate[side]), b.rate[side]),
            Cell::Number(b.reg.to_string(), b.reg),
        ]);
    }
    table.finish()
}

fn boundary(t: &Training<'_>, rows: &TrainingRows) -> Html {
    let Some(plane) = &rows.plane else { return Html::new() };
    let names = [0, 1].map(|j| (t.about.names.column)(j));
    let drawing = regions::draw(plane, [&names[0], &names[1]]);
    let mut caption = "What the rule says everywhere (the ground), and the training rows in the colours of their own \
                       classes."
        .to_owned();
    if plane.rows.len() < plane.n {
        caption.push_str(&format!(
            " Drawn: a random sample of {} of {} rows, more of small classes than their share.",
            number::count(plane.rows.len()),
            number::count(plane.n)
        ));
    }
    let mut html = figure(&drawing, &caption);
    let shown = t.learnt.classes.len().min(CLASSES);
    html.add(&legend("Classes", (0..shown).map(|c| (c as i32, name(t, c)))));
    html
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
    let wanted: Vec<usize> =
        if k == 2 { vec![1] } else { (0..k.min(TrainingRows::CURVES)).collect() };
    let curve = |&c: &usize| {
        roc::Roc::of(&column(c), |i| rows.classes[i] as usize == c).map(|found| (c, found))
    };
    let found: Vec<(usize, roc::Roc)> = wanted.iter().filter_map(curve).collect();
    let Some(drawing) = roc::draw(&found) else { return Html::new() };
    let mut caption = "ROC of the training rows, each class against the rest, and the area below. Rows that the rule has \
                       not seen do a little worse."
        .to_owned();
    if k > TrainingRows::CURVES {
        caption.push_str(&format!(" The first {} of {k} classes.", TrainingRows::CURVES));
    }
    let mut html = figure(&drawing, &caption);
    let item = |(c, r): &(usize, roc::Roc)| {
        (*c as i32, format!("{} {}", shortened(&name(t, *c), 40), number::fraction(r.area)))
    };
    html.add(&legend("Classes", found.iter().map(item)));
    html
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_with_its_regulariser_and_what_it_bounds() {
        let bound = |alpha, rate| Bound { class: 0, against: None, alpha, reg: 0.01, rate };
        let bounds = [bound([0.9, 0.8797], [0.95, 0.99]), bound([0.95; 2], [0.687, 0.9])];
        let rows = promise(&bounds, false);
        assert!(rows.contains("at least 87.9 % of each side on its side (at reg 0.01, given these means and covariances;"));
        assert!(rows.ends_with("training rows reached 68.7 % at least)"), "{rows}");
        let summaries = promise(&bounds, true);
        assert!(summaries.contains("of the summaries of each side"), "{summaries}");
        assert!(summaries.contains("covariances of the summaries, not of rows;"), "{summaries}");
        assert_eq!(promise(&[], false), "");
    }
}
