"""Small summaries of the data that add up, and from which measures follow."""
