"""Warnings that point to the user's code."""

import sys
import warnings

from clusterwise._utils.visible import visible

# Packages between the user's code and a warning; scikit-learn wraps methods of estimators.
_SKIPPED = ("clusterwise", "sklearn")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and show the line outside the package from which it was called."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _SKIPPED:
        level, frame = level + 1, frame.f_back
    warnings.warn(visible(message), category, stacklevel=level)
