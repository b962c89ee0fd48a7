"""How likely each object is in each cluster."""

from typing import NamedTuple

from clusterwise.inputs.encoding import Array


class Likelihoods(NamedTuple):
    """Logarithms of how likely each object is in each cluster, K × n.

    ``price`` is for all objects together: what they have in common for all clusters, and what
    the parameters of the model cost (BIC).
    """

    values: Array
    price: float

    def plus(self, other: "Likelihoods") -> "Likelihoods":
        """Those of both, if they are about different features."""
        return Likelihoods(self.values + other.values, self.price + other.price)
