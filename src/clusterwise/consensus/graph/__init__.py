"""Consensus by partitioning graphs: CSPA, HGPA, MCLA and HBGF."""
