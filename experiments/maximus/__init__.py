"""Study: MAXIMUS on the thirteen data sets of its paper, next to COALA."""
