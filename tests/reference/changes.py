"""What became of clusters, by counting objects one by one."""

from collections import Counter


def crosstab(a, b):
    """The number of objects for each pair of labels."""
    return Counter(zip(a, b, strict=True))


def events(a, b, pairs, noise=-1):
    """The kind of every cluster that changed, given the matched pairs of names.

    Returns a dictionary from ("a", name) or ("b", name) to the kind.
    """
    table, in_a, in_b = crosstab(a, b), Counter(a), Counter(b)
    from_a = {x: {y: n for (i, y), n in table.items() if i == x and y != noise} for x in in_a}
    from_b = {y: {x: n for (x, j), n in table.items() if j == y and x != noise} for y in in_b}
    found = {}
    for side, sizes, parts, others in (("a", in_a, from_a, in_b), ("b", in_b, from_b, in_a)):
        for name, size in sizes.items():
            pieces = [
                other
                for other, n in parts[name].items()
                if n >= 2 / 3 * others[other] and n >= 0.05 * size
            ]
            total = sum(parts[name][other] for other in pieces)
            if name != noise and len(pieces) > 1 and total >= 0.8 * size:
                found[side, name] = ("split" if side == "a" else "merged", frozenset(pieces))
    changed = dict(found)
    for x, y in pairs:
        clustered = sum(from_a[x].values()) + sum(from_b[y].values())
        jaccard = table[x, y] / (clustered - table[x, y])
        same = jaccard >= 1 / 3 and table[x, y] >= min(in_a[x], in_b[y]) / 2
        if ("a", x) not in changed and ("b", y) not in changed and same:
            found["a", x] = ("kept", frozenset([y]))
    explained = {("b", y) for (s, _), (k, ys) in found.items() if s == "a" for y in ys}
    explained |= {("a", x) for (s, _), (k, xs) in found.items() if s == "b" for x in xs}
    for side, sizes, parts, kind in (
        ("a", in_a, from_a, "dissolved"),
        ("b", in_b, from_b, "appeared"),
    ):
        for name in sizes:
            if name != noise and (side, name) not in found and (side, name) not in explained:
                found[side, name] = (kind, frozenset(parts[name]))
    return found
