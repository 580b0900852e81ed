//! What the columns of a Parquet file hold.

use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type};

/// A top-level column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub name: String,
    /// Its place among the leaves of the schema.
    pub leaf: usize,
    pub holds: Holds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Boolean,
    Signed,
    Unsigned,
    Real,
    Half,
    /// Unscaled integers with this many decimals.
    Decimal(u32),
    Text,
    Uuid,
    Date,
    /// Units per second.
    Time(i64),
    Timestamp(i64),
    /// The old 96-bit timestamp.
    Int96,
    Unreadable(&'static str),
}

impl Holds {
    pub fn is_number(self) -> bool {
        use Holds::*;
        matches!(self, Boolean | Signed | Unsigned | Real | Half | Decimal(_))
    }

    /// Whether files with the one and the other can be joined.
    pub fn joins(self, other: Holds) -> bool {
        self == other || (self.is_number() && other.is_number())
    }
}

pub(crate) fn columns(schema: &SchemaDescriptor) -> Vec<Column> {
    let mut leaf = 0;
    let mut columns = Vec::new();
    for field in schema.root_schema().get_fields() {
        let repeated = field.get_basic_info().has_repetition()
            && field.get_basic_info().repetition() == Repetition::REPEATED;
        let holds =
            if field.is_group() || repeated { nested(field) } else { flat(&schema.column(leaf)) };
        columns.push(Column { name: field.name().to_owned(), leaf, holds });
        leaf += leaves(field);
    }
    columns
}

fn leaves(field: &Type) -> usize {
    if field.is_primitive() { 1 } else { field.get_fields().iter().map(|f| leaves(f)).sum() }
}

fn nested(field: &Type) -> Holds {
    let info = field.get_basic_info();
    match info.logical_type_ref() {
        Some(LogicalType::Map) => return Holds::Unreadable("nested values (maps)"),
        Some(LogicalType::List) => return Holds::Unreadable("nested values (lists)"),
        _ => {}
    }
    match info.converted_type() {
        ConvertedType::MAP | ConvertedType::MAP_KEY_VALUE => {
            Holds::Unreadable("nested values (maps)")
        }
        ConvertedType::LIST => Holds::Unreadable("nested values (lists)"),
        _ if field.is_primitive() => Holds::Unreadable("nested values (lists)"),
        _ => Holds::Unreadable("nested values (records)"),
    }
}

fn flat(column: &ColumnDescriptor) -> Holds {
    if let Some(holds) = column.logical_type_ref().and_then(by_logical_type) {
        return holds;
    }
    match column.converted_type() {
        ConvertedType::DECIMAL => return Holds::Decimal(column.type_scale().max(0) as u32),
        ConvertedType::DATE => return Holds::Date,
        ConvertedType::TIME_MILLIS => return Holds::Time(1_000),
        ConvertedType::TIME_MICROS => return Holds::Time(1_000_000),
        ConvertedType::TIMESTAMP_MILLIS => return Holds::Timestamp(1_000),
        ConvertedType::TIMESTAMP_MICROS => return Holds::Timestamp(1_000_000),
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => {
            return Holds::Unsigned;
        }
        ConvertedType::INTERVAL => return Holds::Unreadable("time intervals"),
        ConvertedType::BSON => return Holds::Unreadable("BSON documents"),
        _ => {}
    }
    match column.physical_type() {
        Physical::BOOLEAN => Holds::Boolean,
        Physical::INT32 | Physical::INT64 => Holds::Signed,
        Physical::INT96 => Holds::Int96,
        Physical::FLOAT | Physical::DOUBLE => Holds::Real,
        // Many writers leave out the mark that says "text".
        Physical::BYTE_ARRAY => Holds::Text,
        Physical::FIXED_LEN_BYTE_ARRAY => Holds::Unreadable("raw bytes"),
    }
}

fn by_logical_type(logical: &LogicalType) -> Option<Holds> {
    Some(match logical {
        LogicalType::String | LogicalType::Enum | LogicalType::Json => Holds::Text,
        LogicalType::Decimal(decimal) => Holds::Decimal(decimal.scale.max(0) as u32),
        LogicalType::Date => Holds::Date,
        LogicalType::Time(time) => Holds::Time(per_second(&time.unit)),
        LogicalType::Timestamp(time) => Holds::Timestamp(per_second(&time.unit)),
        LogicalType::Integer(integer) if integer.is_signed => Holds::Signed,
        LogicalType::Integer(_) => Holds::Unsigned,
        LogicalType::Uuid => Holds::Uuid,
        LogicalType::Float16 => Holds::Half,
        LogicalType::Bson => Holds::Unreadable("BSON documents"),
        LogicalType::Variant(_) => Holds::Unreadable("variants"),
        LogicalType::Geometry(_) | LogicalType::Geography(_) => Holds::Unreadable("geometries"),
        // `Unknown` marks a column of nulls only; its physical type is as good as any.
        _ => return None,
    })
}

fn per_second(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}
