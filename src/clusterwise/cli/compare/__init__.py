"""``clusterwise compare``: clusterings in columns of one or several files."""
