"""Bins for features: where to cut them, and which bin a value falls into."""
