//! Bodies: how many bytes, and where they go.

use super::answer::Problem;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use std::io::Write;
use std::time::Duration;
use tempfile::NamedTempFile;

/// What may follow the head of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepts {
    /// No body.
    Nothing,
    /// So many bytes, in memory.
    Memory(u64),
    /// So many bytes, in a file that goes away: for what is large.
    File(u64),
}

/// What a request begins with.
#[derive(Debug)]
pub struct Head(pub(super) Parts);

impl Head {
    /// GET, POST, ….
    pub fn method(&self) -> &str {
        self.0.method.as_str()
    }

    /// The path as it was sent, without what stands behind a question mark.
    pub fn path(&self) -> &str {
        self.0.uri.path()
    }

    /// The value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.0.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// What stands behind the question mark.
    pub fn query(&self) -> Option<&str> {
        self.0.uri.query()
    }
}

/// A request that was admitted.
#[derive(Debug)]
pub struct Request {
    /// Method, address and headers.
    pub head: Head,
    /// What followed.
    pub body: Body,
}

/// What followed the head of a request.
#[derive(Debug)]
pub enum Body {
    /// Bytes, none for most requests.
    Memory(Vec<u8>),
    /// A file that goes away with this value.
    File(NamedTempFile),
}

/// How long a part of a body is waited for.
const IDLE: Duration = Duration::from_secs(30);
/// How long a body that is refused is still read, so that a client that only writes gets to read why.
const LINGER: Duration = Duration::from_secs(5);

/// Reads what was admitted.
pub(super) async fn read(head: &Head, body: Incoming, accepts: Accepts) -> Result<Body, Problem> {
    let most = match accepts {
        Accepts::Nothing => 0,
        Accepts::Memory(most) | Accepts::File(most) => most,
    };
    let said = head.header("content-length").and_then(|length| length.parse::<u64>().ok());
    if said.is_some_and(|length| length > most) {
        // A client that waits to be told to go on has not sent anything.
        if head.header("expect").is_none() {
            linger(body).await;
        }
        return Err(too_large(said, most));
    }
    let mut kept = match accepts {
        Accepts::File(_) => Body::File(NamedTempFile::new().map_err(no_room)?),
        // No more than a part is allocated on a client's word.
        _ => Body::Memory(Vec::with_capacity(said.unwrap_or(0).min(1 << 16) as usize)),
    };
    let (mut body, mut length) = (body, 0u64);
    while let Some(frame) = next(&mut body).await? {
        let frame = frame.map_err(|e| {
            Problem::new(
                400,
                "body-cut-short",
                format!("the body ended early ({e})"),
                "send it again",
            )
        })?;
        let Ok(part) = frame.into_data() else { continue };
        length += part.len() as u64;
        if length > most {
            linger(body).await;
            return Err(too_large(None, most));
        }
        match &mut kept {
            Body::Memory(bytes) => bytes.extend_from_slice(&part),
            Body::File(file) => file.write_all(&part).map_err(no_room)?,
        }
    }
    Ok(kept)
}

/// The next part of a body; a client that sends nothing for a while is not waited for.
async fn next(
    body: &mut Incoming,
) -> Result<Option<Result<hyper::body::Frame<hyper::body::Bytes>, hyper::Error>>, Problem> {
    tokio::time::timeout(IDLE, body.frame()).await.map_err(|_| {
        let message = format!("nothing of the body arrived for {} s", IDLE.as_secs());
        Problem::new(408, "body-too-slow", message, "send it faster, or fewer rows at once")
    })
}

/// Reads on and forgets.
async fn linger(mut body: Incoming) {
    let rest = async { while let Some(Ok(_)) = body.frame().await {} };
    let _ = tokio::time::timeout(LINGER, rest).await;
}

fn too_large(said: Option<u64>, most: u64) -> Problem {
    let found = said.map_or("more".to_owned(), |n| format!("{n} bytes"));
    let message = format!("the body has {found}, at most {most} bytes are taken");
    let remedy = match most {
        0 => "send no body",
        _ => "send fewer rows at once, or start the server with a larger limit",
    };
    Problem::new(413, "body-too-large", message, remedy)
}

fn no_room(e: std::io::Error) -> Problem {
    let message = format!("the body could not be kept in the folder for temporary files ({e})");
    Problem::new(507, "no-room", message, "make room there, or set TMPDIR to another folder")
}
