"""From a notebook to production: fit, save, load elsewhere, label new rows by column name.

    python examples/production.py
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

import separa
from separa import exceptions

wine = pd.read_csv(Path(__file__).parent / "data" / "wine.csv").drop(columns="cultivar")
folder = Path(tempfile.mkdtemp())
file, incoming = folder / "wine.separa", folder / "incoming.csv"

# At the desk: fit on what is known, check that there is something, save.
later = wine.index % 20 == 0
model = separa.fit(wine[~later], n_clusters=3)
print(f"MSP {model.msp_:.3f}, null MSP {model.msp_null_:.3f}, p (unimodal) {model.p_unimodal_:.3f}")
assert model.msp_ > model.msp_null_, "no better than a single Gaussian: think again before this goes anywhere"
separa.save(model, file)
print(f"saved {file.name}, {file.stat().st_size} bytes")

# What arrives later: nine new rows, columns in another order, one more of them.
new = wine.loc[later, ::-1].assign(batch=range(9))
new.to_csv(incoming, index=False)

# In a service: a model that was loaded finds its columns by name and ignores the others.
rule = separa.load(file)
labels = rule.predict(new)
print(f"here              {labels.tolist()}")

# In a fresh process. The file holds numbers and a header; nothing in it is executed.
code = (
    "import sys, pandas as pd, separa; "
    "print(separa.load(sys.argv[1]).predict(pd.read_csv(sys.argv[2])).tolist())"
)
command = [sys.executable, "-c", code, str(file), str(incoming)]
done = subprocess.run(command, capture_output=True, text=True, check=True)
print(f"in a new process  {done.stdout.strip()}")

# By the command line, where it is installed.
if shutil.which("separa"):
    command = ["separa", "predict", "-q", str(file), str(incoming)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"by command line   {[int(line.split(',')[1]) for line in done.stdout.split()[1:]]}")

# What can go wrong has a class each, and the sentence says what to do.
damaged = file.read_bytes()[:-1]
for what in (
    lambda: rule.predict(new.drop(columns=["ash", "hue"])),
    lambda: rule.predict(new.assign(ash=float("nan"))),
    lambda: separa.Model.from_bytes(damaged),  # the last byte is missing
    lambda: separa.load(folder / "wien.separa"),
):
    try:
        what()
    except (exceptions.DataError, exceptions.ModelError, exceptions.FileError) as trouble:
        print(f"{type(trouble).__name__}: {str(trouble).replace(str(folder), '...')}")
shutil.rmtree(folder)
