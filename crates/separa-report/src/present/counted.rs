//! How the number of clusters was found.

use super::stability::sentence_case;
use crate::document::{Block, Cell, On, Section, Table};
use crate::figures::tree;
use crate::number;
use separa::{Counted, Step, k_auto};

/// Steps that are listed, the last ones, and those of them that are shown where room is scarce.
const LISTED: usize = 30;
const SHOWN: usize = 4;

/// What to say when the runs disagree: the number is uncertain, however real the gaps are.
pub fn doubt(found: &Counted) -> Option<String> {
    let (between, runs) = (found.between()?, number::counted(found.k_per_run.len(), "run"));
    Some(format!("The number is uncertain: {between} ({runs})."))
}

/// What to do if there are no clusters.
pub fn next(found: &Counted) -> Section {
    let segments = match found.best_segments {
        Some(k) => format!(
            "If a decision needs segments, ask for {k} clusters: the most reproducible number (see below). There is no gap \
             between them, so a row near a boundary could as well be on its other side."
        ),
        None if found.segments.is_empty() => String::new(),
        None => "Segments would be arbitrary: no number of them is reproducible. Another sample of such rows would be split \
                 elsewhere."
            .to_owned(),
    };
    let all = [
        segments.as_str(),
        "Features that say nothing hide those that do: try again with the few that matter.",
        "Clusters that are rings or threads have no flat gap: compare the methods.",
        "Or take it as a finding: these rows are one population.",
    ];
    let said = all.into_iter().filter(|said| !said.is_empty());
    let list = Block::List(said.map(str::to_owned).collect());
    Section::new("what-now", "What to do next").add(On::Html, list).clone()
}

/// What the runs found, and how reproducible segments would be.
pub fn section(found: &Counted) -> Section {
    let how = match found.k_per_run.len() {
        0 => "(Nearly) all rows are equal.".to_owned(),
        runs => format!(
            "{} on {} found {}.",
            number::counted(runs, "run"),
            number::counted(found.sample_size, "row"),
            found.runs()
        ),
    };
    let clusters = number::counted(found.k, "cluster");
    let said = format!("The number was not given but found: {clusters}. {how}");
    let mut section = Section::new("count", "Number of clusters");
    section.say(On::Everywhere, said);
    if !found.segments.is_empty() {
        section.table(segments(found));
        // On the page it stands in the caption of the table.
        if let Some(cut) = k_auto::segments_cut(found) {
            section.say(On::Terminal, format!("{}.", sentence_case(&cut)));
        }
    }
    section
}

/// The tree and the steps of the run that was kept.
pub fn steps(found: &Counted) -> Section {
    let mut section = Section::new("steps", "Merge steps");
    if let Some(drawing) = tree::draw(found) {
        section.figure(drawing, caption(found));
    }
    if found.history.is_empty() {
        return section;
    }
    let steps = found.history.len();
    let caption = match steps {
        0..=LISTED => "The steps, the last first".to_owned(),
        _ => format!("The last {LISTED} of {steps} steps, the last first"),
    };
    let mut table = Table::new(caption).number("step").text("what");
    table = table.number("clusters left").number("rows").number("p of the gap").shown(SHOWN);
    for (i, step) in found.history.iter().enumerate().rev().take(LISTED) {
        let [a, b] = step.sizes.map(number::count);
        table.row(vec![
            Cell::Number((i + 1).to_string(), (i + 1) as f64),
            Cell::Text(if step.step == Step::Merge { "merged".into() } else { "split".into() }),
            Cell::Number(step.k.to_string(), step.k as f64),
            Cell::Number(format!("{a} + {b}"), step.sizes.iter().sum::<usize>() as f64),
            Cell::Number(number::p_value(step.p), step.p),
        ]);
    }
    let earlier = steps.saturating_sub(SHOWN);
    table.rest = Some(vec![Cell::Name(String::new()), Cell::Text(format!("{earlier} earlier"))]);
    section.add(On::Html, Block::Table(table)).clone()
}

/// How reproducible segments would be, where there are no clusters.
fn segments(found: &Counted) -> Table {
    let by = match found.segments_by_kmeans {
        true => " (measured with k-means on scaled columns)",
        false => "",
    };
    let cut = k_auto::segments_cut(found).map_or(String::new(), |cut| format!("; {cut}"));
    let caption = format!(
        "If segments are needed anyway: the fraction of rows that rules learnt on two random halves of {} put into the \
         same segment{by}{cut}",
        number::counted(found.segments_rows, "row")
    );
    let mut table = Table::new(caption).number("segments").number("held-out agreement");
    table = table.number("by chance").number("smallest segment").text("");
    for one in &found.segments {
        let cell = |fraction: f64| Cell::Number(format!("{:.0} %", 100.0 * fraction), fraction);
        let best = Some(one.k) == found.best_segments;
        table.row(vec![
            Cell::Number(one.k.to_string(), one.k as f64),
            cell(one.agreement),
            cell(one.chance),
            cell(one.smallest),
            Cell::Text(if best { "most reproducible".into() } else { String::new() }),
        ]);
    }
    table
}

fn caption(found: &Counted) -> String {
    let until = match found.k == found.k_max {
        true => format!(
            "until every gap is real and no more than {} are left, the most that were looked for: the last clusters \
             may have been merged across a real gap",
            found.k_max
        ),
        false => "until every gap is real".to_owned(),
    };
    format!(
        "Each line is a micro-cluster of rows. Many small ones (left) are merged where there is no gap between them \
         (dots) and split where there is one within (rings), {until}; the lines that reach the right edge are the \
         clusters."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use separa::Decision;

    fn found(k_per_run: &[usize], k_max: usize) -> Counted {
        let step = |k| Decision {
            step: Step::Merge,
            children: [0, 1],
            parent: 5,
            sizes: [3, 1],
            p: 0.2,
            k,
        };
        let spread = k_per_run.iter().max().unwrap() - k_per_run.iter().min().unwrap();
        let k_per_run = k_per_run.to_vec();
        let path = vec![step(3)];
        Counted {
            k: 3,
            k_per_run,
            spread,
            k_max,
            p: 0.01,
            sample_size: 70,
            history: path,
            ..Counted::default()
        }
    }

    fn shown(found: &Counted) -> String {
        format!("{:?} {:?}", section(found).blocks, steps(found).blocks)
    }

    #[test]
    fn runs_that_disagree_are_told() {
        let said = "The number is uncertain: between 2 and 4 (4 runs).";
        assert_eq!(doubt(&found(&[2, 3, 4, 3], 24)).as_deref(), Some(said));
        assert_eq!(doubt(&found(&[3, 3, 4], 24)), None);
        assert!(!shown(&found(&[3, 3, 3], 24)).contains("uncertain"));
    }

    #[test]
    fn equal_rows_have_no_runs_to_tell() {
        let none = Counted { k: 1, k_max: 24, p: 1.0, ..Counted::default() };
        assert!(shown(&none).contains("found: 1 cluster. (Nearly) all rows are equal."));
    }

    #[test]
    fn clusters_merged_for_the_limit_are_not_called_gapless() {
        let limited = shown(&found(&[3, 3, 3], 3));
        assert!(limited.contains("no more than 3 are left, the most that were looked for"));
        assert!(shown(&found(&[3, 3, 3], 24)).contains("until every gap is real; the"));
    }
}
