//! The rule as a Python module without dependencies.

use super::PortableRule;
use crate::error::Result;

impl PortableRule {
    /// A module with a function `label(row)`, for a row as a mapping from column names to values.
    pub fn to_python(&self) -> Result<String> {
        let (rule, code) = (self.to_json()?, include_str!("templates/rule.py"));
        let about =
            format!("Labels rows by a rule of {} that separa {} fitted.", self.method, self.separa);
        // JSON is Python once its three words are.
        Ok(format!(
            "\"\"\"{about}\n\nNeeds nothing but Python 3.9.\n\"\"\"\n\nimport datetime\nimport math\nimport re\n\nnull, true, false = None, True, False\n\nRULE = {rule}\n{code}"
        ))
    }
}
