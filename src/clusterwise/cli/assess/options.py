"""The options of ``assess``."""

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import Missing, Seed, check_seed

_DEFAULT_NUMBERS = range(2, 11)
_FEWEST, _FEWEST_SETS, _MOST = 10, 19, 100_000


@Parameter(name="*", group=Group("Stability", sort_key=0))
@dataclass(frozen=True, kw_only=True)
class AssessOptions:
    """What is assessed, and how copies of the data are drawn.

    Parameters
    ----------
    labels
        The column of cluster labels, which is not used as a feature. By default k-means is
        assessed.
    n_clusters
        The numbers of clusters of k-means: a number, a range such as 2-10 (the default), or a list
        such as 3,5,8.
    resampling
        How copies are drawn: objects with replacement, of which each counts once (bootstrap); a
        part of the objects (subsample); or all objects with noise added to their features (noise).
    resamples
        The number of copies.
    null_sets
        The number of data sets without clusters, of each of two types, that the data are compared
        with.
    scale
        Scale numeric features to mean 0 and standard deviation 1.
    missing
        How to handle missing labels: stop with an error, drop the objects, or treat missing as a
        separate label.
    noise_label
        The label of noise, which is not a cluster; its objects are left out.
    """

    labels: Annotated[str | None, Parameter(name=["--labels", "-l"])] = None
    n_clusters: str | None = None
    resampling: Literal["bootstrap", "subsample", "noise"] = "bootstrap"
    resamples: int = 100
    null_sets: int = 39
    scale: Annotated[bool, Parameter(negative="--no-scale")] = True
    missing: Missing = "error"
    noise_label: Annotated[str, Parameter(allow_leading_hyphen=True)] = "-1"
    seed: Seed = 0

    @property
    def numbers(self) -> list[int]:
        """The numbers of clusters of k-means."""
        if self.n_clusters is None:
            return list(_DEFAULT_NUMBERS)
        found: list[int] = []
        for part in self.n_clusters.split(","):
            low, dash, high = part.strip().partition("-")
            if not low.isdecimal() or (dash and not high.isdecimal()):
                raise InputError(
                    f"--n-clusters {self.n_clusters} is not a number, range or list; use such as "
                    "3, 2-10 or 3,5,8."
                )
            found += range(int(low), int(high or low) + 1)
        if not found or min(found) < 2:
            raise InputError(
                f"--n-clusters {self.n_clusters} has no number of at least 2; use such as 2-10."
                if not found
                else f"--n-clusters must be at least 2, not {min(found)}."
            )
        return sorted(set(found))

    def check(self) -> None:
        """Raise an error for invalid options, before any file is read."""
        check_seed(self.seed)
        if self.labels is not None and self.n_clusters is not None:
            raise InputError("--labels has a number of clusters already; leave out --n-clusters.")
        if not _FEWEST <= self.resamples <= _MOST:
            raise InputError(
                f"--resamples must be from {_FEWEST} to {_MOST}, not {self.resamples}."
            )
        if not _FEWEST_SETS <= self.null_sets <= _MOST:
            raise InputError(
                f"--null-sets must be from {_FEWEST_SETS} to {_MOST}, not {self.null_sets}."
            )
        _ = self.numbers
