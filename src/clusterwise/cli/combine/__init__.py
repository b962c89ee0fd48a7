"""``clusterwise combine``: one clustering from many."""
