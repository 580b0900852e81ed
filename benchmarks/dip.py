"""Size and power of the dip test (PyPI diptest), to read beside benchmarks/calibration.md.

    python benchmarks/dip.py [--clouds N]

As p_unimodal is: the direction comes from 2-means on the z-scores of one half, the dip (Hartigan & Hartigan
1985) is that of the other half's projections, then the halves swap; twice the smaller p-value.
"""
import argparse

import diptest
import numpy as np
from sklearn.cluster import KMeans


def elongated(rng, n, d):
    return rng.normal(size=(n, d)) * np.where(np.arange(d) == 0, 5.0, 1.0)


def correlated(rng, n, d):
    """Correlation 0.8^|i - j| between columns i and j."""
    x = rng.normal(size=(n, d))
    for j in range(1, d):
        x[:, j] = 0.8 * x[:, j - 1] + 0.6 * x[:, j]
    return x


def ball(rng, n, d):
    x = rng.normal(size=(n, d))
    return x * (rng.uniform(size=(n, 1)) ** (1 / d) / np.linalg.norm(x, axis=1, keepdims=True))


# Those of the example `calibration`.
SHAPES = {
    "spherical": lambda rng, n, d: rng.normal(size=(n, d)),
    "elongated": elongated,
    "correlated": correlated,
    "box": lambda rng, n, d: rng.uniform(size=(n, d)),
    "ball": ball,
    "t5": lambda rng, n, d: rng.standard_t(5, (n, d)),
    "log-normal": lambda rng, n, d: np.exp(0.5 * rng.normal(size=(n, d))),
}


def p_value(x, seed):
    z = (x - x.mean(0)) / x.std(0)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(z))
    halves = order[: len(z) // 2], order[len(z) // 2 :]
    least = 1.0
    for learn, judge in (halves, halves[::-1]):
        centres = KMeans(2, n_init=2, random_state=seed).fit(z[learn]).cluster_centers_
        least = min(least, diptest.diptest(z[judge] @ (centres[1] - centres[0]))[1])
    return min(1.0, 2 * least)


def shares(draw, clouds):
    p = np.array([p_value(draw(np.random.default_rng([7, i])), i) for i in range(clouds)])
    return f"{np.mean(p <= 0.05):.3f} | {np.mean(p <= 0.01):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clouds", type=int, default=1000)
    clouds = parser.parse_args().clouds
    print(f"{clouds} clouds a cell\n\n| shape | d | N | dip .05 | .01 |\n|---|---:|---:|---:|---:|")
    for name, draw in SHAPES.items():
        for d in (2, 10, 50):
            for n in (100, 500, 2000):
                print(f"| {name} | {d} | {n} | {shares(lambda rng: draw(rng, n, d), clouds)} |", flush=True)
    print("\nN = 500, d = 10\n\n| mixture | distance in sd | dip .05 | .01 |\n|---|---:|---:|---:|")
    for name, share in (("50/50", 0.5), ("90/10", 0.1)):
        for distance in range(2, 7):
            def two(rng):
                w = rng.normal(size=10)
                second = rng.uniform(size=(500, 1)) < share
                return rng.normal(size=(500, 10)) + distance * second * w / np.linalg.norm(w)
            print(f"| {name} | {distance} | {shares(two, clouds)} |", flush=True)


if __name__ == "__main__":
    main()
