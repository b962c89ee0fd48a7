"""Find the papers' data sets: in a folder, in the cache, or on OpenML."""

import os
from os import PathLike
from pathlib import Path

from clusterwise._utils.errors import InputError
from clusterwise.datasets.loading import FOLDER_VARIABLE, load_dataset
from clusterwise.datasets.toy import Dataset


def find_dataset(
    name: str, folder: str | PathLike[str] | None = None, *, fetch: bool = False
) -> Dataset:
    """Load a data set from the folder, from that of CLUSTERWISE_DATA, or from the cache.

    With ``fetch`` a missing data set is downloaded from OpenML into the cache.
    """
    homes = [Path(home) for home in (folder, os.environ.get(FOLDER_VARIABLE)) if home]
    for home in (*homes[:1], cache_folder()):
        if (home / f"{name}.csv.gz").is_file():
            return load_dataset(name, home)
    if fetch:
        from experiments.common.openml import fetch_dataset

        fetch_dataset(name, cache_folder())
        return load_dataset(name, cache_folder())
    if homes:
        where = f"there is none in {homes[0]}"
    else:
        where = f"neither --data nor {FOLDER_VARIABLE} names its folder"
    raise InputError(
        f"the data set {name!r} is missing ({name}.csv.gz: {where}); pass its folder with --data, "
        "or --fetch to download it from OpenML."
    )


def cache_folder() -> Path:
    """Return the folder of downloaded data sets."""
    from sklearn.datasets import get_data_home

    return Path(get_data_home()) / "clusterwise"
