"""Variants of MAXIMUS that its study compares with the default and with the published program.

Other balance constraints (on profiles, on their matching), profiles of least inertia, the greedy
assignment of the paper, prescribed cluster sizes, and a final local search.
"""
