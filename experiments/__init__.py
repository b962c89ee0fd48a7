"""Experiments of the papers, next to the published values, and studies of all methods.

``python -m experiments`` lists and runs the papers' experiments; ``python -m
experiments.alternatives``, ``experiments.maximus``, ``experiments.consensus`` and
``experiments.stability`` run the studies.
Nothing here is part of the installed package.
"""
