"""Combine many clusterings of the same objects into one, without a table of all pairs."""
