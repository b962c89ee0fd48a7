"""Generalised Dunn indices: the papers do not say which distance and diameter they use."""

from itertools import product
from typing import Any, NamedTuple, get_args

from clusterwise.inputs.encoding import Array
from clusterwise.measures._cluster_slices import Between, Within
from clusterwise.measures.dq import DQ, dq_parts


class Form(NamedTuple):
    """A distance between clusters, and a diameter of a cluster."""

    between: Between
    within: Within

    @property
    def title(self) -> str:
        """A description."""
        return f"{self.between} / {self.within}"


# The quality "dunn_centroids".
USUAL_FORM = Form("centroid", "centroid")
# Those with time linear in the number of objects.
QUICK_FORMS = (USUAL_FORM, Form("average-to-centroids", "centroid"))
FORMS = (
    *QUICK_FORMS,
    Form("average", "centroid"),
    Form("average", "average"),
    Form("single", "diameter"),
)
ALL_FORMS = tuple(Form(*pair) for pair in product(get_args(Between), get_args(Within)))
DUNN_REMARK = (
    "The paper uses a generalised Dunn index but does not say which distance between clusters and "
    "which diameter: ours are the distance between centroids and twice the mean distance to the "
    "centroid, unless stated otherwise."
)


def judge_by_form(points: Any, given: Array, labels: Array, form: Form = USUAL_FORM) -> DQ:
    """Return dissimilarity (1 - Jaccard index), quality by this Dunn index, and DQ."""
    return dq_parts(points, given, labels, quality="dunn", between=form.between, within=form.within)
