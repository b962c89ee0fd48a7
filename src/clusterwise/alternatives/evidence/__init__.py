"""Evidence that an alternative is more than noise: clusters against one unimodal cluster."""
