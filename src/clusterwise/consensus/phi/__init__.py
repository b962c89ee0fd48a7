"""PhiConsensus: search for the clustering with the highest objective φ."""
