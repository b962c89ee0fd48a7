"""Compare clusterings, find alternatives to one you have, combine many into one.

Names are loaded when they are first used: ``import clusterwise`` itself brings in
no numba, scikit-learn, dataframe or plotting library.
"""

import lazy_loader

__version__ = "0.1.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
