"""Rows that Ray holds: a backend of your own is two methods. Needs ray and scikit-learn."""

import numpy as np
import ray

import separa


class RayBackend:
    """Blocks that Ray holds, each worked on where it is."""

    def __init__(self, blocks):
        self.blocks = blocks

    def map_reduce(self, task, fold, start, each=None):
        call = ray.remote(lambda *block: task(*block))
        rest = [()] * len(self.blocks) if each is None else [(places,) for places in each]
        for result in [call.remote(block, *more) for block, more in zip(self.blocks, rest)]:
            start = fold(start, ray.get(result))
        return start

    def map_rows(self, task):
        return [ray.remote(lambda block: task(block)).remote(block) for block in self.blocks]


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4)) + 5 * np.eye(4)[rng.integers(0, 4, 3000)]
    backend = RayBackend([ray.put(block) for block in np.array_split(X, 6)])
    found = separa.MSPC(n_clusters=4).fit(backend)
    print(found.model_.info["n"], "rows in", found.model_.info["stream"]["passes"], "passes")
    print(np.bincount(np.concatenate(ray.get(backend.map_rows(found.model_.predict)))))
