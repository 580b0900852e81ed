//! What is served: the model, the columns it takes, and a request to try.

use crate::room::Head;
use separa::model_file::Saved;
use separa::preparation::{ColumnPreparation, ColumnType, Encoding};
use serde_json::{Map, Value, json};

pub(super) fn about(saved: &Saved, name: &str, head: &Head) -> Value {
    let columns = columns(saved);
    let host = head.header("host").unwrap_or("localhost");
    let body = match columns.first() {
        // An array has no names.
        None => json!([vec![0.0; saved.d()]]),
        Some(_) => {
            let cell = |column: &Column| (column.name.clone(), column.example.clone());
            json!([columns.iter().map(cell).collect::<Map<String, Value>>()])
        }
    };
    let listed: Vec<Value> =
        columns.iter().map(|column| json!({ "name": column.name, "type": column.kind })).collect();
    let classes = saved.trained().map(|trained| trained.classes());
    json!({
        "separa": env!("CARGO_PKG_VERSION"),
        "model": name,
        "method": saved.method_name(),
        "k": saved.k(),
        "classes": classes,
        "d": saved.d(),
        "columns": listed,
        "takes": [
            "JSON: a list of records, {\"columns\": […], \"rows\": [[…]]}, or a list of rows",
            "CSV, Parquet, Excel, NPY; an Arrow stream where separa is built with the feature arrow",
        ],
        "example": { "method": "POST", "url": format!("http://{host}/predict"), "body": body },
    })
}

/// A column of the user's table.
struct Column {
    name: String,
    kind: &'static str,
    /// What a missing value would become.
    example: Value,
}

fn columns(saved: &Saved) -> Vec<Column> {
    if let Some(preparation) = saved.preparation() {
        return preparation
            .features()
            .map(|(column, encoding)| prepared(column, encoding))
            .collect();
    }
    let plain = |name: &String| Column { name: name.clone(), kind: "number", example: json!(0.0) };
    saved.feature_names().unwrap_or_default().iter().map(plain).collect()
}

fn prepared(column: &ColumnPreparation, encoding: &Encoding) -> Column {
    let example = match encoding {
        Encoding::Number { fill, .. } => json!(fill),
        Encoding::Boolean { yes, no, fill } => {
            let words = if *fill >= 0.5 { yes } else { no };
            json!(words.first())
        }
        Encoding::Ordered { levels, fill } => json!(levels.get(fill.round() as usize)),
        Encoding::OneHot { fill, .. } => json!(fill),
        Encoding::Date { .. } => json!("2024-03-31"),
    };
    let kind = match column.kind {
        // Dates are sent as text, as a CSV file holds them.
        ColumnType::Date => "date as text",
        other => other.word(),
    };
    Column { name: column.name.clone(), kind, example }
}
