"""The objective of the conditional information bottleneck, by its definition."""

import math

import numpy as np


def mutual(p):
    """Information between the rows and the columns of a table of probabilities."""
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    return sum(
        p[i, j] * math.log(p[i, j] / (rows[i] * columns[j]))
        for i in range(p.shape[0])
        for j in range(p.shape[1])
        if p[i, j] > 0
    )


def objective(table, groups, labels, gamma):
    """I(C;Y|Z) + gamma I(C;Y) by the definition; ``table`` has the rows p(y|x)."""
    n, width = table.shape
    count = int(max(labels)) + 1
    joint = np.zeros((int(max(groups)) + 1, count, width))
    for i in range(n):
        joint[groups[i], labels[i]] += table[i] / n
    given = sum(part.sum() * mutual(part / part.sum()) for part in joint)
    return given + gamma * mutual(joint.sum(axis=0))
