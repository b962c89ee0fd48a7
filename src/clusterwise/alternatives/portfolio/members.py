"""The methods of the portfolio."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from sklearn import config_context

from clusterwise._utils.errors import InputError
from clusterwise._utils.progress import track
from clusterwise.alternatives.base import Alternative
from clusterwise.alternatives.condens.condens import CondEns
from clusterwise.alternatives.maximus.maximus import MAXIMUS
from clusterwise.alternatives.mincentropy.mincentropy import MinCEntropy
from clusterwise.alternatives.orthogonal import OrthogonalAlternative
from clusterwise.alternatives.portfolio.same_clusters import is_same
from clusterwise.alternatives.problem import AlternativeProblem
from clusterwise.inputs.encoding import Array


class Member(NamedTuple):
    """A method of the portfolio.

    ``fast`` ones always run to see whether an alternative is found again; those that run only
    ``if_unclear`` are skipped if something clear was found before. At least ``n_alternatives`` are
    sought, one after another.
    """

    make: Callable[..., Alternative]
    options: dict[str, Any]
    fast: bool = False
    if_unclear: bool = False
    n_alternatives: int = 1


class Attempt(NamedTuple):
    """Labels that a method found, its parameters, and the member of the portfolio that ran it."""

    labels: Array
    method: str
    parameters: Mapping[str, Any]
    member: Member | None = None


# The fast methods first. They use the given clustering in different ways: it is removed from the
# data, kept constant by clustering inside its clusters, penalised, or a bound, in all features or
# in subspaces. Searches in subspaces have one start, because each of them begins with the search
# in all features, whose starts were tried before.
_MEMBERS = (
    Member(OrthogonalAlternative, {}, fast=True, n_alternatives=2),
    Member(OrthogonalAlternative, {"approach": "project", "explained_variance": 1.0}, fast=True),
    Member(CondEns, {}, fast=True),
    Member(MAXIMUS, {"subspaces": False, "n_init": 2}),
    Member(MinCEntropy, {}),
    Member(MAXIMUS, {"subspaces": True, "n_init": 1}, if_unclear=True),
    Member(MAXIMUS, {"subspaces": "components", "n_init": 1}, if_unclear=True),
)

# The numbers of principal components that are clustered with unit variance; all, if there are
# fewer. Clusters may differ in components of small variance, beside others that have none.
_SCALED_COMPONENTS = (10, 20, 50)
# The one of which is fast.
SCREENED_COMPONENTS = 20
_OBJECTS_PER_COMPONENT = 10


def list_members(n: int, width: int) -> tuple[Member, ...]:
    """Return the members for so many objects and coordinates."""
    most = min(width, _SCALED_COMPONENTS[-1], max(2, n // _OBJECTS_PER_COMPONENT))
    scaled = (
        Member(
            OrthogonalAlternative,
            {"n_components": count, "scale_components": True},
            fast=count == min(most, SCREENED_COMPONENTS),
        )
        for count in (*(count for count in _SCALED_COMPONENTS if count < most), most)
    )
    first, second, *others = _MEMBERS
    return (first, second, *scaled, *others)


class Deadline(NamedTuple):
    """The time at which no further work begins."""

    end: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        """Return the deadline that passes after this number of seconds."""
        return cls(perf_counter() + seconds)

    @property
    def passed(self) -> bool:
        """Whether it is that time."""
        return perf_counter() > self.end


def run_members(
    problem: AlternativeProblem,
    parameters: Mapping[str, Any],
    deadline: Deadline,
    *,
    members: Sequence[Member],
    is_clear: Callable[[Attempt], bool] = lambda _: False,
    progress: bool | None = False,
) -> list[Attempt]:
    """Return all that the members find.

    None begins once the deadline has passed, but the first one. Those that run only if nothing is
    clear are skipped once as many clear alternatives were found as are sought. Members that raise
    an InputError are skipped, unless all do.
    """
    found: list[Attempt] = []
    clear: list[Attempt] = []
    error: InputError | None = None
    for member in track(members, len(members), "trying methods", progress):
        enough = len(clear) >= parameters["n_alternatives"]
        if found and (deadline.passed or (member.if_unclear and enough)):
            continue
        wanted = max(member.n_alternatives, parameters["n_alternatives"])
        options = {**parameters, **member.options, "n_alternatives": wanted}
        model = member.make(**options, progress=False)
        try:
            # The input was validated when it was read, so scikit-learn need not do it again.
            validated = config_context(assume_finite=True, skip_parameter_validation=True)
            with warnings.catch_warnings(), validated:
                # That one method stops early says nothing about the others.
                warnings.simplefilter("ignore", UserWarning)
                model._fit(problem)
        except InputError as raised:
            error = raised
            continue
        name, own_parameters = type(model).__name__, model.get_params()
        new = [Attempt(labels, name, own_parameters, member) for labels in model.alternatives_]
        found += new
        for one in [] if member.if_unclear else new:
            known = any(is_same(one.labels, other.labels) for other in clear)
            if not known and is_clear(one):
                clear.append(one)
    if not found and error is not None:
        raise error
    return found
