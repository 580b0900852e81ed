//! `separa explain`: rows by number and by id, and what is wrong with a request.

use crate::common;

use common::{Desk, WINE};

fn fitted(options: &str) -> Desk {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.separa(&format!("cluster wine.csv --drop cultivar -q --model m.separa {options}")).ok();
    desk
}

#[test]
fn rows_are_explained_by_their_number_and_contributions_add_up() {
    let desk = fitted("-k 3");
    let json = desk.separa("explain m.separa wine.csv --row 17,178 --row 1 --json").json();
    let all = json["explanations"].as_array().unwrap();
    let labels = desk.separa("predict m.separa wine.csv").ok();
    for (found, row) in all.iter().zip([17, 178, 1]) {
        assert_eq!(found["row"], row);
        let label = labels.lines().nth(row).unwrap().split(',').nth(1).unwrap().to_owned();
        assert_eq!(found["cluster"].to_string(), label, "row {row}");
        let sure: f64 =
            labels.lines().nth(row).unwrap().split(',').nth(2).unwrap().parse().unwrap();
        let said = found["confidence"].as_f64().unwrap();
        assert!((said - sure).abs() < 1e-9, "row {row}: {said} {sure}");
        let parts = found["contributions"].as_array().unwrap();
        let sum: f64 = parts.iter().map(|c| c["contribution"].as_f64().unwrap()).sum();
        let [margin, base] = ["margin", "base"].map(|key| found[key].as_f64().unwrap());
        assert!(
            (base + sum - margin).abs() < 1e-10 * (1.0 + margin.abs()),
            "{base} {sum} {margin}"
        );
        assert_eq!((parts.len(), found["method"].as_str()), (13, Some("exact")));
        assert!(found["counterfactual"]["changes"].as_array().is_some_and(|c| !c.is_empty()));
        assert_eq!(found["exemplars"].as_array().unwrap().len(), 3);
    }
    let shown = desk.separa("explain m.separa wine.csv --row 17").ok();
    for words in [
        "Row 17: cluster",
        "(confidence ",
        "runner-up cluster",
        "margin",
        "that moves it to cluster",
        "Most like it",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.lines().all(|l| l.chars().count() <= 100), "{shown}");
}

#[test]
fn the_change_that_is_said_to_move_a_row_moves_it() {
    for options in ["-k 3", "-k 2", "-k 3 -m kmeans", "-k 2 --set kernel=rbf", "-k 3 -m spectral"] {
        let desk = fitted(options);
        let json = desk.separa("explain m.separa wine.csv --row 20 --json").json();
        let found = &json["explanations"][0];
        let header: Vec<&str> = WINE.lines().next().unwrap().split(',').collect();
        let mut cells: Vec<String> =
            WINE.lines().nth(20).unwrap().split(',').map(str::to_owned).collect();
        for change in found["counterfactual"]["changes"].as_array().unwrap() {
            let column = header.iter().position(|h| change["column"] == **h).unwrap();
            assert_eq!(cells[column].parse::<f64>().ok(), change["from"].as_f64());
            cells[column] = change["to"].to_string();
        }
        desk.put("moved.csv", format!("{}\n{}\n", header.join(","), cells.join(",")));
        let label = desk.separa("predict m.separa moved.csv -q").ok();
        let label = label.lines().nth(1).unwrap().split(',').nth(1).unwrap().to_owned();
        assert_eq!(label, found["runner_up"].to_string(), "{options}");
    }
}

#[test]
fn rows_have_ids_where_a_column_names_them_and_levels_their_words() {
    let mut table = "customer,plan,spent\n".to_owned();
    for i in 0..90 {
        let plan = ["basic", "basic", "premium"][i % 3];
        let spent = [10.0, 60.0, 300.0][i % 3] + (i * 7 % 11) as f64;
        table.push_str(&format!("C-{i:03},{plan},{spent}\n"));
    }
    let desk = Desk::new();
    desk.put("t.csv", table);
    desk.separa("cluster t.csv -k 3 --id customer -q --model m.separa").ok();
    let json = desk.separa("explain m.separa t.csv --id customer --row-id C-004 --json").json();
    let found = &json["explanations"][0];
    assert_eq!((found["row"].as_u64(), found["id"].as_str()), (Some(5), Some("C-004")));
    let columns: Vec<&str> = found["contributions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["column"].as_str().unwrap())
        .collect();
    assert!(columns.len() == 2 && columns.contains(&"plan"), "{columns:?}");
    let plan = found["contributions"].as_array().unwrap().iter().find(|c| c["column"] == "plan");
    assert_eq!(plan.unwrap()["value"], "basic");
    assert!(found["exemplars"][0]["id"].as_str().unwrap().starts_with("C-"));
    let words = "explain m.separa t.csv --id customer --row-id";
    let said = "t.csv: no row has \"C-999\" in column \"customer\"";
    desk.refused(&format!("{words} C-999"), &[said, "C-0"]);
    desk.refused(&format!("{words} 7"), &["expected one of its values, e.g. \"C-000\""]);
}

#[test]
fn classes_are_called_by_their_names() {
    let desk = Desk::new();
    desk.put("wine.csv", WINE);
    desk.separa("train wine.csv --target cultivar -q --model m.separa").ok();
    let json = desk.separa("explain m.separa wine.csv --row 1 --json").json();
    let found = &json["explanations"][0];
    let names = WINE.lines().nth(1).unwrap();
    let class = found["cluster_name"].as_str().unwrap();
    assert!(names.contains(class), "{class}");
    assert!(found["runner_up_name"].is_string());
    assert!(
        desk.separa("explain m.separa wine.csv --row 1").ok().contains(&format!("class {class}"))
    );
}

#[test]
fn requests_that_cannot_be_answered_say_what_was_expected() {
    let desk = fitted("-k 3");
    for (words, said) in [
        ("--row 179", "wine.csv: row 179 is not in the table, expected a number from 1 to 178"),
        ("--row 0", "wine.csv: row 0 is not in the table, expected a number from 1 to 178"),
        ("--row-id a", "wine.csv: no column names the rows"),
    ] {
        desk.refused(&format!("explain m.separa wine.csv {words}"), &[said]);
    }
    for words in ["", "--row x", "--row -1"] {
        let ran = desk.separa(&format!("explain m.separa wine.csv {words}"));
        assert!(ran.code == Some(2) && ran.err.contains("--row"), "{words}: {}", ran.err);
    }
    desk.put("other.csv", "a,b\n1,2\n3,4\n");
    desk.refused("explain m.separa other.csv --row 1", &["alcohol"]);
    desk.separa("cluster wine.csv --drop cultivar -k 1 -q --model one.separa").ok();
    desk.refused("explain one.separa wine.csv --row 1", &["there is one cluster"]);
}
