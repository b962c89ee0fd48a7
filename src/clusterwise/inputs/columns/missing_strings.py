"""Strings that stand for a missing value."""

from collections.abc import Iterable, Sequence

import numpy as np

from clusterwise.inputs.encoding import Array

# In lower case: capitals and spaces at the ends do not count.
MISSING_STRINGS = frozenset(
    {
        "", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "none", "nil", "missing",
        "unknown", "not available", "k.a.", "k. a.", "keine angabe", "unbekannt",
        "-", "--", "–", "—", "?", ".", "…", "#null!", "#value!", "#div/0!",
    }
)  # fmt: skip


def missing_mask(strings: Sequence[str], null: Iterable[str] = (), *, words: bool = True) -> Array:
    """Return which strings stand for a missing value.

    Parameters
    ----------
    strings : sequence of str
        Strings without spaces at their ends.
    null : iterable of str
        Further strings that mean missing.
    words : bool, default=True
        Whether those of ``MISSING_STRINGS`` do; otherwise only the empty string does.
    """
    listed = MISSING_STRINGS if words else frozenset({""})
    listed = listed.union(text.strip().lower() for text in null)
    if listed.isdisjoint(map(str.lower, strings)):  # quick, because there may be millions
        return np.zeros(len(strings), bool)
    return np.fromiter((text.lower() in listed for text in strings), bool, len(strings))
