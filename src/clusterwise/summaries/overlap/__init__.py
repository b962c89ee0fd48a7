"""The overlap of two clusterings, hard or soft, and sums from which its measures follow."""
