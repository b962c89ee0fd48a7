"""``python -m clusterwise`` is the command ``clusterwise``."""

import sys

from clusterwise.cli import main

if __name__ == "__main__":
    sys.exit(main())
