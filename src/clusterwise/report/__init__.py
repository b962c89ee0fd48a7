"""Reports: a result as one file of HTML, to read, print and send (the extra ``report``)."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
