"""Consensus by graph partitioning: CSPA, HGPA, MCLA and HBGF."""
