"""The clusters of a clustering against all clusters of an ensemble."""
