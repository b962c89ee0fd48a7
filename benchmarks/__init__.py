"""How fast and how frugal clusterwise is beside its peers, in one run.

Run ``python -m benchmarks`` from the repository's root, or ``make bench``.
"""
