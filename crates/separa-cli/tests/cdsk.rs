//! `-m cdsk`: exemplars, the scores of all similarities, and what it says of odd tables.

use crate::common;

use common::{Desk, WINE, two_clouds};
use serde_json::{Value, json};

fn lines_of(text: &str, title: &str) -> Vec<String> {
    let from = text.lines().skip_while(|line| !line.contains(title)).skip(1);
    from.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn exemplars_are_named_in_text_and_json_by_number_or_by_id() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let words = "cluster wine.csv -k 3 -m cdsk --truth cultivar -o l.csv";
    let json = desk.separa(&format!("{words} --json")).json();
    let labels: Vec<String> = desk.get("l.csv").lines().skip(1).map(str::to_owned).collect();
    let exemplars = json["exemplars"].as_array().unwrap();
    assert_eq!(exemplars.len(), 3);
    for (c, list) in exemplars.iter().enumerate() {
        let list: Vec<usize> = serde_json::from_value(list.clone()).unwrap();
        assert_eq!(list.len(), 5);
        let own = |i: &usize| labels[*i].starts_with(&format!("{},{c},", i + 1));
        assert!(list.iter().all(own), "{list:?}");
    }
    assert_eq!(json.get("exemplar_ids"), None);
    // On the screen rows count from 1.
    let shown = lines_of(&desk.separa(words).ok(), "exemplars");
    assert_eq!(shown.len(), 3);
    let first = exemplars[0][0].as_u64().unwrap() + 1;
    assert!(shown[0].trim_start().starts_with(&format!("0         {first}, ")), "{shown:?}");
    // The same rows under names.
    let mut named = String::new();
    for (i, line) in WINE.lines().enumerate() {
        let name = if i == 0 { "name".into() } else { format!("a rather long name of wine {i}") };
        named += &format!("{name},{line}\n");
    }
    desk.put("named.csv", named);
    let words = "cluster named.csv -k 3 -m cdsk --id name --truth cultivar";
    let json = desk.separa(&format!("{words} --json")).json();
    assert_eq!(json["exemplar_ids"][0][0], json!(format!("a rather long name of wine {first}")));
    let text = desk.separa(words).ok();
    let shown = lines_of(&text, "exemplars");
    assert!(shown[0].contains(&format!("a rather long name of wine {first},")), "{shown:?}");
    assert!(shown.iter().all(|line| line.chars().count() <= 80), "{shown:?}");
    // kmeans names no exemplars, whatever names the rows.
    let json = desk.separa("cluster named.csv -k 3 -m kmeans --id name --drop cultivar --json");
    assert_eq!(json.json().get("exemplar_ids"), None);
}

#[test]
fn exemplars_are_those_of_the_file_where_rows_were_left_out() {
    let desk = Desk::new();
    let whole = two_clouds(30, 3);
    desk.put("whole.csv", &whole);
    let mut lines: Vec<&str> = whole.lines().collect();
    lines.insert(1, ",,,");
    desk.put("gap.csv", lines.join("\n"));
    let of = |file: &str| {
        let words = format!("cluster {file} -k 2 -m cdsk --drop kind --missing drop --json");
        desk.separa(&words).json()["exemplars"].clone()
    };
    let moved = |list: &Value| -> Vec<u64> {
        list.as_array().unwrap().iter().map(|i| i.as_u64().unwrap() + 1).collect()
    };
    let (whole, gap) = (of("whole.csv"), of("gap.csv"));
    for c in 0..2 {
        assert_eq!(json!(moved(&whole[c])), gap[c]);
    }
}

#[test]
fn auto_tells_the_score_of_every_similarity() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    let json = desk.separa("cluster wine.csv -k 3 -m cdsk --drop cultivar --json").json();
    let starts = json["initializations"].as_array().unwrap();
    let names: Vec<&str> = starts.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["c-x4", "c-x7", "h-x4", "h-x7", "raw-st7", "raw-m7"]);
    let score = |s: &Value| s["score"].as_f64().unwrap();
    let best = starts.iter().map(score).fold(0.0, f64::max);
    let chosen: Vec<&Value> = starts.iter().filter(|s| s["chosen"] == json!(true)).collect();
    assert!(chosen.len() == 1 && score(chosen[0]) == best, "{starts:?}");
}

#[test]
fn odd_tables_are_clustered_with_a_word_or_refused_by_name() {
    let desk = Desk::new();
    desk.put("data.csv", two_clouds(20, 3));
    let words = "cluster data.csv -m cdsk --drop kind";
    desk.refused(&format!("{words} -k 41"), &["-k must be at most the number of rows (40)"]);
    let slip = ["`similarity` must be auto, precomputed", "got \"h-x\", did you mean \"h-x7\"?"];
    desk.refused(&format!("{words} -k 2 --set similarity=h-x"), &slip);
    let said = |more: &str| {
        let json = desk.separa(&format!("{words} -k 2 --json {more}")).json();
        json["notes"].to_string()
    };
    let unused = said("--landmarks 9");
    assert!(unused.contains("landmarks is not used by similarity auto"), "{unused}");
    assert!(unused.contains(r#""name":"similarity","value":"landmark""#), "{unused}");
    let fewer = said("--landmarks 900 --set similarity=landmark");
    assert!(fewer.contains("landmarks is 20 instead of 900: the table has 40 rows"), "{fewer}");
    let collapsed = said("--set variant=paper");
    assert!(collapsed.contains("the learnt weights collapsed"), "{collapsed}");
    // Five places, two clusters: more parts than clusters.
    let at = |i: usize| (i % 5 * 1000 + i / 5, (i % 5) * (i % 5) * 1000 + i / 5);
    let rows: Vec<String> = (0..50).map(at).map(|(a, b)| format!("{a},{b}")).collect();
    desk.put("parts.csv", format!("a,b\n{}\n", rows.join("\n")));
    let parts = "cluster parts.csv -k 2 -m cdsk --set similarity=raw-x4 --json";
    let parts = desk.separa(parts).json()["notes"].to_string();
    assert!(parts.contains("the graph has 5 components, more than the 2 clusters"), "{parts}");
    // Copies and rows of zeros only.
    desk.put("copies.csv", format!("a,b,c\n{}", "0,0,0\n1,2,3\n1,2,3\n9,8,1\n".repeat(6)));
    for similarity in ["auto", "self-expression"] {
        let words =
            format!("cluster copies.csv -k 3 -m cdsk --set similarity={similarity} -o l.csv");
        desk.separa(&words).ok();
        let labels: Vec<String> = desk
            .get("l.csv")
            .lines()
            .skip(1)
            .map(|l| l.split(',').next_back().unwrap().into())
            .collect();
        assert!(
            labels.chunks(4).all(|four| four == &labels[..4] && four[1] == four[2]),
            "{labels:?}"
        );
    }
}
