"""Compare clusterings, find alternatives to one you have, combine many into one.

Names are loaded on first use: ``import clusterwise`` imports no numba, scikit-learn, dataframe
or plotting library.
"""

import lazy_loader

__version__ = "0.1.0"
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _load(name)
