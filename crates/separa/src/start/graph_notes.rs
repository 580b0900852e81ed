//! What to say of a graph of rows.

/// What a user should read, and may read.
#[derive(Debug, Default)]
pub struct Notes {
    pub warnings: Vec<String>,
    pub notices: Vec<String>,
}

/// What to say of a graph that falls apart.
#[derive(Debug, Clone, Copy)]
pub struct Advice<'a> {
    /// What would join the parts.
    pub join: &'a str,
    /// Who labels rows that are joined to none.
    pub lone: &'a str,
}

impl Notes {
    /// Of a graph with so many parts and rows joined to none; `remedy` joins more of them.
    pub fn say_parts(&mut self, parts: usize, lone: usize, k: usize, advice: &Advice<'_>) {
        if parts > k {
            self.warnings.push(format!(
                "the graph has {parts} components, more than the {k} clusters asked for: the smaller ones share a cluster; {}, or ask for more clusters",
                advice.join
            ));
        } else if parts > 1 {
            self.notices.push(format!("the graph has {parts} components"));
        }
        if lone > 0 {
            self.notices.push(format!("{lone} rows are joined to no other row: {}", advice.lone));
        }
    }

    pub fn say_convergence(&mut self, converged: bool) {
        if !converged {
            self.warnings.push(
                "the eigenvectors are not exact: their solver reached its limit of products".into(),
            );
        }
    }
}
