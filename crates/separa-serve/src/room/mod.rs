//! The room: listens, keeps limits, hands requests to a door and ends gracefully.
//!
//! One thread holds all sockets, so that a slow client costs a few kilobytes and no thread; other threads do the work,
//! so that a long request leaves the sockets alone, one a request at a time. What does not find a free thread waits its turn.

mod answer;
mod body;
mod limits;
mod listen;
mod metrics;
mod serve;

pub use answer::{Answer, Problem};
pub use body::{Accepts, Body, Head, Request};
pub use limits::Limits;
pub use listen::{Room, Stop};
pub use metrics::Metrics;

/// What is behind the room: a model, or a page.
pub trait Door: Send + Sync + 'static {
    /// The name of what is asked for, one of a few: metrics count by it.
    fn route(&self, head: &Head) -> &'static str;

    /// Decides before any of the body is read: what may follow, or why nothing may.
    fn admit(&self, head: &Head) -> Result<Accepts, Problem>;

    /// The answer; called on a thread of the pool.
    fn answer(&self, request: Request, metrics: &Metrics) -> Result<Answer, Problem>;
}

/// A request that was refused, for whoever keeps a record of them.
#[derive(Debug, serde::Serialize)]
pub struct Refused<'a> {
    /// UTC.
    pub time: String,
    /// As the protocol counts.
    pub status: u16,
    /// The same for the same mistake.
    pub code: &'a str,
    /// What was wrong.
    pub message: &'a str,
    /// GET, POST, ….
    pub method: &'a str,
    /// Without what stands behind a question mark, which can be a secret.
    pub path: &'a str,
    /// Address of the client.
    pub client: &'a str,
    /// From the head of the request to its answer.
    pub seconds: f64,
}
