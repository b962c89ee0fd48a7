"""Study: all methods for alternative clusterings, on planted and real data."""
