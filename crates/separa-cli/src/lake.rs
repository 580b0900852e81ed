//! Tables that are read block by block, and labels that go out as they come in.

use crate::failure::{Failure, Result};
use crate::outputs;
use crate::table::Input;
use separa::preparation::{MissingRule, Preparation};
use separa::source::{self, Source};
use separa::{Confidence, Dataset, Dense, DenseRef, Fitted, MemoryBudget};
use separa_io::prepare::gap_sentence;
use separa_io::{Blocks, LabelColumns, LabelPart, Prepared, TableOptions, Values};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Notices that are kept: blocks say the same things again and again.
const NOTICES: usize = 20;

/// Rows of the sample at most: more cost time and hardly change the rule that the passes begin from.
const SAMPLE: usize = 50_000;
/// The sample is this small a part of the memory, because the fit of it needs copies.
const PART: u64 = 8;

/// Whether labels go into a folder: one that is there and has no ending of a file, or a name that ends like one.
pub fn is_folder(target: &Path) -> bool {
    let named = target.as_os_str().to_string_lossy().ends_with('/');
    named || (target.is_dir() && target.extension().is_none())
}

/// Opens the input in blocks if it exceeds the memory or is to be read so; None if it is read whole.
pub fn open(
    input: &str,
    options: &TableOptions,
    forced: bool,
    budget: MemoryBudget,
) -> Result<Option<Blocks>> {
    match find(input, options, forced, budget)? {
        None if forced => Err(not_streamed(input, "this kind of file is read whole")),
        found => Ok(found),
    }
}

/// As [`open`]; None also for what cannot be read in blocks.
pub fn find(
    input: &str,
    options: &TableOptions,
    forced: bool,
    budget: MemoryBudget,
) -> separa_io::Result<Option<Blocks>> {
    let large = || -> separa_io::Result<bool> {
        let bytes = separa_io::estimated_bytes(input, options)?;
        Ok(bytes.is_some_and(|bytes| !budget.allows(bytes)))
    };
    if !forced && !large()? { Ok(None) } else { blocks(input, options, budget) }
}

/// The input in blocks, some of which are decoded at the same time within a part of the memory.
pub fn blocks(
    input: &str,
    options: &TableOptions,
    budget: MemoryBudget,
) -> separa_io::Result<Option<Blocks>> {
    let found = separa_io::blocks(input, options)?;
    Ok(found.map(|blocks| blocks.keep_within(budget.0.unwrap_or(u64::MAX) / PART)))
}

/// Rows of a sample at most.
pub fn sample_rows(blocks: &Blocks, budget: MemoryBudget) -> usize {
    let row = (blocks.bytes() / blocks.rows().max(1) as u64).max(1);
    budget.0.map_or(SAMPLE, |bytes| ((bytes / PART / row) as usize).clamp(1000, SAMPLE))
}

/// A seeded sample of the rows, prepared as the whole table would be.
pub fn sample(
    name: &str,
    blocks: &mut Blocks,
    options: &TableOptions,
    budget: MemoryBudget,
    seed: u64,
    quiet: bool,
) -> Result<Input> {
    let places = source::sample(blocks.rows(), sample_rows(blocks, budget), seed);
    let strict = options.strict || blocks.are_arrays();
    let options = &TableOptions { strict, ..options.clone() };
    let table = separa_io::prepare_block(blocks.pick(&places)?, options)?;
    Ok(Input::of(name, table, options.id.clone(), quiet))
}

/// What to say of an input that cannot be streamed.
pub fn not_streamed(input: &str, why: &str) -> Failure {
    Failure::new(format!(
        "{input}: {why}; rows in Parquet, CSV, NPY and svmlight files can be streamed, use them or leave out --stream"
    ))
}

/// Blocks of rows, prepared as a model says.
pub struct Lake {
    blocks: Blocks,
    options: TableOptions,
    names: Vec<String>,
    /// What was noticed while rows were prepared, each once.
    notices: BTreeSet<String>,
    /// The gaps of the rows since the last rewind.
    gaps: Option<Preparation>,
}

impl Lake {
    /// Rows become these features as `options.preparation` or `options.expect` say.
    pub fn new(blocks: Blocks, options: TableOptions, names: Vec<String>) -> Self {
        let options = TableOptions { strict: options.strict || blocks.are_arrays(), ..options };
        Self { blocks, options, names, notices: BTreeSet::new(), gaps: None }
    }

    /// The next block: its file, and its features.
    pub fn next_prepared(&mut self) -> Result<Option<(usize, usize, Prepared)>> {
        let Some(block) = self.blocks.next_block()? else { return Ok(None) };
        let prepared = separa_io::prepare_block(block.table, &self.options)?;
        // The gaps of all blocks are said at once.
        let gaps = prepared.preparation.as_ref().and_then(gap_sentence);
        let said = prepared.notices.iter().filter(|said| Some(*said) != gaps.as_ref());
        let room = NOTICES.saturating_sub(self.notices.len());
        self.notices.extend(said.take(room).cloned());
        prepared.preparation.iter().for_each(|done| self.add_gaps(done));
        Ok(Some((block.file, block.first_row, prepared)))
    }

    fn add_gaps(&mut self, done: &Preparation) {
        let Some(all) = &mut self.gaps else {
            self.gaps = Some(done.clone());
            return;
        };
        all.rows += done.rows;
        all.filled += done.filled;
        all.rows_left_out += done.rows_left_out;
        for (all, column) in all.columns.iter_mut().zip(&done.columns) {
            all.missing += column.missing;
        }
    }

    /// What was noticed while rows were prepared.
    pub fn notices(&self) -> Vec<String> {
        self.notices.iter().cloned().chain(self.gaps.as_ref().and_then(gap_sentence)).collect()
    }

    /// Labels all rows and writes them: into one file, or into a folder with a file for each that was read. Returns how
    /// many rows have a label.
    pub fn write_labels(&mut self, target: &Path, rule: &Labeller<'_>) -> Result<usize> {
        self.rewind()?;
        let mut next = self.next_prepared()?;
        let rule = &rule.named_as(next.as_ref().map(|(_, _, rows)| rows));
        if !is_folder(target) {
            return self.write_one(target, None, rule, &mut next);
        }
        make_folder(target)?;
        let files = self.blocks.below().to_vec();
        let mut count = 0;
        for (number, file) in files.iter().enumerate() {
            let file = target.join(label_name(file));
            if let Some(folder) = file.parent() {
                make_folder(folder)?;
            }
            count += self.write_one(&file, Some(number), rule, &mut next)?;
        }
        Ok(count)
    }

    /// Writes the labels of one file, or of all; `next` is the first block that is not written yet.
    fn write_one(
        &mut self,
        target: &Path,
        file: Option<usize>,
        rule: &Labeller<'_>,
        next: &mut Option<(usize, usize, Prepared)>,
    ) -> Result<usize> {
        let (mut before, mut count) = (0, 0);
        separa_io::write_label_parts::<Failure>(target, &rule.columns, |put| {
            while let Some((_, first_row, rows)) =
                next.take_if(|(from, ..)| file.is_none_or(|file| file == *from))
            {
                let first = if file.is_some() { first_row } else { before };
                before += rows.source_rows.last().map_or(rows.rows, |last| *last as usize);
                count += rows.rows;
                put(rule.part(&rows, first)?)?;
                *next = self.next_prepared()?;
            }
            Ok(())
        })?;
        Ok(count)
    }
}

fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|e| Failure::new(format!("{}: the folder cannot be made ({e})", path.display())))
}

/// The file of labels for a file of rows: of the same name, as CSV if labels are not written in its format.
fn label_name(file: &Path) -> PathBuf {
    let name = file.to_string_lossy();
    let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    let written = [".csv", ".tsv", ".parquet"].iter().any(|end| plain.ends_with(end));
    if written { file.to_owned() } else { PathBuf::from(format!("{plain}.csv")) }
}

/// A rule with what is written of each row.
#[derive(Clone)]
pub struct Labeller<'a> {
    rule: &'a Fitted,
    /// The columns that name the rows.
    ids: Vec<String>,
    columns: LabelColumns,
    scores: bool,
    proba: bool,
    novelty: bool,
    /// Rows can be left out.
    left_out: bool,
    /// Rows are named by their numbers, because they can be left out and have no other names.
    numbered: bool,
}

impl<'a> Labeller<'a> {
    /// `ids` are the columns that name the rows.
    pub fn new(rule: &'a Fitted, ids: Vec<String>, missing: Option<MissingRule>) -> Self {
        let columns = LabelColumns { sure: true, ..LabelColumns::default() };
        let left_out = missing == Some(MissingRule::Drop);
        let (scores, proba, novelty) = (false, false, false);
        Self { rule, ids, columns, scores, proba, novelty, left_out, numbered: false }
    }

    /// With those columns for names that these rows have: new tables need not have what the model's had.
    fn named_as(&self, rows: Option<&Prepared>) -> Self {
        let is_there = |id: &&String| rows.is_none_or(|rows| rows.column(id).is_some());
        let mut ids = self.ids.iter().filter(is_there).cloned();
        let mut found = self.clone();
        found.columns.id = ids.next();
        found.columns.more_ids = ids.collect();
        found.numbered = self.left_out && found.columns.id.is_none();
        if found.numbered {
            found.columns.id = Some("row".to_owned());
        }
        found
    }

    /// With these columns beside the labels, and the names of classes.
    pub fn with(
        mut self,
        names: Vec<String>,
        [scores, proba, novelty]: [bool; 3],
        classes: Option<Vec<String>>,
    ) -> Self {
        (self.scores, self.proba, self.novelty) = (scores, proba, novelty);
        // Classifiers guarantee an accuracy instead.
        self.columns.sure = classes.is_none();
        (self.columns.scores, self.columns.classes) = (names, classes);
        self
    }

    /// With what clusters are called.
    pub fn called(mut self, names: Vec<String>) -> Self {
        self.columns.called = names;
        self
    }

    /// The labels of a block.
    fn part(&self, rows: &Prepared, first: usize) -> Result<LabelPart> {
        let ids = match &self.columns.id {
            _ if self.numbered => {
                (0..rows.rows).map(|i| (first as u64 + rows.source_row(i)).to_string()).collect()
            }
            Some(id) => rows.column(id).unwrap_or_default().to_vec(),
            None => Vec::new(),
        };
        let more_ids = self.columns.more_ids.iter();
        let more_ids = more_ids.filter_map(|name| rows.aside.iter().find(|a| a.name == *name));
        let more_ids = more_ids.cloned().collect();
        let Values::Dense(values) = &rows.values else { unreachable!("rows of blocks are dense") };
        if rows.rows == 0 {
            return Ok(LabelPart::default());
        }
        let block = DenseRef::new(rows.rows, rows.cols(), values).map_err(separa::Error::from)?;
        let data = Dataset::with_names(block.into(), Some(&rows.names))?;
        let mut part = LabelPart { ids, more_ids, ..LabelPart::default() };
        match self.columns.sure {
            true => {
                let Confidence { labels, confidence, runner_up, margin } =
                    self.rule.confidence(&data)?;
                (part.labels, part.confidence) = (labels, confidence);
                (part.runner_up, part.margin) = (runner_up, margin);
            }
            false => part.labels = self.rule.predict(&data)?,
        }
        let scores = self.scores.then(|| self.rule.decision(&data)).transpose()?;
        let proba = self.proba.then(|| self.rule.proba(&data)).transpose()?;
        let novelty = self.novelty.then(|| self.rule.novelty(&data)).transpose()?;
        let novelty = novelty.map(|found| outputs::novelty(&found)).transpose()?;
        let beside: Vec<Dense> = scores.into_iter().chain(proba).chain(novelty).collect();
        let line = |i: usize| beside.iter().flat_map(move |table| table.row(i).to_vec());
        part.scores = (0..rows.rows).flat_map(line).collect();
        Ok(part)
    }
}

impl Source for Lake {
    type Error = Failure;

    fn n_features(&self) -> usize {
        self.names.len()
    }

    fn n_rows(&self) -> Option<usize> {
        Some(self.blocks.rows())
    }

    fn rewind(&mut self) -> Result<()> {
        self.gaps = None;
        Ok(self.blocks.rewind()?)
    }

    fn next_block(&mut self) -> Result<Option<Dense>> {
        let Some((_, _, rows)) = self.next_prepared()? else { return Ok(None) };
        let Values::Dense(values) = rows.values else { unreachable!("rows of blocks are dense") };
        let block = Dense::from_vec(rows.rows, self.names.len(), values);
        Ok(Some(block.map_err(separa::Error::from)?))
    }
}

/// The rule for missing values of a preparation.
pub fn missing_of(done: Option<&Preparation>) -> Option<MissingRule> {
    done.map(|done| done.missing)
}
