"""Clusters of images without labels: which similarity was chosen, and the exemplars of each cluster."""

from sklearn.datasets import load_digits
from sklearn.metrics import normalized_mutual_info_score

from separa import CDSK

digits = load_digits()
model = CDSK(n_clusters=10).fit(digits.data)

print(f"similarity {model.similarity_}: NMI {normalized_mutual_info_score(digits.target, model.labels_):.2f}")
for cluster, rows in enumerate(model.exemplars_):
    print(f"cluster {cluster}: rows {rows.tolist()} show {digits.target[rows].tolist()}")

# New images are labelled by the votes of the fitted ones.
print(model.predict(digits.data[:5] + 0.5), model.labels_[:5])
