//! A stranger's table: which columns are features, what they hold, what becomes of gaps, and the same for new rows.

use crate::common;

use common::{Folder, dense, names, refusal, says};
use separa::preparation::{ColumnType, Encoding, MissingRule, Preparation, Role};
use separa_io::{Prepared, Repair, TableOptions, read, read_table};

/// A table of `rows` lines by a function of the row's number.
fn table(folder: &Folder, header: &str, rows: usize, line: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..rows).map(line).collect();
    folder.file("t.csv", format!("{header}\n{}\n", lines.join("\n")))
}

fn prepared(path: &str) -> Prepared {
    read(path, &TableOptions::default()).unwrap()
}

fn done(table: &Prepared) -> &Preparation {
    table.preparation.as_ref().unwrap()
}

fn role_and_type(table: &Prepared, column: &str) -> (Role, ColumnType) {
    let found = done(table).columns.iter().find(|c| c.name == column).unwrap();
    (found.role, found.kind)
}

fn asked(path: &str, options: TableOptions) -> Prepared {
    read(path, &options).unwrap()
}

/// Numbers without order, the same for every run.
fn noise(i: usize) -> usize {
    (i * 7919 + 13) % 101
}

#[test]
fn equally_spaced_counters_are_ids_but_increasing_measurements_are_data() {
    let folder = Folder::new();
    let path = table(&folder, "n,ten,rising,a", 30, |i| {
        format!("{},{},{},{}", i + 1, 10 * i, i * i, noise(i))
    });
    let found = prepared(&path);
    assert_eq!(found.names, ["rising", "a"]);
    assert_eq!(role_and_type(&found, "n"), (Role::Id, ColumnType::Number));
    assert_eq!(found.column("n").unwrap()[2], "3");
    assert_eq!(found.column("ten").unwrap()[2], "20", "every id goes beside the labels");
    let named = asked(&path, TableOptions { id: Some("ten".into()), ..Default::default() });
    assert_eq!(role_and_type(&named, "n").0, Role::LeftOut, "but for one that was named");
    let kept = asked(&path, TableOptions { numeric: names(&["ten"]), ..Default::default() });
    assert_eq!(kept.names, ["ten", "rising", "a"]);
}

#[test]
fn names_of_rows_are_ids_and_texts_come_before_counters() {
    let folder = Folder::new();
    let path = table(&folder, "n,car,a", 20, |i| format!("{i},model {i},{}", noise(i)));
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "car"), (Role::Id, ColumnType::Text));
    assert_eq!(found.names, ["a"]);
    assert_eq!(found.column("car").unwrap()[3], "model 3");
    let ids: Vec<&str> = done(&found).ids().iter().map(|id| id.name.as_str()).collect();
    assert_eq!(ids, ["car", "n"]);
    let model = Some(done(&found).clone());
    let again = asked(&path, TableOptions { preparation: model, ..Default::default() });
    assert_eq!(again.column("n").unwrap()[3], "3", "new rows have theirs, too");
}

#[test]
fn an_id_by_name_must_be_different_in_every_row() {
    let folder = Folder::new();
    let path = table(&folder, "id,subject_id,a", 20, |i| {
        format!("{},{},{}", 1000 - i * i, i / 2, noise(i))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "id").0, Role::Id);
    assert_eq!(role_and_type(&found, "subject_id").0, Role::LeftOut);
}

#[test]
fn codes_with_leading_zeros_keep_them() {
    let folder = Folder::new();
    let path = table(&folder, "code,a", 20, |i| format!("{:04},{}", 3 * i * i, noise(i)));
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "code").0, Role::Id);
    assert_eq!(found.column("code").unwrap()[1], "0003");
}

#[test]
fn integers_that_numbers_cannot_tell_apart_are_ids() {
    let folder = Folder::new();
    let path = table(&folder, "key,a", 20, |i| {
        format!("{},{}", 9_007_199_254_740_993_u64 + 2 * (i * i) as u64, noise(i))
    });
    let found = prepared(&path);
    assert_eq!(found.column("key").unwrap()[0], "9007199254740993");
    assert_eq!(found.names, ["a"]);
}

#[test]
fn constant_empty_and_copied_columns_are_left_out_with_a_word() {
    let folder = Folder::new();
    let path = table(&folder, "same,empty,few,a,copy,word,other", 20, |i| {
        let few = if i < 5 { "1" } else { "" };
        let w = ["x", "y", "z"][noise(i) % 3];
        format!("3,,{few},{},{},{w},{}", noise(i), noise(i), w.to_uppercase())
    });
    let found = prepared(&path);
    assert_eq!(found.names, ["a", "word=x", "word=y", "word=z"]);
    let why =
        |name: &str| done(&found).columns.iter().find(|c| c.name == name).unwrap().why.clone();
    says(&why("same"), &["every value is 3"]);
    says(&why("empty"), &["empty"]);
    says(&why("few"), &["75 % of it is missing"]);
    says(&why("copy"), &["copies \"a\""]);
    says(&why("other"), &["copies \"word\""]);
    says(&found.notices.join("\n"), &["not used", "\"same\" (every value is 3)"]);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let folder = Folder::new();
    let path = table(&folder, "price;share;amount;a", 12, |i| {
        format!("$1,{:03}.50;{} %;{},5;{}", i * i, noise(i), i * i, noise(i))
    });
    let found = prepared(&path);
    assert_eq!(found.names, ["price", "share", "amount", "a"]);
    assert_eq!(dense(&found)[4..8], [1001.5, noise(1) as f64, 1.5, noise(1) as f64]);
}

#[test]
fn a_unit_behind_numbers_is_refused_by_name_unless_they_are_called_numbers() {
    let folder = Folder::new();
    let path = table(&folder, "w,a", 12, |i| format!("{} kg,{}", noise(i), noise(i + 1)));
    let found = prepared(&path);
    assert_eq!(found.names, ["a"]);
    says(&found.notices.join("\n"), &["\"w\"", "unit \"kg\"; to use them: --numeric w"]);
    let other = separa_io::prepare::alternative(done(&found)).unwrap();
    assert_eq!(other.purpose, "with \"w\" as numbers");
    assert_eq!(other.options, [("--numeric", "w".to_owned())]);
    let kept = asked(&path, TableOptions { numeric: names(&["w"]), ..Default::default() });
    assert_eq!(dense(&kept)[0], noise(0) as f64);
}

#[test]
fn yes_and_no_are_one_feature_and_two_words_one_indicator() {
    let folder = Folder::new();
    let path = table(&folder, "smokes,flag,sex,a", 12, |i| {
        let b = noise(i) % 2;
        format!(
            "{},{},{},{}",
            ["no", "Yes"][b],
            ["F", "T"][1 - b],
            ["male", "female"][noise(i) % 3 / 2],
            noise(i)
        )
    });
    let found = prepared(&path);
    // A question and its opposite are no copies: their words differ in order.
    assert_eq!(role_and_type(&found, "smokes"), (Role::Feature, ColumnType::Boolean));
    assert!(found.names.contains(&"sex=male".to_owned()), "{:?}", found.names);
    assert!(!found.names.contains(&"sex=female".to_owned()));
}

#[test]
fn words_on_a_scale_are_ordered_by_themselves_or_as_asked() {
    let folder = Folder::new();
    let path = table(&folder, "size,grade,a", 12, |i| {
        format!("{},{},{}", ["M", "S", "L"][i % 3], ["b", "c", "a"][noise(i) % 3], noise(i))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "size").1, ColumnType::Ordered);
    assert_eq!([dense(&found)[0], dense(&found)[5], dense(&found)[10]], [1.0, 0.0, 2.0]);
    let order = vec![("grade".to_owned(), names(&["c", "b", "a"]))];
    let options = TableOptions { order: order.clone(), ..Default::default() };
    assert_eq!(role_and_type(&asked(&path, options), "grade").1, ColumnType::Ordered);
    let short = vec![("grade".to_owned(), names(&["c", "b"]))];
    let message = refusal(&path, &TableOptions { order: short, ..Default::default() });
    says(&message, &["column \"grade\" also holds \"a\"", "--order"]);
}

#[test]
fn dates_become_days_and_what_comes_round_again() {
    let folder = Folder::new();
    let path = table(&folder, "when,a", 40, |i| {
        format!(
            "2020-{:02}-{:02} {:02}:00,{}",
            1 + noise(i) % 12,
            1 + noise(i) % 28,
            noise(i) % 24,
            noise(i)
        )
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "when"), (Role::Feature, ColumnType::Date));
    assert_eq!(
        found.names[..5],
        ["when", "when (week sin)", "when (week cos)", "when (day sin)", "when (day cos)"]
    );
    let columns = done(&found).feature_columns();
    assert_eq!(columns, [0, 0, 0, 0, 0, 1], "the parts of a date are one feature of the table");
    says(
        &refusal(&path, &TableOptions { date: names(&["a"]), ..Default::default() }),
        &["column \"a\"", "expected a date"],
    );
}

#[test]
fn dates_without_separators_are_dates_and_months_begin_on_no_day_of_the_week() {
    let folder = Folder::new();
    let path = table(&folder, "day,month,number,a", 40, |i| {
        let (year, month, day) = (2019 + noise(i) % 4, 1 + noise(i) % 12, 1 + noise(i) % 28);
        let number = 20_000_000 + 77 * noise(i);
        format!("{year}{month:02}{day:02},{year}-{month:02},{number},{}", noise(i))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "day"), (Role::Feature, ColumnType::Date));
    assert_eq!(role_and_type(&found, "number"), (Role::Feature, ColumnType::Number));
    assert!(found.names.iter().any(|name| name == "day (week sin)"), "{:?}", found.names);
    assert!(!found.names.iter().any(|name| name == "month (week sin)"), "{:?}", found.names);
    let asked_for = TableOptions { date: names(&["day"]), ..Default::default() };
    assert_eq!(role_and_type(&asked(&path, asked_for), "day"), (Role::Feature, ColumnType::Date));
    let refused = TableOptions { date: names(&["number"]), ..Default::default() };
    says(&refusal(&path, &refused), &["column \"number\"", "expected a date"]);
    // The same days with separators are the same features.
    let dashed = table(&folder, "day,a", 40, |i| {
        let (year, month, day) = (2019 + noise(i) % 4, 1 + noise(i) % 12, 1 + noise(i) % 28);
        format!("{year}-{month:02}-{day:02},{}", noise(i))
    });
    let dashed = prepared(&dashed);
    assert_eq!(dashed.names[..5], found.names[..5]);
    let (days, others) = (dense(&found), dense(&dashed));
    let (wide, narrow) = (found.names.len(), dashed.names.len());
    (0..40).for_each(|i| assert_eq!(days[i * wide..][..5], others[i * narrow..][..5], "{i}"));
    // New rows are read alike; what is no day is missing.
    let model = TableOptions { preparation: found.preparation, ..Default::default() };
    let new = folder.file("new.csv", "day,month,number,a\n20190101,2019-01,1,2\n77,2019-01,1,2\n");
    says(&asked(&new, model).notices.join("\n"), &["\"77\"", "are no dates"]);
}

#[test]
fn words_of_which_none_is_frequent_are_left_out_even_if_a_category_was_asked_for() {
    let folder = Folder::new();
    let path = table(&folder, "name,a", 30, |i| format!("name {i},{}", noise(i)));
    let options = TableOptions { categorical: names(&["name"]), ..Default::default() };
    let found = asked(&path, options.clone());
    assert_eq!(found.names, ["a"]);
    says(&found.notices.join("\n"), &["\"name\" (30 different words, and none in more than"]);
    let alone = read(&path, &TableOptions { drop: names(&["a"]), ..options }).unwrap_err();
    says(&alone.to_string(), &["no column can be a feature", "\"name\" (30 different words"]);
}

#[test]
fn days_that_follow_each_other_name_the_rows() {
    let folder = Folder::new();
    let path = table(&folder, "day,a", 28, |i| format!("2020-02-{:02},{}", i + 1, noise(i)));
    assert_eq!(role_and_type(&prepared(&path), "day"), (Role::Id, ColumnType::Date));
}

#[test]
fn rare_words_share_an_indicator_and_too_many_words_are_left_out() {
    let folder = Folder::new();
    let path = table(&folder, "city,street,a", 600, |i| {
        let city = if i < 590 {
            ["Rome", "Oslo", "Bonn"][noise(i) % 3].to_owned()
        } else {
            format!("town {i}")
        };
        format!("{city},street {},{}", noise(i) % 90, noise(i))
    });
    let found = prepared(&path);
    assert_eq!(found.names, ["city=Bonn", "city=Oslo", "city=Rome", "city=other", "a"]);
    says(&found.notices.join("\n"), &["\"street\"", "different words"]);
    let asked =
        asked(&path, TableOptions { categorical: names(&["street", "a"]), ..Default::default() });
    assert!(asked.names.iter().filter(|n| n.starts_with("street=")).count() == 30);
    assert!(asked.names.iter().any(|n| n.starts_with("a=")));
}

#[test]
fn free_text_is_left_out_with_a_hint() {
    let folder = Folder::new();
    let path = table(&folder, "review,a", 60, |i| {
        format!(
            "the number {} of things that I have bought and {} liked,{}",
            noise(i),
            i % 7,
            noise(i)
        )
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "review"), (Role::LeftOut, ColumnType::Text));
    says(&found.notices.join("\n"), &["TF-IDF"]);
}

#[test]
fn a_few_words_among_numbers_are_missing_and_said() {
    let folder = Folder::new();
    let path = table(&folder, "n,a", 40, |i| {
        format!("{},{}", if i == 7 { "5+".to_owned() } else { noise(i).to_string() }, noise(i + 1))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "n"), (Role::Feature, ColumnType::Number));
    says(&found.notices.join("\n"), &["\"5+\"", "missing"]);
    assert_eq!(done(&found).filled, 1);
}

#[test]
fn the_majority_decides_about_mixed_columns() {
    let folder = Folder::new();
    let path = table(&folder, "most,least,lab,ticket,lost,a", 100, |i| {
        let number = noise(i).to_string();
        let of =
            |percent: usize, other: String| if i % 100 < percent { number.clone() } else { other };
        let odd = ["5+", "136A", "2-10"][i % 3].to_owned();
        let ticket = if i < 75 { (noise(i) % 50).to_string() } else { format!("A/5 {i}") };
        let lost = if i % 2 == 0 { String::new() } else { of(70, odd.clone()) };
        let (most, least) = (of(51, odd.clone()), of(50, odd));
        format!("{most},{least},{},{ticket},{lost},{}", of(60, "<0.05".into()), noise(i + 1))
    });
    let found = prepared(&path);
    for (column, lacking) in [("most", 49), ("lab", 40)] {
        assert_eq!(role_and_type(&found, column), (Role::Feature, ColumnType::Number), "{column}");
        let column = done(&found).columns.iter().find(|c| c.name == column).unwrap();
        assert_eq!(column.missing, lacking);
        says(&column.why, &[&format!("{lacking} values that are no numbers"), "missing"]);
    }
    assert_ne!(role_and_type(&found, "least").1, ColumnType::Number, "half is no majority");
    // Codes that begin with letters make a column of codes.
    assert_eq!(role_and_type(&found, "ticket"), (Role::LeftOut, ColumnType::Text));
    assert_eq!(role_and_type(&found, "lost"), (Role::LeftOut, ColumnType::Number));
    says(&found.notices.join("\n"), &["\"lost\" (65 % of it is missing or no number"]);
}

#[test]
fn dates_are_decided_by_the_majority_too() {
    let folder = Folder::new();
    let path = table(&folder, "day,a", 40, |i| {
        let day = format!("2024-0{}-1{}", 1 + noise(i) % 9, noise(i) % 10);
        format!("{},{}", if i % 20 < 11 { day } else { "unknown".into() }, noise(i + 1))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "day"), (Role::Feature, ColumnType::Date));
    assert_eq!(done(&found).filled, 18);
}

#[test]
fn units_are_refused_by_name() {
    let folder = Folder::new();
    let path = table(&folder, "w,v,a", 40, |i| {
        format!("{} kg,{} {},{}", noise(i), noise(i), ["g", "kg"][i % 2], noise(i + 1))
    });
    let found = prepared(&path);
    assert_eq!(found.names, ["a"]);
    let said = found.notices.join("\n");
    says(&said, &["\"w\" (its numbers carry the unit \"kg\"", "--numeric"]);
    says(&said, &["\"v\" (its numbers carry units (\"g\", \"kg\")"]);
    let read = asked(&path, TableOptions { numeric: names(&["w"]), ..Default::default() });
    assert_eq!(read.names, ["w", "a"]);
    assert_eq!(dense(&read)[0], noise(0) as f64);
    let wrong = refusal(&path, &TableOptions { numeric: names(&["v"]), ..Default::default() });
    says(&wrong, &["column \"v\"", "--numeric"]);
}

#[test]
fn one_and_zero_are_yes_and_no() {
    let folder = Folder::new();
    let path = table(&folder, "smokes,digit,a", 40, |i| {
        format!("{},{},{}", noise(i) % 2, noise(i) % 3, noise(i + 1))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "smokes"), (Role::Feature, ColumnType::Boolean));
    assert_eq!(role_and_type(&found, "digit"), (Role::Feature, ColumnType::Number));
    assert!(found.notices.is_empty(), "numbers that stay as they are need no word");
    let numeric = asked(&path, TableOptions { numeric: names(&["smokes"]), ..Default::default() });
    assert_eq!(role_and_type(&numeric, "smokes").1, ColumnType::Number);
}

#[test]
fn few_answers_of_which_some_are_no_numbers_are_a_category() {
    let folder = Folder::new();
    let path = table(&folder, "rooms,a", 40, |i| {
        format!("{},{}", ["1", "2", "3", "4", "5+", "3"][noise(i) % 6], noise(i))
    });
    let found = prepared(&path);
    let grades = folder.file("grades.csv", {
        let line = |i: usize| {
            let slip = if i == 3 { "?x" } else { ["1", "2", "3"][i % 3] };
            format!("{},{slip},{}\n", ["K", "1", "2", "3"][noise(i) % 4], noise(i))
        };
        format!("grade,slip,a\n{}", (0..40).map(line).collect::<String>())
    });
    let grades = prepared(&grades);
    assert_eq!(role_and_type(&grades, "grade"), (Role::Feature, ColumnType::Category));
    assert_eq!(role_and_type(&grades, "slip"), (Role::Feature, ColumnType::Number));
    assert_eq!(role_and_type(&found, "rooms"), (Role::Feature, ColumnType::Category));
    assert_eq!(&found.names[..5], ["rooms=1", "rooms=2", "rooms=3", "rooms=4", "rooms=5+"]);
    says(&found.notices.join("\n"), &["\"rooms\"", "beside numbers it holds \"5+\""]);
    let numeric = asked(&path, TableOptions { numeric: names(&["rooms"]), ..Default::default() });
    assert_eq!(numeric.names, ["rooms", "a"]);
}

#[test]
fn a_few_years_are_a_category_and_many_are_numbers() {
    let folder = Folder::new();
    let path = table(&folder, "year,Sale.Yr,years,a", 40, |i| {
        let (few, many) = (2007 + noise(i) % 3, 1980 + noise(i) % 20);
        format!("{few},{many},{},{}", 1 + noise(i) % 3, noise(i + 1))
    });
    let found = prepared(&path);
    assert_eq!(role_and_type(&found, "year"), (Role::Feature, ColumnType::Category));
    assert_eq!(&found.names[..3], ["year=2007", "year=2008", "year=2009"]);
    for name in ["Sale.Yr", "years"] {
        assert_eq!(role_and_type(&found, name), (Role::Feature, ColumnType::Number));
    }
    says(&found.notices.join("\n"), &["\"year\" (category: 3 indicators; a few years"]);
    let model = Some(done(&found).clone());
    let new = folder.file("new.csv", "year,Sale.Yr,years,a\n2009,1990,1,2\n2031,1990,1,2\n");
    let new = asked(&new, TableOptions { preparation: model, ..Default::default() });
    assert_eq!(&dense(&new)[..3], [0.0, 0.0, 1.0]);
    assert_eq!(&dense(&new)[6..9], [0.0, 0.0, 0.0], "a year that the model does not know");
    let numeric = asked(&path, TableOptions { numeric: names(&["year"]), ..Default::default() });
    assert_eq!(numeric.names[0], "year");
}

#[test]
fn all_problems_are_told_at_once_with_what_mends_them() {
    let folder = Folder::new();
    let path = table(&folder, "word,size,day,a", 12, |i| {
        format!("w,{},{},{}", ["S", "XL"][i % 2], ["2024-01-02", "never", "no"][i % 3], noise(i))
    });
    let options = TableOptions {
        numeric: names(&["word"]),
        order: vec![("size".into(), names(&["S", "M"]))],
        date: names(&["day"]),
        ..Default::default()
    };
    let error = read(&path, &options).unwrap_err();
    says(&error.to_string(), &["3 columns", "\"word\" holds no number", "\"XL\"", "\"never\""]);
    assert_eq!(error.repairs().len(), 3);
    let unknown = TableOptions { drop: names(&["sise", "zzzzz"]), ..Default::default() };
    let error = read(&path, &unknown).unwrap_err();
    says(&error.to_string(), &["2 columns", "did you mean \"size\"", "no column \"zzzzz\""]);
    assert_eq!(error.repairs().len(), 2);
    // Names that are not there and types that do not fit are one list.
    let error = read(&path, &TableOptions { drop: names(&["zzzzz"]), ..options }).unwrap_err();
    says(&error.to_string(), &["4 columns", "no column \"zzzzz\"", "\"word\" holds no number"]);
    assert_eq!(error.repairs().len(), 4);
}

#[test]
fn an_order_that_lacks_many_words_is_taken_back_instead_of_being_made_longer() {
    let folder = Folder::new();
    let path = table(&folder, "x,a", 30, |i| format!("{i}.5,{}", noise(i)));
    let order = vec![("x".to_owned(), names(&["1", "2"]))];
    let error = read(&path, &TableOptions { order, ..Default::default() }).unwrap_err();
    says(&error.to_string(), &["column \"x\" also holds", "leave the column out of --order"]);
    let unname = Repair::Unname { option: "--order", column: "x".to_owned() };
    assert_eq!(error.repairs(), [unname]);
}

#[test]
fn columns_that_new_rows_lack_are_refused_in_every_format() {
    let folder = Folder::new();
    let path = table(&folder, "x,a", 12, |i| format!("{},{}", noise(i), noise(i + 40)));
    let preparation = prepared(&path).preparation;
    let rows = folder.file("new.json", r#"[{"x": 1, "a": 2}, {"x": 3, "a": 4}]"#);
    let id = Some("zz".to_owned());
    says(
        &refusal(&rows, &TableOptions { id, preparation, ..Default::default() }),
        &["new.json", "no column \"zz\"", "--id"],
    );
}

#[test]
fn suspected_codes_for_missing_are_told_and_can_be_named() {
    let folder = Folder::new();
    let path = table(&folder, "t,a", 40, |i| {
        format!("{},{}", if i % 9 == 4 { -999 } else { noise(i) as i64 }, noise(i + 1))
    });
    let note = "-999 in \"t\" (4 rows) may stand for a missing value; if so: --na -999";
    assert_eq!(prepared(&path).notices, [note]);
    let why = done(&prepared(&path)).columns[0].why.clone();
    assert_eq!(why, "-999 in 4 rows may stand for a missing value");
    let found = asked(&path, TableOptions { na: names(&["-999"]), ..Default::default() });
    assert!(dense(&found).iter().all(|v| *v >= 0.0));
    assert_eq!(done(&found).filled, 4);
}

#[test]
fn codes_for_missing_are_suspected_in_numbers_written_as_text_too() {
    let folder = Folder::new();
    let path = table(&folder, "t;u;a", 40, |i| {
        let code = i % 9 == 4;
        let t = if code { "-999,0".to_owned() } else { format!("{},5", noise(i)) };
        let u = if code { "-999".to_owned() } else { format!("{},25", noise(i + 3)) };
        format!("{t};{u};{}", noise(i + 1))
    });
    let note =
        "-999 in \"t\" (4 rows), \"u\" (4 rows) may stand for a missing value; if so: --na -999";
    let found = prepared(&path);
    assert_eq!(found.names, ["t", "u", "a"]);
    assert!(found.notices.iter().any(|said| said == note), "{:?}", found.notices);
    let found = asked(&path, TableOptions { na: names(&["-999"]), ..Default::default() });
    assert!(dense(&found).iter().all(|v| *v >= 0.0));
    assert_eq!(done(&found).filled, 8);
    assert!(!found.notices.iter().any(|said| said.contains("may stand")), "{:?}", found.notices);
}

#[test]
fn infinite_values_are_missing() {
    let folder = Folder::new();
    let path = table(&folder, "x,a", 20, |i| {
        format!(
            "{},{}",
            if i == 3 { "-inf".to_owned() } else { noise(i).to_string() },
            noise(i + 1)
        )
    });
    let found = prepared(&path);
    assert!(dense(&found).iter().all(|v| v.is_finite()));
    assert_eq!(done(&found).filled, 1);
}

/// Two groups of rows: where y is missing, similar rows know it.
fn gappy(folder: &Folder) -> String {
    table(folder, "x,y,w", 60, |i| {
        let far = i % 2 == 0;
        let base = if far { 1000.0 } else { 0.0 };
        let y = if i % 15 == 3 { String::new() } else { (base + noise(i) as f64).to_string() };
        format!(
            "{},{y},{}",
            base + noise(i + 1) as f64,
            ["left", "right", "mid"][if far { 0 } else { 1 + noise(i) % 2 }]
        )
    })
}

#[test]
fn gaps_are_filled_from_similar_rows_or_by_the_rule_that_was_asked_for() {
    let folder = Folder::new();
    let path = gappy(&folder);
    let by = |rule| {
        let table = asked(&path, TableOptions { missing: Some(rule), ..Default::default() });
        (dense(&table)[3 * table.cols() + 1], table)
    };
    let (near, table) = by(MissingRule::Nearest);
    assert!(near < 200.0, "row 4 is among the small ones, got {near}");
    assert_eq!((done(&table).filled, done(&table).missing), (4, MissingRule::Nearest));
    let present: Vec<f64> = {
        let whole = by(MissingRule::Drop).1;
        let values = dense(&whole);
        (0..whole.rows).map(|i| values[i * whole.cols() + 1]).collect()
    };
    assert_eq!(present.len(), 56);
    let mean = present.iter().sum::<f64>() / present.len() as f64;
    assert!((by(MissingRule::Mean).0 - mean).abs() < 1e-9);
    let mut sorted = present.clone();
    sorted.sort_by(f64::total_cmp);
    assert!((by(MissingRule::Median).0 - 0.5 * (sorted[27] + sorted[28])).abs() < 1e-9);
    let dropped = by(MissingRule::Drop).1;
    assert_eq!((dropped.rows, dropped.source_row(3)), (56, 5));
    says(&dropped.notices.join("\n"), &["left out 4 of 60 rows"]);
}

#[test]
fn refused_gaps_are_all_listed_with_one_remedy() {
    let folder = Folder::new();
    let path = table(&folder, "a,b,c", 12, |i| {
        format!(
            "{},{},{}",
            if i == 4 { "NA".into() } else { noise(i).to_string() },
            if i > 9 { String::new() } else { noise(i + 1).to_string() },
            noise(i + 2)
        )
    });
    let message =
        refusal(&path, &TableOptions { missing: Some(MissingRule::Refuse), ..Default::default() });
    says(
        &message,
        &[
            "3 values of features are missing",
            "\"a\" 1 (the first in row 5)",
            "\"b\" 2 (the first in row 11)",
            "--missing drop",
            "--drop a,b",
        ],
    );
    let none = folder.file("none.csv", "a,b\n,1\n2,\n");
    let drop = TableOptions {
        missing: Some(MissingRule::Drop),
        features: names(&["a", "b"]),
        ..Default::default()
    };
    says(&refusal(&none, &drop), &["every one of the 2 rows"]);
}

#[test]
fn a_table_of_ids_or_text_alone_is_refused_with_every_column_and_its_reason() {
    let folder = Folder::new();
    let path = table(&folder, "n,name", 20, |i| format!("{i},row {i}"));
    let message = refusal(&path, &TableOptions::default());
    says(
        &message,
        &[
            "no column can be a feature",
            "\"n\" (it counts the rows)",
            "\"name\" (it is different in every row)",
            "these are only ids, add columns that describe the rows",
        ],
    );
    assert!(read(&path, &TableOptions::default()).unwrap_err().repairs().is_empty());
    let look = read_table(&path, &TableOptions::default()).unwrap().look(&TableOptions::default());
    assert_eq!(look.unwrap().duplicate_rows, 0, "rows that only have names are no copies");
    let empty = table(&folder, "x,y", 20, |_| ",".to_owned());
    let message = refusal(&empty, &TableOptions::default());
    says(&message, &["\"x\" (it is empty)", "add columns of numbers or words"]);
}

#[test]
fn new_rows_are_prepared_as_the_models_were() {
    let folder = Folder::new();
    let path = gappy(&folder);
    let fitted = prepared(&path);
    let model = TableOptions { preparation: fitted.preparation.clone(), ..Default::default() };
    let again = asked(&path, model.clone());
    assert_eq!((again.names.clone(), dense(&again)), (fitted.names.clone(), dense(&fitted)));
    let new = folder.file("new.csv", "w,extra,y,x\nup,1,,1001\nright,2,5,word\n");
    let found = asked(&new, model.clone());
    assert_eq!(found.names, fitted.names);
    let rows = dense(&found);
    assert!(rows[1] > 800.0, "a gap among the large rows, got {}", rows[1]);
    assert_eq!(
        rows[2..5],
        [0.0, 0.0, 0.0],
        "a word that the model does not know is none of its words"
    );
    assert!(rows[5].is_finite(), "a word among numbers is missing");
    says(&found.notices.join("\n"), &["\"up\"", "\"word\"", "not fitted on"]);
    says(&found.notices.join("\n"), &["filled 2 missing values (\"x\" 1, \"y\" 1)"]);
    let missing: Vec<usize> = done(&found).features().map(|(c, _)| c.missing).collect();
    assert_eq!((done(&found).filled, missing), (2, vec![1, 1, 0]), "the gaps of the new rows");
    let whole = asked(&folder.file("whole.csv", "x,y,w\n1,2,left\n"), model.clone());
    assert_eq!((done(&whole).filled, whole.notices), (0, Vec::<String>::new()));
    let short = folder.file("short.csv", "x,y\n1,2\n");
    says(&refusal(&short, &model), &["missing: \"w\""]);
}

#[test]
fn a_preparation_survives_its_serialised_form() {
    let folder = Folder::new();
    let fitted = prepared(&gappy(&folder));
    let text = serde_json::to_string(done(&fitted)).unwrap();
    assert_eq!(serde_json::from_str::<Preparation>(&text).unwrap(), *done(&fitted));
    let encodings: Vec<&Encoding> = done(&fitted).features().map(|(_, e)| e).collect();
    assert!(matches!(encodings[2], Encoding::OneHot { .. }));
}

#[test]
fn types_that_were_asked_for_must_be_there() {
    let folder = Folder::new();
    let path = table(&folder, "w,a", 12, |i| format!("{},{}", ["x", "y"][i % 2], noise(i)));
    says(
        &refusal(&path, &TableOptions { numeric: names(&["w"]), ..Default::default() }),
        &["column \"w\" holds no number", "--numeric"],
    );
    for (options, option) in [
        (TableOptions { categorical: names(&["zz"]), ..Default::default() }, "--categorical"),
        (TableOptions { date: names(&["zz"]), ..Default::default() }, "--date"),
        (TableOptions { text: names(&["zz"]), ..Default::default() }, "--text"),
        (
            TableOptions {
                order: vec![("zz".to_owned(), names(&["a", "b"]))],
                ..Default::default()
            },
            "--order",
        ),
    ] {
        says(&refusal(&path, &options), &["no column \"zz\"", option]);
    }
    let twice = TableOptions { numeric: names(&["a"]), date: names(&["a"]), ..Default::default() };
    says(&refusal(&path, &twice), &["named by both --numeric and --date"]);
}
