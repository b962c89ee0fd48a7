"""PhiConsensus: the consensus with the largest φ."""
