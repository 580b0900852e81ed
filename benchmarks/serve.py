"""`separa serve` beside FastAPI + uvicorn with scikit-learn's KMeans: requests a second, p99, memory over many requests.

serve.py [--requests N] [--clients C] [--rows R] [--soak N]; needs fastapi, uvicorn and scikit-learn. Both servers answer the same requests
(R wines as JSON records) on this machine, one after the other, from the same client; both have one process.
"""
import argparse
import asyncio
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
WINE = ROOT / "examples" / "data" / "wine.csv"
PEER = """
import csv, sys
import numpy as np
from fastapi import FastAPI, Request
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
import uvicorn

rows = list(csv.DictReader(open(sys.argv[1])))
names = [name for name in rows[0] if name != "cultivar"]
X = np.array([[float(row[name]) for name in names] for row in rows])
model = make_pipeline(StandardScaler(), KMeans(3, n_init=10, random_state=0)).fit(X)
app = FastAPI()

@app.post("/predict")
async def predict(request: Request):
    records = await request.json()
    X = np.array([[record[name] for name in names] for record in records])
    return {"labels": model.predict(X).tolist()}

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)
"""


class Client(asyncio.Protocol):
    """Sends the same request again and again over one connection."""

    def __init__(self, request, left, seconds, done):
        self.request, self.left, self.seconds, self.done = request, left, seconds, done
        self.buffer = b""

    def connection_made(self, transport):
        self.transport = transport
        self.send()

    def send(self):
        self.left[0] -= 1
        if self.left[0] < 0:
            self.transport.close()
            self.done.set_result(None)
            return
        self.began = time.perf_counter()
        self.transport.write(self.request)

    def data_received(self, data):
        self.buffer += data
        head, found, body = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))[15:])
        if len(body) < length:
            return
        assert head.startswith(b"HTTP/1.1 200"), self.buffer
        self.seconds.append(time.perf_counter() - self.began)
        self.buffer = b""
        self.send()


async def load(port, body, requests, clients):
    """Seconds of every request, and of all."""
    head = f"POST /predict HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    loop, left, seconds = asyncio.get_running_loop(), [requests], []
    ends = [loop.create_future() for _ in range(clients)]
    began = time.perf_counter()
    for end in ends:
        await loop.create_connection(lambda end=end: Client(head.encode() + body, left, seconds, end), "127.0.0.1", port)
    await asyncio.gather(*ends)
    return np.array(seconds), time.perf_counter() - began


def memory(process):
    """Resident megabytes."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def ready(port):
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/docs" if port == 8902 else f"http://127.0.0.1:{port}/health")
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("the server did not start")


def measure(name, command, port, body, args):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=args.folder)
    try:
        ready(port)
        asyncio.run(load(port, body, 500, args.clients))
        before = memory(process)
        seconds, whole = asyncio.run(load(port, body, args.requests, args.clients))
        after = memory(process)
        print(
            f"{name:32} {len(seconds) / whole:8.0f} requests/s   p50 {1e3 * np.median(seconds):6.2f} ms"
            f"   p99 {1e3 * np.quantile(seconds, 0.99):6.2f} ms   memory {before:.1f} -> {after:.1f} MB",
            flush=True,
        )
    finally:
        process.terminate()
        process.wait()
    return len(seconds) / whole


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--rows", type=int, default=1)
    parser.add_argument("--soak", type=int, default=0, help="further requests to separa alone, for its memory")
    parser.add_argument("--separa", default=ROOT / "target" / "release" / "separa")
    args = parser.parse_args()
    args.folder = tempfile.mkdtemp(prefix="separa-bench-")
    subprocess.run(
        [args.separa, "cluster", WINE, "-k", "3", "-m", "kmeans", "--drop", "cultivar", "--model", "m.separa", "-q"],
        cwd=args.folder, check=True, stdout=subprocess.DEVNULL,
    )
    rows = [{k: float(v) for k, v in row.items() if k != "cultivar"} for row in csv.DictReader(open(WINE))]
    body = json.dumps([rows[i % len(rows)] for i in range(args.rows)]).encode()
    peer = measure("FastAPI + scikit-learn KMeans", [sys.executable, "-c", PEER, WINE, "8902"], 8902, body, args)
    served = [args.separa, "serve", "m.separa", "--port", "8901"]
    own = measure("separa serve", served, 8901, body, args)
    print(f"separa answers {own / peer:.1f} times as many requests a second")
    if args.soak:
        args.requests = args.soak
        measure(f"separa serve, {args.soak} requests", served, 8901, body, args)


if __name__ == "__main__":
    main()
