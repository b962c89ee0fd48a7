"""``clusterwise assess``: whether clusters would be found again."""
