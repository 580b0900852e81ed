"""What people wrote about each class: `generate.py` puts it around the engine's own list of parameters.

A class has a summary, perhaps details, its objective, other attributes of its own, and an example.
"""

from __future__ import annotations

#: The parameters that say how to run and not what to compute: name, annotation, default, kind, text.
RUN = [
    ("random_state", "RandomState", "0", "int, None, RandomState or Generator",
     "Seed of {drawn}; None draws a new one at every fit."),
    ("n_jobs", "int | None", "None", "int", "Threads; None takes all cores. The result does not depend on it."),
    ("max_memory", "int | str | None", "None", "int or str",
     'Bytes or a size like "4G"; None takes 80 % of what is free.'),
    ("callback", "Callback | None", "None", "callable",
     "Called with a :class:`separa.Progress` at every step; a true value ends the fit with its best so far."),
    ("verbose", "int", "0", "int", "1 shows a progress bar."),
    ("prepare", "str", '"auto"', '{"auto", "none"}',
     "Whether data frames are prepared (:func:`separa.prepare`): ids left out, words and dates encoded, gaps "
     "filled. Arrays are taken as they are."),
]

#: The parameter that matters if the number of clusters is found.
K_MAX = ("k_max", "int | None", "None", "int",
         'Clusters that ``n_clusters="auto"`` looks for at most; None takes 24.')

#: What every fit says of itself and of its table.
NOTES = {
    "notes_": ("list of str", "What to know about the fit; first what was done to a data frame."),
    "preparation_": ("dict or None", "How a data frame was prepared, column by column; None of an array."),
}

#: The attributes of every clusterer: name, kind, text. A class can replace a text by the name.
CLUSTERER = {
    "labels_": ("ndarray of int32", "Cluster of every training row, numbered by first appearance."),
    "n_clusters_, n_iter_, n_features_in_": ("int", "Clusters, iterations of the main loop, columns."),
    "feature_names_in_": ("ndarray of str", "Only if all column names of the training table are strings."),
    "objective_": ("float", ""),
    "stop_": ('{"converged", "max_iter", "stalled", "cancelled"}', "How the fit ended."),
    "agreement_, agreement_chance_": (
        "float or None",
        "Held-out agreement: how often rules learnt on two halves of the rows put a row into the same cluster, and "
        "what chance gives; None if the fit was not judged, or has too few rows for halves.",
    ),
    "msp_, msp_null_": (
        "float or None",
        "Worst-case separability of the closest pair of clusters, and what one Gaussian would score; None "
        "if the fit was not judged.",
    ),
    "p_gauss_, p_unimodal_": (
        "float or None",
        "P-values: is it a single Gaussian, is there no gap between the clusters? Small means no. For more "
        "than two clusters they take the labels as given and are too small, the first much, the second a "
        "little.",
    ),
    "feature_importance_": (
        "dict",
        "``{(a, b): {feature: fraction}}``: which features separate every pair of clusters, the largest "
        "first; empty if the fit was not judged.",
    ),
    "auto_": ("dict", 'Only with ``n_clusters="auto"``: how the number was found.'),
    **NOTES,
    "model_": ("Model", "The rule itself: what :func:`separa.save` writes."),
}

#: The attributes of every classifier.
CLASSIFIER = {
    "classes_": ("ndarray", "The classes, sorted."),
    "accuracy_": ("float", "Fraction of the training rows that get their own class."),
    "held_out_": (
        "float or None",
        "The same of rows held out in cross-validation, with the settings that did best: a little too high, "
        "because they were chosen by it. None if nothing was to be chosen.",
    ),
    "settings_": (
        "dict", "Settings as they were used: chosen by cross-validation, from the data, or given."
    ),
    "bounds_": ("list of dict", ""),
    "n_features_in_": ("int", "Columns."),
    "feature_names_in_": ("ndarray of str", "Only if all column names of the training table are strings."),
    **NOTES,
    "model_": ("Model", "The rule itself: what :func:`separa.save` writes."),
}

LINEAR = ("ndarray", "The rule as a linear one: ``X @ coef_.T + intercept_`` are the decision values.")
ENTROPY = (
    "The mean entropy of the probabilities, plus reg times the squared weights, less balance_weight times "
    "the entropy of the mean probabilities; in nats."
)
BOUNDS = (
    "One for each pair of classes (or class and rest): ``class`` and ``against`` (places in ``classes_``), "
    "``alpha`` (worst-case accuracy of each side{whose}), ``reg`` (the regulariser it belongs to) and "
    "``rate`` (the fraction of each side's training rows on its side)."
)
FOUR = "[[0.0], [0.2], [9.0], [9.1]]"
SIX = '[[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]], list("aaabbb")'


def four(name: str) -> str:
    """The example of a clusterer that needs no other."""
    return f"""
>>> from separa import {name}
>>> {name}(n_clusters=2).fit_predict({FOUR})
array([0, 0, 1, 1], dtype=int32)
"""


def six(name: str, given: str) -> str:
    """The example of a classifier."""
    return f"""
>>> from separa import {name}
>>> rule = {name}({given}).fit({SIX})
>>> rule.predict([[0.3], [8.0]])
array(['a', 'b'], dtype='<U1')
"""


#: By class: summary, details, texts of attributes (a pair adds one, before `stop_`), example, base class.
CLASSES = {
    "MSPC": {
        "summary": "Maximin separation probability clustering.",
        "details": "Finds the clusters that a linear rule separates best in the worst case. "
        "With its default settings not one label changes when a feature changes its unit.",
        "attributes": {
            "labels_": "Cluster of every training row, numbered by first appearance; -1 for outliers with "
            '``outliers="mark"``.',
            "objective_": "The separation probability of the last iteration.",
            "coef_, intercept_": (
                "ndarray",
                "The rule in the units of the table: ``X @ coef_.T + intercept_`` are the decision values "
                "of rows that are not clipped. Only for two clusters and the linear kernel.",
            ),
        },
        "example": """
>>> import numpy as np
>>> from separa import MSPC
>>> rng = np.random.default_rng(0)
>>> X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal(7, 1, (60, 2))])
>>> mspc = MSPC(n_clusters=2).fit(X)
>>> bool((mspc.fit_predict(X * [1, 1000]) == mspc.labels_).all())
True
>>> mspc.predict([[0.0, 0.5], [7.0, 6.0]])
array([0, 1], dtype=int32)
""",
    },
    "KMeans": {
        "summary": "k-means: every row belongs to the nearest centre.",
        "attributes": {
            "objective_": "The inertia: squared distances to the nearest centre, summed.",
            "coef_, intercept_": LINEAR,
        },
        "example": four("KMeans"),
    },
    "MSC": {
        "summary": "Maximal separation clustering, for any metric or kernel.",
        "details": "A row is described by its distances to the training rows; the boundary is the hyperplane "
        "in the space of these distances from which the rows lie farthest. More than two clusters are found "
        "by splitting parts again.\n\n"
        "A list of 2-D arrays is a list of bags: each array is one thing to cluster, and two of them are as "
        "far apart as Hausdorff's distance says, with the metric between rows. ``predict`` takes such a "
        "list, too; labels and weights are one per bag. Bags are not judged: ``msp_`` is None.",
        "attributes": {
            "n_clusters_, n_iter_, n_features_in_": "Clusters, splits, columns.",
            "objective_": "What was maximised, summed over the splits.",
            "model_": "The rule itself: what :func:`separa.save` writes. It holds the training rows, or the "
            "landmarks.",
        },
        "example": four("MSC") + """>>> import numpy as np
>>> bags = [np.array([[0.0], [1.0]]), np.array([[0.1], [0.5], [1.1]]), np.array([[0.0], [9.0]])]
>>> MSC(n_clusters=2).fit_predict(bags)
array([0, 0, 1], dtype=int32)
""",
    },
    "KernelKMeans": {
        "summary": "k-means in the space of a kernel, for curved boundaries.",
        "details": "Free of units by default.",
        "attributes": {
            "objective_": "Squared distances to the nearest centre in the space of the kernel, summed."
        },
        "example": four("KernelKMeans"),
    },
    "SpectralClustering": {
        "summary": "k-means on the leading eigenvectors of a graph of rows.",
        "details": "Free of units by default. New rows are labelled by "
        "Nyström's extension of the eigenvectors.",
        "attributes": {
            "objective_": "The inertia among the eigenvectors, or the normalised cut if threshold is best or "
            "zero."
        },
        "example": four("SpectralClustering"),
    },
    "CDSK": {
        "base": "DiscriminativeSimilarity",
        "summary": "Clustering by discriminative similarity.",
        "details": "A graph of rows is cut by its eigenvectors; among six graphs, and among the restarts of "
        "k-means on each, the one is kept whose clusters the votes of the rows' neighbours tell best. New "
        "rows are labelled by the same vote, and rows that were fitted keep their label.",
        "attributes": {
            "objective_": "The inertia among the eigenvectors.",
            "alpha_": (
                "ndarray of float64",
                "Weight of every training row of positive sample weight in the vote; they sum to one.",
            ),
            "exemplars_": (
                "list of ndarray",
                "For each cluster the places of up to five exemplars: rows that the others of it vote for "
                "most.",
            ),
            "similarity_": (
                "str", "The similarity that was used: the chosen one if ``similarity`` is auto."
            ),
        },
        "example": """
>>> from separa import CDSK
>>> CDSK(n_clusters=2).fit_predict([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]])
array([0, 0, 0, 1, 1, 1], dtype=int32)
""",
    },
    "LogisticClustering": {
        "summary": "Logistic clustering: the softmax whose labels are the surest and the most evenly spread.",
        "details": "It has probabilities: ``predict_proba``. Free of units by default.",
        "attributes": {
            "objective_": ENTROPY,
            "coef_, intercept_": (
                "ndarray", "With the linear kernel: ``X @ coef_.T + intercept_`` are the decision values."
            ),
        },
        "example": f"""
>>> from separa import LogisticClustering
>>> model = LogisticClustering(n_clusters=2).fit({FOUR})
>>> model.labels_
array([0, 0, 1, 1], dtype=int32)
>>> bool(model.predict_proba([[0.1]])[0, 0] > 0.9)
True
""",
    },
    "MRMC": {
        "summary": "Maximum relative margin clustering: logistic clustering with the posterior of the hinge.",
        "details": "It has probabilities: ``predict_proba``. Free of units by default.",
        "attributes": {
            "objective_": ENTROPY,
            "coef_, intercept_": (
                "ndarray", "With the linear kernel: ``X @ coef_.T + intercept_`` are the decision values."
            ),
        },
        "example": four("MRMC"),
    },
    "FuzzyKMeans": {
        "summary": "Fuzzy k-means: every row belongs to every centre, with a probability that falls with its "
        "distance.",
        "details": "It has probabilities: ``predict_proba``. Free of units by "
        "default.",
        "attributes": {
            "objective_": "Minus σ² times the sum of log Σ exp(−‖x − c‖²/σ²); the inertia of k-means if σ² "
            "is small.",
            "coef_, intercept_": LINEAR,
        },
        "example": four("FuzzyKMeans"),
    },
    "CRFClustering": {
        "summary": "Segments sequences: every row gets a state, by what it holds and by the rows around it.",
        "details": "A list of 2-D arrays is a list of sequences, rows in order; ``[X]`` is one sequence. "
        "``labels_``, ``predict`` and ``predict_proba`` go through all rows, one sequence after the other. "
        "One table alone is taken for unrelated rows. A model that was fitted on sequences wants "
        "sequences.\n\n"
        "It has probabilities: ``predict_proba``. Free of units by default.",
        "attributes": {
            "objective_": "The entropy of whole sequences over the number of rows, plus the weighted squares "
            "of the weights, less balance_weight times the entropy of the mean probabilities; in nats.",
            "msp_, msp_null_": "Worst-case separability of the closest pair of clusters by one row, and what "
            "one Gaussian would score; None if the fit was not judged.",
            "p_gauss_, p_unimodal_": "P-values: is it a single Gaussian, is there no gap between the "
            "clusters? Small means no. For sequences, and for more than two clusters, they take the labels "
            "as given and are too small.",
            "coef_, intercept_": (
                "ndarray", "For unrelated rows: ``X @ coef_.T + intercept_`` are the decision values."
            ),
        },
        "example": """
>>> import numpy as np
>>> from separa import CRFClustering
>>> rng = np.random.default_rng(0)
>>> states = np.repeat([0, 1, 0, 1, 0], 40)
>>> sequence = rng.normal(2.0 * states, 1.0)[:, None]
>>> model = CRFClustering(n_clusters=2).fit([sequence])
>>> bool(np.mean(model.labels_ != states) < 0.05)
True
>>> model.predict_proba([sequence[:50], sequence[50:60]]).shape
(60, 2)
""",
    },
    "ARMC": {
        "summary": "A support vector machine that finds its own labels, for flat or curved boundaries.",
        "details": "Labels and machine improve each other in turns, with a fraction of the rows on each side "
        "while they do. Free of units by default.",
        "attributes": {
            "objective_": "Summed hinge losses and λwᵀw, over all splits or clusters.",
            "coef_, intercept_": (
                "ndarray",
                "Of kernel=linear with two clusters, or with multiclass=rest: weights of the columns and "
                "biases.",
            ),
        },
        "example": four("ARMC"),
    },
    "MPMClassifier": {
        "summary": "The minimax probability machine: the boundary whose worst case is best, and that worst case.",
        "details": "Whatever the distributions of the classes, with their means and covariances at least the "
        "fraction ``alpha`` of each is on its side of the boundary. See ``docs/methods/mpm.md``.",
        "attributes": {
            "bounds_": BOUNDS.format(whose=""),
            "coef_, intercept_": (
                "ndarray", "If the rule is linear: ``X @ coef_.T + intercept_`` are the decision values."
            ),
        },
        "example": six("MPMClassifier", "reg=0.1") + """>>> bool(rule.bounds_[0]["alpha"][0] > 0.9)
True
""",
    },
    "MCPMClassifier": {
        "summary": "The minimax clustering probability machine: learns from summaries of the rows.",
        "details": "Each class is summarised by a few Gaussians in one pass; a minimax probability machine "
        "between them, in the space of a probability product kernel, is the rule. It holds summaries only. "
        "See ``docs/methods/mcpm.md``.",
        "attributes": {
            "bounds_": BOUNDS.format(whose=", by the moments of the summaries, not of the rows")
        },
        "example": six("MCPMClassifier", "summaries=2"),
    },
    "SCMClassifier": {
        "summary": "The support cluster machine: a support vector machine of summaries of the rows.",
        "details": "As :class:`separa.MCPMClassifier`, with a support vector machine between the summaries, "
        "whose prices follow their weights. See ``docs/methods/scm.md``.",
        "attributes": {"bounds_": "Empty: this classifier guarantees nothing."},
        "example": six("SCMClassifier", "summaries=2"),
    },
}
