"""The base classes of all results."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from clusterwise._utils.arguments import check_methods
from clusterwise._utils.lazy import write_report
from clusterwise._utils.tables import TableRepr, TextTable
from clusterwise._utils.visible import visible


class Described(ABC):
    """Base class of objects that describe themselves in sentences, which may quote the data."""

    @abstractmethod
    def _sentences(self) -> Sequence[str]:
        """Return the sentences, with names and labels as they are in the data."""

    def sentences(self) -> list[str]:
        """Return the sentences of the summary."""
        return [visible(sentence) for sentence in self._sentences()]

    def summary(self) -> str:
        """Describe the result in sentences."""
        return " ".join(self.sentences())


class RemembersData:
    """A result that refers to the features of the objects, to draw them.

    They are not copied, and not pickled: a result that is loaded has None.

    Attributes
    ----------
    data : array-like, frame or None
        The features, as they were passed.
    """

    data: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "data"}


class Result(Described, TableRepr):
    """A result of the library: sentences, a dictionary, a frame, a plot and a report.

    It prints the same tables in the terminal, with rich and in notebooks. A subclass defines
    ``text_table``, or ``text_tables`` if it prints several, and the abstract methods below;
    ``_print_summary`` says whether the summary is printed below the tables.
    """

    _print_summary = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        check_methods(cls)

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, ready for JSON."""

    @abstractmethod
    def to_frame(self, library: str | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"}, optional
            By default the library of the input, or the first one that is installed.
        """

    @abstractmethod
    def plot(self, *args: Any, **kwargs: Any) -> Any:
        """Plot the result and return the display."""

    def report(self, path: Any, *, title: str | None = None, **options: Any) -> Path:
        """Write a report of the result: one HTML file, without scripts or external files.

        Parameters
        ----------
        path : str or path
            The file to write.
        title : str, optional
            The title of the page.
        **options
            Further options of :func:`clusterwise.report.write_report`.

        Returns
        -------
        Path
            The file that was written.
        """
        return write_report(self, path, title=title, **options)

    def text_tables(self) -> Sequence[TextTable]:
        """Return the tables that are printed."""
        return [self.text_table()]

    def __repr__(self) -> str:
        parts = [table.text() for table in self.text_tables()]
        return "\n\n".join([*parts, self.summary()] if self._print_summary else parts)

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.text import Text

        tables = self.text_tables()
        return Group(*tables, *([Text(self.summary())] if self._print_summary else []))

    def _repr_html_(self) -> str:
        tables = "".join(table.html() for table in self.text_tables())
        return f"{tables}<p>{escape(self.summary())}</p>" if self._print_summary else tables
