"""Refinement of labels by a mixture model with the given clusters as covariates."""
