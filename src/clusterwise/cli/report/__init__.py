"""``clusterwise report``: an HTML report of two clusterings."""
