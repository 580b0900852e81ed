//! Fit once, save the model, load it elsewhere and label rows as they come.
//!
//! `cargo run --release -p separa --example save_and_serve`

use separa::prelude::*;
use separa::{DenseRef, model_file};

pub fn main() -> separa::Result<()> {
    // A table with names: they are saved, and checked when rows are labelled.
    let names = ["length".to_owned(), "weight".to_owned()];
    let values: Vec<f64> = (0..80)
        .flat_map(|i| [f64::from(i % 2) * 4.0 + f64::from(i) * 0.01, f64::from(i % 5)])
        .collect();
    let table = Dataset::with_names(DenseRef::new(80, 2, &values)?.into(), Some(&names))?;
    let found = Logistic::new(2).fit(&table)?;

    let path = std::env::temp_dir().join(format!("save_and_serve_{}.separa", std::process::id()));
    found.save(&path)?;

    // Another program: the file holds the rule and what is known about it, but no rows.
    let served = model_file::load(&path)?;
    std::fs::remove_file(&path).expect("the file was just written");
    println!("{} {:?} on {} rows of {:?}", served.method_name(), served.sizes(), served.n(), names);
    println!("verdict when it was fitted: {}", served.clustering()?.verdict().text);

    for row in [[0.2, 3.0], [4.4, 1.0]] {
        let (label, proba) = (served.predict(&[row])?[0], served.proba(&[row])?);
        println!("{row:?} -> cluster {label}, probabilities {:.3?}", proba.row(0));
        assert_eq!(label, found.predict(&[row])?[0]);
    }
    // Columns in another order are refused, with the order that is expected.
    let swapped = [names[1].clone(), names[0].clone()];
    let table = Dataset::with_names(DenseRef::new(80, 2, &values)?.into(), Some(&swapped))?;
    let refused = served.predict(&table).unwrap_err();
    println!("refused: {refused}");
    assert!(!served.has_labels() && refused.to_string().contains("length"));
    Ok(())
}
