"""``clusterwise stream``: how a clustering changes from window to window."""
