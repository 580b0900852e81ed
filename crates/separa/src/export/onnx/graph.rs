//! A graph of operations in the making: every call adds a node and returns the name of its result.

use super::protobuf::{Attribute, Element, Message, node, rows_of, tensor};

/// Nodes, constants, inputs.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    taken: Vec<String>,
    count: usize,
}

/// The name of a result.
pub(super) type Name = String;

impl Graph {
    /// An input with one value per row.
    pub fn input(&mut self, name: &str, element: Element) -> Name {
        self.inputs.push(rows_of(name, element));
        self.taken.push(name.to_owned());
        name.to_owned()
    }

    fn fresh(&mut self) -> Name {
        loop {
            self.count += 1;
            let name = format!("separa_{}", self.count);
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }

    pub fn numbers(&mut self, shape: &[usize], values: &[f64]) -> Name {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(Element::Double, shape, &raw)
    }

    pub fn number(&mut self, value: f64) -> Name {
        self.numbers(&[], &[value])
    }

    pub fn integers(&mut self, shape: &[usize], values: &[i64]) -> Name {
        let raw: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.constant(Element::Int64, shape, &raw)
    }

    pub fn integer(&mut self, value: i64) -> Name {
        self.integers(&[], &[value])
    }

    fn constant(&mut self, element: Element, shape: &[usize], raw: &[u8]) -> Name {
        let name = self.fresh();
        self.constants.push(tensor(&name, element, shape, raw));
        name
    }

    /// An operation with one result.
    pub fn add(&mut self, op: &str, inputs: &[&str], with: &[Attribute<'_>]) -> Name {
        let name = self.fresh();
        self.nodes.push(node(op, inputs, &[&name], with));
        name
    }

    /// An operation of two inputs.
    pub fn op(&mut self, op: &str, a: &str, b: &str) -> Name {
        self.add(op, &[a, b], &[])
    }

    pub fn choose(&mut self, condition: &str, yes: &str, no: &str) -> Name {
        self.add("Where", &[condition, yes, no], &[])
    }

    pub fn cast(&mut self, value: &str, to: Element) -> Name {
        self.add("Cast", &[value], &[Attribute::Int("to", to as i64)])
    }

    /// One value per row as a column.
    pub fn column(&mut self, value: &str) -> Name {
        let axis = self.integers(&[1], &[1]);
        self.add("Unsqueeze", &[value, &axis], &[])
    }

    /// Columns side by side.
    pub fn beside(&mut self, columns: &[Name]) -> Name {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        self.add("Concat", &columns, &[Attribute::Int("axis", 1)])
    }

    /// Some columns of a table; a single place gives one value per row.
    pub fn pick(&mut self, table: &str, places: &str) -> Name {
        self.add("Gather", &[table, places], &[Attribute::Int("axis", 1)])
    }

    /// The sum of each row.
    pub fn row_sum(&mut self, table: &str, keep: bool) -> Name {
        let axis = self.integers(&[1], &[1]);
        self.add("ReduceSum", &[table, &axis], &[Attribute::Int("keepdims", i64::from(keep))])
    }

    /// The smallest or largest of each row.
    pub fn row_extreme(&mut self, largest: bool, table: &str) -> Name {
        let op = if largest { "ReduceMax" } else { "ReduceMin" };
        let with = [Attribute::Ints("axes", vec![1]), Attribute::Int("keepdims", 1)];
        self.add(op, &[table], &with)
    }

    /// The place of the smallest or largest of each row, the first of equals.
    pub fn row_place(&mut self, largest: bool, table: &str, keep: bool) -> Name {
        let op = if largest { "ArgMax" } else { "ArgMin" };
        let with = [Attribute::Int("axis", 1), Attribute::Int("keepdims", i64::from(keep))];
        self.add(op, &[table], &with)
    }

    /// The smallest `count` of each row, ascending, the first of equals first: values and places.
    pub fn least(&mut self, table: &str, count: usize) -> [Name; 2] {
        let (values, places) = (self.fresh(), self.fresh());
        let count = self.integers(&[1], &[count as i64]);
        let with =
            [Attribute::Int("axis", 1), Attribute::Int("largest", 0), Attribute::Int("sorted", 1)];
        self.nodes.push(node("TopK", &[table, &count], &[&values, &places], &with));
        [values, places]
    }

    /// The bytes of a model whose output is the value `result`.
    pub fn into_model(mut self, result: &str, element: Element, about: &str) -> Vec<u8> {
        let mut output = "label".to_owned();
        while self.taken.contains(&output) {
            output.push('_');
        }
        self.nodes.push(node("Identity", &[result], &[&output], &[]));
        let graph = Message::default()
            .all(1, &self.nodes)
            .text(2, about)
            .all(5, &self.constants)
            .all(11, &self.inputs)
            .message(12, &rows_of(&output, element));
        let set = |domain: &str, version: i64| Message::default().text(1, domain).int(2, version);
        // Versions of 2022: old enough for every runtime, new enough for double precision throughout.
        Message::default()
            .int(1, 8)
            .text(2, "separa")
            .message(7, &graph)
            .message(8, &set("", 17))
            .message(8, &set("ai.onnx.ml", 3))
            .into_bytes()
    }
}
