//! One connection: from the head of a request to its answer.

use super::body::{Accepts, Head, Request, read};
use super::{Answer, Door, Limits, Metrics, Problem, Refused};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::service::service_fn;
use hyper::{Response, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// What all connections share.
pub(super) struct Shared {
    pub door: Arc<dyn Door>,
    pub metrics: Arc<Metrics>,
    pub limits: Limits,
    pub pool: Arc<rayon::ThreadPool>,
    pub tell: Box<dyn Fn(&Refused<'_>) + Send + Sync>,
}

/// The connection as something to wait for.
pub(super) fn connection(
    stream: TcpStream,
    client: SocketAddr,
    shared: Arc<Shared>,
) -> impl GracefulConnection<Error = hyper::Error> {
    let limits = shared.limits;
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(answered(&shared, client, request).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), service)
}

async fn answered(
    shared: &Arc<Shared>,
    client: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Response<Full<Bytes>> {
    let began = Instant::now();
    shared.metrics.begin();
    let (head, body) = request.into_parts();
    let head = Head(head);
    let route = shared.door.route(&head);
    let (method, path) = (head.method().to_owned(), head.path().to_owned());
    let found = respond(shared, head, body).await;
    let seconds = began.elapsed().as_secs_f64();
    let answer = found.unwrap_or_else(|problem| {
        (shared.tell)(&Refused {
            time: separa_io::now(),
            status: problem.status,
            code: problem.code,
            message: &problem.message,
            method: &method,
            path: &path,
            client: &client.to_string(),
            seconds,
        });
        problem.into()
    });
    shared.metrics.end(route, answer.status, seconds);
    sent(answer)
}

async fn respond(shared: &Arc<Shared>, head: Head, body: Incoming) -> Result<Answer, Problem> {
    let accepts = match shared.door.admit(&head) {
        Ok(accepts) => accepts,
        Err(problem) => {
            // Nothing is kept; a client that only writes still gets to read why.
            let _ = timeout(shared.limits.timeout, read(&head, body, Accepts::Nothing)).await;
            return Err(problem);
        }
    };
    let seconds = shared.limits.timeout.as_secs_f64();
    let body =
        timeout(shared.limits.timeout, read(&head, body, accepts)).await.map_err(|_| {
            let message = format!("the body did not arrive within {seconds} s");
            Problem::new(408, "body-too-slow", message, "send it faster, or fewer rows at once")
        })??;
    let (send, receive) = tokio::sync::oneshot::channel();
    let (door, metrics) = (shared.door.clone(), shared.metrics.clone());
    let pool = shared.pool.clone();
    // Not a task of the pool: a thread of it that waits for a part of its work would begin another request meanwhile,
    // and another within that one.
    tokio::task::spawn_blocking(move || {
        // Nobody waits any more after a time limit, or when the client has gone.
        if !send.is_closed() {
            let request = Request { head, body };
            let _ = send.send(pool.install(|| work(door.as_ref(), request, &metrics)));
        }
    });
    match timeout(shared.limits.timeout, receive).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(broken()),
        Err(_) => {
            let message = format!("there was no answer within {seconds} s");
            let remedy = "send fewer rows at once, or start the server with a longer limit";
            Err(Problem::new(503, "answer-too-slow", message, remedy))
        }
    }
}

/// A request that breaks something ends with itself.
fn work(door: &dyn Door, request: Request, metrics: &Metrics) -> Result<Answer, Problem> {
    catch_unwind(AssertUnwindSafe(|| door.answer(request, metrics)))
        .unwrap_or_else(|_| Err(broken()))
}

fn broken() -> Problem {
    let remedy = "this is a mistake in separa: please report it with the request";
    Problem::new(500, "internal", "the request could not be answered", remedy)
}

fn sent(answer: Answer) -> Response<Full<Bytes>> {
    let Answer { status, kind, headers, body } = answer;
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status.try_into().unwrap_or_default();
    let out = response.headers_mut();
    out.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    out.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    out.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            out.insert(HeaderName::from_static(name), value);
        }
    }
    response
}
