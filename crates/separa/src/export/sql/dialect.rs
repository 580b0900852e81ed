//! What systems write differently: names, texts, numbers, casts.

use crate::error::{Error, Result, nearest_name};

/// A system that speaks SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// DuckDB.
    #[default]
    DuckDb,
    /// PostgreSQL.
    Postgres,
    /// Google BigQuery.
    BigQuery,
    /// Snowflake.
    Snowflake,
    /// SQLite with its mathematical functions, which dates need.
    Sqlite,
}

use Dialect::{BigQuery, DuckDb, Postgres, Snowflake, Sqlite};

/// A number with digits in groups of thousands, once separators are commas and the decimal mark is a point.
const GROUPED: &str = "^[-+]?(([0-9]+|[1-9][0-9]{0,2}(,[0-9]{2,3})*,[0-9]{3})([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?$";

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 5] = [DuckDb, Postgres, BigQuery, Snowflake, Sqlite];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            DuckDb => "duckdb",
            Postgres => "postgres",
            BigQuery => "bigquery",
            Snowflake => "snowflake",
            Sqlite => "sqlite",
        }
    }

    /// The dialect of this name.
    pub fn named(name: &str) -> Result<Self> {
        let names = Self::ALL.map(Self::name);
        Self::ALL.into_iter().find(|d| d.name() == name).ok_or_else(|| {
            let near = nearest_name(name, names).map(|n| format!(", did you mean {n}?"));
            let near = near.unwrap_or_default();
            Error::Export(format!(
                "unknown dialect \"{name}\", expected {}{near}",
                names.join(", ")
            ))
        })
    }

    /// A column or table by its name, whatever letters it has.
    pub(super) fn quoted(self, name: &str) -> String {
        match self {
            BigQuery => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// A text as a literal.
    pub(super) fn text(self, text: &str) -> String {
        match self {
            BigQuery => {
                let text = text.replace('\\', "\\\\").replace('\'', "\\'");
                format!("'{}'", text.replace('\n', "\\n").replace('\r', "\\r"))
            }
            Snowflake => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''")),
            _ => format!("'{}'", text.replace('\'', "''")),
        }
    }

    /// A number as a literal in double precision: every digit that it needs, and an exponent, so that no system takes it for
    /// a decimal.
    pub(super) fn number(self, value: f64) -> String {
        let plain = match self {
            Postgres => format!("{value:e}::float8"),
            Snowflake => format!("{value:e}::double"),
            _ => format!("{value:e}"),
        };
        if value < 0.0 { format!("({plain})") } else { plain }
    }

    /// The column as text, without blanks around it.
    pub(super) fn as_text(self, column: &str) -> String {
        let kind = match self {
            BigQuery => "STRING",
            Sqlite | Postgres => "TEXT",
            _ => "VARCHAR",
        };
        format!("TRIM(CAST({column} AS {kind}))")
    }

    /// A column of numbers; nothing where it holds something else, if the system can tell.
    pub(super) fn as_number(self, column: &str) -> String {
        match self {
            DuckDb => format!("TRY_CAST({column} AS DOUBLE)"),
            Postgres => format!("CAST({column} AS double precision)"),
            BigQuery => format!("SAFE_CAST({column} AS FLOAT64)"),
            Snowflake => format!("CAST({column} AS DOUBLE)"),
            // Compared with a number, a text becomes one if all of it is one (affinity); otherwise it differs.
            Sqlite => format!(
                "CASE WHEN {column} = CAST({column} AS REAL) THEN CAST({column} AS REAL) END"
            ),
        }
    }

    /// The number in a text that perhaps has its digits in groups; nothing where it holds something else.
    pub(super) fn grouped_number(self, text: &str) -> String {
        let plain = format!("REPLACE({text}, ',', '')");
        match self {
            DuckDb => format!(
                "CASE WHEN regexp_full_match({text}, '{GROUPED}') THEN TRY_CAST({plain} AS DOUBLE) END"
            ),
            Postgres => {
                format!("CASE WHEN {text} ~ '{GROUPED}' THEN CAST({plain} AS double precision) END")
            }
            BigQuery => format!(
                "CASE WHEN REGEXP_CONTAINS({text}, r'{GROUPED}') THEN SAFE_CAST({plain} AS FLOAT64) END"
            ),
            Snowflake => format!(
                "CASE WHEN REGEXP_LIKE({text}, '{GROUPED}') THEN TRY_CAST({plain} AS DOUBLE) END"
            ),
            Sqlite => {
                let digits = format!("LTRIM({text}, '+-')");
                let never = [
                    ",*",
                    "0*",
                    "*[eE]*",
                    "*,,*",
                    "*.*,*",
                    "*,[0-9],*",
                    "*,[0-9][0-9][0-9][0-9]*",
                    "[0-9][0-9][0-9][0-9]*",
                ];
                let never = never.map(|glob| format!("{digits} NOT GLOB '{glob}'")).join(" AND ");
                let last = ["*,[0-9][0-9][0-9]", "*,[0-9][0-9][0-9].*"];
                let last = last.map(|glob| format!("{digits} GLOB '{glob}'")).join(" OR ");
                let number = self.as_number(&plain);
                format!(
                    "CASE WHEN {text} NOT LIKE '%,%' OR ({never} AND ({last})) THEN {number} END"
                )
            }
        }
    }

    /// Seconds since 1970-01-01 of a column of dates or of dates as text; since midnight of a time of the day.
    pub(super) fn seconds(self, column: &str, day_first: bool, clock: bool) -> String {
        let text = self.as_text(column);
        match (self, clock) {
            (DuckDb, true) => format!("epoch(TRY_CAST({text} AS TIME))"),
            (DuckDb, false) => {
                let order = if day_first { "%d/%m/%Y" } else { "%m/%d/%Y" };
                let days = [order, &order.replace('/', "-"), "%d.%m.%Y", "%d %b %Y", "%b %d, %Y"];
                let with_time = |day: &&str| {
                    ["", " %H:%M", " %H:%M:%S"].map(|time| format!("'{day}{time}'")).join(", ")
                };
                let formats = days.iter().map(with_time).collect::<Vec<_>>().join(", ");
                format!(
                    "epoch(COALESCE(TRY_CAST({text} AS TIMESTAMP), TRY_STRPTIME({text}, [{formats}])))"
                )
            }
            (Postgres, _) => postgres_seconds(column, clock),
            (BigQuery, true) => {
                format!("TIME_DIFF(SAFE_CAST({text} AS TIME), TIME '00:00:00', MICROSECOND) / 1e6")
            }
            (BigQuery, false) => format!("UNIX_MICROS(SAFE_CAST({text} AS TIMESTAMP)) / 1e6"),
            (Snowflake, true) => {
                format!(
                    "TIMEDIFF(MICROSECOND, '00:00:00'::TIME, TRY_CAST({text} AS TIME)) / 1e6::double"
                )
            }
            (Snowflake, false) => {
                format!(
                    "DATE_PART(EPOCH_MICROSECOND, TRY_CAST({text} AS TIMESTAMP_NTZ)) / 1e6::double"
                )
            }
            (Sqlite, _) => sqlite_seconds(&text, day_first),
        }
    }

    /// The least or the largest of some values in one row.
    pub(super) fn extreme(self, largest: bool, values: &[String]) -> String {
        let function = match (self, largest) {
            (Sqlite, true) => "MAX",
            (Sqlite, false) => "MIN",
            (_, true) => "GREATEST",
            (_, false) => "LEAST",
        };
        match values {
            [one] => one.clone(),
            some => format!("{function}({})", some.join(", ")),
        }
    }
}

/// PostgreSQL ends a query at a text that is no date, so only those that are one are cast. JSON writes dates year first,
/// whatever the session's own way is.
fn postgres_seconds(column: &str, clock: bool) -> String {
    const TIME: &str = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?";
    const DAY: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
    const ZONE: &str = "(Z|[+-][0-9]{2}(:?[0-9]{2})?)";
    let text = format!("TRIM(to_jsonb({column}) #>> '{{}}')");
    let seconds = |what: String| format!("CAST(EXTRACT(EPOCH FROM {what}) AS double precision)");
    if clock {
        let since = seconds(format!("CAST({text} AS time)"));
        return format!("CASE WHEN {text} ~ '^{TIME}$' THEN {since} END");
    }
    let first = format!("CAST(LEFT({text}, 7) || '-01' AS date)");
    let days = format!("EXTRACT(DAY FROM {first} + interval '1 month' - interval '1 day')");
    let utc = format!("{text} || CASE WHEN {text} ~ ':.*{ZONE}$' THEN '' ELSE ' UTC' END");
    let since = seconds(format!("CAST({utc} AS timestamptz)"));
    format!(
        "CASE WHEN {text} ~ '^{DAY}([ T]{TIME}{ZONE}?)?$' THEN CASE WHEN CAST(SUBSTR({text}, 9, 2) AS int) <= {days} THEN {since} END END"
    )
}

/// SQLite knows dates as text, year first; days and months before it are put behind.
fn sqlite_seconds(text: &str, day_first: bool) -> String {
    let digits = |n: usize| "[0-9]".repeat(n);
    let glob = |mark: &str| format!("{text} GLOB '{0}{mark}{0}{mark}{1}*'", digits(2), digits(4));
    let part = |from: usize| format!("SUBSTR({text}, {from}, 2)");
    let turned = |day: usize, month: usize| {
        let (day, month) = (part(day), part(month));
        format!("SUBSTR({text}, 7, 4) || '-' || {month} || '-' || {day} || SUBSTR({text}, 11)")
    };
    let by_slash = if day_first { turned(1, 4) } else { turned(4, 1) };
    let date = format!(
        "CASE WHEN {} THEN {} WHEN {} OR {} THEN {by_slash} ELSE REPLACE({text}, '/', '-') END",
        glob("."),
        turned(1, 4),
        glob("/"),
        glob("-"),
    );
    let of = |part: &str| format!("CAST(STRFTIME('{part}', {date}) AS REAL)");
    // A time of the day alone is one of 2000-01-01.
    let since = format!(
        "CASE WHEN {text} GLOB '[0-9]*:*' AND {text} NOT GLOB '*-*' AND {text} NOT GLOB '*/*' AND {text} NOT GLOB '*.*.*' THEN 946684800.0 ELSE 0.0 END"
    );
    // A number alone would be taken for a Julian day.
    format!(
        "CASE WHEN {text} GLOB '*[-/.:]*[0-9]*' AND {text} <> CAST({text} AS REAL) THEN {} + {} - {} - {since} END",
        of("%s"),
        of("%f"),
        of("%S"),
    )
}
