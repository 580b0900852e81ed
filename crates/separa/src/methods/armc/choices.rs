//! Words that parameters of relative margin clustering take.

word_or_number! {
    /// The part of the rows on one side of a split of two clusters.
    pub enum Balance {
        /// A fraction of the rows.
        Fraction(f64), positive(), below(1.0);
        /// Several fractions; the one whose split is clearest wins.
        Scan = "scan",
    }
}

word_or_number! {
    /// What |f| can reach.
    pub enum OutputBound {
        /// As given.
        Value(f64), at_least(1.0);
        /// Anything.
        None = "none",
        /// B, at the price μ.
        Free = "free",
    }
}

choices! {
    /// How more than two clusters are made of machines with two sides.
    pub enum ArmcMulticlass {
        /// One split after the other: a tree to descend.
        Divide = "divide",
        /// Each cluster against all others, together.
        Rest = "rest",
    }
}

choices! {
    /// Which part is split next, and into which fractions.
    pub enum ArmcSplit {
        /// A part that is to become k clusters is split into j and k − j of them, for the clearest j.
        #[serde(alias = "shares")]
        Fractions = "fractions",
        /// The largest part, by `balance`.
        Largest = "largest",
        /// The part whose split is clearest, by `balance`.
        Clearest = "clearest",
    }
}
