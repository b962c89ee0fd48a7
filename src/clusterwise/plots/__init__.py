"""Plots of clusterings, as displays in the manner of scikit-learn (the extra ``plots``).

The displays are imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
