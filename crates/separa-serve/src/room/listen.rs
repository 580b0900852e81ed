//! The loop that accepts connections, and its end.

use super::serve::{Shared, connection};
use super::{Door, Limits, Metrics, Refused};
use hyper_util::server::graceful::GracefulShutdown;
use socket2::{Domain, Socket, Type};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// Clients that may wait to be accepted.
const WAITING: i32 = 1024;

/// A socket that is bound, and the threads behind it.
#[derive(Debug)]
pub struct Room {
    listener: TcpListener,
    limits: Limits,
    stop: Stop,
}

/// Ends a room from another thread.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// No new requests; those in flight are answered.
    pub fn ask(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was asked for.
    pub fn asked(&self) -> bool {
        *self.0.borrow()
    }
}

impl Room {
    /// Binds the address; port 0 takes a free one.
    pub fn open(address: SocketAddr, limits: Limits) -> io::Result<Self> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        // As the standard library's `bind` does: a port that was just closed can be taken again.
        #[cfg(unix)]
        socket.set_reuse_address(true)?;
        socket.bind(&address.into())?;
        socket.listen(WAITING)?;
        socket.set_nonblocking(true)?;
        let listener = TcpListener::from(socket);
        Ok(Self { listener, limits, stop: Stop(Arc::new(watch::Sender::new(false))) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What ends it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is asked to stop; `tell` hears of every request that was refused.
    pub fn serve(
        self,
        door: impl Door,
        tell: impl Fn(&Refused<'_>) + Send + Sync + 'static,
    ) -> io::Result<()> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.limits.threads.unwrap_or(0))
            .thread_name(|i| format!("separa-{i}"))
            .build()
            .map_err(io::Error::other)?;
        let workers = pool.current_num_threads();
        let shared = Arc::new(Shared {
            door: Arc::new(door),
            metrics: Arc::new(Metrics::default()),
            limits: self.limits,
            pool: Arc::new(pool),
            tell: Box::new(tell),
        });
        // As many requests are worked on at once as the pool has threads; the others wait in their order.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(workers)
            .build()?;
        runtime.block_on(accept(self.listener, shared, self.stop))
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, stop: Stop) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    let graceful = GracefulShutdown::new();
    let mut ended = stop.0.subscribe();
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((listener.accept().await?, place))
        };
        let accepted = tokio::select! {
            accepted = next => accepted,
            _ = ended.wait_for(|asked| *asked) => break,
        };
        match accepted {
            Ok(((stream, client), place)) => {
                // Answers are written at once: there is nothing to wait for.
                let _ = stream.set_nodelay(true);
                let serving = graceful.watch(connection(stream, client, shared.clone()));
                tokio::spawn(async move {
                    // A client that goes away is no news.
                    let _ = serving.await;
                    drop(place);
                });
            }
            // Too many open files, or a client that was gone before it was accepted: others may fare better.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(shared.limits.timeout, graceful.shutdown()).await;
    Ok(())
}
