"""Coverage of the intervals of ``compare(significance=True)``, and sizes of its tests."""
