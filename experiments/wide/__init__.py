"""Study: whether hidden clusterings are found in wide and correlated data."""
