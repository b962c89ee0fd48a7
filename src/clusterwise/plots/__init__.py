"""Pictures of clusterings, as displays in scikit-learn's manner (the extra ``plots``).

Names are loaded when they are first used, so that one picture does not bring in all of them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
