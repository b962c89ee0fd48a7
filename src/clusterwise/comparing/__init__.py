"""Comparing clusterings: everything about two of them, or one measure over many."""
