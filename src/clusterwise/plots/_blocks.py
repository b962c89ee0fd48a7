"""Blocks of clusters and flows between them, from tables of neighbouring clusterings."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from clusterwise._utils.errors import InputError
from clusterwise._utils.parameter_constraints import type_words
from clusterwise.comparing.matches import name_noise
from clusterwise.inputs.clusterings import (
    LabelOptions,
    align_clusterings,
    as_clustering,
    as_weights,
    copies_of_noise,
    find_noise,
    noise_mask,
)
from clusterwise.inputs.encoding import Array, name_list
from clusterwise.measures._label_options import summarise
from clusterwise.plots._palette import NOISE, Colours, check_colours
from clusterwise.summaries.contingency.contingency import Contingency
from clusterwise.summaries.overlap.membership_sums import AnyClustering
from clusterwise.summaries.overlap.overlap import SoftOverlap

Table = Contingency | SoftOverlap


class Blocks(NamedTuple):
    """The blocks of one clustering: one per cluster, and perhaps one for the smallest clusters.

    ``names`` are those of all clusters, of which ``shown`` have a block of their own; ``block_of``
    is the block of every cluster, and ``rest`` the one that the smallest clusters share, or -1.
    """

    names: list[Any]
    shown: Array
    sizes: Array
    paints: list[str]
    block_of: Array
    rest: int


def check_chain(tables: Sequence[Table]) -> list[Table]:
    """Check that the columns of each table are the rows of the next, and return the tables."""
    if not tables:
        raise InputError("there is no table to draw; pass one for each pair of neighbours.")
    for at, (first, second) in enumerate(pairwise(tables)):
        same = list(map(str, first.column_names)) == list(map(str, second.row_names))
        if not same or not np.allclose(first.column_sums, second.row_sums):
            raise InputError(
                f"the columns of table {at} are not the rows of table {at + 1}; pass tables of the "
                "same objects, in the order of the clusterings."
            )
    if not tables[0].n:
        raise InputError("there are no objects to draw; pass at least one.")
    return list(tables)


def require_colours(colours: Sequence[Colours], counts: Sequence[int]) -> list[Colours]:
    """Check that there are colours for all clusterings and all their clusters."""
    checked = check_colours(colours, len(counts))
    for one, count in zip(checked, counts, strict=True):
        if len(one.names) != count:
            raise InputError(
                f"there are {len(one.names)} colours for {count} clusters; pass one for each."
            )
    return checked


def chain_tables(
    clusterings: Sequence[Any], label_options: LabelOptions, names: Sequence[str] | None = None
) -> list[Table]:
    """Return the tables of neighbouring clusterings, all of the same objects.

    ``names`` are those of the clusterings in errors.
    """
    if not isinstance(clusterings, Sequence):
        raise InputError(
            f"clusterings is {type_words(clusterings)}; pass a mapping of names to "
            "labels, such as dict(frame.items()), or a list of labels."
        )
    if len(clusterings) < 2:
        raise InputError(f"clusterings has {len(clusterings)} entries; pass at least two.")
    missing = label_options.get("missing", "error")
    read = [
        as_clustering(one, names[at] if names else f"clustering {at}", missing=missing)
        for at, one in enumerate(clusterings)
    ]
    if len(read) > 2:
        read, label_options = _same_objects(read, label_options)
    tables = []
    before = read[0]
    for after in read[1:]:
        pair = align_clusterings(before, after, **label_options)
        tables.append(summarise(pair))
        before = pair.b
    return tables


def _same_objects(
    read: list[AnyClustering], label_options: LabelOptions
) -> tuple[list[AnyClustering], LabelOptions]:
    """Drop or repeat objects by all clusterings, so that every table has the same objects."""
    if label_options.get("align") == "index":
        read, label_options = _align_by_index(read, label_options)
    noise, weights = label_options.get("noise"), label_options.get("sample_weight")
    drops = "drop" in (noise, label_options.get("missing"))
    if not drops and (noise != "singletons" or weights is None):
        return read, label_options
    kept = np.arange(len(read[0]))
    for first, second in pairwise(read):
        pair = align_clusterings(first, second, **label_options)
        if pair.kept is not None and drops:
            kept = np.intersect1d(kept, pair.kept)
    options: LabelOptions = {**label_options, "missing": "error"} if drops else {**label_options}
    if noise == "drop":
        options["noise"] = "cluster"
    if weights is not None:
        some = as_weights(weights)[kept]
        if noise == "singletons":
            label = label_options.get("noise_label", -1)
            noisy = np.any([noise_mask(one, label)[kept] for one in read], axis=0)
            copies = copies_of_noise(noisy, some, kept)
            if copies is not None:
                some, kept = np.where(noisy, 1, some)[copies], kept[copies]
        options["sample_weight"] = some
    return [one.take(kept) for one in read], options


def _align_by_index(
    read: list[AnyClustering], label_options: LabelOptions
) -> tuple[list[AnyClustering], LabelOptions]:
    """Return the objects that all clusterings have in common, in the order of the first."""
    missing = label_options.get("missing", "error")
    first, weights = read[0], label_options.get("sample_weight")
    for other in read[1:]:
        pair = align_clusterings(
            first, other, sample_weight=weights, align="index", missing=missing
        )
        first, weights = pair.a, pair.weights
    others = [align_clusterings(first, one, align="index", missing=missing).b for one in read[1:]]
    options: LabelOptions = {**label_options, "sample_weight": weights}
    options.pop("align")
    return [first, *others], options


def make_blocks(
    tables: Sequence[Table], colours: Sequence[Colours], most: int, noise_label: Any = -1
) -> tuple[list[Blocks], list[Array]]:
    """Return the blocks of every clustering, and the flows between neighbouring ones."""
    sides = [(tables[0].row_names, tables[0].row_sums)]
    sides += [(table.column_names, table.column_sums) for table in tables]
    columns = [
        _blocks(_shown_names(names, noise_label), sizes, colour, most)
        for (names, sizes), colour in zip(sides, colours, strict=True)
    ]
    flows = []
    for table, (first, second) in zip(tables, pairwise(columns), strict=True):
        cells = table.cells.nonzero
        flow = np.zeros((len(first.sizes), len(second.sizes)))
        np.add.at(flow, (first.block_of[cells.rows], second.block_of[cells.columns]), cells.counts)
        flows.append(flow)
    return columns, flows


def _shown_names(names: Array, noise_label: Any) -> list[Any]:
    listed = name_list(names)
    return name_noise(listed, find_noise(listed, noise_label))


def _blocks(names: list[Any], sizes: Array, colours: Colours, most: int) -> Blocks:
    paints = colours.paints
    if len(names) <= most:
        every = np.arange(len(names))
        return Blocks(names, every, sizes.astype(float), paints, every, -1)
    large = np.sort(np.argsort(-sizes, kind="stable")[: most - 1])
    block_of = np.full(len(names), most - 1)
    block_of[large] = np.arange(most - 1)
    totals = np.bincount(block_of, weights=sizes, minlength=most)
    colour = [*(paints[at] for at in large), NOISE]
    return Blocks(names, large, totals, colour, block_of, most - 1)
