"""Small stand-ins for the papers' data sets, in a folder of their form."""

import gzip
import json

import numpy as np


def write_sets(folder, sizes, *, features=3, classes=2, seed=0):
    """A set of separated classes for each name and size; returns the folder as text."""
    random = np.random.default_rng(seed)
    names = [f"x{i}" for i in range(features)]
    schema = {}
    for name, size in sizes.items():
        labels = np.arange(size) % classes
        points = random.normal(size=(size, features)) + 4.0 * labels[:, None]
        rows = [
            ",".join([*(f"{value:.6f}" for value in row), f"c{label}"])
            for row, label in zip(points, labels, strict=True)
        ]
        text = "\n".join([",".join([*names, "class"]), *rows]) + "\n"
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
        columns = dict.fromkeys(names, "numeric") | {"class": "nominal"}
        schema[name] = {"rows": size, "columns": columns}
    (folder / "schema.json").write_text(json.dumps(schema))
    return str(folder)
