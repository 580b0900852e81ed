"""Segments of a course: a machine that idles, works or strains, seen through two noisy sensors.

Each machine's record is a sequence, an array of its own with rows in order; records need not be
equally long. A row alone says little; with its neighbours it says a lot.

    python examples/segments.py
"""

import numpy as np

import separa

rng = np.random.default_rng(5)

# Power in watts and temperature in degrees: what the sensors show in each state.
shown = np.array([[100.0, 40.0], [260.0, 44.0], [330.0, 52.0]])
noise = np.array([60.0, 4.0])


def record(length):
    states = np.zeros(length, dtype=int)
    states[0] = rng.integers(3)
    for t in range(1, length):
        states[t] = states[t - 1] if rng.random() < 0.95 else rng.integers(3)
    return shown[states] + noise * rng.normal(size=(length, 2)), states


records, states = zip(*[record(length) for length in rng.integers(80, 200, size=12)])
truth = np.concatenate(states)

model = separa.fit(records, "crf", n_clusters=3)
error = separa.metrics.clustering_error(model.labels_, truth)
print(f"rows in their sequences: {error:.1%} wrong")
for line in separa.metrics.cluster_table(model.labels_, truth):
    print(line)

# The same rows without their neighbours.
alone = separa.fit(np.vstack(records), "logistic", n_clusters=3)
print(f"rows alone: {separa.metrics.clustering_error(alone.labels_, truth):.1%} wrong")

# A new machine: a state and its probability for every row, and the segments.
new, new_states = record(60)
labels = model.predict([new])
sure = model.predict_proba([new]).max(axis=1)
edges = [0, *(np.flatnonzero(np.diff(labels)) + 1), len(labels)]
for start, end in zip(edges, edges[1:]):
    print(f"rows {start:3} to {end - 1:3}: state {labels[start]}, least sure {sure[start:end].min():.2f}")
assert error < 0.08
