"""The base class of results."""

from abc import abstractmethod
from pathlib import Path
from typing import Any

from clusterwise._utils.lazy import write_report
from clusterwise._utils.tables import TableRepr


class Result(TableRepr):
    """Base class of results: a printed table, a summary, data, a plot and a report."""

    @abstractmethod
    def summary(self) -> str:
        """What the result says, in sentences."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as plain Python values, ready for JSON."""

    @abstractmethod
    def to_frame(self, library: str | None = None) -> Any:
        """The result as a dataframe of ``library``, or of the first one that is installed."""

    @abstractmethod
    def plot(self, *args: Any, **kwargs: Any) -> Any:
        """Plot the result, and return the display."""

    def report(self, path: Any, **options: Any) -> Path:
        """Write a report of the result: one HTML file, without scripts or external files."""
        return write_report(self, path, **options)
