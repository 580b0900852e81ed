//! `separa app [FILE]`: a page in the browser, for this machine alone.

use super::serve::{listen, open, served, tell};
use crate::app::{AppDoor, Desk, Guard, token};
use crate::failure::{ExitCode, Failure, Result};
use crate::serve_args::AppArgs;
use crate::text;
use separa_serve::{Limits, Stop};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A page that asks nothing for so long, in seconds, is closed. Browsers let one that is hidden ask once a minute.
const CLOSED: f64 = 90.0;

pub fn run(args: &AppArgs) -> Result<ExitCode> {
    let cannot = |e: std::io::Error| Failure::new(format!("the page cannot be opened ({e})"));
    let limits = Limits {
        max_body: args.max_body.0.unwrap_or(u64::MAX),
        // A large table takes its time to arrive and to be looked at; fits have their own thread.
        timeout: Duration::from_secs(600),
        head: Duration::from_secs(10),
        connections: 128,
        threads: None,
    };
    if let Some(file) = args.file.as_ref().filter(|file| !std::path::Path::new(file).exists()) {
        return Err(Failure::new(format!("{file}: no such file; check the path")));
    }
    let desk = Desk::new().map_err(cannot)?;
    if let Some(file) = &args.file {
        desk.tables.open(file);
    }
    let room = open(SocketAddr::from((Ipv4Addr::LOCALHOST, args.port)), limits)?;
    let port = room.address().map_err(cannot)?.port();
    let token = token().map_err(cannot)?;
    let address = format!("http://127.0.0.1:{port}/?token={token}");
    let door = AppDoor::new(desk.clone(), Guard::new(token, port), limits.max_body);
    text::print(&format!("the page is at {address}\n"))?;
    text::notice("it is for this machine alone; Ctrl-C stops");
    listen(room.stop())?;
    if args.once {
        end_when_closed(room.stop(), door.silence());
    }
    thread::spawn(move || desk.work());
    if !args.no_open {
        show(&address);
    }
    served(room.serve(door, tell))
}

fn end_when_closed(stop: Stop, silence: impl Fn() -> Option<f64> + Send + 'static) {
    thread::spawn(move || {
        while !silence().is_some_and(|seconds| seconds > CLOSED) {
            thread::sleep(Duration::from_secs(1));
        }
        stop.ask();
    });
}

/// Opens the browser; where there is none, the address has been printed.
fn show(address: &str) {
    let opener: &[&str] = match std::env::consts::OS {
        "windows" => &["rundll32", "url.dll,FileProtocolHandler"],
        "macos" => &["open"],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(opener[0]);
    command.args(&opener[1..]).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if command.spawn().is_err() {
        text::notice("no browser could be opened: open the address yourself");
    }
}
