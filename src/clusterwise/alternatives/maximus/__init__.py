"""MAXIMUS: clusters whose density profiles differ from those of the given clusters."""
