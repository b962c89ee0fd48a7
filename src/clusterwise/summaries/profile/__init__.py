"""Density profiles: the objects of each cluster, counted by bin."""
