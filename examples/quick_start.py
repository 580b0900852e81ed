"""Quick start: cluster a table, read the verdict, label new rows. Needs NumPy alone.

    python examples/quick_start.py
"""

import tempfile
from pathlib import Path

import numpy as np

import separa

# 178 wines, 13 features in different units; the last column is the cultivar, which no fit sees.
table = np.loadtxt(Path(__file__).parent / "data" / "wine.csv", delimiter=",", skiprows=1)
X, cultivar = table[:, :-1], table[:, -1]

model = separa.fit(X, method="mspc", n_clusters=3)
print(f"sizes           {np.bincount(model.labels_).tolist()}")
print(f"MSP             {model.msp_:.3f}   (null MSP {model.msp_null_:.3f})")
print(f"p (Gaussian)    {model.p_gauss_:.2g}")
print(f"p (unimodal)    {model.p_unimodal_:.2g}")
print(f"in words        {model.verdict_}")

# The model is a rule: it labels rows it has not seen.
new = X[[0, 90, 170]] * 1.01
print(f"three new rows  {model.predict(new).tolist()}")

# A file keeps the rule, for another day or for the command line (separa predict wine.separa ...).
path = Path(tempfile.mkdtemp()) / "wine.separa"
separa.save(model, path)
print(f"from the file   {separa.load(path).predict(new).tolist()}")

# Here we happen to know the classes, so we can look.
wrong = round(separa.metrics.clustering_error(model.labels_, cultivar) * len(X))
print(f"not its cultivar {wrong} of {len(X)}")
