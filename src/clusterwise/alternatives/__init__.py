"""Clustering again: groupings that are good, and different from those you have."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
