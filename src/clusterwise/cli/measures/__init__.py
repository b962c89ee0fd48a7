"""``clusterwise measures``: the catalogue of measures."""
