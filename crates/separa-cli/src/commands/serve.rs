//! `separa serve MODEL`: labels for rows that programs send.

use crate::failure::{ExitCode, Failure, INTERRUPTED, Result};
use crate::serve_args::ServeArgs;
use crate::{model_file, text};
use separa_io::shell_word;
use separa_serve::{Limits, PredictDoor, Refused, Room, Stop};
use std::net::SocketAddr;

pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    let saved = model_file::load(&args.model)?;
    let name = args.model.display().to_string();
    let limits = Limits {
        max_body: args.max_body.0.unwrap_or(u64::MAX),
        head: args.timeout,
        timeout: args.timeout,
        threads: args.threads.map(usize::from),
        ..Limits::default()
    };
    let door = PredictDoor::new(saved, &name, limits.max_body).map_err(|kind| {
        let kind = kind.one();
        Failure::new(format!(
            "{name}: the model labels rows of a {kind} together, expected one that labels single rows; use \
             `separa predict {} NEW.csv --{kind} COL`",
            shell_word(&name)
        ))
    })?;
    let room = open(SocketAddr::new(args.host, args.port), limits)?;
    if !args.host.is_loopback() {
        text::notice(
            "other machines can reach this address: there is no password and no encryption",
        );
    }
    let address = room.address().map_err(|e| Failure::new(e.to_string()))?;
    // The line that scripts wait for.
    text::print(&format!("serving {name} at http://{address}\n"))?;
    listen(room.stop())?;
    served(room.serve(door, tell))
}

/// Binds the address, or says what to do.
pub fn open(address: SocketAddr, limits: Limits) -> Result<Room> {
    Room::open(address, limits).map_err(|e| {
        Failure::new(format!(
            "{address}: cannot listen there ({e}); choose another port with --port, 0 for a free one"
        ))
    })
}

/// The first Ctrl-C or SIGTERM lets requests in flight end, the second ends at once.
pub fn listen(stop: Stop) -> Result<()> {
    ctrlc::set_handler(move || {
        if stop.asked() {
            std::process::exit(INTERRUPTED.into());
        }
        stop.ask();
    })
    .map_err(|e| Failure::new(format!("Ctrl-C cannot be caught ({e})")))
}

/// One line of JSON for every request that was refused.
pub fn tell(refused: &Refused<'_>) {
    // A server whose standard error is gone serves on.
    use std::io::Write;
    if let Ok(line) = serde_json::to_string(refused) {
        let _ = writeln!(std::io::stderr().lock(), "{line}");
    }
}

pub fn served(ended: std::io::Result<()>) -> Result<ExitCode> {
    ended.map_err(|e| Failure::new(format!("the server ended ({e})")))?;
    Ok(ExitCode::SUCCESS)
}
