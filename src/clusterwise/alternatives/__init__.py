"""Clustering again: groupings that are good, and different from those you have."""
