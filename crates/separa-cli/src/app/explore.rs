//! Questions about a run that is done: where its rows lie, which of them are odd, why one is where it is, what a
//! selection of them has in common, and how another run sees them.

use super::job::Outcome;
use crate::failure::{Failure, Result};
use separa::note::codes;
use separa::quality::External;
use separa::{ExplainOptions, Profile};
use separa_io::Shown;
use separa_report::document::{Block, Medium};
use separa_report::{Explained, Names};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Rows that a search or a list shows at most.
const LISTED: usize = 20;
/// Features of a profile.
const FEATURES: usize = 8;

impl Outcome {
    /// What a row is called.
    pub fn row_name(&self, place: usize) -> String {
        match self.input.row_names() {
            Some((_, names)) => names[place].trim().to_owned(),
            None => self.input.table.source_row(place).to_string(),
        }
    }

    fn check_place(&self, place: usize) -> Result<usize> {
        let n = self.found().n();
        let said = || Failure::new(format!("there is no row {place}, expected 0 to {}", n - 1));
        Some(place).filter(|place| *place < n).ok_or_else(said)
    }
}

/// What the map draws: the same as the report's, with the places of the rows in the table.
pub fn map(outcome: &Outcome) -> Result<Value> {
    let found = outcome.found();
    let view = outcome.view().map_err(Failure::new)?;
    let row = |i: usize| outcome.row_name(i);
    let names = Names {
        column: &|j| outcome.input.table.names[j].clone(),
        row: &row,
        cluster: &|c| found.called(c),
    };
    let mut data = separa_report::map_data(&found, view, names);
    data["places"] = json!(view.rows);
    data["caption"] = separa_report::map_caption(&found, view).into();
    Ok(data)
}

/// Rows to check: those that another cluster nearly had, those least like their own cluster, and typical ones.
pub fn rows(outcome: &Outcome) -> Result<Value> {
    let (found, view) = (outcome.found(), outcome.view().map_err(Failure::new)?);
    let one = |place: usize, label: i32, other: i32| json!({ "place": place, "name": outcome.row_name(place), "cluster": label, "other": other });
    let close = view.borderline.iter().map(|r| one(r.row, r.label, r.other));
    let typical = view.typical.iter().take(3 * LISTED).map(|r| one(r.row, r.label, -1));
    let data = outcome.input.dataset()?;
    let novelty = found.novelty(&data).ok();
    let odd = novelty.map(|novelty| {
        let mut order: Vec<usize> = (0..novelty.p.len()).collect();
        let by = |i: &usize| (novelty.p[*i], -novelty.distance[*i]);
        order.sort_by(|a, b| by(a).partial_cmp(&by(b)).unwrap_or(std::cmp::Ordering::Equal));
        let listed: Vec<Value> = order
            .into_iter()
            .take(LISTED)
            .map(|i| {
                let mut row = one(i, novelty.labels[i], -1);
                row["p"] = novelty.p[i].into();
                row
            })
            .collect();
        json!({ "rows": listed, "count": novelty.count(), "limit": novelty.limit() })
    });
    Ok(json!({
        "close": close.collect::<Vec<_>>(),
        "typical": typical.collect::<Vec<_>>(),
        "odd": odd,
        "outliers": found.labels().iter().filter(|label| **label < 0).count(),
    }))
}

/// Why a row is in its cluster: the sentences of `separa explain`, and what each column adds.
pub fn explain(outcome: &Outcome, place: usize) -> Result<Value> {
    let place = outcome.check_place(place)?;
    let (found, data) = (outcome.found(), outcome.input.dataset()?);
    let options = ExplainOptions { seed: found.seed(), background: None };
    let explained = found.explain(&data, &[place], &options);
    let explained = explained.map_err(|e| outcome.input.wrong(e))?;
    let document = separa_report::explain(&Explained {
        input: &outcome.input.name,
        method: found.method_name(),
        row: &|i| outcome.row_name(i),
        cluster: &|c| format!("cluster {}", found.called(c)),
        rows: &explained,
    });
    let said: Vec<&String> = document
        .sections
        .iter()
        .flat_map(|section| section.on(Medium::Page))
        .filter_map(|block| if let Block::Text(said) = block { Some(said) } else { None })
        .collect();
    let adds: Vec<Value> = explained
        .iter()
        .flat_map(|e| &e.contributions)
        .take(FEATURES + 4)
        .map(
            |c| json!({ "column": c.column, "value": c.value.to_string(), "adds": c.contribution }),
        )
        .collect();
    Ok(json!({
        "place": place,
        "name": outcome.row_name(place),
        "cluster": explained[0].cluster,
        "outlier": explained[0].outlier,
        "said": said,
        "adds": adds,
    }))
}

/// Rows whose name holds some text, wherever they are in the table.
pub fn find(outcome: &Outcome, text: &str) -> Value {
    let wanted = text.trim().to_lowercase();
    let found = outcome.found();
    let names = outcome.input.row_names();
    let name = |i: usize| match &names {
        Some((_, names)) => names[i].trim().to_owned(),
        None => outcome.input.table.source_row(i).to_string(),
    };
    let mut exact = Vec::new();
    let (mut like, mut more) = (Vec::new(), 0usize);
    for i in (0..found.n()).filter(|_| !wanted.is_empty()) {
        let its = name(i).to_lowercase();
        match its == wanted {
            true if exact.len() < LISTED => exact.push(i),
            false if !its.contains(&wanted) => {}
            _ if like.len() < LISTED => like.push(i),
            _ => more += 1,
        }
    }
    let listed: Vec<usize> = exact.into_iter().chain(like).collect();
    let shown = listed
        .iter()
        .take(LISTED)
        .map(|&i| json!({ "place": i, "name": name(i), "cluster": found.labels()[i] }));
    let more = more + listed.len().saturating_sub(LISTED);
    json!({ "rows": shown.collect::<Vec<_>>(), "more": more })
}

/// What selected rows have in common: how many of each cluster, and the features that set them apart from all others.
pub fn selection(outcome: &Outcome, rows: &[usize]) -> Result<Value> {
    let found = outcome.found();
    let mut chosen = vec![0; found.n()];
    for &place in rows {
        chosen[outcome.check_place(place)?] = 1;
    }
    let mut sizes = vec![0usize; found.k()];
    for (label, _) in found.labels().iter().zip(&chosen).filter(|(l, c)| **l >= 0 && **c == 1) {
        sizes[*label as usize] += 1;
    }
    let data = outcome.input.dataset()?;
    let features = found.has_features() && data.bags().is_none();
    let profile = features.then(|| Profile::of(&data, &chosen, found.seed())).flatten();
    let profile = profile.and_then(|mut profile| profile.clusters.pop());
    Ok(json!({
        "rows": chosen.iter().filter(|c| **c == 1).count(),
        "sizes": sizes,
        "features": profile.map(|mut p| { p.features.truncate(FEATURES); p.features }),
    }))
}

/// The selected rows as a file: names, clusters and features.
pub fn selection_csv(outcome: &Outcome, rows: &[usize]) -> Result<Vec<u8>> {
    let (found, input) = (outcome.found(), &outcome.input);
    let places = rows.iter().map(|place| outcome.check_place(*place));
    let places = places.collect::<Result<Vec<usize>>>()?;
    let labels: Vec<i32> = places.iter().map(|&i| found.labels()[i]).collect();
    let names: Vec<String> = places.iter().map(|&i| outcome.row_name(i)).collect();
    let id = input.row_names().map_or("row".to_owned(), |(name, _)| name.to_owned());
    let matrix = input.matrix()?;
    let mut values = vec![0.0; places.len() * input.table.cols()];
    if !values.is_empty() {
        let lines = values.chunks_mut(input.table.cols());
        places.iter().zip(lines).for_each(|(&i, line)| separa::Rows::copy_row(&matrix, i, line));
    }
    let called = crate::outputs::called(&found);
    let shown = Shown::from(&labels).called(&called);
    let mut bytes = Vec::new();
    let columns = Some((input.table.names.as_slice(), values.as_slice()));
    separa_io::labels_to_csv(&mut bytes, Some((&id, &names)), shown, columns)
        .map_err(|e| Failure::new(format!("selection.csv: cannot be written ({e})")))?;
    Ok(bytes)
}

/// How far two runs agree on the rows that both have; `equal` is the fraction with the same cluster, each cluster
/// matched with at most one of the other run.
pub fn beside(outcome: &Outcome, other: &Outcome) -> Result<Value> {
    let (own, theirs) = (outcome.found(), other.found());
    let rows = [&outcome.input.table, &other.input.table];
    let same = own.n() == theirs.n() && rows[0].source_rows == rows[1].source_rows;
    // Rows with gaps can be left out by one of them.
    let place: HashMap<u64, usize> = match same {
        true => HashMap::new(),
        false => (0..theirs.n()).map(|i| (rows[1].source_row(i), i)).collect(),
    };
    let theirs_at = |i: usize| match same {
        true => Some(theirs.labels()[i]),
        false => place.get(&rows[0].source_row(i)).map(|&i| theirs.labels()[i]),
    };
    let both: Vec<(i32, i32)> =
        (0..own.n()).filter_map(|i| Some((own.labels()[i], theirs_at(i)?))).collect();
    let (a, b): (Vec<i32>, Vec<i32>) = both.iter().copied().unzip();
    let measured = External::new(&a, &b).map_err(|e| Failure::new(e.to_string()))?;
    let mut table = vec![vec![0usize; theirs.k()]; own.k()];
    for (a, b) in both.iter().filter(|(a, b)| *a >= 0 && *b >= 0) {
        table[*a as usize][*b as usize] += 1;
    }
    let drawn = outcome.view().map(|view| view.rows.as_slice()).unwrap_or_default();
    let labels: Vec<i32> = drawn.iter().map(|&i| theirs_at(i).unwrap_or(-1)).collect();
    Ok(json!({
        "rows": both.len(),
        "ari": measured.ari,
        "equal": measured.accuracy,
        "table": table,
        "labels": labels,
    }))
}

/// Sentences to keep in mind, the warnings first; what the page says elsewhere is left out.
pub fn notes(outcome: &Outcome) -> Vec<Value> {
    let mut notes = outcome.notes();
    notes.retain(|note| note.code != codes::TABLE);
    notes.sort_by_key(|note| note.kind != separa::NoteKind::Warning);
    let one = |note: &separa::Note| {
        let warning = note.kind == separa::NoteKind::Warning;
        json!({ "warning": warning, "code": note.code, "text": note.sentence(crate::notes::word) })
    };
    notes.iter().map(one).collect()
}
