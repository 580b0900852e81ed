//! `separa drift MODEL INPUT`: are new rows distributed like the training rows?

use crate::args::DriftArgs;
use crate::failure::{DRIFT, ExitCode, Result};
use crate::text::{self, number, style};
use separa::Drift;
use separa_report::{Cell, Table};

/// Features that are shown.
const SHOWN: usize = 10;

pub fn run(args: &DriftArgs) -> Result<ExitCode> {
    let saved = args.new.load()?;
    let input = args.new.read(&saved)?;
    let found = saved.drift(&input.dataset()?, args.alpha)?;
    match args.json {
        true => text::print_json(&found)?,
        false => text::print(&shown(&found))?,
    }
    Ok(if found.drift { ExitCode::from(DRIFT) } else { ExitCode::SUCCESS })
}

fn shown(found: &Drift) -> String {
    let width = text::width();
    let mut lines = vec![style::paint(style::TITLE, style::plain(&found.text)), String::new()];
    let mut table = Table::new("")
        .text("what")
        .text("training")
        .text("new")
        .number("change")
        .number("p (adjusted)")
        .text("drift");
    let mut line = |what: String, [old, new]: [String; 2], change: f64, p: f64, drift: bool| {
        table.row(vec![
            Cell::Title(style::plain(&what)),
            Cell::Name(old),
            Cell::Name(new),
            Cell::Name(number::fraction(change)),
            Cell::Name(number::p_value(p)),
            Cell::Name(if drift { "yes" } else { "no" }.to_owned()),
        ]);
    };
    let clusters = &found.clusters;
    let parts = |all: &[f64]| all.iter().map(|f| percent(*f)).collect::<Vec<_>>().join(", ");
    line(
        "clusters".into(),
        [parts(&clusters.training), parts(&clusters.new)],
        clusters.moved,
        clusters.p_adjusted,
        clusters.drift,
    );
    if let Some(novelty) = &found.novelty {
        let more = (novelty.fraction - novelty.expected).max(0.0);
        let both = [percent(novelty.expected), percent(novelty.fraction)];
        line("novel rows".into(), both, more, novelty.p_adjusted, novelty.drift);
    }
    for f in found.features.iter().take(SHOWN) {
        let medians = [number::value(f.median_training), number::value(f.median_new)];
        line(f.name.clone(), medians, f.distance, f.p_adjusted, f.drift);
    }
    lines.push(style::table(&table, width));
    let rest = found.features.len().saturating_sub(SHOWN);
    if rest > 0 {
        let rest = number::counted(rest, "more feature");
        lines.push(style::paint(style::DIM, format!("{rest} changed less; --json has them")));
    }
    lines.push(style::paint(
        style::DIM,
        "clusters: fractions, and how many rows would have to move; features: medians, and the largest difference of the \
         distribution functions",
    ));
    lines.join("\n") + "\n"
}

fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}
