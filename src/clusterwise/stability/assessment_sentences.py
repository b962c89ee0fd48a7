"""The sentences on the stability of clusters, from the numbers of their tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from clusterwise._utils.tables import format_list, format_score
from clusterwise.stability.beyond_null import NullStability
from clusterwise.stability.null_models import WORDS

# A cluster is stable from this mean Jaccard index on [Hennig].
STABLE = 0.75
# The most unstable clusters that have a sentence of their own, and the most that are named.
_MOST_SENTENCES, _MOST_NAMES = 3, 6


class ClusterStability(NamedTuple):
    """The stability of a cluster.

    ``jaccard`` is the mean of its largest Jaccard index in each copy, and ``low`` and ``high`` are
    quantiles (95 % are in between). ``recovered`` and ``dissolved`` count the copies in which it is
    at least 0.75, and below 0.5. ``merges_with`` is the cluster (or noise) that it is merged with
    in most of the latter; None if there is none.
    """

    cluster: Any
    size: int
    jaccard: float
    low: float
    high: float
    recovered: int
    dissolved: int
    merges_with: Any

    @property
    def stable(self) -> bool:
        """Whether the mean Jaccard index is at least 0.75."""
        return self.jaccard >= STABLE


def say_clusters(clusters: Sequence[ClusterStability], copies: int, *, beyond: bool) -> list[str]:
    """Say which clusters are stable, and what becomes of the others.

    ``beyond`` says whether the clustering is more stable than chance.
    """
    stable = [one for one in clusters if one.stable]
    others = sorted((one for one in clusters if not one.stable), key=lambda one: one.jaccard)
    found = [] if stable else [f"No cluster is stable over {copies:,} resamples."]
    if stable:
        subject, scores = _list_stable(stable, len(clusters))
        scores = f"(Jaccard {scores} over {copies:,} resamples)"
        is_ = "is" if len(stable) == 1 else "are"
        comes = "comes" if len(stable) == 1 else "come"
        found.append(
            f"{subject} {is_} stable {scores}."
            if beyond
            else f"{subject} {comes} back nevertheless {scores}, as parts of one cluster can."
        )
    verb = "is not: it was" if stable and beyond else "was"
    found += [_say_lost(one, copies, verb) for one in others[:_MOST_SENTENCES]]
    rest = [str(one.cluster) for one in others[_MOST_SENTENCES:]]
    if rest:
        are = "is" if len(rest) == 1 else "are"
        found.append(f"{len(rest)} more {are} not stable: {format_list(rest, _MOST_NAMES)}.")
    return found


def _list_stable(stable: Sequence[ClusterStability], size: int) -> tuple[str, str]:
    """Return the names of stable clusters as a subject, and their Jaccard indices."""
    scores = [format_score(one.jaccard) for one in stable]
    if len(stable) > _MOST_NAMES:
        few = f"All {size}" if len(stable) == size else f"{len(stable)} of {size}"
        return f"{few} clusters", f"{min(scores)} to {max(scores)}"
    names = format_list([str(one.cluster) for one in stable], _MOST_NAMES)
    subject = f"Cluster {names}" if len(stable) == 1 else f"Clusters {names}"
    if len(stable) == size:
        subject = "Both clusters" if size == 2 else f"All {size} clusters"
    return subject, format_list(scores, _MOST_NAMES)


def _say_lost(one: ClusterStability, copies: int, verb: str) -> str:
    lost = f"Cluster {one.cluster} {verb} lost in {one.dissolved:,} of {copies:,}"
    merged = "" if one.merges_with is None else f", mostly merged into {one.merges_with}"
    return f"{lost}{merged} (Jaccard {format_score(one.jaccard)})."


def say_overall(ari: float, null: NullStability, stable: bool) -> str:
    """Say whether a clustering is more stable than those of a null model."""
    if stable:
        return (
            f"Overall the clustering is more stable than chance (adjusted Rand {format_score(ari)} "
            f"against {format_score(null.ari)} for {WORDS[null.null]})."
        )
    are = "is" if null.reached == 1 else "are"
    return (
        f"The clustering is not more stable than chance: its adjusted Rand index is "
        f"{format_score(ari)} on average, and {null.reached} of {null.n_sets} data sets of "
        f"{WORDS[null.null]} {are} as stable ({format_score(null.ari)} on average)."
    )


def say_rule(name: str, reproduces: float) -> str:
    """Say which rule stands in for the clusterer that made the labels."""
    if reproduces >= STABLE:
        return (
            f"Resamples were clustered by {name}, which reproduces the labels (adjusted Rand "
            f"{format_score(reproduces)})."
        )
    return (
        f"Resamples were clustered by {name}, which does not reproduce the labels well (adjusted "
        f"Rand {format_score(reproduces)}); pass the clusterer that made them."
    )
