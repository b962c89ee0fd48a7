"""Several methods one after the other, and the best of what they find."""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.given import Given
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.mincentropy.mincentropy import MinCEntropy
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.alternatives.results import FoundClustering
from clusterwise.inputs.encoding import Array
from clusterwise.measures.information import normalized_mutual_info_score

# Two alternatives are the same if their variation of information is less than this share of the
# sum of their entropies.
_SAME = 0.25


class _Member(NamedTuple):
    """How to make an estimator, and whether it is for where nothing clear was found before."""

    make: Callable[..., Alternative]
    options: dict[str, Any]
    if_unclear: bool = False


# The quick ones first. Each sees what is given in a way of its own: taken out of the data, kept out
# by clustering inside of it, by a penalty, and by bounds, in all features or some. Searches in
# some start once, since each of them begins with one in all, which has had its starts before.
_MEMBERS = (
    _Member(OrthogonalAlternative, {}),
    _Member(CondEns, {}),
    _Member(MinCEntropy, {}),
    _Member(MAXIMUS, {"subspaces": False}),
    _Member(MAXIMUS, {"subspaces": True, "n_init": 1}, if_unclear=True),
    _Member(MAXIMUS, {"subspaces": "components", "n_init": 1}, if_unclear=True),
)


def search_portfolio(
    X: Any,
    given: Given,
    describe: Callable[[Alternative, Array], FoundClustering],
    is_clear: Callable[[FoundClustering], bool],
    *,
    budget: float,
    progress: bool | None,
    **asked: Any,
) -> list[FoundClustering]:
    """What all members find; none begins once the seconds of the budget are over.

    Some of them are left out if enough is found by the others that is clear. ``asked`` are
    parameters that all members have. Members that cannot do anything with the data are passed over.
    """
    end = perf_counter() + budget
    found: list[FoundClustering] = []
    clear: list[FoundClustering] = []
    refused: InputError | None = None
    for member in track(_MEMBERS, len(_MEMBERS), "trying methods", progress):
        enough = len(clear) >= asked["n_alternatives"]
        if found and (perf_counter() > end or (member.if_unclear and enough)):
            continue
        model = member.make(**asked, **member.options)
        if "progress" in model.get_params():
            model.set_params(progress=False)
        try:
            with warnings.catch_warnings():
                # That a method stops early says nothing about what others find.
                warnings.simplefilter("ignore", UserWarning)
                model.fit(X, given.codes.T)
        except InputError as error:
            refused = error
            continue
        new = [describe(model, labels) for labels in model.alternatives_]
        found += new
        if not member.if_unclear:
            sound = [one for one in new if not one.degenerate and is_clear(one)]
            clear = drop_repeated([*clear, *sound])
    if not found and refused is not None:
        raise refused
    return found


def drop_repeated(
    best_first: Sequence[FoundClustering],
    worth: Callable[[FoundClustering], float] | None = None,
) -> list[FoundClustering]:
    """Those that differ, best first; of several that are the same the one that is worth most.

    If nothing says what they are worth it is the most typical one. The best one by its scores is
    not the one to keep: it is the one that chance has favoured most.
    """
    groups: list[list[FoundClustering]] = []
    for one in best_first:
        group = next((group for group in groups if _alike(one, group[0]) > 1.0 - _SAME), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    kept = [max(group, key=worth or partial(_typical, group=group)) for group in groups]
    return sorted(kept, key=lambda one: -one.dq)


def _alike(one: FoundClustering, other: FoundClustering) -> float:
    # 1 - NMI, by the mean of entropies, is the variation of information over their sum.
    return normalized_mutual_info_score(one.labels, other.labels)


def _typical(one: FoundClustering, group: Sequence[FoundClustering]) -> float:
    return sum(_alike(one, other) for other in group)
