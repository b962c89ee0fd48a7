"""Alternatives to given clusterings: estimators, and the portfolio of `cluster_again`."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
