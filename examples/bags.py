"""Things that are sets of rows: photographs by their regions, customers by their visits.

Each thing is a bag, an array of its own; arrays need not be equally long. Two bags are alike where
every row of one has a near row in the other (Hausdorff's distance).

    python examples/bags.py
"""

import numpy as np

import separa

rng = np.random.default_rng(3)

# Customers by their visits: minutes in the shop, money spent. Both kinds are the same on average; one
# always buys as much, the other little things and every fourth time a large one.
even, small, large = np.array([19, 41]), np.array([10, 15]), np.array([46, 119])


def customer(uneven):
    visits = 4 * rng.integers(1, 4)
    places = np.where(np.arange(visits)[:, None] % 4 == 3, large, small) if uneven else even
    return places + rng.normal(0, 3, (visits, 2))


kinds = np.arange(80) % 2
customers = [customer(kind) for kind in kinds]

model = separa.fit(customers, "msc", n_clusters=2)
for line in separa.metrics.cluster_table(model.labels_, kinds):
    print(line)
error = separa.metrics.clustering_error(model.labels_, kinds)
print(f"by their visits: {error:.0%} wrong")

# One row of means each forgets what separates them.
means = np.array([visits.mean(axis=0) for visits in customers])
flat = separa.fit(means, "msc", n_clusters=2)
print(f"by their means: {separa.metrics.clustering_error(flat.labels_, kinds):.0%} wrong")

newcomer = customer(True)
print("a new customer goes to cluster", model.predict([newcomer])[0])
assert error == 0 and model.predict([newcomer])[0] == model.labels_[1]
