//! Rules in words: what they say is what they do, and how often they are right is counted on other rows.

use separa::explain::{CellValue, ClusterRule, Operator};
use separa::prelude::*;
use separa::preparation::{
    ColumnPreparation, ColumnType, Encoding, NumberStyle, Preparation, Role,
};
use separa::{Dataset, Dense, DenseRef};
use separa_math::rng::Rng;

/// Three boxes in the first two columns, noise in the third.
fn boxes(n: usize) -> Vec<[f64; 3]> {
    let mut rng = Rng::new(5, 0);
    (0..n)
        .map(|i| {
            let (x, y) = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)][i % 3];
            [x + rng.uniform(), y + rng.uniform(), rng.normal()]
        })
        .collect()
}

fn holds(rule: &ClusterRule, row: &[f64]) -> bool {
    rule.conditions.iter().all(|c| {
        let column: usize = c.column.trim_start_matches("column ").parse().unwrap();
        let CellValue::Number(value) = c.value else { panic!("numbers only") };
        match c.op {
            Operator::Above => row[column - 1] > value,
            Operator::AtMost => row[column - 1] <= value,
            _ => panic!("numbers only"),
        }
    })
}

#[test]
fn rules_part_the_rows_and_say_how_often_they_are_right() {
    let rows = boxes(300);
    let found = KMeans::new(3).fit(&rows).unwrap();
    let rules = found.rules(&rows).unwrap();
    assert_eq!((rules.rows, rules.held_out, rules.sample_of), (150, 150, None));
    assert_eq!((rules.fidelity, rules.rules.len()), (1.0, 3));
    assert!((rules.baseline - 1.0 / 3.0).abs() < 1e-12);
    for (row, label) in rows.iter().zip(found.labels()) {
        let of_row: Vec<&ClusterRule> = rules.rules.iter().filter(|r| holds(r, row)).collect();
        assert_eq!(of_row.len(), 1, "every row has one rule");
        assert_eq!(of_row[0].cluster, *label);
    }
    assert!(rules.rules.iter().all(|r| r.covers == Some(1.0) && r.right == Some(1.0)));
    let text = rules.to_string();
    assert!(text.starts_with("cluster 0 if column 1 ≤ 5 (covers 100 %, right 100 %)\n"), "{text}");
    // The same for any number of threads, and for rows of which the model has no labels.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| found.rules(&rows).unwrap()), rules);
    assert_eq!(found.rules(&rows[..240]).unwrap().fidelity, 1.0);
}

#[test]
fn labels_that_columns_do_not_tell_are_no_better_than_the_largest_cluster() {
    // Clusters of the one column, rules from noise: a model that was fitted on it would see the rule.
    let mut rng = Rng::new(1, 0);
    let rows: Vec<[f64; 2]> = (0..400).map(|_| [rng.normal(), rng.normal()]).collect();
    let found = KMeans::new(2).fit(&rows).unwrap();
    let mut shuffled = rows.clone();
    rng.shuffle(&mut shuffled);
    // As many rows as the fit had: its labels are taken for those of these rows.
    let rules = found.rules(&shuffled).unwrap();
    assert!(rules.fidelity < rules.baseline + 0.1, "{} {}", rules.fidelity, rules.baseline);
}

#[test]
fn categories_are_named_by_their_words_and_dates_by_their_days() {
    let column = |name: &str, kind, encoding| ColumnPreparation {
        name: name.into(),
        role: Role::Feature,
        kind,
        missing: 0,
        done: String::new(),
        why: String::new(),
        encoding: Some(encoding),
    };
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let number = Encoding::Number { style: NumberStyle::default(), fill: 0.0 };
    let island = Encoding::OneHot {
        levels: words(&["Biscoe", "Dream", "Torgersen"]),
        base: None,
        other: false,
        fill: "Dream".into(),
    };
    let date = Encoding::Date { origin: 0.0, cycles: vec![], day_first: false, fill: 0.0 };
    let columns = vec![
        column("mass", ColumnType::Number, number),
        column("island", ColumnType::Category, island),
        column("seen", ColumnType::Date, date),
    ];
    let done = Preparation { rows: 200, columns, ..Preparation::default() };
    // Biscoe is one cluster; of the others those after 1970-04-11 (day 100) are another.
    let mut rng = Rng::new(3, 0);
    let mut values = Vec::new();
    for i in 0..200 {
        let level = i % 4;
        let late = f64::from(u8::from(level > 1));
        let island = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][level];
        values.push(rng.normal());
        values.extend(island.map(|v| 1000.0 * v));
        values.push(4000.0 * late + (rng.uniform() * 50.0).floor());
    }
    let rows = Dense::from_vec(200, 5, values.clone()).unwrap();
    let mut found = KMeans::new(3).scaling(separa::params::Scaling::None).fit(&rows).unwrap();
    found.prepared_by(done);
    // Indicators are 0 or 1 in the table itself: the labels are those of the fit.
    for row in values.chunks_exact_mut(5) {
        row[1..4].iter_mut().for_each(|v| *v /= 1000.0);
    }
    let table = Dataset::new(DenseRef::new(200, 5, &values).unwrap().into()).unwrap();
    let text = found.rules(&table).unwrap().to_string();
    assert!(text.contains("island is "), "{text}");
    assert!(text.contains("seen after 19") && text.contains("seen up to 19"), "{text}");
    assert!(!text.contains("="), "no indicator is named: {text}");
}

#[test]
fn what_has_no_rules_says_why() {
    let rows = boxes(60);
    let found = KMeans::new(3).fit(&rows).unwrap();
    let said = found.rules(&rows[..1]).unwrap_err().to_string();
    assert!(said.contains("one cluster in these rows"), "{said}");
    let said = found.rules(&[[1.0, 2.0]]).unwrap_err().to_string();
    assert!(said.contains("3"), "{said}");
    let said = KMeans::new(1).fit(&rows).unwrap().rules(&rows).unwrap_err().to_string();
    assert!(said.contains("one cluster"), "{said}");
}
