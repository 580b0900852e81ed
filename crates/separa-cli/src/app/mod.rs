//! `separa app`: the door to a page on this machine. What the page chooses becomes the words of `separa cluster`, and these
//! words are run: so the command that the page shows gives the same answer.

mod choices;
mod desk;
mod door;
mod explore;
mod guard;
mod job;
mod progress;
mod shown;
mod tables;
mod take;

pub use desk::Desk;
pub use door::AppDoor;
pub use guard::{Guard, token};
