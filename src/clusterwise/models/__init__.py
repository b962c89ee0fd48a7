"""Models that several methods fit: k-means, Gaussian mixtures, principal axes."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
