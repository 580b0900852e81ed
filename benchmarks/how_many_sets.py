"""Tables with a known number of groups, for benchmarks/how_many.py."""
import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine

import common


def blobs(seed):
    """K groups (1 to 12) in 2 to 50 columns: Gaussian, t5, or Gaussian with as many columns of noise.

    The nearest two centres are 4.5 to 8 deviations apart; groups hold 40 to 240 rows, have deviations
    from 0.8 to 1.2, and every column its own unit.
    """
    rng = np.random.default_rng([2026, seed])
    k = int(rng.integers(1, 13))
    d = int(rng.choice([2, 3, 5, 10, 20, 50]))
    kind = ["gaussian", "t5", "noise"][seed % 3]
    apart = rng.uniform(4.5, 8.0)
    centres = rng.normal(size=(k, d))
    if k > 1:
        gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        # Centres that fell together are drawn apart before all are scaled.
        while (np.min(gaps[np.triu_indices(k, 1)]) < 0.35 * np.median(gaps[np.triu_indices(k, 1)])):
            centres = rng.normal(size=(k, d)) * rng.uniform(0.8, 1.6, size=(k, 1))
            gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
            if d == 2 and k > 6 and np.min(gaps[np.triu_indices(k, 1)]) > 0.15 * np.median(gaps):
                break
        centres *= apart / np.min(gaps[np.triu_indices(k, 1)])
    sizes = rng.integers(40, 241, size=k) if k > 1 else rng.integers(100, 1201, size=1)
    parts, labels = [], []
    for c in range(k):
        shape = (sizes[c], d)
        draw = rng.standard_t(5, shape) / np.sqrt(5 / 3) if kind == "t5" else rng.normal(size=shape)
        parts.append(centres[c] + draw * rng.uniform(0.8, 1.2))
        labels += [c] * sizes[c]
    x = np.vstack(parts)
    if kind == "noise":
        x = np.hstack([x, rng.normal(size=x.shape)])
    x = x * 10.0 ** rng.uniform(-2, 2, size=x.shape[1])
    order = rng.permutation(len(x))
    return f"{kind} k{k} d{d}", x[order], np.array(labels)[order]


def small(seed):
    """The weak spot of the reference: five groups of 25 to 100 rows in 50 columns, 6 to 8 deviations apart."""
    rng = np.random.default_rng([2027, seed])
    rows, k, d = [25, 50, 75, 100][seed % 4], 5, 50
    centres = rng.normal(size=(k, d))
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    centres *= rng.uniform(6.0, 8.0) / np.min(gaps[np.triu_indices(k, 1)])
    x = np.vstack([c + rng.normal(size=(rows, d)) for c in centres])
    return f"small {rows} rows", x, np.repeat(np.arange(k), rows)


REAL = ["iris", "wine", "breast", "digits", "satellite", "usps", "letter A-H"]


def real(name):
    """One of the seven real sets; numbers of classes 3, 3, 2, 10, 6, 10, 8."""
    if name in ("iris", "wine", "digits"):
        data = {"iris": load_iris, "wine": load_wine, "digits": load_digits}[name]()
        return data.data, data.target
    if name == "breast":
        return common.load("breast_cancer")
    if name == "letter A-H":
        return common.pick(*common.load("letter"), range(8))
    return common.load(name)
