"""Whether hidden clusterings are found in wide and correlated data: images, genes, embeddings."""
