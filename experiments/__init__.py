"""Experiments of the papers, next to the published values, and studies of all methods.

``python -m experiments`` lists and runs the papers' experiments; ``python -m
experiments.alternatives``, ``experiments.maximus`` and ``experiments.consensus`` run the studies.
Nothing here is part of the installed package.
"""
