"""Bins for every feature, fitted once and applied to any data with these features."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from clusterwise._utils.arguments import check_arguments
from clusterwise._utils.errors import InputError
from clusterwise._utils.tables import TableRepr, TextTable, format_count
from clusterwise.inputs.binning.edges import FeatureBins, bin_numeric, known_edges
from clusterwise.inputs.binning.fitting import BinFitter
from clusterwise.inputs.binning.frame_fitting import fit_feature_bins
from clusterwise.inputs.encoding import Array, for_kernel, name_list, smallest_unsigned
from clusterwise.inputs.features import Column, Features, read_features, refuse_infinite
from clusterwise.inputs.frames import as_lazy, column_names

Method = Literal["auto", "width", "frequency", "mdl", "nominal"]


@dataclass(frozen=True)
class Binned:
    """The bins of values.

    ``codes`` has an array per feature. ``below`` and ``above`` count the values
    outside the fitted range of each feature, which are in its end bins.
    """

    codes: list[Array]
    below: Array
    above: Array


@check_arguments
class Binning(TableRepr):
    """Bins for every feature, fitted once and applied to any data with these features.

    Categorical features (strings, booleans, categories and objects) have one bin per value with
    every method, and a bin for values that did not occur in the fitted data. The last bin of every
    feature is for missing values. Numbers outside the fitted range go to the end bins, and are
    counted.

    Parameters
    ----------
    method : {"width", "auto", "frequency", "mdl", "nominal"}
        The bins of numeric features: of equal width, as in the papers on ADCO; of equal width or,
        if the feature is skewed, of equal counts ("auto"); of equal counts, as far as ties allow;
        by Fayyad and Irani's recursive entropy splits, which need reference labels and choose
        the number of bins; or one bin per value. A feature is skewed if the fullest bin of equal
        width has more than half of its values, and more than three times its share of 1/n_bins.
    n_bins : int
        Bins per numeric feature, for "width", "auto" and "frequency".

    Attributes
    ----------
    features : tuple of FeatureBins
        The bins of each feature, once fitted. Columns of arrays are called
        ``x0``, ``x1``, …

    References
    ----------
    U. M. Fayyad, K. B. Irani: Multi-interval discretization of continuous-valued
    attributes for classification learning. IJCAI 1993, 1022-1029.

    Examples
    --------
    Four bins of equal width, and the bins of three new values:

    >>> from clusterwise.inputs.binning.binning import Binning
    >>> binning = Binning(n_bins=4).fit([[0.0], [2.0], [8.0]])
    >>> binning
    1 feature, 5 bins
    feature  method  bins  edges or values
    x0       width      4  0 2 4 6 8
    >>> binning.bins([[1.9], [2.0], [9.0]]).codes[0].tolist()
    [0, 1, 3]

    Of two features the second one is skewed:

    >>> Binning("auto", n_bins=4).fit([[1, 20], [2, 25], [3, 35], [4, 40], [5, 900]])
    2 features, 10 bins
    feature  method     bins  edges or values
    x0       width         4  1 2 3 4 5
    x1       frequency     4  20 22.5 30 470 900
    """

    features: tuple[FeatureBins, ...]

    def __init__(self, method: Method = "width", n_bins: int = 10) -> None:
        self.method: str = method
        self.n_bins = int(n_bins)

    @classmethod
    def from_edges(cls, edges: Mapping[str, Any]) -> "Binning":
        """Return a binning with known edges.

        Parameters
        ----------
        edges : dict
            The edges of every feature, increasing, one more than it has bins. The
            first and the last may be infinite.

        Returns
        -------
        Binning
            Fitted, with the features in the order of the dict.

        Examples
        --------
        >>> Binning.from_edges({"age": [0, 18, 65, 120]}).bin_names()[1]
        ('age', '[18, 65)')
        """
        if not edges:
            raise InputError("edges has no features; pass at least one.")
        binning = cls()
        binning.method = "edges"
        known = {str(name): known_edges(name, values) for name, values in edges.items()}
        binning.features = tuple(bin_numeric(*item) for item in known.items())
        return binning

    def fit(self, X: Any, y: Any = None) -> "Binning":
        """Fit the bins of every feature.

        Parameters
        ----------
        X : array, list of rows or frame, n × R
            Features of the objects. Arrays of floats and integers are not copied; lazy
            frames are fitted as in :meth:`fit_frames`.
        y : labels of the n objects, optional
            The reference clustering that "mdl" needs; other methods ignore it.

        Returns
        -------
        Binning
            Itself, fitted.
        """
        if as_lazy(X) is not None:
            return self.fit_frames(X)
        fitter = BinFitter(self.method, self.n_bins, exact=True)
        fitter.add(read_features(X), y)
        self.features = fitter.features()
        return self

    def fit_frames(self, *frames: Any, features: Sequence[str] | None = None) -> "Binning":
        """Fit the bins in the engines of one or more frames, of the same or other objects.

        The bins are those of all rows in memory. "width" takes one pass over each frame, and
        one for each categorical column; "auto" takes one more for each numeric column;
        "frequency", "auto" for skewed columns and "nominal" take one or a few for each column, and
        collect the values that the bins depend on. Not for "mdl".

        Parameters
        ----------
        *frames : frames of pandas, Polars, PyArrow, DuckDB, Ibis, Dask or PySpark
            Eager or lazy, of any engines.
        features : list of str, optional
            The columns to bin, which all frames have; those of the first by default.

        Returns
        -------
        Binning
            Itself, fitted.

        Examples
        --------
        One binning for the customers of two years:

        >>> import polars as pl
        >>> last, this = pl.LazyFrame({"age": [20, 60]}), pl.LazyFrame({"age": [30, 80]})
        >>> Binning(n_bins=3).fit_frames(last, this).bin_names()[0]
        ('age', '[20, 40)')
        """
        if not frames:
            raise InputError("there is no frame to fit the bins to; pass at least one.")
        columns = column_names(frames[0]) if features is None else list(features)
        if not columns:
            raise InputError("X has no columns; pass at least one feature.")
        self.features = fit_feature_bins(frames, columns, self.method, self.n_bins)
        return self

    def fit_chunks(self, chunks: Iterable[Any]) -> "Binning":
        """Fit the bins in one pass over chunks of the data.

        "width" and "nominal" give the bins of :meth:`fit` on all chunks.
        "frequency" and "auto" estimate quantiles by a sketch (see
        :class:`~clusterwise.inputs.binning.fitting.QuantileSketch`). "mdl" needs all values
        in memory.

        Parameters
        ----------
        chunks : iterable
            Features, or pairs (features, labels).

        Returns
        -------
        Binning
            Itself, fitted.
        """
        fitter = BinFitter(self.method, self.n_bins, exact=False)
        for chunk in chunks:
            X, y = chunk if isinstance(chunk, tuple) and len(chunk) == 2 else (chunk, None)
            fitter.add(read_features(X), y)
        self.features = fitter.features()
        return self

    def with_skewed_features(self, X: Any) -> "Binning | None":
        """Return "auto" bins for X in place of bins of equal width that were fitted to X.

        None if the bins are others, or if no feature is skewed.
        """
        if self.method != "width":
            return None
        features = self.read(X)
        found = []
        for method in ("width", "auto"):
            fitter = BinFitter(method, self.n_bins, exact=True)
            fitter.add(features, None)
            named = zip(fitter.features(), self.names, strict=True)
            found.append(tuple(replace(feature, name=name) for feature, name in named))
        if found[0] != self._fitted() or found[1] == found[0]:
            return None
        binning = Binning("auto", self.n_bins)
        binning.features = found[1]
        return binning

    @property
    def names(self) -> list[str]:
        """Names of the features, in order."""
        return [feature.name for feature in self._fitted()]

    @property
    def offsets(self) -> Array:
        """The first column of each feature in a profile, and the number of all columns."""
        sizes = [feature.size for feature in self._fitted()]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    @property
    def total(self) -> int:
        """The number of bins of all features."""
        return sum(feature.size for feature in self._fitted())

    def read(self, X: Any) -> Features:
        """Return the features of X that the binning was fitted on, in its order.

        Columns of frames are selected by name, and there may be more of them; arrays need
        the same number of columns.
        """
        return read_features(X).select(self.names)

    def bins(self, X: Any) -> Binned:
        """Return the bin of every value.

        Parameters
        ----------
        X : array, list of rows or frame
            The features that the binning was fitted on, those of frames in any order.

        Returns
        -------
        Binned
            An array of bins per feature, and the numbers of values outside the range.

        Examples
        --------
        >>> binned = Binning(n_bins=2).fit([[0.0], [1.0]]).bins([[0.2], [5.0], [None]])
        >>> binned.codes[0].tolist(), binned.above.tolist()
        ([0, 1, 2], [1])
        """
        features = self.read(X)
        fitted = self._fitted()
        below, above = (np.zeros(len(fitted), np.int64) for _ in range(2))
        if features.matrix is not None and all(item.edges is not None for item in fitted):
            return Binned(list(_bin_numbers(features.matrix, fitted, below, above)), below, above)
        codes = []
        for r, (feature, column) in enumerate(zip(fitted, features.columns, strict=True)):
            if feature.values is None:
                values = column.numbers()[:, np.newaxis]
                ends = below[r : r + 1], above[r : r + 1]
                codes.append(_bin_numbers(values, (feature,), *ends)[0])
            else:
                codes.append(_look_up(column, feature))
        return Binned(codes, below, above)

    def bin_names(self) -> list[tuple[str, str]]:
        """Return the feature and the name of the bin of every column of a profile.

        Examples
        --------
        >>> Binning(n_bins=2).fit([[0.0], [1.0]]).bin_names()
        [('x0', '[0, 0.5)'), ('x0', '[0.5, 1]'), ('x0', '(missing)')]
        """
        return [(item.name, name) for item in self._fitted() for name in item.bin_names()]

    def text_table(self) -> TextTable:
        """Return a row per feature, with its edges or values."""
        if not hasattr(self, "features"):
            return TextTable(
                [f"Binning(method={self.method!r}, n_bins={self.n_bins}), not fitted"], []
            )
        rows = [
            [item.name, self.method_of(item), str(item.regular), item.summary()]
            for item in self.features
        ]
        title = f"{format_count(len(rows), 'feature')}, {format_count(self.total, 'bin')}"
        header = ["feature", "method", "bins", "edges or values"]
        return TextTable(header, rows, title, left=frozenset({0, 1, 3}))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Binning):
            return NotImplemented
        return self._fitted() == other._fitted()

    __hash__ = None  # type: ignore[assignment]

    def method_of(self, feature: FeatureBins) -> str:
        """Return how the bins of a feature were found."""
        if feature.values is not None:
            return "nominal"
        if self.method != "auto":
            return self.method
        return "width" if feature.even or feature.regular == 1 else "frequency"

    def _fitted(self) -> tuple[FeatureBins, ...]:
        if not hasattr(self, "features"):
            raise InputError(
                "this binning is not fitted; call fit, fit_frames or fit_chunks first."
            )
        return self.features


def _bin_numbers(
    values: Array, features: tuple[FeatureBins, ...], below: Array, above: Array
) -> Array:
    """Return the bins of numbers, feature by feature; count those outside of the range."""
    from clusterwise._utils.threads import parts_for, run_parts
    from clusterwise.kernels.binning import BinEdges, find_bins

    n, width = values.shape
    edges = [item.edges for item in features if item.edges is not None]
    # With finite ends, infinite values lie outside of the range, where they are found.
    lows, highs = np.nan_to_num(np.array([[item[0], item[-1]] for item in edges])).T.copy()
    scales = np.array([item.scale for item in features])
    cuts = np.concatenate([item[1:-1] for item in edges])
    regular = np.array([item.regular for item in features])
    starts = np.concatenate([[0], np.cumsum(regular - 1)])
    codes = np.empty((width, n), smallest_unsigned(int(regular.max()) + 1))
    parts = parts_for(values.size)
    outside = np.zeros((parts, 2, width), np.int64)
    rows = for_kernel(values, np.float64)
    bins = BinEdges(lows, highs, scales, cuts, starts, regular)

    def task(part: int) -> None:
        start, stop = n * part // parts, n * (part + 1) // parts
        find_bins(rows, start, stop, bins, codes, outside[part, 0], outside[part, 1])

    run_parts(task, parts)
    for column in np.flatnonzero(outside.any(axis=(0, 1))):
        refuse_infinite(features[column].name, values[:, column])
    below += outside[:, 0].sum(axis=0)
    above += outside[:, 1].sum(axis=0)
    return codes


def _look_up(column: Column, feature: FeatureBins) -> Array:
    """Return the bins of a categorical column."""
    assert feature.values is not None
    known = {value: code for code, value in enumerate(name_list(feature.values))}
    codes, values = column.categories()
    table = [known.get(value, feature.regular) for value in values]
    # Code -1 (missing) selects the last entry.
    return np.array([*table, feature.regular + 1], smallest_unsigned(feature.size))[codes]
