//! The rule as it is.

use super::PortableRule;
use crate::error::{Error, Result};

impl PortableRule {
    /// The rule as JSON: every number of it, and how the columns of a table become features.
    pub fn to_json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(|e| Error::Model(e.to_string()))
    }
}
