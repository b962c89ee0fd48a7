"""The rule for which measures apply to a comparison.

Measures of memberships apply to soft clusterings, all measures of labels to hard ones. Density
measures need the profiles of the clusters, and ``css_distance`` their centroids: the profiles can
be computed from any features, the centroids from numeric features without missing values only.
"""

from collections.abc import Callable, Iterable, Sequence

from clusterwise._utils.errors import InputError
from clusterwise.measures.catalogue import CATALOGUE, Measure, find_measure

_HARD_LABELS = "pass labels such as the memberships' argmax(axis=1)"


def needs_profiles(measure: Measure) -> bool:
    """Whether a measure is computed from two density profiles."""
    return measure.family == "density"


def needs_centroids(measure: Measure) -> bool:
    """Whether a measure is computed from an overlap with the centroids of the clusters."""
    return measure.needs_data and not needs_profiles(measure)


def applicable_measures(
    *,
    soft: bool,
    with_profiles: bool = False,
    with_centroids: bool = False,
    fractional_weights: bool = False,
) -> list[str]:
    """Return the names of all measures that apply.

    Parameters
    ----------
    soft : bool
        Whether one of the clusterings is soft.
    with_profiles, with_centroids : bool
        Whether density profiles and the centroids of the clusters are known.
    fractional_weights : bool
        Whether objects have weights that are not integers.
    """
    return [
        one.name
        for one in CATALOGUE.values()
        if (one.soft or not soft)
        and (one.weights == "any" or not fractional_weights)
        and (with_profiles or not needs_profiles(one))
        and (with_centroids or not needs_centroids(one))
    ]


def default_measures(*, soft: bool, with_profiles: bool) -> list[str]:
    """Return the default measures for more than two clusterings.

    The adjusted Rand index counts softness as disagreement, even of a clustering with itself, so
    it is replaced if a clustering is soft. With features, a density measure is added.
    """
    first = "irm_score" if soft else "adjusted_rand_score"
    return [first, "adco_score"] if with_profiles else [first]


def check_measures(
    measures: Iterable[str],
    *,
    soft: str | None = None,
    with_profiles: bool = True,
    with_centroids: bool = True,
    hard_labels: str = _HARD_LABELS,
) -> list[Measure]:
    """Return the measures of these names, or raise an error if one of them does not apply.

    Parameters
    ----------
    measures : iterable of str
        Names from the catalogue.
    soft : str, optional
        The name of a clustering that is soft, if there is one.
    with_profiles, with_centroids : bool
        Whether density profiles and the centroids of the clusters are known.
    hard_labels : str
        What the error suggests in place of a soft clustering.
    """
    found = [find_measure(name) for name in measures]
    for one in found:
        lacks_profiles = needs_profiles(one) and not with_profiles
        if lacks_profiles or (needs_centroids(one) and not with_centroids):
            raise InputError(f"{one.name} needs the features of the objects; pass X.")
        if soft is not None and not one.soft:
            raise InputError(
                f"{one.name} takes one label per object, but {soft} is soft; leave it out, or "
                f"{hard_labels}."
            )
    return found


def wants_profiles(measures: Sequence[str] | None) -> bool:
    """Whether one of the measures, by default all, needs density profiles."""
    return measures is None or any(needs_profiles(find_measure(name)) for name in measures)


def wants_centroids(measures: Sequence[str] | None, possible: Callable[[], bool]) -> bool:
    """Whether one of the measures needs centroids; by default, whether they can be computed."""
    if measures is None:
        return possible()
    return any(needs_centroids(find_measure(name)) for name in measures)
