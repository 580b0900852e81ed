"""A pandas table with words and gaps, through a scikit-learn pipeline and back into the table.

    python examples/pandas_pipeline.py
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from separa import MSPC
from separa.metrics import clustering_error, msp_scorer

wine = pd.read_csv(Path(__file__).parent / "data" / "wine.csv")
cultivar = wine.pop("cultivar")

# What real tables look like: a column of words, and a tenth of one column missing.
wine["bottle"] = [f"no. {i}" for i in range(len(wine))]
gaps = np.random.default_rng(0).choice(len(wine), size=18, replace=False)
wine.loc[gaps, "magnesium"] = np.nan

# Numbers get their gaps filled, words are left out. No scaler: MSPC needs none.
numbers = make_column_transformer(
    (SimpleImputer(strategy="median"), make_column_selector(dtype_include="number")),
    verbose_feature_names_out=False,
)
pipeline = make_pipeline(numbers, MSPC(n_clusters=3)).set_output(transform="pandas")
wine["cluster"] = pipeline.fit_predict(wine)

mspc = pipeline[-1]
print(f"{len(mspc.feature_names_in_)} columns used, first: {', '.join(mspc.feature_names_in_[:3])}")
print(f"MSP {mspc.msp_:.3f}, null MSP {mspc.msp_null_:.3f}, p (unimodal) {mspc.p_unimodal_:.2g}")
print(f"the pipeline's score, as a search would see it: {msp_scorer(pipeline, wine):.3f}\n")

print(wine.groupby("cluster")[["alcohol", "flavanoids", "color_intensity", "proline"]].mean().round(2))
print("\nclusters against cultivars")
print(pd.crosstab(wine["cluster"], cultivar))

# New rows take the same road, gaps and all.
new = wine.drop(columns="cluster").sample(3, random_state=1)
new["ash"] = np.nan
print(f"\nthree rows without their ash: {pipeline.predict(new).tolist()}")
print(f"with it:                      {wine.loc[new.index, 'cluster'].tolist()}")
assert clustering_error(wine["cluster"], cultivar) < 0.1
