"""``clusterwise profile``: what sets each cluster apart."""
