"""The input of ``combine``, and its result."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise.cli.options import EnsembleHandling, FileOptions
from clusterwise.cli.tables.columns import Column, label_of
from clusterwise.cli.tables.joining import (
    LocatedColumn,
    check_same_order,
    identifying_column,
    join,
)
from clusterwise.cli.tables.named_files import InputFile
from clusterwise.cli.tables.read_file import open_tables
from clusterwise.cli.tables.selection import (
    check_types,
    choose_labels,
    find_all,
    note_if_no_noise,
    require_two,
    rows_to_keep,
)
from clusterwise.consensus.base import FewerClustersWarning
from clusterwise.consensus.combine import combine
from clusterwise.consensus.combined import Combined
from clusterwise.consensus.diagnostics import ObjectAgreement
from clusterwise.consensus.methods import Method
from clusterwise.inputs.encoding import as_names, name_order
from clusterwise.inputs.ensembles import MISSING, Ensemble, apply_label_options


@dataclass(frozen=True)
class LabelData:
    """Clusterings of the same objects, and names of the objects: a key, or a row of the file."""

    ensemble: Ensemble
    key: Column | None
    row_name: Callable[[int], str]

    def name(self, position: int) -> Any:
        """Return the key of an object, or its row in the file."""
        if self.key is None:
            return self.row_name(position)
        return self.key.values[self.key.codes[position]]


@dataclass(frozen=True)
class ConsensusResult:
    """The consensus, and the agreement on each object."""

    data: LabelData
    found: Combined
    objects: ObjectAgreement

    @property
    def total(self) -> int:
        """The number of objects."""
        return int(self.found.labels.size)

    @property
    def sizes(self) -> list[int]:
        """The number of objects in each cluster."""
        labels = self.found.labels
        return np.bincount(labels[labels >= 0], minlength=self.found.n_clusters).tolist()

    @property
    def unknown(self) -> int:
        """The number of objects without a label in any clustering."""
        return int((self.found.labels < 0).sum())

    def most_ambiguous(self, count: int) -> list[tuple[Any, int]]:
        """Return the names of the objects with the smallest margins, and their rows."""
        order = np.argsort(self.objects.margin, kind="stable")[:count]  # NaN, for no label, is last
        return [(self.data.name(i), i) for i in order.tolist() if self.objects.margin[i] < 1]

    def columns(self) -> dict[str, list[Any]]:
        """Return key, consensus and agreement of each object; None for those without labels."""
        key = self.data.key
        columns = {} if key is None else {key.name: key.to_list()}
        for name, values in (("consensus", self.found.labels), ("agreement", self.objects.own)):
            known = values.astype(object)
            known[self.found.labels < 0] = None
            columns[name] = known.tolist()
        return columns


def load_labels(
    files: Sequence[InputFile],
    reading: FileOptions,
    names: Sequence[str],
    handling: EnsembleHandling,
) -> LabelData:
    """Read the files, match their rows, and make an ensemble of the columns of labels."""
    titles = [one.title for one in files]
    with open_tables(files, reading) as tables:
        check_types(tables, titles, reading)
        located = join(tables, titles, reading.key)
        if reading.key is None and not names:
            check_same_order(located, "name the label columns with --column")
        if names:
            chosen = find_all(located, names, "--column", tables)
            require_two(chosen, tables)
        else:
            chosen = choose_labels(located, tables)
        if handling.missing in ("error", "drop"):
            rows_to_keep(chosen, [], handling.missing)
        ensemble = as_ensemble(chosen, handling)
    others = [one for one in located if one not in chosen]
    key = identifying_column(others or chosen, reading.key, {"consensus", "agreement"})
    return LabelData(ensemble, key, chosen[0].row_name)


def combine_labels(
    data: LabelData, method: Method, n_clusters: int | None, seed: int
) -> ConsensusResult:
    """Compute the consensus and its agreement with the clusterings."""
    try:
        with warnings.catch_warnings():
            # The output says it.
            warnings.simplefilter("ignore", FewerClustersWarning)
            found = combine(data.ensemble, method, n_clusters, random_state=seed)
    except InputError as error:
        raise InputError(str(error).replace("n_clusters=", "--n-clusters ")) from error
    return ConsensusResult(data, found, found.objects)


def as_ensemble(chosen: Sequence[LocatedColumn], handling: EnsembleHandling) -> Ensemble:
    """Return the columns as an ensemble; labels without objects are left out."""
    noise_label = label_of(handling.noise_label)
    note_if_no_noise([one.column for one in chosen], handling.noise, noise_label)
    codes, values = [], []
    for one in chosen:
        present = one.column.codes[one.column.codes >= 0]
        used = np.flatnonzero(np.bincount(present))
        if not used.size:
            raise InputError(f"--column {one.name} contains no labels; leave it out.")
        ranks = np.full(len(one.column.values) + 1, MISSING)  # the last one is for code -1
        names = [one.column.values[code] for code in used.tolist()]
        if handling.noise != "cluster":  # in a column of strings, noise is a string too
            names = [noise_label if str(name) == str(noise_label) else name for name in names]
        order = name_order(names)
        ranks[used[order]] = np.arange(used.size)
        codes.append(ranks[one.column.codes])
        values.append(as_names([names[i] for i in order]))
    sizes = tuple(map(len, values))
    narrow = np.array(codes, np.min_scalar_type(-max(sizes)))
    ensemble = Ensemble(narrow, sizes, tuple(one.name for one in chosen), tuple(values))
    return apply_label_options(
        ensemble, noise=handling.noise, noise_label=noise_label, missing=handling.missing
    )
