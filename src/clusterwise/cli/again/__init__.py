"""``clusterwise again``: alternatives to a given clustering."""
