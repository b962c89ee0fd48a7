"""What ``combine`` reads, and what it finds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.again.data import values_of
from clusterwise.cli.tables.choosing import choose_labels, find_all, require_two
from clusterwise.cli.tables.columns import Column
from clusterwise.cli.tables.files import HowToRead, read_file
from clusterwise.cli.tables.joining import Placed, file_titles, join, key_column, refuse_shuffled
from clusterwise.consensus.combine import Combined, combine
from clusterwise.consensus.diagnostics import ObjectAgreement, object_agreement
from clusterwise.consensus.methods import Method
from clusterwise.inputs.encoding import Array, as_names, name_order
from clusterwise.inputs.ensembles import MISSING, Ensemble


@dataclass(frozen=True)
class LabelData:
    """Clusterings of the same objects, and what names these: a key, or where they are."""

    ensemble: Ensemble
    key: Column | None
    place: Callable[[int], str]

    def name(self, position: int) -> Any:
        """The key of an object, or where in the file it is."""
        if self.key is None:
            return self.place(position)
        return self.key.values[self.key.codes[position]]


@dataclass(frozen=True)
class Result:
    """The consensus, how settled its objects are, and how many clusters were asked for."""

    data: LabelData
    found: Combined
    objects: ObjectAgreement
    asked: int | None

    @property
    def total(self) -> int:
        """How many objects there are."""
        return int(self.found.labels.size)

    @property
    def sizes(self) -> list[int]:
        """How many objects each cluster has."""
        labels = self.found.labels
        return np.bincount(labels[labels >= 0], minlength=self.found.n_clusters).tolist()

    @property
    def unknown(self) -> int:
        """How many objects have no label in any clustering."""
        return int((self.found.labels < 0).sum())

    def least_stable(self, count: int) -> list[tuple[Any, int]]:
        """What the objects with the least margins are called, and their rows of ``objects``."""
        order = np.argsort(self.objects.margin, kind="stable")[:count]  # NaN, for no label, is last
        return [(self.data.name(i), i) for i in order.tolist() if self.objects.margin[i] < 1]

    def columns(self) -> dict[str, list[Any]]:
        """Key, consensus and agreement of each object; None for those without labels."""
        key = self.data.key
        unknown = self.found.labels < 0
        found = {"consensus": self.found.labels, "agreement": self.objects.own}
        return {
            **({} if key is None else {key.name: values_of(key)}),
            **{name: _with_none(values, unknown) for name, values in found.items()},
        }


def load_labels(
    files: Sequence[str], how: HowToRead, names: Sequence[str], key: str | None
) -> LabelData:
    """Read the files, line up their rows, and make an ensemble of the columns of labels."""
    titles = file_titles(files)
    tables = [read_file(file, how) for file in files]
    placed = join(tables, titles, key)
    if key is None and not names:
        refuse_shuffled(placed, "name the label columns with --column")
    if names:
        chosen = find_all(placed, names, "--column", tables)
        require_two(chosen, tables)
    else:
        chosen = choose_labels(placed, tables)
    return LabelData(as_ensemble(chosen), key_column(chosen[0], key), chosen[0].place)


def combine_labels(data: LabelData, method: Method, clusters: int | None, seed: int) -> Result:
    """The consensus, and how well it is supported."""
    try:
        found = combine(data.ensemble, method, clusters, random_state=seed)
    except InputError as error:
        raise InputError(str(error).replace("n_clusters=", "--clusters ")) from error
    return Result(data, found, object_agreement(found.labels, data.ensemble), clusters)


def as_ensemble(chosen: Sequence[Placed]) -> Ensemble:
    """Labels in order; those that no row has, after some were left out, are no clusters."""
    codes, values = [], []
    for one in chosen:
        present = one.column.codes[one.column.codes >= 0]
        used = np.flatnonzero(np.bincount(present))
        if not used.size:
            raise InputError(f"--column {one.name} holds no label at all; leave it out.")
        ranks = np.full(len(one.column.values) + 1, MISSING)  # the last is where code -1 looks
        names = [one.column.values[code] for code in used.tolist()]
        order = name_order(names)
        ranks[used[order]] = np.arange(used.size)
        codes.append(ranks[one.column.codes])
        values.append(as_names([names[i] for i in order]))
    sizes = tuple(map(len, values))
    narrow = np.array(codes, np.min_scalar_type(-max(sizes)))
    return Ensemble(narrow, sizes, tuple(one.name for one in chosen), tuple(values))


def _with_none(values: Array, unknown: Array) -> list[Any]:
    return [
        None if gone else value
        for value, gone in zip(values.tolist(), unknown.tolist(), strict=True)
    ]
