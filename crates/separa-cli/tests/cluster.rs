//! `separa cluster`: what it answers, in text and JSON, and that threads change nothing.

use crate::common;

use common::{Desk, ESCAPE, WINE, label_column, two_clouds};
use serde_json::{Value, json};

fn wine() -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn json_has_exactly_the_promised_keys() {
    let json = wine()
        .separa("cluster wine.csv -k 3 --truth cultivar --json -o l.csv --model m.separa")
        .json();
    let all = "separa method params seed n d k sizes feature_names preparation confidence objective iterations stop \
               initializations trace notes verdict quality profile seconds outputs truth";
    assert_eq!(keys(&json), all.split_whitespace().collect::<Vec<_>>());
    let quality = "agreement agreement_chance msp msp_null p_gauss p_unimodal msp_held_out min_fraction pairs importance";
    assert_eq!(keys(&json["quality"]), quality.split_whitespace().collect::<Vec<_>>());
    let truth = "error accuracy nmi nmi_max ari purity entropy classes clusters";
    assert_eq!(keys(&json["truth"]), truth.split_whitespace().collect::<Vec<_>>());
    assert_eq!(json["outputs"], json!({"labels": "l.csv", "model": "m.separa"}));
    assert_eq!((&json["n"], &json["d"], &json["k"]), (&json!(178), &json!(13), &json!(3)));
    assert_eq!(json["stop"], "converged");
    assert_eq!(json["quality"]["pairs"].as_array().map(Vec::len), Some(3));
    assert!(json["truth"]["error"].as_f64().unwrap() < 0.05, "{}", json["truth"]);
}

#[test]
fn what_p_values_and_kernels_are_worth_is_said() {
    let desk = wine();
    let (given, flat) = ("p-values take the labels as given", "judged by flat boundaries");
    for (options, says_given, says_flat) in [
        ("-k 2", false, false),
        ("-k 3", true, false),
        ("-k 2 --set kernel=rbf", false, true),
        ("-k 3 --set kernel=rbf", true, true),
    ] {
        let words = format!("cluster wine.csv --drop cultivar {options}");
        let text = desk.separa(&words).out;
        let notices = desk.separa(&format!("{words} --json")).out;
        let notices: Value = serde_json::from_str(&notices).unwrap();
        let notices = notices["notes"].to_string();
        for all in [text.replace('\n', " "), notices] {
            assert_eq!((all.contains(given), all.contains(flat)), (says_given, says_flat), "{all}");
        }
        let own = text.lines().filter(|l| !l.starts_with("  separa "));
        assert!(own.into_iter().all(|l| l.chars().count() <= 80), "{text}");
    }
}

#[test]
fn truth_is_null_where_none_is_given_and_nothing_is_nan() {
    let desk = wine();
    let ran = desk.separa("cluster wine.csv -k 1 --drop cultivar --json");
    assert!(!ran.out.contains("NaN") && !ran.out.contains("inf"), "{}", ran.out);
    let json = ran.json();
    assert_eq!(json["truth"], Value::Null);
    assert_eq!(json["sizes"], json!([178]));
}

#[test]
fn defaults_and_settings_are_shown_as_they_were_used() {
    let words = "cluster wine.csv -k 3 --drop cultivar --set reg=.5 --set robust=false \
                 --scaling auto --outliers mark --set gamma=median --json";
    let params = wine().separa(words).json()["params"].clone();
    for (name, value) in [
        ("n_clusters", json!(3)),
        ("reg", json!(0.5)),
        ("robust", json!(false)),
        ("scaling", json!("auto")),
        ("outliers", json!("mark")),
        ("gamma", json!("median")),
        ("max_iter", json!(100)),
    ] {
        assert_eq!(params[name], value, "{name}");
    }
}

#[test]
fn the_truth_column_is_no_feature_and_changes_nothing() {
    let desk = wine();
    desk.separa("cluster wine.csv -k 3 --truth cultivar -o with.csv").ok();
    desk.separa("cluster wine.csv -k 3 --drop cultivar -o without.csv").ok();
    assert_eq!(desk.get("with.csv"), desk.get("without.csv"));
}

#[test]
fn text_classes_work_as_a_truth_and_gaps_in_it_are_left_out() {
    let desk = Desk::new();
    let table = two_clouds(60, 4);
    desk.put("data.csv", table.replacen(",red\n", ",\n", 5));
    let ran = desk.separa("cluster data.csv -k 2 --truth kind --json");
    assert!(ran.err.contains("5 rows without a known class"), "{}", ran.err);
    let json = ran.json();
    assert_eq!(json["truth"]["error"], json!(0.0));
    assert_eq!(json["d"], json!(4));
}

#[test]
fn threads_change_neither_labels_nor_model() {
    let desk = wine();
    desk.put("clouds.csv", two_clouds(3000, 12));
    for (input, drop, k) in [("wine.csv", "cultivar", 3), ("clouds.csv", "kind", 2)] {
        for method in ["mspc", "kmeans"] {
            let mut seen = Vec::new();
            for threads in [1, 2, 4] {
                desk.separa(&format!(
                    "cluster {input} -k {k} --drop {drop} -m {method} --threads {threads} \
                     -o l.csv --model m.separa"
                ))
                .ok();
                seen.push((desk.bytes("l.csv"), desk.bytes("m.separa")));
            }
            assert!(seen.iter().all(|s| *s == seen[0]), "{method} on {input}");
        }
    }
}

#[test]
fn one_seed_one_answer() {
    let desk = wine();
    let run = |seed: u64, name: &str| {
        let words = "cluster wine.csv -k 5 -m kmeans --set n_init=1 --drop cultivar -q";
        desk.separa(&format!("{words} --seed {seed} --model {name}")).ok();
        desk.bytes(name)
    };
    assert_eq!(run(7, "a.separa"), run(7, "b.separa"));
    assert_ne!(run(7, "a.separa"), run(8, "b.separa"));
}

#[test]
fn no_label_changes_when_a_feature_changes_its_unit() {
    let desk = wine();
    let mut lines = WINE.lines();
    let mut scaled = format!("{}\n", lines.next().unwrap());
    for line in lines {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        let proline: f64 = cells[12].parse().unwrap();
        cells[12] = (proline * 1000.0).to_string();
        scaled.push_str(&format!("{}\n", cells.join(",")));
    }
    desk.put("scaled.csv", scaled);
    for k in [2, 3, 4] {
        desk.separa(&format!("cluster wine.csv -k {k} --drop cultivar -o a.csv")).ok();
        desk.separa(&format!("cluster scaled.csv -k {k} --drop cultivar -o b.csv")).ok();
        let [a, b] = ["a.csv", "b.csv"].map(|file| label_column(&desk.get(file)));
        assert_eq!(a, b, "k = {k}");
    }
}

#[test]
fn starting_labels_come_from_a_column_of_any_words() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(50, 3));
    let json = desk.separa("cluster data.csv -k 2 --init-labels kind --json -o l.csv").json();
    assert_eq!(json["params"]["init"], "given");
    assert_eq!(json["d"], json!(3), "the column is no feature");
    let expected: Vec<i32> = (0..100).map(|i| i % 2).collect();
    assert_eq!(label_column(&desk.get("l.csv")), expected);
}

#[test]
fn a_table_from_standard_input() {
    let desk = wine();
    let words = "cluster - -k 3 --truth cultivar --json";
    let json = desk.with_input(words, WINE).json();
    assert_eq!(json["n"], json!(178));
    let text = desk.with_input("cluster - -k 3 --drop cultivar", WINE).ok();
    assert!(text.starts_with("standard input: 178 rows, 13 features"), "{text}");
}

#[test]
fn headers_can_be_insisted_on_or_denied() {
    let desk = Desk::new();
    desk.put("years.csv", "1990,1991\n1,2\n2,1\n8,9\n9,8\n");
    let rows = |option: &str| {
        desk.separa(&format!("cluster years.csv -k 2 --json {option}")).json()["n"].clone()
    };
    assert_eq!(rows(""), json!(5));
    assert_eq!(rows("--header"), json!(4));
    assert_eq!(rows("--no-header"), json!(5));
}

#[test]
fn an_id_column_names_the_rows_of_the_labels() {
    let desk = Desk::new();
    desk.put("data.csv", "who,a\n\"Doe, J\",1\nann,2\nbob,9\neve,8\n");
    desk.separa("cluster data.csv -k 2 --id who -q -o l.csv").ok();
    let written = desk.get("l.csv");
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines[0], "who,cluster,confidence,runner_up,margin");
    for (line, begins) in lines[1..].iter().zip(["\"Doe, J\",0,", "ann,0,", "bob,1,", "eve,1,"]) {
        assert!(line.starts_with(begins), "{line}");
    }
}

#[test]
fn text_columns_are_encoded_and_gaps_filled() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(40, 3));
    let json = desk.separa("cluster data.csv -k 2 --json").json();
    assert_eq!(json["d"], json!(4), "three numbers and one indicator for two words");
    assert_eq!(json["preparation"]["columns"][3]["type"], "category", "{}", json["preparation"]);
    desk.put("gap.csv", "a,b\n1,1\n2,\n9,9\n8,9\n");
    let ran = desk.separa("cluster gap.csv -k 2 --missing mean --json");
    assert!(ran.err.starts_with("note: "), "{}", ran.err);
    assert_eq!(ran.json()["n"], json!(4));
}

#[test]
fn a_fit_that_ran_out_of_iterations_is_done_with_code_one() {
    let desk = Desk::new();
    desk.put("data.csv", WINE);
    let words = "cluster data.csv -k 8 --drop cultivar -m kmeans --set max_iter=1 --set n_init=1";
    let ran = desk.separa(&format!("{words} -o l.csv"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("not converged"), "{}", ran.out);
    assert!(desk.has("l.csv"));
    let offered = ran.out.lines().find_map(|l| l.trim().strip_prefix("separa cluster ")).unwrap();
    assert!(!offered.contains("max_iter=1 "), "{offered}");
    desk.separa(&format!("cluster {offered}")).ok();
}

#[test]
fn text_for_people_fits_a_screen_and_has_no_escapes_in_a_pipe() {
    let desk = wine();
    let words = "cluster wine.csv -k 3 --truth cultivar -o l.csv --model m.separa";
    let ran = desk.separa(words);
    assert!(!ran.err.contains(ESCAPE));
    let text = ran.ok();
    assert!(!text.contains(ESCAPE));
    assert!(text.lines().count() <= 52 && text.lines().all(|l| l.chars().count() <= 100), "{text}");
    for part in [
        "178 rows, 13 features",
        "MSP",
        "null MSP",
        "p (unimodal)",
        "Known classes\n  Compared with cultivar",
        "of each of the closest two clusters (",
    ] {
        assert!(text.contains(part), "{part}");
    }
    for part in ["l.csv", "m.separa", "separa predict m.separa"] {
        assert!(text.contains(part), "{part}");
    }
}

#[test]
fn colours_are_for_terminals_and_no_color_wins() {
    let desk = wine();
    let args = ["cluster", "wine.csv", "-k", "3", "--drop", "cultivar"];
    let run = |variables: &[(&str, &str)]| {
        let mut command = desk.command(&args);
        variables.iter().for_each(|(name, value)| {
            command.env(name, value);
        });
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(run(&[("CLICOLOR_FORCE", "1")]).contains(ESCAPE), "colours when asked for");
    assert!(!run(&[]).contains(ESCAPE), "none in a pipe");
    assert!(!run(&[("NO_COLOR", "1")]).contains(ESCAPE));
}

#[test]
fn quiet_leaves_the_result_and_nothing_else() {
    let desk = Desk::new();
    desk.put("data.csv", "a,b\n1,1\n1,2\n1,9\n1,8\n");
    assert!(desk.separa("cluster data.csv -k 2").err.contains("note:"));
    let ran = desk.separa("cluster data.csv -k 2 -q");
    assert_eq!(ran.err, "");
    assert!(ran.out.contains("MSP"));
}

#[test]
fn rules_say_in_words_what_makes_a_cluster() {
    let desk = wine();
    let words = "cluster wine.csv -k 3 --drop cultivar";
    let json = desk.separa(&format!("{words} --rules --json --report page.html")).json();
    let rules = json["rules"]["rules"].as_array().unwrap();
    let all: Vec<i64> = rules.iter().map(|rule| rule["cluster"].as_i64().unwrap()).collect();
    assert!(all.is_sorted() && [0, 1, 2].iter().all(|c| all.contains(c)), "{all:?}");
    assert!(json["rules"]["fidelity"].as_f64().unwrap() > 0.8, "{}", json["rules"]);
    assert_eq!(
        json["rules"]["held_out"].as_u64().unwrap() + json["rules"]["rows"].as_u64().unwrap(),
        178
    );
    let header = WINE.lines().next().unwrap();
    for condition in rules.iter().flat_map(|rule| rule["conditions"].as_array().unwrap()) {
        assert!(header.contains(condition["column"].as_str().unwrap()), "{condition}");
    }
    assert!(desk.get("page.html").contains("rules-title\">Rules"), "a section of the page");
    let shown = desk.separa(&format!("{words} --rules")).ok();
    assert!(shown.contains("Rules") && shown.contains("covers"), "{shown}");
    assert!(!desk.separa(words).ok().contains("covers"));
    let json = desk.separa(&format!("{words} --json")).json();
    assert!(json.get("rules").is_none(), "only if they are asked for");
    // Without two clusters there is nothing to tell apart, and the labels are worth keeping.
    let json = desk.separa("cluster wine.csv -k 1 --drop cultivar --rules --json").json();
    assert!(json["rules"].is_null());
    let said = |note: &serde_json::Value| note["code"] == "no-rules";
    assert!(json["notes"].as_array().unwrap().iter().any(said), "{}", json["notes"]);
}

#[test]
fn profiles_say_what_sets_clusters_apart() {
    let desk = wine();
    let words = "cluster wine.csv -k 3 --drop cultivar";
    let json = desk.separa(&format!("{words} --json")).json();
    let clusters = json["profile"]["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 3);
    for (cluster, size) in clusters.iter().zip(json["sizes"].as_array().unwrap()) {
        assert_eq!(&cluster["size"], size);
        let effects: Vec<f64> = cluster["features"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f["effect"].as_f64().unwrap().abs())
            .collect();
        assert!(effects.len() == 13 && effects.is_sorted_by(|a, b| a >= b), "{effects:?}");
    }
    let name = clusters[0]["name"].as_str().unwrap();
    assert!(name.starts_with("high ") || name.starts_with("low "), "{name}");
    let plain = desk.separa(words).ok();
    assert!(!plain.contains("Cluster profiles"), "{plain}");
    let shown = desk.separa(&format!("{words} --profile")).ok();
    assert!(shown.contains("Cluster profiles") && shown.contains("effect"), "{shown}");
    assert!(shown.lines().all(|l| l.chars().count() <= 100), "{shown}");
}

#[test]
fn names_stand_beside_the_numbers_and_stay_with_the_model() {
    let desk = wine();
    let words = "cluster wine.csv --drop cultivar -k 3 --names 0=bulk,2=premium --model m.separa --report r.html";
    let said = desk.separa(words);
    assert!(said.out.contains("premium (2)"), "{}", said.out);
    assert!(desk.get("r.html").contains("premium (2)"));
    let json = desk.separa("inspect m.separa --json").json();
    assert_eq!(json["names"], json!({"0": "bulk", "2": "premium"}));
    let plain = desk.separa("cluster wine.csv --drop cultivar -k 3 --json").json();
    assert_eq!(plain["sizes"], json["sizes"]);
    assert!(plain.get("names").is_none());
}

/// Rows of a cluster in a file of labels.
fn seen_rows(labels: &str, cluster: &str) -> usize {
    labels.lines().skip(1).filter(|line| line.split(',').nth(1) == Some(cluster)).count()
}

#[test]
fn files_of_labels_have_the_names_of_the_clusters() {
    let desk = wine();
    let words = "cluster wine.csv --drop cultivar -k 3 --names 0=bulk,2=premium --model m.separa -o l.csv -q";
    desk.separa(words).ok();
    let labels = desk.get("l.csv");
    assert!(labels.starts_with("row,cluster,name,confidence,runner_up,margin\n"), "{labels}");
    assert_eq!(desk.separa("predict m.separa wine.csv").ok(), labels);
    let mut seen = [0; 3];
    for line in labels.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let cluster: usize = cells[1].parse().unwrap();
        assert_eq!(cells[2], ["bulk", "", "premium"][cluster], "{line}");
        seen[cluster] += 1;
    }
    assert!(seen.iter().all(|rows| *rows > 20), "{seen:?}");
    // Named clusters in Parquet: the column holds text, and nothing for cluster 1.
    desk.separa("predict m.separa wine.csv -o l.parquet -q").ok();
    let seen = desk.separa("look l.parquet --json").json();
    let columns = seen["columns"].as_array().unwrap();
    let name = columns.iter().find(|column| column["name"] == "name").expect("a column of names");
    assert_eq!((&name["missing"], &name["distinct"]), (&json!(seen_rows(&labels, "1")), &json!(2)));
}
