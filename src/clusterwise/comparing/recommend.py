"""Recommend measures for the clusterings at hand."""

from collections.abc import Sequence
from typing import Any

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import Integer
from clusterwise._utils.random import as_generator
from clusterwise._utils.tables import format_count
from clusterwise.comparing.failings import find_failings
from clusterwise.comparing.measure_needs import Need, find_needs, is_unbalanced, parse_needs
from clusterwise.comparing.recommendation import Advice, Recommendation
from clusterwise.comparing.significance import N_PERMUTATIONS
from clusterwise.inputs.clusterings import Align, LabelOptions, Missing, Noise
from clusterwise.measures._label_options import contingency, documented, label_options
from clusterwise.measures.catalogue import find_measure
from clusterwise.measures.chance.permutation import FEWEST_PERMUTATIONS
from clusterwise.measures.chance.statistics import require_counts
from clusterwise.summaries.contingency.contingency import Contingency

# Measures that are often used and are not adjusted for chance.
_POPULAR = ("rand_score", "normalized_mutual_info_score", "purity_score")
_ADJUSTED = ("adjusted_rand_score", "adjusted_mutual_info_score")
# A popular measure is advised against if independent clusterings have such a value.
_TOO_HIGH = 0.1


@documented(n_permutations=Integer(FEWEST_PERMUTATIONS))
def recommend(
    a: Any = None,
    b: Any = None,
    *,
    needs: str | Sequence[str] = (),
    n_permutations: int = N_PERMUTATIONS,
    random_state: Any = 0,
    sample_weight: Any = None,
    noise: Noise = "cluster",
    noise_label: Any = -1,
    align: Align | None = None,
    missing: Missing = "error",
) -> Recommendation:
    """Recommend two or three measures, with their known failings for these cluster sizes.

    The failings are computed: what independent clusterings of the same sizes score, whether that
    grows with the number of clusters, and what is left of the score if the smallest cluster is
    lost.

    Parameters
    ----------
    a, b : array-like of shape (n,), optional
        Labels of the same objects, or a :class:`~clusterwise.Contingency` as ``a``. With ``a``
        alone, the other clustering is taken to have the same sizes.
    needs : str or sequence of str, optional
        What matters: ``"unbalanced"``, ``"balanced"``, ``"different numbers of clusters"``,
        ``"many clusters"``, ``"reference"`` (one clustering is the truth), ``"objects"`` (a
        proportion of objects), ``"distance"`` (a metric), ``"soft"`` or ``"different objects"``;
        several are separated by commas. The first four are also read off the cluster sizes.
    n_permutations : int, default=500
        The number of random tables for values by chance that are not known in closed form.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random tables.
    {label_options}

    Returns
    -------
    Recommendation

    See Also
    --------
    list_measures : All measures and their properties.
    adjusted : Any measure, adjusted for chance.

    References
    ----------
    S. Romano, N. X. Vinh, J. Bailey, K. Verspoor. Adjusting for chance clustering comparison
    measures. JMLR 17 (2016) 1-32. https://jmlr.org/papers/v17/15-627.html

    Examples
    --------
    >>> from clusterwise import recommend
    >>> segments = ["basic"] * 900 + ["silver"] * 80 + ["gold"] * 20
    >>> print(recommend(segments).summary())
    Use adjusted_mutual_info_score and cluster_accuracy_score. adjusted_mutual_info_score: small
    clusters count for more than in measures of pairs of objects. cluster_accuracy_score: it is the
    proportion of objects in matching clusters. It is not adjusted for chance: independent
    clusterings of these sizes score 0.82. It hardly notices small clusters: it is 0.98 if the
    smallest one (20 objects) joins the largest. Avoid rand_score: independent clusterings of these
    sizes score 0.70. Avoid purity_score: independent clusterings of these sizes score 0.90.
    >>> recommend(needs="reference, distance").measures
    ('wallace_score', 'variation_of_information', 'adjusted_rand_score')
    """
    wanted = parse_needs(needs)
    table: Contingency | None = None
    if a is not None:
        options = label_options(sample_weight, noise, noise_label, align, missing)
        table = _read_table(a, b, options)
        wanted = list(dict.fromkeys([*wanted, *find_needs([table.row_sums, table.column_sums])]))
    elif b is not None:
        raise InputError("b is the second clustering; pass the first one as a.")
    elif not wanted:
        raise InputError("pass a clustering or needs, such as needs='unbalanced, reference'.")
    reasons = _list_reasons(wanted)
    if table is None:
        return Recommendation([Advice(name, tuple(why), None) for name, why in reasons.items()])
    names = dict.fromkeys((*reasons, *_POPULAR))
    of_labels = [name for name in names if not find_measure(name).needs_data]
    failings = find_failings(table, of_labels, n_permutations, as_generator(random_state))
    advice = [Advice(name, tuple(why), failings.get(name)) for name, why in reasons.items()]
    for name in _POPULAR:
        one = failings[name]
        if name not in reasons and max(one.by_chance, one.by_chance_if_finer) >= _TOO_HIGH:
            advice.append(Advice(name, (), one))
    smallest = int(table.row_sums.min()) if is_unbalanced(table.row_sums) else None
    return Recommendation(advice, smallest)


def _read_table(a: Any, b: Any, options: LabelOptions) -> Contingency:
    """Return the table of both clusterings, or of the first one with itself."""
    both = b is not None or isinstance(a, Contingency)
    table = contingency(a, b if both else a, options)
    require_counts(table)
    for name, clusters in zip("ab" if both else "a", table.shape, strict=False):
        if clusters < 2:
            raise InputError(
                f"{name} has {format_count(clusters, 'cluster')}; measures need at least two."
            )
    return table


def _list_reasons(wanted: Sequence[Need]) -> dict[str, list[str]]:
    """Return at least two measures, one of them adjusted for chance, and why to use them."""
    reasons: dict[str, list[str]] = {}
    for need in wanted:
        reasons.setdefault(need.measure, []).append(need.why)
    if not reasons.keys() & set(_ADJUSTED):
        reasons[_ADJUSTED[0]] = ["it is adjusted for chance and the best known"]
    if len(reasons) == 1:
        reasons["cluster_accuracy_score"] = ["it is the proportion of objects in matching clusters"]
    return reasons
