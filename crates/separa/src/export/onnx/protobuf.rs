//! The few messages of ONNX that a rule needs, as bytes.
//!
//! Written by hand: a crate for protocol buffers would bring a generated module of some thousand lines (or a compiler to
//! build with) for the eight messages below, whose fields have not changed since ONNX 1.0.

/// The type of a tensor's elements, by its number in ONNX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Int64 = 7,
    Text = 8,
    Double = 11,
}

/// A message in the making.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub fn int(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3);
        self.varint(value.cast_unsigned());
        self
    }

    pub fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    pub fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    pub fn message(self, field: u64, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    pub fn all(self, field: u64, values: &[Self]) -> Self {
        values.iter().fold(self, |message, value| message.message(field, value))
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// An attribute of a node.
#[derive(Debug, Clone)]
pub(super) enum Attribute<'a> {
    Int(&'a str, i64),
    Ints(&'a str, Vec<i64>),
    Texts(&'a str, Vec<String>),
    Text(&'a str, String),
}

impl Attribute<'_> {
    fn message(&self) -> Message {
        let named = |name: &str, kind: i64| Message::default().text(1, name).int(20, kind);
        match self {
            Self::Int(name, value) => named(name, 2).int(3, *value),
            Self::Text(name, value) => named(name, 3).text(4, value),
            Self::Ints(name, values) => values.iter().fold(named(name, 7), |m, v| m.int(8, *v)),
            Self::Texts(name, values) => values.iter().fold(named(name, 8), |m, v| m.text(9, v)),
        }
    }
}

/// An operation with one or more results.
pub(super) fn node(op: &str, inputs: &[&str], outputs: &[&str], with: &[Attribute<'_>]) -> Message {
    let message = inputs.iter().fold(Message::default(), |m, name| m.text(1, name));
    let message = outputs.iter().fold(message, |m, name| m.text(2, name)).text(4, op);
    let message = with.iter().fold(message, |m, attribute| m.message(5, &attribute.message()));
    // The one operation here that is not among the basic ones.
    if op == "LabelEncoder" { message.text(7, "ai.onnx.ml") } else { message }
}

/// Numbers of this shape, by name.
pub(super) fn tensor(name: &str, element: Element, shape: &[usize], raw: &[u8]) -> Message {
    let message = shape.iter().fold(Message::default(), |m, n| m.int(1, *n as i64));
    message.int(2, element as i64).text(8, name).bytes(9, raw)
}

/// An input or output of so many rows.
pub(super) fn rows_of(name: &str, element: Element) -> Message {
    let dimension = Message::default().text(2, "rows");
    let shape = Message::default().message(1, &dimension);
    let tensor = Message::default().int(1, element as i64).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_are_written_as_protocol_buffers_define() {
        // The examples of its documentation: 150 in field 1, "testing" in field 2.
        assert_eq!(Message::default().int(1, 150).into_bytes(), [0x08, 0x96, 0x01]);
        let text = Message::default().text(2, "testing").into_bytes();
        assert_eq!(text, [&[0x12, 0x07][..], b"testing"].concat());
        // A negative number has ten bytes.
        assert_eq!(Message::default().int(1, -1).into_bytes().len(), 11);
    }
}
