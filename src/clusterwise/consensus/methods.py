"""The names of the consensus methods.

This module imports nothing heavy: the command lists the names in its help.
"""

from typing import Literal, get_args

Method = Literal[
    "auto",
    "cspa",
    "evidence",
    "hbgf",
    "hgpa",
    "lwea",
    "lwgp",
    "mcla",
    "median",
    "phi",
    "refined-evidence",
    "voting",
]
METHODS: tuple[str, ...] = get_args(Method)
