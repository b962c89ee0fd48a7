"""Study: how often noise is taken for an alternative, and planted alternatives are found."""
