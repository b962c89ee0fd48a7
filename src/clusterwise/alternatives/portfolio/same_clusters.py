"""Whether two alternatives are the same clustering, but for a few objects."""

from clusterwise.inputs.clusterings import Clustering, as_hard_clustering
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score

# Two alternatives are the same if their variation of information is less than this fraction of
# the sum of their entropies. 1 - NMI, by the mean of entropies, is that fraction.
_SAME = 0.25


def is_same(labels: Array | Clustering, other: Array | Clustering) -> bool:
    """Return whether two clusterings are the same alternative."""
    similarity = normalized_mutual_info_score(as_hard_clustering(labels), as_hard_clustering(other))
    return similarity > 1.0 - _SAME
