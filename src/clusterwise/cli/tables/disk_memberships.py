"""Memberships that stay on disk: columns that match a pattern."""

# ruff: noqa: S608 (the names in queries are ours, and strings are quoted)

from collections.abc import Sequence

from clusterwise._utils.errors import InputError
from clusterwise.cli.output import say
from clusterwise.cli.tables.disk_clusterings import DiskClustering, DiskLabels, DiskMemberships
from clusterwise.cli.tables.disk_columns import on_disk
from clusterwise.cli.tables.membership_columns import SoftColumns, allowed_rounding, raise_for_sums
from clusterwise.cli.tables.object_view import ObjectView
from clusterwise.kernels.overlap import TOLERANCE


def membership_clusterings(
    objects: ObjectView, soft: Sequence[SoftColumns], where: str, noise_label: int | str
) -> list[DiskClustering]:
    """Return the soft clusterings; sums that differ from 1 by rounding are rescaled."""
    found: list[DiskClustering] = []
    rescaled = []
    for one in soft:
        clustering, count, rows = _clustering(objects, one, where, noise_label)
        found.append(clustering)
        if count:
            rescaled.append(f"{count} of {rows} of {one.name}")
    if rescaled:
        say(f"memberships that do not quite sum to 1 were rescaled: {', '.join(rescaled)}.")
    return found


def _clustering(
    objects: ObjectView, one: SoftColumns, where: str, noise_label: int | str
) -> tuple[DiskClustering, int, int]:
    numbers = [on_disk(column).number for column in one.columns]
    wrong = [f"({n} IS NULL OR NOT ({n} >= 0 AND {n} < 'inf'::DOUBLE))" for n in numbers]
    total = f"({' + '.join(numbers)})"
    off = f"abs({total} - 1)"
    far = f"{off} > {allowed_rounding(len(numbers))}"
    memberships = [
        f"CASE WHEN {off} > {TOLERANCE} THEN {n} / {total} ELSE {n} END" for n in numbers
    ]
    aggregates = [
        *(f"count(*) FILTER (WHERE {condition})" for condition in wrong),
        f"count(*) FILTER (WHERE {far})",
        f"count(*) FILTER (WHERE {off} > {TOLERANCE})",
        f"bool_and({' AND '.join(f'({m}) IN (0, 1)' for m in memberships)})",
        "count(*)",
    ]
    *bad, too_far, rounded, hard, rows = objects.engine.row(
        f"SELECT {', '.join(aggregates)} FROM {objects.view} WHERE {where}"
    )
    for column, condition, count in zip(one.columns, wrong, bad, strict=True):
        if count:
            location, value = objects.first(on_disk(column), condition, where)
            raise InputError(
                f"{column.source.path} has {str(value)[:20]!r} in column {column.original!r} on "
                f"{location}; memberships are numbers from 0 to 1 (this column matches --soft "
                f"{one.pattern!r})."
            )
    if too_far:
        location, total_there = objects.first(on_disk(one.columns[0]), far, where, total)
        raise_for_sums(one, location, total_there, too_far, rows)
    clusters = tuple(one.clusters)
    if hard:
        cases = " ".join(f"WHEN ({m}) = 1 THEN {k}" for k, m in enumerate(memberships))
        noise = [m for m, name in zip(memberships, clusters, strict=True) if name == noise_label]
        is_noise = " OR ".join(f"({m}) = 1" for m in noise) or "FALSE"
        labels = DiskLabels(one.name, f"(CASE {cases} END)", is_noise, clusters=clusters)
        return labels, rounded, rows
    return (
        DiskMemberships(one.name, tuple(memberships if rounded else numbers), clusters),
        rounded,
        rows,
    )
