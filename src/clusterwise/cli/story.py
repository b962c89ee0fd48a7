"""Tables and the sentences about them, for terminals, plain text and Markdown."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from clusterwise._utils.tables import TextTable, visible
from clusterwise.cli.output import Format, write, write_table

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


class Story:
    """What a verb tells people."""

    def __init__(self, grids: Sequence[TextTable], sentences: Iterable[str]) -> None:
        self.grids = grids
        self.sentences = [visible(line) for line in sentences]

    def __str__(self) -> str:
        return "\n\n".join([*(grid.text() for grid in self.grids), "\n".join(self.sentences)])

    def markdown(self) -> str:
        """The same in Markdown."""
        return "\n\n".join([*(grid.markdown() for grid in self.grids), *self.sentences])

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        yield from self.grids
        yield from (Text(sentence) for sentence in self.sentences)


def write_story(story: Story, output_format: Format) -> None:
    """Print it as Markdown, or for the terminal."""
    if output_format == "markdown":
        write(story.markdown(), None)
    else:
        write_table(story, None)
