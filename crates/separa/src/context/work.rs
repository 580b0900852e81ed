//! How long work on all pairs of rows takes, by a model with measured constants.
//!
//! The estimate knows neither the machine nor the threads: what is chosen by it must be a function of the data alone.

/// Time on one core that is spent without asking, in seconds.
const PATIENCE: f64 = 60.0;

/// Nanoseconds that a pair of rows costs on one core of an x86-64 processor of 2020: so much, and so much for each column.
/// Measured on 10,000 to 40,000 rows of 10 to 784 columns, 6 clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PairCost {
    base: f64,
    column: f64,
}

impl PairCost {
    /// Nearest neighbours.
    pub const NEIGHBOURS: Self = Self { base: 1.0, column: 0.05 };
    /// A dense matrix of affinities and its leading eigenvectors.
    pub const AFFINITIES: Self = Self { base: 30.0, column: 0.1 };
    /// A kernel matrix and iterations over its rows.
    pub const KERNEL: Self = Self { base: 42.0, column: 0.1 };
    /// A matrix of distances and the eigenvectors of several splits.
    pub const DISTANCES: Self = Self { base: 66.0, column: 0.1 };
    /// Five graphs of neighbours in turn, their eigenvectors and a rule for each.
    pub const GRAPHS: Self = Self { base: 17.0, column: 0.25 };

    /// Seconds on one core for so many pairs of rows.
    pub fn seconds(self, pairs: f64, columns: usize) -> f64 {
        1e-9 * pairs * (self.base + self.column * columns as f64)
    }

    /// Seconds for all pairs of n rows.
    pub fn of_all(self, n: usize, columns: usize) -> f64 {
        self.seconds(0.5 * (n as f64).powi(2), columns)
    }

    /// Whether all pairs of n rows take longer than should be spent without asking.
    pub fn is_long(self, n: usize, columns: usize) -> bool {
        self.of_all(n, columns) > PATIENCE
    }

    /// The most rows of a few round numbers that can stand for n: all pairs among them, and those of all rows with them.
    pub fn rows_for(self, n: usize, columns: usize) -> usize {
        let short = |m: &usize| {
            let joins = Self::NEIGHBOURS.seconds(n as f64 * *m as f64, columns);
            self.of_all(*m, columns) + joins <= PATIENCE
        };
        [10_000, 5000, 2000, 1000].into_iter().find(short).unwrap_or(500).min(n)
    }
}

/// "about 12 minutes on one core".
pub(crate) fn in_words(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 90.0 => (s, "seconds"),
        s if s < 5400.0 => (s / 60.0, "minutes"),
        s if s < 172_800.0 => (s / 3600.0, "hours"),
        s => (s / 86_400.0, "days"),
    };
    format!("about {number:.0} {unit} on one core")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_rows_of_ten_columns_are_too_many_pairs_and_some_rows_are_not() {
        let cost = PairCost::NEIGHBOURS;
        // 10¹² / 2 pairs of 1.5 ns.
        assert!((cost.of_all(1_000_000, 10) - 750.0).abs() < 1e-6);
        assert_eq!(in_words(750.0), "about 12 minutes on one core");
        assert!(cost.is_long(1_000_000, 10) && !cost.is_long(200_000, 10));
        assert_eq!(cost.rows_for(1_000_000, 10), 10_000);
        // Wide rows leave room for fewer, and there are never more than there are.
        assert_eq!(cost.rows_for(1_000_000, 784), 1000);
        assert_eq!(cost.rows_for(700, 10), 700);
        assert!(
            PairCost::AFFINITIES.is_long(70_000, 10) && !PairCost::AFFINITIES.is_long(50_000, 10)
        );
    }
}
