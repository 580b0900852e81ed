//! The page of a clustering.

use super::{
    Cell, Page, Table, counted, importance, legend, missing, points, rows, settings, stability,
};
use crate::figures::{distribution, figure, histogram, kinship, pairs, separation, standing};
use crate::html::Html;
use crate::{Clustering, number, verdict};
use separa::quality::Quality;
use separa::view::{AxisKind, View};

pub fn page(c: &Clustering<'_>) -> String {
    let about = &c.about;
    let (k, thing) = (c.sizes.len(), about.thing);
    let mut page = Page::default();
    page.section("groups", "Groups", &groups(c));
    match c.view {
        Ok(view) => {
            page.section("separation", "Seen from the side", &separation_section(view, k, c));
            page.section("clarity", "How clearly", &clarity(view, k, thing));
            page.data(points::data(view, k, about.names, thing));
        }
        Err(why) => page.section("separation", "Seen from the side", &missing(why)),
    }
    if k > 1 {
        page.section("quality", "Is it real?", &quality(c));
    }
    if let Some(q) = c.quality.filter(|q| q.pairs.len() > 1) {
        page.section("pairs", "Pair by pair", &pairs_section(q, k));
    }
    if let Some(found) = c.stability {
        page.section("stability", "Does it come back?", &stability::section(found, thing));
    }
    if let Some(found) = &about.report.counted {
        page.section("count", "How many groups", &counted::section(found));
    }
    let title = if k > 1 { "What separates the groups" } else { "Columns" };
    page.section("features", title, &features(c));
    if let Ok(view) = c.view {
        page.section("rows", "Rows to look at", &rows::section(view, k, about.names, thing));
    }
    if let Some(truth) = c.truth {
        page.section("truth", "Beside the known classes", &truth.section());
    }
    page.section("convergence", "How the fit went", &settings::convergence(about));
    page.section("notices", "Keep in mind", &settings::notices(about.notices));
    page.section("apply", "How to apply it", &about.apply.section());
    page.section("settings", "Settings", &settings::settings(about));
    let mut said = verdict::sentence(c.sizes, about.n, thing, c.quality);
    if let Some(found) = about.report.counted.as_ref().filter(|found| found.k == 1) {
        said = verdict::none_found(about.n, thing, found.p);
    }
    if let Some(doubt) = about.report.counted.as_ref().and_then(counted::doubt) {
        said = format!("{said} {doubt}");
    }
    page.finish(&about.head(), &said, c.quality.map(Quality::is_real))
}

fn groups(c: &Clustering<'_>) -> Html {
    let n = c.about.n.max(1) as f64;
    let largest = c.sizes.iter().copied().max().unwrap_or(1).max(1) as f64;
    let things = format!("{}s", c.about.thing);
    let heads = [("group", false), (things.as_str(), true), ("share", true), ("", false)];
    let mut table = Table::new("Sizes of the groups", &heads);
    for (g, size) in c.sizes.iter().enumerate() {
        let share = *size as f64 / n;
        table.row(&[
            Cell::Group(g as i32),
            Cell::Number(number::count(*size), *size as f64),
            Cell::Number(number::percent(share), share),
            Cell::Bar(*size as f64 / largest, g),
        ]);
    }
    let aside = c.about.n.saturating_sub(c.sizes.iter().sum());
    if aside > 0 {
        let share = aside as f64 / n;
        table.row(&[
            Cell::Group(-1),
            Cell::Number(number::count(aside), aside as f64),
            Cell::Number(number::percent(share), share),
            Cell::Name(String::new()),
        ]);
    }
    table.finish()
}

fn separation_section(view: &View, k: usize, c: &Clustering<'_>) -> Html {
    let thing = c.about.thing;
    let mut html = Html::new();
    html.raw("<div id=\"plot\">");
    let drawing = separation::draw(view, k, c.about.names.column);
    let mut caption = match view.axes[0].kind {
        AxisKind::Decision => format!(
            "Across: the value that decides, with the boundary at 0. The shaded strip holds {:.0} % of each group: a \
             wide strip is a gap.",
            100.0 * separation::STRIP
        ),
        AxisKind::Discriminant(_) => {
            let said = "Seen along the two directions that separate the groups best, measured by the \
                        spread within them.";
            match k <= separation::NUMBERED {
                true => format!("{said} Numbers stand at the middle of their group."),
                false => said.to_owned(),
            }
        }
        AxisKind::Nothing => {
            format!("No column tells these {thing}s apart: they are spread for the eye, and places mean nothing.")
        }
        AxisKind::Column(_) if view.regions.is_some() => {
            "The two columns as they are. The ground has the colour of the group that a row there would get: the \
             boundary is where it changes."
                .to_owned()
        }
        AxisKind::Column(_) => "The two columns as they are.".to_owned(),
        _ => format!("Seen along the main directions of all {thing}s."),
    };
    caption.push_str(&drawn(view, thing));
    html.add(&figure(&drawing, &caption)).add(&groups_legend(view, k)).raw("</div>");
    html
}

/// How many of the rows are drawn, where not all are.
fn drawn(view: &View, thing: &str) -> String {
    if view.whole() {
        return String::new();
    }
    format!(
        " Drawn: a random sample of {} of {} {thing}s, more of small groups than their share.",
        number::count(view.rows.len()),
        number::count(view.n)
    )
}

/// The marks of the groups, and of rows set aside where some are drawn.
fn groups_legend(view: &View, k: usize) -> Html {
    let aside = view.labels.contains(&-1).then(|| (-1, "set aside".to_owned()));
    legend("Groups", (0..k as i32).map(|c| (c, c.to_string())).chain(aside))
}

fn clarity(view: &View, k: usize, thing: &str) -> Html {
    let Some(drawing) = histogram::draw(&view.decided, k) else { return Html::new() };
    let mut caption = match k {
        2 => "Decision values: left of 0 is group 0, right of it group 1. Two hills with a valley at the boundary are two groups; one hill \
              cut in two is not."
            .to_owned(),
        _ => "By how much the best group is ahead of the second best: the further left, the closer the call.".to_owned(),
    };
    if view.decided.rows.len() < view.n {
        let seen = number::count(view.decided.rows.len());
        caption.push_str(&format!(" Counted: the {seen} {thing}s that are drawn above."));
    }
    figure(&drawing, &caption)
}

fn quality(c: &Clustering<'_>) -> Html {
    let Some(q) = c.quality.filter(|q| !q.pairs.is_empty()) else {
        return missing(
            "The separability of these groups was not judged; a warning or a note on this page says why.",
        );
    };
    let mut html = Html::new();
    let caption = format!(
        "MSP, the minimum separation probability{}: whatever the shape of the groups, at least this share of each lies on its \
         own side of a flat boundary. One shapeless cloud that is cut in the same place is not 0, so compare \
         (regulariser {}).",
        if q.pairs.len() > 1 { " of the two closest groups" } else { "" },
        c.reg
    );
    html.add(&figure(&standing::draw(q), &caption));
    let heads = [("question", false), ("p-value", true), ("a small one says", false)];
    let mut table = Table::new("Would one cloud look like this?", &heads);
    for (question, p, says) in [
        (
            "is it one Gaussian cloud?",
            q.p_gauss,
            "more than one bell-shaped cloud; boxes and crescents count, too",
        ),
        (
            "is there no gap?",
            q.p_unimodal,
            "it is emptier between the groups than inside them: the one to trust",
        ),
    ] {
        let shown = p.map_or("unknown".into(), number::p_value);
        table.row(&[
            Cell::Name(question.into()),
            Cell::Number(shown, p.unwrap_or(f64::NAN)),
            Cell::Text(says.into()),
        ]);
    }
    html.add(&table.finish());
    html
}

fn pairs_section(q: &Quality, k: usize) -> Html {
    let mut html = Html::new();
    let mut caption = "MSP of every pair: faint pairs are hard to tell apart.".to_owned();
    if q.pairs.len() < k * (k - 1) / 2 {
        caption.push_str(
            " Each group is compared with its nearest ones; blank pairs are further apart.",
        );
    }
    html.add(&figure(&pairs::draw(&q.pairs, k), &caption));
    if let Some(drawing) = kinship::draw(&q.pairs) {
        let caption = "Groups that are close are joined first: the further right, the better the closest pair of \
                       the two sides is told apart. This tree orders the groups that were found; it is not how \
                       they were found.";
        html.add(&figure(&drawing, caption));
    }
    let mut closest: Vec<_> = q.pairs.iter().collect();
    closest.sort_by(|a, b| a.msp.total_cmp(&b.msp));
    let heads = [
        ("group", false),
        ("and", false),
        ("MSP", true),
        ("p, one Gaussian", true),
        ("p, no gap", true),
    ];
    let mut table = Table::new("The closest pairs", &heads);
    let p = |value: Option<f64>| {
        Cell::Number(value.map_or("unknown".into(), number::p_value), value.unwrap_or(f64::NAN))
    };
    for pair in closest.into_iter().take(8) {
        table.row(&[
            Cell::Group(pair.a),
            Cell::Group(pair.b),
            Cell::Number(number::fraction(pair.msp), pair.msp),
            p(pair.p_gauss),
            p(pair.p_unimodal),
        ]);
    }
    html.add(&table.finish());
    html
}

fn features(c: &Clustering<'_>) -> Html {
    let shares = c.quality.map(|q| importance::table(q, c.about.names.column)).unwrap_or_default();
    let view = match c.view {
        Ok(view) if view.columns.is_empty() => {
            return missing("These data have no columns that could be shown one by one.");
        }
        Ok(view) => view,
        Err(_) if c.sizes.len() > 1 && shares.is_empty() => {
            return missing(
                "Neither the rows nor the shares of the columns are known here: the groups were not judged, or no \
                 column tells them apart.",
            );
        }
        Err(_) => return shares,
    };
    let mut html = shares;
    let k = c.sizes.len();
    let which = if k > 1 { "The columns that tell most" } else { "The first columns" };
    let mut said = format!(
        "{which}, in their own units: the box holds the middle half of a group, the line \
                    nine rows in ten, the stroke is the median."
    );
    if k > distribution::GROUPS {
        said.push_str(&format!(" The first {} of {k} groups are shown.", distribution::GROUPS));
    }
    said.push_str(&drawn(view, c.about.thing));
    html.raw("<p>").text(&said).raw("</p><div class=\"multiples\">");
    for column in &view.columns {
        html.add(&distribution::draw(column, &(c.about.names.column)(column.column)));
    }
    html.raw("</div>");
    html
}
