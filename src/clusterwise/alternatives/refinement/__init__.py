"""Relabelling an alternative by a mixture model with the given clusters as covariates."""
