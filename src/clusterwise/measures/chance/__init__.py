"""What measures are by chance: models of random clusterings, their moments and p-values."""
