//! `separa train` on a table that is read block by block: classes are counted, a sample is learnt from in memory, and all
//! rows take part in the passes that follow.

use super::train::{self, Classless, Done};
use crate::args::TrainArgs;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::lake::{self, Lake};
use crate::progress::Watch;
use crate::table::Input;
use crate::text;
use separa::source::{self, ClassSource, Source};
use separa::{Dense, MOST_CLASSES, MemoryBudget, Target, Trainer};
use separa_io::{Blocks, TableOptions, Values};
use std::collections::HashMap;

/// Trains in passes if the table has to be streamed, or is to be; None if it is read whole.
pub fn run(args: &TrainArgs, request: &Trainer<'_>) -> Result<Option<Done>> {
    let Some(column) = args.target.clone().filter(|_| args.cv.is_none()) else { return Ok(None) };
    let name = &args.input.input;
    let budget = args.fit.memory.unwrap_or_else(MemoryBudget::free);
    let options = TableOptions { aside: vec![column.clone()], ..train::options(args) };
    let found = lake::find(name, &options, args.stream, budget);
    match found.map_err(|e| train::named_by(e, &column, "--target"))? {
        None if args.stream => Err(lake::not_streamed(name, "this kind of file is read whole")),
        None => Ok(None),
        Some(blocks) => in_blocks(args, request, blocks, &options, budget).map(Some),
    }
}

fn in_blocks(
    args: &TrainArgs,
    request: &Trainer<'_>,
    mut blocks: Blocks,
    options: &TableOptions,
    budget: MemoryBudget,
) -> Result<Done> {
    let interrupt = Interrupt::listen()?;
    let (name, column) = (&args.input.input, &options.aside[0]);
    let (classes, classless) = KnownClasses::count(name, column, options)?;
    if classless.count > 0 && (classes.names.is_empty() || !train::drops(args)) {
        return Err(train::no_class(name, column, &classless));
    }
    let most = lake::sample_rows(&blocks, budget);
    let mut picked = Picked::new(source::class_sample(&classes.sizes, most, args.fit.seed));
    let strict = options.strict || blocks.are_arrays();
    let strictly = TableOptions { strict, ..options.clone() };
    let table = blocks.pick_by(|table| Some(picked.of(&classes.numbers_in(table, column))))?;
    let table = separa_io::prepare_block(table, &strictly)?;
    let mut input = Input::of(name, table, options.id.clone(), args.run.quiet);
    if classless.count > 0 {
        let said = train::without_class(classless.count);
        if !args.run.quiet {
            text::notice(&said);
        }
        input.table.notices.push(said);
    }
    let numbers = classes.numbers(input.column(column))?;
    let target = Target::new(numbers, classes.names.clone())?;
    let weights = source::class_weights(&classes.sizes, &target);
    let data = input.dataset()?;
    let data = data.with_weights(&weights)?;

    // Only the columns that became features, and the classes.
    let done = input.table.preparation.clone();
    let again = TableOptions { preparation: done, id: None, ..options.clone() };
    let blocks = match blocks.projects() {
        true => lake::blocks(name, &again, budget)?.unwrap_or(blocks),
        false => blocks,
    };
    let lake = Lake::new(blocks, again, input.table.names.clone());
    let mut rows = ClassLake { lake, column: column.clone(), classes };
    let watch = Watch::new(interrupt, args.run.quiet);
    let bar = watch.handle();
    let trained = request.clone().observe(watch).fit_source(&mut rows, &data, &target);
    bar.finish_and_clear();
    let mut trained = trained.map_err(|wrong| match wrong {
        Wrong::Rows(e) => input.wrong(e),
        Wrong::Reading(failure) => failure,
    })?;
    input.preparation().into_iter().for_each(|done| trained.prepared_by(done));
    let why = "the rows passed by in a stream and were not kept; without --stream they are drawn";
    Ok(Done { trained, rows: Err(why.into()), read: input.notes() })
}

/// Why a pass ended early: by what the engine says of the rows, or because they could not be read.
enum Wrong {
    Rows(separa::Error),
    Reading(Failure),
}

impl From<separa::Error> for Wrong {
    fn from(e: separa::Error) -> Self {
        Self::Rows(e)
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Self {
        Self::Reading(failure)
    }
}

/// Blocks with the numbers of their classes.
struct ClassLake {
    lake: Lake,
    column: String,
    classes: KnownClasses,
}

impl ClassSource for ClassLake {
    type Error = Wrong;

    fn n_rows(&self) -> Option<usize> {
        self.lake.n_rows()
    }

    fn rewind(&mut self) -> std::result::Result<(), Wrong> {
        Ok(self.lake.rewind()?)
    }

    fn next_block(&mut self) -> std::result::Result<Option<(Dense, Vec<u32>)>, Wrong> {
        let Some((_, _, rows)) = self.lake.next_prepared()? else { return Ok(None) };
        let texts = rows.column(&self.column).expect("the reader keeps the column of the classes");
        // A row has no class only where such rows are left out.
        let has_class = |&i: &usize| !texts[i].trim().is_empty();
        let kept: Vec<usize> = (0..texts.len()).filter(has_class).collect();
        let rows = if kept.len() < rows.rows { rows.rows_in(&kept) } else { rows };
        let texts = rows.column(&self.column).expect("the reader keeps the column of the classes");
        let numbers = self.classes.numbers(texts)?;
        let cols = rows.cols();
        let Values::Dense(values) = rows.values else { unreachable!("rows of blocks are dense") };
        let block = Dense::from_vec(rows.rows, cols, values).map_err(separa::Error::from)?;
        Ok(Some((block, numbers)))
    }
}

/// The classes of all rows: their names, sorted as those of a table are, and how many rows have each.
struct KnownClasses {
    names: Vec<String>,
    sizes: Vec<usize>,
    numbers: HashMap<String, u32>,
}

impl KnownClasses {
    /// Reads the column of the classes alone; also counts the rows that have none.
    fn count(name: &str, column: &str, options: &TableOptions) -> Result<(Self, Classless)> {
        let alone = TableOptions { only_aside: true, id: None, ..options.clone() };
        let blocks = separa_io::blocks(name, &alone)?;
        let mut blocks = blocks.expect("the input was opened in blocks before");
        let wrong = |e: separa::Error| Failure::new(format!("{name}: {e}"));
        let mut came = Came { column: column.to_owned(), ..Came::default() };
        blocks.rewind()?;
        while let Some(block) = blocks.next_block()? {
            came.see(&texts_of(&block.table, column)).map_err(wrong)?;
        }
        let (count, rows) = (came.rows - came.sizes.iter().sum::<usize>(), came.rows);
        let classless = Classless { count, rows, first: came.first_without };
        Ok((came.classes().map_err(wrong)?, classless))
    }

    /// The number of each text's class.
    fn numbers(&self, texts: &[String]) -> Result<Vec<u32>> {
        let number = |text: &String| self.numbers.get(text.trim()).copied();
        let unknown = |text: &String| {
            Failure::new(format!(
                "class \"{}\" was not there when the classes were counted; leave the files as they are while they \
                 are read",
                text.trim()
            ))
        };
        texts.iter().map(|text| number(text).ok_or_else(|| unknown(text))).collect()
    }

    /// The classes of a table's rows; rows of classes that were not there before have none.
    fn numbers_in(&self, table: &separa_io::Table, column: &str) -> Vec<Option<u32>> {
        let number = |text: &String| self.numbers.get(text.trim()).copied();
        texts_of(table, column).iter().map(number).collect()
    }
}

fn texts_of(table: &separa_io::Table, column: &str) -> Vec<String> {
    let place = table.position(column).expect("the reader keeps the column of the classes");
    table.texts(place)
}

/// Which rows of each class a sample takes, and how far they were looked at.
struct Picked {
    places: Vec<std::iter::Peekable<std::vec::IntoIter<usize>>>,
    came: Vec<usize>,
}

impl Picked {
    fn new(places: Vec<Vec<usize>>) -> Self {
        let came = vec![0; places.len()];
        Self { places: places.into_iter().map(|p| p.into_iter().peekable()).collect(), came }
    }

    /// The rows of the next block that the sample takes.
    fn of(&mut self, classes: &[Option<u32>]) -> Vec<usize> {
        let mut taken = Vec::new();
        for (i, class) in classes.iter().enumerate() {
            let Some(c) = class.map(|c| c as usize) else { continue };
            if self.places[c].next_if_eq(&self.came[c]).is_some() {
                taken.push(i);
            }
            self.came[c] += 1;
        }
        taken
    }
}

/// Names as they come, and their numbers.
#[derive(Debug, Default)]
struct Came {
    column: String,
    /// Rows so far.
    rows: usize,
    /// The first row without a class, counted from 1; 0 if all have one.
    first_without: u64,
    names: Vec<String>,
    /// The row where each name came first, and how many have it.
    first: Vec<usize>,
    sizes: Vec<usize>,
    numbers: HashMap<String, u32>,
}

impl Came {
    /// Counts the classes of the next rows.
    fn see(&mut self, texts: &[String]) -> separa::Result<()> {
        for text in texts {
            self.rows += 1;
            let name = text.trim();
            if name.is_empty() {
                if self.first_without == 0 {
                    self.first_without = self.rows as u64;
                }
                continue;
            }
            let number = match self.numbers.get(name) {
                Some(&number) => number,
                None => self.add(name)?,
            };
            self.sizes[number as usize] += 1;
        }
        Ok(())
    }

    fn add(&mut self, name: &str) -> separa::Result<u32> {
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.first.push(self.rows);
        self.sizes.push(0);
        self.numbers.insert(name.to_owned(), number);
        if self.names.len() > MOST_CLASSES {
            self.sorted()?;
        }
        Ok(number)
    }

    /// As of a whole table: measurements and identifiers are refused. A fraction is one only
    /// when no name is a word, so this is known at the end.
    fn sorted(&self) -> separa::Result<Vec<String>> {
        Target::check_texts(&self.column, &self.names, |i| self.first[i])?;
        Ok(Target::from_texts(&self.column, &self.names)?.names().to_vec())
    }

    fn classes(self) -> separa::Result<KnownClasses> {
        let names = self.sorted()?;
        let sizes = names.iter().map(|name| self.sizes[self.numbers[name] as usize]).collect();
        let numbers = names.iter().cloned().zip(0..).collect();
        Ok(KnownClasses { names, sizes, numbers })
    }
}
