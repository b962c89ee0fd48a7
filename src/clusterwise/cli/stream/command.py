"""``clusterwise stream``: how a clustering changes from window to window."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from clusterwise.cli.options import (
    BinningOptions,
    FileArgument,
    FileOptions,
    LabelColumn,
    MissingHandling,
    OutputOptions,
    check_files,
)
from clusterwise.cli.output import check_outputs

if TYPE_CHECKING:
    from clusterwise.cli.stream.resume import StreamRows
    from clusterwise.cli.tables.load import LoadedClusterings
    from clusterwise.inputs.binning.binning import Binning


def stream(
    *files: FileArgument,
    labels: LabelColumn,
    window: Annotated[int, Parameter(name=["--window", "-w"])] = 1000,
    step: int | None = None,
    size: Literal["as-is", "cosine", "sample"] = "as-is",
    names: Literal["kept", "fresh"] = "kept",
    alpha: float = 0.01,
    checkpoint: str | None = None,
    handling: MissingHandling = MissingHandling(),
    features: BinningOptions = BinningOptions(),
    writing: OutputOptions = OutputOptions(),
    reading: FileOptions = FileOptions(),
) -> None:
    """Show how a clustering changes over time: a row per window, in the order of the file.

    Each window is compared with the window one step before and with the first window by
    adco_score (1 is identical), with the bins of the first window. Drift means that the window
    differs significantly from an equal number of objects right before it, with the false-alarm
    rate --alpha, if the objects are independent.

    CSV has a line per window. JSON is one object with the keys labels, window, step, alpha and
    windows, each with sizes, births, deaths, matches and both tests.

    Parameters
    ----------
    window
        The number of objects in a window; the last one may have fewer.
    step
        The number of objects from one window to the next; by default the size of a window.
    size
        How to compare a shorter last window: without correction (as-is), by cosine similarity
        (cosine), or with a sample of the longer window (sample).
    names
        Whether a label means the same cluster in all windows (kept), or each window was clustered
        on its own (fresh).
    alpha
        The false-alarm rate.
    checkpoint
        Save the progress in this file. The same command then continues from there after an
        interruption, or after rows were appended to the files.
    """
    check_files(files, stream)
    check_outputs(files, {"--output": writing.output, "--checkpoint": checkpoint})
    features.check()
    from clusterwise.cli.stream.printout import print_windows
    from clusterwise.cli.stream.resume import resume_stream, window_reports
    from clusterwise.cli.tables.load import LoadOptions, load_one
    from clusterwise.cli.tables.named_files import find_files
    from clusterwise.streams.stream import ClusteringStream

    options: dict[str, Any] = {
        "window": window, "step": step, "binning": features.binning, "n_bins": features.bins,
        "size": size, "names": names, "alpha": alpha,
    }  # fmt: skip
    ClusteringStream(**options)  # raises errors before any file is read
    loading = LoadOptions(
        (), reading.key, missing=handling.missing, features=features.feature_names
    )
    found = find_files(files, reading.input_format)
    loaded = load_one(found, reading, labels, loading)
    rows, options["binning"] = _rows_and_binning(loaded, labels, window, features)
    path = None if checkpoint is None else Path(checkpoint)
    running = ClusteringStream(**options) if path is None else resume_stream(path, options, rows)
    settings = {"labels": labels, "window": window, "step": running.step, "alpha": alpha}
    print_windows(window_reports(running, rows, path), settings, writing)


def _rows_and_binning(
    loaded: "LoadedClusterings", labels: str, window: int, options: BinningOptions
) -> tuple["StreamRows", "Binning"]:
    """Return the objects, and bins fitted to the first window."""
    import numpy as np

    from clusterwise.cli.stream.resume import StreamRows
    from clusterwise.inputs.clusterings import Clustering

    (clustering,) = loaded.clusterings.values()
    assert loaded.features is not None
    assert isinstance(clustering, Clustering)
    columns, X = loaded.features.names, loaded.features.values
    first = replace(loaded.features, values=X[:window])
    reference = clustering.take(np.arange(len(first.values)))
    binning = first.fit_bins(options.binning, options.bins, reference)
    codes = clustering.codes
    return StreamRows([labels, *columns], X, codes.names_at(codes.positions())), binning
