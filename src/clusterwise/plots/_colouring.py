"""The colours of one clustering's clusters, as given or in the order of their names."""

from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise.inputs.clusterings import encode
from clusterwise.inputs.features import in_use
from clusterwise.plots._palette import Colours, colour_names


def find_colours(labels: Any, colours: Colours | None) -> Colours:
    """Colours of just the clusters that are there; ``colours`` may know more of them."""
    names = in_use(encode(labels, "labels")).values
    if colours is None:
        return colour_names(names)
    known = dict(zip(colours.names, range(len(colours.names)), strict=True))
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"there is no colour for cluster {missing[0]!r}; pass one for each.")
    return Colours(names, colours.numbers[[known[name] for name in names]])
