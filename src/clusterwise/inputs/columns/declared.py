"""The types that a user can declare; imported by the command line, so nothing heavy is here."""

from typing import Literal

DeclaredType = Literal["numeric", "categorical", "date", "boolean", "identifier", "text"]
