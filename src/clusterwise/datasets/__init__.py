"""Data sets: generators of synthetic data, and data sets of the papers from a folder."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
