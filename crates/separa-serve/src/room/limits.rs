//! What a client may take.

use std::time::Duration;

/// What a client may take, and how much at once.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a body.
    pub max_body: u64,
    /// For the head of a request; a connection on which nothing is asked for so long is closed.
    pub head: Duration,
    /// For the body of a request, and for the answer, each.
    pub timeout: Duration,
    /// Connections that are open at once; others wait to be accepted.
    pub connections: usize,
    /// Threads that work; all cores if not said.
    pub threads: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body: 32 << 20,
            head: Duration::from_secs(30),
            timeout: Duration::from_secs(30),
            // Below the 1,024 files that a process may usually open.
            connections: 512,
            threads: None,
        }
    }
}
