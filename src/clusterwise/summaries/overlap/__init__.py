"""The overlap of two clusterings, hard or soft, and the flow between them."""
