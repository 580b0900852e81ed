//! Every input that cannot be used: one sentence with place and remedy, exit code 2, nothing written.

use crate::common;

use common::{Desk, WINE, two_clouds};

/// `separa cluster data.csv` with outputs asked for, on this content.
#[track_caller]
fn refused_table(content: &str, parts: &[&str]) {
    let desk = Desk::new();
    desk.put("data.csv", content);
    desk.refused("cluster data.csv -k 2 -o labels.csv --model m.separa", parts);
}

#[test]
fn an_empty_file() {
    refused_table("", &["data.csv", "empty", "at least one row"]);
}

#[test]
fn a_header_without_rows() {
    refused_table("a,b\n", &["data.csv", "header but no rows"]);
}

#[test]
fn one_row_is_fewer_than_two_clusters() {
    refused_table("a,b\n1,2\n", &["-k must be at most the number of rows (1), got 2"]);
}

#[test]
fn as_many_clusters_as_rows_at_most_and_one_at_least() {
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,2\n3,4\n5,7\n");
    desk.refused("cluster data.csv -k 4", &["at most the number of rows (3), got 4"]);
    desk.refused("cluster data.csv -k 0", &["-k must be", "1 or more", "got 0"]);
    desk.refused("cluster data.csv -k 4 -m kmeans", &["rows (3), got 4"]);
    desk.refused("cluster data.csv -k 0 -m kmeans", &["kmeans: -k must be", "got 0"]);
    desk.refused("cluster data.csv -k auto", &["too few to tell how many clusters", "-k N"]);
}

#[test]
fn rows_that_are_all_equal() {
    refused_table("a,b\n1,2\n1,2\n1,2\n1,2\n", &["data.csv", "every column is constant", "add a"]);
}

#[test]
fn columns_that_are_all_constant_one_by_one_they_are_dropped() {
    refused_table("a,b\n7,7\n7,7\n7,7\n", &["every column is constant"]);
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,2\n1,3\n1,9\n1,11\n1,10\n1,1\n");
    let ran = desk.separa("cluster data.csv -k 2");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("not used: \"a\" (every value is 1)"), "{}", ran.err);
}

#[test]
fn cells_that_are_no_finite_numbers() {
    let desk = Desk::new();
    for bad in ["NaN", "n/a", "", "inf"] {
        desk.put("data.csv", format!("a,b\n1,2\n3,{bad}\n5,6\n"));
        let parts =
            ["\"b\" 1 (the first in row 2)", "--drop b", "--missing drop", "--missing nearest"];
        desk.refused("cluster data.csv -k 2 --missing refuse -o l.csv", &parts);
        let filled = desk.separa("cluster data.csv -k 2");
        assert!(filled.err.contains("filled 1 missing value"), "{}", filled.err);
    }
    desk.put("data.csv", "a,b\n1,red\n3,blue\n5,red\n");
    let parts = ["\"b\" holds no number", "\"red\"", "--numeric"];
    desk.refused("cluster data.csv -k 2 --numeric b -o l.csv", &parts);
}

#[test]
fn numbers_that_would_lose_digits_or_overflow() {
    let cell = "row 2, column \"b\"";
    refused_table("a,b\n1,2\n3,1e308\n5,6\n", &["data.csv", cell, "1e308", "rescale or drop"]);
}

#[test]
fn an_overflowing_value_is_named_by_its_row_of_the_file() {
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,\n3,4\n3,1e308\n5,6\n");
    desk.refused("cluster data.csv -k 2 -q --missing drop", &["row 3, column \"b\""]);
}

#[test]
fn tables_of_the_wrong_shape() {
    refused_table("a,b\n1,2\n3,4,5\n6,7\n", &["row 2 has 3 fields, expected 2"]);
    let many: String = (0..12).map(|i| format!("{i},row {i}\n")).collect();
    let parts = ["no column can be a feature", "\"n\" (it counts the rows)", "\"t\"", "only ids"];
    refused_table(&format!("n,t\n{many}"), &parts);
}

#[test]
fn columns_that_do_not_exist_are_named_with_the_option() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    for option in ["--truth", "--drop", "--features", "--id", "--init-labels"] {
        let parts = ["\"prolin\"", option, "did you mean \"proline\"?"];
        desk.refused(&format!("cluster wine.csv -k 3 {option} prolin -o l.csv"), &parts);
    }
    desk.refused("score wine.csv --labels cultivars", &["--labels", "did you mean \"cultivar\"?"]);
    for words in ["score wine.csv --labels zzzzz", "train wine.csv --target zzzzz"] {
        let said = desk.refused(words, &["no column \"zzzzz\"", "the columns are"]);
        assert_eq!(said.trim_end().lines().count(), 1, "a command that cannot work: {said}");
    }
    let said = desk.refused("train wine.csv --target cultivr", &["did you mean"]);
    assert!(said.trim_end().ends_with("  separa train wine.csv --target cultivar"), "{said}");
}

#[test]
fn a_column_has_one_role() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    for option in ["--truth", "--id", "--init-labels"] {
        let words = format!("cluster wine.csv -k 3 {option} cultivar --features hue,ash,cultivar");
        desk.refused(&words, &["\"cultivar\"", option, "--features", "one role only"]);
    }
    desk.refused("score wine.csv --labels hue --features hue,ash", &["--labels", "--features"]);
}

#[test]
fn files_that_are_not_there_or_not_tables() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("folder")).unwrap();
    desk.put("table.xlsx", "PK");
    desk.refused("cluster none.csv -k 2 -o l.csv", &["none.csv", "no such file"]);
    desk.refused("cluster folder -k 2 -o l.csv", &["folder", "no data files", ".csv"]);
    desk.refused("cluster part-*.csv -k 2 -o l.csv", &["no file matches"]);
    desk.put("table.doc", "PK");
    desk.refused("cluster table.doc -k 2 -o l.csv", &["table.doc", "no rows"]);
}

#[test]
fn damaged_parquet() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.separa("cluster wine.csv -k 3 -o labels.parquet").ok();
    let whole = desk.bytes("labels.parquet");
    desk.put("cut.parquet", &whole[..whole.len() / 2]);
    desk.refused("cluster cut.parquet -k 2", &["cut.parquet", "damaged or cut short"]);
    // Some altered bytes make the decoder panic: that is one sentence too, or a table after all.
    for at in whole.len() / 2..whole.len() - 8 {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x80;
        desk.put("bad.parquet", bytes);
        let ran = desk.separa("score bad.parquet --labels label");
        assert!(!ran.err.contains("panicked"), "byte {at}: {}", ran.err);
    }
}

#[test]
fn nested_parquet_columns() {
    let desk = Desk::new();
    let file = std::fs::File::create(desk.path("nested.parquet")).unwrap();
    let schema = "message m { required double a; required group pair { required double b; } }";
    let schema = parquet::schema::parser::parse_message_type(schema).unwrap();
    let mut writer = parquet::file::writer::SerializedFileWriter::new(
        file,
        schema.into(),
        std::sync::Arc::default(),
    )
    .unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        let typed = column.typed::<parquet::data_type::DoubleType>();
        typed.write_batch(&[1.0, 2.0, 5.0, 7.0], None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let words = "cluster nested.parquet -k 2 --features a,pair -o l.csv";
    desk.refused(words, &["nested.parquet", "pair", "--drop"]);
}

#[test]
fn names_that_nobody_knows() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.refused("cluster wine.csv -k 3 -m mspk", &["`mspk`", "did you mean `mspc`?"]);
    desk.refused("cluster wine.csv -k 3 -m dbscan", &["`dbscan`", "`separa methods` lists them"]);
    let slip = ["`n_inits` for mspc", "did you mean `n_init`?"];
    desk.refused("cluster wine.csv -k 3 --set n_inits=3", &slip);
    desk.refused("methods kmens", &["`kmens`", "did you mean `kmeans`?"]);
    desk.refused("methods MSC", &["`MSC`", "did you mean `msc`?"]);
    let class = ["`SpectralClustering`", "did you mean `spectral`?"];
    desk.refused("cluster wine.csv -k 3 -m SpectralClustering", &class);
    let word =
        ["`affinity` must be one of knn", "got \"self_tuning\", did you mean \"self-tuning\"?"];
    desk.refused("cluster wine.csv -k 3 -m spectral --set affinity=self_tuning", &word);
    let option = ["--outliers does not apply to kmeans, but to mspc", "`separa methods kmeans`"];
    desk.refused("cluster wine.csv -k 3 -m kmeans --outliers mark", &option);
    let old = ["--units shared is no more", "--scaling", "none instead of shared"];
    desk.refused("cluster wine.csv -k 3 --units shared", &old);
}

#[test]
fn parameters_out_of_range() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    for (set, parts) in [
        ("reg=-1", ["`reg`", "0 or more", "got -1"]),
        ("max_iter=0", ["`max_iter`", "1 or more", "got 0"]),
        ("solver=magic", ["`solver`", "one of mpm, gep", "got \"magic\""]),
        ("min_cluster_size=1.5", ["`min_cluster_size`", "a whole number of rows", "got 1.5"]),
        ("min_share=0.1", ["unknown parameter `min_share`", "it is now", "`min_cluster_size`"]),
        ("units=shared", ["unknown parameter `units`", "it is now", "`scaling`"]),
        ("scaling=zscore", ["`scaling`", "one of auto, standard", "got \"zscore\""]),
        ("robust=3", ["`robust`", "true or false", "got 3"]),
    ] {
        desk.refused(&format!("cluster wine.csv -k 3 --set {set} -o l.csv"), &parts);
    }
    desk.refused("score wine.csv --labels cultivar --reg -1", &["--reg", "0 or more"]);
}

#[test]
fn the_same_thing_said_twice() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.refused("cluster wine.csv -k 3 --set n_clusters=4", &["-k"]);
    desk.refused("cluster wine.csv -k 3 --set random_state=4", &["--seed"]);
    desk.refused("cluster wine.csv -k 3 --set reg=1 --set reg=2", &["reg", "twice"]);
    desk.refused("cluster wine.csv -k 3 --scaling none --set scaling=auto", &["--scaling"]);
}

#[test]
fn a_fit_larger_than_its_memory() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(200, 40));
    for method in ["mspc", "kmeans"] {
        let words = format!("cluster data.csv -k 2 --drop kind -m {method} --memory 1K -o l.csv");
        desk.refused(
            &words,
            &["data.csv: ", method, "needs about", "1.0 KB may be used", "--memory"],
        );
    }
}

#[test]
fn labels_that_are_missing() {
    let desk = Desk::new();
    desk.put("data.csv", "a,s\n1,x\n2,\n8,y\n9,y\n");
    let parts = ["row 2, column \"s\" is empty", "expected a label"];
    desk.refused("cluster data.csv -k 2 --init-labels s", &parts);
    desk.refused("score data.csv --labels s", &parts);
    desk.put("none.csv", "a,s\n1,\n2,\n8,\n");
    desk.refused("cluster none.csv -k 2 --truth s", &["\"s\" is empty in every row", "--truth"]);
}

#[test]
fn starting_labels_of_another_number_of_groups() {
    let desk = Desk::new();
    desk.put("data.csv", "a,s\n1,x\n2,x\n8,y\n9,y\n5,z\n");
    let parts = ["\"s\" starts from 3 clusters", "use -k 3"];
    desk.refused("cluster data.csv -k 2 --init-labels s -o l.csv", &parts);
}

#[test]
fn what_the_parser_refuses_also_ends_with_two() {
    let desk = Desk::new();
    for words in [
        "",
        "clutser x.csv",
        "cluster x.csv -k two",
        "cluster x.csv -k 2 --threads 0",
        "cluster x.csv -k 2 --memory lots",
        "cluster x.csv -k 2 --set reg",
        "cluster x.csv -k 2 --scaling parsecs",
        "completions cmd",
    ] {
        let ran = desk.separa(words);
        assert_eq!(ran.code, Some(2), "`separa {words}`: {ran:?}");
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "`separa {words}`: {ran:?}");
    }
}

#[test]
fn names_for_clusters_that_do_not_exist() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = |rest: &str| {
        format!("cluster wine.csv --drop cultivar -o labels.csv --model m.separa {rest}")
    };
    desk.refused(
        &words("-k 3 --names 3=x"),
        &["cluster 3 cannot be named \"x\": there are 3 clusters"],
    );
    desk.refused(&words("-k 3 --names 0=x,1=x"), &["clusters 0 and 1 the same name, \"x\""]);
    let said = desk.separa(&words("-k 3 --names one=x"));
    assert!(said.err.contains("one=x") && said.err.contains("1=premium"), "{}", said.err);
    // How many auto finds is known after the fit; that a name is given twice, before.
    desk.refused(&words("--names 0=x,0=y"), &["cluster 0 two names"]);
    desk.refused(&words("--names 7=x"), &["cluster 7 cannot be named \"x\": there are 3 clusters"]);
    assert!(!desk.path("labels.csv").exists() && !desk.path("m.separa").exists());
    desk.separa(&words("--names 0=x -q")).ok();
    assert!(desk.get("labels.csv").contains(",x,"), "{}", desk.get("labels.csv"));
}

/// A table of a bit of everything: words, sizes, dates, gaps, ids.
fn everything() -> String {
    let line = |i: usize| {
        let gap = if i.is_multiple_of(2) { String::new() } else { ((i * 7) % 13).to_string() };
        let (word, size) = (["x", "y", "z"][i % 3], ["S", "M", "L", "XL"][i % 4]);
        let far = if i < 15 { i % 4 } else { 50 + i % 5 };
        format!("{i},{word},{size},2024-01-{:02},{gap},{far}", 1 + (i * 3) % 28)
    };
    let lines: Vec<String> = (0..30).map(line).collect();
    format!("n,word,size,day,gap,far\n{}\n", lines.join("\n"))
}

/// Refused with these parts; then the command below the sentence works.
#[track_caller]
fn mended(options: &str, parts: &[&str]) {
    let desk = Desk::new();
    desk.put("t.csv", everything());
    let said = desk.refused(&format!("cluster t.csv -o l.csv {options}"), parts);
    let command = said.trim_end().lines().last().unwrap().trim().strip_prefix("separa ");
    let ran = desk.separa(command.unwrap_or_else(|| panic!("no command below: {said}")));
    assert_eq!(ran.code, Some(0), "{said}{ran:?}");
    assert!(desk.has("l.csv"));
}

#[test]
fn a_refusal_lists_every_problem_and_ends_in_a_command_that_works() {
    mended("--numeric word", &["\"word\" holds no number (\"x\")", "--numeric"]);
    mended("--date word,day", &["\"word\" holds \"x\"", "expected a date"]);
    mended("--order size=S,M,L", &["\"XL\"", "--order"]);
    mended("--missing refuse", &["15 values of features are missing: \"gap\" 15"]);
    mended("--drop wort,zzzzz", &["2 columns", "did you mean \"word\"?", "\"zzzzz\""]);
    mended(
        "--numeric=word,far --date gap --order size=S,M -k 2",
        &["3 columns", "\"word\"", "\"gap\"", "\"L\", \"XL\""],
    );
}

#[test]
fn options_of_columns_with_a_wrong_value() {
    let desk = Desk::new();
    desk.put("t.csv", everything());
    for option in ["--categorical", "--numeric", "--text", "--date", "--drop", "--features", "--id"]
    {
        let words = format!("cluster t.csv {option} qqqqq -o l.csv");
        desk.refused(&words, &["no column \"qqqqq\"", option, "\"n\", \"word\""]);
    }
    for (option, part) in [
        ("--order size", "expected COL=LOW"),
        ("--order size=S,S", "expected COL=LOW"),
        ("--missing guess", "possible values"),
        ("--numeric far --date far", "one role only"),
    ] {
        let ran = desk.separa(&format!("cluster t.csv {option} -o l.csv"));
        assert!(ran.code == Some(2) && ran.err.contains(part), "{option}: {ran:?}");
    }
    assert!(!desk.has("l.csv"));
}

#[test]
fn tables_of_ids_or_text_alone() {
    let ids: String = (0..20).map(|i| format!("{i},{}\n", 100 + 5 * i)).collect();
    let desk = Desk::new();
    desk.put("ids.csv", format!("a,b\n{ids}"));
    for words in ["cluster ids.csv", "cluster ids.csv --id b"] {
        let parts = ["no column can be a feature", "\"a\" (it counts the rows)", "only ids"];
        let said = desk.refused(words, &parts);
        assert!(said.contains("add columns that describe the rows"), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "clusters of a counter: {said}");
    }
    let text =
        |i: usize| format!("{i},\"the {i} things that were said of it, and {} more\"\n", 7 * i);
    let texts: String = (0..20).map(text).collect();
    let line = ["TfidfVectorizer", "[\"review\"]", "&& separa cluster", "-words.svm"];
    refused_table(&format!("n,review\n{texts}"), &["no column can be a feature", "TF-IDF"]);
    refused_table(
        &format!("title,review\n{}", texts.replace(",\"", " songs that we had,\"")),
        &line,
    );
}

#[test]
fn rows_that_missing_values_leave() {
    let few = |whole: usize| -> String {
        let line = |i: usize| {
            let mut cells = [(i * 7) % 11, (i * 5) % 13, (i * 3) % 17].map(|v| v.to_string());
            if i >= whole {
                cells[i % 3].clear();
            }
            cells.join(",") + "\n"
        };
        format!("a,b,c\n{}", (0..40).map(line).collect::<String>())
    };
    for (whole, part) in [(0, "--missing drop leaves none"), (4, "4 of 40 rows are left")] {
        let desk = Desk::new();
        desk.put("t.csv", few(whole));
        let said = desk.refused("cluster t.csv --missing drop -o l.csv -q", &[part, "nearest"]);
        assert!(said.trim_end().ends_with("separa cluster t.csv --missing nearest -o l.csv -q"));
        desk.separa("cluster t.csv --missing nearest -o l.csv -q").ok();
    }
}
