"""Speed and memory of clusterwise and its peers, in one run.

Run ``python -m benchmarks`` from the repository's root, or ``make bench``.
"""
