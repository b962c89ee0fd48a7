"""The contingency table of two clusterings, and what follows from it alone."""
