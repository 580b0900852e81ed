//! Models whose arrays were changed, past the checksum: an error or labels in range, whatever rows they are given.

use crate::draws::Choices;
use separa::model_file::{Tensor, Tensors};
use separa::registry::METHODS;
use separa::{Ctx, Dataset, DenseRef, MatrixRef};
use serde_json::json;
use std::sync::OnceLock;

const WHOLE: [i64; 8] = [-1, 0, 1, 7, 1 << 20, 1 << 40, i64::MAX, i64::MIN];
const REAL: [f64; 8] = [-1.0, 0.0, 1e300, -1e300, f64::NAN, f64::INFINITY, 1e-300, 0.5];
const COLUMNS: usize = 3;

/// The arrays of a model of every method, as fitted.
fn models() -> &'static [(usize, Tensors)] {
    static MODELS: OnceLock<Vec<(usize, Tensors)>> = OnceLock::new();
    MODELS.get_or_init(|| {
        let cell = |i: usize| ((i * 37 % 101) as f64) / 20.0 + 9.0 * ((i / COLUMNS) % 3) as f64;
        let x: Vec<f64> = (0..30 * COLUMNS).map(cell).collect();
        let rows: MatrixRef<'_> = DenseRef::new(30, COLUMNS, &x).expect("a table").into();
        let data = Dataset::new(rows).expect("finite numbers");
        let mut all = Vec::new();
        for (m, entry) in METHODS.iter().enumerate() {
            for k in [2, 3] {
                let given = [("n_clusters".to_owned(), json!(k))].into_iter().collect();
                if let Ok(fit) = entry.solve(&given, &data, &mut Ctx::new(0)) {
                    all.push((m, fit.model.tensors()));
                }
            }
        }
        all
    })
}

/// Some arrays shorter, longer, reshaped, missing or with numbers that do not belong there.
fn tampered(whole: &Tensors, choices: &mut Choices<'_>) -> Tensors {
    let mut arrays: Vec<(String, Tensor)> =
        whole.iter().map(|(name, tensor)| (name.to_owned(), tensor.clone())).collect();
    for _ in 0..=choices.below(3) {
        if arrays.is_empty() {
            break;
        }
        let (at, how) = (choices.below(arrays.len()), choices.below(5));
        if how == 0 {
            arrays.remove(at);
            continue;
        }
        let resized = |shape: &mut Vec<usize>, values: usize| match how {
            1 if shape.first().is_some_and(|n| *n > 0) => shape[0] -= 1,
            2 if !shape.is_empty() => shape[0] += 1,
            3 => *shape = vec![values],
            _ => {}
        };
        match &mut arrays[at].1 {
            Tensor::F64 { shape, data } => {
                resized(shape, data.len());
                data.resize(shape.iter().product(), 1.0);
                if how == 4 && !data.is_empty() {
                    let i = choices.below(data.len());
                    data[i] = *choices.pick(&REAL);
                }
            }
            Tensor::I64 { shape, data } => {
                resized(shape, data.len());
                data.resize(shape.iter().product(), 1);
                if how == 4 && !data.is_empty() {
                    let i = choices.below(data.len());
                    data[i] = *choices.pick(&WHOLE);
                }
            }
        }
    }
    arrays.into_iter().collect()
}

pub(crate) fn predict(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (m, whole) = choices.pick(models());
    let entry = &METHODS[*m];
    let tampered = tampered(whole, &mut choices);
    let model = match (entry.load)(&tampered) {
        Ok(model) => model,
        Err(e) => return assert!(e.to_string().len() > 10, "{e}"),
    };
    // Columns that a rule does not use may be any number: such a model refuses our rows.
    let d = Some(model.n_features()).filter(|d| *d < 1000).unwrap_or(COLUMNS);
    let x: Vec<f64> = (0..5 * d).map(|_| choices.number()).collect();
    let Ok(rows) = DenseRef::new(5, d, &x) else { return };
    let Ok(labels) = model.predict(rows.into()) else { return };
    let known = -1..model.n_clusters() as i32;
    assert!(labels.iter().all(|l| known.contains(l)), "{}: {labels:?}", entry.name);
}
