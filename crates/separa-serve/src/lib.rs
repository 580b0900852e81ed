//! HTTP for separa: one room, and doors to it.
//!
//! The [room](room) knows sockets, limits and the protocol; a [`Door`] knows what is asked. [`PredictDoor`] labels rows with a
//! saved model. Nothing here prints: who opens the room hears of refusals through a closure.

#![warn(missing_docs)]

mod predict;
pub mod room;

pub use predict::PredictDoor;
pub use room::{
    Accepts, Answer, Body, Door, Head, Limits, Metrics, Problem, Refused, Request, Room, Stop,
};
