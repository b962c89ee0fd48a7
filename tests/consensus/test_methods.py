"""The names of the methods, which the command needs before anything heavy is loaded."""

import subprocess
import sys

_CODE = """
import sys
from clusterwise.consensus.methods import METHODS
assert METHODS[0] == "auto"
print(sorted({"numba", "numpy", "scipy", "sklearn"} & sys.modules.keys()))
"""


def test_the_names_are_light_to_import():
    found = subprocess.run(
        [sys.executable, "-c", _CODE], check=False, capture_output=True, text=True
    )
    assert found.stdout == "[]\n", found.stderr
