"""Parts shared by the papers' experiments and the studies."""
